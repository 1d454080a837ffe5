//! Measurements of programs in C: steps a second of execution, and lines a second of the front end.
//!
//! Times are processor time. A step is one of the program, as the meaning counts it; the twin, which is that meaning, stands beside the engine.

use crate::clock::Clock;
use crate::options;
use base::Sources;
use c::Options;
use integers::explore::{Budget, Quest, explore};
use integers::trace::{End, Manner, walk};
use integers::{Goal, Integers, Program};
use std::fmt::Write;
use std::process::ExitCode;

const HELP: &str = "usage: bench c [--quick]

  --quick  shorter runs and a smaller file

Prints steps a second of programs in C that are executed, and lines a second of the front end.";

/// The steps of a run that the twin takes as well.
const TWIN: u64 = 1_000_000;

/// Runs the subcommand.
pub fn execute(arguments: &[String]) -> Result<ExitCode, String> {
    let Some(is_quick) = options::quick(arguments, "c", HELP)? else { return Ok(ExitCode::SUCCESS) };
    speed(if is_quick { 1 } else { 10 })?;
    println!();
    let n_lines = if is_quick { 10_000 } else { 100_000 };
    println!("{:12} {:>12} {:>12} {:>8} {:>16}", "front end", "lines", "bytes", "s", "lines/s");
    front_end("integers", &long_text(n_lines))?;
    front_end("pointers", &pointer_text(n_lines))?;
    Ok(ExitCode::SUCCESS)
}

/// Programs of one run each: how the steps are made differs.
fn programs(size: u64) -> Vec<(&'static str, String)> {
    let n = 500_000 * size;
    let fib = if size == 1 { 24 } else { 28 };
    let head = "void reach_error(void);";
    vec![
        (
            "loop",
            format!("{head} int main(void) {{ int i = 0; while (i < {n}) i++; if (i < 0) reach_error(); }}"),
        ),
        (
            "arithmetic",
            format!(
                "{head} int main(void) {{ unsigned x = 7, y = 0, i; for (i = 0; i < {n}u; i++) {{
                     if (x % 3 == 0) y += x / 5; else x = x * 1103515245u + 12345u;
                     if (y > 1000000u) y -= 999999u; }}
                 if (y == 4000000000u) reach_error(); }}"
            ),
        ),
        (
            "calls",
            format!(
                "{head} int fib(int n) {{ if (n < 2) return n; return fib(n - 1) + fib(n - 2); }}
                 int main(void) {{ if (fib({fib}) == 1) reach_error(); }}"
            ),
        ),
        (
            "unknown",
            format!(
                "{head} extern int a[9]; int main(void) {{ int i = 0, x = 0; while (i < {n}) {{ x = a[3]; i++; }}
                 if (i < 0) reach_error(); }}"
            ),
        ),
        (
            "array",
            format!(
                "{head} int a[1000]; int main(void) {{ int i, s = 0; for (i = 0; i < {n}; i++) {{
                     a[i % 1000] = s; s = a[(i * 7) % 1000] + 1; }}
                 if (s < 0) reach_error(); }}"
            ),
        ),
        (
            "sorting",
            format!(
                "{head} int main(void) {{ int a[{m}], i, j; for (i = 0; i < {m}; i++) a[i] = {m} - i;
                 for (i = 0; i < {m}; i++) for (j = 0; j + 1 < {m} - i; j++)
                     if (a[j] > a[j + 1]) {{ int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }}
                 if (a[0] > a[1]) reach_error(); }}",
                m = if size == 1 { 400 } else { 1200 },
            ),
        ),
        (
            "list",
            format!(
                "{head} void *malloc(unsigned long); struct node {{ int v; struct node *next; }};
                 int main(void) {{ struct node *head = 0, *p; int i, s = 0;
                 for (i = 0; i < 1000; i++) {{ p = malloc(sizeof *p); p->v = i; p->next = head; head = p; }}
                 for (i = 0; i < {n} / 1000; i++) for (p = head; p; p = p->next) s = (s + p->v) % 1000;
                 if (s < 0) reach_error(); }}"
            ),
        ),
    ]
}

fn translate(text: String) -> Result<Program, String> {
    let mut sources = Sources::default();
    let file = sources.add("bench.c", text);
    let translation = c::translate(&sources, file, &Options::default());
    let show = |errors: Vec<base::Diagnostic>| -> String {
        errors.iter().map(|error| base::render(&sources, error)).collect()
    };
    Ok(translation.map_err(show)?.program)
}

fn speed(size: u64) -> Result<(), String> {
    println!(
        "{:12} {:>12} {:>8} {:>16} {:>16} {:>8}",
        "program", "steps", "s", "million steps/s", "twin, million/s", "ratio"
    );
    for (name, text) in programs(size) {
        let program = translate(text)?;
        let mut clock = Clock::start();
        let found = explore(&program, Quest::Target(Goal::Any), &Budget::default());
        let seconds = clock.lap().as_secs_f64();
        if !found.is_complete || found.reached.is_some() {
            return Err(format!("`{name}` was not decided"));
        }
        let manner = Manner { integers: Integers::Mathematical, goal: Goal::Any, max_steps: TWIN };
        let mut n_twin = 0u64;
        clock.lap();
        let end = walk(&program, &mut |_| None, manner, &mut |_| n_twin += 1);
        let twin = n_twin as f64 / clock.lap().as_secs_f64() / 1e6;
        if !matches!(end, End::StepLimit | End::Returned) {
            return Err(format!("the twin ends `{name}` as {end:?}"));
        }
        let speed = found.n_steps as f64 / seconds / 1e6;
        println!(
            "{name:12} {:>12} {seconds:>8.2} {speed:>16.1} {twin:>16.1} {:>8.1}",
            found.n_steps,
            speed / twin
        );
    }
    Ok(())
}

/// A file of so many lines: functions of all kinds of statements, which call each other.
fn long_text(n_lines: usize) -> String {
    let mut text = String::from("int nondet(void);\nvoid reach_error(void);\nint g0, g1, g2;\n");
    let n_functions = n_lines.saturating_sub(8) / 20;
    for n in 0..n_functions {
        let callee = if n == 0 { "nondet()".to_owned() } else { format!("f{}(a - 1, b)", n - 1) };
        write!(
            text,
            "/* function {n} */
static int f{n}(int a, unsigned b) {{
  int i, sum = 0;
  if (a <= 0)
    return g{};
  for (i = 0; i < a; i++) {{
    sum += i * 3 + (int)b;
    if (sum > 1000 || sum < -1000)
      break;
  }}
  switch (a) {{
  case 1: sum++; break;
  case 2: sum--; /* falls through */
  default: sum = -sum;
  }}
  while (b > 10u && sum != 7)
    b = b / 2;
  g{} = sum ? sum : {callee};
  return sum + g{};
}}
",
            n % 3,
            (n + 1) % 3,
            (n + 2) % 3
        )
        .expect("a string takes every text");
    }
    writeln!(
        text,
        "int main(void) {{\n  if (f{}(nondet(), 3u) == 12345)\n    reach_error();\n  return 0;\n}}",
        n_functions - 1
    )
    .expect("a string takes every text");
    text
}

/// A file of so many lines: functions with pointers, arrays and structures of their own and of their callers, which call each other.
fn pointer_text(n_lines: usize) -> String {
    let mut text = String::from(
        "extern int nondet(void);\nvoid reach_error(void);\nvoid *malloc(unsigned long);
struct node { int v; struct node *next; int w[4]; };\nstatic int table[64];\nstatic struct node *head;\n",
    );
    let n_functions = n_lines.saturating_sub(20) / 22 + 1;
    for n in 0..n_functions {
        let callee = if n % 10 == 0 { "0".to_owned() } else { format!("f{}(p, n - 1, q)", n - 1) };
        write!(
            text,
            "static int f{n}(int *p, int n, struct node *q) {{
  int a[4];
  int i, s = 0;
  struct node local;
  for (i = 0; i < 4; i++)
    a[i] = n + i;
  local.v = a[1];
  local.next = q;
  local.w[2] = *p;
  if (n > {}) {{
    *p = a[n & 3];
    s += local.w[2];
  }} else if (q != 0) {{
    q->v = s;
    q->w[n & 3] = 1;
  }}
  table[{}] = s;
  while (q && q->next)
    q = q->next;
  return s + local.v + {callee};
}}
",
            n % 7,
            n % 64,
        )
        .expect("a string takes every text");
    }
    text.push_str("int main(void) {\n  int x = nondet();\n  struct node *p = malloc(sizeof *p);\n  p->v = 1;\n  p->next = head;\n  head = p;\n");
    for n in (9..n_functions).step_by(10) {
        writeln!(text, "  x = f{n}(&x, {}, p);", n % 5).expect("a string takes every text");
    }
    text.push_str("  if (x == 123456)\n    reach_error();\n  return 0;\n}\n");
    text
}

fn front_end(name: &str, text: &str) -> Result<(), String> {
    let (n_lines, n_bytes) = (text.lines().count(), text.len());
    let mut clock = Clock::start();
    let program = translate(text.to_owned())?;
    let seconds = clock.lap().as_secs_f64();
    let per_second = n_lines as f64 / seconds;
    println!("{name:12} {n_lines:>12} {n_bytes:>12} {seconds:>8.2} {per_second:>16.0}");
    if program.functions.is_empty() {
        return Err(format!("`{name}` has no functions"));
    }
    Ok(())
}

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
    front_end(if is_quick { 10_000 } else { 100_000 })?;
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
                "{head} int a[9]; int main(void) {{ int i = 0, x = 0; while (i < {n}) {{ x = a[3]; i++; }}
                 if (i < 0) reach_error(); }}"
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

fn front_end(n_lines: usize) -> Result<(), String> {
    let text = long_text(n_lines);
    let (n_lines, n_bytes) = (text.lines().count(), text.len());
    let mut clock = Clock::start();
    let program = translate(text)?;
    let seconds = clock.lap().as_secs_f64();
    println!("{:12} {:>12} {:>12} {:>8} {:>16}", "front end", "lines", "bytes", "s", "lines/s");
    let per_second = n_lines as f64 / seconds;
    println!("{:12} {n_lines:>12} {n_bytes:>12} {seconds:>8.2} {per_second:>16.0}", program.functions.len());
    Ok(())
}

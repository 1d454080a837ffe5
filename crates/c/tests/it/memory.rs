//! Random C programs with memory do what a compiler with sanitizers makes them do: the same values, and an error where it finds one.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs. Without a C compiler nothing is compared, and a note says so.

use base::{Sources, render};
use c::Options;
use integers::explore::{Budget, Random, execute};
use integers::trace::{End, Event, Manner, walk};
use integers::{Goal, Input, InputKind, Integers, Place, Program, Undefined, Value, promote};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use testing::Folder;

const DECLARATIONS: &str = "unsigned char __VERIFIER_nondet_uchar(void);
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long); void free(void *);
void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
long long observed; void observe(long long v) { observed = v; }
";

const THEIRS: &str = "
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char **rest;
unsigned char __VERIFIER_nondet_uchar(void) { return *rest ? strtoll(*rest++, 0, 10) : 0; }
void observe(long long v) { printf(\"%lld\\n\", v); fflush(stdout); }
";

const SANITIZERS: [&str; 3] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Wno-error"];

/// What a run shows: the values that were observed, and whether it came to its end.
#[derive(PartialEq, Debug)]
struct Shown {
    observed: Vec<i128>,
    is_defined: bool,
}

#[test]
fn the_compiler_agrees_on_memory() {
    if !testing::has_c_compiler() {
        return;
    }
    let seeds = generate::random::seeds(0..10);
    let texts: Vec<String> =
        seeds.clone().map(|seed| testing::random_memory_c::program(&mut Random::new(seed), seed)).collect();
    let made = marks(&texts);
    let (binary, _folder) = compile(&texts, seeds.start);
    let (mut n_values, mut n_wrong, mut n_right) = (0, 0, 0);
    for (seed, text) in seeds.clone().zip(&texts) {
        let program = translate(text, seed);
        for inputs in [[0, 0], [5, 3], [15, 4], [9, 1]] {
            let theirs = run_theirs(&binary, seed, &inputs);
            let ours = run_ours(&program, &inputs, seed);
            assert_eq!(ours, theirs, "GETAFIX_SEED={seed}, inputs {inputs:?}\n{text}");
            compare_execution(&program, &inputs, seed, text);
            n_values += ours.observed.len();
            n_right += usize::from(ours.is_defined);
            n_wrong += usize::from(!ours.is_defined);
        }
    }
    println!("{n_values} values, {n_right} runs to the end, {n_wrong} errors");
    println!("{made:?}");
    if seeds.end - seeds.start >= 10 {
        assert!(made.len() >= 28, "some constructs were never made: {made:?}");
        assert!(n_values > 300 && n_right > 20 && n_wrong > 0, "too little was compared");
    }
}

/// How often each construct was made.
fn marks(texts: &[String]) -> BTreeMap<&str, usize> {
    let mut made = BTreeMap::new();
    for text in texts {
        let marked = text.split("/*@ ").skip(1).filter_map(|rest| rest.split_once(" */"));
        marked.for_each(|(construct, _)| *made.entry(construct).or_insert(0) += 1);
    }
    made
}

fn compile(texts: &[String], first: u64) -> (PathBuf, Folder) {
    let mut file = format!("{THEIRS}{}", texts.concat());
    file.push_str("int main(int argc, char **argv) { rest = argv + 2; switch (atoi(argv[1])) {\n");
    for n in (first..).take(texts.len()) {
        writeln!(file, "case {n}: p{n}_main(); break;").unwrap();
    }
    file.push_str("}\nreturn 0; }\n");
    let folder = Folder::temporary();
    (testing::compile_c(folder.path(), &file, &SANITIZERS), folder)
}

pub(super) fn translate(text: &str, n: u64) -> Program {
    let whole = format!("{DECLARATIONS}{text}int main(void) {{ p{n}_main(); return 0; }}\n");
    let mut sources = Sources::default();
    let file = sources.add("random.c", whole);
    let result = c::translate(&sources, file, &Options::default());
    let errors = |errors: Vec<base::Diagnostic>| -> String {
        errors.iter().map(|error| render(&sources, error)).collect()
    };
    result.unwrap_or_else(|list| panic!("GETAFIX_SEED={n}\n{}{text}", errors(list))).program
}

fn run_theirs(binary: &PathBuf, n: u64, inputs: &[i64]) -> Shown {
    let arguments = std::iter::once(n.to_string()).chain(inputs.iter().map(ToString::to_string));
    let mut command = Command::new(binary);
    command.env("ASAN_OPTIONS", "detect_stack_use_after_return=1:detect_leaks=0");
    let output = command.args(arguments).output().expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("the program prints numbers");
    let observed = text.lines().map(|line| line.parse().expect("a number")).collect();
    Shown { observed, is_defined: output.status.success() }
}

fn chosen(inputs: &[i64], used: &mut usize, input: &Input) -> i128 {
    // Everything is initialised: what is chosen for what is not does not matter.
    if input.kind == InputKind::Uninitialised {
        return 99;
    }
    let number = inputs.get(*used).copied().unwrap_or(0);
    *used += 1;
    input.ty.wrap(number.into())
}

/// How a run ends, and what is observed in it.
pub(super) fn walked(program: &Program, inputs: &[i64]) -> (End, Vec<i128>) {
    let place = program.globals.iter().position(|global| global.variable.name == "observed").unwrap();
    let place = Place::Global(place as u32);
    let mut observed = Vec::new();
    let mut used = 0;
    let manner = Manner { integers: Integers::Machine, goal: Goal::Any, max_steps: 1_000_000 };
    let end = walk(program, &mut |input| Some(chosen(inputs, &mut used, input)), manner, &mut |step| {
        for (stored, value) in step.stored {
            if let (true, Value::Number(number), Event::Taken(_)) = (stored == place, value, &step.event) {
                observed.push(number);
            }
        }
    });
    (end, observed)
}

fn run_ours(program: &Program, inputs: &[i64], seed: u64) -> Shown {
    let (end, observed) = walked(program, inputs);
    let is_defined = match end {
        End::Returned => true,
        End::Undefined(Undefined::Memory(_) | Undefined::Overflow(_) | Undefined::Division, ..) => false,
        End::Unknown(id) => panic!("GETAFIX_SEED={seed}: {:?}", program.unknowns[id.index()]),
        other => panic!("GETAFIX_SEED={seed}: the run ends as {other:?}"),
    };
    Shown { observed, is_defined }
}

/// The compact code does what the meaning says, over mathematical integers.
fn compare_execution(program: &Program, inputs: &[i64], seed: u64, text: &str) {
    let mut used = 0;
    let manner = Manner { integers: Integers::Mathematical, goal: Goal::Any, max_steps: 1_000_000 };
    let end = walk(program, &mut |input| Some(chosen(inputs, &mut used, input)), manner, &mut |_| {});
    let mut used = 0;
    let mut choose = |input: &Input| Some(chosen(inputs, &mut used, input));
    let execution = execute(program, &mut choose, Goal::Any, &Budget::default());
    assert_eq!(execution.end, end, "GETAFIX_SEED={seed}, inputs {inputs:?}\n{text}");
}

/// Programs with few cells, of which each does something else with them; inputs may be wrong indices.
const SMALL: [&str; 10] = [
    "static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
     int main(void) { int x = in(), y = in(); swap(&x, &y); observe(x); observe(y); return 0; }",
    "static int t[4] = {5, 6, 7, 8}; int main(void) { int i = in() % 6; observe(t[i]); t[i] = 1; observe(t[0] + t[3]); return 0; }",
    "struct s { int n; int d[3]; }; static void push(struct s *s, int v) { s->d[s->n] = v; s->n++; }
     int main(void) { struct s s = {0}; int k = in() % 5; for (int i = 0; i < k; i++) push(&s, i); observe(s.n); observe(s.d[0]); return 0; }",
    "int main(void) { int x = 1, y = 2; int *p = in() % 2 ? &x : &y; *p = 7; observe(x); observe(y); observe(p == &x); return 0; }",
    "int main(void) { int x = 1; int *p = in() % 3 ? &x : 0; *p = 4; observe(x); return 0; }",
    "struct p { int a, b; }; static struct p turn(struct p q) { struct p r = {q.b, q.a}; return r; }
     int main(void) { struct p q = {in(), 2}; struct p r = turn(q); q = r; observe(q.a); observe(q.b); return 0; }",
    "int main(void) { int a[3] = {1, 2, 3}; int *p = a, *e = a + 3; int s = 0; while (p != e) s += *p++; observe(s); observe(e - a); if (in() % 2) observe(*p); return 0; }",
    "struct p { int a, b; }; int main(void) { struct p q = {1, 2}; int *w = in() % 2 ? &q.a : &q.b; *w = 9; observe(q.a); observe(q.b); observe(w[1]); return 0; }",
    "static int *g; int main(void) { int x = 3; g = &x; int **h = &g; **h = in(); observe(x); *h = 0; if (in() % 2) observe(*g); return 0; }",
    "static const int c[2] = {1, 2}; int main(void) { int *p = (int *)&c[in() % 2]; observe(*p); if (in() % 2) *p = 3; return 0; }",
];

#[test]
fn promoted_programs_do_the_same() {
    let mut n_wrong = 0;
    for text in SMALL {
        let whole = format!(
            "unsigned char in(void);\nlong long observed; void observe(long long v) {{ observed = v; }}\n{text}"
        );
        let mut sources = Sources::default();
        let file = sources.add("small.c", whole);
        let options = Options { inputs: vec!["in".to_owned()], ..Options::default() };
        let program = c::translate(&sources, file, &options).expect(text).program;
        let promoted = promote(&program).expect(text);
        assert!(program.uses_memory() && !promoted.uses_memory(), "{text}");
        for (one, two) in (0..6).flat_map(|one| (0..3).map(move |two| (one, two))) {
            let (ours, theirs) = (run_ours(&program, &[one, two], 0), run_ours(&promoted, &[one, two], 0));
            assert_eq!(ours, theirs, "inputs {one}, {two}\n{text}");
            compare_execution(&promoted, &[one, two], 0, text);
            n_wrong += usize::from(!ours.is_defined);
        }
    }
    assert!(n_wrong > 20, "only {n_wrong} runs misused memory");
}

/// Of these programs each writes to something that is constant, and there the run ends.
#[test]
fn what_is_constant_is_not_written_to() {
    let (number, structure) =
        ("int *p = (int *)&t; observe(*p); p[1] = 5;", "static const struct s { int a, b; } t");
    for (declared, written) in [
        ("static const int t[3] = {1, 2, 3};".to_owned(), number),
        ("const int t[3] = {1, 2, 3};".to_owned(), number),
        ("static const int t[20] = {1, 2};".to_owned(), number),
        ("typedef const int row[2]; static row t[2] = {{1}, {2}};".to_owned(), number),
        (format!("{structure} = {{1, 2}};"), "struct s *p = (struct s *)&t; observe(p->a); p->b = 5;"),
        (format!("{structure}[2] = {{{{1}}}};"), "struct s *p = (struct s *)t; observe(p->a); p[1].b = 5;"),
    ] {
        let text = format!("{declared} void p0_main(void) {{ {written} observe(9); }}\n");
        let shown = run_ours(&translate(&text, 0), &[], 0);
        assert_eq!(shown, Shown { observed: vec![1], is_defined: false }, "{text}");
    }
}

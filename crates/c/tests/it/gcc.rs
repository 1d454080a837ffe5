//! Random C programs do what a C compiler makes them do: the same inputs, the same values, and undefined at the same point.
//!
//! The compiler traps overflows, divisions by zero and shifts that are not defined; our run with widths is undefined there. `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200`
//! chooses the programs. Without a C compiler nothing is compared, and a note says so.

use base::{Sources, render};
use c::Options;
use integers::explore::{Budget, Random, execute};
use integers::trace::{End, Event, Manner, walk};
use integers::{Goal, Input, Integers, Place, Program, Undefined, Value};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::Command;
use testing::Folder;

const DECLARATIONS: &str = "
int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); short __VERIFIER_nondet_short(void);
unsigned char __VERIFIER_nondet_uchar(void); long long __VERIFIER_nondet_longlong(void);
";

const OURS: &str = "long long observed; void observe(long long v) { observed = v; }\n";

/// Inputs are the arguments of the process, each converted to the type that is asked for.
const THEIRS: &str = "
#include <stdio.h>
#include <stdlib.h>
static char **rest;
static long long next(void) { return *rest ? strtoll(*rest++, 0, 10) : 0; }
int __VERIFIER_nondet_int(void) { return next(); } unsigned __VERIFIER_nondet_uint(void) { return next(); }
short __VERIFIER_nondet_short(void) { return next(); } unsigned char __VERIFIER_nondet_uchar(void) { return next(); }
long long __VERIFIER_nondet_longlong(void) { return next(); }
void observe(long long v) { printf(\"%lld\\n\", v); fflush(stdout); }
";

/// What the machine sends to a program that divides by zero, or whose quotient does not fit.
const SIGFPE: i32 = 8;

/// What random programs have; the generator marks what it makes.
const CONSTRUCTS: [&str; 38] = [
    "&",
    "& of truths",
    "& with a mask",
    "&=",
    "<<",
    "<< by a constant",
    "<<=",
    ">>",
    ">> by a constant",
    ">>=",
    "^",
    "^ of truths",
    "^ with a mask",
    "^=",
    "_Generic",
    "bit-field",
    "constant of an enumeration",
    "enum tag",
    "enumeration without a tag",
    "function in brackets",
    "large constant of an enumeration",
    "packed enumeration",
    "prototype",
    "shadowed variable",
    "size of a type",
    "static local",
    "tag in an inner scope",
    "typedef",
    "typedef before its enumeration",
    "typedef in an inner scope",
    "typedef of an enumeration",
    "value in braces",
    "variable in brackets",
    "|",
    "| of truths",
    "| with a mask",
    "|=",
    "~",
];

/// What a run shows: the values that were observed, and whether it came to its end.
#[derive(PartialEq, Debug)]
struct Shown {
    observed: Vec<i128>,
    is_defined: bool,
    /// The machine stopped at a division.
    is_stopped: bool,
}

#[test]
fn the_compiler_agrees() {
    if !testing::has_c_compiler() {
        return;
    }
    let seeds = generate::random::seeds(0..40);
    let texts = texts(&seeds);
    let made = marks(&texts);
    let (binary, _folder) = compile(&texts, seeds.start, &TRAPS);
    let (mut n_values, mut n_undefined, mut n_defined, mut n_missed) = (0, 0, 0, 0);
    for (seed, text) in seeds.clone().zip(&texts) {
        let program = translate(text, seed);
        for inputs in choices(&mut Random::new(!seed)) {
            let theirs = run_theirs(&binary, seed, &inputs);
            let ours = run_ours(&program, &inputs, Integers::Machine, seed);
            // The compiler narrows some operations before it guards them, so it may miss an overflow, but it makes up none.
            let is_same = ours.observed == theirs.observed && ours.is_defined == theirs.is_defined;
            let is_missed = !ours.is_defined && theirs.observed.starts_with(&ours.observed);
            assert!(
                is_same || is_missed,
                "GETAFIX_SEED={seed}, inputs {inputs:?}\n{ours:?}\n{theirs:?}\n{text}"
            );
            n_missed += usize::from(!is_same);
            compare_execution(&program, &inputs, seed, text);
            n_values += ours.observed.len();
            n_defined += usize::from(ours.is_defined);
            n_undefined += usize::from(!ours.is_defined);
        }
    }
    println!(
        "{n_values} values, {n_defined} runs to the end, {n_undefined} undefined, {n_missed} of them missed by the compiler"
    );
    println!("{made:?}");
    if seeds.end - seeds.start >= 40 {
        assert_eq!(made.keys().copied().collect::<Vec<_>>(), CONSTRUCTS, "{made:?}");
        assert!(made.values().all(|count| *count >= 5), "too little was made: {made:?}");
        assert!(
            n_values > 600 && n_defined > 60 && n_undefined > 10 + 2 * n_missed,
            "too little was compared"
        );
    }
}

/// A compiler that is told to let overflows wrap makes programs do what [`integers::wrapped`] makes of them.
#[test]
fn the_compiler_agrees_on_overflows_that_wrap() {
    if !testing::has_c_compiler() {
        return;
    }
    let seeds = generate::random::seeds(0..40);
    let texts = texts(&seeds);
    let (binary, _folder) = compile(&texts, seeds.start, &WRAPS);
    let (mut n_values, mut n_wrapped, mut n_stopped) = (0, 0, 0);
    for (seed, text) in seeds.clone().zip(&texts) {
        let program = translate(text, seed);
        let wrapped = integers::wrapped(&program);
        for inputs in choices(&mut Random::new(!seed)) {
            let theirs = run_theirs(&binary, seed, &inputs);
            let ours = run_ours(&wrapped, &inputs, Integers::Mathematical, seed);
            // The machine stops at a quotient that does not fit, whatever the compiler is told.
            let is_quotient = theirs.is_stopped && ours.observed.starts_with(&theirs.observed);
            assert!(
                ours == theirs || is_quotient,
                "GETAFIX_SEED={seed}, inputs {inputs:?}\n{ours:?}\n{theirs:?}\n{text}"
            );
            n_stopped += usize::from(is_quotient);
            compare_execution(&wrapped, &inputs, seed, text);
            n_values += ours.observed.len();
            let checked = run_ours(&program, &inputs, Integers::Machine, seed);
            n_wrapped += usize::from(checked.observed.len() < ours.observed.len());
        }
    }
    println!(
        "{n_values} values, {n_wrapped} runs went on behind an overflow, {n_stopped} stopped at a quotient"
    );
    if seeds.end - seeds.start >= 40 {
        assert!(n_values > 600 && n_wrapped > 4, "too little was compared");
    }
}

const TYPES: [&str; 12] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

/// Every operator on bits, between every two types, and assigned.
#[test]
fn every_operator_on_bits_means_the_same_in_every_type() {
    if !testing::has_c_compiler() {
        return;
    }
    let mut text = "void p0_main(void) {\n".to_owned();
    let mut n_operations = 0;
    for (operator, left, right) in ["&", "|", "^", "<<", ">>"]
        .into_iter()
        .flat_map(|operator| TYPES.iter().map(move |left| (operator, left)))
        .flat_map(|(operator, left)| TYPES.iter().map(move |right| (operator, left, right)))
    {
        n_operations += 1;
        let distance = match operator {
            "<<" | ">>" => "y = (unsigned char)y % (8 * sizeof(+x));",
            _ => "",
        };
        writeln!(
            text,
            "{{ {left} x = __VERIFIER_nondet_longlong(); {right} y = __VERIFIER_nondet_longlong(); {distance} \
            observe(x {operator} y); observe(~x); {left} z = x; z {operator}= y; observe(z); \
            observe((x {operator} y) < (y {operator} 1)); }}"
        )
        .unwrap();
    }
    text.push_str("}\n");
    let (binary, _folder) = compile(std::slice::from_ref(&text), 0, &WRAPS);
    let wrapped = integers::wrapped(&translate(&text, 0));
    for seed in generate::random::seeds(0..12) {
        let mut random = Random::new(seed);
        let mut number = || match random.below(4) {
            0 => random.below(9) as i64 - 4,
            1 => {
                [i64::MAX, i64::MIN, 2_147_483_647, -2_147_483_648, 255, 127, 65535][random.below(7) as usize]
            }
            2 => (random.draw() as i64) >> random.below(60),
            _ => 1 << random.below(63),
        };
        let inputs: Vec<i64> = (0..2 * n_operations).map(|_| number()).collect();
        let (theirs, ours) =
            (run_theirs(&binary, 0, &inputs), run_ours(&wrapped, &inputs, Integers::Mathematical, seed));
        let differs = ours.observed.iter().zip(&theirs.observed).position(|(ours, theirs)| ours != theirs);
        let line = |n: usize| text.lines().nth(1 + n / 4).map(str::to_owned);
        assert_eq!(differs.map(line), None, "GETAFIX_SEED={seed}");
        assert_eq!((ours.observed.len(), theirs.observed.len()), (4 * n_operations, 4 * n_operations));
        compare_execution(&wrapped, &inputs, seed, &text);
    }
}

/// A structure or union with members of some bits among others, and inner ones.
fn structure(random: &mut Random, depth: u64) -> String {
    let mut text = ["struct {", "struct {", "union {"][random.below(3) as usize].to_owned();
    for n in 0..1 + random.below(6) {
        let ty = random.below(TYPES.len() as u64) as usize;
        let most = [1, 8, 8, 8, 16, 16, 32, 32, 64, 64, 64, 64][ty];
        let ty = TYPES[ty];
        match random.below(9) {
            0 => write!(text, " {ty} a{n}[{}];", 1 + random.below(3)),
            1 => write!(text, " {ty} :{};", random.below(most + 1)),
            2 => write!(text, " {ty} :0;"),
            3 if depth > 0 => write!(text, " {} a{n};", structure(random, depth - 1)),
            4 => write!(text, " {ty} a{n};"),
            _ => write!(text, " {ty} a{n} : {};", 1 + random.below(most)),
        }
        .unwrap();
    }
    // Something has a name.
    text + " char last; }"
}

/// Structures are as large as the compiler makes them, with members of some bits, and so are arrays of variable length.
#[test]
fn sizes_are_those_of_the_compiler() {
    if !testing::has_c_compiler() {
        return;
    }
    let mut random = Random::new(generate::random::seeds(0..1).start);
    let mut text = "void p0_main(void) {\n".to_owned();
    let n_structures = 300;
    for _ in 0..n_structures {
        let structure = structure(&mut random, 2);
        writeln!(text, "observe(sizeof({structure})); observe(_Alignof({structure}));").unwrap();
    }
    for n in 0..20 {
        let element = ["char", "int", "long", "struct { char c; int i : 3; }"][n % 4];
        writeln!(
            text,
            "{{ int n = {n} % 7 + 1; {element} v[n], w[n + 1][3]; n = 0; observe(sizeof v); observe(sizeof w / sizeof w[0]); observe(sizeof *w); }}"
        )
        .unwrap();
    }
    text.push_str("}\n");
    let (binary, _folder) = compile(std::slice::from_ref(&text), 0, &WRAPS);
    let theirs = run_theirs(&binary, 0, &[]);
    let ours = run_ours(&translate(&text, 0), &[], Integers::Machine, 0);
    assert_eq!(ours.observed.len(), 2 * n_structures + 60);
    let differs = ours.observed.iter().zip(&theirs.observed).position(|(ours, theirs)| ours != theirs);
    let line = |n: usize| {
        format!("{} and {}: {:?}", ours.observed[n], theirs.observed[n], text.lines().nth(1 + n / 2))
    };
    assert_eq!(differs.map(line), None);
}

fn texts(seeds: &std::ops::Range<u64>) -> Vec<String> {
    seeds.clone().map(|seed| testing::random_c::program(&mut Random::new(seed), seed)).collect()
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

/// The compiler traps what is undefined.
const TRAPS: [&str; 2] =
    ["-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift", "-fsanitize-undefined-trap-on-error"];

/// The compiler lets overflows wrap, and traps divisions by zero and shifts out of range.
const WRAPS: [&str; 3] =
    ["-fwrapv", "-fsanitize=integer-divide-by-zero,shift-exponent", "-fsanitize-undefined-trap-on-error"];

/// One file with all programs, compiled.
fn compile(texts: &[String], first: u64, options: &[&str]) -> (PathBuf, Folder) {
    let mut file = format!("{THEIRS}{}", texts.concat());
    file.push_str("int main(int argc, char **argv) { rest = argv + 2; switch (atoi(argv[1])) {\n");
    for n in (first..).take(texts.len()) {
        writeln!(file, "case {n}: p{n}_main(); break;").unwrap();
    }
    file.push_str("}\nreturn 0; }\n");
    let folder = Folder::temporary();
    (testing::compile_c(folder.path(), &file, options), folder)
}

fn translate(text: &str, n: u64) -> Program {
    let whole = format!("{DECLARATIONS}{OURS}{text}int main(void) {{ p{n}_main(); return 0; }}\n");
    let mut sources = Sources::default();
    let file = sources.add("random.c", whole);
    let result = c::translate(&sources, file, &Options::default());
    let errors = |errors: Vec<base::Diagnostic>| -> String {
        errors.iter().map(|error| render(&sources, error)).collect()
    };
    result.unwrap_or_else(|list| panic!("GETAFIX_SEED={n}\n{}{text}", errors(list))).program
}

fn choices(random: &mut Random) -> Vec<Vec<i64>> {
    let mut number = || match random.below(3) {
        0 => random.below(7) as i64 - 3,
        1 => [i64::MAX, i64::MIN, 2_147_483_647, -2_147_483_648, 32767, 255][random.below(6) as usize],
        _ => random.draw() as i64,
    };
    (0..4).map(|_| (0..12).map(|_| number()).collect()).collect()
}

fn run_theirs(binary: &PathBuf, n: u64, inputs: &[i64]) -> Shown {
    let arguments = std::iter::once(n.to_string()).chain(inputs.iter().map(ToString::to_string));
    let output = Command::new(binary).args(arguments).output().expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("the program prints numbers");
    let observed = text.lines().map(|line| line.parse().expect("a number")).collect();
    let is_stopped = output.status.signal() == Some(SIGFPE);
    Shown { observed, is_defined: output.status.success(), is_stopped }
}

/// Converts an input as C does.
fn chosen(inputs: &[i64], used: &mut usize, input: &Input) -> i128 {
    let number = inputs.get(*used).copied().unwrap_or(0);
    *used += 1;
    input.ty.wrap(number.into())
}

fn run_ours(program: &Program, inputs: &[i64], integers: Integers, seed: u64) -> Shown {
    let place = program.globals.iter().position(|global| global.variable.name == "observed").unwrap();
    let place = Place::Global(place as u32);
    let mut observed = Vec::new();
    let mut used = 0;
    let manner = Manner { integers, goal: Goal::Any, max_steps: 1_000_000 };
    let end = walk(program, &mut |input| Some(chosen(inputs, &mut used, input)), manner, &mut |step| {
        for (stored, value) in step.stored {
            if let (true, Value::Number(number), Event::Taken(_)) = (stored == place, value, &step.event) {
                observed.push(number);
            }
        }
    });
    let is_defined = match end {
        End::Returned => true,
        End::Undefined(Undefined::Division | Undefined::Shift | Undefined::Overflow(_), ..) => false,
        other => panic!("GETAFIX_SEED={seed}: the run ends as {other:?}"),
    };
    Shown { observed, is_defined, is_stopped: false }
}

/// The compact code does what the meaning says, over mathematical integers.
fn compare_execution(program: &Program, inputs: &[i64], seed: u64, text: &str) {
    let mut used = 0;
    let goal = Goal::Any;
    let mut steps = Vec::new();
    let manner = Manner { integers: Integers::Mathematical, goal, max_steps: 1_000_000 };
    let end = walk(program, &mut |input| Some(chosen(inputs, &mut used, input)), manner, &mut |step| {
        steps.extend(step.stored);
    });
    let mut used = 0;
    let mut choose = |input: &Input| Some(chosen(inputs, &mut used, input));
    let execution = execute(program, &mut choose, goal, &Budget::default());
    assert_eq!(execution.end, end, "GETAFIX_SEED={seed}, inputs {inputs:?}\n{text}");
    for n in 0..program.globals.len() {
        let last = steps.iter().rev().find(|(place, _)| *place == Place::Global(n as u32));
        if let Some((_, Value::Number(number))) = last {
            assert_eq!(execution.globals[n], Some(*number), "GETAFIX_SEED={seed}, global {n}\n{text}");
        }
    }
}

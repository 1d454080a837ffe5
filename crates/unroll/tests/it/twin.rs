//! All runs at once, against single runs: with the same inputs a run ends where the conditions say. What a run observes is part of that: one of the targets is reached if and only if the values that were
//! observed are those of a certain run. And what a solver says of the conditions is what runs do. `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::{Random, Sources, Stop, render};
use c::Options;
use integers::step::Configuration;
use integers::trace::{End, Manner, walk_from};
use integers::{Fault, Goal, Integers, Place, Program, Value};
use std::ops::ControlFlow;
use testing::{Counts, is_chosen, seeds};
use unroll::{Asked, Bool, Bounds, Made, NO, Number, Oracle, Results, Terms, Truth, Unrolled, unroll};

const DECLARATIONS: &str = "unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void);
int __VERIFIER_nondet_int(void); short __VERIFIER_nondet_short(void); unsigned __VERIFIER_nondet_uint(void); long __VERIFIER_nondet_long(void);
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long); void free(void *);
void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
unsigned long long seen; long long observed; void observe(long long v) { observed = v; seen = seen * 31 + (unsigned long long)v; }
";

const BOUNDS: Bounds = Bounds { places: 20_000, terms: 200_000, rounds: 40, fresh_rounds: 40 };

const MANNER: Manner = Manner { integers: Integers::Machine, goal: Goal::Any, max_steps: 1_000_000 };

fn translate(text: &str, n: u64, seen: Option<i128>) -> Program {
    let check = seen.map_or(String::new(), |seen| format!("if (seen == {seen}ull) reach_error();"));
    let whole = format!(
        "{DECLARATIONS}{text}int main(void) {{ int w = __VERIFIER_nondet_int(); observe(w * 3 - 7 % (w + 5)); p{n}_main(); {check} return 0; }}\n"
    );
    let mut sources = Sources::default();
    let file = sources.add("random.c", whole);
    let result = c::translate(&sources, file, &Options::default());
    let errors = |errors: Vec<base::Diagnostic>| -> String {
        errors.iter().map(|error| render(&sources, error)).collect()
    };
    result.unwrap_or_else(|list| panic!("GETAFIX_SEED={n}\n{}{text}", errors(list))).program
}

/// How a run ends, what is in `seen` then, and how many inputs it has used.
fn run(program: &Program, inputs: &[i128]) -> (End, Option<i128>, usize) {
    let mut configuration = Configuration::start(program);
    let mut used = 0;
    let mut choose = |_: &integers::Input| {
        used += 1;
        inputs.get(used - 1).copied()
    };
    let end =
        walk_from(program, &mut configuration, &mut choose, MANNER, &mut |_, _| ControlFlow::Continue(()));
    let place = program.globals.iter().position(|global| global.variable.name == "seen");
    let seen = place.map(|n| configuration.read(Place::Global(n as u32)));
    let seen = seen.and_then(|seen| if let Value::Number(number) = seen { Some(number) } else { None });
    (end, seen, used)
}

/// The truth values of all conditions for some inputs. What nobody knows is false.
fn truths(terms: &Terms, inputs: &[i128]) -> Vec<bool> {
    let mut numbers: Vec<i128> = Vec::new();
    let mut truths: Vec<bool> = Vec::new();
    for made in terms.made() {
        match *made {
            Made::Number(int) => {
                let of = |int: unroll::Int| numbers[int.index()];
                // What is undefined may be anything.
                let number = match terms.number(int) {
                    Number::Constant(number) => number,
                    Number::Input(n) => inputs[n as usize],
                    Number::Add(a, b) => of(a).wrapping_add(of(b)),
                    Number::Subtract(a, b) => of(a).wrapping_sub(of(b)),
                    Number::Multiply(a, b) => of(a).wrapping_mul(of(b)),
                    Number::Divide(a, b) => of(a).checked_div(of(b)).unwrap_or(0),
                    Number::Remainder(a, b) => of(a).checked_rem(of(b)).unwrap_or(0),
                    Number::Bits(bitwise, a, b) => bitwise.apply(of(a), of(b)),
                    Number::ShiftLeft(a, b) => of(a).wrapping_shl(of(b).clamp(0, 127) as u32),
                    Number::ShiftRight(a, b) => of(a) >> of(b).clamp(0, 127),
                    Number::Wrap(ty, a) => ty.wrap(of(a)),
                    Number::Choose(condition, a, b) => of(if truths[condition.index()] { a } else { b }),
                };
                numbers.push(number);
            }
            Made::Truth(bool) => {
                let of = |int: unroll::Int| numbers[int.index()];
                truths.push(match terms.truth(bool) {
                    Truth::Constant(value) => value,
                    Truth::Open(_) => false,
                    Truth::Equal(a, b) => of(a) == of(b),
                    Truth::Less(a, b) => of(a) < of(b),
                    Truth::Not(a) => !truths[a.index()],
                    Truth::And(a, b) => truths[a.index()] && truths[b.index()],
                    Truth::Or(a, b) => truths[a.index()] || truths[b.index()],
                });
            }
        }
    }
    truths
}

/// Inputs for everything that is ever chosen.
fn inputs(terms: &Terms, random: &mut Random) -> Vec<i128> {
    let small = random.index(2) == 0;
    let one = |&ty: &integers::Type| match (small, random.index(4)) {
        (true, _) => ty.wrap(random.index(20) as i128),
        (_, 0) => ty.min(),
        (_, 1) => ty.max(),
        _ => ty.wrap(random.below(1 << 62) as i128 * 7),
    };
    terms.inputs().iter().map(one).collect()
}

/// Compares conditions with a run, and says how that ends.
fn compare(program: &Program, unrolled: &Unrolled, all: &[i128]) -> Option<&'static str> {
    let truths = truths(&unrolled.terms, all);
    let holds = |bool: &Bool| truths[bool.index()];
    if holds(&unrolled.rest) {
        return None;
    }
    let chosen = all.iter().zip(&unrolled.chosen).filter(|(_, guard)| holds(guard));
    let chosen: Vec<i128> = chosen.map(|(number, _)| *number).collect();
    let (end, _, used) = run(program, &chosen);
    assert_eq!(used, chosen.len(), "inputs are chosen that no run asks for");
    let targets: Vec<_> =
        unrolled.targets.iter().filter(|(_, path)| holds(path)).map(|(id, _)| *id).collect();
    let is_end = |fault: &Fault| matches!(fault, Fault::Undefined(..));
    let faults = unrolled.faults.iter().filter(|(fault, path)| is_end(fault) && holds(path));
    let faults: Vec<Fault> = faults.map(|(fault, _)| *fault).collect();
    match end {
        End::Target(target) => {
            assert_eq!((&targets[..], &faults[..]), (&[target][..], &[][..]));
            Some("targets")
        }
        End::Undefined(what, function, edge) => {
            assert_eq!(targets, []);
            let first = faults.first().copied();
            assert_eq!(first, Some(Fault::Undefined(what, function, edge)), "of {faults:?}");
            Some(if unroll::is_overflow(Fault::Undefined(what, function, edge)) {
                "overflows"
            } else {
                "misuses"
            })
        }
        End::Returned | End::Blocked(..) | End::Stopped => {
            assert_eq!((&targets[..], &faults[..]), (&[][..], &[][..]), "{end:?}");
            Some("ends")
        }
        other => panic!("the run ends as {other:?}"),
    }
}

fn unrolled(program: &Program) -> Option<Unrolled> {
    unroll(program, Results::EndRuns, &BOUNDS, &Stop::default(), &mut |_, _| true).ok()
}

/// A program whose error is that it observes what a run with some inputs observes.
fn subject(seed: u64) -> (String, Program) {
    let mut random = Random::new(seed);
    let text = match seed % 3 {
        0 => testing::random_c::program(&mut random, seed),
        _ => testing::random_memory_c::program(&mut random, seed),
    };
    let plain = translate(&text, seed, None);
    let (_, seen, _) = run(&plain, &[3; 200]);
    let program = translate(&text, seed, seen);
    (text, program)
}

#[test]
fn single_runs_agree() {
    let seeds = seeds(0..24);
    let mut counts = Counts::default();
    for seed in seeds {
        let (text, program) = subject(seed);
        let Some(unrolled) = unrolled(&program) else {
            counts.count("beyond");
            continue;
        };
        counts.count("programs");
        let mut random = Random::new(seed + 1);
        for n in 0..40 {
            let all = if n == 0 {
                vec![3; unrolled.terms.inputs().len()]
            } else {
                inputs(&unrolled.terms, &mut random)
            };
            let compared = std::panic::catch_unwind(|| compare(&program, &unrolled, &all));
            match compared {
                Ok(end) => counts.count(end.unwrap_or("beyond the bounds")),
                Err(why) => {
                    println!("GETAFIX_SEED={seed}, inputs {all:?}\n{text}");
                    std::panic::resume_unwind(why);
                }
            }
        }
    }
    println!("{counts:?}");
    if !is_chosen() {
        counts.at_least(&[
            ("programs", 10),
            ("targets", 10),
            ("ends", 100),
            ("misuses", 10),
            ("overflows", 5),
        ]);
    }
}

#[test]
fn a_solver_agrees() {
    let Ok(path) = smt::find(None) else {
        println!("SKIPPED: there is no solver");
        return;
    };
    let mut counts = Counts::default();
    for seed in seeds(0..6) {
        let (text, program) = subject(seed);
        let Some(mut unrolled) = unrolled(&program) else { continue };
        let manner = smt::Manner { seconds: 20, ..smt::Manner::default() };
        let mut oracle =
            Oracle { path: path.clone(), manner, stop: Stop::default(), n_asked: 0, n_given_up: 0 };
        let targets = unrolled.targets.clone();
        let target = targets.iter().fold(NO, |any, (_, path)| unrolled.terms.or(any, *path));
        match oracle.run(&unrolled, target, 1_500_000) {
            Asked::Inputs(inputs) => {
                let (end, ..) = run(&program, &inputs);
                assert!(matches!(end, End::Target(_)), "GETAFIX_SEED={seed}: {inputs:?} {end:?}\n{text}");
                counts.count("reached");
            }
            Asked::No => {
                let mut random = Random::new(seed + 1);
                for _ in 0..20 {
                    let all = inputs(&unrolled.terms, &mut random);
                    let truths = truths(&unrolled.terms, &all);
                    assert!(!truths[target.index()], "GETAFIX_SEED={seed}: {all:?}\n{text}");
                }
                counts.count("not reached");
            }
            Asked::Unknown(why) => println!("GETAFIX_SEED={seed}: {why}"),
        }
    }
    println!("{counts:?}");
    if !is_chosen() {
        counts.at_least(&[("reached", 2)]);
    }
}

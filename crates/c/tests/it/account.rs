//! A run as it is told is the run: on random C programs, every passage is compared with the steps of the whole run.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::{Random, Sources};
use c::Options;
use integers::account::{Account, Numbering, Passage, Script, Told, account};
use integers::explore::{Budget, Quest, explore};
use integers::step::Configuration;
use integers::trace::{End, Manner, walk_from};
use integers::{Goal, Input, Integers, Program};
use std::ops::ControlFlow;

const DECLARATIONS: &str = "
int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); short __VERIFIER_nondet_short(void);
unsigned char __VERIFIER_nondet_uchar(void); long long __VERIFIER_nondet_longlong(void);
long long observed; void observe(long long v) { observed = v; }
";

fn translate(text: &str) -> Program {
    let mut sources = Sources::default();
    let file = sources.add("random.c", text);
    c::translate(&sources, file, &Options::default()).expect("the program is right").program
}

/// Every step of the run that is in the text, and what was chosen.
fn whole(program: &Program, seed: u64, manner: Manner) -> (Vec<Told>, Vec<i128>, End) {
    let mut random = Random::new(seed);
    let mut inputs = Vec::new();
    let mut choose = |input: &Input| {
        let number = input.ty.wrap(i128::from(random.below(40)) - 9);
        inputs.push(number);
        Some(number)
    };
    let mut numbering = Numbering::new(program);
    let mut steps = Vec::new();
    let mut configuration = Configuration::start(program);
    let end = walk_from(program, &mut configuration, &mut choose, manner, &mut |step, after| {
        steps.extend(numbering.tell(&step, after));
        ControlFlow::Continue(())
    });
    steps.extend(numbering.finish());
    (steps, inputs, end)
}

/// What a step is, wherever it stands.
fn essence(told: &Told) -> impl PartialEq + std::fmt::Debug {
    (told.step.function, told.step.event.clone(), told.step.inputs.clone(), told.step.stored.clone(), told.by)
}

/// Compares each passage with the whole run; how many calls are told again, and how many steps are left out.
fn compare(account: &Account, whole: &[Told], seed: u64) -> (usize, u64) {
    assert_eq!(account.n_steps, whole.len() as u64, "GETAFIX_SEED={seed}");
    let (mut next, mut n_again, mut n_omitted) = (1, 0, 0);
    for passage in &account.passages {
        match passage {
            Passage::Step(told) => {
                assert_eq!((told, told.number), (&whole[next as usize - 1], next), "GETAFIX_SEED={seed}");
                next += 1;
            }
            Passage::Again { first, last, back } => {
                for n in *first..*last {
                    let (earlier, here) = (&whole[n as usize - 1], &whole[(next + n - first) as usize - 1]);
                    assert_eq!(essence(earlier), essence(here), "GETAFIX_SEED={seed}, step {n}");
                }
                next += last - first + 1;
                assert_eq!(back, &whole[next as usize - 2], "GETAFIX_SEED={seed}");
                n_again += 1;
            }
            Passage::Omitted { first, last, .. } => {
                assert_eq!(*first, next, "GETAFIX_SEED={seed}");
                next = last + 1;
                n_omitted += last - first + 1;
            }
        }
    }
    assert_eq!(next, account.n_steps + 1, "GETAFIX_SEED={seed}");
    let n_visits: u64 = account.visits.iter().map(|visit| visit.n_times).sum();
    let n_edges = whole.iter().filter(|told| told.by.is_some() || is_edge(told)).count();
    assert_eq!(n_visits, n_edges as u64, "GETAFIX_SEED={seed}");
    (n_again, n_omitted)
}

fn is_edge(told: &Told) -> bool {
    matches!(told.step.event, integers::trace::Event::Taken(_))
}

/// A random program whose main part is done several times, so that calls are made again.
fn repeated(seed: u64) -> Program {
    let text = testing::random_c::program(&mut Random::new(seed), seed);
    let main = format!("int main(void) {{ int i; for (i = 0; i < 3; i++) p{seed}_main(); return 0; }}\n");
    translate(&format!("{DECLARATIONS}{text}{main}"))
}

#[test]
fn what_is_told_is_the_run() {
    let (mut n_again, mut n_omitted, mut n_runs) = (0, 0, 0);
    let seeds = generate::random::seeds(0..60);
    for seed in seeds.clone() {
        let program = repeated(seed);
        let integers = Integers::Mathematical;
        let manner = Manner { integers, goal: Goal::Never, max_steps: 20_000 };
        let (steps, inputs, end) = whole(&program, seed, manner);
        let told = account(&program, Script { inputs: &inputs, repeats_from: None }, manner);
        assert_eq!((told.end, &told.inputs), (end, &inputs), "GETAFIX_SEED={seed}");
        let (again, omitted) = compare(&told, &steps, seed);
        (n_again, n_omitted, n_runs) = (n_again + again, n_omitted + omitted, n_runs + 1);
    }
    println!("{n_runs} runs, {n_again} calls told again, {n_omitted} steps left out");
    if seeds.end - seeds.start >= 60 {
        assert!(n_again > 20 && n_omitted > 1000, "too little was told again or left out");
    }
}

/// A run without end: its cycle, walked once more from where it ends, comes back to the same state.
#[track_caller]
fn forever(text: &str, growth: u64) {
    let program = translate(text);
    let found = explore(&program, Quest::Infinite, &Budget::default());
    let (run, from) = found.infinite.expect("there is a run without end");
    let script = Script { inputs: &run.inputs, repeats_from: Some(from) };
    let manner = Manner { integers: Integers::Machine, goal: Goal::Never, max_steps: 1_000_000 };
    let told = account(&program, script, manner);
    let cycle = told.cycle.expect("a state comes back");
    assert_eq!((cycle.growth, cycle.last), (growth, told.n_steps), "{text}");
    // As many steps again do the same as the last round.
    let length = (cycle.last - cycle.first + 1) as usize;
    let mut numbers = run.inputs.iter().copied().chain(run.inputs[from..].iter().copied().cycle());
    let mut numbering = Numbering::new(&program);
    let mut steps: Vec<Told> = Vec::new();
    let mut configuration = Configuration::start(&program);
    walk_from(&program, &mut configuration, &mut |_| numbers.next(), manner, &mut |step, after| {
        steps.extend(numbering.tell(&step, after));
        if steps.len() >= cycle.last as usize + length {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    for n in cycle.first as usize - 1..cycle.last as usize {
        assert_eq!(essence(&steps[n]), essence(&steps[n + length]), "{text}, step {}", n + 1);
    }
}

#[test]
fn runs_without_end_are_told_up_to_where_they_begin_again() {
    forever("int main(void) { int i = 0; while (i < 9) { i++; if (i == 7) i = 2; } }", 0);
    forever("int nondet(void); int main(void) { while (nondet() > 2) ; }", 0);
    forever("int f(int n) { return f(n); } int main(void) { return f(4); }", 1);
    forever("int g; int f(int n) { g = !g; return f(n) + 1; } int main(void) { return f(4); }", 2);
    forever(
        "int f(int); int h(int n) { return f(n); } int f(int n) { return h(n); } int main(void) { f(1); }",
        2,
    );
    forever("unsigned char c; int main(void) { for (;;) c += 3; }", 0);
}

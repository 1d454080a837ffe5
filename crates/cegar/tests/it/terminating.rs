//! Proofs that every run ends, of random programs, against all runs; and the same claims with mistakes. `GETAFIX_SEED=17` or `GETAFIX_SEED=0..1000` chooses
//! the programs.

use crate::limits::limits;
use base::{Random, Sources};
use cegar::{Ending, Prover, prove_ending};
use generate::random::seeds;
use integers::enumerate::{Bounds, enumerate};
use integers::random::{Kinds, program, resolved};
use integers::trace::{End, Manner, walk};
use integers::{Action, Expr, Goal, Input, Integers, Op, Program};
use proof::{Claim, Measure, Statement, check};

const BOUNDS: Bounds = Bounds { number: 12, states: 20_000 };

/// The kinds of mutated claims.
const MUTATIONS: usize = 5;

/// No run of a program of this size that ends takes so long.
const MANY_STEPS: u64 = 30_000;

/// A program, often one with loops and calls that come closer to an end.
fn random_program(random: &mut Random) -> Program {
    if random.chance(20) {
        let kinds = Kinds { unknowns: random.chance(25), divisions: random.chance(25), memory: false };
        return program(random, kinds);
    }
    let mut sources = Sources::default();
    let text = text(random);
    let file = sources.add("random.c", text.clone());
    let translation = c::translate(&sources, file, &c::Options::default());
    translation.unwrap_or_else(|_| panic!("{text}")).program
}

/// A loop, perhaps with another inside, and a function that calls itself.
fn text(random: &mut Random) -> String {
    let pair = ["a", "b"];
    let (base, leaves) = (condition(&pair, random), term(&pair, random));
    let (first, second) = (argument("a", random), term(&pair, random));
    let again =
        if random.chance(30) { format!("b = f({}, b);", argument("a", random)) } else { String::new() };
    let three = ["x", "y", "z"];
    let mut body = if random.chance(40) { exchange(random) } else { String::new() };
    for _ in 0..random.index(3) {
        body += &statement(&three, random);
    }
    if random.chance(40) {
        body += &format!("while ({}) {{ {} }}", condition(&three, random), statement(&three, random));
    }
    let call = if random.chance(50) { "y = f(x, y);" } else { "" };
    format!(
        "_Bool __VERIFIER_nondet_bool(void);
        int f(int a, int b) {{ if ({base}) return {leaves}; {again} return f({first}, {second}); }}
        int main(void) {{ int x = __VERIFIER_nondet_bool(); int y = 2 - __VERIFIER_nondet_bool(); int z = {}; {call}
        while ({}) {{ {body} }} return 0; }}",
        random.index(4),
        condition(&three, random)
    )
}

/// What one way makes smaller the other may make greater.
fn exchange(random: &mut Random) -> String {
    let mut way = || {
        let (one, other) = *random.pick(&[("x", "y"), ("y", "x"), ("x", "z"), ("z", "x")]);
        format!("{one} = {one} - 1; {other} = {other} {};", random.pick(&["+ 1", "- 1", "+ 0"]))
    };
    let (yes, no) = (way(), way());
    format!(
        "if (x <= 0 || y <= 0 || z <= 0) return 0; if (__VERIFIER_nondet_bool()) {{ {yes} }} else {{ {no} }}"
    )
}

fn condition(names: &[&str], random: &mut Random) -> String {
    let relation = random.pick(&["<", "<=", ">", ">=", ">", "!="]);
    let right =
        if random.chance(30) { (*random.pick(names)).to_owned() } else { random.index(4).to_string() };
    format!("{} {relation} {right}", random.pick(names))
}

fn argument(name: &str, random: &mut Random) -> String {
    format!("{name} {}", random.pick(&["- 1", "- 1", "- 2", "+ 1", "- b"]))
}

fn term(names: &[&str], random: &mut Random) -> String {
    let (one, other) = (random.pick(names), random.pick(names));
    match random.index(6) {
        0 => random.index(3).to_string(),
        1 => format!("{one} - {other}"),
        2 => (*one).to_owned(),
        _ => format!("{one} {}", random.pick(&["- 1", "- 1", "+ 1"])),
    }
}

fn statement(names: &[&str], random: &mut Random) -> String {
    let one = *random.pick(names);
    match random.index(8) {
        0 => format!("if ({}) {{ {} }}", condition(names, random), statement(names, random)),
        1 => format!("if (__VERIFIER_nondet_bool()) {{ {} }}", statement(names, random)),
        2 => format!("{one} = {};", term(names, random)),
        3 => format!("{one} = __VERIFIER_nondet_bool();"),
        4 => format!("{one} = {one} + 1;"),
        _ => format!("{one} = {one} - 1;"),
    }
}

/// Some run surely, or as good as surely, has no end, whatever is unknown being one of a few numbers.
fn goes_on(program: &Program, random: &mut Random) -> bool {
    let numbers = if program.unknowns.is_empty() { 0..=0 } else { -2..=2 };
    numbers.into_iter().any(|number| {
        let resolved = resolved(program, number);
        enumerate(&resolved, BOUNDS).is_infinite || runs_for_long(&resolved, random)
    })
}

/// A run with numbers beyond those that are enumerated.
fn runs_for_long(program: &Program, random: &mut Random) -> bool {
    let manner = Manner { integers: Integers::Mathematical, goal: Goal::Never, max_steps: MANY_STEPS };
    (0..8).any(|_| {
        let mut choose = |input: &Input| {
            let (min, max) = (input.ty.min(), input.ty.max());
            Some(min + random.below((max - min + 1) as u64) as i128)
        };
        walk(program, &mut choose, manner, &mut |_| {}) == End::StepLimit
    })
}

#[test]
fn proofs_and_all_runs() {
    let solver = smt::find(None).expect("there is a solver");
    let limits = limits();
    let mut prover = Prover::new(solver, &limits);
    let (mut n_claims, mut n_measures, mut n_nested, mut n_abstractions) = (0, 0, 0, 0);
    let (mut n_infinite, mut n_open) = (0, 0);
    let (mut n_refused, mut n_changed, mut n_mutants, mut n_refused_mutants) = (0, 0, 0, 0);
    for seed in seeds(0..60) {
        let mut random = Random::new(seed);
        let program = random_program(&mut random);
        let is_infinite = goes_on(&program, &mut random);
        let told = |what: &str| format!("GETAFIX_SEED={seed}: {what}\n{}", integers::show(&program));
        match prove_ending(&program, None, 1 + usize::from(seed % 16 == 0), &mut prover) {
            Ok(Ending::Claimed(claim)) => {
                assert!(!is_infinite, "{}", told("it was claimed that every run ends"));
                let Statement::Terminating(measures) = &claim.statement else {
                    panic!("{}", told("a claim"))
                };
                n_claims += usize::from(!measures.is_empty());
                n_measures += measures.len();
                n_nested +=
                    measures.iter().filter(|measure| matches!(measure, Measure::Calls { .. })).count();
                without_the_last(&program, &claim, &mut prover);
                if measures.is_empty() {
                    continue;
                }
                let (refused, changed) = of_other_programs(&program, &claim, &mut random, &mut prover, seed);
                n_mutants += MUTATIONS;
                n_refused_mutants += mutated(&program, &claim, &mut random, &mut prover);
                n_refused += refused;
                n_changed += changed;
            }
            Ok(Ending::Abstraction) => {
                assert!(!is_infinite, "{}", told("an abstraction has no infinite run"));
                n_abstractions += 1;
            }
            Err(_) if is_infinite => n_infinite += 1,
            Err(_) => n_open += 1,
        }
    }
    eprintln!(
        "{n_claims} claims with {n_measures} measures, {n_nested} of calls; {n_abstractions} by abstractions, {n_infinite} infinite, {n_open} open; \
         of {n_changed} changed programs {n_refused} refused, of {n_mutants} mutated claims {n_refused_mutants}"
    );
    if !testing::is_chosen() {
        assert!(n_claims >= 6 && n_nested >= 1 && n_infinite >= 10);
        assert!(n_refused >= 8 && n_changed > n_refused && 2 * n_refused_mutants > n_mutants);
    }
}

/// Each measure was found for a cycle that those before it leave.
fn without_the_last(program: &Program, claim: &Claim, prover: &mut Prover) {
    let mut less = claim.clone();
    let Statement::Terminating(measures) = &mut less.statement else { unreachable!("it says that runs end") };
    if measures.pop().is_some() {
        check(program, &less, &mut prover.solver).expect_err("a cycle is left");
    }
}

/// The same claim about programs that differ in a number or two: how many are refused, of how many. What is accepted is right.
fn of_other_programs(
    program: &Program,
    claim: &Claim,
    random: &mut Random,
    prover: &mut Prover,
    seed: u64,
) -> (usize, usize) {
    let (mut n_refused, n_changed) = (0, 6);
    for _ in 0..n_changed {
        let other = changed(program, random);
        // The points are others if another constant makes straight lines of what was a branch.
        match check(&other, claim, &mut prover.solver) {
            Err(_) => n_refused += 1,
            Ok(_) => assert!(
                !goes_on(&other, random),
                "GETAFIX_SEED={seed}: a claim was accepted\n{}",
                integers::show(&other)
            ),
        }
    }
    (n_refused, n_changed)
}

/// A program with other numbers and signs here and there.
fn changed(program: &Program, random: &mut Random) -> Program {
    let mut other = program.clone();
    for edge in other.functions.iter_mut().flat_map(|function| &mut function.edges) {
        let values: Vec<&mut Expr> = match &mut edge.action {
            Action::Step(step) => step.updates.iter_mut().map(|(_, value)| value).collect(),
            Action::Call { args, .. } => args.iter_mut().collect(),
            Action::Manage(_) => Vec::new(),
        };
        for value in values {
            if !random.chance(30) {
                continue;
            }
            let by = random.below(3) as i128 - 1;
            let other = value.relabelled(|op| match op {
                Op::Add => Op::Subtract,
                Op::Subtract => Op::Add,
                op => op,
            });
            *value = if random.chance(50) { other } else { other.binary(Op::Add, Expr::constant(by)) };
        }
    }
    other
}

/// Claims with another term, fewer edges or other formulas: how many are refused.
fn mutated(program: &Program, claim: &Claim, random: &mut Random, prover: &mut Prover) -> usize {
    let mut n_refused = 0;
    for n in 0..MUTATIONS {
        let mut other = claim.clone();
        let Statement::Terminating(measures) = &mut other.statement else { unreachable!("runs end") };
        let at = random.index(measures.len());
        let terms: Vec<&mut Expr> = match &mut measures[at] {
            Measure::Steps { term, .. } => vec![term],
            Measure::Calls { terms, .. } => terms.iter_mut().map(|(_, term)| term).collect(),
        };
        match n {
            0 => terms.into_iter().for_each(|term| *term = term.clone().unary(Op::Negate)),
            1 => terms.into_iter().for_each(|term| *term = Expr::constant(5)),
            2 => terms.into_iter().for_each(|term| {
                *term = term.clone().binary(Op::Subtract, Expr::constant(1000));
            }),
            3 => match &mut measures[at] {
                Measure::Steps { edges, .. } => _ = edges.pop(),
                Measure::Calls { edges, .. } => _ = edges.pop(),
            },
            _ => {
                let main = program.main.index();
                let entry = program.function(program.main).entry.index();
                other.formulas[main][entry] = Expr::truth(false);
            }
        }
        n_refused += usize::from(check(program, &other, &mut prover.solver).is_err());
    }
    n_refused
}

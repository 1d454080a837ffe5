//! What becomes of a program with memory before its cells are followed, against runs of it: a target that asks for exactly what variables hold at the end of some run is reached as before, and one that no
//! run reaches is not, unless a run misuses memory. Calls are replaced by then, objects that are there once are static, and few cells are variables. `GETAFIX_SEED=17` or `GETAFIX_SEED=0..1000` chooses the programs.

use super::cells::shaped;
use super::simulated::some_run;
use base::Random;
use integers::cells::lines;
use integers::enumerate::{Bounds, enumerate};
use integers::random::memory::program;
use integers::step::Configuration;
use integers::{Action, Expr, Place, Program, Relation, Role, Type, Value};
use testing::{Counts, seeds};

const BOUNDS: Bounds = Bounds { number: 40, states: 600 };

/// What the numbers of `main` and the global ones are.
fn numbers(program: &Program, at: &Configuration) -> Vec<(Place, i128)> {
    let frame = at.frames.last().expect("main is running");
    let locals = program.function(frame.function).locals.iter().zip(&frame.locals).zip(0..);
    let locals = locals.map(|((local, value), n)| (Place::Local(n), local.ty, *value));
    let globals = program.globals.iter().zip(&at.globals).zip(0..);
    let globals = globals.map(|((global, value), n)| (Place::Global(n), global.variable.ty, *value));
    let known = |(place, ty, value)| match value {
        Value::Number(number) if ty != Type::POINTER => Some((place, number)),
        _ => None,
    };
    locals.chain(globals).filter_map(known).collect()
}

/// The program whose target is reached if variables hold this.
fn asking(program: &Program, numbers: &[(Place, i128)]) -> Program {
    let mut asking = program.clone();
    let is = |(place, number): &(Place, i128)| {
        Expr::read(*place).compare(Relation::Equal, Expr::constant(*number))
    };
    let all = numbers.iter().map(is).fold(Expr::truth(true), Expr::and);
    let main = &mut asking.functions[program.main.index()];
    for edge in &mut main.edges {
        let is_target = matches!(main.nodes[edge.to.index()].role, Role::Target(_));
        if let (true, Action::Step(step)) = (is_target, &mut edge.action) {
            step.guard = all.clone();
        }
    }
    asking
}

#[test]
fn runs_end_as_before() {
    let mut counts = Counts::default();
    for (seed, shape) in seeds(0..3000).map(shaped) {
        let random = &mut Random::new(seed);
        let mut program = program(random, shape);
        // Two numbers for each input: there are many.
        program.inputs.iter_mut().for_each(|input| input.ty = Type::unsigned(1));
        let edges = || program.function(program.main).edges.iter();
        let n_calls = edges().filter(|edge| matches!(edge.action, Action::Call { .. })).count();
        // What is called matters most.
        if n_calls == 0 && random.chance(70) {
            continue;
        }
        let before_target = edges()
            .find(|edge| matches!(program.function(program.main).node(edge.to).role, Role::Target(_)))
            .expect("there is a target")
            .from;
        let run = some_run(&program, random);
        let is_there = |at: &&Configuration| at.frames.len() == 1 && at.frames[0].node == before_target;
        let Some(at) = run.states.iter().find(is_there) else { continue };
        let mut numbers = numbers(&program, at);
        let asked = asking(&program, &numbers);
        let seen = enumerate(&lines(&asked), BOUNDS);
        assert!(
            seen.reaches || !seen.is_complete,
            "GETAFIX_SEED={seed}: no run ends with {numbers:?}\n{}\n{}",
            integers::show(&asked),
            integers::show(&lines(&asked))
        );
        counts.count(if seen.reaches { "reached" } else { "too many states" });
        if n_calls > 0 && seen.reaches {
            counts.count("reached behind calls");
        }
        let other = random.index(numbers.len());
        numbers[other].1 += 1;
        let asked = asking(&program, &numbers);
        let runs = enumerate(&asked, BOUNDS);
        if runs.is_complete && !runs.reaches && !runs.misuses {
            let seen = enumerate(&lines(&asked), BOUNDS);
            assert!(
                !seen.reaches,
                "GETAFIX_SEED={seed}: no run of the program ends with {numbers:?}\n{}\n{}",
                integers::show(&asked),
                integers::show(&lines(&asked))
            );
            counts.count("not reached");
        }
    }
    counts.at_least(&[("reached", 400), ("reached behind calls", 150), ("not reached", 400)]);
}

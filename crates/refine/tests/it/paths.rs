//! Paths of random programs: those of runs can be taken, and what can be taken is the path of a run.

use crate::harness::program;
use base::{Random, Stop};
use generate::random::seeds;
use integers::compose::{Composed, compose};
use integers::ghosts::Ghosted;
use integers::step::{Configuration, Situation};
use integers::trace::{Event, Manner, replay};
use integers::{Action, EdgeId, Goal, Integers, Names, Program, Role};
use proof::{Statement, check_about};
use refine::interpolants::{Explained, Unrolled, explain};
use refine::invariants::{Found, Search};
use refine::{Feasible, feasible};
use smt::Pipe;

/// A path along random edges, whether or not they can be taken.
fn random_path(program: &Program, random: &mut Random, length: usize) -> Vec<Event> {
    let (mut frames, mut path) = (vec![(program.main, program.function(program.main).entry)], Vec::new());
    while path.len() < length {
        let &(function, node) = frames.last().expect("somebody is running");
        let here = program.function(function);
        if node == here.exit {
            frames.pop();
            let Some((caller, waits)) = frames.last_mut() else { break };
            let (_, edge) = program.function(*caller).edges_from(*waits).next().expect("a call");
            *waits = edge.to;
            path.push(Event::Returned);
            continue;
        }
        let edges: Vec<_> = here.edges_from(node).collect();
        if edges.is_empty() {
            break;
        }
        let (id, edge) = *random.pick(&edges);
        path.push(Event::Taken(id));
        match edge.action {
            Action::Call { callee, .. } => frames.push((callee, program.function(callee).entry)),
            Action::Step(_) | Action::Manage(_) => {
                frames.last_mut().expect("somebody is running").1 = edge.to;
            }
        }
    }
    path
}

/// Whether the composed path, with these inputs, is taken by the meaning of the program.
fn is_taken(program: &Program, path: &[Event], inputs: &[i128]) -> bool {
    let mut at = Configuration::start(program);
    let mut rest = inputs.iter().copied();
    for event in path {
        match event {
            Event::Returned => at.leave(program),
            Event::Taken(edge) => {
                let Situation::At(function, _) = at.situation(program) else { return false };
                let n = match &program.function(function).edge(*edge).action {
                    Action::Step(step) => step.inputs.len(),
                    Action::Call { .. } | Action::Manage(_) => 0,
                };
                let chosen: Vec<i128> = rest.by_ref().take(n).collect();
                if at.take(program, *edge, &chosen, Integers::Mathematical).is_err() {
                    return false;
                }
            }
        }
    }
    rest.next().is_none()
}

/// The path in the program as it was before it was composed.
fn original(composed: &Composed, path: &[Event]) -> Vec<Event> {
    let mut frames = vec![composed.program.main];
    let mut edges: Vec<Event> = Vec::new();
    for event in path {
        match event {
            Event::Returned => {
                frames.pop();
                edges.push(Event::Returned);
            }
            Event::Taken(edge) => {
                let function = *frames.last().expect("somebody is running");
                let parts: &[EdgeId] = &composed.paths[function.index()][edge.index()];
                edges.extend(parts.iter().map(|part| Event::Taken(*part)));
                if let Action::Call { callee, .. } = composed.program.function(function).edge(*edge).action {
                    frames.push(callee);
                }
            }
        }
    }
    edges
}

#[test]
fn a_path_that_can_be_taken_is_that_of_a_run() {
    let z3 = smt::find(None).unwrap_or_else(|missing| panic!("{missing}"));
    let mut pipe = Pipe::new(&z3, Stop::default());
    let (mut n_yes, mut n_no, mut n_inputs) = (0, 0, 0);
    for seed in seeds(0..60) {
        let (text, program) = program(seed);
        let composed = compose(&program);
        let mut random = Random::new(seed);
        for _ in 0..8 {
            let length = 1 + random.below(12) as usize;
            let path = random_path(&composed.program, &mut random, length);
            match feasible(&composed.program, &path, &mut pipe) {
                Feasible::Unknown(_) => {}
                Feasible::No => {
                    n_no += 1;
                    let small = |random: &mut Random| i128::from(random.below(13)) - 6;
                    for _ in 0..20 {
                        let inputs: Vec<i128> = (0..20).map(|_| small(&mut random)).collect();
                        let n = path_inputs(&composed.program, &path);
                        assert!(
                            !is_taken(&composed.program, &path, &inputs[..n.min(20)]),
                            "GETAFIX_SEED={seed}\n{text}{path:?}"
                        );
                    }
                }
                Feasible::Yes(inputs) => {
                    n_yes += 1;
                    n_inputs += inputs.len();
                    let numbers: Vec<i128> = inputs.iter().map(|(_, number)| *number).collect();
                    assert!(
                        is_taken(&composed.program, &path, &numbers),
                        "GETAFIX_SEED={seed}\n{text}{path:?} {numbers:?}"
                    );
                    // The program itself, with these inputs, goes along the same way.
                    let manner =
                        Manner { integers: Integers::Mathematical, goal: Goal::Never, max_steps: 1000 };
                    let run: Vec<Event> =
                        replay(&program, &numbers, manner).steps.into_iter().map(|step| step.event).collect();
                    let expected = original(&composed, &path);
                    assert!(run.starts_with(&expected), "GETAFIX_SEED={seed}\n{text}{expected:?}\n{run:?}");
                }
            }
        }
    }
    println!("{n_yes} can be taken, with {n_inputs} inputs, {n_no} cannot");
    assert!(n_yes > 0 && n_no > 0 && n_inputs > 0, "{n_yes} {n_no} {n_inputs}");
}

fn path_inputs(program: &Program, path: &[Event]) -> usize {
    refine::path_query(program, path).inputs.len()
}

const SEARCH: smt::Manner =
    smt::Manner { global: false, effort: 1_000_000, seconds: 100, memory: 1000, begins: smt::Begins::AtOnce };

#[test]
fn a_path_that_cannot_be_taken_is_explained() {
    let z3 = smt::find(None).unwrap_or_else(|missing| panic!("{missing}"));
    let mut pipe = Pipe::new(&z3, Stop::default());
    let (mut n_explained, mut n_feasible, mut n_predicates, mut n_ghosts) = (0, 0, 0, 0);
    for seed in seeds(0..5) {
        let (text, program) = program(seed);
        let subject = Ghosted::new(&compose(&program).program);
        let mut random = Random::new(seed);
        for _ in 0..3 {
            let length = 3 + random.below(12) as usize;
            let path = random_path(&subject.program, &mut random, length);
            let expected = feasible(&subject.program, &path, &mut pipe);
            match (explain(&z3, &subject, &path, SEARCH, &Stop::default()), expected) {
                (Explained::Unknown(_), _) | (_, Feasible::Unknown(_)) => {}
                (Explained::Feasible, Feasible::Yes(_)) => n_feasible += 1,
                (Explained::Predicates(predicates), Feasible::No) => {
                    n_explained += 1;
                    n_predicates += predicates.len();
                    for (id, predicate) in &predicates {
                        // It is about variables that there are.
                        let shown = Names::new(&subject.program, *id).show(predicate);
                        n_ghosts += usize::from(shown.contains("$0"));
                    }
                    // What was found about the path is a proof of it.
                    let unrolled = Ghosted::new(&Unrolled::new(&subject, &path).program);
                    let mut search = Search::about(&z3, unrolled.clone(), Statement::Unreachable, SEARCH);
                    let Found::Claim(claim) = search.wait(&Stop::default()) else {
                        panic!("it was just found")
                    };
                    let checked = check_about(&unrolled, &claim, &mut pipe);
                    assert!(checked.is_ok(), "GETAFIX_SEED={seed}: {checked:?}\n{text}{path:?}");
                }
                (explained, expected) => {
                    panic!("GETAFIX_SEED={seed}: {explained:?}, {expected:?}\n{text}{path:?}")
                }
            }
        }
    }
    println!(
        "{n_explained} explained by {n_predicates} predicates, {n_ghosts} with ghosts; {n_feasible} can be taken"
    );
    assert!(n_explained > 0 && n_feasible > 0 && n_predicates > 0);
}

/// The predicates of a spurious path through a call say what the function does.
#[test]
fn predicates_tell_of_what_a_function_was_started_with() {
    let z3 = smt::find(None).unwrap_or_else(|missing| panic!("{missing}"));
    let mut sources = base::Sources::default();
    let text = "void reach_error(void); int nondet(void);
        int up(int n) { n = n + 1; return n; }
        int main(void) { int x = nondet(); int y = up(x); if (y <= x) reach_error(); return 0; }";
    let file = sources.add("up.c", text);
    let program = c::translate(&sources, file, &c::Options::default()).expect("a program").program;
    let subject = Ghosted::new(&compose(&program).program);
    let main = subject.program.main;
    let target =
        subject.program.function(main).nodes.iter().position(|node| matches!(node.role, Role::Target(_)));
    let edges = &subject.program.function(main).edges;
    let to_target = edges.iter().position(|edge| Some(edge.to.index()) == target).expect("an edge");
    let (input, call) = (EdgeId(0), edges.iter().position(|edge| matches!(edge.action, Action::Call { .. })));
    let call = EdgeId::new(call.expect("a call"));
    let path = [input, call, EdgeId(0)].map(Event::Taken).into_iter();
    let path: Vec<Event> = path.chain([Event::Returned, Event::Taken(EdgeId::new(to_target))]).collect();
    let Explained::Predicates(predicates) = explain(&z3, &subject, &path, SEARCH, &Stop::default()) else {
        panic!("it cannot be taken")
    };
    let of_up: Vec<String> = predicates
        .iter()
        .filter(|(id, _)| *id != main)
        .map(|(id, predicate)| Names::new(&subject.program, *id).show(predicate))
        .collect();
    assert!(of_up.iter().any(|shown| shown.contains("$ret") && shown.contains("n$0")), "{of_up:?}");
}

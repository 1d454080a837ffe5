//! Misuses of memory as targets, against runs with objects: a target is reached if a run of a random program misuses memory, and none if no run does; and programs that only do what is right do what the runs do that
//! misuse nothing. `GETAFIX_SEED=17` or `GETAFIX_SEED=0..1000` chooses the programs.

use super::cells::shaped;
use base::Random;
use integers::enumerate::{Bounds, enumerate};
use integers::memory::Storage;
use integers::random::memory::{Shape, program};
use integers::{
    Action, ClassId, Edge, Expr, Manage, Node, NodeId, Op, Place, Program, RegionId, Role, Step, TargetKind,
    accesses, within,
};
use testing::{Counts, is_chosen, seeds};

const BOUNDS: Bounds = Bounds { number: 40, states: 4_000 };

/// Pointers that come out of memory point anywhere, as far as is known.
fn has_unknowns(program: &Program) -> bool {
    let edges = program.functions.iter().flat_map(|function| &function.edges);
    edges.into_iter().any(|edge| matches!(&edge.action, Action::Step(step) if !step.unknowns.is_empty()))
}

/// Whether an index may lead from an array in a structure into that of the next one, which runs do not notice.
fn leaves_parts(shape: Shape) -> bool {
    matches!(shape, Shape::Nested | Shape::Shared)
}

#[test]
fn misuses_are_targets() {
    let mut counts = Counts::default();
    // In the last a pointer is used before the only thing is stored in it that is ever stored there.
    for (seed, shape) in seeds(0..200).map(shaped).chain([(2612, Shape::OneRegion)]) {
        let mut program = program(&mut Random::new(seed), shape);
        program.select_targets(|_, _| false);
        let runs = enumerate(&program, BOUNDS);
        let Some(judged) = accesses(&program, TargetKind::Undefined, false) else {
            counts.count("not judged");
            continue;
        };
        if has_unknowns(&judged) {
            counts.count("unknown objects");
            continue;
        }
        let seen = enumerate(&judged, BOUNDS);
        if runs.misuses {
            assert!(
                seen.reaches || !seen.is_complete,
                "GETAFIX_SEED={seed}: memory is misused, and no target is reached\n{}\n{}",
                integers::show(&program),
                integers::show(&judged)
            );
            counts.count("misused");
        } else if runs.is_complete && !leaves_parts(shape) {
            assert!(
                !seen.reaches && !seen.misuses,
                "GETAFIX_SEED={seed}: memory is not misused, and a target is reached\n{}\n{}",
                integers::show(&program),
                integers::show(&judged)
            );
            counts.count("not misused");
        }
    }
    eprintln!("{counts:?}");
    if !is_chosen() {
        counts.at_least(&[("misused", 20), ("not misused", 5)]);
    }
}

#[test]
fn to_load_a_pointer_that_nothing_was_stored_in_is_a_target() {
    for (is_zeroed, is_misused) in [(false, true), (true, false)] {
        let mut program = program(&mut Random::new(0), Shape::List);
        program.select_targets(|_, _| false);
        let (node, other) = (Place::Local(3), Place::Local(4));
        let (count, class) = (Expr::constant(1), ClassId(0));
        let allocate = Manage::Allocate { class, count, is_zeroed, storage: Storage::Heap, result: node };
        let next = Expr::read(node).unary(Op::Load(RegionId(1)));
        let load = Step::new(Expr::truth(true), vec![(other, next)]);
        let main = &mut program.functions[1];
        let span = main.span;
        main.nodes = vec![Node { role: Role::Plain, span }; 3];
        (main.entry, main.exit) = (NodeId(0), NodeId(2));
        let edge = |from, to, action| Edge { from: NodeId(from), to: NodeId(to), action, span };
        main.edges = vec![edge(0, 1, Action::Manage(allocate)), edge(1, 2, Action::Step(load))];
        let judged = accesses(&program, TargetKind::Undefined, false).expect("it can be judged");
        assert_eq!(enumerate(&program, BOUNDS).misuses, is_misused);
        assert_eq!(enumerate(&judged, BOUNDS).reaches, is_misused, "{}", integers::show(&judged));
    }
}

#[test]
fn what_is_right_stays() {
    let mut counts = Counts::default();
    for (seed, shape) in seeds(0..100).map(shaped) {
        let program = program(&mut Random::new(seed), shape);
        let runs = enumerate(&program, BOUNDS);
        let right = within(&program);
        if has_unknowns(&right) {
            counts.count("unknown objects");
            continue;
        }
        let seen = enumerate(&right, BOUNDS);
        if leaves_parts(shape) {
            continue;
        }
        let lost = runs.reaches && !seen.reaches || runs.is_infinite && !seen.is_infinite;
        assert!(
            !lost || !seen.is_complete,
            "GETAFIX_SEED={seed}: a run is lost\n{}\n{}",
            integers::show(&program),
            integers::show(&right)
        );
        counts.count(if runs.reaches { "reached" } else { "not reached" });
        if runs.is_infinite {
            counts.count("without end");
        }
        if runs.misuses && !seen.misuses && seen.is_complete {
            counts.count("no misuse is left");
        }
    }
    eprintln!("{counts:?}");
    if !is_chosen() {
        counts.at_least(&[("reached", 4), ("not reached", 4), ("no misuse is left", 1)]);
    }
}

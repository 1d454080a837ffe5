//! Memory as variables, against runs with objects: whatever a run of a random program reaches, some run of the cell program reaches, for some cells and some
//! values of what is unknown. `GETAFIX_SEED=17` or `GETAFIX_SEED=0..1000` chooses the programs.

use base::Random;
use integers::cells::{Choice, cells};
use integers::enumerate::{Bounds, enumerate};
use integers::random::memory::{SHAPES, Shape, program};
use integers::{
    Action, Edge, Expr, Input, InputId, InputKind, Node, NodeId, Op, Place, Program, Role, Start, Step, Type,
};
use testing::{Counts, is_chosen, seeds};

const BOUNDS: Bounds = Bounds { number: 40, states: 4_000 };

/// With more unknowns in a step there are too many choices.
const MOST_UNKNOWNS: usize = 3;

/// The program in which somebody chooses what is unknown, among a few numbers.
pub(super) fn opened(program: &Program) -> Program {
    let mut opened = program.clone();
    let span = program.function(program.main).span;
    let mut input = |ty: Type| {
        let kind = InputKind::Uninitialised;
        opened.inputs.push(Input { name: "unknown".to_owned(), ty, kind, span });
        InputId::new(opened.inputs.len() - 1)
    };
    // Elements and pointers are numbered from 0, and there are not many; numbers in memory are those that the program reads.
    let (number, element, pointer) =
        (input(Type::signed(2)), input(Type::unsigned(4)), input(Type::unsigned(2)));
    let of = |construct: &str| if construct.contains("next") { pointer } else { number };
    for edge in opened.functions.iter_mut().flat_map(|function| &mut function.edges) {
        let Action::Step(step) = &mut edge.action else { continue };
        let first = step.inputs.len() as u32;
        step.inputs.extend(step.unknowns.iter().map(|id| of(&program.unknowns[id.index()].construct)));
        step.unknowns.clear();
        let chosen = |expr: &Expr| {
            expr.relabelled(|op| if let Op::Unknown(n) = op { Op::Input(first + n) } else { op })
        };
        step.guard = chosen(&step.guard);
        step.updates.iter_mut().for_each(|(_, value)| *value = chosen(value));
    }
    let mut begin = Step::new(Expr::truth(true), Vec::new());
    for (n, global) in (0..).zip(&mut opened.globals) {
        if let Start::Unknown(id) = global.start {
            global.start = Start::Number(0);
            let value = Expr::leaf(Op::Input(begin.inputs.len() as u32));
            let is_index = !global.variable.name.contains('[');
            begin.inputs.push(if is_index { element } else { of(&program.unknowns[id.index()].construct) });
            begin.updates.push((Place::Global(n), value));
        }
    }
    opened.unknowns.clear();
    let main = &mut opened.functions[program.main.index()];
    let (from, to) = (NodeId::new(main.nodes.len()), main.entry);
    main.nodes.push(Node { role: Role::Plain, span });
    main.entry = from;
    main.edges.push(Edge { from, to, action: Action::Step(begin), span });
    main.sort_edges();
    opened
}

/// A seed, and what its program uses memory for.
pub(super) fn shaped(seed: u64) -> (u64, Shape) {
    (seed, SHAPES[seed as usize % SHAPES.len()])
}

#[test]
fn what_runs_reach_the_cell_program_reaches() {
    let mut counts = Counts::default();
    // In the last a value that was loaded is compared with one that was stored in its place afterwards.
    for (seed, shape) in seeds(0..50).map(shaped).chain([(935, Shape::Nested)]) {
        let program = program(&mut Random::new(seed), shape);
        let runs = enumerate(&program, BOUNDS);
        let variables = cells(&program, &Choice::natural(&program));
        assert!(!variables.uses_memory(), "GETAFIX_SEED={seed}");
        let steps = variables.functions.iter().flat_map(|function| &function.edges);
        let n_unknowns = steps.map(|edge| match &edge.action {
            Action::Step(step) => step.unknowns.len(),
            _ => 0,
        });
        if n_unknowns.max() > Some(MOST_UNKNOWNS) {
            counts.count("too many choices");
            continue;
        }
        let seen = enumerate(&opened(&variables), BOUNDS);
        if runs.reaches && !seen.reaches {
            assert!(
                !seen.is_complete,
                "GETAFIX_SEED={seed}: a run reaches the target, and none of the cell program does\n{}\n{}",
                integers::show(&program),
                integers::show(&variables)
            );
            counts.count("too many states");
        }
        if runs.reaches && seen.reaches {
            counts.count("reached by both");
            let name = format!("{shape:?}");
            counts.count(match &name[..] {
                "OneRegion" => "one region",
                "TwoRegions" => "two regions",
                "List" => "a list",
                _ => "arrays in structures",
            });
        }
        if runs.is_complete && !runs.reaches && seen.is_complete && !seen.reaches {
            counts.count("reached by none");
        }
    }
    eprintln!("{counts:?}");
    if !is_chosen() {
        counts.at_least(&[
            ("reached by both", 6),
            ("reached by none", 4),
            ("one region", 1),
            ("two regions", 1),
            ("arrays in structures", 1),
        ]);
    }
}

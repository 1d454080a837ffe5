//! Facts about the program behind an abstraction: what it surely does, and what its inputs can bring about.
//!
//! A move is a value of the sort `Move`: a position among the moves of its node. The words need a program of which no points were merged.

use crate::Templates;
use crate::rows::{at, changed_by};
use crate::word::{Making, Rows};
use crate::words;
use dd::{Bdd, Exhausted};
use rsm::{EdgeId, Expr, Game, ModuleId, Move, NodeId, Operation, Place, Term, Type};
use solver::Given;
use std::sync::Arc;
use symbolic::PathStep;

impl Templates<'_> {
    /// Adds the sort of moves and the words about a game.
    pub fn add_game(&mut self, game: Arc<Game>) {
        self.game = Some(game);
        words::game().into_iter().for_each(|word| self.add(word));
    }
}

/// The game, which the words come with.
fn game_of<'m>(making: &Making<'m, '_, '_>) -> &'m Game {
    making.templates.game.as_ref().expect("the words come with the game")
}

/// Steps that read no inputs.
pub(crate) fn forced(making: &mut Making) -> Rows {
    let program = making.templates;
    let game = game_of(making);
    let mut rows = crate::rows::after_calls(making);
    for m in program.modules() {
        let reads_inputs =
            |step: &PathStep| step.edges.iter().any(|edge| game.modules[m.index()].inputs.contains(edge));
        for step in program.steps(m).filter(|step| !reads_inputs(step)) {
            rows.extend(along(making, m, &step, &[], None)?);
        }
    }
    Ok(rows)
}

/// Steps that read inputs, as far as a move leads along them to where it should.
pub(crate) fn chosen(making: &mut Making) -> Rows {
    let program = making.templates;
    let game = game_of(making);
    let mut rows = Vec::new();
    for m in program.modules() {
        let moves = &game.modules[m.index()].moves;
        for step in program.steps(m) {
            for (number, chosen) in numbered(moves) {
                if step.edges.contains(&chosen.edge) {
                    rows.extend(along(making, m, &step, &chosen.target, Some(number))?);
                }
            }
        }
    }
    Ok(rows)
}

/// The moves with their numbers: positions among the moves of their node.
fn numbered(moves: &[Move]) -> impl Iterator<Item = (u32, &Move)> {
    moves.chunk_by(|a, b| a.node == b.node).flat_map(|of_node| (0..).zip(of_node))
}

/// The row of a step that leads to states with these values.
fn along(
    making: &mut Making,
    m: ModuleId,
    step: &PathStep,
    target: &[(Place, bool)],
    number: Option<u32>,
) -> Result<Option<Given>, Exhausted> {
    let program = making.templates;
    let [before, after] = [0, 1].map(|state| making.states[state].view(&program.slots, m));
    let (encoder, dd) = making.tools();
    let Some(relation) = program.relation(encoder, dd, step, (&before, &after))? else { return Ok(None) };
    let mut diagram = relation.diagram;
    for &(place, value) in target {
        let (holds, fails) = encoder.condition(dd, after.columns(), &read(place))?;
        diagram = dd.and(diagram, if value { holds } else { fails })?;
    }
    let frame = making.frame(changed_by(program, step, &relation.assigned), [0, 1]);
    let from = making.states[0].key(m, program.counter_before(step));
    let to = making.states[1].key(m, program.counter(m, step.to));
    let number = number.map(|number| (making.template.others[0], number));
    Ok(Some(Given::framed([from, to].into_iter().flatten().chain(number), diagram, frame)))
}

fn read(place: Place) -> Expr {
    Expr { code: Box::new([Term { operation: Operation::Read(place), ty: Type::Bool }]) }
}

/// Where moves can be made.
pub(crate) fn must(making: &mut Making) -> Rows {
    let game = game_of(making);
    let mut rows = Vec::new();
    for m in making.templates.modules() {
        for (number, chosen) in numbered(&game.modules[m.index()].moves) {
            let mut row = holding(making, m, chosen.node, &chosen.when)?;
            row.iter_mut().for_each(|row| row.key.push((making.template.others[0], number)));
            rows.extend(row);
        }
    }
    Ok(rows)
}

/// Where the program may not go on without inputs.
pub(crate) fn stuck(making: &mut Making) -> Rows {
    let game = game_of(making);
    let mut rows = Vec::new();
    for m in making.templates.modules() {
        for (node, condition) in &game.modules[m.index()].stuck {
            rows.extend(holding(making, m, *node, condition)?);
        }
    }
    Ok(rows)
}

/// Where inputs are read.
pub(crate) fn choice(making: &mut Making) -> Rows {
    let program = making.templates;
    let game = game_of(making);
    let mut rows = Vec::new();
    for m in program.modules() {
        let source = |edge: &EdgeId| program.rsm.module(m).edge(*edge).from;
        let mut nodes: Vec<NodeId> = game.modules[m.index()].inputs.iter().map(source).collect();
        nodes.dedup();
        for node in nodes {
            if let Some(counter) = program.points.counter(program.rsm, m, node) {
                rows.push(at(&making.states[0], m, counter, Bdd::TRUE));
            }
        }
    }
    Ok(rows)
}

/// The states at a node in which a condition holds, if the program has the node.
fn holding(
    making: &mut Making,
    m: ModuleId,
    node: NodeId,
    condition: &Expr,
) -> Result<Option<Given>, Exhausted> {
    let program = making.templates;
    let Some(counter) = program.points.counter(program.rsm, m, node) else { return Ok(None) };
    let view = making.states[0].view(&program.slots, m);
    let (encoder, dd) = making.tools();
    let (holds, _) = encoder.condition(dd, view.columns(), condition)?;
    Ok(Some(at(&making.states[0], m, counter, holds)))
}

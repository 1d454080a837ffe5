//! What the formula knows: the entries that runs get to.

use super::{Question, Reached, ShortestError};
use dd::{Bdd, Exhausted, Level, Manager};
use rsm::{Goal, ModuleId};
use rustc_hash::FxHashMap;
use solver::Solver;
use symbolic::network::Network;

/// Evaluates the formula; `None` if no goal is reachable.
pub(super) fn find<'q>(question: &'q Question, goals: &[Goal]) -> Result<Option<Solver<'q>>, ShortestError> {
    let Reached { templates, words, system, query, .. } = *question.reached;
    let mut solver = question.solver();
    templates.give(system, words, &mut solver)?;
    templates.give_target(goals, words, &mut solver)?;
    Ok(solver.query(query)?.then_some(solver))
}

/// For each function the entries that runs get to, moved from the store of the solver to the current bits of the network.
pub(super) fn states(
    question: &Question,
    mut solver: Solver,
    network: &Network,
    dd: &mut Manager,
) -> Result<Vec<Bdd>, ShortestError> {
    let Reached { templates, system, entries: reach, .. } = *question.reached;
    let columns = templates.state(&system.relation(reach).columns);
    let bits = columns.locals.iter().chain(&columns.globals).map(|column| solver.levels(*column)[0]);
    let mut transfer =
        Transfer { levels: bits.zip(network.current_levels()).collect(), moved: FxHashMap::default() };
    let mut entries = vec![Bdd::FALSE; network.modules.len()];
    for (key, diagram) in solver.rows(reach)? {
        let moved = transfer.diagram(solver.diagrams(), dd, diagram);
        entries[ModuleId(key[0]).index()] = moved.map_err(|exhausted| solver.stopped(exhausted))?;
    }
    Ok(entries)
}

/// Moves diagrams from one store to another.
struct Transfer {
    levels: FxHashMap<Level, Level>,
    moved: FxHashMap<Bdd, Bdd>,
}

impl Transfer {
    fn diagram(&mut self, source: &Manager, dd: &mut Manager, root: Bdd) -> Result<Bdd, Exhausted> {
        let mut pending = vec![root];
        while let Some(&at) = pending.last() {
            let Some(level) = source.level(at) else {
                self.moved.insert(at, at);
                pending.pop();
                continue;
            };
            let (low, high) = source.children(at);
            match (self.moved.get(&low), self.moved.get(&high)) {
                (Some(&low), Some(&high)) => {
                    let variable = dd.variable(self.levels[&level])?;
                    let moved = dd.ite(variable, high, low)?;
                    self.moved.insert(at, moved);
                    pending.pop();
                }
                (low_moved, high_moved) => {
                    let missing = [low_moved.is_none().then_some(low), high_moved.is_none().then_some(high)];
                    pending.extend(missing.into_iter().flatten());
                }
            }
        }
        Ok(self.moved[&root])
    }
}

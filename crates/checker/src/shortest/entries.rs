//! What the shipped formula knows: the entries that runs get to, and the states that are goals.

use super::copies::Copies;
use super::{Question, ShortestError};
use calculus::system::RelationId;
use dd::{Bdd, Exhausted, Level, Manager};
use rsm::{Goal, ModuleId};
use rustc_hash::FxHashMap;
use solver::{Halt, Solver};

/// States at a point, which is given by its function and its counter.
type AtPoint = ((ModuleId, u32), Bdd);

/// Sets of states, in the current copy.
pub(super) struct Known {
    /// For each function the entries that runs get to.
    pub entries: Vec<Bdd>,
    /// The states that are goals.
    pub goals: Vec<AtPoint>,
}

/// Evaluates the formula; `None` if no goal is reachable.
pub(super) fn find(
    question: &Question,
    goals: &[Goal],
    dd: &mut Manager,
) -> Result<Option<Known>, ShortestError> {
    let (templates, words, system) = (question.templates, question.words, &question.checked.system);
    let mut solver = question.solver();
    templates.give(system, words, &mut solver)?;
    templates.give_target(goals, words, &mut solver)?;
    if !solver.query(question.checked.query)? {
        return Ok(None);
    }
    let reach = system.relations.iter().position(|relation| relation.name == "Reach");
    let reach = RelationId::new(reach.expect("the formula defines the entries that runs get to"));
    let mut entries = vec![Bdd::FALSE; templates.rsm.modules.len()];
    for ((module, _), states) in states(question, &mut solver, reach, dd)? {
        entries[module.index()] = states;
    }
    let goals = states(question, &mut solver, words.template("Target").relation, dd)?;
    Ok(Some(Known { entries, goals }))
}

/// The rows of a relation over one state, moved from the store of the solver to another.
fn states(
    question: &Question,
    solver: &mut Solver,
    relation: RelationId,
    dd: &mut Manager,
) -> Result<Vec<AtPoint>, Halt> {
    let columns = question.templates.state(&question.checked.system.relation(relation).columns);
    let copies = Copies::new(&question.templates.slots);
    let mut transfer = Transfer {
        levels: copies.levels_from(&columns, |column| solver.levels(column)[0]),
        moved: FxHashMap::default(),
    };
    let mut found = Vec::new();
    for (key, diagram) in solver.rows(relation)? {
        let [module, counter] = key[..] else { unreachable!("function and counter are the keys of a state") };
        let moved = transfer.diagram(solver.diagrams(), dd, diagram);
        let moved = moved.map_err(|exhausted| solver.stopped(exhausted))?;
        found.push(((ModuleId(module), counter), moved));
    }
    found.sort_unstable_by_key(|row| row.0);
    Ok(found)
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

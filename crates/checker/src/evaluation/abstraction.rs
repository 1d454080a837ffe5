//! Questions about the program behind an abstraction, and the states in which a run of it may be, point by point.
//!
//! The answer of a formula is one bit here; what it rests on are its pairs, as `#certificate` names them: an entry and a state. They come as
//! decisions about the variables of both, so that whoever asked can say in his own terms what holds where.

use super::certify;
use super::session::{Arranged, Options, Session, with_session};
use crate::formula::Formula;
use crate::outcome::Unknown;
use crate::problem::{Failure, Limits};
use crate::target::Target;
use base::Sources;
use certificate::{Moment, Variable};
use dd::{Bdd, Manager};
use encode::Slot;
use rsm::{Game, Goal, ModuleId, NodeId, Place, Reductions, Rsm};
use rustc_hash::FxHashMap;
use solver::Halt;
use std::sync::Arc;
use symbolic::Point;

/// A question.
pub struct Inquiry<'a> {
    /// The machine of the abstraction.
    pub rsm: &'a Rsm,
    /// What is known beside it.
    pub game: Option<&'a Arc<Game>>,
    /// What the question asks for.
    pub goals: &'a [Goal],
    /// The formula.
    pub formula: &'a Formula,
    /// What it may use up.
    pub limits: &'a Limits,
}

/// The states at a point in which a run may be, together with those at which it entered the function.
#[derive(Clone, Debug)]
pub struct Region {
    /// The function.
    pub module: ModuleId,
    /// The point.
    pub node: NodeId,
    /// Which they are.
    pub states: Decisions,
}

/// A bit of a variable: at the entry of the function or now.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bit {
    /// It is about the entry.
    pub at_entry: bool,
    /// The variable of the machine.
    pub place: Place,
    /// Which bit of it; the lowest has number 0.
    pub number: u32,
}

/// A set of states: decisions, each of which leads to two others. The first two are false and true.
#[derive(Clone, Debug)]
pub struct Decisions {
    /// What is asked, and where it leads if not and if so: positions in this list, counted from 2.
    pub nodes: Vec<(Bit, u32, u32)>,
    /// The first one.
    pub root: u32,
}

impl Inquiry<'_> {
    /// Whether the formula is true.
    pub fn is_true(&self) -> Result<bool, Unknown> {
        self.with(|session, goals| session.truth(goals))
    }

    /// Whether the formula is true, and the states in which a run may be.
    pub fn regions(&self) -> Result<(bool, Vec<Region>), Unknown> {
        self.with(|session, goals| {
            let is_true = session.truth(goals)?;
            Ok((is_true, regions(session)?))
        })
    }

    fn with<T>(&self, ask: impl FnOnce(&mut Session, &[Goal]) -> Result<T, Halt>) -> Result<T, Unknown> {
        let Limits { memory, stop, gauge, clock, .. } = self.limits.clone();
        let options = Options {
            reductions: Reductions { live_variables: true, ..Reductions::NONE },
            keeps_points: true,
            symbolic: false,
            trace: false,
            certificate: false,
            game: self.game.cloned(),
            memory,
            stop,
            gauge,
            clock,
        };
        let targets = [Target::new("target", self.goals.iter().copied())];
        let answer = self.formula.with_file(&[], &[], |file| {
            let sources = &mut Sources::default();
            with_session(Arranged::by(self.rsm, None), &targets, file, &options, sources, |session, _| {
                ask(session, self.goals)
            })
        });
        match answer {
            Ok(answer) => answer.map_err(Unknown::from),
            Err(Failure::Formula(mistakes)) => {
                let first = mistakes.first().map(|mistake| mistake.message.clone());
                Err(Unknown::because(first.unwrap_or_else(|| "the formula has a mistake".to_owned())))
            }
            Err(failure) => Err(Unknown::because(format!("{failure:?}"))),
        }
    }
}

impl Session<'_, '_, '_> {
    /// Whether the query is true.
    fn truth(&mut self, goals: &[Goal]) -> Result<bool, Halt> {
        self.templates.give(&self.checked.system, &self.words, &mut self.solver)?;
        self.templates.give_target(goals, &self.words, &mut self.solver)?;
        self.solver.query(self.checked.query)
    }
}

/// The pairs of the formula, at each point.
fn regions(session: &mut Session) -> Result<Vec<Region>, Halt> {
    let Some(summaries) = certify::find(session.checked, &session.solver) else { return Ok(Vec::new()) };
    let columns = session.checked.system.relation(summaries.pairs).columns.clone();
    let (entry, current) = columns.split_at(columns.len() / 2);
    let (templates, checked) = (session.templates, session.checked);
    let entries = certify::entry_rows(templates, checked, &mut session.solver, summaries, entry, current)?;
    let entries: FxHashMap<ModuleId, Bdd> =
        entries.into_iter().map(|row| (row.module, row.diagram)).collect();
    let meaning = certify::Meaning::new(templates, &session.solver, [entry, current]);
    let mut regions = Vec::new();
    for (key, pairs) in session.solver.rows(summaries.pairs)? {
        let module = ModuleId(key[2]);
        let Some(Point::Node(node)) = templates.points.point(module, key[3]) else { continue };
        // At its exit a function has results, and no variables any more.
        let Some(&entered) = entries.get(&module).filter(|_| node != templates.rsm.module(module).exit)
        else {
            continue;
        };
        let both = session.solver.diagrams().and(pairs, entered).map_err(|e| session.solver.stopped(e))?;
        let bit = |level| bit(meaning.variable(module, level));
        regions.push(Region { module, node, states: decisions(session.solver.diagrams(), both, bit) });
    }
    regions.sort_by_key(|region| (region.module, region.node));
    Ok(regions)
}

fn bit(variable: Variable) -> Bit {
    let Slot::Place(place) = variable.slot else {
        unreachable!("where there are variables there are no results")
    };
    Bit { at_entry: variable.moment == Moment::Entry, place, number: variable.bit }
}

/// A diagram as a list.
fn decisions(dd: &Manager, diagram: Bdd, bit: impl Fn(dd::Level) -> Bit) -> Decisions {
    let mut numbers: FxHashMap<Bdd, u32> = FxHashMap::from_iter([(Bdd::FALSE, 0), (Bdd::TRUE, 1)]);
    let mut nodes = Vec::new();
    let mut pending = vec![diagram];
    while let Some(&next) = pending.last() {
        let Some(level) = dd.level(next).filter(|_| !numbers.contains_key(&next)) else {
            pending.pop();
            continue;
        };
        let (low, high) = dd.children(next);
        match (numbers.get(&low), numbers.get(&high)) {
            (Some(&low), Some(&high)) => {
                numbers.insert(next, nodes.len() as u32 + 2);
                nodes.push((bit(level), low, high));
                pending.pop();
            }
            (low_known, high_known) => {
                pending.extend(Some(high).filter(|_| high_known.is_none()));
                pending.extend(Some(low).filter(|_| low_known.is_none()));
            }
        }
    }
    Decisions { nodes, root: numbers[&diagram] }
}

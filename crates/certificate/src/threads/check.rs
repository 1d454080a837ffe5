//! Is a set of configurations a proof? Every run starts in it, no move leaves it, and no move meets a goal.
//!
//! Why that is enough: let every thread of a configuration of a run go on, without being noticed, to any of its next stops, or be
//! done if there is none; one that has not been noticed yet counts as one that has not run. The invariant of runs is that all
//! configurations that come out are in the set. A step that nobody notices leaves fewer of them. A step that is noticed is, in each of them,
//! the beginning of a move, since what the others do unnoticed does not change what it does. Copies are not told apart: the set
//! says how many threads are in a state, and all of a group have the same text.

use super::cover::Cover;
use super::moves::{Mover, Reached};
use super::noticed::Noticed;
use super::write::{show, show_state};
use super::{ClosedSet, Configuration, Count, Group, Local, Standings};
use crate::outcome::{Fault, Outcome, outcome, refuse};
use base::{Stop, StopReason};
use rsm::interleave::{ThreadState, World, each_mattering_shared};
use rsm::step::Frame;
use rsm::values::TooLarge;
use rsm::{Action, Concurrent, Copies, Expr, Module, Place, ThreadGoal, Variable};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// How much was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Configurations of the certificate.
    pub n_configurations: usize,
    /// Pairs of a configuration and a move.
    pub n_moves: u64,
    /// States of one thread from which steps were taken.
    pub n_steps: u64,
}

/// The most partial valuations that are looked at for the first shared values.
pub(super) const START_LIMIT: usize = 1 << 22;

/// Whether a closed set proves that no run of the program reaches one of the goals, whatever the schedule.
pub fn validate(
    program: &Concurrent,
    goals: &[ThreadGoal],
    closed: &ClosedSet,
    stop: &Stop,
) -> Result<Outcome<Figures>, StopReason> {
    outcome(check(program, goals, closed, stop))
}

fn check(
    program: &Concurrent,
    goals: &[ThreadGoal],
    closed: &ClosedSet,
    stop: &Stop,
) -> Result<Figures, Fault> {
    if !program.is_whole {
        return refuse(
            "threads that are started at run time are not among those that a certificate speaks of",
        );
    }
    if closed.kept.shared.len() != program.n_shared {
        return refuse("the program has other shared variables");
    }
    groups_fit(program, &closed.groups)?;
    closed.states.iter().try_for_each(|state| state_fits(program, state))?;
    starts_are_fixed(program, closed)?;
    let noticed = (!closed.stops_everywhere).then(|| Noticed::new(program, &closed.kept));
    let mover = Mover { program, goals, kept: &closed.kept, noticed, stop, n_steps: 0 };
    let shared = closed.shared.iter().zip(0..).map(|(values, n)| (values.as_slice(), n)).collect();
    let states = closed.states.iter().zip(0..).collect();
    let cover = Cover::new(&closed.configurations);
    let mut checker =
        Checker { program, closed, mover, cover, shared, states, known: FxHashMap::default(), n_moves: 0 };
    checker.starts()?;
    for (n, configuration) in closed.configurations.iter().enumerate() {
        if n.is_multiple_of(1 << 10)
            && let Some(reason) = stop.requested()
        {
            return Err(Fault::Stopped(reason));
        }
        checker.closed(configuration)?;
    }
    Ok(Figures {
        n_configurations: closed.configurations.len(),
        n_moves: checker.n_moves,
        n_steps: checker.mover.n_steps,
    })
}

/// A check under way.
struct Checker<'a> {
    program: &'a Concurrent,
    closed: &'a ClosedSet,
    mover: Mover<'a>,
    cover: Cover<'a>,
    shared: FxHashMap<&'a [u64], u32>,
    states: FxHashMap<&'a ThreadState, u32>,
    /// Where a thread of a group may go from a state beside shared values.
    known: FxHashMap<(usize, u32, Local), Vec<(u32, Local)>>,
    n_moves: u64,
}

impl Checker<'_> {
    /// Every configuration in which a run starts is in the set. If some thread has no state to start in, there is no run; of a block of
    /// any number there are no threads then.
    fn starts(&self) -> Result<(), Fault> {
        let matters = |place| matches!(place, Place::Global(n) if self.closed.kept.shared[n as usize]);
        let mut found = Ok(());
        let visited = each_mattering_shared(self.program, &matters, START_LIMIT, &mut |shared| {
            found = self.starts_with(shared);
            if found.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        visited.or_else(|TooLarge| refuse("there are too many shared values to start with"))?;
        found
    }

    /// The same with these shared values.
    fn starts_with(&self, shared: Vec<u64>) -> Result<(), Fault> {
        let world = World { shared, threads: Vec::new() };
        let shared = self.closed.kept.project(self.program, world).shared;
        let Some(threads) = self.first_threads(&shared)? else { return Ok(()) };
        let Some(shared) = self.shared.get(shared.as_slice()).copied() else {
            return refuse("a run starts with shared values that are not in the certificate");
        };
        let start = Configuration { shared, threads };
        match self.cover.has(&start) {
            true => Ok(()),
            false => refuse(format!("a run starts in `{}`, which is not in the set", show(&start))),
        }
    }

    fn first_threads(&self, shared: &[u64]) -> Result<Option<Vec<Standings>>, Fault> {
        let mut threads = Vec::new();
        for group in &self.closed.groups {
            let can_start = !self.mover.starts(group.block, shared)?.is_empty();
            let count = match (self.program.blocks[group.block as usize].copies, group.copy) {
                (Copies::Number(_), _) if !can_start => return Ok(None),
                (Copies::Any, _) if !can_start => None,
                (_, Some(_)) => Some(Count::Number(1)),
                (Copies::Number(number), None) => Some(Count::Number(number)),
                (Copies::Any, None) => Some(Count::Any),
            };
            threads.push(count.map(|count| (Local::Start, count)).into_iter().collect());
        }
        Ok(Some(threads))
    }

    /// No move leads from a configuration out of the set.
    fn closed(&mut self, from: &Configuration) -> Result<(), Fault> {
        for (group, states) in from.threads.iter().enumerate() {
            for (local, _) in states {
                for (shared, to) in self.moves(from, group, *local)? {
                    self.n_moves += 1;
                    let after = from.after(group, *local, shared, to);
                    if !self.cover.has(&after) {
                        let (from, after) = (show(from), show(&after));
                        return refuse(format!(
                            "a move leads from `{from}` to `{after}`, which is not in the set"
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    fn moves(&mut self, at: &Configuration, group: usize, local: Local) -> Result<Vec<(u32, Local)>, Fault> {
        if local == Local::Done {
            return Ok(Vec::new());
        }
        let key = (group, at.shared, local);
        if !self.known.contains_key(&key) {
            let moves = self.compute(group, at.shared, local).map_err(|fault| match fault {
                Fault::Refused(reason) => Fault::Refused(format!("from `{}`: {reason}", show(at))),
                stopped => stopped,
            })?;
            self.known.insert(key, moves);
        }
        Ok(self.known[&key].clone())
    }

    fn compute(&mut self, group: usize, shared: u32, local: Local) -> Result<Vec<(u32, Local)>, Fault> {
        let (group, values) = (self.closed.groups[group], &self.closed.shared[shared as usize]);
        let begin = match local {
            Local::At(n) => {
                let state = self.closed.states[n as usize].clone();
                if state.block != group.block {
                    return refuse(format!("`l{n}` is a state of another block"));
                }
                vec![World { shared: values.clone(), threads: vec![state] }]
            }
            _ => self.mover.starts(group.block, values)?,
        };
        let Reached { stops, done } = self.mover.moves(group, begin, local == Local::Start)?;
        let mut moves = Vec::new();
        for world in stops {
            let Some(state) = self.states.get(&world.threads[0]) else {
                let state = show_state(self.program, &self.closed.kept, &world.threads[0]);
                return refuse(format!(
                    "a thread comes to a state that is not in the certificate: `{state}`"
                ));
            };
            moves.push((self.find_shared(&world.shared)?, Local::At(*state)));
        }
        for shared in done {
            moves.push((self.find_shared(&shared)?, Local::Done));
        }
        moves.sort_unstable();
        moves.dedup();
        Ok(moves)
    }

    fn find_shared(&self, values: &[u64]) -> Result<u32, Fault> {
        match self.shared.get(values) {
            Some(shared) => Ok(*shared),
            None => refuse("a thread leaves shared values that are not in the certificate"),
        }
    }
}

/// Every thread is in one group: all copies of a block are, or each of them.
fn groups_fit(program: &Concurrent, groups: &[Group]) -> Result<(), Fault> {
    for (block, known) in (0..).zip(&program.blocks) {
        let found: Vec<Option<u32>> =
            groups.iter().filter(|group| group.block == block).map(|group| group.copy).collect();
        let is_one_by_one = |number: u32| found.iter().copied().eq((0..number).map(Some));
        let fits = match known.copies {
            _ if found == [None] => true,
            Copies::Number(number) => is_one_by_one(number),
            Copies::Any => false,
        };
        if !fits {
            let name = &known.name;
            return refuse(format!("the threads of `{name}` are not those that the certificate speaks of"));
        }
    }
    Ok(())
}

/// The values with which threads start depend on shared variables only that have values in the certificate and that nobody
/// changes: so it does not matter when they are chosen.
fn starts_are_fixed(program: &Concurrent, closed: &ClosedSet) -> Result<(), Fault> {
    let modules = program.machine.modules.iter();
    let stores: Vec<Place> = modules.flat_map(|m| &m.edges).flat_map(|edge| edge.action.stores()).collect();
    for place in program.blocks.iter().flat_map(|block| &block.init).flat_map(Expr::reads) {
        if let Place::Global(n) = place
            && let Some(is_kept) = closed.kept.shared.get(n as usize)
            && (!is_kept || stores.contains(&place))
        {
            let name = &program.machine.globals[n as usize].name;
            return refuse(format!("threads start with values that depend on `{name}`, which is not fixed"));
        }
    }
    Ok(())
}

/// It is a state of some thread of the program.
pub(crate) fn state_fits(program: &Concurrent, state: &ThreadState) -> Result<(), Fault> {
    let machine = &program.machine;
    let values_fit = |values: &[u64], variables: &[Variable]| {
        values.len() == variables.len()
            && values.iter().zip(variables).all(|(value, of)| *value <= of.ty.max())
    };
    let frame_fits = |frame: &Frame, callee: Option<&Frame>| {
        let module: &Module = machine.module(frame.module);
        let waits = match (frame.call, callee) {
            (None, None) => true,
            (Some(call), Some(above)) => module.edges.get(call.index()).is_some_and(|edge| {
                edge.from == frame.node
                    && matches!(edge.action, Action::Call { callee, .. } if callee == above.module)
            }),
            _ => false,
        };
        frame.node.index() < module.nodes.len() && values_fit(&frame.locals, &module.locals) && waits
    };
    let block = &program.blocks[state.block as usize];
    let private: Vec<Variable> =
        block.private.iter().map(|place| machine.globals[*place as usize].clone()).collect();
    let above = state.stack.iter().skip(1).map(Some).chain([None]);
    let fits = values_fit(&state.private, &private)
        && !state.stack.is_empty()
        && state.stack.iter().zip(above).all(|(frame, above)| frame_fits(frame, above));
    if fits { Ok(()) } else { refuse(format!("a state of `{}` is none of the program", block.name)) }
}

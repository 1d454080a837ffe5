//! Pairs of a world and the thread that is active in it, level by level.
//!
//! A level holds the pairs that need so many context switches, or so many rounds, and no fewer. Steps stay in their level; so
//! does a change to a thread that has its turn later in the same round. All other changes lead to the next level.

use super::search::{Limits, Unfinished};
use super::start::initials_with;
use super::worlds::{WorldId, Worlds};
use super::{Bound, ThreadId, is_at_in};
use crate::concurrent::{Concurrent, ThreadGoal};
use crate::machine::EdgeId;
use crate::step::Frame;
use crate::trace::{Recorder, Trace};
use crate::values::TooLarge;
use base::Stop;
use rustc_hash::FxHashSet;

base::index_type! {
    /// A pair of a world and the thread that is active in it.
    PairId;
}

/// A world and the thread that is active in it.
#[derive(Clone, Copy)]
struct Pair {
    world: WorldId,
    thread: ThreadId,
    /// How many context switches or rounds it takes.
    cost: u32,
    origin: Origin,
}

/// How a pair was found.
#[derive(Clone, Copy)]
enum Origin {
    /// A run starts here.
    Start,
    /// By a step.
    Step(PairId, EdgeId),
    /// Another thread was active in the same world.
    Change(PairId),
}

/// The pairs found so far. They come level by level, each level from its first pair to its last.
pub(super) struct Levels<'a> {
    program: &'a Concurrent,
    counts: &'a [u32],
    worlds: Worlds<'a>,
    stop: &'a Stop,
    /// The largest cost.
    max_cost: u32,
    /// The position of each thread in a round, if there are rounds.
    positions: Option<Vec<usize>>,
    pairs: Vec<Pair>,
    known: FxHashSet<(WorldId, ThreadId)>,
    /// So many pairs have been given out.
    n_given: usize,
    /// So many pairs have been expanded.
    n_expanded: usize,
    /// Where the present level begins, and its cost.
    level_start: usize,
    level_cost: u32,
}

impl<'a> Levels<'a> {
    /// The pairs with which runs start.
    pub(super) fn new(
        program: &'a Concurrent,
        counts: &'a [u32],
        bound: Bound<'_>,
        limits: Limits,
        stop: &'a Stop,
    ) -> Result<Self, Unfinished> {
        let worlds = Worlds::new(program, counts, limits);
        let (max_cost, positions) = match bound {
            Bound::Switches(switches) => (switches, None),
            Bound::Rounds { rounds, order } => (rounds, Some(positions(order, worlds.n_threads()))),
        };
        // The first step of a run is in the first round, but needs no context switch.
        let level_cost = u32::from(positions.is_some());
        let mut levels = Self {
            program,
            counts,
            worlds,
            stop,
            max_cost,
            positions,
            pairs: Vec::new(),
            known: FxHashSet::default(),
            n_given: 0,
            n_expanded: 0,
            level_start: 0,
            level_cost,
        };
        levels.start(limits)?;
        Ok(levels)
    }

    /// Every thread may be the first to be active. As long as nobody has taken a step, nothing has been spent.
    fn start(&mut self, limits: Limits) -> Result<(), Unfinished> {
        let limit = limits.max_worlds.max(limits.max_outcomes);
        for world in initials_with(self.program, self.counts, Some(&self.worlds.needed), limit)? {
            let world = self.worlds.add(world)?;
            for thread in (0..self.worlds.n_threads()).map(ThreadId::new) {
                self.activate(world, thread, 0, Origin::Start)?;
            }
        }
        Ok(())
    }

    /// The next pair and its cost; costs never fall.
    pub(super) fn next(&mut self) -> Result<Option<(PairId, u32)>, Unfinished> {
        loop {
            if let Some(pair) = self.pairs.get(self.n_given) {
                self.n_given += 1;
                return Ok(Some((PairId::new(self.n_given - 1), pair.cost)));
            }
            if self.level_cost > self.max_cost {
                return Ok(None);
            }
            if self.n_expanded < self.pairs.len() {
                self.expand(PairId::new(self.n_expanded))?;
                self.n_expanded += 1;
            } else if self.level_cost == self.max_cost || !self.next_level()? {
                return Ok(None);
            }
        }
    }

    /// The frame on top of the stack of the active thread.
    pub(super) fn top(&self, pair: PairId) -> Option<&Frame> {
        let Pair { world, thread, .. } = self.pairs[pair.index()];
        self.worlds.top(world, thread)
    }

    /// The active thread is at the goal.
    pub(super) fn is_at(&self, pair: PairId, goal: ThreadGoal) -> Result<bool, TooLarge> {
        let Pair { world, thread, .. } = self.pairs[pair.index()];
        let (_, copy) = self.worlds.roles[thread.index()];
        is_at_in(self.program, &self.worlds.view(world, thread), copy, goal)
    }

    /// Calls were left out because the stack would have become too deep.
    pub(super) fn is_cut(&self) -> bool {
        self.worlds.is_cut
    }

    /// The steps of the active thread, and the threads that may become active in its place at no cost.
    fn expand(&mut self, id: PairId) -> Result<(), Unfinished> {
        self.poll()?;
        let Pair { world, thread, .. } = self.pairs[id.index()];
        for &step in self.worlds.moves(world, thread)?.iter() {
            let after = self.worlds.after(world, thread, step)?;
            self.add(Pair {
                world: after,
                thread,
                cost: self.level_cost,
                origin: Origin::Step(id, step.edge),
            });
        }
        if self.positions.is_some() {
            self.change(id, self.level_cost, |levels, next| levels.is_later(thread, next))?;
        }
        Ok(())
    }

    /// Goes on to what costs one more; says whether there is anything.
    fn next_level(&mut self) -> Result<bool, Unfinished> {
        let level = self.level_start..self.pairs.len();
        self.level_start = level.end;
        for id in level.map(PairId::new) {
            self.poll()?;
            let thread = self.pairs[id.index()].thread;
            self.change(id, self.level_cost + 1, |levels, next| !levels.is_later(thread, next))?;
        }
        self.level_cost += 1;
        Ok(self.level_start < self.pairs.len())
    }

    /// Other threads, some of them, become active.
    fn change(
        &mut self,
        id: PairId,
        cost: u32,
        may_follow: impl Fn(&Self, ThreadId) -> bool,
    ) -> Result<(), Unfinished> {
        let Pair { world, thread, .. } = self.pairs[id.index()];
        if !self.worlds.is_free(world, thread) {
            return Ok(());
        }
        for next in (0..self.worlds.n_threads()).map(ThreadId::new) {
            if next != thread && may_follow(self, next) {
                self.activate(world, next, cost, Origin::Change(id))?;
            }
        }
        Ok(())
    }

    /// A thread becomes active, unless it has ended or its `enforce` forbids it.
    fn activate(
        &mut self,
        world: WorldId,
        thread: ThreadId,
        cost: u32,
        origin: Origin,
    ) -> Result<(), Unfinished> {
        let is_new = !self.known.contains(&(world, thread));
        if is_new && self.worlds.top(world, thread).is_some() && self.worlds.is_allowed(world, thread)? {
            self.add(Pair { world, thread, cost, origin });
        }
        Ok(())
    }

    fn poll(&self) -> Result<(), Unfinished> {
        self.stop.requested().map_or(Ok(()), |reason| Err(Unfinished::Stopped(reason)))
    }

    fn add(&mut self, pair: Pair) {
        if self.known.insert((pair.world, pair.thread)) {
            self.pairs.push(pair);
        }
    }

    /// The other thread has its turn later in the same round.
    fn is_later(&self, thread: ThreadId, other: ThreadId) -> bool {
        self.positions.as_ref().is_some_and(|positions| positions[thread.index()] < positions[other.index()])
    }

    /// The run that led to a pair.
    pub(super) fn run_to(&self, last: PairId, goal: ThreadGoal) -> Trace {
        let mut steps = Vec::new();
        let mut at = self.pairs[last.index()];
        loop {
            match at.origin {
                Origin::Start => break,
                Origin::Step(before, edge) => {
                    steps.push((at.thread, edge, self.worlds.view(at.world, at.thread).state()));
                    at = self.pairs[before.index()];
                }
                Origin::Change(before) => at = self.pairs[before.index()],
            }
        }
        let mut recorder = Recorder::new(&self.program.machine, self.worlds.world(at.world));
        for (thread, edge, after) in steps.into_iter().rev() {
            recorder.step(thread, edge, after);
        }
        recorder.finish(self.pairs[last.index()].thread, goal)
    }
}

/// The position of each thread in an order.
fn positions(order: &[ThreadId], n_threads: usize) -> Vec<usize> {
    let mut positions = vec![None; n_threads];
    for (position, thread) in order.iter().enumerate() {
        positions[thread.index()] = Some(position);
    }
    let is_complete = order.len() == n_threads && positions.iter().all(Option::is_some);
    assert!(is_complete, "every thread occurs once in the order of the threads");
    positions.into_iter().flatten().collect()
}

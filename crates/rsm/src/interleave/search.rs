//! The textbook twin: all runs, one world after the other.
//!
//! Input: a program, the number of copies of each block, goals. Output: the least bounds for them, a run, or whether there
//! is anything beyond some bound. The depth of stacks is limited; calls that would make one deeper are left out, and
//! whoever asks is told.

use super::levels::{Levels, PairId};
use super::{Bound, ThreadId};
use crate::concurrent::{Concurrent, ThreadGoal};
use crate::goal::Goal;
use crate::machine::{ModuleId, NodeId};
use crate::trace::Trace;
use crate::values::TooLarge;
use base::{Stop, StopReason};
use rustc_hash::FxHashMap;
use std::fmt;

/// How much work is allowed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest number of worlds.
    pub max_worlds: usize,
    /// The largest depth of a stack.
    pub max_depth: usize,
    /// The largest number of partial valuations that are looked at for one step.
    pub max_outcomes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_worlds: 1 << 20, max_depth: 1 << 10, max_outcomes: 1 << 16 }
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// There are more worlds than allowed.
    Worlds,
    /// Some stack gets deeper than allowed.
    Depth,
    /// Some step has more outcomes than allowed, or there are too many worlds to start in.
    TooLarge,
    /// Somebody asked to stop.
    Stopped(StopReason),
}

impl From<TooLarge> for Unfinished {
    fn from(TooLarge: TooLarge) -> Self {
        Unfinished::TooLarge
    }
}

impl fmt::Display for Unfinished {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Unfinished::Worlds => "there are too many worlds",
            Unfinished::Depth => "some stack gets too deep",
            Unfinished::TooLarge => "too many values to enumerate",
            Unfinished::Stopped(_) => "stopped",
        })
    }
}

/// The least bounds within which goals are reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Least {
    /// For each goal, so many context switches or rounds are enough; `None` if it was not reached within the bound.
    pub least: Vec<Option<u32>>,
    /// Calls were left out because the stack would have become too deep. Every number is still enough for its goal, but a
    /// smaller one may be, and `None` says nothing. Otherwise the answers are exact.
    pub is_cut: bool,
}

/// Whether all runs have been tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closure {
    /// Every world that can be reached at all, and every thread that can be active in it, is reached within so many context
    /// switches.
    Closed {
        /// The number of context switches.
        switches: u32,
        /// Some goal is reached.
        is_reached: bool,
    },
    /// This is not known.
    Open(Unfinished),
}

/// For each goal, the least number of context switches that a run to it needs, if it is at most `max_switches`. With
/// `u32::MAX` all runs are tried.
pub fn least_switches(
    program: &Concurrent,
    counts: &[u32],
    goals: &[ThreadGoal],
    max_switches: u32,
    limits: Limits,
    stop: &Stop,
) -> Result<Least, Unfinished> {
    least(program, counts, goals, Bound::Switches(max_switches), limits, stop)
}

/// For each goal, the least number of rounds that a run to it needs if the threads run in this order, if it is at most
/// `max_rounds`. In `order` every thread occurs once.
pub fn least_rounds(
    program: &Concurrent,
    counts: &[u32],
    goals: &[ThreadGoal],
    order: &[ThreadId],
    max_rounds: u32,
    limits: Limits,
    stop: &Stop,
) -> Result<Least, Unfinished> {
    least(program, counts, goals, Bound::Rounds { rounds: max_rounds, order }, limits, stop)
}

/// A run within the bound to one of the goals; of all runs, one with as few context switches or rounds as possible. `None`
/// if there is none. It is an error if calls were left out and no run was found.
pub fn find_run(
    program: &Concurrent,
    counts: &[u32],
    goals: &[ThreadGoal],
    bound: Bound<'_>,
    limits: Limits,
    stop: &Stop,
) -> Result<Option<Trace>, Unfinished> {
    let mut levels = Levels::new(program, counts, bound, limits, stop)?;
    let wanted = Wanted::new(program, goals);
    while let Some((pair, _)) = levels.next()? {
        if let Some(goal) = wanted.reached(&levels, pair)?.first() {
            return Ok(Some(levels.run_to(pair, goals[*goal])));
        }
    }
    if levels.is_cut() { Err(Unfinished::Depth) } else { Ok(None) }
}

/// Tries all runs, however many context switches they have. The depth of stacks must stay within the limit.
pub fn closes(
    program: &Concurrent,
    counts: &[u32],
    goals: &[ThreadGoal],
    limits: Limits,
    stop: &Stop,
) -> Closure {
    match exhaust(program, counts, goals, limits, stop) {
        Ok((switches, is_reached)) => Closure::Closed { switches, is_reached },
        Err(unfinished) => Closure::Open(unfinished),
    }
}

/// The number of context switches beyond which nothing is new, and whether a goal is reached.
fn exhaust(
    program: &Concurrent,
    counts: &[u32],
    goals: &[ThreadGoal],
    limits: Limits,
    stop: &Stop,
) -> Result<(u32, bool), Unfinished> {
    let mut levels = Levels::new(program, counts, Bound::Switches(u32::MAX), limits, stop)?;
    let wanted = Wanted::new(program, goals);
    let (mut last, mut is_reached) = (0, false);
    while let Some((pair, cost)) = levels.next()? {
        last = cost;
        is_reached = is_reached || !wanted.reached(&levels, pair)?.is_empty();
        if levels.is_cut() {
            return Err(Unfinished::Depth);
        }
    }
    if levels.is_cut() { Err(Unfinished::Depth) } else { Ok((last, is_reached)) }
}

fn least(
    program: &Concurrent,
    counts: &[u32],
    goals: &[ThreadGoal],
    bound: Bound<'_>,
    limits: Limits,
    stop: &Stop,
) -> Result<Least, Unfinished> {
    let mut levels = Levels::new(program, counts, bound, limits, stop)?;
    let wanted = Wanted::new(program, goals);
    let mut least = vec![None; goals.len()];
    let mut n_missing = goals.len();
    while n_missing > 0
        && let Some((pair, cost)) = levels.next()?
    {
        for goal in wanted.reached(&levels, pair)? {
            if least[goal].is_none() {
                least[goal] = Some(cost);
                n_missing -= 1;
            }
        }
    }
    Ok(Least { least, is_cut: levels.is_cut() })
}

/// The goals by their places.
struct Wanted<'a> {
    goals: &'a [ThreadGoal],
    by_place: FxHashMap<(ModuleId, NodeId), Vec<usize>>,
}

impl<'a> Wanted<'a> {
    fn new(program: &Concurrent, goals: &'a [ThreadGoal]) -> Self {
        let mut by_place: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (n, goal) in goals.iter().enumerate() {
            let place = match goal.goal {
                Goal::At(module, node) => (module, node),
                Goal::Failure(module, edge) => (module, program.machine.module(module).edge(edge).from),
            };
            by_place.entry(place).or_default().push(n);
        }
        Self { goals, by_place }
    }

    /// The goals that a pair reaches, by their positions.
    fn reached(&self, levels: &Levels<'_>, pair: PairId) -> Result<Vec<usize>, TooLarge> {
        let mut reached = Vec::new();
        let place = levels.top(pair).map(|top| (top.module, top.node));
        for &goal in place.and_then(|place| self.by_place.get(&place)).into_iter().flatten() {
            if levels.is_at(pair, self.goals[goal])? {
                reached.push(goal);
            }
        }
        Ok(reached)
    }
}

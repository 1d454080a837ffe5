//! Bounds that do not matter: why a target that is unreachable within a bound is unreachable within every one.

use base::Stop;
use rsm::interleave::{self, Closure, Limits};
use rsm::{Concurrent, Copies, ThreadGoal};

/// Why an answer holds for every bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EveryBound {
    /// Threads that find any shared values the others may leave do not reach it: see `any_schedule.mu`.
    AnySchedule,
    /// No further switch adds a state: so many reach all there are.
    Closed {
        /// That many.
        switches: u32,
    },
}

/// What looking at configurations one by one has shown.
pub(super) enum Exploration {
    /// No goal is reached within any bound, and so many switches reach all there is.
    Unreached {
        /// That many.
        switches: u32,
    },
    /// A larger bound reaches a goal.
    Reached,
    /// There are too many configurations.
    Open,
}

/// So many configurations are looked at, one by one, before the question is left open.
const LIMITS: Limits = Limits { max_worlds: 20_000, max_depth: 64, max_outcomes: 1 << 12 };

/// Looks at all configurations of a program, if there are few: some bound reaches them all, and goals are among them or not.
pub(super) fn find(program: &Concurrent, goals: &[ThreadGoal], stop: &Stop) -> Exploration {
    let number = |copies: Copies| match copies {
        Copies::Number(number) => Some(number),
        Copies::Any => None,
    };
    let counts: Option<Vec<u32>> = program.blocks.iter().map(|block| number(block.copies)).collect();
    let Some(counts) = counts else { return Exploration::Open };
    let Closure::Closed { switches } = interleave::closes(program, &counts, LIMITS, stop) else {
        return Exploration::Open;
    };
    match interleave::least_switches(program, &counts, goals, switches, LIMITS, stop) {
        Ok(found) if found.least.iter().any(Option::is_some) => Exploration::Reached,
        Ok(found) if !found.is_cut => Exploration::Unreached { switches },
        _ => Exploration::Open,
    }
}

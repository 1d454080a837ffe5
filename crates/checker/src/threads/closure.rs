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

/// So many configurations are looked at, one by one, before the question is left open.
const LIMITS: Limits = Limits { max_worlds: 20_000, max_depth: 64, max_outcomes: 1 << 12 };

/// Looks at all configurations of a program, if there are few; `None` if the number of threads is free.
pub(super) fn explore(program: &Concurrent, goals: &[ThreadGoal], stop: &Stop) -> Option<Closure> {
    let number = |copies: Copies| match copies {
        Copies::Number(number) => Some(number),
        Copies::Any => None,
    };
    let counts: Option<Vec<u32>> = program.blocks.iter().map(|block| number(block.copies)).collect();
    Some(interleave::closes(program, &counts?, goals, LIMITS, stop))
}

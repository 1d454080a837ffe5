//! Bounds that do not matter: why a target that is unreachable within a bound is unreachable within every one.

use base::Stop;
use rsm::interleave::{self, Closure, Limits};
use rsm::{Concurrent, Copies};

/// Why an answer holds for every bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EveryBound {
    /// No further switch adds a state: so many reach all there are.
    Closed {
        /// That many.
        switches: u32,
    },
}

/// So many configurations are looked at, one by one, before the question is left open.
const LIMITS: Limits = Limits { max_worlds: 20_000, max_depth: 64, max_outcomes: 1 << 12 };

/// Looks at all configurations of a program, if there are few.
pub(super) fn find(program: &Concurrent, stop: &Stop) -> Option<EveryBound> {
    let number = |copies: Copies| match copies {
        Copies::Number(number) => Some(number),
        Copies::Any => None,
    };
    let counts: Option<Vec<u32>> = program.blocks.iter().map(|block| number(block.copies)).collect();
    match interleave::closes(program, &counts?, LIMITS, stop) {
        Closure::Closed { switches } => Some(EveryBound::Closed { switches }),
        Closure::Open(_) => None,
    }
}

//! Two engines where no thread can be started: they take turns, and the outcome is that of working side by side.
//!
//! Work is counted on a clock that both have in common. An engine that is granted so much on it starts from the beginning and stops when it has used that up; then the other one is granted as much, and
//! then both several times as much. Whoever would have been first on the clock is so: an engine is known to have no answer up to where the other one has its own. All turns together cost a
//! third more than the last ones.

use super::Failure;
use crate::outcome::Outcome;

/// The next turns are so many times as long.
const TIMES: u64 = 4;

/// What an engine came to in a turn.
pub struct Turn {
    /// What it knows.
    pub outcome: Outcome,
    /// How much it has done, on the common clock.
    pub work: u64,
    /// Everything that was asked is known.
    pub is_answer: bool,
    /// It stopped because it has done as much as was granted.
    pub is_cut: bool,
}

/// An engine that is granted so much on the common clock.
pub type Racer<'r> = dyn FnMut(u64) -> Result<Turn, Failure> + 'r;

/// What both come to, of which one has an answer, or both have come to their ends.
pub fn race(first: &mut Racer, second: &mut Racer, start: u64) -> Result<(Turn, Turn), Failure> {
    let mut granted = start;
    loop {
        let one = first(granted)?;
        if one.is_answer {
            let other = second(one.work)?;
            return Ok((one, other));
        }
        let other = second(if one.is_cut { granted } else { u64::MAX })?;
        match (one.is_cut, other.is_cut) {
            _ if other.is_answer => return Ok((one, other)),
            (true, true) => granted = granted.saturating_mul(TIMES),
            (true, false) => return Ok((first(u64::MAX)?, other)),
            (false, _) => return Ok((one, other)),
        }
    }
}

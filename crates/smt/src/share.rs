//! What solvers may take of what a run may take.
//!
//! A limit is for all processes of a run together. How many solvers there are at once is known: two behind pipes, and the engine for Horn clauses in
//! two manners. So each is given a part that does not depend on the others, and two runs give up at the same point. Where parts for all of
//! them would be too small to be of use, the manners of the engine for Horn clauses work one after the other.

use crate::horn::{Begins, Manner};
use crate::pipe::Settings;
use std::time::Duration;

/// The limits of a run, as far as solvers are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// The bytes that all processes may take.
    pub memory: Option<u64>,
    /// The time that is left.
    pub time: Option<Duration>,
}

/// A process takes so many megabytes beside what it counts itself: its text, and what it starts with.
const BESIDE: u64 = 16;

/// With fewer megabytes a solver answers nothing.
const LEAST: u64 = 24;

/// Below so many megabytes for all, the manners of the engine for Horn clauses do not work at once.
const ROOM_FOR_ALL: u64 = 768;

impl Share {
    /// For one of two solvers behind pipes, beside the engine for Horn clauses.
    pub fn of_pipe(&self) -> Settings {
        self.settings(1)
    }

    /// For a solver behind a pipe that is the only one.
    pub fn of_only_pipe(&self) -> Settings {
        self.settings(4)
    }

    /// For the engine for Horn clauses, in one of two manners.
    pub fn of_horn(&self) -> Manner {
        let usual = Manner::default();
        let seconds = self.seconds().map_or(usual.seconds, |seconds| seconds.min(usual.seconds));
        match self.memory {
            Some(bytes) if bytes >> 20 < ROOM_FOR_ALL => {
                let memory = part(bytes, 3).min(usual.memory);
                Manner { memory, seconds, begins: Begins::WhenAwaited, ..usual }
            }
            Some(bytes) => Manner { memory: part(bytes, 2).min(usual.memory), seconds, ..usual },
            None => Manner { seconds, ..usual },
        }
    }

    fn settings(&self, eighths: u64) -> Settings {
        let usual = Settings::default();
        let memory = self.memory.map_or(usual.memory, |bytes| part(bytes, eighths).min(usual.memory));
        Settings { memory, seconds: self.seconds(), ..usual }
    }

    /// How long a process may live that nobody ends: a little longer than we do.
    fn seconds(&self) -> Option<u64> {
        self.time.map(|time| time.as_secs().saturating_add(2))
    }
}

/// So many eighths of what there is, in megabytes as a solver counts them.
fn part(bytes: u64, eighths: u64) -> u64 {
    ((bytes >> 20) * eighths / 8).saturating_sub(BESIDE).max(LEAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(megabytes: u64) -> Share {
        Share { memory: Some(megabytes << 20), time: None }
    }

    #[test]
    fn all_parts_together_are_no_more_than_the_whole() {
        for megabytes in (192..4096).step_by(64) {
            let (pipe, horn) = (share(megabytes).of_pipe(), share(megabytes).of_horn());
            let n_horns = if horn.begins == Begins::AtOnce { 2 } else { 1 };
            let all = 2 * (pipe.memory + BESIDE) + n_horns * (horn.memory + BESIDE);
            assert!(all < megabytes, "{megabytes}: {all}");
        }
    }

    #[test]
    fn without_a_limit_nothing_is_shared_out() {
        let (pipe, horn) = (Share::default().of_pipe(), Share::default().of_horn());
        assert_eq!((pipe.memory, pipe.seconds), (Settings::default().memory, None));
        assert_eq!(horn, Manner::default());
        assert_eq!(share(1 << 20).of_horn(), Manner::default());
    }

    #[test]
    fn nobody_lives_much_longer_than_the_run() {
        let share = Share { memory: None, time: Some(Duration::from_millis(2500)) };
        assert_eq!((share.of_pipe().seconds, share.of_horn().seconds), (Some(4), 4));
        let share = Share { memory: None, time: Some(Duration::from_secs(1 << 20)) };
        assert_eq!(share.of_horn().seconds, Manner::default().seconds);
    }
}

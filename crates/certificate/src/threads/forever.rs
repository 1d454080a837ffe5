//! Certificates about infinite runs of threads: every configuration, with a class that says why no accepted run stays there.
//!
//! A configuration has values of the shared variables, the state of each thread, and that of the observer. [`write`](fn@write) prints
//! such a set, [`read`](fn@read) parses it, and [`validate`](fn@validate) decides whether it proves that no run without an end is accepted by
//! the observer under a scheduler. Steps come from `rsm::interleave`, letters from `rsm::observe`; nothing is shared with the search.
//!
//! ```text
//! getafix certificate of infinite runs of threads 1
//! claim ltl G\20;F\20;at(EAT)       what is claimed
//! scheduler weak                    which schedules count
//! stops everywhere                  as in other certificates of threads; so are `shared`, `keep`, `wait` and `s0`
//! shared g h
//! threads p 0                       a group of threads that are not told apart: a block and its copies
//! threads p 1 2
//! s0 = 1 0
//! l0 = p own=1 ; main 3 x=0         where a thread is between its moves
//! l1 = p ended 4                    it has ended; the number is what the observer sees of it
//! l2 = p done 0                     nothing is possible any more
//! l3 = p spin 0                     it goes on for ever, and nobody notices
//! l4 = p spin inside 0              the same in an atomic region
//! starve 7 1 l0                     in class 7 threads of group 1, counted from 0, that are at l0 never move
//! within 9 7                        class 9 is a part of class 7
//! c s0 l0 l0 l2 q1 k9               a configuration: its threads, the state of the observer, its innermost class
//! ```

mod check;
mod moves;
mod read;
mod write;

pub use check::{Figures, Outcome, validate};
pub use read::{is_of_infinite_runs, parts, read};
pub use write::write;

use super::Kept;
use crate::Claim;
use rsm::interleave::{Scheduler, ThreadState};
use rsm::observe::Letter;
use rustc_hash::FxHashMap;

/// What a certificate says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endless {
    /// What is claimed.
    pub claim: Claim,
    /// Which schedules count.
    pub scheduler: Scheduler,
    /// Threads may be left after every step, also where nobody would notice the next one.
    pub stops_everywhere: bool,
    /// Which variables have values where.
    pub kept: Kept,
    /// The threads, in groups whose members are not told apart: a block and its copies.
    pub groups: Vec<(u32, Vec<u32>)>,
    /// Values of the shared variables; 0 where they may be any.
    pub shared: Vec<Vec<u64>>,
    /// Where threads are between their moves, with their blocks.
    pub states: Vec<(u32, Standing)>,
    /// The configurations, one behind the other: shared values, the state of each thread by groups, the state of the observer.
    pub configurations: Vec<u32>,
    /// For each configuration its innermost class.
    pub class_of: Vec<u32>,
    /// The classes in which somebody starves, and those within another one.
    pub classes: FxHashMap<u32, Class>,
}

/// How a thread is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Standing {
    /// It may be left here, as copy 0.
    At(ThreadState),
    /// It does nothing any more; the observer sees this of it.
    Done {
        /// What is seen.
        bits: Letter,
        /// It has ended, and is not only blocked.
        has_ended: bool,
    },
    /// It goes on for ever unnoticed.
    Spin {
        /// What is seen.
        bits: Letter,
        /// It is in an atomic region, and all others stand still.
        is_inside: bool,
    },
}

/// Configurations that may be passed again and again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Class {
    /// The class around it.
    pub around: Option<u32>,
    /// States in which threads of a group starve, each with the group: nobody who is there moves inside of the class.
    pub starved: Vec<(u32, u32)>,
}

impl Endless {
    /// How many numbers a configuration has.
    pub(crate) fn width(&self) -> usize {
        self.groups.iter().map(|(_, copies)| copies.len()).sum::<usize>() + 2
    }
}

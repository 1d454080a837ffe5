//! Certificates for programs with threads: a set of configurations that no run leaves, and the code that checks it.
//!
//! A configuration has values of the shared variables and, for each group of threads, how many are in which state. [`write`](fn@write)
//! prints such a set, [`read`](fn@read) parses it, and [`validate`](fn@validate) decides whether it proves that no schedule reaches a
//! goal. Validation takes its steps from `rsm::interleave` and shares nothing with the search that found the set.
//!
//! ```text
//! getafix certificate of threads 1
//! target main:ERROR
//! stops everywhere                  threads are left after every step; without this line only where others may notice the next one
//! shared g h                        shared variables that have values; the others may have any
//! keep main 3 x y                   what has values while a thread is at node 3 of a function
//! wait main 5 x                     what has values while it waits for the call that is edge 5
//! threads worker                    a group: all copies of a block, or one of them, `worker[0]`
//! s0 = 1 0                          shared values
//! l0 = worker ; main call 5 x=1 ; get 3 y=0      a state of a thread: private values, then its stack
//! c s0 start*2 l0 / done            a configuration, groups separated by `/`
//! ```
//!
//! `start` is a thread that has not run, `done` one that does nothing any more, `*2` says that two are in this state and `*any` that
//! any number may be. A configuration stands for all with at most so many threads in each state.

pub(crate) mod check;
mod cover;
pub mod forever;
mod kept;
pub(crate) mod moves;
mod noticed;
pub(crate) mod read;
pub(crate) mod write;

pub use check::{Figures, validate};
pub use kept::Kept;
pub use read::{Problem, is_of_threads, read};
pub use write::write;

use rsm::interleave::ThreadState;

/// What a certificate says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClosedSet {
    /// What is claimed to be unreachable, in words.
    pub targets: Vec<String>,
    /// Which variables have values where.
    pub kept: Kept,
    /// Threads may be left after every step, also where nobody would notice the next one.
    pub stops_everywhere: bool,
    /// The threads, in groups whose members are not told apart.
    pub groups: Vec<Group>,
    /// Values of the shared variables; 0 where they may be any.
    pub shared: Vec<Vec<u64>>,
    /// States of threads that have run, as copy 0; 0 where a value may be any.
    pub states: Vec<ThreadState>,
    /// The configurations.
    pub configurations: Vec<Configuration>,
}

/// Threads that are not told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// Their block.
    pub block: u32,
    /// The only one that is meant; none if all copies are.
    pub copy: Option<u32>,
}

/// How a thread is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Local {
    /// It has not run.
    Start,
    /// It does nothing any more.
    Done,
    /// It is in this one of the states.
    At(u32),
}

/// How many threads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Count {
    /// So many.
    Number(u32),
    /// Any number.
    Any,
}

/// How many threads of a group are in which state, by states, ascending.
pub type Standings = Vec<(Local, Count)>;

/// All threads at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Configuration {
    /// A position among the shared values.
    pub shared: u32,
    /// For each group how its threads are.
    pub threads: Vec<Standings>,
}

impl Configuration {
    /// One thread of a group has gone from one state to another, and shared values have changed.
    pub(crate) fn after(&self, group: usize, from: Local, shared: u32, to: Local) -> Self {
        let mut after = Self { shared, threads: self.threads.clone() };
        let states = &mut after.threads[group];
        if let Ok(at) = states.binary_search_by_key(&from, |(local, _)| *local) {
            match &mut states[at].1 {
                Count::Number(number) if *number <= 1 => drop(states.remove(at)),
                Count::Number(number) => *number -= 1,
                Count::Any => {}
            }
        }
        match states.binary_search_by_key(&to, |(local, _)| *local) {
            Ok(at) => {
                if let Count::Number(number) = &mut states[at].1 {
                    *number += 1;
                }
            }
            Err(at) => states.insert(at, (to, Count::Number(1))),
        }
        after
    }

    /// Every configuration that the other stands for is one of these.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        let has = |own: &[(Local, Count)], (local, count): &(Local, Count)| {
            let at = own.binary_search_by_key(local, |(local, _)| *local);
            at.is_ok_and(|at| own[at].1 >= *count)
        };
        self.shared == other.shared
            && self.threads.iter().zip(&other.threads).all(|(own, of)| of.iter().all(|pair| has(own, pair)))
    }
}

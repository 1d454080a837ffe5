//! Programs made to order: families for measurements, random programs for tests.
//!
//! - In: the name of a family, its size `n` and [`Options`]; or a seed.
//! - Out: the text of a program, the same bytes for the same input, with what is known of its answer.
//! - Never: read a program, look at a clock.
//!
//! Invariants: every program asks whether its label `ERROR` is reachable; its first
//! line says what it is; where the answer is known, lines `// expect…: …, because …` follow, for programs with
//! threads with the bound the answer depends on. The size of the text is linear in `n`, but for `szymanski`.
//!
//! [`family`] gives the value `n` to all numbers of threads of a program; [`concurrent`] has a function for each of
//! these families, with all its parameters.

#![forbid(unsafe_code)]

mod page;

mod counter;
mod driver;
mod levels;
pub mod levels_in_c;
mod mixed;
mod multiplier;
mod quicksort;
mod relevance;
mod terminator;

pub mod concurrent;
pub mod control_in_c;
pub mod dice;
pub mod random;

use concurrent::{Count, Variant};
use std::fmt;
use std::num::NonZeroU32;

/// What a family is asked for besides its size. A family refuses what it does not know, except the seed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Decides everything random.
    pub seed: u64,
    /// Without the bug the program is known for.
    pub fixed: bool,
    /// The variant whose `ERROR` is reachable.
    pub reachable: bool,
    /// So many more globals, written at random.
    pub globals: u32,
}

/// A family of programs.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Its name on the command line.
    pub name: &'static str,
    /// What its programs are, in half a line, and what `n` counts.
    pub about: &'static str,
    /// The smallest and the largest `n`.
    pub range: (u32, u32),
    /// The options it knows, of `fixed`, `reachable` and `globals`.
    pub options: &'static [&'static str],
    program: fn(u32, &Options) -> String,
}

/// All families, by name.
pub const FAMILIES: [Family; 26] = [
    Family {
        name: "bluetooth",
        about: "n threads that use a driver and n that stop it",
        range: (1, 1_000_000),
        options: &["fixed"],
        program: bluetooth,
    },
    Family {
        name: "bounded_buffer",
        about: "n producers and n consumers with a buffer",
        range: (2, 1_000),
        options: &["reachable"],
        program: |n, options| concurrent::bounded_buffer(number(n), correct_unless(options)),
    },
    Family {
        name: "copied",
        about: "n pairs of globals that are changed pair by pair",
        range: (1, 1_000),
        options: &["reachable"],
        program: relevance::copied,
    },
    Family {
        name: "count",
        about: "two counters of n bits in step",
        range: (1, 64),
        options: &["reachable"],
        program: relevance::count,
    },
    Family {
        name: "counter",
        about: "a counter of n bits, increased 2^n times by nested calls",
        range: (1, 10_000),
        options: &["reachable"],
        program: counter::program,
    },
    Family {
        name: "dekker",
        about: "mutual exclusion of n = 2 threads",
        range: (2, 2),
        options: &["reachable"],
        program: |_, options| concurrent::dekker(correct_unless(options)),
    },
    Family {
        name: "driver",
        about: "n procedures that keep a locking discipline, about 25 lines each",
        range: (1, 100_000),
        options: &["reachable", "globals"],
        program: driver::program,
    },
    Family {
        name: "growing",
        about: "a counter of n bits that only grows",
        range: (3, 64),
        options: &["reachable"],
        program: relevance::growing,
    },
    Family {
        name: "irrelevant",
        about: "n globals that steer branches, and one that matters",
        range: (2, 1_000),
        options: &["reachable"],
        program: relevance::irrelevant,
    },
    Family {
        name: "lock_free_stack",
        about: "a stack that n threads change by compare-and-swap",
        range: (2, 1_000_000),
        options: &["reachable"],
        program: |n, options| concurrent::lock_free_stack(number(n), correct_unless(options)),
    },
    Family {
        name: "mixed",
        about: "n globals that steer branches beside counters, pairs and calls that keep something true",
        range: (2, 1_000),
        options: &["reachable"],
        program: mixed::program,
    },
    Family {
        name: "multiplier",
        about: "a multiplication of two constants of n bits",
        range: (1, 64),
        options: &["reachable"],
        program: multiplier::program,
    },
    Family {
        name: "nested",
        about: "n counters of 8 bits, each in the loop of the one before",
        range: (1, 1_000),
        options: &["reachable"],
        program: relevance::nested,
    },
    Family {
        name: "parity",
        about: "a counter of n bits that grows by two",
        range: (2, 64),
        options: &["reachable"],
        program: relevance::parity,
    },
    Family {
        name: "permuted",
        about: "n locals that are copied to others in another order",
        range: (1, 1_000),
        options: &["reachable"],
        program: relevance::permuted,
    },
    Family {
        name: "peterson",
        about: "mutual exclusion of n = 2 threads",
        range: (2, 2),
        options: &["reachable"],
        program: |_, options| concurrent::peterson(correct_unless(options)),
    },
    Family {
        name: "philosophers",
        about: "n threads that share forks and may deadlock",
        range: (2, 1_000),
        options: &["fixed"],
        program: philosophers,
    },
    Family {
        name: "quicksort",
        about: "a quicksort over indices of n bits that may run forever",
        range: (2, 64),
        options: &["fixed"],
        program: quicksort::program,
    },
    Family {
        name: "random",
        about: "random programs of about n statements, in every construct of the language",
        range: (1, 10_000),
        options: &[],
        program: random::family,
    },
    Family {
        name: "readers_writers",
        about: "a room for n readers or one of n writers",
        range: (2, 1_000_000),
        options: &["reachable"],
        program: readers_writers,
    },
    Family {
        name: "rounds",
        about: "a loop of a million rounds, its counter of n bits",
        range: (2, 64),
        options: &["reachable"],
        program: relevance::rounds,
    },
    Family {
        name: "szymanski",
        about: "mutual exclusion of n threads, a text of n^2 conditions",
        range: (2, 100),
        options: &["reachable"],
        program: |n, options| concurrent::szymanski(number(n), correct_unless(options)),
    },
    Family {
        name: "t1",
        about: "n nested levels of calls; reachable for even n",
        range: (1, 1_000_000),
        options: &[],
        program: levels::t1,
    },
    Family {
        name: "t2",
        about: "n nested levels of calls, the innermost recursive",
        range: (1, 1_000_000),
        options: &[],
        program: levels::t2,
    },
    Family {
        name: "terminator",
        about: "a termination argument over 2n + 5 locals",
        range: (2, 10_000),
        options: &[],
        program: terminator::program,
    },
    Family {
        name: "ticket_lock",
        about: "a lock that serves n threads in order",
        range: (2, 1_000),
        options: &["reachable"],
        program: |n, options| concurrent::ticket_lock(number(n), correct_unless(options)),
    },
];

/// Why there is no such program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// No family has this name.
    UnknownFamily {
        /// What was asked for.
        name: String,
    },
    /// The family has no program of this size.
    OutOfRange {
        /// The family.
        family: &'static str,
        /// What was asked for.
        n: u32,
        /// The smallest and the largest size.
        range: (u32, u32),
    },
    /// The family does not know an option.
    UnknownOption {
        /// The family.
        family: &'static str,
        /// The option, as it is called in [`Options`].
        option: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFamily { name } => {
                let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
                write!(f, "no family is called `{name}`; there are {}", names.join(", "))
            }
            Self::OutOfRange { family, n, range: (least, most) } => {
                write!(f, "`{family}` needs n from {least} to {most}, found {n}")
            }
            Self::UnknownOption { family, option } => write!(f, "`{family}` has no option `--{option}`"),
        }
    }
}

impl std::error::Error for Error {}

/// The program of size `n` of the family called `name`.
pub fn family(name: &str, n: u32, options: &Options) -> Result<String, Error> {
    let family = FAMILIES.iter().find(|family| family.name == name);
    let family = family.ok_or_else(|| Error::UnknownFamily { name: name.to_owned() })?;
    if n < family.range.0 || n > family.range.1 {
        return Err(Error::OutOfRange { family: family.name, n, range: family.range });
    }
    let asked =
        [("fixed", options.fixed), ("reachable", options.reachable), ("globals", options.globals > 0)];
    for (option, given) in asked {
        if given && !family.options.contains(&option) {
            return Err(Error::UnknownOption { family: family.name, option });
        }
    }
    Ok((family.program)(n, options))
}

fn bluetooth(n: u32, options: &Options) -> String {
    let variant = if options.fixed { Variant::Correct } else { Variant::Broken };
    let count = Count::Number(number(n));
    concurrent::bluetooth(count, count, variant)
}

fn philosophers(n: u32, options: &Options) -> String {
    let variant = if options.fixed { Variant::Correct } else { Variant::Broken };
    concurrent::philosophers(number(n), variant)
}

fn readers_writers(n: u32, options: &Options) -> String {
    let count = Count::Number(number(n));
    concurrent::readers_writers(count, count, correct_unless(options))
}

fn correct_unless(options: &Options) -> Variant {
    if options.reachable { Variant::Broken } else { Variant::Correct }
}

/// A size that the range of a family with threads allows.
fn number(n: u32) -> NonZeroU32 {
    NonZeroU32::new(n).expect("the ranges of families with threads begin above 0")
}

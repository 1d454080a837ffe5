//! What the tests of all crates share, and nothing that a program of ours uses.
//!
//! - In: texts of programs, seeds, the path of a program to run.
//! - Out: machines; random choices with counts of what they made; folders, runs of programs and what these left behind; outputs compared with what was expected.
//! - Never: depend on an engine: whoever tests an engine has it already.

#![forbid(unsafe_code)]

mod programs;

mod counts;

mod folder;
mod goals;
mod names;
mod runs;

pub mod expected;

pub mod random_c;
pub mod random_memory_c;

pub use counts::{Counts, is_chosen};
pub use folder::Folder;
pub use generate::random::seeds;
pub use goals::all_goals;
pub use names::{partition, renamed};
pub use programs::{load, lower, lower_threads};
pub use runs::{Outcome, alone, compile_c, has_c_compiler, run};

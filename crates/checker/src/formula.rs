//! The room where formula files are read.
//!
//! In: the text of a formula file, the way to what it loads, the templates of a program, and what whoever asks says about its names. Out:
//! [`Formula`], the file as a value, and [`Checked`]: the system to evaluate, its query, what the file says about its tuples, and what
//! the query can tell apart.
//!
//! Never: evaluates anything, or looks at a run.

mod algorithm;
mod checked;
pub(crate) mod conditions;
mod file;
pub(crate) mod labels;
pub(crate) mod names;
pub(crate) mod notes;
mod query_class;
mod states_apart;

pub use algorithm::{
    ALGORITHMS, Algorithm, DEFAULT, DEFAULT_FOR_ROUNDS, DEFAULT_FOR_ROUNDS_OF_ANY, DEFAULT_FOR_SWITCHES,
    Programs, algorithm, part,
};
pub use checked::note_errors;
pub(crate) use checked::{Checked, check};
pub use file::{Formula, FormulaFile};
pub use notes::{BoundNote, Counts};

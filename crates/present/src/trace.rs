//! Runs for people and programs: a table of steps, the program with its executed lines marked, a JSON object.
//!
//! All three are views of one [`Story`]. Contract: the run has been replayed, so that its steps are steps of the program. Variables and
//! steps that are not in the text are neither shown nor counted. The output is linear in the size of the run, in which calls that
//! occur twice are stored once, however many steps it has when it is written out.

mod beginning;
mod effect;
mod ending;
mod forever;
mod hidden;
mod labels;
mod margin;
mod narrator;
mod object;
mod reads;
mod statement;
mod story;
mod table;
mod teller;
mod text;
mod waiting;
mod watch;

pub use effect::{Effect, list, valuation};
pub use forever::Cycle;
pub(crate) use forever::{bracket, count, growth};
pub use labels::Named;
pub(crate) use margin::{Mark, marked};
pub use narrator::{Assignment, Holder, Moment, Narrator};
pub use statement::Statement;
pub(crate) use story::thread_name;
pub use story::{Beat, Chapter, Story, What};
pub use table::{Row, Table};
pub use watch::{Passed, Watch};

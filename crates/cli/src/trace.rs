//! Traces for people and programs: a table of steps, the program with its executed lines marked, a JSON object.
//!
//! Contract: the output is linear in the size of the trace, in which a run of a function that occurs twice is stored once,
//! however many steps the trace has when it is written out.

mod effect;
mod mentioned;
mod nest;
mod object;
mod reads;
mod source;
mod statement;
mod story;
mod table;
mod threads;

pub use effect::{Moment, Narrator, list};
pub use nest::nest;
pub use object::object;
pub use source::source;
pub use story::Story;
pub use table::{Row, Table};
pub use threads::Interleaved;

use base::Sources;
use checker::Trace;
use rsm::Rsm;

/// The trace as a table of steps.
pub fn text(rsm: &Rsm, sources: &Sources, trace: &Trace) -> String {
    let story = Story::new(&Narrator { rsm, sources }, trace);
    let steps = match trace.n_steps() {
        1 => "1 step".to_owned(),
        u128::MAX => "more than 10^38 steps".to_owned(),
        n => format!("{n} steps"),
    };
    format!("{steps}\n\n{}", Table::new(&story.rows).text(&story.rows))
}

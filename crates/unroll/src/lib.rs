//! All runs of an integer program at once, as far as loops end: what they reach is one question about bits.
//!
//! - In: a program, with memory or without, bounds, an SMT solver.
//! - Out: for each target and each fault the condition under which a run comes there, in terms of its inputs; whether a condition can hold, and inputs for which it does.
//! - Never: leave out a run without saying so; believe that a run exists: inputs are to be tried.

#![forbid(unsafe_code)]

mod terms;

mod order;
mod state;
mod value;

mod evaluate;
mod machine;
mod memory;

mod ask;
mod script;

pub use ask::{Asked, Oracle};
pub use machine::{Bounds, Results, Unrolled, is_overflow, unroll};
pub use terms::{Bool, Int, Made, NO, Number, Terms, Truth, YES};
pub use value::Beyond;

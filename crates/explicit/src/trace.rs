//! Runs of the program, rebuilt from the parents of states.
//!
//! What the search did not keep, values that nothing reads, is filled in: choices are 0 there.

mod build;
mod lasso;

pub(crate) use build::trace;
pub(crate) use lasso::{Edges, lasso};

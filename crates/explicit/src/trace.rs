//! Runs of the program, rebuilt from the parents of states.
//!
//! What the search did not keep, values that nothing reads, is filled in: choices are 0 there.

mod build;
mod graph;
mod lasso;

pub(crate) use build::trace;
pub(crate) use graph::{At, Entrance, Graph, Here, Move};
pub(crate) use lasso::{Edges, lasso};

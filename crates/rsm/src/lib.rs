//! Recursive state machines: what a program is, whatever language it was written in.
//!
//! Contract: an [`Rsm`] is well-typed by construction of the front ends. It has one concrete semantics, `step`; every
//! engine is judged against it. This crate knows no logic and no decision diagrams.

#![forbid(unsafe_code)]

mod concurrent;
mod dot;
pub mod explicit;
mod expr;
mod game;
mod goal;
pub mod interleave;
mod localise;
mod machine;
mod mentioned;
pub mod observe;
mod reduce;
pub mod run;
mod show;
pub mod step;
pub mod trace;
pub mod values;
mod visibility;

pub use concurrent::{Concurrent, Copies, Slot, Start, ThreadBlock, ThreadGoal};
pub use dot::dot;
pub use expr::*;
pub use game::{Game, ModuleGame, Move};
pub use goal::Goal;
pub use localise::{Kept, localise};
pub use machine::*;
pub use mentioned::Mentioned;
pub use reduce::{
    Block, Reduced, ReducedModule, Reduction, Reductions, UnknownReduction, reduce, reduce_threads,
};
pub use show::{show, show_action, show_expr, show_type};

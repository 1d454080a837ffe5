//! Recursive state machines: what a program is, whatever language it was written in.
//!
//! - In: a machine ([`Rsm`]), well typed by construction of the front ends; threads over one ([`Concurrent`]).
//! - Out: its one meaning ([`step`], [`interleave`]), views with fewer points ([`reduce`](fn@reduce)), runs recorded and replayed ([`trace`]).
//! - Never: know a syntax, a logic or decision diagrams.
//!
//! Every engine is judged against that meaning.

#![forbid(unsafe_code)]

mod concurrent;
mod differences;
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
mod split;
pub mod step;
pub mod trace;
pub mod values;
mod visibility;

pub use concurrent::{Concurrent, Copies, Slot, Start, ThreadBlock, ThreadGoal};
pub use differences::{n_values, with_known_differences};
pub use dot::dot;
pub use expr::*;
pub use game::{Game, ModuleGame, Move};
pub use goal::Goal;
pub use localise::{Kept, localise, localise_threads};
pub use machine::*;
pub use mentioned::Mentioned;
pub use reduce::{
    Block, Reduced, ReducedModule, Reduction, Reductions, UnknownReduction, reduce, reduce_threads,
};
pub use show::{show, show_action, show_expr, show_type};
pub use split::{Split, split_goals};

//! Claims about integer programs, and whether they are proofs.
//!
//! - In: an integer program, a [`Claim`], an SMT solver.
//! - Out: whether the claim is a proof, or which rule it fails; claims as text.
//! - Never: look for claims, or believe whoever did.
//!
//! A [`Claim`] is a formula for each node of each function, which is to hold whenever a run is there. That makes it a proof that no target is
//! reached, whoever found it: [`check()`] asks a solver one question without quantifiers for each rule of the program, and nothing else is
//! believed. That a run never ends is a claim of the same kind, about the program whose targets are the ends of runs. That every run ends is one about a program without targets,
//! together with measures, terms that decrease.

#![forbid(unsafe_code)]

mod claim;

mod check;
mod decrease;
mod encode;
mod rules;

mod cells;
mod every;
mod measures;
mod outline;
mod text;

pub use cells::{CellsOf, chosen, told};
pub use check::{Figures, Reason, Refused, Rule, check, check_about, check_with};
pub use claim::{Claim, Measure, Statement, Types, asked, subject, subject_with};
pub use decrease::cycles;
pub use outline::{Invariant, outline};
pub use rules::{Rules, Transition};
pub use text::{Draft, Header, write};

//! The room where a formula is evaluated about a program.
//!
//! In: a machine, targets, a formula file, and how much work is allowed. Out: a [`Report`] of what the solver found out: findings, a run, a
//! certificate, what the file asks beside its verdict; or what lies in between, as text.
//!
//! Never: decides what to believe of a report, which formula to ask, or whether to ask again. That is for engines.

pub mod abstraction;
mod certify;
mod clauses;
mod report;
mod session;
mod shortest;
pub(crate) mod side_answers;
mod stage;

pub use clauses::{ClauseFigures, clauses};
pub use report::{Asks, CertificateReport, Report, TraceReport};
pub(crate) use session::{Arranged, check_along, complete};
pub use session::{Options, check};
pub use shortest::shortest;
pub use side_answers::{List, Said, SideAnswer};
pub(crate) use stage::Staged;
pub use stage::{Dialect, Stage, show, show_threads, translate, translate_threads};

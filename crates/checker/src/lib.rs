//! From a program, a question and a formula to a verdict, a trace and a certificate.
//!
//! Contract: `REACHABLE` comes with a trace that `rsm::step` has replayed; running out of something is `Unknown` with a reason.
//! Does no I/O and owns no clock.

#![forbid(unsafe_code)]

mod algorithm;
mod certify;
mod concrete;
mod facts;
mod formula;
mod session;
mod shortest;
mod skeleton;
mod stage;
mod target;
mod trace;

pub use algorithm::{ALGORITHMS, Algorithm, DEFAULT, algorithm};
pub use formula::FormulaFile;
pub use session::{CertificateReport, Failure, Options, Report, TraceReport, Verdict, check};
pub use shortest::{ShortestError, shortest};
pub use stage::{Dialect, Stage, show, translate};
pub use target::{Target, TargetError, default_targets, find_target};
pub use trace::{Run, State, Step, Trace};

//! From a program, a question and a formula to a verdict, a trace and a certificate.
//!
//! Contract: `REACHABLE` comes with a trace that `rsm::step` has replayed; running out of something is `Unknown` with a reason.
//! Does no I/O and owns no clock.
//!
//! # Example
//!
//! A program is loaded and lowered, a formula is chosen, the question is asked. The verdict comes with a trace or a certificate.
//!
//! ```
//! use checker::{CertificateReport, FormulaFile, Options, TraceReport, Verdict};
//!
//! let text = "decl x; void main() begin x := F; if (*) then x := !x; fi; assert(!x); end";
//! let mut sources = base::Sources::default();
//! let (program, _warnings) = bp::load(&mut sources, "demo.bp", text).unwrap();
//! let machine = bp::lower(&program).unwrap();
//! let targets = checker::default_targets(&machine).unwrap();
//!
//! // One of the formulas that come with the program; any text over the same relations will do.
//! let algorithm = checker::algorithm("entry_forward").unwrap();
//! let mut read = |name: &str| Err(format!("`{name}` is not there"));
//! let file = FormulaFile { name: "entry_forward.mu", text: algorithm.text, read: &mut read, params: &[] };
//!
//! let options = Options {
//!     reductions: rsm::Reductions::ALL,
//!     symbolic: false,
//!     trace: true,
//!     certificate: true,
//!     memory: None,
//!     stop: base::Stop::default(),
//!     gauge: Default::default(),
//!     clock: || std::time::Duration::ZERO,
//! };
//! let report = checker::check(&machine, &targets, file, &options, &mut sources).unwrap();
//! match (&report.verdict, &report.trace, &report.certificate) {
//!     (Verdict::Reachable, TraceReport::Replayed(trace), _) => println!("a run of {} steps", trace.n_steps()),
//!     (Verdict::Unreachable, _, CertificateReport::Written(proof)) => println!("{proof}"),
//!     other => println!("{other:?}"),
//! }
//! # assert_eq!(report.verdict, Verdict::Reachable);
//! # assert!(matches!(report.trace, TraceReport::Replayed(trace) if trace.n_steps() == 3));
//! ```

#![forbid(unsafe_code)]

mod algorithm;
mod certify;
mod concrete;
mod engine;
mod facts;
mod formula;
mod notes;
mod outcome;
mod problem;
mod session;
mod shortest;
mod skeleton;
mod stage;
mod target;
mod threads;

pub use algorithm::{
    ALGORITHMS, Algorithm, DEFAULT, DEFAULT_FOR_ROUNDS, DEFAULT_FOR_ROUNDS_OF_ANY, DEFAULT_FOR_SWITCHES,
    Programs, algorithm, part,
};
pub use engine::{Asker, Compare, Engine, Failure, Limits, Sequentialized, Symbolic, Twin};
pub use formula::{Formula, FormulaFile};
pub use notes::{BoundNote, Counts};
pub use outcome::{Finding, Missing, Outcome, Unknown, Verdict};
pub use problem::{Bound, Problem, Wanted, WantedTrace};
pub use session::{CertificateReport, Options, Report, TraceReport, check};
pub use shortest::{ShortestError, shortest};
pub use stage::{Dialect, Stage, show, translate};
pub use target::{Target, TargetError, default_targets, find_target};
pub use templates::{Word, words};
pub use threads::{
    EveryBound, Scheduling, ThreadReport, Trials, check_threads, default_thread_targets, find_thread_target,
};

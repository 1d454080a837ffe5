//! From a program and a question to a verdict, a run and a proof: Getafix as a library.
//!
//! A [`Problem`] is a program, a machine or an [`IntegerProgram`], with targets, and in programs with threads a bound. An [`Engine`] for such a [`Subject`] answers it within [`Limits`]; what comes
//! out is an [`Outcome`]: a verdict, the least bound, evidence, figures, and one [`Unknown`] that says why where nothing is known.
//!
//! - In: a [`Problem`] and [`Limits`].
//! - Out: an [`Outcome`]; `Reachable` comes with a run that the concrete semantics has replayed, if one is wanted; running out of something is `Unknown` with a reason.
//! - Never: read, write, look at a clock.
//!
//! # Check
//!
//! ```
//! use checker::{Asker, Engine, Formula, Limits, Problem, Question, Symbolic, Verdict};
//! use rsm::Concurrent;
//!
//! let text = "decl x; void main() begin x := F; if (*) then x := !x; fi; assert(!x); end";
//! let mut sources = base::Sources::default();
//! let (program, _warnings) = bp::load(&mut sources, "demo.bp", text).unwrap();
//! let program = Concurrent::sequential(bp::lower(&program).unwrap());
//! let targets = checker::default_targets(&program.machine).unwrap();
//! let problem = Problem::new(&program, Question::Reach, &targets);
//!
//! let engine = Symbolic::new(Formula::default());
//! let mut asker = Asker { sources: &mut sources, known: &mut |_, _| {} };
//! let outcome = engine.answer(&problem, &Limits::default(), &mut asker).unwrap();
//! assert_eq!(outcome.finding.verdict, Verdict::Yes);
//! ```
//!
//! # Trace
//!
//! ```
//! # use checker::*;
//! # use rsm::Concurrent;
//! # let text = "decl x; void main() begin x := F; if (*) then x := !x; fi; assert(!x); end";
//! # let mut sources = base::Sources::default();
//! # let (program, _) = bp::load(&mut sources, "demo.bp", text).unwrap();
//! # let program = Concurrent::sequential(bp::lower(&program).unwrap());
//! # let targets = checker::default_targets(&program.machine).unwrap();
//! let wanted = Wanted { trace: WantedTrace::Shortest, certificate: false };
//! let problem = Problem { wanted, ..Problem::new(&program, Question::Reach, &targets) };
//! # let mut asker = Asker { sources: &mut sources, known: &mut |_, _| {} };
//! let outcome = Symbolic::new(Formula::default()).answer(&problem, &Limits::default(), &mut asker).unwrap();
//! let trace = outcome.trace.unwrap();
//! assert_eq!(trace.n_steps(), 3);
//! trace.replay(&program, &problem.goals()).unwrap();
//! ```
//!
//! # Certificate
//!
//! ```
//! # use checker::*;
//! # use rsm::Concurrent;
//! # let text = "decl x; void main() begin x := F; assert(!x); end";
//! # let mut sources = base::Sources::default();
//! # let (program, _) = bp::load(&mut sources, "demo.bp", text).unwrap();
//! # let program = Concurrent::sequential(bp::lower(&program).unwrap());
//! # let targets = checker::default_targets(&program.machine).unwrap();
//! let wanted = Wanted { trace: WantedTrace::None, certificate: true };
//! let problem = Problem { wanted, ..Problem::new(&program, Question::Reach, &targets) };
//! # let mut asker = Asker { sources: &mut sources, known: &mut |_, _| {} };
//! let outcome = Symbolic::new(Formula::default()).answer(&problem, &Limits::default(), &mut asker).unwrap();
//! assert_eq!(outcome.finding.verdict, Verdict::No);
//! assert!(outcome.certificate.unwrap().starts_with("getafix certificate"));
//! ```
//!
//! # A formula of your own
//!
//! ```
//! # use checker::*;
//! # use rsm::Concurrent;
//! # let text = "decl x; void main() begin x := T; assert(!x); end";
//! # let mut sources = base::Sources::default();
//! # let (program, _) = bp::load(&mut sources, "demo.bp", text).unwrap();
//! # let program = Concurrent::sequential(bp::lower(&program).unwrap());
//! # let targets = checker::default_targets(&program.machine).unwrap();
//! # let problem = Problem::new(&program, Question::Reach, &targets);
//! let text = "mu bool Seen(State v)
//!       Init(v) | (exists State x. Seen(x) & ProgramInt(x, v));
//!     exists State v. Seen(v) & Target(v);";
//! let formula = Formula::own("main_only.mu", text, |path| Err(format!("`{path}` is not there")));
//! # let mut asker = Asker { sources: &mut sources, known: &mut |_, _| {} };
//! let outcome = Symbolic::new(formula).answer(&problem, &Limits::default(), &mut asker).unwrap();
//! assert_eq!(outcome.finding.verdict, Verdict::Yes);
//! ```
//!
//! # Threads
//!
//! ```
//! # use checker::*;
//! let text = "decl x; init !x;
//!     thread p begin void main() begin x := T; end end
//!     thread q begin void main() begin assert(!x); end end";
//! # let mut sources = base::Sources::default();
//! # let (program, _) = bp::load(&mut sources, "demo.bp", text).unwrap();
//! let options = bp::ThreadOptions { slots: 2, async_labels: false };
//! let program = bp::lower_threads(&program, options).unwrap();
//! let targets = checker::default_thread_targets(&program).unwrap();
//! let wanted = Wanted { trace: WantedTrace::Any, certificate: false };
//! let bound = Some(Bound::Switches(2));
//! let problem = Problem { bound, wanted, ..Problem::new(&program, Question::Reach, &targets) };
//! let engine = Symbolic::new(Formula::for_problem(&problem));
//! # let mut asker = Asker { sources: &mut sources, known: &mut |_, _| {} };
//! let outcome = engine.answer(&problem, &Limits::default(), &mut asker).unwrap();
//! assert_eq!(outcome.finding.least, Some(1));
//! assert_eq!(outcome.trace.unwrap().n_switches(), 1);
//! ```

#![forbid(unsafe_code)]

mod engine;
mod evaluation;
mod formula;
mod integer;
mod outcome;
mod problem;
mod target;
mod threads;

pub use engine::{
    Asker, Budget, Compare, Engine, Execution, Explicit, Localised, Portfolio, Sequentialized, Symbolic,
    Tell, ThreadViews, Twin, Views, finite_runs, passing,
};
pub use evaluation::{
    Asks, CertificateReport, ClauseFigures, Dialect, List, Options, Report, Said, SideAnswer, Stage,
    TraceReport, abstraction, check, clauses, shortest, show, show_threads, translate, translate_threads,
};
pub use explicit::{Order, Peers, SharedBy, Sharing};
pub use formula::{
    ALGORITHMS, Algorithm, BoundNote, Counts, DEFAULT, DEFAULT_FOR_ROUNDS, DEFAULT_FOR_ROUNDS_OF_ANY,
    DEFAULT_FOR_SWITCHES, Formula, FormulaFile, Programs, algorithm, note_errors, part,
};
pub use integer::{
    About, Arithmetic, ExecutionFigures, IntegerFindings, IntegerGoal, IntegerProgram, Misuses, ProofFigures,
    Proved, default_integer_targets, faults, named_integer_targets,
};
pub use outcome::{
    Asked, Finding, FiniteRuns, FormulaFindings, LocalisedFigures, Missing, Outcome, RunFindings, Schedule,
    SearchFigures, Unknown, Verdict, Words, WorkFigures,
};
pub use problem::{Bound, Failure, Limits, Problem, Question, Subject, Wanted, WantedTrace, Watch};
pub use runs::{Basis, Cell, Ground, Reason, Reply, ShortestError, Situation, Spot, listed, plain_reasons};
pub use target::{Target, TargetError, default_targets, find_target};
pub use templates::{Word, words};
pub use threads::{
    AskedOfThreads, EveryBound, Scheduling, check_threads, default_thread_targets, find_thread_target,
};

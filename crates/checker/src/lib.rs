//! From a program and a question to a verdict, a run and a proof: Getafix as a library.
//!
//! A [`Problem`] is a program, targets, and in programs with threads a bound. An [`Engine`] answers it within [`Limits`]; what comes
//! out is an [`Outcome`]: a verdict, the least bound, evidence, figures, and one [`Unknown`] that says why where nothing is known.
//!
//! Contract: `Reachable` comes with a run that the concrete semantics has replayed, if one is wanted; running out of something is
//! `Unknown` with a reason. Does no I/O and owns no clock.
//!
//! # Check
//!
//! ```
//! use checker::{Asker, Engine, Formula, Limits, Problem, Question, Symbolic, Verdict, Wanted};
//! use rsm::Concurrent;
//!
//! let text = "decl x; void main() begin x := F; if (*) then x := !x; fi; assert(!x); end";
//! let mut sources = base::Sources::default();
//! let (program, _warnings) = bp::load(&mut sources, "demo.bp", text).unwrap();
//! let program = Concurrent::sequential(bp::lower(&program).unwrap());
//! let targets = checker::default_targets(&program.machine).unwrap();
//! let (question, wanted) = (Question::Reach, Wanted::default());
//! let problem = Problem { program: &program, question, targets: &targets, bound: None, watch: Default::default(), wanted };
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
//! let question = Question::Reach;
//! let problem = Problem { program: &program, question, targets: &targets, bound: None, watch: Default::default(), wanted };
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
//! let question = Question::Reach;
//! let problem = Problem { program: &program, question, targets: &targets, bound: None, watch: Default::default(), wanted };
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
//! # let (question, wanted) = (Question::Reach, Wanted::default());
//! # let problem = Problem { program: &program, question, targets: &targets, bound: None, watch: Default::default(), wanted };
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
//! let (question, bound) = (Question::Reach, Some(Bound::Switches(2)));
//! let problem = Problem { program: &program, question, targets: &targets, bound, watch: Default::default(), wanted };
//! let engine = Symbolic::new(Formula::for_problem(&problem));
//! # let mut asker = Asker { sources: &mut sources, known: &mut |_, _| {} };
//! let outcome = engine.answer(&problem, &Limits::default(), &mut asker).unwrap();
//! assert_eq!(outcome.finding.least, Some(1));
//! assert_eq!(outcome.trace.unwrap().n_switches(), 1);
//! ```

#![forbid(unsafe_code)]

pub mod abstracted;
mod algorithm;
mod alone;
mod apart;
mod asides;
mod certify;
mod concrete;
mod conditions;
mod engine;
mod facts;
mod follow;
mod formula;
mod integer;
mod labels;
mod names;
mod nature;
mod notes;
mod outcome;
mod problem;
mod reasons;
mod report;
mod session;
mod shortest;
mod skeleton;
mod stage;
mod target;
mod terms;
mod threads;

pub use algorithm::{
    ALGORITHMS, Algorithm, DEFAULT, DEFAULT_FOR_ROUNDS, DEFAULT_FOR_ROUNDS_OF_ANY, DEFAULT_FOR_SWITCHES,
    Programs, algorithm, part,
};
pub use asides::{Aside, List, Said};
pub use engine::{
    Asker, Budget, Compare, Engine, Explicit, Failure, Limits, Localised, Portfolio, Sequentialized,
    Symbolic, Twin, Views, finite_runs,
};
pub use explicit::Order;
pub use formula::{Formula, FormulaFile};
pub use integer::{
    About, Arithmetic, Execution, Figures, IntegerGoal, IntegerOutcome, IntegerProblem, IntegerTarget,
    default_integer_targets, named_integer_targets,
};
pub use notes::{BoundNote, Counts};
pub use outcome::{
    Asked, Finding, FiniteRuns, LocalisedFigures, Missing, Outcome, Schedule, SearchFigures, Unknown,
    Verdict, Words, WorkFigures,
};
pub use problem::{Bound, Problem, Question, Wanted, WantedTrace, Watch};
pub use reasons::{Basis, Ground, Reason, Reply, listed, plain_reasons};
pub use report::{Asks, CertificateReport, Report, TraceReport};
pub use session::{Options, check};
pub use shortest::{ShortestError, shortest};
pub use stage::{Dialect, Stage, show, show_threads, translate, translate_threads};
pub use target::{Target, TargetError, default_targets, find_target};
pub use templates::{Word, words};
pub use terms::{Cell, Situation, Spot};
pub use threads::{
    AskedOfThreads, EveryBound, Scheduling, check_threads, default_thread_targets, find_thread_target,
};

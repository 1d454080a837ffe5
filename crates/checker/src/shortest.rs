//! Shortest traces: a run with the fewest steps to one of several goals.
//!
//! Input: a machine and targets. Output: a replayed trace no run to a target is shorter than; `None` if there is no run.
//! The shipped formula says which entries runs get to. From all of these at once, pairs of an entry and a state are sorted
//! into layers by the least number of steps between them, cheapest first ([`search`]), until the cheapest chain of calls to a
//! target is certain. Concrete states are then picked backwards through the layers ([`retrace`]).
//! Textbook twin: `rsm::explicit::shortest`.

mod entries;
mod layers;
mod queue;
mod retrace;
mod search;

use crate::concrete::{Concretiser, LastReturn, Problem};
use crate::formula::{self, Checked, FormulaFile};
use crate::session::Options;
use crate::target::Target;
use base::Sources;
use dd::{Exhausted, Manager};
use rsm::trace::Trace;
use rsm::{Concurrent, Goal, Rsm, ThreadGoal};
use solver::{Halt, Settings, Solver};
use templates::{Templates, Vocabulary};

/// Why there is no shortest trace although there may be a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShortestError {
    /// Stopped from outside, or out of memory.
    Halted(Halt),
    /// Runs differ in length too much to be sorted by it.
    TooManyLengths,
    /// The shortest run has more steps than can be counted.
    TooLong,
    /// The shortest run goes through too many states to be written down.
    TooManyStates,
    /// The trace could not be replayed, with the first step that could not.
    NotReplayed(String),
}

impl std::fmt::Display for ShortestError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Halted(Halt::Stopped(..)) => write!(f, "the search was stopped"),
            Self::Halted(_) => write!(f, "the search did not come to an end"),
            Self::TooManyLengths => write!(f, "runs have too many different lengths"),
            Self::TooLong => write!(f, "every run to the target has 2^128 steps or more"),
            Self::TooManyStates => write!(f, "the shortest trace is too long to be written down"),
            Self::NotReplayed(reason) => write!(f, "the shortest trace does not replay: {reason}"),
        }
    }
}

impl From<Halt> for ShortestError {
    fn from(halt: Halt) -> Self {
        Self::Halted(halt)
    }
}

/// Why a stage ended early; what was stopped does not know how far everything came.
enum Stuck {
    Exhausted(Exhausted),
    Other(ShortestError),
}

impl From<Exhausted> for Stuck {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl From<ShortestError> for Stuck {
    fn from(error: ShortestError) -> Self {
        Self::Other(error)
    }
}

/// A trace with the fewest steps to any goal of the targets; `None` if no run gets to one.
pub fn shortest(
    rsm: &Rsm,
    targets: &[Target],
    options: &Options,
    sources: &mut Sources,
) -> Result<Option<Trace>, ShortestError> {
    let goals: Vec<Goal> = targets.iter().flat_map(Target::places).collect();
    let reduced = rsm::reduce(rsm, &goals, options.reductions);
    let templates = Templates::new(rsm, &reduced);
    let checked = shipped(&templates, sources);
    let words = Vocabulary::new(&checked.system, &templates);
    let question = Question { templates: &templates, words: &words, checked: &checked, options };
    question.answer(&goals)
}

/// The formula whose `#certificate` names the entries that runs get to.
fn shipped(templates: &Templates, sources: &mut Sources) -> Checked {
    let algorithm = crate::algorithm("hybrid").expect("the formula is shipped");
    let mut read = |_: &str| Err("the formula loads nothing".to_owned());
    let mut file = FormulaFile {
        name: "algorithms/hybrid.mu",
        text: algorithm.text,
        read: &mut read,
        params: &[],
        labels: &[],
    };
    match formula::check(sources, templates, &mut file, None) {
        Ok(checked) => checked,
        Err(errors) => panic!("a shipped formula is wrong: {errors:?}"),
    }
}

/// What all stages look at.
struct Question<'q, 'r> {
    templates: &'q Templates<'r>,
    words: &'q Vocabulary,
    checked: &'q Checked,
    options: &'q Options,
}

impl Question<'_, '_> {
    fn answer(&self, goals: &[Goal]) -> Result<Option<Trace>, ShortestError> {
        let Some(solver) = entries::find(self, goals)? else { return Ok(None) };
        let found = self.search(goals, solver).map_err(|stuck| self.error(stuck))?;
        let trace = self.concrete(goals, &found)?;
        assert_eq!(trace.n_steps(), found.cost, "the steps of a trace are those its layers promise");
        let program = Concurrent::sequential(self.templates.rsm.clone());
        let goals: Vec<ThreadGoal> = goals.iter().copied().map(ThreadGoal::from).collect();
        match trace.replay(&program, &goals) {
            Ok(()) => Ok(Some(trace)),
            Err(error) => Err(ShortestError::NotReplayed(error.to_string())),
        }
    }

    fn search(&self, goals: &[Goal], solver: Solver) -> Result<retrace::Way, Stuck> {
        // The diagrams of the search live in a store of their own, so those of the solver are dropped before it starts.
        let mut dd = Manager::new(self.options.stop.clone(), self.options.memory);
        let network = self.templates.network(goals, &mut dd)?;
        let entries = entries::states(self, solver, &network, &mut dd)?;
        self.options.gauge.enter("shortest");
        let mut search = search::Search::new(&network, entries, dd, self.options)?;
        let end = search.run()?;
        retrace::way(&mut search, self.templates, end)
    }

    /// Fills in the steps and the values that do not matter.
    fn concrete(&self, goals: &[Goal], found: &retrace::Way) -> Result<Trace, ShortestError> {
        let mut solver = self.solver();
        let concretiser =
            Concretiser::new(self.templates, self.words, &mut solver, &found.facts, &found.skeleton);
        match concretiser.trace(goals, LastReturn::Taken) {
            Ok(trace) => Ok(trace),
            Err(Problem::Exhausted(exhausted)) => Err(self.error(exhausted.into())),
            Err(Problem::NoStep(reason)) => Err(ShortestError::NotReplayed(reason)),
        }
    }

    fn solver(&self) -> Solver<'_> {
        let options = self.options;
        let settings = Settings {
            symbolic: false,
            record: false,
            collect_from: solver::COLLECT_FROM,
            memory: options.memory,
            stop: options.stop.clone(),
            gauge: options.gauge.clone(),
            clock: options.clock,
        };
        match Solver::new(&self.checked.system, settings) {
            Ok(solver) => solver,
            Err(errors) => panic!("the templates of a shipped formula cannot be laid out: {errors:?}"),
        }
    }

    fn error(&self, stuck: Stuck) -> ShortestError {
        match stuck {
            Stuck::Exhausted(Exhausted(reason)) => Halt::Stopped(reason, self.options.gauge.read()).into(),
            Stuck::Other(error) => error,
        }
    }
}

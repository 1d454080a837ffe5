//! Shortest traces: a run with the fewest steps to one of several goals.
//!
//! Input: a program, a formula, and goals. Output: a replayed trace no run to a target is shorter than; `None` if there is no run.
//! The formula says which entries runs get to. From all of these at once, pairs of an entry and a state are sorted
//! into layers by the least number of steps between them, cheapest first ([`search`]), until the cheapest chain of calls to a
//! target is certain. Concrete states are then picked backwards through the layers ([`retrace`]).
//! Textbook twin: `rsm::explicit::shortest`.

mod entries;
mod layers;
mod queue;
mod retrace;
mod search;

use crate::concrete::{Concretiser, LastReturn, NotConcrete};
use calculus::system::{FormulaId, RelationId, System};
use dd::{Exhausted, Manager};
use rsm::trace::Trace;
use rsm::{Concurrent, Goal, ThreadGoal};
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

/// A formula that knows which entries runs get to, in a program.
pub struct Reached<'q, 'r> {
    /// The program.
    pub templates: &'q Templates<'r>,
    /// Its words in the formula.
    pub words: &'q Vocabulary,
    /// The formula.
    pub system: &'q System,
    /// Its query: whether a target is reachable.
    pub query: FormulaId,
    /// The relation that holds of the entries.
    pub entries: RelationId,
}

/// A trace with the fewest steps to any of some goals; `None` if no run gets to one.
pub fn shortest(
    reached: &Reached,
    goals: &[Goal],
    settings: &Settings,
) -> Result<Option<Trace>, ShortestError> {
    Question { reached, settings }.answer(goals)
}

/// What all stages look at.
struct Question<'q, 'r> {
    reached: &'q Reached<'q, 'r>,
    settings: &'q Settings,
}

impl Question<'_, '_> {
    fn answer(&self, goals: &[Goal]) -> Result<Option<Trace>, ShortestError> {
        let Some(solver) = entries::find(self, goals)? else { return Ok(None) };
        let found = self.search(goals, solver).map_err(|stuck| self.error(stuck))?;
        let trace = self.concrete(goals, &found)?;
        assert_eq!(trace.n_steps(), found.cost, "the steps of a trace are those its layers promise");
        let program = Concurrent::sequential(self.reached.templates.rsm.clone());
        let goals: Vec<ThreadGoal> = goals.iter().copied().map(ThreadGoal::from).collect();
        match trace.replay(&program, &goals) {
            Ok(()) => Ok(Some(trace)),
            Err(error) => Err(ShortestError::NotReplayed(error.to_string())),
        }
    }

    fn search(&self, goals: &[Goal], solver: Solver) -> Result<retrace::Cheapest, Stuck> {
        // The diagrams of the search live in a store of their own, so those of the solver are dropped before it starts.
        let mut dd = Manager::new(self.settings.stop.clone(), self.settings.memory);
        let network = self.reached.templates.network(goals, &mut dd)?;
        let entries = entries::states(self, solver, &network, &mut dd)?;
        self.settings.gauge.enter("shortest");
        let mut search = search::Search::new(&network, entries, dd, self.settings)?;
        let end = search.run()?;
        retrace::way(&mut search, self.reached.templates, end)
    }

    /// Fills in the steps and the values that do not matter.
    fn concrete(&self, goals: &[Goal], found: &retrace::Cheapest) -> Result<Trace, ShortestError> {
        let mut solver = self.solver();
        let concretiser = Concretiser::new(
            self.reached.templates,
            self.reached.words,
            &mut solver,
            &found.known,
            &found.way,
        );
        match concretiser.trace(goals, LastReturn::Taken) {
            Ok(trace) => Ok(trace),
            Err(NotConcrete::Exhausted(exhausted)) => Err(self.error(exhausted.into())),
            Err(NotConcrete::NoStep(reason)) => Err(ShortestError::NotReplayed(reason)),
        }
    }

    fn solver(&self) -> Solver<'_> {
        match Solver::new(self.reached.system, self.settings.clone()) {
            Ok(solver) => solver,
            Err(errors) => panic!("the templates of a shipped formula cannot be laid out: {errors:?}"),
        }
    }

    fn error(&self, stuck: Stuck) -> ShortestError {
        match stuck {
            Stuck::Exhausted(Exhausted(reason)) => Halt::Stopped(reason, self.settings.gauge.read()).into(),
            Stuck::Other(error) => error,
        }
    }
}

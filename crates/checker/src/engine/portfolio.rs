//! Several engines side by side: the first answer counts.
//!
//! What is shallow, and programs with threads that have few configurations, the explicit engine answers at once, so it goes first,
//! alone, for a number of states. Then both work, each on
//! a thread, with half of the memory. What a search leaves that has come to nothing, the formula may use, and one that had to do with half of it before that
//! is asked again. If memory becomes scarce for reasons that nobody has counted, the search stops first. Which of them is first is a matter of counts: engines tell the stop flag how much
//! work they have done, and when one of them has an answer, the other goes on only until it has done as much. So
//! the answer, and whose it is, depends on the problem alone. Contract: two runs give the same outcome, unless somebody
//! stops both.

use super::turns::{Turn, race};
use super::{Asker, Engine, Explicit, Failure, Limits, ThreadViews};
use crate::outcome::{Finding, Missing, Outcome, Unknown, Verdict, WorkFigures};
use crate::problem::{Bound, Problem, Question, WantedTrace};
use base::{Sources, Stop, StopReason};
use std::sync::mpsc::RecvTimeoutError;
use std::thread::ScopedJoinHandle;
use std::time::Duration;

/// How long nobody looks whether the search has done so much. It does not matter to the answer.
const WAIT: Duration = Duration::from_millis(2);

/// A unit of work on formulas about threads lasts as long as so many of a search of their configurations: two to five, measured
/// where either is the first.
const OF_FORMULA: u64 = 4;

/// What the engines are called.
const EXPLICIT: &str = "explicit";
const SYMBOLIC: &str = "symbolic";

/// How much the explicit engine does before the formula is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// States of a sequential program.
    pub states: u64,
    /// Units of work on a program with threads, each five configurations or a step of a thread that is computed.
    pub work: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { states: 1 << 14, work: 200_000 }
    }
}

/// The explicit engine and a formula.
pub struct Portfolio<'e> {
    /// The one.
    pub explicit: Explicit,
    /// The other.
    pub formula: &'e dyn Engine,
    /// How much the one does first.
    pub first: Budget,
    /// Views of a program with threads may be searched beside it.
    pub localise: bool,
}

/// What an engine came to, and after how much work.
struct Finished {
    outcome: Outcome,
    work: u64,
}

impl From<Turn> for Finished {
    fn from(turn: Turn) -> Self {
        Self { outcome: turn.outcome, work: turn.work }
    }
}

impl Engine for Portfolio<'_> {
    fn name(&self) -> &str {
        "portfolio"
    }

    fn answer(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        self.answer_with(problem, limits, asker, Hands::Two)
    }
}

/// How many can work at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hands {
    One,
    Two,
}

impl Portfolio<'_> {
    /// The answer as it is where no thread can be started: the same.
    pub fn in_turns(
        &self,
        problem: &Problem,
        limits: &Limits,
        asker: &mut Asker,
    ) -> Result<Outcome, Failure> {
        self.answer_with(problem, limits, asker, Hands::One)
    }

    fn answer_with(
        &self,
        problem: &Problem,
        limits: &Limits,
        asker: &mut Asker,
        hands: Hands,
    ) -> Result<Outcome, Failure> {
        if is_of_search(problem) {
            return Ok(by(EXPLICIT, self.explicit.answer(problem, limits, asker)?));
        }
        if problem.bound.is_some() {
            let outcome = match hands {
                Hands::One => self.of_threads_in_turns(problem, limits, asker)?,
                Hands::Two => self.of_threads(problem, limits, asker)?,
            };
            return Ok(with_reservations(problem, outcome));
        }
        let max_states = self.explicit.max_states.min(self.first.states);
        let aside = Limits { gauge: limits.gauge.part(EXPLICIT), ..limits.clone() };
        let first = Explicit { max_states, ..self.explicit }.answer(problem, &aside, asker)?;
        let n_states = first.figures.search.map_or(0, |search| search.figures.states);
        if is_answer(problem, &first) {
            return Ok(by(EXPLICIT, first));
        }
        // What stops it before that will stop it again.
        if n_states < max_states || max_states == self.explicit.max_states {
            let limits = Limits { gauge: limits.gauge.part(SYMBOLIC), ..limits.clone() };
            let second = self.formula.answer(problem, &limits, asker)?;
            return Ok(either(problem, first, second));
        }
        match hands {
            Hands::One => self.take_turns(problem, limits, asker),
            Hands::Two => self.side_by_side(problem, limits, asker),
        }
    }

    /// One engine of the two, granted so many units of its own, which are so much on the common clock.
    fn turn(
        &self,
        engine: &dyn Engine,
        problem: &Problem,
        limits: &Limits,
        asker: &mut Asker,
        (granted, clock): (u64, &dyn Fn(u64) -> u64),
    ) -> Result<Turn, Failure> {
        let memory = limits.memory.map(|bytes| if granted == u64::MAX { bytes } else { bytes / 2 });
        let limits = Limits { memory, stop: limits.stop.part(), ..limits.clone() };
        limits.stop.grant(granted);
        let outcome = engine.answer(problem, &limits, asker)?;
        let work = limits.stop.work();
        let is_cut = work > granted;
        // What was stopped may lack something beside the answer: it is asked again.
        let is_answer = !is_cut && is_answer(problem, &outcome);
        Ok(Turn { outcome, work: clock(work), is_answer, is_cut })
    }

    /// The search and the formula by turns, after the search has had its own.
    fn of_threads_in_turns(
        &self,
        problem: &Problem,
        limits: &Limits,
        asker: &mut Asker,
    ) -> Result<Outcome, Failure> {
        let budget = self.first.work;
        let half = Limits { gauge: limits.gauge.part(EXPLICIT), ..limits.clone() };
        let mut own = asker.sources.clone();
        let mut silent = |_: &Outcome, _: Option<Missing>| {};
        let mut quiet = Asker { sources: &mut own, known: &mut silent };
        let searched = self.turn(&self.explicit, problem, &half, &mut quiet, (budget, &|work| work))?;
        if searched.is_answer {
            return Ok(by(EXPLICIT, searched.outcome));
        }
        let formula = Limits { gauge: limits.gauge.part(SYMBOLIC), ..limits.clone() };
        if !searched.is_cut {
            return Ok(either(problem, searched.outcome, self.formula.answer(problem, &formula, asker)?));
        }
        let mut search =
            |granted| self.turn(&self.explicit, problem, &half, &mut quiet, (granted, &|work| work));
        let mut evaluate = |granted: u64| {
            let own = if granted == u64::MAX { granted } else { granted.saturating_sub(budget) / OF_FORMULA };
            self.turn(self.formula, problem, &formula, asker, (own, &|work| OF_FORMULA * work + budget))
        };
        let (searched, evaluated) = race(&mut search, &mut evaluate, self.first.states.max(4 * budget))?;
        Ok(earlier(problem, searched.into(), evaluated.into()))
    }

    /// The same of a sequential program.
    fn take_turns(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        let [explicit, formula] =
            [EXPLICIT, SYMBOLIC].map(|name| Limits { gauge: limits.gauge.part(name), ..limits.clone() });
        let mut own = Sources::default();
        let mut silent = |_: &Outcome, _: Option<Missing>| {};
        let mut quiet = Asker { sources: &mut own, known: &mut silent };
        let mut search =
            |granted| self.turn(&self.explicit, problem, &explicit, &mut quiet, (granted, &|work| work));
        let mut evaluate =
            |granted| self.turn(self.formula, problem, &formula, asker, (granted, &|work| work));
        let (searched, evaluated) = race(&mut search, &mut evaluate, self.first.states)?;
        Ok(earlier(problem, searched.into(), evaluated.into()))
    }

    /// Programs with threads: most have so few configurations that looking at them one by one is the end of it. If the search takes
    /// more work, the formula starts beside it; what is in the way of the search before that will stay there, and the formula is asked alone.
    fn of_threads(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        let Halves { of_explicit, of_formula, alone } = Halves::of(limits);
        let (explicit, formula) = (&of_explicit.stop, &of_formula.stop);
        let (engine, budget) = (self.explicit, self.first.work);
        let has_views = self.localise && limits.peers.is_none() && ThreadViews::applies(problem);
        let mut sources = asker.sources.clone();
        let (sender, receiver) = std::sync::mpsc::channel::<()>();
        let search = dd::memory::for_thread(|| {
            // Dropped at the end, whatever that is: nobody waits for it then.
            let _sender = sender;
            let mut silent = |_: &Outcome, _: Option<Missing>| {};
            let mut quiet = Asker { sources: &mut sources, known: &mut silent };
            let answered = match has_views {
                true => ThreadViews::of_search(engine).beside(problem, &of_explicit, &mut quiet),
                false => {
                    let outcome = engine.answer(problem, &of_explicit, &mut quiet);
                    outcome.map(|outcome| (outcome, explicit.work()))
                }
            };
            limits.stop.stop_first(None);
            let ahead = |work: u64| work.saturating_sub(budget) / OF_FORMULA;
            let (outcome, work) = answered?;
            let searched = finished(problem, outcome, work, formula, ahead);
            leave(&searched.outcome, problem, &of_explicit, formula);
            Ok(searched)
        });
        std::thread::scope(|scope| {
            let Ok(searching) = std::thread::Builder::new().spawn_scoped(scope, search) else {
                return self.of_threads_in_turns(problem, limits, asker);
            };
            while receiver.recv_timeout(WAIT) == Err(RecvTimeoutError::Timeout) && explicit.work() <= budget {
            }
            let join = |searching: ScopedJoinHandle<'_, Result<Finished, Failure>>| {
                searching.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            if explicit.work() <= budget {
                let searched = join(searching)?;
                if is_answer(problem, &searched.outcome) {
                    return Ok(by(EXPLICIT, searched.outcome));
                }
                let evaluated = self.formula.answer(problem, &alone, asker)?;
                return Ok(either(problem, searched.outcome, evaluated));
            }
            let evaluated = self.formula.answer(problem, &of_formula, asker);
            let evaluated = evaluated.map(|outcome| {
                finished(problem, outcome, formula.work(), explicit, |work| OF_FORMULA * work + budget)
            });
            if evaluated.is_err() {
                explicit.grant(0);
            }
            let had = had(formula);
            let (searched, evaluated) = (join(searching)?, evaluated?);
            if !is_answer(problem, &searched.outcome) && lacks_memory(&evaluated, had) {
                let evaluated = self.formula.answer(problem, &alone, asker)?;
                return Ok(either(problem, searched.outcome, evaluated));
            }
            Ok(earlier(
                problem,
                searched,
                Finished { work: OF_FORMULA * evaluated.work + budget, ..evaluated },
            ))
        })
    }

    fn side_by_side(
        &self,
        problem: &Problem,
        limits: &Limits,
        asker: &mut Asker,
    ) -> Result<Outcome, Failure> {
        let Halves { of_explicit, of_formula, alone } = Halves::of(limits);
        let (explicit, formula) = (&of_explicit.stop, &of_formula.stop);
        let engine = self.explicit;
        let search = dd::memory::for_thread(|| {
            let mut silent = |_: &Outcome, _: Option<Missing>| {};
            let mut quiet = Asker { sources: &mut Sources::default(), known: &mut silent };
            let outcome = engine.answer(problem, &of_explicit, &mut quiet);
            limits.stop.stop_first(None);
            let searched = finished(problem, outcome?, explicit.work(), formula, |work| work);
            leave(&searched.outcome, problem, &of_explicit, formula);
            Ok(searched)
        });
        std::thread::scope(|scope| {
            // The search needs little stack, the diagrams that of this thread.
            let Ok(searching) = std::thread::Builder::new().spawn_scoped(scope, search) else {
                return self.take_turns(problem, limits, asker);
            };
            let evaluated = self.formula.answer(problem, &of_formula, asker);
            let evaluated =
                evaluated.map(|outcome| finished(problem, outcome, formula.work(), explicit, |work| work));
            if evaluated.is_err() {
                explicit.grant(0);
            }
            let had = had(formula);
            let searched = searching.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let (searched, evaluated) = (searched?, evaluated?);
            if !is_answer(problem, &searched.outcome) && lacks_memory(&evaluated, had) {
                let evaluated = self.formula.answer(problem, &alone, asker)?;
                return Ok(either(problem, searched.outcome, evaluated));
            }
            Ok(earlier(problem, searched, evaluated))
        })
    }
}

/// The limits of two engines side by side, and of the formula if it is alone.
struct Halves {
    of_explicit: Limits,
    of_formula: Limits,
    alone: Limits,
}

impl Halves {
    fn of(limits: &Limits) -> Self {
        let memory = limits.memory.map(|bytes| bytes / 2);
        let half = |name| {
            let (stop, gauge) = (limits.stop.part(), limits.gauge.part(name));
            Limits { memory, stop, gauge, ..limits.clone() }
        };
        let (of_explicit, of_formula) = (half(EXPLICIT), half(SYMBOLIC));
        // Diagrams count every byte, a search does so about.
        limits.stop.stop_first(Some(&of_explicit.stop));
        let alone = Limits { gauge: of_formula.gauge.clone(), ..limits.clone() };
        Self { of_explicit, of_formula, alone }
    }
}

/// An engine has come to its end after so much work; if it has an answer, the other one, which may be ahead, need not do more work than it did.
fn finished(
    problem: &Problem,
    outcome: Outcome,
    work: u64,
    other: &Stop,
    ahead: impl Fn(u64) -> u64,
) -> Finished {
    if is_answer(problem, &outcome) {
        other.grant(ahead(work));
    }
    Finished { outcome, work }
}

/// A search that has come to nothing leaves its memory to the formula.
fn leave(searched: &Outcome, problem: &Problem, own: &Limits, formula: &Stop) {
    if !is_answer(problem, searched) {
        formula.lend(own.memory.unwrap_or(0));
    }
}

/// Half of the memory was not enough for a formula that ended before the search did. How long the search took must not matter.
fn lacks_memory(formula: &Finished, had_all: Had) -> bool {
    let is_out =
        matches!(formula.outcome.finding.verdict, Verdict::Unknown(Unknown::Stopped(StopReason::Memory, _)));
    is_out && had_all == Had::Half
}

/// How much of the memory a formula could use when it ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Had {
    Half,
    All,
}

fn had(formula: &Stop) -> Had {
    if formula.lent() > 0 { Had::All } else { Had::Half }
}

/// The answer that came first; that of the search if both came at once.
fn earlier(problem: &Problem, searched: Finished, evaluated: Finished) -> Outcome {
    match (is_answer(problem, &searched.outcome), is_answer(problem, &evaluated.outcome)) {
        (true, true) if searched.work > evaluated.work => by(SYMBOLIC, evaluated.outcome),
        (true, _) => by(EXPLICIT, searched.outcome),
        (false, true) => by(SYMBOLIC, evaluated.outcome),
        (false, false) => neither(searched.outcome, evaluated.outcome),
    }
}

/// The answer of the formula, if it has one, after a search that has none.
fn either(problem: &Problem, searched: Outcome, evaluated: Outcome) -> Outcome {
    match is_answer(problem, &evaluated) {
        true => by(SYMBOLIC, evaluated),
        false => neither(searched, evaluated),
    }
}

/// Not everything is known: what one of them knows, and why there is no more.
fn neither(searched: Outcome, evaluated: Outcome) -> Outcome {
    let search = searched.figures.search;
    let safe_within = searched.safe_within.max(evaluated.safe_within);
    let both = |searched: &Finding, evaluated: &Finding| match (&searched.verdict, &evaluated.verdict) {
        (Verdict::Unknown(why), Verdict::Unknown(other)) => {
            Finding::unknown(Unknown::Each(vec![(EXPLICIT, why.clone()), (SYMBOLIC, other.clone())]))
        }
        (Verdict::Unknown(_), _) => evaluated.clone(),
        _ => searched.clone(),
    };
    let finding = both(&searched.finding, &evaluated.finding);
    let pairs = searched.findings.iter().zip(&evaluated.findings);
    let findings = pairs.map(|(searched, evaluated)| both(searched, evaluated)).collect();
    // A run goes with the answer of whoever found it.
    let told = if searched.finding.verdict.is_unknown() { evaluated } else { searched };
    let figures = WorkFigures { search, ..told.figures.clone() };
    Outcome { finding, findings, figures, safe_within, ..told }
}

/// What the formulas do not give for threads.
fn with_reservations(problem: &Problem, mut outcome: Outcome) -> Outcome {
    if outcome.by.as_deref() == Some(SYMBOLIC) {
        if outcome.lacks(problem) == Some(Missing::Certificate) {
            let reason =
                Unknown::because("the formulas, which have the answer, have none for programs with threads");
            outcome.unfinished.push((Missing::Certificate, reason));
        }
        if problem.wanted.trace == WantedTrace::Shortest && outcome.trace.is_some() {
            outcome.remarks.push("the trace may not be the shortest: it is that of the formulas".to_owned());
        }
    }
    outcome
}

/// Formulas do not ask this: deadlocks, infinite runs of threads, and every schedule of threads that are started, which would need a slot for each.
fn is_of_search(problem: &Problem) -> bool {
    problem.question == Question::Deadlock
        || problem.is_watched()
        || (problem.bound == Some(Bound::Every) && !problem.program.is_whole)
}

fn by(engine: &str, outcome: Outcome) -> Outcome {
    Outcome { by: Some(engine.to_owned()), ..outcome }
}

/// Everything that was asked is known; of threads also the least bounds.
fn is_answer(problem: &Problem, outcome: &Outcome) -> bool {
    let has_least =
        |finding: &Finding| problem.bound.is_none() || !finding.is_yes() || finding.least.is_some();
    let is_known = |finding: &Finding| !finding.verdict.is_unknown() && has_least(finding);
    is_known(&outcome.finding) && outcome.findings.iter().all(is_known)
}

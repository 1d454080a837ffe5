//! Several engines side by side: the first answer counts.
//!
//! What is shallow the explicit engine finds at once, so it goes first, alone, for a number of states. Then both work, each on
//! a thread, with half of the memory. Which of them is first is a matter of counts: engines tell the stop flag how much
//! work they have done, and when one of them has an answer, the other goes on only until it has done as much. So
//! the answer, and whose it is, depends on the problem alone. Contract: two runs give the same outcome, unless somebody
//! stops both.

use super::{Asker, Engine, Explicit, Failure, Limits};
use crate::outcome::{Finding, Missing, Outcome, Unknown, Verdict, WorkFigures};
use crate::problem::Problem;
use base::{Gauge, Sources, Stop};
use std::sync::Arc;

/// So many states the explicit engine looks at before the formula is evaluated.
const FIRST: u64 = 1 << 14;

/// The explicit engine and a formula.
pub struct Portfolio<'e> {
    /// The one.
    pub explicit: Explicit,
    /// The other.
    pub formula: &'e dyn Engine,
}

/// What an engine came to, and after how much work.
struct Finished {
    outcome: Outcome,
    work: u64,
}

impl Engine for Portfolio<'_> {
    fn name(&self) -> &str {
        "portfolio"
    }

    fn answer(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        if problem.bound.is_some() {
            return Ok(by("symbolic", self.formula.answer(problem, limits, asker)?));
        }
        let max_states = self.explicit.max_states.min(FIRST);
        // How far this came is of no interest once the formula is at work.
        let aside = Limits { gauge: Arc::default(), ..limits.clone() };
        let first = Explicit { max_states, ..self.explicit }.answer(problem, &aside, asker)?;
        let n_states = first.figures.search.map_or(0, |search| search.figures.states);
        if is_answer(&first) {
            return Ok(by("explicit", first));
        }
        // What stops it before that will stop it again.
        if n_states < max_states || max_states == self.explicit.max_states {
            let second = self.formula.answer(problem, limits, asker)?;
            return Ok(if is_answer(&second) { by("symbolic", second) } else { neither(first, second) });
        }
        self.side_by_side(problem, limits, asker)
    }
}

impl Portfolio<'_> {
    fn side_by_side(
        &self,
        problem: &Problem,
        limits: &Limits,
        asker: &mut Asker,
    ) -> Result<Outcome, Failure> {
        let memory = limits.memory.map(|bytes| bytes / 2);
        let (explicit, formula) = (limits.stop.part(), limits.stop.part());
        let of_explicit =
            Limits { memory, stop: explicit.clone(), gauge: Arc::new(Gauge::default()), ..limits.clone() };
        let of_formula = Limits { memory, stop: formula.clone(), ..limits.clone() };
        let engine = self.explicit;
        let search = || {
            let mut silent = |_: &Outcome, _: Option<Missing>| {};
            let mut quiet = Asker { sources: &mut Sources::default(), known: &mut silent };
            let outcome = engine.answer(problem, &of_explicit, &mut quiet)?;
            Ok(finished(outcome, &explicit, &formula))
        };
        std::thread::scope(|scope| {
            // The search needs little stack, the diagrams that of this thread.
            let Ok(searching) = std::thread::Builder::new().spawn_scoped(scope, search) else {
                return Ok(by("symbolic", self.formula.answer(problem, limits, asker)?));
            };
            let evaluated = self.formula.answer(problem, &of_formula, asker);
            let evaluated = evaluated.map(|outcome| finished(outcome, &formula, &explicit));
            if evaluated.is_err() {
                explicit.grant(0);
            }
            let searched = searching.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok(earlier(searched?, evaluated?))
        })
    }
}

/// An engine has come to its end; if it has an answer, the other one need not do more work than it did.
fn finished(outcome: Outcome, own: &Stop, other: &Stop) -> Finished {
    let work = own.work();
    if is_answer(&outcome) {
        other.grant(work);
    }
    Finished { outcome, work }
}

/// The answer that came first; that of the search if both came at once.
fn earlier(searched: Finished, evaluated: Finished) -> Outcome {
    match (is_answer(&searched.outcome), is_answer(&evaluated.outcome)) {
        (true, true) if searched.work > evaluated.work => by("symbolic", evaluated.outcome),
        (true, _) => by("explicit", searched.outcome),
        (false, true) => by("symbolic", evaluated.outcome),
        (false, false) => neither(searched.outcome, evaluated.outcome),
    }
}

/// Not everything is known: what one of them knows, and why there is no more.
fn neither(searched: Outcome, evaluated: Outcome) -> Outcome {
    let search = searched.figures.search;
    let both = |searched: &Finding, evaluated: &Finding| match (&searched.verdict, &evaluated.verdict) {
        (Verdict::Unknown(why), Verdict::Unknown(other)) => {
            Finding::unknown(Unknown::Each(vec![("explicit", why.clone()), ("symbolic", other.clone())]))
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
    Outcome { finding, findings, figures, ..told }
}

fn by(engine: &str, outcome: Outcome) -> Outcome {
    Outcome { by: Some(engine.to_owned()), ..outcome }
}

/// Everything that was asked is known.
fn is_answer(outcome: &Outcome) -> bool {
    let is_known = |finding: &Finding| !finding.verdict.is_unknown();
    is_known(&outcome.finding) && outcome.findings.iter().all(is_known)
}

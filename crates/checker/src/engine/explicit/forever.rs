//! The explicit engine on infinite runs of threads, and on threads that somebody watches: every schedule counts.
//!
//! One search for each observer: for labels that are to be passed again and again there is one for each of them. What is shown has been
//! replayed by `rsm`, which also says what the schedule does to each thread. Where a scheduler would not allow it, the question is put
//! once more under that one, with no more work than the first time.

use super::evidence;
use super::few::{AFTER, BEFORE, Counters, MOST_STATES, instance, small_numbers};
use super::{Explicit, LONGEST};
use crate::engine::{Asker, Limits};
use crate::outcome::{Finding, FiniteRuns, Missing, Outcome, Schedule, SearchFigures, Unknown, Verdict};
use crate::problem::{Problem, Question};
use ::explicit::threads::forever::{
    Answer, Evidence, Found, TooManyThreads, Wanted, find, find_together, find_with_evidence, named,
    none_of_any_number, stops,
};
use ::explicit::threads::together::Company;
use ::explicit::threads::{Settings, forever::MOST_THREADS};
use ::explicit::{Figures, Stopped, Workers};
use base::{Reading, Sources};
use rsm::interleave::{Scheduler, Stops};
use rsm::observe::{Observer, Who};
use rsm::trace::{ReplayError, Trace};
use rsm::{Concurrent, Goal, ThreadGoal};

/// So many configurations are looked at for the sake of another scheduler, whatever the first search took.
const FEW: u64 = 1 << 12;

/// Answers a problem.
pub(super) fn answer(engine: &Explicit, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Outcome {
    let start = (limits.clock)();
    let mut asking = Asking { engine, problem, limits, largest: Figures::default(), n_states: 0 };
    let mut outcome = match problem.watch.observer {
        Some(observer) => asking.ask(std::slice::from_ref(observer), asker),
        None if problem.question == Question::Infinite => asking.ask(&[Observer::of_everything()], asker),
        None => {
            let observers: Vec<Observer> =
                problem.targets.iter().map(|target| passing(&target.goals)).collect();
            asking.ask(&observers, asker)
        }
    };
    outcome.asked.words = problem.question.words();
    let time = (limits.clock)().saturating_sub(start);
    outcome.figures.search = Some(SearchFigures { figures: asking.largest, n_states: asking.n_states, time });
    if asking.company().is_shared() && !asking.is_shared() {
        outcome.remarks.push(super::threads::ONE_WORKER.to_owned());
    }
    outcome
}

/// The observer of the runs that are at one of some goals again and again. Goals of a target name the same copy.
pub fn passing(goals: &[ThreadGoal]) -> Observer {
    let copy = goals.first().and_then(|goal| goal.copy);
    let place = |goal: &ThreadGoal| match goal.goal {
        Goal::At(module, node) => Some((module, node)),
        Goal::Failure(..) => None,
    };
    Observer::of_places(Who { block: None, copy }, goals.iter().filter_map(place).collect())
}

/// Whether a program with threads has runs that are finite.
pub(super) fn finite_runs(program: &Concurrent, limits: &::explicit::Limits<'_>) -> FiniteRuns {
    let found = stops(program, Settings::default(), limits);
    FiniteRuns { is_complete: found.is_some(), ..known_stops(found.unwrap_or_default()) }
}

fn known_stops(stops: Stops) -> FiniteRuns {
    FiniteRuns { ends: stops.ended, blocks: false, deadlocks: stops.deadlock, is_complete: true }
}

struct Asking<'a> {
    engine: &'a Explicit,
    problem: &'a Problem<'a>,
    limits: &'a Limits,
    /// Of the search that took most states.
    largest: Figures,
    /// Of all searches.
    n_states: u64,
}

impl Asking<'_> {
    fn wanted(&self) -> Wanted {
        match self.problem.question {
            Question::Reach => Wanted::Target,
            _ => Wanted::Run(self.problem.watch.scheduler),
        }
    }

    /// Calls something with limits.
    fn within<T>(
        &self,
        max_states: u64,
        max_steps: usize,
        ask: impl FnOnce(&::explicit::Limits<'_>) -> T,
    ) -> T {
        ask(&::explicit::Limits {
            max_bytes: self.limits.memory.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(usize::MAX),
            max_states,
            max_steps,
            stop: &self.limits.stop,
            gauge: &self.limits.gauge,
        })
    }

    /// Who searches together.
    fn company(&self) -> Company<'_> {
        Company { workers: Workers::of(self.engine.workers), peers: self.limits.peers.as_deref() }
    }

    /// Several workers search. Of any number of threads, and for a certificate, one does all the work.
    fn is_shared(&self) -> bool {
        let wants_certificate = self.problem.wanted.certificate && self.problem.program.is_whole;
        self.company().is_shared() && !self.problem.program.is_parameterised() && !wants_certificate
    }

    /// Another process is to tell the run.
    fn teller(&self) -> Option<String> {
        let peers = self.limits.peers.as_ref().filter(|peers| self.is_shared() && peers.own() != 0)?;
        Some(super::threads::told_by(&peers.name(0)))
    }

    /// Remembers how much was done.
    fn note(&mut self, figures: Figures) {
        self.n_states += figures.states;
        if figures.states >= self.largest.states {
            self.largest = figures;
        }
    }

    /// One search.
    fn find(
        &mut self,
        program: &Concurrent,
        observer: &Observer,
        wanted: Wanted,
        max_states: u64,
        max_steps: usize,
    ) -> Result<Found, TooManyThreads> {
        let settings = self.engine.of_threads();
        let found =
            self.within(max_states, max_steps, |limits| find(program, observer, wanted, settings, limits))?;
        self.note(found.figures);
        Ok(found)
    }

    /// One search for the answer, with evidence if a certificate is wanted. There calls are looked into, so without it more may be known.
    fn find_first(&mut self, observer: &Observer) -> Result<(Found, Option<Evidence>), TooManyThreads> {
        let (wanted, settings, most) = (self.wanted(), self.engine.of_threads(), self.engine.max_states);
        let max_steps = if self.problem.wants_trace() { LONGEST } else { 0 };
        if self.problem.wanted.certificate && self.problem.program.is_whole {
            let program = self.problem.program;
            let (found, evidence) = self.within(most, max_steps, |limits| {
                find_with_evidence(program, observer, wanted, settings, limits)
            })?;
            self.note(found.figures);
            if !matches!(found.answer, Answer::Cut) || !settings.summaries {
                return Ok((found, evidence));
            }
        }
        if self.is_shared() {
            let (program, company) = (self.problem.program, self.company());
            let found = self.within(most, max_steps, |limits| {
                find_together(program, observer, wanted, settings, company, limits)
            })?;
            self.note(found.figures);
            return Ok((found, None));
        }
        Ok((self.find(self.problem.program, observer, wanted, most, max_steps)?, None))
    }

    /// Puts the certificate into the outcome, if it is wanted and nothing was found.
    fn certify(&self, outcome: &mut Outcome, evidence: Vec<Option<Evidence>>, sources: &Sources) {
        if !self.problem.wanted.certificate || outcome.finding.verdict != Verdict::No {
            return;
        }
        let Some(evidence) = evidence.into_iter().collect::<Option<Vec<Evidence>>>() else {
            let reason = match self.problem.program {
                program if program.is_parameterised() => NOT_COUNTED,
                program if !program.is_whole => super::threads::STARTED,
                _ => super::threads::LOOKS_INTO_CALLS,
            };
            outcome.unfinished.push((Missing::Certificate, Unknown::because(reason)));
            return;
        };
        let parts = evidence.into_iter().enumerate().map(|(n, evidence)| {
            let of = &self.problem.targets[n.min(self.problem.targets.len())..];
            evidence::certificate(self.problem, &of[..of.len().min(1)], evidence, sources)
        });
        outcome.certificate = Some(parts.collect());
    }

    /// Any number of threads: a run of a few of them is a run of some number; that there is none counters may tell.
    fn of_any_number(&mut self, observer: &Observer, max_steps: usize) -> (Finding, Option<Box<Trace>>) {
        let (program, wanted) = (self.problem.program, self.wanted());
        if self.has_none(observer, wanted, BEFORE) {
            return (Finding::new(Verdict::No), None);
        }
        let (before, mut most) = (self.n_states, 0);
        let mut reason = None;
        for counts in small_numbers(program, |block| named(observer, block)) {
            most = counts.iter().sum();
            let left = MOST_STATES.saturating_sub(self.n_states - before).min(self.engine.max_states);
            let found = self.find(&instance(program, &counts), observer, wanted, left, max_steps);
            let Ok(Found { answer, figures, .. }) = found else { break };
            match answer {
                Answer::Yes(trace) => return (Finding::new(Verdict::Yes), trace),
                Answer::No => {}
                Answer::Cut => reason = Some(self.cut()),
                Answer::Stopped(Stopped::States) => break,
                Answer::Stopped(stopped) => {
                    return (Finding::unknown(self.unknown(stopped, &figures)), None);
                }
            }
        }
        if AFTER.into_iter().any(|counters| self.has_none(observer, wanted, counters)) {
            return (Finding::new(Verdict::No), None);
        }
        (Finding::unknown(reason.unwrap_or_else(|| none_of_few(most))), None)
    }

    /// Counters tell that no number of threads has such a run.
    fn has_none(
        &mut self,
        observer: &Observer,
        wanted: Wanted,
        Counters { exact, max_nodes }: Counters,
    ) -> bool {
        let (program, settings) = (self.problem.program, self.engine.of_threads());
        let (found, figures) = self.within(max_nodes.min(self.engine.max_states), 0, |limits| {
            none_of_any_number(program, observer, wanted, exact, settings, limits)
        });
        self.note(figures);
        found == Ok(true)
    }

    /// Is there what one of the observers accepts, and which?
    fn ask(&mut self, observers: &[Observer], asker: &mut Asker) -> Outcome {
        let mut findings: Vec<Finding> = Vec::new();
        let (mut shown, mut stopping, mut evidence) = (None, None, Vec::new());
        for observer in observers {
            let max_steps = if self.problem.wants_trace() { LONGEST } else { 0 };
            let (finding, trace) = match self.find_first(observer) {
                Err(TooManyThreads) if self.problem.program.is_parameterised() => {
                    evidence.push(None);
                    self.of_any_number(observer, max_steps)
                }
                Err(TooManyThreads) => (Finding::unknown(too_many()), None),
                Ok((Found { answer, stops, figures }, why)) => {
                    stopping = stops.or(stopping);
                    evidence.push(why);
                    match answer {
                        Answer::Yes(trace) => (Finding::new(Verdict::Yes), trace),
                        Answer::No => (Finding::new(Verdict::No), None),
                        Answer::Cut => (Finding::unknown(self.cut()), None),
                        Answer::Stopped(stopped) => (Finding::unknown(self.unknown(stopped, &figures)), None),
                    }
                }
            };
            if finding.is_yes() && shown.is_none() {
                shown = Some((observer, trace));
            }
            findings.push(finding);
        }
        let mut outcome = Outcome::new(Finding::any(&findings), findings);
        if self.problem.targets.is_empty() {
            outcome.findings.clear();
        }
        outcome.finite_runs = stopping.map(known_stops);
        self.certify(&mut outcome, evidence, asker.sources);
        if let Some((observer, trace)) = shown {
            (asker.known)(&outcome, outcome.lacks(self.problem));
            self.show(&mut outcome, observer, trace);
        }
        outcome
    }

    /// Puts the run into the outcome, once it has been replayed.
    fn show(&mut self, outcome: &mut Outcome, observer: &Observer, trace: Option<Box<Trace>>) {
        if !self.problem.wants_trace() {
            return;
        }
        let Some(trace) = trace else {
            let reason =
                self.teller().map_or(Unknown::because("it could not be written down"), Unknown::Because);
            outcome.unfinished.push((Missing::Trace, reason));
            return;
        };
        let replayed = match self.wanted() {
            Wanted::Target => {
                trace.reaches_target(self.problem.program, observer).map(|observed| (observed, None))
            }
            Wanted::Run(_) => trace
                .thread_cycle(self.problem.program, observer)
                .map(|cycle| (cycle.observer.clone(), Some(cycle))),
        };
        match replayed {
            Ok((observed, cycle)) => {
                (outcome.trace, outcome.run.observed) = (Some(*trace), observed);
                if let Some(cycle) = cycle {
                    let scheduler = self.problem.watch.scheduler;
                    assert!(
                        cycle.is_fair(scheduler),
                        "the run that was found is not fair under {scheduler:?}"
                    );
                    let otherwise = Scheduler::ALL.into_iter().find(|other| !cycle.is_fair(*other));
                    let otherwise = otherwise.map(|other| (other, self.under(observer, other)));
                    outcome.run.schedule = Some(Schedule { cycle, otherwise });
                }
            }
            Err(ReplayError::Unclear(reason)) => {
                outcome.remarks.push(format!("there is no trace, since it cannot be replayed: {reason}"));
            }
            Err(ReplayError::Wrong(reason)) => panic!("what the explicit engine found is no run: {reason}"),
        }
    }

    /// The answer under another scheduler, if it takes no more than the first one did, or little.
    fn under(&mut self, observer: &Observer, scheduler: Scheduler) -> Verdict {
        // What all workers did is more than one does in that time.
        let n_workers = self.company().n_workers();
        let max_states = (self.n_states / n_workers).max(FEW);
        let (program, wanted) = (self.problem.program, Wanted::Run(scheduler));
        match self.find(program, observer, wanted, max_states, 0).map(|found| found.answer) {
            Ok(Answer::Yes(_)) => Verdict::Yes,
            Ok(Answer::No) => Verdict::No,
            Err(TooManyThreads) if self.has_none(observer, wanted, BEFORE) => Verdict::No,
            _ => Verdict::Unknown(Unknown::because("that was not looked for")),
        }
    }

    /// Why something was left out.
    fn cut(&self) -> Unknown {
        Unknown::because(if self.problem.program.is_whole { super::threads::TOO_HIGH } else { STARTED })
    }

    fn unknown(&self, stopped: Stopped, figures: &Figures) -> Unknown {
        let reading = Reading { search: Some(Box::new(figures.searched())), ..Reading::default() };
        super::threads::why_stopped(self.engine, self.limits, stopped, reading)
    }
}

/// Why there is no certificate for blocks of any number of threads.
const NOT_COUNTED: &str = "a certificate about infinite runs is about threads whose number is known";

/// Threads are started, and the machine may have too few slots for them.
const STARTED: &str =
    "more threads may be started than were looked at, or stacks of recursive functions become too high";

fn none_of_few(most: u32) -> Unknown {
    Unknown::Because(format!(
        "fewer than {most} threads have no such run, and whether more of them have one could not be told from how many are where"
    ))
}

fn too_many() -> Unknown {
    Unknown::Because(format!(
        "infinite runs are looked for among at most {MOST_THREADS} threads whose number is known"
    ))
}

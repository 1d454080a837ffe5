//! The explicit engine: states one by one, on the fly, for every question about a sequential program, and for targets of programs
//! with threads.
//!
//! One search answers what is asked of all targets together and finds a run. Where several targets are asked for, further searches
//! say which of them it is true of. Contract: what is shown has been replayed; a search that is stopped says how far it came.

mod closed;
mod evidence;
mod few;
mod forever;
mod threads;

pub use forever::passing;

use super::{Asker, Engine, Failure, Limits};
use crate::outcome::{Finding, FiniteRuns, Missing, Outcome, SearchFigures, Unknown, Verdict};
use crate::problem::{Problem, Question, WantedTrace};
use crate::target::Target;
use ::explicit::{
    Answer, Figures, Order, Ranks, Settings, Stopped, Workers, infinite_with_reason, reachable_together,
    together,
};
use base::{Known, Reading, Sources, StopReason};
use rsm::trace::{ReplayError, Trace};
use rsm::{Concurrent, Goal, Reductions};
use std::num::NonZeroU8;
use std::time::Duration;

/// The longest run that is written down.
const LONGEST: usize = 1 << 20;

/// The most states that are looked at for the sake of runs that are finite.
const MOST_FINITE: u64 = 1 << 18;

/// Looks at states on demand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explicit {
    /// What is looked at next; if a shortest run is wanted, it is breadth first.
    pub order: Order,
    /// What of the program is left out.
    pub reductions: Reductions,
    /// The most states that are looked at.
    pub max_states: u64,
    /// Copies of a thread that are in the same state are not told apart.
    pub symmetry: bool,
    /// A thread is left only where others may notice its next step.
    pub visibility: bool,
    /// The first values of a thread are chosen when it first runs.
    pub lazy_start: bool,
    /// A call of a recursive function that other threads do not notice is one step.
    pub summaries: bool,
    /// Threads that are started at run time are added to those that are there, without slots.
    pub native_start: bool,
    /// Threads are left out that need not move, where neither a bound nor a scheduler counts moves.
    pub stubborn_sets: bool,
    /// How many search side by side: a sequential program depth first, threads by levels.
    pub workers: NonZeroU8,
}

impl Default for Explicit {
    fn default() -> Self {
        let (order, reductions) = (Order::default(), Reductions::ALL);
        Self {
            order,
            reductions,
            max_states: u64::MAX,
            symmetry: true,
            visibility: true,
            lazy_start: true,
            summaries: true,
            native_start: true,
            stubborn_sets: true,
            workers: NonZeroU8::MIN,
        }
    }
}

impl Explicit {
    /// The same with one worker.
    fn alone(self) -> Self {
        Self { workers: NonZeroU8::MIN, ..self }
    }

    /// What is left out of programs with threads.
    fn of_threads(&self) -> ::explicit::threads::Settings {
        let Self {
            reductions, symmetry, visibility, lazy_start, summaries, native_start, stubborn_sets, ..
        } = *self;
        ::explicit::threads::Settings {
            reductions,
            symmetry,
            visibility,
            lazy_start,
            summaries,
            native_start,
            stubborn_sets,
        }
    }
}

impl Engine for Explicit {
    fn name(&self) -> &str {
        "explicit engine"
    }

    fn answer(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        if problem.is_watched() {
            return Ok(forever::answer(self, problem, limits, asker));
        }
        if let Some(bound) = problem.bound {
            return Ok(threads::answer(self, problem, bound, limits, asker));
        }
        let start = (limits.clock)();
        let mut search = Searching {
            engine: self,
            problem,
            limits,
            largest: Figures::default(),
            n_states: 0,
            ranks: None,
        };
        let mut outcome = match problem.question {
            Question::Reach => search.reach(asker),
            Question::Repeat => search.repeat(asker),
            Question::Infinite => search.infinite(),
            Question::Deadlock => no_threads(),
        };
        search.certify(&mut outcome, asker.sources);
        outcome.asked.words = problem.question.words();
        let time = (limits.clock)().saturating_sub(start);
        outcome.figures.search =
            Some(SearchFigures { figures: search.largest, n_states: search.n_states, time });
        Ok(outcome)
    }
}

/// Deadlocks are asked of programs with threads.
fn no_threads() -> Outcome {
    let reason = Unknown::because("deadlocks are asked for in programs with threads only");
    Outcome::new(Finding::unknown(reason), Vec::new())
}

/// Whether a program has runs that end, or cannot go on, as far as a few hundred thousand states tell.
pub fn finite_runs(program: &Concurrent, limits: &Limits) -> FiniteRuns {
    let limits = ::explicit::Limits {
        max_bytes: limits.memory.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(usize::MAX),
        max_states: MOST_FINITE,
        max_steps: 0,
        stop: &limits.stop,
        gauge: &limits.gauge,
    };
    if !program.is_sequential() {
        return forever::finite_runs(program, &limits);
    }
    let ::explicit::Finite { ends, blocks, stopped } = ::explicit::finite(&program.machine, &limits);
    FiniteRuns { ends, blocks, deadlocks: false, is_complete: stopped.is_none() }
}

/// A process that searched with this one is gone.
fn lost(limits: &Limits, peer: u8) -> Unknown {
    let name = limits.peers.as_ref().map(|peers| peers.name(peer));
    Unknown::Because(format!("lost the worker at {}", name.unwrap_or_default()))
}

/// The question as the search has it.
fn shared(question: Question) -> ::explicit::Question {
    match question {
        Question::Reach => ::explicit::Question::Any,
        Question::Repeat => ::explicit::Question::Repeat,
        Question::Infinite => ::explicit::Question::Infinite,
        Question::Deadlock => unreachable!("deadlocks are asked of threads"),
    }
}

/// A problem on its way to an outcome.
struct Searching<'a> {
    engine: &'a Explicit,
    problem: &'a Problem<'a>,
    limits: &'a Limits,
    /// Of the search that took most states.
    largest: Figures,
    /// Of all searches.
    n_states: u64,
    /// Why the last search found no infinite run, if that is wanted.
    ranks: Option<Ranks>,
}

/// The answer of one search.
enum Found {
    /// There is what is looked for; a run, if one is wanted and not too long, and the goal it reaches.
    Yes(Option<Goal>, Option<Box<Trace>>),
    No,
    Unknown(Unknown),
}

impl Found {
    fn finding(&self) -> Finding {
        match self {
            Self::Yes(..) => Finding::new(Verdict::Yes),
            Self::No => Finding::new(Verdict::No),
            Self::Unknown(reason) => Finding::unknown(reason.clone()),
        }
    }
}

impl Searching<'_> {
    fn settings(&self) -> Settings {
        let order = match self.problem.wanted.trace {
            WantedTrace::Shortest => Order::Bfs,
            _ => self.engine.order,
        };
        Settings { order, reductions: self.engine.reductions, workers: Workers::of(self.engine.workers) }
    }

    /// Calls something with limits for runs of so many steps.
    fn within<T>(&self, max_steps: usize, ask: impl FnOnce(&::explicit::Limits<'_>) -> T) -> T {
        ask(&::explicit::Limits {
            max_bytes: self.limits.memory.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(usize::MAX),
            max_states: self.engine.max_states,
            max_steps,
            stop: &self.limits.stop,
            gauge: &self.limits.gauge,
        })
    }

    /// Remembers how much was done.
    fn note(&mut self, figures: Figures) {
        self.n_states += figures.states;
        if figures.states >= self.largest.states {
            self.largest = figures;
        }
    }

    fn unknown(&self, stopped: Stopped, figures: &Figures) -> Unknown {
        let reading = Reading { search: Some(Box::new(figures.searched())), ..Reading::default() };
        match stopped {
            Stopped::Memory => Unknown::Stopped(StopReason::Memory, reading),
            Stopped::Requested(reason) => Unknown::Stopped(reason, reading),
            Stopped::States => {
                let most = self.engine.max_states;
                Unknown::Because(format!(
                    "the explicit engine looks at {most} states at most, and there are more"
                ))
            }
            Stopped::TooLarge => Unknown::because(
                "some choice or condition has too many values for the explicit engine to find those that count",
            ),
            Stopped::Untaken => Unknown::because("what the search found is no run of the program"),
            Stopped::TooWide => Unknown::because("a state has too many variables for the explicit engine"),
            Stopped::Lost(peer) => lost(self.limits, peer),
        }
    }

    /// One search about goals; what is asked of them is the question of the problem.
    fn search(&mut self, goals: &[Goal], max_steps: usize) -> Found {
        let (machine, settings) = (&self.problem.program.machine, self.settings());
        let question = self.problem.question;
        let wants_reason = self.problem.wanted.certificate && question != Question::Reach;
        if goals.is_empty() && question != Question::Infinite && !wants_reason {
            return Found::No;
        }
        let peers = self.limits.peers.as_deref();
        let (outcome, ranks) = self.within(max_steps, |limits| match (question, peers) {
            (_, Some(peers)) => (together(machine, goals, shared(question), settings, peers, limits), None),
            (question, None) => match question {
                Question::Reach => (::explicit::reach(machine, goals, settings, limits), None),
                Question::Repeat if wants_reason => {
                    infinite_with_reason(machine, Some(goals), settings, limits)
                }
                Question::Repeat => (::explicit::repeat(machine, goals, settings, limits), None),
                Question::Infinite if wants_reason => infinite_with_reason(machine, None, settings, limits),
                Question::Infinite => (::explicit::infinite(machine, settings, limits), None),
                Question::Deadlock => unreachable!("deadlocks are asked of threads"),
            },
        });
        self.ranks = ranks;
        self.note(outcome.figures);
        match outcome.answer {
            Answer::Reached(goal, trace) => {
                self.limits.gauge.tell(Known::Reachable { least: None });
                Found::Yes(Some(goal), trace)
            }
            Answer::Infinite(trace) => {
                self.limits.gauge.tell(Known::Reachable { least: None });
                Found::Yes(None, trace)
            }
            Answer::No => Found::No,
            Answer::Stopped(stopped) => Found::Unknown(self.unknown(stopped, &outcome.figures)),
        }
    }

    fn longest(&self) -> usize {
        if self.problem.wants_trace() { LONGEST } else { 0 }
    }

    /// Puts the run into the outcome, once it has been replayed.
    fn show(&self, outcome: &mut Outcome, trace: Option<Box<Trace>>) {
        if !self.problem.wants_trace() {
            return;
        }
        let Some(trace) = trace else {
            let reason = match self.limits.peers.as_ref().filter(|peers| peers.own() != 0) {
                Some(peers) => Unknown::Because(threads::told_by(&peers.name(0))),
                None => Unknown::because("it is too long to be written down"),
            };
            outcome.unfinished.push((Missing::Trace, reason));
            return;
        };
        match trace.replay(self.problem.program, &self.problem.goals()) {
            Ok(()) => outcome.trace = Some(*trace),
            Err(ReplayError::Unclear(reason)) => {
                outcome.remarks.push(format!("there is no trace, since it cannot be replayed: {reason}"));
            }
            Err(ReplayError::Wrong(reason)) => panic!("what the explicit engine found is no run: {reason}"),
        }
    }

    /// Is a target reachable, and which?
    fn reach(&mut self, asker: &mut Asker) -> Outcome {
        let targets = self.problem.targets;
        let found = self.search(&self.problem.places(), self.longest());
        let mut outcome = Outcome::new(found.finding(), vec![found.finding(); targets.len()]);
        let Found::Yes(goal, trace) = found else { return outcome };
        let is_there = |target: &Target| goal.is_some_and(|goal| target.places().any(|other| other == goal));
        for (target, finding) in targets.iter().zip(&mut outcome.findings) {
            if !is_there(target) {
                *finding = Finding::unknown(Unknown::because("it was not looked for"));
            }
        }
        self.show(&mut outcome, trace);
        (asker.known)(&outcome, None);
        if !outcome.findings.iter().all(Finding::is_yes) {
            self.reach_each(&mut outcome);
        }
        outcome
    }

    /// Says of the other targets whether they are reachable.
    fn reach_each(&mut self, outcome: &mut Outcome) {
        let pairs = self.problem.targets.iter().zip(&mut outcome.findings);
        let mut open: Vec<(&Target, &mut Finding)> = pairs.filter(|(_, finding)| !finding.is_yes()).collect();
        let goals: Vec<Goal> = open.iter().flat_map(|(target, _)| target.places()).collect();
        let (machine, settings) = (&self.problem.program.machine, self.settings());
        let peers = self.limits.peers.as_deref();
        let found = self.within(0, |limits| match peers {
            Some(peers) => reachable_together(machine, &goals, settings, peers, limits),
            None => ::explicit::reachable(machine, &goals, settings, limits),
        });
        self.note(found.figures);
        let mut is_reached = found.is_reached.iter();
        for (target, finding) in &mut open {
            // Every goal takes its turn, whether or not one before it has been reached.
            let n_reached = is_reached.by_ref().take(target.goals.len()).filter(|reached| **reached).count();
            **finding = match found.stopped {
                _ if n_reached > 0 => Finding::new(Verdict::Yes),
                None => Finding::new(Verdict::No),
                Some(stopped) => Finding::unknown(self.unknown(stopped, &found.figures)),
            };
        }
    }

    /// Is there an infinite run that is at a target again and again, and at which?
    fn repeat(&mut self, asker: &mut Asker) -> Outcome {
        let targets = self.problem.targets;
        let found = self.search(&self.problem.places(), self.longest_cycle());
        let mut outcome = Outcome::new(found.finding(), vec![found.finding(); targets.len()]);
        let Found::Yes(_, trace) = found else { return outcome };
        // Of several processes only one has the run; all have to go on in the same way.
        let shown = trace.as_deref().filter(|_| self.limits.peers.is_none());
        let mut is_passed = self.passed(shown);
        self.show(&mut outcome, trace);
        if let [finding] = &mut outcome.findings[..] {
            *finding = Finding::new(Verdict::Yes);
            return outcome;
        }
        for (finding, is_passed) in outcome.findings.iter_mut().zip(&is_passed) {
            if !is_passed {
                *finding = Finding::unknown(Unknown::because("it was not looked for"));
            }
        }
        (asker.known)(&outcome, None);
        self.repeat_each(&mut outcome, &mut is_passed);
        outcome
    }

    /// Says of the other targets whether an infinite run is there again and again.
    fn repeat_each(&mut self, outcome: &mut Outcome, is_passed: &mut [bool]) {
        let targets = self.problem.targets;
        while let Some(n) = is_passed.iter().position(|is_passed| !is_passed) {
            let goals: Vec<Goal> = targets[n].places().collect();
            let found = self.search(&goals, LONGEST);
            outcome.findings[n] = found.finding();
            is_passed[n] = true;
            let Found::Yes(_, Some(trace)) = found else { continue };
            // The run may be at others, too.
            for (m, is_there) in self.passed(Some(&trace)).into_iter().enumerate() {
                if is_there && !is_passed[m] {
                    outcome.findings[m] = Finding::new(Verdict::Yes);
                    is_passed[m] = true;
                }
            }
        }
    }

    /// With several targets a run is needed to say which of them it is at.
    fn longest_cycle(&self) -> usize {
        if self.problem.targets.len() > 1 { LONGEST } else { self.longest() }
    }

    /// For each target whether an infinite run is there again and again.
    fn passed(&self, trace: Option<&Trace>) -> Vec<bool> {
        let is_there = |target: &Target| {
            let passes = |trace: &Trace| trace.round(self.problem.program, &target.goals).is_ok();
            !target.goals.is_empty() && trace.is_some_and(passes)
        };
        self.problem.targets.iter().map(is_there).collect()
    }

    /// Says why there is no infinite run, if that is so and a certificate is wanted.
    fn certify(&mut self, outcome: &mut Outcome, sources: &Sources) {
        let is_infinite = matches!(self.problem.question, Question::Repeat | Question::Infinite);
        if !is_infinite || !self.problem.wanted.certificate || outcome.finding.verdict != Verdict::No {
            return;
        }
        match self.ranks.take() {
            Some(ranks) => {
                outcome.certificate = Some(evidence::of_sequential(self.problem, ranks, sources));
            }
            None => {
                let reason = Unknown::because("there are too many states to be written down");
                outcome.unfinished.push((Missing::Certificate, reason));
            }
        }
    }

    /// Is there an infinite run?
    fn infinite(&mut self) -> Outcome {
        let found = self.search(&[], self.longest());
        let mut outcome = Outcome::new(found.finding(), Vec::new());
        if let Found::Yes(_, trace) = found {
            self.show(&mut outcome, trace);
        }
        outcome
    }
}

impl SearchFigures {
    /// States in each second; nothing if there was no clock.
    pub fn states_per_second(&self) -> Option<f64> {
        let seconds = self.time.as_secs_f64();
        (self.time > Duration::ZERO).then(|| self.n_states as f64 / seconds)
    }

    /// Bytes that a state takes.
    pub fn bytes_per_state(&self) -> f64 {
        self.figures.bytes as f64 / self.figures.states.max(1) as f64
    }
}

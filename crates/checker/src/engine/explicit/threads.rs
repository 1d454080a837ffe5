//! The explicit engine on programs with threads: one search for every target and every bound.
//!
//! The search goes by context switches, or rounds, so what it finds first is the least. If a run is wanted, the part of the search up
//! to it is done once more, with notes of where everything came from.

mod family;

use super::{Explicit, LONGEST};
use crate::engine::{Asker, Limits};
use crate::outcome::{Finding, Missing, Outcome, SearchFigures, Unknown, Verdict};
use crate::problem::{self, Bound, Problem, WantedTrace};
use crate::threads::EveryBound;
use ::explicit::Stopped;
use ::explicit::Workers;
use ::explicit::threads::forever::run_to_deadlock;
use ::explicit::threads::together::{Asked, Company};
use ::explicit::threads::{
    AnyNumber, Cost, End, Everything, Found, NoCovering, Question, Settings, closure, covering_closure,
    deadlock, fewest, fewest_to_deadlock, least,
};
use base::{Known, Reading, Sources, StopReason};
use rsm::ThreadGoal;
use rsm::trace::{ReplayError, Trace};

/// Calls that would make a stack higher are left out.
pub(super) const TOO_HIGH: &str =
    "stacks of recursive functions become higher than the explicit engine looks at";

/// Why there is no certificate.
const NOT_EVERY_SCHEDULE: &str =
    "a certificate is about every schedule, and only those within the bound were looked at";

const ABOUT_TARGETS: &str =
    "a certificate says that no schedule reaches a target, and nothing about deadlocks";
pub(super) const STARTED: &str =
    "threads that are started at run time are not among those that a certificate speaks of";
pub(super) const LOOKS_INTO_CALLS: &str =
    "a certificate needs stacks of recursive functions that are higher than the explicit engine looks at";

/// Not every search is shared.
pub(super) const ONE_WORKER: &str = "one worker searched: where threads are started at run time, where their number is free, and for certificates of runs without end, the search is not shared";

/// Another process tells what this one could not.
pub(super) fn told_by(name: &str) -> String {
    format!("it is told by the host at {name}")
}

/// The most pairs of a configuration and a thread that are looked at for a shortest run.
const MOST_PAIRS: u64 = 1 << 23;

/// The same if any run will do.
const FEW_PAIRS: u64 = 1 << 14;

/// Answers a problem with threads.
pub(super) fn answer(
    engine: &Explicit,
    problem: &Problem,
    bound: Bound,
    limits: &Limits,
    asker: &mut Asker,
) -> Outcome {
    let start = (limits.clock)();
    let targets: Vec<Vec<ThreadGoal>> = problem.targets.iter().map(|target| target.goals.clone()).collect();
    let (cost, number) = match bound {
        Bound::Switches(number) => (Cost::Switches, Some(number)),
        Bound::Rounds(number) => (Cost::Rounds, Some(number)),
        Bound::Every => (Cost::Switches, None),
    };
    let question = Question { program: problem.program, targets: &targets, cost, bound: number };
    let asking = Asking { engine, problem, limits, question };
    if asking.asks_for_deadlocks() && (problem.program.is_parameterised() || !problem.program.is_whole) {
        let (alone, own) = (engine.alone(), Limits { peers: None, ..limits.clone() });
        let mut outcome = family::deadlock(&Asking { engine: &alone, limits: &own, ..asking }, bound, asker);
        if asking.company().is_shared() {
            outcome.remarks.push(ONE_WORKER.to_owned());
        }
        return outcome;
    }
    let mut outcome = match asking.search(engine.max_states) {
        Ok((found, everything)) => {
            let mut outcome = asking.outcome(&found, bound);
            if !outcome.finding.verdict.is_unknown() {
                limits.gauge.tell(match outcome.finding.is_yes() {
                    true => Known::Reachable { least: outcome.finding.least },
                    false => Known::Unreachable,
                });
                (asker.known)(&outcome, outcome.lacks(problem));
            }
            asking.show(&found, &mut outcome);
            asking.certify(everything, &mut outcome, asker.sources);
            asking.say_who_searched(&mut outcome);
            let figures = found.figures;
            let time = (limits.clock)().saturating_sub(start);
            outcome.figures.search = Some(SearchFigures { figures, n_states: figures.states, time });
            outcome
        }
        Err(AnyNumber) => {
            let reason = match problem.question {
                problem::Question::Deadlock => "deadlocks are looked for among a known number of threads",
                _ => {
                    "the explicit engine counts no rounds of any number of threads, and some schedule reaches a target"
                }
            };
            let unknown = Finding::unknown(Unknown::because(reason));
            Outcome::new(unknown.clone(), vec![unknown; problem.targets.len()])
        }
    };
    outcome.asked.words = problem.question.words();
    outcome
}

/// Everything that was looked at, or why it could not be brought together.
type Gathered = Result<Everything, Stopped>;

#[derive(Clone, Copy)]
struct Asking<'a> {
    engine: &'a Explicit,
    problem: &'a Problem<'a>,
    limits: &'a Limits,
    question: Question<'a>,
}

impl Asking<'_> {
    fn settings(&self) -> Settings {
        self.engine.of_threads()
    }

    fn within<T>(&self, max_states: u64, ask: impl FnOnce(&::explicit::Limits<'_>) -> T) -> T {
        ask(&::explicit::Limits {
            max_bytes: self.limits.memory.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(usize::MAX),
            max_states,
            max_steps: LONGEST,
            stop: &self.limits.stop,
            gauge: &self.limits.gauge,
        })
    }

    /// No thread was left out because the machine has no slot for it.
    fn sees_every_thread(&self) -> bool {
        let program = self.problem.program;
        let is_counted = self.question.cost == Cost::Switches && !program.slots.is_empty();
        program.is_whole || (self.engine.native_start && is_counted)
    }

    fn asks_for_deadlocks(&self) -> bool {
        self.problem.question == problem::Question::Deadlock
    }

    /// Who searches together.
    fn company(&self) -> Company<'_> {
        Company { workers: Workers::of(self.engine.workers), peers: self.limits.peers.as_deref() }
    }

    /// The question is shared among several workers.
    fn is_shared(&self) -> bool {
        self.company().can_share(&self.question, self.settings())
    }

    /// Another process is to tell the run, and the certificate.
    fn teller(&self) -> Option<String> {
        let peers = self.limits.peers.as_ref().filter(|peers| self.is_shared() && peers.own() != 0)?;
        Some(told_by(&peers.name(0)))
    }

    /// Several workers were asked for, and one did all the work.
    fn say_who_searched(&self, outcome: &mut Outcome) {
        if self.company().is_shared() && !self.is_shared() {
            outcome.remarks.push(ONE_WORKER.to_owned());
        }
    }

    /// Everything that was looked at is of interest for a certificate only. There calls are looked into, so without one more may be known.
    fn search(&self, max_states: u64) -> Result<(Found, Option<Gathered>), AnyNumber> {
        if self.is_shared() {
            return self.search_together(max_states);
        }
        let (question, settings) = (&self.question, self.settings());
        if self.asks_for_deadlocks() {
            return self
                .within(max_states, |limits| deadlock(question, settings, limits))
                .map(|found| (found, None));
        }
        let program = self.problem.program;
        if self.problem.wanted.certificate && program.is_whole && !program.is_parameterised() {
            let (found, everything) =
                self.within(max_states, |limits| closure(question, settings, limits))?;
            if found.cut.is_none() || found.end == End::Found || !settings.summaries {
                return Ok((found, everything.map(Ok)));
            }
        }
        self.within(max_states, |limits| least(question, settings, limits)).map(|found| (found, None))
    }

    /// The same by several workers.
    fn search_together(&self, max_states: u64) -> Result<(Found, Option<Gathered>), AnyNumber> {
        let (question, settings, company) = (&self.question, self.settings(), self.company());
        if self.asks_for_deadlocks() {
            return self
                .within(max_states, |limits| Asked { question, settings, company, limits }.deadlock())
                .map(|found| (found, None));
        }
        if self.problem.wanted.certificate && self.problem.program.is_whole {
            let (found, everything) =
                self.within(max_states, |limits| Asked { question, settings, company, limits }.closure())?;
            if found.cut.is_none() || found.end == End::Found || !settings.summaries {
                return Ok((found, everything));
            }
        }
        self.within(max_states, |limits| Asked { question, settings, company, limits }.least())
            .map(|found| (found, None))
    }

    /// A certificate says that no schedule reaches the targets.
    fn certify(&self, everything: Option<Gathered>, outcome: &mut Outcome, sources: &Sources) {
        if !self.problem.wanted.certificate || outcome.finding.verdict != Verdict::No {
            return;
        }
        let proof = match outcome.every_bound {
            _ if self.asks_for_deadlocks() => Err(Unknown::because(ABOUT_TARGETS)),
            None => Err(Unknown::because(NOT_EVERY_SCHEDULE)),
            Some(_) if !self.problem.program.is_whole => Err(Unknown::because(STARTED)),
            Some(_) if self.problem.program.is_parameterised() => self.covering(),
            Some(_) => match everything {
                Some(everything) => everything.map_err(|stopped| self.unknown(stopped, Reading::default())),
                None => Err(self.teller().map_or(Unknown::because(LOOKS_INTO_CALLS), Unknown::Because)),
            },
        };
        match proof {
            Ok(everything) => {
                outcome.certificate = Some(super::closed::certificate(self.problem, everything, sources));
            }
            Err(reason) => outcome.unfinished.push((Missing::Certificate, reason)),
        }
    }

    /// What covers everything that any number of threads reach.
    fn covering(&self) -> Result<Everything, Unknown> {
        let (question, settings) = (&self.question, self.settings());
        let covering =
            self.within(self.engine.max_states, |limits| covering_closure(question, settings, limits));
        covering.map_err(|reason| match reason {
            NoCovering::Cut => Unknown::because(LOOKS_INTO_CALLS),
            NoCovering::Reached => Unknown::because("what covers all threads reaches a target"),
            NoCovering::Stopped(stopped) => self.unknown(stopped, Reading::default()),
        })
    }

    fn outcome(&self, found: &Found, bound: Bound) -> Outcome {
        let finding = |target: usize| match (found.least[target], found.end) {
            (Some(least), _) => {
                Finding { verdict: Verdict::Yes, least: found.is_least(target).then_some(least) }
            }
            // How many switches it takes was not found out, but a run can be shown.
            (None, End::Found) if found.is_reached[target] && self.asks_for_deadlocks() => {
                Finding::new(Verdict::Yes)
            }
            (None, end) if found.is_reached[target] && bound == Bound::Every => {
                Finding::unknown(self.without_run(end, found))
            }
            (None, End::Stopped(stopped)) => Finding::unknown(self.unknown(stopped, reading(found))),
            (None, _) if found.cut.is_some() => Finding::unknown(Unknown::because(TOO_HIGH)),
            (None, _) => Finding::new(Verdict::No),
        };
        let findings: Vec<Finding> = (0..found.least.len()).map(finding).collect();
        let all = Finding::any(&findings);
        let safe_within = found.safe_within().filter(|_| findings.iter().any(|one| one.verdict.is_unknown()));
        let mut outcome = Outcome::new(all, if self.asks_for_deadlocks() { Vec::new() } else { findings });
        outcome.safe_within = safe_within;
        match outcome.finding.verdict {
            // A smaller number may do for one of which it is not known.
            Verdict::Yes => {
                let mut least = outcome.findings.iter().filter(|finding| finding.is_yes());
                if least.any(|finding| finding.least.is_none()) {
                    let smallest = found.least.iter().flatten().min();
                    outcome.finding.least =
                        smallest.copied().filter(|least| found.cut.is_none_or(|cut| *least <= cut));
                }
            }
            Verdict::No if found.end == End::Closed && self.sees_every_thread() => {
                outcome.every_bound = Some(EveryBound::AllStates);
            }
            Verdict::No => {}
            Verdict::Unknown(_) => {
                if bound == Bound::Every && !self.asks_for_deadlocks() {
                    let next = found.safe_within().map_or(4, |safe| safe.saturating_add(1));
                    outcome.remarks.push(format!(
                        "`-k {next}` asks the formulas within {next} context switches, where states need not be counted"
                    ));
                }
            }
        }
        outcome
    }

    /// Counters reach a target, which is no run: how many switches it takes is not known.
    fn without_run(&self, end: End, found: &Found) -> Unknown {
        let within = match found.looked_at {
            Some(number) => format!("no run to it was found within {number} context switches"),
            None => "no run to it was found".to_owned(),
        };
        let why = match end {
            End::Stopped(stopped) => match self.unknown(stopped, reading(found)) {
                Unknown::Because(reason) => reason,
                stopped => return stopped,
            },
            _ => TOO_HIGH.to_owned(),
        };
        Unknown::Because(format!("some number of threads reaches it, but {within}: {why}"))
    }

    /// Why a search knows nothing, given how far it came.
    fn unknown(&self, stopped: Stopped, reading: Reading) -> Unknown {
        why_stopped(self.engine, self.limits, stopped, reading)
    }

    /// A run with as few steps as possible, if it can be found; otherwise a remark says that another one may not be.
    fn shortest(
        &self,
        question: &Question<'_>,
        found: &Found,
        outcome: &mut Outcome,
    ) -> Option<Result<Result<Option<Trace>, Stopped>, AnyNumber>> {
        let run = self
            .within(MOST_PAIRS, |limits| ::explicit::threads::shortest(question, self.settings(), limits));
        let reason = match run {
            Ok(Ok(Some(run))) => {
                if run.is_cut {
                    outcome.remarks.push(format!("the trace may not be the shortest: {TOO_HIGH}"));
                }
                return Some(Ok(Ok(Some(run.trace))));
            }
            // Calls that are one step to others are looked into here.
            Ok(Ok(None)) => TOO_HIGH.to_owned(),
            Ok(Err(Stopped::States)) => "there are too many runs with as few context switches".to_owned(),
            Ok(Err(stopped)) => match self.unknown(stopped, reading(found)) {
                Unknown::Because(reason) => reason,
                _ => "the search was stopped".to_owned(),
            },
            other => return Some(other.map(|found| found.map(|run| run.map(|run| run.trace)))),
        };
        outcome.remarks.push(format!("the trace may not be the shortest: {reason}"));
        None
    }

    /// Puts a run to a target that was found into the outcome.
    fn show(&self, found: &Found, outcome: &mut Outcome) {
        if !self.problem.wants_trace() {
            return;
        }
        let Some(least) = found.least.iter().flatten().min() else {
            if self.asks_for_deadlocks() && outcome.finding.is_yes() {
                self.show_some_deadlock(found, outcome);
            }
            return;
        };
        let question = Question { bound: Some(*least), ..self.question };
        if self.is_shared() {
            return self.show_together(&question, found, outcome);
        }
        let run = match self.problem.wanted.trace {
            _ if self.asks_for_deadlocks() => None,
            WantedTrace::Shortest => self.shortest(&question, found, outcome),
            // Where there are few runs, a short one is found at once, and easier to read.
            _ => match self
                .within(FEW_PAIRS, |limits| ::explicit::threads::shortest(&question, self.settings(), limits))
            {
                Ok(Ok(Some(run))) => Some(Ok(Ok(Some(run.trace)))),
                _ => None,
            },
        };
        let ask = if self.asks_for_deadlocks() { fewest_to_deadlock } else { fewest };
        let run =
            run.unwrap_or_else(|| self.within(u64::MAX, |limits| ask(&question, self.settings(), limits)));
        self.show_run(run, found, outcome);
    }

    /// The same by several workers, unless there are few runs, so that one of them finds a short one.
    fn show_together(&self, question: &Question<'_>, found: &Found, outcome: &mut Outcome) {
        let (settings, company) = (self.settings(), self.company());
        let few = match self.asks_for_deadlocks() || self.teller().is_some() {
            true => None,
            false => self
                .within(FEW_PAIRS, |limits| ::explicit::threads::shortest(question, settings, limits))
                .ok()
                .and_then(|run| run.ok().flatten()),
        };
        let run = match company.agree(few.is_none()) {
            Err(stopped) => Ok(Err(stopped)),
            Ok(false) => Ok(Ok(few.map(|run| run.trace))),
            Ok(true) if self.asks_for_deadlocks() => self.within(u64::MAX, |limits| {
                Asked { question, settings, company, limits }.fewest_to_deadlock()
            }),
            Ok(true) => {
                self.within(u64::MAX, |limits| Asked { question, settings, company, limits }.fewest())
            }
        };
        match self.teller().filter(|_| !matches!(run, Ok(Err(_)))) {
            Some(reason) => outcome.unfinished.push((Missing::Trace, Unknown::Because(reason))),
            None => self.show_run(run, found, outcome),
        }
    }

    /// A run into a deadlock of which it is not known whether fewer switches lead to one.
    fn show_some_deadlock(&self, found: &Found, outcome: &mut Outcome) {
        if let Some(reason) = self.teller() {
            outcome.unfinished.push((Missing::Trace, Unknown::Because(reason)));
            return;
        }
        let run =
            self.within(u64::MAX, |limits| run_to_deadlock(self.question.program, self.settings(), limits));
        self.show_run(Ok(run), found, outcome);
        outcome.remarks.push(
            "whether fewer context switches lead to a deadlock was not found out; `-k N` asks within N of them"
                .to_owned(),
        );
    }

    /// Puts a run into the outcome, once it has been replayed.
    fn show_run(
        &self,
        run: Result<Result<Option<Trace>, Stopped>, AnyNumber>,
        found: &Found,
        outcome: &mut Outcome,
    ) {
        match run {
            Ok(Ok(Some(trace))) => match trace.replay(self.problem.program, &self.problem.goals()) {
                Ok(()) => outcome.trace = Some(trace),
                Err(ReplayError::Unclear(reason)) => {
                    outcome.remarks.push(format!("there is no trace, since it cannot be replayed: {reason}"));
                }
                Err(ReplayError::Wrong(reason)) => {
                    outcome.finding = Finding::unknown(Unknown::Because(format!(
                        "what the search found is no run of the program: {reason}"
                    )));
                    outcome.findings.fill(outcome.finding.clone());
                }
            },
            Ok(Ok(None)) | Err(AnyNumber) => {
                let reason = Unknown::because("it is too long to be written down");
                outcome.unfinished.push((Missing::Trace, reason));
            }
            Ok(Err(stopped @ Stopped::Untaken)) => {
                outcome.finding = Finding::unknown(self.unknown(stopped, reading(found)));
                outcome.findings.fill(outcome.finding.clone());
            }
            Ok(Err(stopped)) => {
                outcome.unfinished.push((Missing::Trace, self.unknown(stopped, reading(found))))
            }
        }
    }
}

/// Why a search of threads knows nothing, given how far it came.
pub(super) fn why_stopped(engine: &Explicit, limits: &Limits, stopped: Stopped, reading: Reading) -> Unknown {
    match stopped {
        Stopped::Memory => Unknown::Stopped(StopReason::Memory, reading),
        Stopped::Requested(reason) => Unknown::Stopped(reason, reading),
        Stopped::States => Unknown::Because(format!(
            "the explicit engine looks at {} states at most, and there are more",
            engine.max_states
        )),
        Stopped::Untaken => Unknown::because("what the search found is no run of the program"),
        Stopped::Lost(peer) => super::lost(limits, peer),
        Stopped::TooLarge | Stopped::TooWide => Unknown::because(
            "some choice or condition has too many values for the explicit engine to find those that count",
        ),
    }
}

/// How far a search came.
fn reading(found: &Found) -> Reading {
    Reading { search: Some(Box::new(found.figures.searched())), ..Reading::default() }
}

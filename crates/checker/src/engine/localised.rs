//! A formula about the whole program, and beside it formulas about views that know less of it.
//!
//! Many programs have variables that do not matter to a target, and bits of integers that do not; a view that reads them as any value
//! is quick to answer about, and *unreachable* stands. The program itself goes first, alone, for a share of work; most need no
//! more. Then [competitors](competitors) follow it, each at its own pace: the less a view knows, the quicker, so that where everything matters they add little to the
//! work. Who is first is a matter of counts, as in the portfolio, so the answer depends on the problem alone.

mod backward;
mod competitors;
mod concrete;
mod copies;
mod levels;
mod parts;
mod path;
mod reason;
mod rounds;
mod threads;
mod unrolled;

pub use threads::ThreadViews;

use super::turns::{Turn, race};
use super::{Asker, Engine, Failure, Limits, Symbolic};
use crate::evaluation::{Options, shortest};
use crate::formula::DEFAULT;
use crate::outcome::{Finding, Missing, Outcome, Unknown, Verdict};
use crate::problem::{Bound, Problem, Question, WantedTrace};
use crate::target::Target;
use base::{Reading, Sources, Stop, StopReason};
use competitors::{Competitor, Prepared, preparation};
use rsm::Reductions;
use std::cell::OnceCell;
use std::thread::{Scope, ScopedJoinHandle};

/// What the program itself is given before anything else is tried.
const FIRST: u64 = 3_000;

/// So many units of work on the program go with one on what all others need.
const TIMES: u64 = 16;

/// So much of the memory is for views, and for each other competitor.
const MEMORY_SHARE: u64 = 16;

/// How much stack a competitor may use: the first of these that the system grants, and that is a small part of its addresses.
const STACKS: [usize; 3] = [1 << 28, 1 << 26, 1 << 23];
const PART_OF_A_STACK: u64 = 64;

/// A thread takes addresses for its stack and for its memory before it uses any. Where there are fewer than this, all of them are for the program
/// itself, and the others take turns with it.
const ADDRESSES: u64 = 4 << 30;

/// A formula about the program, and views of it beside that.
#[derive(Clone, Copy)]
pub struct Localised<'e> {
    /// What is asked about the whole program.
    pub whole: &'e Symbolic,
}

/// What somebody came to, and when that was on the clock of the program.
struct Finished {
    outcome: Outcome,
    clock: u64,
}

impl Engine for Localised<'_> {
    fn name(&self) -> &str {
        self.whole.name()
    }

    fn is_believed(&self) -> bool {
        self.whole.is_believed()
    }

    fn answer(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        match has_few_addresses() {
            true => self.in_turns(problem, limits, asker),
            false if self.applies(problem) => self.beside(problem, limits, asker),
            false if self.applies_to_threads(problem) && limits.peers.is_none() => {
                Ok(ThreadViews::of_formula(self.whole.clone()).beside(problem, limits, asker)?.0)
            }
            false => self.whole.answer(problem, limits, asker),
        }
    }
}

fn has_few_addresses() -> bool {
    dd::memory::address_space().is_some_and(|bytes| bytes < ADDRESSES)
}

/// A thread for some work, with as much stack as there is; none if the system refuses it.
fn on_thread<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() -> T + Copy + Send + 's,
) -> Option<ScopedJoinHandle<'s, T>> {
    let most = dd::memory::address_space().map_or(usize::MAX, |bytes| (bytes / PART_OF_A_STACK) as usize);
    let start = |stack: &usize| {
        let builder = std::thread::Builder::new().stack_size(*stack);
        builder.spawn_scoped(scope, dd::memory::for_thread(work)).ok()
    };
    STACKS.iter().filter(|stack| **stack <= most).find_map(start)
}

impl Localised<'_> {
    /// The question is whether targets can be reached, and a formula of the list asks it. Formulas that tell states apart, infinite runs and
    /// threads need all of the program.
    pub fn applies(&self, problem: &Problem) -> bool {
        problem.question == Question::Reach
            && problem.bound.is_none()
            && problem.program.is_sequential()
            && !problem.targets.is_empty()
            && self.whole.formula.shipped == Some(DEFAULT)
            && self.asks_plainly()
    }

    /// The question is whether threads reach targets within a bound, and a formula of the list asks it.
    fn applies_to_threads(&self, problem: &Problem) -> bool {
        ThreadViews::applies(problem)
            && problem.bound != Some(Bound::Every)
            && self.whole.formula.shipped.is_some()
            && self.is_believed()
            && self.asks_plainly()
    }

    fn asks_plainly(&self) -> bool {
        let whole = self.whole;
        !whole.only_bits
            && whole.params.is_empty()
            && whole.labels.is_empty()
            && whole.reductions.live_variables
    }

    fn beside(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        let followers = limits.stop.part();
        let begin = beginning(problem);
        let each = Competitor::ALL.map(|who| {
            let memory = limits.memory.map(|bytes| bytes / MEMORY_SHARE);
            (who, Limits { memory, stop: followers.part(), ..limits.clone() })
        });
        let memory = limits.memory.map(|bytes| bytes - bytes / MEMORY_SHARE * each.len() as u64);
        let of_whole = Limits { memory, stop: limits.stop.part(), ..limits.clone() };
        let whole = &of_whole.stop;
        each.iter().for_each(|(_, limits)| limits.stop.follow(whole, begin, TIMES));
        limits.stop.stop_first(Some(&followers));
        let race = Race { problem, reductions: self.whole.reductions, each: &each, whole };
        let sources = asker.sources.clone();
        let (finished, evaluated) = std::thread::scope(|scope| {
            let run = || race.run(&sources);
            let Some(racing) = on_thread(scope, run) else {
                return self.take_turns(problem, limits, asker);
            };
            let _released = Released(&race);
            let evaluated = self.whole.answer(problem, &of_whole, asker);
            limits.stop.stop_first(None);
            match &evaluated {
                Ok(outcome) if !is_answer(problem, outcome) => {}
                Ok(_) => race.grant_until(whole.work()),
                Err(_) => race.grant_until(0),
            }
            race.release();
            let finished = racing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok((finished?, Finished { outcome: evaluated?, clock: whole.work() }))
        })?;
        let outcome = earlier(problem, finished, evaluated);
        Ok(self.finished(problem, limits, outcome, asker.sources))
    }

    /// The answer as it is where no thread can be started, or takes too many addresses: the same.
    pub fn in_turns(
        &self,
        problem: &Problem,
        limits: &Limits,
        asker: &mut Asker,
    ) -> Result<Outcome, Failure> {
        if !self.applies(problem) {
            return self.whole.answer(problem, limits, asker);
        }
        let (finished, evaluated) = self.take_turns(problem, limits, asker)?;
        Ok(self.finished(problem, limits, earlier(problem, finished, evaluated), asker.sources))
    }

    /// The program and the others by turns: what the first of these came to, and what is known of the program.
    fn take_turns(
        &self,
        problem: &Problem,
        limits: &Limits,
        asker: &mut Asker,
    ) -> Result<(Option<Finished>, Finished), Failure> {
        let mut sources = asker.sources.clone();
        let (begin, prepared) = (beginning(problem), OnceCell::new());
        let mut whole = |granted: u64| {
            let limits = Limits { stop: limits.stop.part(), ..limits.clone() };
            limits.stop.grant(granted);
            let outcome = self.whole.answer(problem, &limits, asker)?;
            let (is_answer, work) = (is_answer(problem, &outcome), limits.stop.work());
            Ok(Turn { outcome, work, is_answer, is_cut: work > granted })
        };
        let mut others = |granted: u64| {
            let who = Competitor::ALL;
            if granted < begin {
                let outcome = unknown(problem, Unknown::Stopped(StopReason::Work, Reading::default()));
                return Ok(Turn { outcome, work: granted, is_answer: false, is_cut: true });
            }
            let prepared = prepared.get_or_init(|| Prepared::of(problem, self.whole.reductions));
            let turns = Turns { problem, prepared, who: &who, limits, begin };
            turns.up_to(granted, &mut sources)
        };
        let (whole, others) = race(&mut whole, &mut others, FIRST)?;
        let finished = |turn: Turn| Finished { outcome: turn.outcome, clock: turn.work };
        Ok((Some(finished(others)), finished(whole)))
    }

    /// The shortest run, if that is wanted and the outcome is that of views.
    fn finished(
        &self,
        problem: &Problem,
        limits: &Limits,
        mut outcome: Outcome,
        sources: &mut Sources,
    ) -> Outcome {
        let is_shortest = outcome.figures.localised.is_none();
        if is_shortest || !outcome.finding.is_yes() || problem.wanted.trace != WantedTrace::Shortest {
            return outcome;
        }
        let pairs = problem.targets.iter().zip(&outcome.findings);
        let reached: Vec<Target> =
            pairs.filter(|(_, finding)| finding.is_yes()).map(|(target, _)| target.clone()).collect();
        let Limits { memory, stop, gauge, clock, .. } = limits.clone();
        let options =
            Options { reductions: self.whole.reductions, memory, stop, gauge, clock, ..Options::default() };
        match shortest(&problem.program.machine, &reached, &options, sources) {
            Ok(Some(trace)) => outcome.trace = Some(trace),
            Ok(None) => {}
            Err(error) => outcome.remarks.push(format!("the trace may not be the shortest: {error}")),
        }
        outcome
    }
}

/// When all others begin, on the clock of the program: when it has had its share, and what they need has been paid.
fn beginning(problem: &Problem) -> u64 {
    FIRST + TIMES * preparation(problem)
}

/// Competitors side by side.
struct Race<'r> {
    problem: &'r Problem<'r>,
    reductions: Reductions,
    each: &'r [(Competitor, Limits)],
    /// The formula about the program, which they follow.
    whole: &'r Stop,
}

impl Race<'_> {
    /// What the first of them came to. Each works on a thread of its own, as soon as it is their turn.
    fn run(&self, sources: &Sources) -> Result<Option<Finished>, Failure> {
        // The first waits for all.
        let Some((_, limits)) = self.each.first() else { return Ok(None) };
        if limits.stop.requested_after(0).is_some() {
            return Ok(None);
        }
        let prepared = Prepared::of(self.problem, self.reductions);
        let run = |(who, limits): &(Competitor, Limits)| {
            let outcome = prepared.answer(*who, limits, &mut sources.clone())?;
            let clock = limits.stop.clock();
            if is_answer(self.problem, &outcome) {
                self.whole.grant_until(clock);
                self.grant_until(clock);
            }
            Ok(Finished { outcome, clock })
        };
        let finished: Result<Vec<Finished>, Failure> = std::thread::scope(|scope| {
            let run = &run;
            let start = |each| on_thread(scope, move || run(each)).ok_or(each);
            let (first, others) = self.each.split_first().expect("there are several");
            let others: Vec<_> = others.iter().map(start).collect();
            let mut finished = vec![run(first)?];
            for other in others {
                finished.push(match other {
                    Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?,
                    // Its counts are the same if it comes later.
                    Err(each) => run(each)?,
                });
            }
            Ok(finished)
        });
        Ok(first(self.problem, finished?))
    }

    fn grant_until(&self, clock: u64) {
        self.each.iter().for_each(|(_, limits)| limits.stop.grant_until(clock));
    }

    fn release(&self) {
        self.each.iter().for_each(|(_, limits)| limits.stop.release());
    }
}

/// Whoever waits for the work of another need not wait any more, however that ends.
struct Released<'r>(&'r Race<'r>);

impl Drop for Released<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.grant_until(0);
        }
        self.0.release();
    }
}

/// Competitors one after the other.
struct Turns<'t> {
    problem: &'t Problem<'t>,
    prepared: &'t Prepared<'t>,
    who: &'t [Competitor],
    limits: &'t Limits,
    begin: u64,
}

impl Turns<'_> {
    /// What the first of them comes to up to some time; if that is for ever, up to times that grow.
    fn up_to(&self, clock: u64, sources: &mut Sources) -> Result<Turn, Failure> {
        let mut until = if clock == u64::MAX { self.begin.max(FIRST) } else { clock };
        loop {
            let turn = self.once(until, sources)?;
            if turn.is_answer || !turn.is_cut || clock < u64::MAX || self.limits.stop.is_requested().is_some()
            {
                return Ok(turn);
            }
            until = until.saturating_mul(TIMES_THE_TURN);
        }
    }

    fn once(&self, until: u64, sources: &mut Sources) -> Result<Turn, Failure> {
        let (mut finished, mut least, mut is_cut) = (Vec::new(), until, false);
        for who in self.who {
            let limits = Limits { stop: self.limits.stop.part(), ..self.limits.clone() };
            limits.stop.count_on_clock(self.begin, TIMES);
            limits.stop.grant_until(least);
            let mut outcome = self.prepared.answer(*who, &limits, sources)?;
            let clock = limits.stop.clock();
            if clock > least {
                // Whoever is late may be later than the program.
                is_cut = true;
                outcome = unknown(self.problem, Unknown::Stopped(StopReason::Work, Reading::default()));
            } else if is_answer(self.problem, &outcome) {
                least = clock;
            }
            finished.push(Finished { outcome, clock });
        }
        let first = first(self.problem, finished).expect("there are several");
        let is_answer = is_answer(self.problem, &first.outcome);
        Ok(Turn { outcome: first.outcome, work: first.clock, is_answer, is_cut })
    }
}

/// The next turn goes so many times as far.
const TIMES_THE_TURN: u64 = 4;

/// What the first of several came to; if nobody has an answer, the first of the list that has a verdict.
fn first(problem: &Problem, finished: Vec<Finished>) -> Option<Finished> {
    let rank = |finished: &Finished| match is_answer(problem, &finished.outcome) {
        true => (0, finished.clock),
        false => (1 + u8::from(finished.outcome.finding.verdict.is_unknown()), 0),
    };
    finished.into_iter().min_by_key(rank)
}

/// The answer that came first; that about the whole program if both came at once.
fn earlier(problem: &Problem, others: Option<Finished>, evaluated: Finished) -> Outcome {
    let Some(others) = others else { return evaluated.outcome };
    let of_whole = is_answer(problem, &evaluated.outcome);
    if is_answer(problem, &others.outcome) && (!of_whole || others.clock < evaluated.clock) {
        return others.outcome;
    }
    // A verdict without the certificate that is wanted is better than none.
    let is_known = |outcome: &Outcome| !outcome.finding.verdict.is_unknown();
    match !is_known(&evaluated.outcome) && is_known(&others.outcome) {
        true => others.outcome,
        false => evaluated.outcome,
    }
}

/// Views of a program and nothing beside them, to be compared with others.
#[derive(Clone, Copy)]
pub struct Views {
    /// What is left out of each view before it is looked at.
    pub reductions: Reductions,
    /// The most units of work that would be done on the program beside it.
    pub most: u64,
}

impl Engine for Views {
    fn name(&self) -> &str {
        "localisation"
    }

    fn answer(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        let prepared = Prepared::of(problem, self.reductions);
        let who = [Competitor::Goals, Competitor::Targets, Competitor::Untested];
        let turns = Turns { problem, prepared: &prepared, who: &who, limits, begin: 0 };
        Ok(turns.up_to(self.most, asker.sources)?.outcome)
    }
}

/// Nothing is known, for this reason.
fn unknown(problem: &Problem, reason: Unknown) -> Outcome {
    let finding = Finding::new(Verdict::Unknown(reason));
    Outcome::new(finding.clone(), vec![finding; problem.targets.len()])
}

/// Everything that was asked is known, and the certificate is there that is wanted.
fn is_answer(problem: &Problem, outcome: &Outcome) -> bool {
    let is_known = |finding: &Finding| !finding.verdict.is_unknown();
    is_known(&outcome.finding)
        && outcome.findings.iter().all(is_known)
        && outcome.lacks(problem) != Some(Missing::Certificate)
}

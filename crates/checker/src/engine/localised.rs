//! A formula about the whole program, and beside it formulas about views that know less of it.
//!
//! Many programs have variables that do not matter to a target, and bits of integers that do not; a view that reads them as any value
//! is quick to answer about, and *unreachable* stands. The program itself goes first, alone, for a share of work; most need no
//! more. Then views are looked at beside it, one unit of work for nine, in which the formulas take turns, too. Who is first is a matter of counts, as in the portfolio:
//! so the answer depends on the problem alone, and where everything matters, localisation adds a ninth to the work at most.

mod backward;
mod concrete;
mod copies;
mod levels;
mod parts;
mod path;
mod reason;
mod rounds;
mod threads;
mod unrolled;

pub use threads::{LocalisedSearch, ThreadViews};

use super::turns::{Turn, race};
use super::{Asker, Engine, Explicit, Failure, Limits, Symbolic};
use crate::evaluation::{Options, shortest};
use crate::formula::DEFAULT;
use crate::outcome::{Finding, Missing, Outcome, Unknown, Verdict};
use crate::problem::{Problem, Question, WantedTrace};
use crate::target::Target;
use base::{Reading, Sources, Stop, StopReason};
use parts::Parts;
use rounds::{Beginning, EDGES_OF_A_UNIT, NoAnswer, Rounds, n_edges};
use rsm::{Reductions, Rsm};

/// What the program itself is given before anything else is tried.
const FIRST: u64 = 6_000;

/// So many units of work on the program go with one on views.
const TIMES: u64 = 9;

/// What views may do before others have their turn; then it is four times as much.
const FIRST_SHARE: u64 = 1_000;

/// A turn is worth while if it may take so many times the work that it takes to begin a round.
const TIMES_THE_BEGINNING: u64 = 3;

/// What is known of so many variables at so many nodes is found with a unit of work.
const VALUES_OF_A_UNIT: u64 = 50;

/// To arrange the bits of the program takes so much work, and a unit more for so many edges.
const ARRANGEMENT: u64 = 150;

/// A search of single states has so many times less of a share than views have.
const TIMES_LESS_SEARCH: u64 = 4;

/// What that search is called.
const EXPLICIT: &str = "explicit";

/// So much of the memory is for views.
const MEMORY_SHARE: u64 = 8;

/// How much stack views may use: the first of these that the system grants.
const STACKS: [usize; 3] = [1 << 28, 1 << 26, 1 << 23];

/// A formula about the program, and views of it beside that.
#[derive(Clone, Copy)]
pub struct Localised<'e> {
    /// What is asked about the whole program.
    pub whole: &'e Symbolic,
}

/// What somebody came to, and after how much work on the program.
struct Finished {
    outcome: Outcome,
    work: u64,
}

impl Engine for Localised<'_> {
    fn name(&self) -> &str {
        self.whole.name()
    }

    fn is_believed(&self) -> bool {
        self.whole.is_believed()
    }

    fn answer(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        match self.applies(problem) {
            true => self.beside(problem, limits, asker),
            false => self.whole.answer(problem, limits, asker),
        }
    }
}

impl Localised<'_> {
    /// The question is whether targets can be reached, and a formula of the list asks it. Formulas that tell states apart, infinite runs and
    /// threads need all of the program.
    pub fn applies(&self, problem: &Problem) -> bool {
        let whole = self.whole;
        problem.question == Question::Reach
            && problem.bound.is_none()
            && problem.program.is_sequential()
            && !problem.targets.is_empty()
            && whole.formula.shipped == Some(DEFAULT)
            && !whole.only_bits
            && whole.params.is_empty()
            && whole.labels.is_empty()
            && whole.reductions.live_variables
    }

    fn beside(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        let memory = limits.memory.map(|bytes| bytes / MEMORY_SHARE);
        let of_views = Limits { memory, stop: limits.stop.part(), ..limits.clone() };
        let memory = limits.memory.map(|bytes| bytes - bytes / MEMORY_SHARE);
        let of_whole = Limits { memory, stop: limits.stop.part(), ..limits.clone() };
        let (views, whole) = (&of_views.stop, &of_whole.stop);
        views.follow(whole, FIRST, TIMES);
        limits.stop.stop_first(Some(views));
        let sources = asker.sources.clone();
        let reductions = self.whole.reductions;
        let search = || {
            let outcome = by_views(problem, &of_views, reductions, Beside::Search, &mut sources.clone())?;
            let work = FIRST.max(TIMES.saturating_mul(views.work()));
            if is_answer(problem, &outcome) {
                whole.grant(work);
            }
            Ok(Finished { outcome, work })
        };
        let (searched, evaluated) = std::thread::scope(|scope| {
            let start = |stack: &usize| {
                let builder = std::thread::Builder::new().stack_size(*stack);
                builder.spawn_scoped(scope, dd::memory::for_thread(search))
            };
            let Some(searching) = STACKS.iter().find_map(|stack| start(stack).ok()) else {
                let (views, whole) = self.take_turns(problem, limits, asker)?;
                return Ok((Some(views), whole));
            };
            let _released = Released(views);
            let evaluated = self.whole.answer(problem, &of_whole, asker);
            limits.stop.stop_first(None);
            match &evaluated {
                Ok(outcome) if !is_answer(problem, outcome) => views.lend(limits.memory.unwrap_or(0)),
                Ok(_) if whole.work() >= FIRST => views.grant(whole.work() / TIMES),
                _ => views.grant(0),
            }
            views.release();
            let searched = searching.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let evaluated = Finished { outcome: evaluated?, work: whole.work() };
            Ok::<_, Failure>((Some(searched?), evaluated))
        })?;
        let outcome = earlier(problem, searched, evaluated);
        Ok(self.finished(problem, limits, outcome, asker.sources))
    }

    /// The answer as it is where no thread can be started: the same.
    pub fn in_turns(
        &self,
        problem: &Problem,
        limits: &Limits,
        asker: &mut Asker,
    ) -> Result<Outcome, Failure> {
        if !self.applies(problem) {
            return self.whole.answer(problem, limits, asker);
        }
        let (views, whole) = self.take_turns(problem, limits, asker)?;
        Ok(self.finished(problem, limits, earlier(problem, Some(views), whole), asker.sources))
    }

    /// The program and views of it by turns: what views came to, and what is known of the program.
    fn take_turns(
        &self,
        problem: &Problem,
        limits: &Limits,
        asker: &mut Asker,
    ) -> Result<(Finished, Finished), Failure> {
        let part = |granted: u64| {
            let limits = Limits { stop: limits.stop.part(), ..limits.clone() };
            limits.stop.grant(granted);
            limits
        };
        let mut sources = asker.sources.clone();
        let turn = |outcome: Outcome, work, is_cut| {
            let is_answer = is_answer(problem, &outcome);
            Turn { outcome, work, is_answer, is_cut }
        };
        let mut whole = |granted: u64| {
            let limits = part(granted);
            let outcome = self.whole.answer(problem, &limits, asker)?;
            Ok(turn(outcome, limits.stop.work(), limits.stop.work() > granted))
        };
        let mut views = |granted: u64| {
            // It is their turn only when the program itself has had its share.
            let own = if granted < FIRST { 0 } else { granted / TIMES };
            let limits = part(if granted == u64::MAX { granted } else { own });
            let outcome = by_views(problem, &limits, self.whole.reductions, Beside::Search, &mut sources)?;
            let work = limits.stop.work();
            Ok(turn(outcome, FIRST.max(TIMES.saturating_mul(work)), work > own && granted != u64::MAX))
        };
        let (whole, views) = race(&mut whole, &mut views, FIRST)?;
        let finished = |turn: Turn| Finished { outcome: turn.outcome, work: turn.work };
        Ok((finished(views), finished(whole)))
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
        let options = Options {
            reductions: self.whole.reductions,
            symbolic: false,
            trace: false,
            certificate: false,
            keeps_points: false,
            game: None,
            memory,
            stop,
            gauge,
            clock,
        };
        match shortest(&problem.program.machine, &reached, &options, sources) {
            Ok(Some(trace)) => outcome.trace = Some(trace),
            Ok(None) => {}
            Err(error) => outcome.remarks.push(format!("the trace may not be the shortest: {error}")),
        }
        outcome
    }
}

/// Whoever waits for the work of another need not wait any more, however that ends.
struct Released<'s>(&'s Stop);

impl Drop for Released<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.grant(0);
        }
        self.0.release();
    }
}

/// The answer that came first; that about the whole program if both came at once.
fn earlier(problem: &Problem, searched: Option<Finished>, evaluated: Finished) -> Outcome {
    let Some(searched) = searched else { return evaluated.outcome };
    let of_whole = is_answer(problem, &evaluated.outcome);
    if is_answer(problem, &searched.outcome) && (!of_whole || searched.work < evaluated.work) {
        return searched.outcome;
    }
    // A verdict without the certificate that is wanted is better than none.
    let is_known = |outcome: &Outcome| !outcome.finding.verdict.is_unknown();
    match !is_known(&evaluated.outcome) && is_known(&searched.outcome) {
        true => searched.outcome,
        false => evaluated.outcome,
    }
}

/// Views of a program and nothing beside them, to be compared with others.
#[derive(Clone, Copy)]
pub struct Views {
    /// What is left out of each view before it is looked at.
    pub reductions: Reductions,
    /// The most units of work.
    pub most: u64,
}

impl Engine for Views {
    fn name(&self) -> &str {
        "localisation"
    }

    fn answer(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        let limits = Limits { stop: limits.stop.part(), ..limits.clone() };
        limits.stop.grant(self.most);
        by_views(problem, &limits, self.reductions, Beside::Nothing, asker.sources)
    }
}

/// The answer of views, as soon as it is their turn. A target that can be reached for several reasons is asked for as several, which a certificate, that says
/// nothing of differences either, does not speak of.
fn by_views(
    problem: &Problem,
    limits: &Limits,
    reductions: Reductions,
    beside: Beside,
    sources: &mut Sources,
) -> Result<Outcome, Failure> {
    let program = &problem.program.machine;
    let uses_more = !problem.wanted.certificate;
    let of_differences = if uses_more { rsm::n_values(program) / VALUES_OF_A_UNIT } else { 0 };
    let of_line = ARRANGEMENT + n_edges(program) / EDGES_OF_A_UNIT;
    if let Some(reason) = limits.stop.requested_after(of_differences + of_line) {
        return Ok(unknown(problem, Unknown::Stopped(reason, Reading::default())));
    }
    if !uses_more {
        return by_turns((problem, program), limits, reductions, beside, sources);
    }
    let Some(parts) = Parts::of(problem) else {
        return by_turns(
            (problem, &rsm::with_known_differences(program)),
            limits,
            reductions,
            beside,
            sources,
        );
    };
    let asked = Problem { program: &parts.program, targets: &parts.targets, ..problem.clone() };
    let machine = rsm::with_known_differences(&parts.program.machine);
    let outcome = by_turns((&asked, &machine), limits, reductions, beside, sources)?;
    Ok(parts
        .told(problem, outcome)
        .unwrap_or_else(|| unknown(problem, Unknown::because("its run was not found"))))
}

/// What takes turns with views.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Nothing,
    Search,
}

/// Views that know all tests, those that know none, and the formula that goes backwards on the program itself take turns, the latter two with fewer units of
/// work. If a target has several goals, each of them is asked for alone, too. The machine is that of the problem, or one with the same runs.
fn by_turns(
    (problem, machine): (&Problem, &Rsm),
    limits: &Limits,
    reductions: Reductions,
    beside: Beside,
    sources: &mut Sources,
) -> Result<Outcome, Failure> {
    let (mut share, line) = (FIRST_SHARE, symbolic::line(machine));
    let alone: Vec<Vec<Target>> = parts::alone(problem);
    let alone: Vec<Problem> = alone.iter().map(|targets| Problem { targets, ..problem.clone() }).collect();
    let rounds = |problem, beginning| Rounds::new(problem, machine, limits, reductions, &line, beginning);
    let mut turns = Vec::new();
    if !alone.is_empty() {
        turns.push(Together::new(alone.iter().map(|problem| rounds(problem, Beginning::Tests)), 1));
    }
    let others = [(Beginning::Tests, 1), (Beginning::Nothing, 2), (Beginning::Everything, 2)];
    turns.extend(others.map(|(beginning, part)| Together::new([rounds(problem, beginning)], part)));
    loop {
        if beside == Beside::Search
            && let Some(outcome) = by_search(problem, limits, share / TIMES_LESS_SEARCH, sources)?
        {
            return Ok(outcome);
        }
        let mut reason = Unknown::Stopped(StopReason::Work, Reading::default());
        for turn in &mut turns {
            match turn.taken(share, &limits.stop, sources) {
                Ok(outcome) => return Ok(outcome),
                Err(NoAnswer::Failure(failure)) => return Err(failure),
                Err(NoAnswer::Unknown(why)) if turn.part == 1 && turn.is_of_all() => reason = why,
                Err(NoAnswer::Unknown(_)) => {}
            }
            if limits.stop.is_requested().is_some() {
                break;
            }
        }
        match (&reason, limits.stop.is_requested()) {
            (Unknown::Stopped(StopReason::Work, _), None) => share = share.saturating_mul(4),
            _ => return Ok(unknown(problem, reason)),
        }
    }
}

/// The answer of a search of single states, if there are few: products of words have no small diagrams, and programs that compute with a few values need none.
fn by_search(
    problem: &Problem,
    limits: &Limits,
    share: u64,
    sources: &mut Sources,
) -> Result<Option<Outcome>, Failure> {
    if problem.wanted.certificate {
        return Ok(None);
    }
    // It counts a unit for each state.
    let stop = limits.stop.part();
    let looking = Limits { stop, gauge: Default::default(), peers: None, ..limits.clone() };
    looking.stop.grant(share);
    let search = Explicit { max_states: share, ..Explicit::default() };
    let mut quiet = Asker { sources, known: &mut |_, _| {} };
    let outcome = search.answer(problem, &looking, &mut quiet)?;
    Ok(is_answer(problem, &outcome).then(|| Outcome { by: Some(EXPLICIT.to_owned()), ..outcome }))
}

/// Searches by views that take a turn together: one of all targets, or one of each goal.
struct Together<'a> {
    /// Those that have come to no end.
    open: Vec<Rounds<'a>>,
    /// How many there are.
    n_rounds: usize,
    /// What they found that is over, the latest.
    last: Option<Outcome>,
    /// The part of a share that they have.
    part: u64,
}

impl<'a> Together<'a> {
    fn new(rounds: impl IntoIterator<Item = Rounds<'a>>, part: u64) -> Self {
        let open: Vec<Rounds> = rounds.into_iter().collect();
        Self { n_rounds: open.len(), open, last: None, part }
    }

    /// It is about all targets at once.
    fn is_of_all(&self) -> bool {
        self.n_rounds == 1
    }

    /// The answer, if a share of work leads to it: that of the first that finds a run, or of the last.
    fn taken(&mut self, share: u64, stop: &Stop, sources: &mut Sources) -> Result<Outcome, NoAnswer> {
        let (share, before) = (share / self.part, stop.work());
        let mut open = Vec::new();
        for mut rounds in std::mem::take(&mut self.open) {
            let left = share.saturating_sub(stop.work() - before);
            // Nothing comes of a turn that is over when the view is there.
            if left < TIMES_THE_BEGINNING * rounds.beginning() {
                open.push(rounds);
                continue;
            }
            match rounds.answer(left, sources) {
                Ok(outcome) if outcome.finding.is_yes() || self.n_rounds == 1 => return Ok(outcome),
                Ok(outcome) => self.last = Some(parts::with_more(outcome, self.last.take())),
                Err(NoAnswer::Unknown(Unknown::Stopped(StopReason::Work, _))) => open.push(rounds),
                // One of several that comes to nothing leaves the answer to others.
                Err(NoAnswer::Unknown(_)) if self.n_rounds > 1 => open.push(rounds),
                Err(other) => return Err(other),
            }
        }
        self.open = open;
        match (self.open.is_empty(), self.last.take()) {
            (true, Some(outcome)) => Ok(outcome),
            (_, last) => {
                self.last = last;
                Err(Unknown::Stopped(StopReason::Work, Reading::default()).into())
            }
        }
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

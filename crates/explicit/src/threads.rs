//! Programs with threads: every bound at once.
//!
//! ```text
//!  Concurrent ──reduce_threads──▶ Matter ──rsm::interleave──▶ Tables ──levels──▶ Store ──origins──▶ Trace
//! ```
//!
//! Configurations are looked at in the order of the context switches, or rounds, that they need, each with each thread once. So the
//! first time a target is met tells its least bound, and a level without anything new ends the search for every bound. Contract: the
//! answer is that of `rsm::interleave`, whatever the [`Settings`]; calls that are left out because a stack would become too high are
//! accounted for.

mod any_number;
mod closed;
mod cover;
mod family;
pub mod forever;
mod levels;
mod mail;
mod matter;
mod origins;
mod run;
mod shortest;
mod started;
mod steps;
mod store;
mod summaries;
pub mod together;

pub use closed::{Counted, Everything, Standing};
pub use cover::{Covered, Covering, Located, Number};
pub use family::{FamilyDeadlock, family_deadlock};
pub use shortest::{Shortest, shortest};

use crate::{Figures, Limits, Stopped};
use cover::Cover;
use levels::Search;
use rsm::trace::Trace;
use rsm::{Concurrent, Reductions, ThreadGoal};

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    /// Context switches, under any schedule.
    Switches,
    /// Rounds of all threads in the order of the text.
    Rounds,
}

/// What is left out; no choice changes an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Of the variables and of the code. Steps that follow each other are a matter of `visibility` here.
    pub reductions: Reductions,
    /// Copies of a block that are in the same state are not told apart.
    pub symmetry: bool,
    /// A thread is left only where others may notice its next step.
    pub visibility: bool,
    /// The first values of a thread are chosen when it first runs.
    pub lazy_start: bool,
    /// A call of a recursive function that nobody notices is one step, whatever the height of the stack.
    pub summaries: bool,
    /// Threads that are started at run time are added to those that are there; otherwise each takes one of the slots of the machine.
    pub native_start: bool,
    /// Threads are left out that need not move, where neither a bound nor a scheduler counts moves.
    pub stubborn_sets: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            reductions: Reductions::ALL,
            symmetry: true,
            visibility: true,
            lazy_start: true,
            summaries: true,
            native_start: true,
            stubborn_sets: true,
        }
    }
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The program.
    pub program: &'q Concurrent,
    /// For each target the goals any of which reaches it.
    pub targets: &'q [Vec<ThreadGoal>],
    /// What is counted.
    pub cost: Cost,
    /// The largest number of it; `None` for every number.
    pub bound: Option<u32>,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Every target has been met.
    Found,
    /// Nothing further can be reached, whatever the bound.
    Closed,
    /// All runs within the bound have been looked at.
    Bound,
    /// Something stopped it.
    Stopped(Stopped),
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// For each target, so many switches or rounds are enough; `None` if it was not met.
    pub least: Vec<Option<u32>>,
    /// For each target whether it can be reached, with whatever number.
    pub is_reached: Vec<bool>,
    /// How it ended.
    pub end: End,
    /// All runs of so many switches or rounds have been looked at.
    pub looked_at: Option<u32>,
    /// With so many switches or rounds, and not with fewer, calls were left out.
    pub cut: Option<u32>,
    /// How far it came.
    pub figures: Figures,
}

impl Found {
    /// No smaller number is enough for the target.
    pub fn is_least(&self, target: usize) -> bool {
        self.least[target].is_some_and(|least| self.cut.is_none_or(|cut| least <= cut))
    }

    /// So many switches or rounds are not enough for any target that was not met.
    pub fn safe_within(&self) -> Option<u32> {
        match self.cut {
            Some(cut) => cut.checked_sub(1).map(|below| self.looked_at.map_or(below, |n| n.min(below))),
            None => self.looked_at,
        }
    }
}

/// The number of threads is free, and the question is not one for which a number of copies is enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnyNumber;

/// How many copies of each block are looked at. Where any number is allowed, as many as there can be contexts do everything that
/// more of them do.
pub fn counts(question: &Question<'_>) -> Result<Vec<u32>, AnyNumber> {
    let bound = match (question.program.is_parameterised(), question.cost, question.bound) {
        (false, ..) => 0,
        (true, Cost::Switches, Some(bound)) => bound,
        (true, ..) => return Err(AnyNumber),
    };
    Ok(any_number::counts_within(question, bound))
}

/// For each target the least number of switches or rounds. Of any number of threads only what no number of rounds reaches is known.
pub fn least(question: &Question<'_>, settings: Settings, limits: &Limits<'_>) -> Result<Found, AnyNumber> {
    let is_started =
        settings.native_start && question.cost == Cost::Switches && !question.program.slots.is_empty();
    if question.program.is_parameterised() || is_started {
        return any_number::least(question, settings, limits);
    }
    let counts = counts(question)?;
    let mut search = Search::new(question, settings, &counts, false);
    Ok(search.run(limits))
}

/// The same, and everything that was looked at, if the search ended because there was nothing further and nothing was left out. Threads
/// that are started take the slots of the machine, and calls are looked into.
pub fn closure(
    question: &Question<'_>,
    settings: Settings,
    limits: &Limits<'_>,
) -> Result<(Found, Option<Everything>), AnyNumber> {
    let mut search = Search::new(question, to_be_checked(settings), &counts(question)?, false);
    // Whoever checks this does not know which variables matter.
    search.tables.matter.keep_what_is_passed_on();
    let found = search.run(limits);
    let is_closed = found.end == End::Closed && found.cut.is_none();
    let everything = is_closed.then(|| closed::everything(&search));
    Ok((found, everything))
}

/// Why there is no covering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoCovering {
    /// Some target can be reached.
    Reached,
    /// Calls were left out because a stack would become too high.
    Cut,
    /// Something stopped it.
    Stopped(Stopped),
}

/// A closed set that covers everything that runs of any number of threads reach, under every schedule, and in which no target is met:
/// the proof that none can be reached. The bound of the question plays no part.
pub fn covering(
    question: &Question<'_>,
    settings: Settings,
    limits: &Limits<'_>,
) -> Result<Covering, NoCovering> {
    Ok(covered(Cover::new(question, settings), limits)?.covering())
}

/// The same for somebody who checks it.
pub fn covering_closure(
    question: &Question<'_>,
    settings: Settings,
    limits: &Limits<'_>,
) -> Result<Everything, NoCovering> {
    let mut cover = Cover::new(question, to_be_checked(settings));
    cover.tables.matter.keep_what_is_passed_on();
    Ok(closed::covering(&covered(cover, limits)?))
}

fn covered<'p>(mut cover: Cover<'p>, limits: &Limits<'_>) -> Result<Cover<'p>, NoCovering> {
    cover.run(usize::MAX, limits).map_err(NoCovering::Stopped)?;
    match cover.met.contains(&true) {
        true => Err(NoCovering::Reached),
        false if cover.is_cut => Err(NoCovering::Cut),
        false => Ok(cover),
    }
}

/// Whoever checks a set knows threads that have not run, and no calls that are one step; and looks at every move.
fn to_be_checked(settings: Settings) -> Settings {
    Settings { lazy_start: true, summaries: false, stubborn_sets: false, ..settings }
}

/// A run to one of the targets with as few switches or rounds as possible, of at most `max_steps` steps of [`Limits`].
pub fn fewest(
    question: &Question<'_>,
    settings: Settings,
    limits: &Limits<'_>,
) -> Result<Result<Option<Trace>, Stopped>, AnyNumber> {
    let all = Settings { reductions: Reductions::NONE, ..settings };
    match fewest_by(question, settings, limits)? {
        // The first values of a variable that does not matter at first may matter later: then all of them are looked at.
        Err(Stopped::Untaken) if settings != all => fewest_by(question, all, limits),
        found => Ok(found),
    }
}

fn fewest_by(
    question: &Question<'_>,
    settings: Settings,
    limits: &Limits<'_>,
) -> Result<Result<Option<Trace>, Stopped>, AnyNumber> {
    let counts = counts(question)?;
    let goals: Vec<ThreadGoal> = question.targets.iter().flatten().copied().collect();
    let one = Question { targets: &[goals], ..*question };
    Ok(run_of(Search::new(&one, settings, &counts, true), limits))
}

fn run_of(mut search: Search<'_>, limits: &Limits<'_>) -> Result<Option<Trace>, Stopped> {
    let found = search.run(limits);
    match found.end {
        End::Stopped(stopped) if search.origins.hit().is_none() => Err(stopped),
        _ => run_in(search, limits),
    }
}

/// The run that a search has found.
fn run_in(mut search: Search<'_>, limits: &Limits<'_>) -> Result<Option<Trace>, Stopped> {
    search.origins.hit().map_or(Ok(None), |hit| run::trace(&mut search, hit, limits.max_steps))
}

/// So many configurations are looked at for the least number of switches to a deadlock that is known, or as many as it took to find it.
const MOST_FOR_LEAST: u64 = 1 << 15;

/// The least number of switches or rounds after which nobody can go on although somebody has not ended, as
/// [`is_deadlock`](rsm::interleave::is_deadlock) says: the one number of [`Found::least`]. The targets of the question play no part. Where calls
/// were left out, what was found is a deadlock nevertheless. Without a bound a deadlock may be known that would need many configurations to be found with
/// the fewest switches: then it [is reached](Found::is_reached), and has no number.
pub fn deadlock(
    question: &Question<'_>,
    settings: Settings,
    limits: &Limits<'_>,
) -> Result<Found, AnyNumber> {
    if question.program.is_parameterised() {
        return Err(AnyNumber);
    }
    let one = Question { targets: &[Vec::new()], ..*question };
    let levels = |limits: &Limits<'_>| Search::for_deadlocks(&one, blocking(settings), false).run(limits);
    let first = match question.bound {
        None => forever::first_deadlock(question.program, settings, limits).unwrap_or_default(),
        Some(_) => None,
    };
    let Some(first) = first else { return Ok(levels(limits)) };
    let known = known_of(&first);
    if !first.is_found {
        return Ok(known);
    }
    let most = MOST_FOR_LEAST.max(first.figures.states).min(limits.max_states);
    match levels(&Limits { max_states: most, ..*limits }) {
        Found { end: End::Stopped(Stopped::States), .. } => Ok(known),
        found => Ok(found),
    }
}

/// There is a deadlock, after an unknown number of switches, or there is none.
fn known_of(first: &forever::FirstDeadlock) -> Found {
    Found {
        least: vec![None],
        is_reached: vec![first.is_found],
        end: if first.is_found { End::Found } else { End::Closed },
        looked_at: None,
        cut: None,
        figures: first.figures,
    }
}

/// A run into a deadlock with as few switches or rounds as possible.
pub fn fewest_to_deadlock(
    question: &Question<'_>,
    settings: Settings,
    limits: &Limits<'_>,
) -> Result<Result<Option<Trace>, Stopped>, AnyNumber> {
    if question.program.is_parameterised() {
        return Err(AnyNumber);
    }
    let one = Question { targets: &[Vec::new()], ..*question };
    Ok(run_of(Search::for_deadlocks(&one, blocking(settings), true), limits))
}

/// Whoever asks for deadlocks needs everything that can block.
fn blocking(settings: Settings) -> Settings {
    let reductions = Reductions { cone: false, dead_code: false, ..settings.reductions };
    Settings { reductions, ..settings }
}

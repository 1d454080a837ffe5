//! The explicit engine: questions about sequential programs, answered by looking at one state after the other.
//!
//! - In: a machine, or threads over one, a question, targets.
//! - Out: a verdict, states counted, a run with or without an end; for threads, every bound at once and the closed set that shows it.
//! - Never: know formulas or diagrams, recurse on the stack of the host, read a clock.
//!
//! ```text
//!  Rsm ──reduce──▶ Reduced ──compile──▶ Program ──search──▶ states ──parents──▶ Trace
//!                                                   └──edges──▶ cycle ─────┘
//! ```
//!
//! Contract: an answer is the one that `rsm::step` defines, whatever the order of the search; a run that is handed out, with or without
//! an end, is one of the program. States are made on demand, values of `*` counted one by one, and the search ends as soon as the
//! question is answered: what is shallow is found at once, however large the program is. No file, no clock, no recursion on
//! the stack of the host. Papers: \[VERA05\], \[YASM08\] section 4.

#![forbid(unsafe_code)]

mod bounds;
mod choice;
mod code;
mod crew;
mod cycle;
mod layout;
mod order;
mod peers;
mod program;
mod ranks;
mod search;
mod shares;
mod table;
pub mod threads;
mod trace;

use base::{Gauge, Searched, Stop, StopReason};
pub use peers::{Lost, Peers};
use program::Program;
pub use ranks::{RankedEntry, RankedState, Ranks};
use rsm::trace::Trace;
use rsm::{Action, EdgeId, Goal, ModuleId, Reductions, Rsm, reduce};
use search::{Halt, Search, Share};
use shares::{Alone, Shares, Team};
pub use shares::{SharedBy, Sharing, Workers};
use trace::{At, Edges, Here, lasso, trace};

/// What is looked at next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// What was found last: deep and fast.
    #[default]
    Dfs,
    /// What takes the fewest steps from the start of the program: runs are as short as possible.
    Bfs,
    /// The same, but the k-th value of a choice waits log2 k steps: neither a deep branch nor a wide choice keeps
    /// the search from the rest.
    Widen,
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Can one of the goals be reached?
    Any,
    /// Which goals can be reached?
    Each,
    /// Is there an infinite run that is at goals again and again?
    Repeat,
    /// Is there an infinite run?
    Infinite,
    /// Is there a run that ends, and one that cannot go on?
    Finite,
}

/// How much work is allowed.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The most bytes that states, entries, edges and everything that grows with them may take.
    pub max_bytes: usize,
    /// The most states.
    pub max_states: u64,
    /// The longest run that is written down, calls that occur twice counted once; and the longest cycle, those counted each time.
    pub max_steps: usize,
    /// Who wants it to stop says so here.
    pub stop: &'a Stop,
    /// How far it has come is written here.
    pub gauge: &'a Gauge,
}

impl Limits<'_> {
    /// The most bytes, those that have been lent on the way included.
    fn bytes(&self) -> u64 {
        (self.max_bytes as u64).saturating_add(self.stop.lent())
    }

    /// Looks whether to go on.
    fn look(&self, figures: impl FnOnce() -> Figures) -> Result<(), Stopped> {
        if let Some(reason) = self.stop.requested_after(search::LOOK) {
            return Err(Stopped::Requested(reason));
        }
        let figures = figures();
        self.gauge.searched(figures.searched());
        if figures.states >= self.max_states { Err(Stopped::States) } else { Ok(()) }
    }
}

/// How far a search came.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Pairs of an entry and a state that is reached from it.
    pub states: u64,
    /// Entries: a module and the values with which it starts.
    pub entries: u64,
    /// Steps, calls and summaries that were written down; only if infinite runs are asked for.
    pub edges: u64,
    /// How often cycles were looked for.
    pub checks: u64,
    /// Bytes in use.
    pub bytes: u64,
    /// Words of 64 bits that the values of a state take.
    pub words: usize,
    /// In breadth-first order: all runs of fewer steps have been looked at.
    pub shorter_than: Option<u32>,
    /// Some run ends: `main` returns.
    pub ends: bool,
    /// Some run cannot go on. Runs that block inside a block of several statements, beside one that does not, are not seen.
    pub blocks: bool,
    /// How it was shared, if it was.
    pub sharing: Option<Sharing>,
}

impl Figures {
    /// What somebody who waits may want to know.
    pub fn searched(&self) -> Searched {
        let Figures { states, entries, bytes, shorter_than, .. } = *self;
        Searched { states, entries, shorter_than, bytes }
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// There is no room for more within the bytes that are allowed, or within the numbers of 31 bits.
    Memory,
    /// There are as many states as allowed.
    States,
    /// Some choice or condition has too many values to find the ones that count.
    TooLarge,
    /// A state takes too many words.
    TooWide,
    /// A run that was found cannot be taken with all variables of the program: what was left out mattered.
    Untaken,
    /// A process that searches with this one is gone.
    Lost(u8),
    /// Somebody asked to stop.
    Requested(StopReason),
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A goal is reached, by this run; none if it is longer than allowed.
    Reached(Goal, Option<Box<Trace>>),
    /// There is an infinite run, this one; none if it is longer than allowed.
    Infinite(Option<Box<Trace>>),
    /// There is no such run.
    No,
    /// The search ended before there was an answer.
    Stopped(Stopped),
}

impl Answer {
    /// Somebody else tells the run.
    fn forget_run(&mut self) {
        if let Answer::Reached(_, run) | Answer::Infinite(run) = self {
            *run = None;
        }
    }
}

/// An answer, and how far the search came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// How far it came.
    pub figures: Figures,
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What is looked at next.
    pub order: Order,
    /// What of the program is left out.
    pub reductions: Reductions,
    /// How many search side by side, depth first; in the other orders one does.
    pub workers: Workers,
}

impl Default for Settings {
    fn default() -> Self {
        Self { order: Order::default(), reductions: Reductions::ALL, workers: Workers::default() }
    }
}

/// Whether a run reaches one of the goals: [`Answer::Reached`], [`Answer::No`], or [`Answer::Stopped`].
pub fn reach(rsm: &Rsm, goals: &[Goal], settings: Settings, limits: &Limits<'_>) -> Outcome {
    ask(rsm, goals, Question::Any, settings, limits).into_outcome()
}

/// Whether there is an infinite run that is at one of the goals again and again: [`Answer::Infinite`], [`Answer::No`], or
/// [`Answer::Stopped`].
pub fn repeat(rsm: &Rsm, goals: &[Goal], settings: Settings, limits: &Limits<'_>) -> Outcome {
    ask(rsm, goals, Question::Repeat, settings, limits).into_outcome()
}

/// Whether there is an infinite run: [`Answer::Infinite`], [`Answer::No`], or [`Answer::Stopped`].
pub fn infinite(rsm: &Rsm, settings: Settings, limits: &Limits<'_>) -> Outcome {
    ask(rsm, &[], Question::Infinite, settings, limits).into_outcome()
}

/// One of the questions above, asked by several processes together, each of which calls this with the same program, goals, question and settings. The
/// run is told to the first of them only.
pub fn together(
    rsm: &Rsm,
    goals: &[Goal],
    question: Question,
    settings: Settings,
    peers: &dyn Peers,
    limits: &Limits<'_>,
) -> Outcome {
    let asking = Asking { peers: Some(peers), ..Asking::new(question, settings) };
    ask_for(rsm, goals, asking, limits).into_outcome()
}

/// For each goal whether a run reaches it, found out by several processes together.
pub fn reachable_together(
    rsm: &Rsm,
    goals: &[Goal],
    settings: Settings,
    peers: &dyn Peers,
    limits: &Limits<'_>,
) -> Found {
    let asking = Asking { peers: Some(peers), ..Asking::new(Question::Each, settings) };
    ask_for(rsm, goals, asking, limits).into_found(goals.len())
}

/// The same as [`repeat`], or as [`infinite`] without goals; and why, if there is no such run.
pub fn infinite_with_reason(
    rsm: &Rsm,
    goals: Option<&[Goal]>,
    settings: Settings,
    limits: &Limits<'_>,
) -> (Outcome, Option<Ranks>) {
    let question = if goals.is_some() { Question::Repeat } else { Question::Infinite };
    let asking = Asking { reason: Reason::Ranks, ..Asking::new(question, settings) };
    let mut asked = ask_for(rsm, goals.unwrap_or_default(), asking, limits);
    let ranks = asked.ranks.take();
    (asked.into_outcome(), ranks)
}

/// What is known of runs that are finite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finite {
    /// Some run ends: `main` returns.
    pub ends: bool,
    /// Some run cannot go on, without having ended.
    pub blocks: bool,
    /// Why the search ended before more was known; otherwise what is not found does not exist, except for runs that only
    /// an `enforce` of the caller keeps from returning.
    pub stopped: Option<Stopped>,
}

/// Whether some runs are finite. Steps that always follow each other are looked at one by one, since a run may block in between.
pub fn finite(rsm: &Rsm, limits: &Limits<'_>) -> Finite {
    let reductions = Reductions { straight_lines: false, ..Reductions::ALL };
    // Where an assertion may fail and may hold, there is a step, and a run that takes none.
    let failures: Vec<Goal> = assertions(rsm).collect();
    let asked = ask(rsm, &failures, Question::Finite, Settings { reductions, ..Settings::default() }, limits);
    let Figures { ends, blocks, states, .. } = asked.figures;
    // Where no value is an initial one, the search begins, but no run does.
    let blocks = (blocks && states > 1) || asked.found.contains(&true);
    Finite { ends, blocks, stopped: asked.stopped }
}

/// What one search knows of several goals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// For each goal whether it has been reached.
    pub is_reached: Vec<bool>,
    /// Why the search ended before the others were known to be out of reach.
    pub stopped: Option<Stopped>,
    /// How far it came.
    pub figures: Figures,
}

/// For each goal whether a run reaches it, by one search.
pub fn reachable(rsm: &Rsm, goals: &[Goal], settings: Settings, limits: &Limits<'_>) -> Found {
    ask(rsm, goals, Question::Each, settings, limits).into_found(goals.len())
}

/// What a search left behind.
struct Asked {
    stopped: Option<Stopped>,
    /// For each goal whether it was found.
    found: Vec<bool>,
    answer: Answer,
    /// Why the answer is no, if that was wanted and is so.
    ranks: Option<Ranks>,
    figures: Figures,
}

/// Whether somebody wants to know why there is no infinite run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    Nothing,
    Ranks,
}

/// What is asked, and how.
#[derive(Clone, Copy)]
struct Asking<'a> {
    question: Question,
    reason: Reason,
    settings: Settings,
    /// Other processes that search with this one.
    peers: Option<&'a dyn Peers>,
}

impl Asking<'_> {
    fn new(question: Question, settings: Settings) -> Self {
        Self { question, reason: Reason::Nothing, settings, peers: None }
    }

    /// The threads that may be started. In a browser there are none.
    fn n_threads(&self) -> usize {
        if cfg!(target_family = "wasm") { 1 } else { self.settings.workers.number.get().into() }
    }
}

impl Asked {
    /// The answer is made if the search was not stopped.
    fn new(
        stopped: Option<Stopped>,
        found: Vec<bool>,
        figures: Figures,
        answer: impl FnOnce() -> Result<Answer, Halt>,
    ) -> Self {
        let answer = if stopped.is_some() { Ok(Answer::No) } else { answer() };
        let (answer, stopped) = match answer {
            Ok(answer) => (answer, stopped),
            Err(halt) => (Answer::No, Some(halt.into())),
        };
        Self { stopped, found, answer, ranks: None, figures }
    }

    fn into_found(mut self, n_goals: usize) -> Found {
        self.found.resize(n_goals, false);
        Found { is_reached: self.found, stopped: self.stopped, figures: self.figures }
    }

    fn into_outcome(self) -> Outcome {
        let answer = self.stopped.map_or(self.answer, Answer::Stopped);
        Outcome { answer, figures: self.figures }
    }
}

/// The failures of all assertions.
fn assertions(rsm: &Rsm) -> impl Iterator<Item = Goal> + '_ {
    let modules = rsm.modules.iter().enumerate();
    modules.flat_map(|(m, module)| {
        let edges = module.edges.iter().enumerate();
        let asserts = edges.filter(|(_, edge)| matches!(edge.action, Action::Assert(_)));
        asserts.map(move |(e, _)| Goal::Failure(ModuleId::new(m), EdgeId::new(e)))
    })
}

fn ask(rsm: &Rsm, goals: &[Goal], question: Question, settings: Settings, limits: &Limits<'_>) -> Asked {
    ask_for(rsm, goals, Asking::new(question, settings), limits)
}

fn ask_for(rsm: &Rsm, goals: &[Goal], asking: Asking<'_>, limits: &Limits<'_>) -> Asked {
    // Finite runs end everywhere, so code that leads to no failure counts, too.
    let leads_to = if asking.question == Question::Finite { &[] } else { goals };
    let reduced = reduce(rsm, leads_to, asking.settings.reductions);
    let program = Program::new(rsm, &reduced, goals, asking.n_threads());
    let n_words = program.layout.n_words;
    let mut asked = run_for(n_words)(rsm, &program, goals, asking, limits);
    asked.figures.words = width(n_words);
    asked
}

/// No state may take more words.
const MOST_WORDS: usize = 512;

type Run = fn(&Rsm, &Program, &[Goal], Asking<'_>, &Limits<'_>) -> Asked;

/// As many words are set aside for a state of so many.
fn width(n_words: usize) -> usize {
    [1, 2, 3, 4, 8, 16, 64, MOST_WORDS].into_iter().find(|width| n_words <= *width).unwrap_or_default()
}

/// The search for states of so many words.
#[cfg(not(target_family = "wasm"))]
fn run_for(n_words: usize) -> Run {
    match width(n_words) {
        1 => run::<1>,
        2 => run::<2>,
        3 => run::<3>,
        4 => run::<4>,
        8 => run::<8>,
        16 => run::<16>,
        64 => run::<64>,
        MOST_WORDS => run::<MOST_WORDS>,
        _ => too_wide,
    }
}

/// The same where code is loaded before it answers: each width is a search of its own, of 60 KB.
#[cfg(target_family = "wasm")]
fn run_for(n_words: usize) -> Run {
    match n_words {
        0..=2 => run::<2>,
        3..=8 => run::<8>,
        9..=MOST_WORDS => run::<MOST_WORDS>,
        _ => too_wide,
    }
}

fn too_wide(_: &Rsm, _: &Program, _: &[Goal], _: Asking<'_>, _: &Limits<'_>) -> Asked {
    Asked {
        stopped: Some(Stopped::TooWide),
        found: Vec::new(),
        answer: Answer::No,
        ranks: None,
        figures: Figures::default(),
    }
}

/// The search for states of so many words or a few more.
fn run<const W: usize>(
    rsm: &Rsm,
    program: &Program,
    goals: &[Goal],
    Asking { question, reason, settings, peers }: Asking<'_>,
    limits: &Limits<'_>,
) -> Asked {
    let team = Team::new(peers, settings.workers.n_shares(program));
    // In a browser there is nobody to share with.
    let can_share = !cfg!(target_family = "wasm")
        && settings.order == Order::Dfs
        && question != Question::Finite
        && reason == Reason::Nothing;
    if team.is_shared() && can_share {
        return run_shared::<W>(rsm, program, goals, (question, settings.workers, team), limits);
    }
    let mut search = Search::<W>::new(program, Share::WHOLE, question, settings.order, limits);
    let stopped = search.run(limits).err();
    let asked = asked_of(rsm, &search, goals, stopped, limits);
    let is_reason_wanted = reason == Reason::Ranks && asked.stopped.is_none() && asked.answer == Answer::No;
    Asked { ranks: if is_reason_wanted { search.ranks() } else { None }, ..asked }
}

/// The same by several workers, if there is work for them.
fn run_shared<const W: usize>(
    rsm: &Rsm,
    program: &Program,
    goals: &[Goal],
    (question, workers, team): (Question, Workers, Team<'_>),
    limits: &Limits<'_>,
) -> Asked {
    let (search, stopped) = match Alone::<W>::search(program, team, workers, question, limits) {
        Ok(Alone::Shared(by)) => {
            let mut shares = Shares::<W>::new(program, team, workers, by, question, limits);
            let stopped = shares.run(limits).err();
            let answer = || shares.answer(rsm, goals, limits.max_steps);
            let asked = Asked::new(stopped, shares.found(), shares.figures(), answer);
            shares.give_back();
            return asked;
        }
        Ok(Alone::Finished(search)) => (search, None),
        Ok(Alone::Stopped(stopped, search)) => (search, Some(stopped)),
        Err(stopped) => return Asked::new(Some(stopped), Vec::new(), Figures::default(), || Ok(Answer::No)),
    };
    let mut asked = asked_of(rsm, &search, goals, stopped, limits);
    asked.figures.sharing = Some(Sharing { workers: team.n_shares(), ..Sharing::default() });
    if team.own() != 0 {
        asked.answer.forget_run();
    }
    asked
}

/// What one search found.
fn asked_of<const W: usize>(
    rsm: &Rsm,
    search: &Search<'_, W>,
    goals: &[Goal],
    stopped: Option<Stopped>,
    limits: &Limits<'_>,
) -> Asked {
    let found = search.goals.found.iter().map(Option::is_some).collect();
    Asked::new(stopped, found, search.figures(), || answer(rsm, search, goals, limits))
}

fn answer<const W: usize>(
    rsm: &Rsm,
    search: &Search<'_, W>,
    goals: &[Goal],
    limits: &Limits<'_>,
) -> Result<Answer, Halt> {
    let graph = Here(std::slice::from_ref(search));
    if let Some(edge) = search.log.cycle {
        let edges = Edges { edges: &search.log.edges, firsts: &[0, search.states.records.len() as u32] };
        let run = lasso(&graph, rsm, &edges, edge, limits.max_steps)?;
        return Ok(Answer::Infinite(run.map(Box::new)));
    }
    let found = search.goals.found.iter().zip(goals).find_map(|(state, goal)| Some(((*state)?, *goal)));
    match found {
        Some((state, goal)) if search.question == Question::Any => {
            let run = trace(&graph, rsm, At { share: 0, state }, goal, limits.max_steps)?;
            Ok(Answer::Reached(goal, run.map(Box::new)))
        }
        _ => Ok(Answer::No),
    }
}

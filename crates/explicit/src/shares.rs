//! A search in shares, side by side, in one process or in several.
//!
//! Entries, or states, are dealt to shares by a hash of their own, and shares go through [`rounds`]. Contract: what is found, and the run that is shown,
//! depend on the program and the number of shares alone.

mod alone;
mod answer;
mod apart;
mod report;
mod rounds;
mod team;

use crate::cycle::{Edge, due_after};
use crate::program::Program;
use crate::search::{MOST_BLOCKS, Mail, Search, Share};
use crate::{Figures, Limits, Order, Question, Stopped};
pub(crate) use alone::Alone;
use report::Told;
pub(crate) use report::{Progress, Report, code, stopped};
pub(crate) use rounds::{Letters, Part, Post, Rounds, Threads, with_threads};
use std::num::NonZeroU8;
pub(crate) use team::Team;

/// Who searches side by side, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Workers {
    /// How many.
    pub number: NonZeroU8,
    /// The most steps of each in a round.
    pub steps: u32,
    /// Who took so many steps in the last round is worth a thread in the next.
    pub worth_a_thread: u32,
    /// So many states are looked at by one worker before there is more than one.
    pub alone: u32,
    /// What is dealt to shares; none if that is chosen by what one worker has seen, once it has.
    pub by: Option<SharedBy>,
}

impl Default for Workers {
    fn default() -> Self {
        Self { number: NonZeroU8::MIN, steps: 1 << 12, worth_a_thread: 1 << 9, alone: 1 << 15, by: None }
    }
}

impl Workers {
    /// So many, at their usual pace.
    pub fn of(number: NonZeroU8) -> Self {
        Self { number, ..Self::default() }
    }

    /// So many shares of a program are made in each process.
    pub(crate) fn n_shares(self, program: &Program) -> u8 {
        if program.blocks.len() < MOST_BLOCKS { self.number.get() } else { 1 }
    }
}

/// What belongs to a share as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SharedBy {
    /// An entry with all its states.
    #[default]
    Entry,
    /// A state of an activation.
    State,
    /// A configuration of threads.
    Configuration,
}

/// How a search was shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sharing {
    /// Shares of the search, those of all processes.
    pub workers: u8,
    /// What was dealt out to them.
    pub by: SharedBy,
    /// Rounds in all, and those in which shares worked side by side.
    pub rounds: u64,
    /// See above.
    pub side_by_side: u64,
    /// What shares have told each other: calls and returns, or configurations.
    pub letters: u64,
    /// Steps of this process, and those that come one after the other if every share has a core.
    pub steps: u64,
    /// See above.
    pub in_sequence: u64,
}

impl Sharing {
    /// A round in which shares took so many steps, side by side or in turns.
    pub(crate) fn note(&mut self, steps: &[u32], is_side_by_side: bool) {
        let sum: u64 = steps.iter().map(|steps| u64::from(*steps)).sum();
        self.steps += sum;
        self.in_sequence +=
            if is_side_by_side { steps.iter().max().copied().map_or(0, u64::from) } else { sum };
        self.side_by_side += u64::from(is_side_by_side);
    }

    /// So many times as fast as one worker is no search that is shared like this, whatever letters cost.
    pub fn at_most(&self) -> f64 {
        if self.in_sequence == 0 { 1.0 } else { self.steps as f64 / self.in_sequence as f64 }
    }
}

/// The shares of this process.
pub(crate) struct Shares<'p, const W: usize> {
    rounds: Rounds<'p, Search<'p, W>>,
    question: Question,
    /// What all processes have told in the last round, put together.
    all: Told,
    /// At so many states cycles are looked for.
    due: u64,
    n_checks: u64,
    cycle: Option<Cycle>,
}

/// There is a cycle.
enum Cycle {
    /// A fair edge within a component, and all edges.
    Here(Edge, Gathered),
    /// Another process knows it.
    Elsewhere,
}

/// The edges of all shares, their states numbered one share behind the other.
struct Gathered {
    edges: Vec<Edge>,
    /// The number of the first state of each share, and that of all.
    firsts: Vec<u32>,
}

impl<'p, const W: usize> Shares<'p, W> {
    pub(crate) fn new(
        program: &'p Program,
        team: Team<'p>,
        workers: Workers,
        by: SharedBy,
        question: Question,
        limits: &Limits<'_>,
    ) -> Self {
        let of = team.n_shares();
        let share = |number| Search::new(program, Share { number, of, by }, question, Order::Dfs, limits);
        let is_kept = matches!(question, Question::Repeat | Question::Infinite);
        let sharing = Sharing { workers: of, by, ..Sharing::default() };
        Self {
            rounds: Rounds::new(team.here().map(share).collect(), team, workers, sharing),
            question,
            all: Told::default(),
            due: if is_kept { due_after(0) as u64 } else { u64::MAX },
            n_checks: 0,
            cycle: None,
        }
    }

    /// Searches until the question is answered, or there is nothing left.
    pub(crate) fn run(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        with_threads(limits, |threads| self.search(threads, limits))
    }

    fn search(
        &mut self,
        threads: &mut dyn Threads<Search<'p, W>>,
        limits: &Limits<'_>,
    ) -> Result<(), Stopped> {
        let begun = self.rounds.shares.iter_mut().try_for_each(Search::begin);
        let mut worked = begun.map_err(Stopped::from);
        loop {
            let post = self.meet(worked, limits)?;
            let is_over = !self.all.progress.is_busy;
            if self.all.progress.states >= self.due || (is_over && self.due != u64::MAX) {
                self.check_cycles(limits)?;
            }
            if is_over || self.is_answered() {
                return Ok(());
            }
            self.rounds.deal_bytes(limits);
            worked = threads.round(&mut self.rounds, post);
        }
    }

    /// Everybody tells how far it came, and hands over its letters. Whoever stops stops all.
    fn meet(&mut self, worked: Result<(), Stopped>, limits: &Limits<'_>) -> Result<Post<Mail<W>>, Stopped> {
        let stopped = worked.err().or_else(|| limits.look(|| self.figures()).err());
        let (all, post) = self.rounds.meet(Told::new(&self.rounds.shares, stopped))?;
        self.all = all;
        self.all.progress.stopped.map_or(Ok(post), Err)
    }

    /// Gives back what the shares hold, side by side: a gigabyte of pages takes a while.
    pub(crate) fn give_back(self) {
        std::thread::scope(|scope| {
            self.rounds.shares.into_iter().for_each(|share| drop(scope.spawn(move || drop(share))));
        });
    }

    /// Whether something that is asked for has been found.
    fn is_answered(&self) -> bool {
        match self.question {
            Question::Any => self.all.found.iter().any(Option::is_some),
            Question::Each => self.all.found.iter().all(Option::is_some),
            Question::Repeat | Question::Infinite => self.cycle.is_some(),
            Question::Finite => false,
        }
    }

    /// For each goal whether some share has found it.
    pub(crate) fn found(&self) -> Vec<bool> {
        self.all.found.iter().map(Option::is_some).collect()
    }

    /// How far all have come.
    pub(crate) fn figures(&self) -> Figures {
        let Told { progress: Progress { states, entries, bytes, .. }, edges, ends, blocks, .. } = self.all;
        Figures {
            states,
            // The root is none.
            entries: entries.saturating_sub(1),
            edges,
            checks: self.n_checks,
            bytes,
            words: W,
            shorter_than: None,
            ends,
            blocks,
            sharing: Some(self.rounds.sharing),
        }
    }
}

//! A search in shares, side by side, in one process or in several.
//!
//! Entries are dealt to shares by a hash of their own. In a round every share reads the letters that the others wrote in the round before and
//! takes up to so many steps; shares work side by side where there is work for several, and one thread takes their turns otherwise, so that a
//! chain of calls costs little more than in one search. Contract: what is found, and the run that is shown, depend on the program and the number
//! of shares alone; not on who was faster, for rounds are cut by counts, and letters are read in the order of the shares. Processes go through
//! the same rounds, and decide the same from what all have told.

mod answer;
mod apart;
mod report;
mod team;

use crate::cycle::{Edge, due_after};
use crate::program::Program;
use crate::search::{Halt, Letter, MOST_BLOCKS, Search, Share};
use crate::{Figures, Limits, Order, Question, Stopped};
use report::Report;
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
}

impl Default for Workers {
    fn default() -> Self {
        Self { number: NonZeroU8::MIN, steps: 1 << 13, worth_a_thread: 1 << 9 }
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

/// How a search was shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sharing {
    /// Shares of the search, those of all processes.
    pub workers: u8,
    /// Rounds in all, and those in which shares worked side by side.
    pub rounds: u64,
    /// See above.
    pub side_by_side: u64,
    /// Calls of entries of other shares, and returns from there.
    pub letters: u64,
}

/// The shares of this process.
pub(crate) struct Shares<'p, const W: usize> {
    shares: Vec<Search<'p, W>>,
    team: Team<'p>,
    question: Question,
    /// For each share how many steps it took in the last round.
    steps: Vec<u32>,
    workers: Workers,
    sharing: Sharing,
    /// What all processes have told in the last round, put together.
    all: Report,
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

/// For each share of this process what each share of the search tells it.
type Post<const W: usize> = Vec<Vec<Vec<Letter<W>>>>;

impl<'p, const W: usize> Shares<'p, W> {
    pub(crate) fn new(
        program: &'p Program,
        team: Team<'p>,
        workers: Workers,
        question: Question,
        limits: &Limits<'_>,
    ) -> Self {
        let of = team.n_shares();
        let share = |number| Search::new(program, Share { number, of }, question, Order::Dfs, limits);
        let is_kept = matches!(question, Question::Repeat | Question::Infinite);
        Self {
            shares: team.here().map(share).collect(),
            question,
            steps: vec![0; team.here().len()],
            workers,
            sharing: Sharing { workers: of, ..Sharing::default() },
            all: Report::default(),
            due: if is_kept { due_after(0) as u64 } else { u64::MAX },
            n_checks: 0,
            cycle: None,
            team,
        }
    }

    /// Searches until the question is answered, or there is nothing left.
    pub(crate) fn run(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        self.work(limits).map_err(Stopped::from)
    }

    fn work(&mut self, limits: &Limits<'_>) -> Result<(), Halt> {
        let mut worked = self.shares.iter_mut().try_for_each(Search::begin);
        loop {
            let post = self.meet(worked, limits)?;
            let is_over = self.all.is_over();
            if self.all.states >= self.due || (is_over && self.due != u64::MAX) {
                self.check_cycles()?;
            }
            if is_over || self.is_answered() {
                return Ok(());
            }
            self.deal_bytes(limits);
            worked = self.round(post, limits);
        }
    }

    /// Everybody tells how far it came, and hands over its letters. Whoever stops stops all.
    fn meet(&mut self, worked: Result<(), Halt>, limits: &Limits<'_>) -> Result<Post<W>, Halt> {
        let stopped = worked.err().map(Stopped::from).or_else(|| limits.look(|| self.figures()).err());
        let report = Report::new(&self.shares, stopped);
        let (reports, post) = self.team.meet(report, &mut self.shares)?;
        self.all = Report::of_all(reports);
        self.sharing.letters += self.all.letters;
        match self.all.stopped {
            Some(stopped) => Err(stopped.into()),
            None => Ok(post),
        }
    }

    /// Every share takes its steps.
    fn round(&mut self, post: Post<W>, limits: &Limits<'_>) -> Result<(), Halt> {
        self.sharing.rounds += 1;
        let Workers { steps: n_steps, worth_a_thread, .. } = self.workers;
        let n_busy = self.steps.iter().filter(|steps| **steps >= worth_a_thread).count();
        let turn = |share: &mut Search<'p, W>, letters: Vec<Vec<Letter<W>>>| -> Result<u32, Halt> {
            for (from, letters) in (0..).zip(&letters) {
                share.read(from, letters)?;
            }
            share.slice(n_steps, limits)
        };
        let turns = self.shares.iter_mut().zip(post);
        let taken: Vec<Result<u32, Halt>> = if n_busy < 2 {
            turns.map(|(share, letters)| turn(share, letters)).collect()
        } else {
            self.sharing.side_by_side += 1;
            side_by_side(turns, turn)
        };
        self.steps = taken.into_iter().collect::<Result<_, _>>()?;
        Ok(())
    }

    /// What is left of the bytes of this process is dealt out evenly.
    fn deal_bytes(&mut self, limits: &Limits<'_>) {
        let used: u64 = self.shares.iter().map(|share| share.figures().bytes).sum();
        let more = limits.bytes().saturating_sub(used) / self.shares.len() as u64;
        for share in &mut self.shares {
            let allowed = share.figures().bytes.saturating_add(more);
            share.allow(usize::try_from(allowed).unwrap_or(usize::MAX));
        }
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
        let Report { states, entries, edges, bytes, ends, blocks, .. } = self.all;
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
            sharing: Some(self.sharing),
        }
    }
}

/// Takes turns on threads of their own.
fn side_by_side<S: Send, L: Send, T: Send>(
    turns: impl Iterator<Item = (S, L)>,
    turn: impl Fn(S, L) -> T + Sync,
) -> Vec<T> {
    let turn = &turn;
    std::thread::scope(|scope| {
        let mut turns: Vec<(S, L)> = turns.collect();
        let own = turns.remove(0);
        let others: Vec<_> = turns.into_iter().map(|(s, l)| scope.spawn(move || turn(s, l))).collect();
        let first = turn(own.0, own.1);
        let others = others.into_iter().map(|other| other.join().expect("a share does not panic"));
        std::iter::once(first).chain(others).collect()
    })
}

//! A search in shares, side by side, in one process or in several.
//!
//! Entries, or states, are dealt to shares by a hash of their own. In a round every share reads the letters that the others wrote in the round before and
//! takes up to so many steps; shares work side by side where there is work for several, and one thread takes their turns otherwise, so that a
//! chain of calls costs little more than in one search. Contract: what is found, and the run that is shown, depend on the program and the number
//! of shares alone; not on who was faster, for rounds are cut by counts, and letters are read in the order of the shares. Processes go through
//! the same rounds, and decide the same from what all have told.

mod alone;
mod answer;
mod apart;
mod report;
mod team;

use crate::crew::Crew;
use crate::cycle::{Edge, due_after};
use crate::program::Program;
use crate::search::{Halt, MOST_BLOCKS, Mail, Search, Share};
use crate::{Figures, Limits, Order, Question, Stopped};
pub(crate) use alone::Alone;
use report::Report;
pub(crate) use report::{code, stopped};
use std::num::NonZeroU8;
use std::thread::Scope;
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
    shares: Vec<Search<'p, W>>,
    team: Team<'p>,
    question: Question,
    /// For each share how many steps it took in the last round.
    steps: Vec<u32>,
    workers: Workers,
    sharing: Sharing,
    /// Letters that the shares of this process have handed to each other since the last meeting.
    n_handed_over: u64,
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
type Post<const W: usize> = Vec<Vec<Mail<W>>>;

/// What a share is to do in a round: mail to read, and the most steps to take.
type Job<const W: usize> = (Vec<Mail<W>>, u32);

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
        Self {
            shares: team.here().map(share).collect(),
            question,
            steps: vec![0; team.here().len()],
            workers,
            sharing: Sharing { workers: of, by, ..Sharing::default() },
            n_handed_over: 0,
            all: Report::default(),
            due: if is_kept { due_after(0) as u64 } else { u64::MAX },
            n_checks: 0,
            cycle: None,
            team,
        }
    }

    /// Searches until the question is answered, or there is nothing left.
    pub(crate) fn run(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        let turn = |share: &mut Search<'p, W>, (mail, n_most): Job<W>| share.turn(&mail, n_most, limits);
        let worked = std::thread::scope(|scope| {
            let mut rounds = Rounds { shares: self, crew: None, scope, turn: &turn, limits };
            rounds.work()
        });
        worked.map_err(Stopped::from)
    }

    /// Everybody tells how far it came, and hands over its letters. Whoever stops stops all.
    fn meet(&mut self, worked: Result<(), Halt>, limits: &Limits<'_>) -> Result<Post<W>, Halt> {
        let stopped = worked.err().map(Stopped::from).or_else(|| limits.look(|| self.figures()).err());
        let n_handed_over = std::mem::take(&mut self.n_handed_over);
        let report = Report::new(&self.shares, n_handed_over, stopped);
        let (reports, post) = self.team.meet(report, &mut self.shares)?;
        self.all = Report::of_all(reports);
        self.sharing.letters += self.all.letters;
        match self.all.stopped {
            Some(stopped) => Err(stopped.into()),
            None => Ok(post),
        }
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

    /// How many took enough steps in the last round to be worth a thread in the next.
    fn n_busy(&self) -> usize {
        self.steps.iter().filter(|steps| **steps >= self.workers.worth_a_thread).count()
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

/// A search whose shares have threads.
struct Rounds<'r, 'scope, 'env, 'p, F, const W: usize> {
    shares: &'r mut Shares<'p, W>,
    /// None before there is work for two.
    crew: Option<Crew<Search<'p, W>, Job<W>, Result<u32, Halt>>>,
    scope: &'scope Scope<'scope, 'env>,
    turn: &'env F,
    limits: &'r Limits<'r>,
}

impl<'scope, 'env, 'p, F, const W: usize> Rounds<'_, 'scope, 'env, 'p, F, W>
where
    'p: 'scope,
    F: Fn(&mut Search<'p, W>, Job<W>) -> Result<u32, Halt> + Sync,
{
    fn work(&mut self) -> Result<(), Halt> {
        let mut worked = self.shares.shares.iter_mut().try_for_each(Search::begin);
        loop {
            let post = self.shares.meet(worked, self.limits)?;
            let Shares { all, due, .. } = &*self.shares;
            let is_over = all.is_over();
            if all.states >= *due || (is_over && *due != u64::MAX) {
                self.shares.check_cycles()?;
            }
            if is_over || self.shares.is_answered() {
                return Ok(());
            }
            self.shares.deal_bytes(self.limits);
            worked = self.round(post);
        }
    }

    /// Every share takes its steps, side by side where there is work for two.
    fn round(&mut self, post: Post<W>) -> Result<(), Halt> {
        self.shares.sharing.rounds += 1;
        if self.shares.n_busy() < 2 {
            return self.take_turns(post);
        }
        let Shares { shares, workers, sharing, steps, .. } = &mut *self.shares;
        let jobs = post.into_iter().map(|mail| (mail, workers.steps)).collect();
        let n_others = shares.len() - 1;
        let crew = self.crew.get_or_insert_with(|| Crew::new(self.scope, n_others, self.turn));
        *steps = crew.round(shares, jobs, self.turn).into_iter().collect::<Result<_, _>>()?;
        sharing.note(steps, true);
        Ok(())
    }

    /// One thread takes the turns of all, and hands over letters between them, until there is work for two, or as many steps have been taken as one takes in
    /// a round: where calls follow each other, nobody meets for each of them.
    fn take_turns(&mut self, mut post: Post<W>) -> Result<(), Halt> {
        let n_most = self.shares.workers.steps;
        let mut n_taken = 0;
        loop {
            let Shares { shares, steps, .. } = &mut *self.shares;
            for ((share, mail), steps) in shares.iter_mut().zip(post).zip(steps) {
                *steps = (self.turn)(share, (mail, n_most))?;
                n_taken += *steps;
            }
            self.shares.sharing.note(&self.shares.steps, false);
            if n_taken >= n_most
                || self.shares.n_busy() > 1
                || self.shares.shares.iter().any(Search::is_answered)
            {
                return Ok(());
            }
            post = self.shares.team.post_here(&mut self.shares.shares);
            let n_letters: usize = post.iter().flatten().map(Mail::len).sum();
            self.shares.n_handed_over += n_letters as u64;
            if n_letters == 0 && self.shares.shares.iter().all(Search::is_idle) {
                return Ok(());
            }
        }
    }
}

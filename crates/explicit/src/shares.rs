//! A search in shares, side by side.
//!
//! Entries are dealt to shares by a hash of their own. In a round every share reads the letters that the others wrote in the round before and
//! takes up to so many steps; shares work side by side where there is work for several, and one thread takes their turns otherwise, so that a
//! chain of calls costs little more than in one search. Contract: what is found, and the run that is shown, depend on the program and the number
//! of shares alone; not on who was faster, for rounds are cut by counts, and letters are read in the order of the shares.

use crate::cycle::{Edge, due_after, fair_edge};
use crate::program::Program;
use crate::search::{Halt, Letter, MOST_BLOCKS, Search, Share};
use crate::table::{FAIR, Full};
use crate::trace::{Edges, lasso, trace};
use crate::{Answer, Figures, Limits, Order, Question, Stopped};
use rsm::{Goal, Rsm};
use std::num::NonZeroU8;

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
        Self { number: NonZeroU8::MIN, steps: 1 << 15, worth_a_thread: 1 << 11 }
    }
}

impl Workers {
    /// So many, at their usual pace.
    pub fn of(number: NonZeroU8) -> Self {
        Self { number, ..Self::default() }
    }

    /// So many shares are made of a program.
    pub(crate) fn n_shares(self, program: &Program) -> u8 {
        if program.blocks.len() < MOST_BLOCKS { self.number.get() } else { 1 }
    }
}

/// How a search was shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sharing {
    /// Shares of the search.
    pub workers: u8,
    /// Rounds in all, and those in which shares worked side by side.
    pub rounds: u64,
    /// See above.
    pub side_by_side: u64,
    /// Calls of entries of other shares, and returns from there.
    pub letters: u64,
}

/// All shares.
pub(crate) struct Shares<'p, const W: usize> {
    shares: Vec<Search<'p, W>>,
    question: Question,
    /// For each share how many steps it took in the last round.
    steps: Vec<u32>,
    workers: Workers,
    sharing: Sharing,
    /// At so many states cycles are looked for.
    due: usize,
    n_checks: u64,
    /// A fair edge within a component, and all edges.
    cycle: Option<(Edge, Gathered)>,
}

/// The edges of all shares.
struct Gathered {
    edges: Vec<Edge>,
    firsts: Vec<u32>,
}

impl<'p, const W: usize> Shares<'p, W> {
    pub(crate) fn new(
        program: &'p Program,
        workers: Workers,
        question: Question,
        limits: &Limits<'_>,
    ) -> Self {
        let n = workers.n_shares(program);
        let share = |number| Search::new(program, Share { number, of: n }, question, Order::Dfs, limits);
        let is_kept = matches!(question, Question::Repeat | Question::Infinite);
        Self {
            shares: (0..n).map(share).collect(),
            question,
            steps: vec![0; usize::from(n)],
            workers,
            sharing: Sharing { workers: n, ..Sharing::default() },
            due: if is_kept { due_after(0) } else { usize::MAX },
            n_checks: 0,
            cycle: None,
        }
    }

    /// Searches until the question is answered, or there is nothing left.
    pub(crate) fn run(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        self.work(limits).map_err(Stopped::from)
    }

    fn work(&mut self, limits: &Limits<'_>) -> Result<(), Halt> {
        self.shares.iter_mut().try_for_each(Search::begin)?;
        loop {
            limits.look(|| self.figures())?;
            self.deal_bytes(limits);
            let letters = self.deliver();
            if self.is_answered() || (letters.iter().flatten().all(Vec::is_empty) && self.is_idle()) {
                break;
            }
            self.round(letters, limits)?;
            if self.n_states() >= self.due {
                self.check_cycles()?;
            }
        }
        if self.due != usize::MAX && self.cycle.is_none() {
            self.check_cycles()?;
        }
        Ok(())
    }

    /// What each share is told by each.
    fn deliver(&mut self) -> Vec<Vec<Vec<Letter<W>>>> {
        let n = self.shares.len() as u8;
        let told = |to| self.shares.iter_mut().map(|share| share.take_letters(to)).collect();
        let letters: Vec<Vec<Vec<Letter<W>>>> = (0..n).map(told).collect();
        self.sharing.letters += letters.iter().flatten().map(|letters| letters.len() as u64).sum::<u64>();
        letters
    }

    /// Every share takes its steps.
    fn round(&mut self, letters: Vec<Vec<Vec<Letter<W>>>>, limits: &Limits<'_>) -> Result<(), Halt> {
        self.sharing.rounds += 1;
        let Workers { steps: n_steps, worth_a_thread, .. } = self.workers;
        let n_busy = self.steps.iter().filter(|steps| **steps >= worth_a_thread).count();
        let turn = |share: &mut Search<'p, W>, letters: Vec<Vec<Letter<W>>>| -> Result<u32, Halt> {
            for (from, letters) in (0..).zip(&letters) {
                share.read(from, letters)?;
            }
            share.slice(n_steps, limits)
        };
        let turns = self.shares.iter_mut().zip(letters);
        let taken: Vec<Result<u32, Halt>> = if n_busy < 2 {
            turns.map(|(share, letters)| turn(share, letters)).collect()
        } else {
            self.sharing.side_by_side += 1;
            side_by_side(turns, turn)
        };
        self.steps = taken.into_iter().collect::<Result<_, _>>()?;
        Ok(())
    }

    /// What is left of the bytes is dealt out evenly.
    fn deal_bytes(&mut self, limits: &Limits<'_>) {
        let used: u64 = self.shares.iter().map(|share| share.figures().bytes).sum();
        let more = limits.bytes().saturating_sub(used) / self.shares.len() as u64;
        for share in &mut self.shares {
            let allowed = share.figures().bytes.saturating_add(more);
            share.allow(usize::try_from(allowed).unwrap_or(usize::MAX));
        }
    }

    fn is_idle(&self) -> bool {
        self.shares.iter().all(Search::is_idle)
    }

    /// Whether something that is asked for has been found.
    fn is_answered(&self) -> bool {
        match self.question {
            Question::Any => self.found().iter().any(Option::is_some),
            Question::Each => self.found().iter().all(Option::is_some),
            Question::Repeat | Question::Infinite => self.cycle.is_some(),
            Question::Finite => false,
        }
    }

    /// For each goal the first share that has found it, and its state.
    pub(crate) fn found(&self) -> Vec<Option<(u8, u32)>> {
        let n_goals = self.shares[0].goals.found.len();
        let first = |goal: usize| {
            let mut shares = (0..).zip(&self.shares);
            shares.find_map(|(n, share)| Some((n, share.goals.found[goal]?)))
        };
        (0..n_goals).map(first).collect()
    }

    fn n_states(&self) -> usize {
        self.shares.iter().map(|share| share.states.records.len()).sum()
    }

    /// How far it has come.
    pub(crate) fn figures(&self) -> Figures {
        let parts: Vec<Figures> = self.shares.iter().map(Search::figures).collect();
        let sum = |of: fn(&Figures) -> u64| parts.iter().map(of).sum();
        let root = parts.iter().filter(|part| part.states > 0).count() as u64;
        Figures {
            states: sum(|part| part.states),
            // Each share but that of the root counts one entry too few.
            entries: sum(|part| part.entries) + root.saturating_sub(1),
            edges: sum(|part| part.edges),
            checks: self.n_checks,
            bytes: sum(|part| part.bytes),
            words: W,
            shorter_than: None,
            ends: parts.iter().any(|part| part.ends),
            blocks: parts.iter().any(|part| part.blocks),
            sharing: Some(self.sharing),
        }
    }

    /// Brings the edges of all shares together.
    fn gather(&self) -> Result<Gathered, Full> {
        let mut firsts = vec![0u32];
        for share in &self.shares {
            let next = u32::try_from(firsts[firsts.len() - 1] as usize + share.states.records.len());
            firsts.push(next.ok().filter(|next| *next < FAIR).ok_or(Full)?);
        }
        let mut edges = Vec::with_capacity(self.shares.iter().map(|share| share.log.edges.len()).sum());
        for (own, share) in firsts.iter().zip(&self.shares) {
            for (&(from, to, how), &other) in share.log.edges.iter().zip(&share.log.shares) {
                let other = firsts[usize::from(other)];
                // Of a call the share that is written beside it is that of the caller, of a summary that of the exit.
                edges.push(match how & FAIR {
                    0 => (other + from, own + to, how),
                    _ => (own + from, own + to, other + how),
                });
            }
        }
        Ok(Gathered { edges, firsts })
    }

    fn check_cycles(&mut self) -> Result<(), Halt> {
        let n_states = self.n_states();
        self.n_checks += 1;
        self.due = due_after(n_states);
        let gathered = self.gather()?;
        self.cycle = fair_edge(n_states, &gathered.edges).map(|edge| (edge, gathered));
        Ok(())
    }

    /// The answer, once the search is over.
    pub(crate) fn answer(&self, rsm: &Rsm, goals: &[Goal], max_steps: usize) -> Result<Answer, Halt> {
        if let Some((edge, Gathered { edges, firsts })) = &self.cycle {
            let run = lasso(&self.shares, rsm, &Edges { edges, firsts }, *edge, max_steps)?;
            return Ok(Answer::Infinite(run.map(Box::new)));
        }
        let found = self.found().into_iter().zip(goals).find_map(|(state, goal)| Some((state?, *goal)));
        match found {
            Some((at, goal)) if self.question == Question::Any => {
                let run = trace(&self.shares, rsm, at, goal, max_steps)?;
                Ok(Answer::Reached(goal, run.map(Box::new)))
            }
            _ => Ok(Answer::No),
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

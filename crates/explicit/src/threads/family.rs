//! Deadlocks of any number of threads, there from the beginning or started: how many are where, counted up to a number.
//!
//! A node holds shared values and, for each state of a thread of a block, how many threads are in it: exactly, or that there are more than
//! [`Family::exact`]. So it knows who is *not* there, which a covering does not, and a deadlock is about: everybody waits, and nobody else is there to help.
//! A thread of a block of any number is there once it has run; one that has not could as well not exist, unless it is the one that waits.
//! \[Pnueli, Xu and Zuck 2002\]
//!
//! Contract: every configuration that a run of any number of threads can reach is that of some node. So where no node is a deadlock there is
//! none. The converse does not hold: one less than more than so many may be so many, or still more.

use super::any_number::{counts_of, is_slot};
use super::cover::{Counter, distribute};
use super::matter::Matter;
use super::started::Started;
use super::steps::{DONE, ENDED_INSIDE, START_LIMIT, Tables};
use super::{Question, Settings, blocking};
use crate::search::LOOK;
use crate::{Figures, Limits, Stopped};
use rsm::Copies;
use rustc_hash::FxHashSet;

/// What is known of the deadlocks of any number of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FamilyDeadlock {
    /// There is none.
    None,
    /// There may be one, as far as such counters tell.
    Perhaps,
    /// There is none as far as it was looked: calls, or threads that are started, were left out.
    Cut,
}

/// A search under way.
struct Family<'p> {
    tables: Tables<'p>,
    copies: Vec<Copies>,
    /// Up to so many threads of a block of any number are counted exactly.
    exact: u32,
    known: FxHashSet<Node>,
    todo: Vec<Node>,
    is_cut: bool,
    counters_kept: usize,
}

/// Shared values, and how many threads are where; those that have ended are not counted.
type Node = (u32, Box<[Counter]>);

/// Whether some number of threads has a deadlock, if so many of each state are counted exactly; the targets of the question and its bound
/// play no part.
pub fn family_deadlock(
    question: &Question<'_>,
    exact: u32,
    settings: Settings,
    limits: &Limits<'_>,
) -> (Result<FamilyDeadlock, Stopped>, Figures) {
    let mut family = Family::new(question, exact, settings);
    let found = family.run(limits);
    (found, family.figures())
}

impl<'p> Family<'p> {
    fn new(question: &Question<'p>, exact: u32, settings: Settings) -> Self {
        let settings = blocking(settings);
        // Of any number two are enough to notice each other.
        let counts = counts_of(question, 2);
        let matter = Matter::new(question.program, &[], &counts, settings.reductions);
        let tables = Tables::new(question.program, matter, &[], settings.visibility);
        Self {
            tables: tables.with_deadlocks().with_started(None),
            copies: question.program.blocks.iter().map(|block| block.copies).collect(),
            exact,
            known: FxHashSet::default(),
            todo: Vec::new(),
            is_cut: false,
            counters_kept: 0,
        }
    }

    fn figures(&self) -> Figures {
        let bytes = self.tables.bytes()
            + self.known.capacity() * 2 * size_of::<Node>()
            + self.counters_kept * 2 * size_of::<Counter>();
        Figures {
            states: self.known.len() as u64,
            entries: self.tables.n_entries() as u64,
            bytes: bytes as u64,
            ..Figures::default()
        }
    }

    fn run(&mut self, limits: &Limits<'_>) -> Result<FamilyDeadlock, Stopped> {
        self.start(limits)?;
        while let Some(node) = self.todo.pop() {
            if self.is_deadlock(&node, limits)? {
                return Ok(FamilyDeadlock::Perhaps);
            }
            self.expand(&node, limits)?;
        }
        Ok(if self.is_cut { FamilyDeadlock::Cut } else { FamilyDeadlock::None })
    }

    /// The blocks of which there may be any number from the beginning.
    fn free_blocks(&self) -> Vec<u32> {
        let is_free = |block: &u32| self.copies[*block as usize] == Copies::Any;
        (0..self.copies.len() as u32).filter(is_free).collect()
    }

    /// The states in which a thread of a block may begin.
    fn first_states(&mut self, block: u32, shared: &[u64]) -> Result<Vec<u32>, Stopped> {
        let starts = self.tables.starts(block, shared)?;
        let mut states: Vec<u32> = starts.into_iter().map(|world| self.tables.numbers(world).1).collect();
        states.sort_unstable();
        states.dedup();
        Ok(states)
    }

    /// The nodes in which runs start: of blocks of any number nobody is there yet.
    fn start(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        let (program, matters) = (self.tables.program, self.tables.matter.shared().to_vec());
        Tables::each_first_shared(program, &matters, limits, &mut |values| {
            let shared = self.tables.shared_number(values.clone());
            let mut beginnings: Vec<Vec<Counter>> = vec![Vec::new()];
            for block in 0..self.copies.len() as u32 {
                if let Copies::Number(number) = self.copies[block as usize]
                    && !is_slot(program, block)
                {
                    let states = self.first_states(block, &values)?;
                    beginnings = distribute(&beginnings, block, &states, number);
                }
                if beginnings.len() > START_LIMIT {
                    return Err(Stopped::TooLarge);
                }
            }
            for mut counters in beginnings {
                counters.sort_unstable();
                self.add(shared, counters, limits)?;
            }
            Ok::<(), Stopped>(())
        })
    }

    /// Nobody can go on, and somebody has not ended. Of a block of any number one thread more may be there that has not run.
    fn is_deadlock(&mut self, (shared, counters): &Node, limits: &Limits<'_>) -> Result<bool, Stopped> {
        let is_over = counters.iter().any(|counter| counter.1 == ENDED_INSIDE);
        let mut has_unfinished = false;
        for &(block, state, _) in counters {
            let number = self.tables.entry((block, *shared, state), limits)?;
            let entry = self.tables.entry_at(number);
            if entry.can_move && !is_over {
                return Ok(false);
            }
            has_unfinished |= !entry.has_ended;
        }
        if has_unfinished {
            return Ok(true);
        }
        for block in self.free_blocks() {
            let values = self.tables.shared_values(*shared).to_vec();
            for state in self.first_states(block, &values)? {
                let number = self.tables.entry((block, *shared, state), limits)?;
                let entry = self.tables.entry_at(number);
                if !entry.has_ended && (is_over || !entry.can_move) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Takes every move of every thread, the first ones of threads that have not run included.
    fn expand(&mut self, (shared, counters): &Node, limits: &Limits<'_>) -> Result<(), Stopped> {
        // Once somebody has ended in an atomic region nobody runs any more.
        if counters.iter().any(|counter| counter.1 == ENDED_INSIDE) {
            return Ok(());
        }
        for &(block, state, _) in counters {
            for rest in self.without_one(counters, (block, state)) {
                self.moves(*shared, rest, (block, state), limits)?;
            }
        }
        for block in self.free_blocks() {
            let values = self.tables.shared_values(*shared).to_vec();
            for state in self.first_states(block, &values)? {
                self.moves(*shared, counters.to_vec(), (block, state), limits)?;
            }
        }
        Ok(())
    }

    /// The moves of a thread beside others.
    fn moves(
        &mut self,
        shared: u32,
        others: Vec<Counter>,
        (block, state): (u32, u32),
        limits: &Limits<'_>,
    ) -> Result<(), Stopped> {
        let number = self.tables.entry((block, shared, state), limits)?;
        let entry = self.tables.entry_at(number);
        self.is_cut |= entry.is_cut;
        for n in entry.moves.clone() {
            let step = self.tables.move_at(n).clone();
            let mut counters = others.clone();
            if step.local != DONE {
                self.add_one(&mut counters, (block, step.local));
            }
            if let Some(Started { block, .. }) = self.tables.started {
                step.started.iter().for_each(|state| self.add_one(&mut counters, (block, *state)));
            }
            self.add(step.shared, counters, limits)?;
        }
        Ok(())
    }

    fn add(&mut self, shared: u32, counters: Vec<Counter>, limits: &Limits<'_>) -> Result<(), Stopped> {
        let n_counters = counters.len();
        let node: Node = (shared, counters.into());
        if !self.known.insert(node.clone()) {
            return Ok(());
        }
        self.counters_kept += n_counters;
        self.todo.push(node);
        if self.known.len() as u64 > limits.max_states {
            return Err(Stopped::States);
        }
        match self.known.len() as u64 % LOOK {
            0 => limits.look(|| self.figures()),
            _ => Ok(()),
        }
    }

    /// More threads than this of a block are told apart from none only.
    fn most(&self, block: u32) -> u32 {
        let is_counted = self.copies[block as usize] != Copies::Any && !is_slot(self.tables.program, block);
        if is_counted { u32::MAX } else { self.exact }
    }

    fn add_one(&self, counters: &mut Vec<Counter>, (block, state): (u32, u32)) {
        let most = self.most(block);
        match counters.binary_search_by_key(&(block, state), |counter| (counter.0, counter.1)) {
            Ok(at) if counters[at].2 > most => {}
            Ok(at) => counters[at].2 += 1,
            Err(at) => counters.insert(at, (block, state, 1)),
        }
    }

    /// The counters with a thread less in a state: of more than so many there may still be more than so many.
    fn without_one(&self, counters: &[Counter], (block, state): (u32, u32)) -> Vec<Vec<Counter>> {
        let at = counters.binary_search_by_key(&(block, state), |counter| (counter.0, counter.1));
        let at = at.expect("a thread that moves is there");
        let mut fewer = counters.to_vec();
        fewer[at].2 -= 1;
        if fewer[at].2 == 0 {
            fewer.remove(at);
        }
        match counters[at].2 > self.most(block) {
            true => vec![counters.to_vec(), fewer],
            false => vec![fewer],
        }
    }
}

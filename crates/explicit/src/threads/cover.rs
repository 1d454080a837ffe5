//! Any number of threads, every bound: counters in place of copies.
//!
//! A node holds shared values and, for each state of a thread of a block, how many threads are in it; `MANY` stands for as many as
//! anybody wants. A move of the step tables takes one thread from one counter to another. If an ancestor of a node has the same
//! shared values and no larger counters, what happened in between can be repeated, so the counters that grew become `MANY`. What a
//! node covers need not be looked at again. \[Karp and Miller 1969\]
//!
//! Contract: when the search has ended, every configuration that runs can reach, of any number of threads, is covered by a node, and
//! everything below a node can be reached up to threads that are there in addition. No bound is counted: that is what levels are for.

use super::any_number::{counts_of, is_slot};
use super::matter::Matter;
use super::started::Started;
use super::steps::{DONE, START, START_LIMIT, Tables};
use super::{Question, Settings};
use crate::search::LOOK;
use crate::{Figures, Limits, Stopped};
use rsm::interleave::ThreadState;
use rsm::{Copies, ThreadGoal};
use rustc_hash::FxHashMap;

/// As many threads as anybody wants.
const MANY: u32 = u32::MAX;

/// How many threads of a block are in a state.
type Counter = (u32, u32, u32);

/// Shared values, and how many threads are where; those that are done are not counted.
struct Node {
    shared: u32,
    /// Ascending by block and state, none 0.
    counters: Box<[Counter]>,
    parent: Option<u32>,
    /// Some other node covers it.
    is_covered: bool,
}

/// A search under way.
pub(super) struct Cover<'p> {
    pub(super) tables: Tables<'p>,
    copies: Vec<Copies>,
    lazy_start: bool,
    nodes: Vec<Node>,
    /// For shared values the nodes that have them and that no other one covers.
    largest: FxHashMap<u32, Vec<u32>>,
    todo: Vec<u32>,
    has_begun: bool,
    /// Of each target whether some run reaches it.
    pub(super) met: Vec<bool>,
    /// Calls were left out, so there may be more.
    pub(super) is_cut: bool,
    n_looks: u64,
    counters_kept: usize,
}

/// All that can be reached by any number of threads: every configuration is covered by one of these.
///
/// Values of variables that the [`Settings`] leave out are 0, and a thread stands at a stop: with [`Reductions::NONE`](rsm::Reductions::NONE) and
/// without visibility nothing is left out, and a thread may stand wherever it may be left. Threads that are done, that is, that have
/// ended or will do nothing any more, are not counted, and copies are all called 0. The set is closed: from each element every move
/// of every thread leads to something that an element covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Covering {
    /// None of them covers another.
    pub elements: Vec<Covered>,
}

/// What is covered: the same shared values, and in each state no more threads than this.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Covered {
    /// The values of the shared variables.
    pub shared: Vec<u64>,
    /// Who is there, ascending by block.
    pub threads: Vec<(Located, Number)>,
}

/// Where a thread is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Located {
    /// A thread of this block has not run yet; its first values are not chosen.
    Start(u32),
    /// It has run, or its first values are chosen. A thread that was started at run time and has not run waits at the first statement of its
    /// block, and the values of its [slot](rsm::Slot) stand behind its private ones.
    At(ThreadState),
}

/// How many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// So many at most.
    AtMost(u32),
    /// Any number.
    Any,
}

impl Number {
    fn of(number: u32) -> Self {
        if number == MANY { Self::Any } else { Self::AtMost(number) }
    }
}

impl<'p> Cover<'p> {
    /// Nothing has been looked at.
    pub(super) fn new(question: &Question<'p>, settings: Settings) -> Self {
        let goals: Vec<ThreadGoal> = question.targets.iter().flatten().copied().collect();
        // Of any number two are enough to notice each other.
        let counts = counts_of(question, 2);
        let copies = question.program.blocks.iter().map(|block| block.copies).collect();
        let matter = Matter::new(question.program, &goals, &counts, settings.reductions);
        let tables = Tables::new(question.program, matter, question.targets, settings.visibility);
        let tables = if settings.summaries { tables.with_summaries() } else { tables };
        Self {
            tables: tables.with_started(None),
            copies,
            lazy_start: settings.lazy_start,
            nodes: Vec::new(),
            largest: FxHashMap::default(),
            todo: Vec::new(),
            has_begun: false,
            met: vec![false; question.targets.len()],
            is_cut: false,
            n_looks: 0,
            counters_kept: 0,
        }
    }

    /// Goes on until nothing is new, every target has been met, or there are so many nodes. Says whether it has ended.
    pub(super) fn run(&mut self, most: usize, limits: &Limits<'_>) -> Result<bool, Stopped> {
        if !self.has_begun {
            self.start(limits)?;
            self.has_begun = true;
        }
        while let Some(node) = self.todo.pop() {
            if self.met.iter().all(|met| *met) {
                return Ok(true);
            }
            if self.nodes.len() >= most {
                self.todo.push(node);
                return Ok(false);
            }
            if !self.nodes[node as usize].is_covered {
                self.expand(node, limits)?;
            }
        }
        Ok(true)
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn figures(&self) -> Figures {
        let bytes = self.tables.bytes()
            + self.nodes.capacity() * (size_of::<Node>() + 8)
            + self.counters_kept * size_of::<Counter>();
        Figures {
            states: self.nodes.len() as u64,
            entries: self.tables.n_entries() as u64,
            bytes: bytes as u64,
            ..Figures::default()
        }
    }

    /// The configurations in which runs start.
    fn start(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        let (program, matters) = (self.tables.program, self.tables.matter.shared().to_vec());
        Tables::each_first_shared(program, &matters, limits, &mut |values| self.start_with(&values, limits))
    }

    /// The configurations in which runs start with these shared values.
    fn start_with(&mut self, values: &[u64], limits: &Limits<'_>) -> Result<(), Stopped> {
        let shared = self.tables.shared_number(values.to_vec());
        let mut beginnings: Vec<Vec<Counter>> = vec![Vec::new()];
        for (block, copies) in (0..).zip(self.copies.clone()) {
            if is_slot(self.tables.program, block) {
                continue;
            }
            let states = self.first_states(block, values)?;
            beginnings = match copies {
                Copies::Any => {
                    let many = states.iter().map(|state| (block, *state, MANY));
                    beginnings
                        .into_iter()
                        .map(|with| with.into_iter().chain(many.clone()).collect())
                        .collect()
                }
                Copies::Number(number) => distribute(&beginnings, block, &states, number),
            };
            if beginnings.len() > START_LIMIT {
                return Err(Stopped::TooLarge);
            }
        }
        for mut counters in beginnings {
            counters.sort_unstable();
            self.add(None, shared, counters, limits)?;
        }
        Ok(())
    }

    /// How a thread of a block may begin beside these shared values.
    fn first_states(&mut self, block: u32, shared: &[u64]) -> Result<Vec<u32>, Stopped> {
        let starts = self.tables.starts(block, shared)?;
        Ok(match self.lazy_start {
            true if starts.is_empty() => Vec::new(),
            true => vec![START],
            false => {
                let mut states: Vec<u32> =
                    starts.into_iter().map(|world| self.tables.numbers(world).1).collect();
                states.sort_unstable();
                states.dedup();
                states
            }
        })
    }

    /// Takes every move of every thread.
    fn expand(&mut self, node: u32, limits: &Limits<'_>) -> Result<(), Stopped> {
        let Node { shared, counters, .. } = &self.nodes[node as usize];
        let (shared, counters) = (*shared, counters.clone());
        for &(block, state, _) in &counters {
            let number = self.tables.entry((block, shared, state), limits)?;
            let entry = self.tables.entry_at(number);
            for (target, copy) in entry.here.iter().chain(&entry.on_the_way) {
                // Copies of a block can do the same, whatever their numbers.
                let is_there = match (self.copies[block as usize], copy) {
                    (Copies::Number(number), Some(copy)) => *copy < number,
                    _ => true,
                };
                self.met[*target] |= is_there;
            }
            self.is_cut |= entry.is_cut;
            for n in entry.moves.clone() {
                let step = self.tables.move_at(n);
                let mut changed = counters.to_vec();
                change(&mut changed, (block, state), false);
                if step.local != DONE {
                    change(&mut changed, (block, step.local), true);
                }
                if let Some(Started { block, .. }) = &self.tables.started {
                    step.started.iter().for_each(|state| change(&mut changed, (*block, *state), true));
                }
                self.add(Some(node), step.shared, changed, limits)?;
            }
        }
        Ok(())
    }

    /// A node unless another one covers it, with what can be repeated on the way to it repeated.
    fn add(
        &mut self,
        parent: Option<u32>,
        shared: u32,
        mut counters: Vec<Counter>,
        limits: &Limits<'_>,
    ) -> Result<(), Stopped> {
        if self.is_known(shared, &counters) {
            return Ok(());
        }
        let mut ancestor = parent;
        while let Some(number) = ancestor {
            let node = &self.nodes[number as usize];
            if node.shared == shared && covers(&counters, &node.counters) {
                grow(&mut counters, &node.counters);
            }
            ancestor = node.parent;
        }
        let number = self.nodes.len() as u32;
        let nodes = &mut self.nodes;
        let largest = self.largest.entry(shared).or_default();
        largest.retain(|other| {
            let other = &mut nodes[*other as usize];
            other.is_covered = covers(&counters, &other.counters);
            !other.is_covered
        });
        largest.push(number);
        self.counters_kept += counters.len();
        self.nodes.push(Node { shared, counters: counters.into(), parent, is_covered: false });
        self.todo.push(number);
        self.look(limits)
    }

    /// A node covers all of this.
    fn is_known(&self, shared: u32, counters: &[Counter]) -> bool {
        let known = self.largest.get(&shared).map_or(&[][..], |known| known);
        known.iter().rev().any(|node| covers(&self.nodes[*node as usize].counters, counters))
    }

    /// Looks now and then whether to go on.
    fn look(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        self.n_looks += 1;
        if self.nodes.len() as u64 > limits.max_states {
            return Err(Stopped::States);
        }
        if !self.n_looks.is_multiple_of(LOOK) {
            return Ok(());
        }
        let figures = self.figures();
        if self.nodes.len() >= MANY as usize || figures.bytes > limits.bytes() {
            return Err(Stopped::Memory);
        }
        limits.look(|| figures)
    }

    /// Shared values and counters of the nodes that no other one covers.
    pub(super) fn largest(&self) -> impl Iterator<Item = (u32, Vec<(u32, u32, Number)>)> {
        let counters = |node: &Node| {
            node.counters.iter().map(|(block, state, number)| (*block, *state, Number::of(*number))).collect()
        };
        self.nodes.iter().filter(|node| !node.is_covered).map(move |node| (node.shared, counters(node)))
    }

    /// What has been found, once the search has ended.
    pub(super) fn covering(&self) -> Covering {
        let element = |node: &Node| Covered {
            shared: self.tables.shared_values(node.shared).to_vec(),
            threads: node.counters.iter().map(|counter| self.standing(*counter)).collect(),
        };
        Covering { elements: self.nodes.iter().filter(|node| !node.is_covered).map(element).collect() }
    }

    fn standing(&self, (block, state, number): Counter) -> (Located, Number) {
        let standing = match state {
            START => Located::Start(block),
            _ => Located::At(self.tables.thread(block, state).clone()),
        };
        (standing, Number::of(number))
    }
}

/// Every way to put so many threads of a block into some states, beside each beginning.
fn distribute(beginnings: &[Vec<Counter>], block: u32, states: &[u32], number: u32) -> Vec<Vec<Counter>> {
    let mut ways: Vec<(Vec<Counter>, u32)> = beginnings.iter().map(|with| (with.clone(), number)).collect();
    for (n, state) in states.iter().enumerate() {
        let is_last = n + 1 == states.len();
        let mut next = Vec::new();
        for (with, left) in ways {
            for count in if is_last { left..=left } else { 0..=left } {
                let mut with = with.clone();
                with.extend((count > 0).then_some((block, *state, count)));
                next.push((with, left - count));
            }
        }
        ways = next;
    }
    ways.into_iter().filter(|(_, left)| *left == 0).map(|(with, _)| with).collect()
}

/// One thread more, or less, in a state.
fn change(counters: &mut Vec<Counter>, (block, state): (u32, u32), is_more: bool) {
    match counters.binary_search_by_key(&(block, state), |counter| (counter.0, counter.1)) {
        Ok(at) if counters[at].2 == MANY => {}
        Ok(at) if is_more => counters[at].2 += 1,
        Ok(at) if counters[at].2 == 1 => {
            counters.remove(at);
        }
        Ok(at) => counters[at].2 -= 1,
        Err(at) => {
            assert!(is_more, "a thread that moves is there");
            counters.insert(at, (block, state, 1));
        }
    }
}

/// In each state there are no fewer threads.
fn covers(counters: &[Counter], others: &[Counter]) -> bool {
    let mut at = 0;
    others.iter().all(|&(block, state, number)| {
        while at < counters.len() && (counters[at].0, counters[at].1) < (block, state) {
            at += 1;
        }
        counters.get(at).is_some_and(|known| (known.0, known.1) == (block, state) && known.2 >= number)
    })
}

/// The counters that are larger than before can have any size.
fn grow(counters: &mut [Counter], before: &[Counter]) {
    for (block, state, number) in counters {
        let old = before.binary_search_by_key(&(*block, *state), |counter| (counter.0, counter.1));
        if *number > old.map_or(0, |at| before[at].2) {
            *number = MANY;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MANY, change, covers, distribute, grow};

    #[test]
    fn counters_are_compared_and_grow_state_by_state() {
        let small = [(0, 0, MANY), (1, 2, 1)];
        let large = [(0, 0, MANY), (0, 3, 1), (1, 2, 2)];
        assert!(covers(&large, &small) && !covers(&small, &large) && covers(&small, &small));
        let mut grown = large;
        grow(&mut grown, &small);
        assert_eq!(grown, [(0, 0, MANY), (0, 3, MANY), (1, 2, MANY)]);
    }

    #[test]
    fn a_move_changes_two_counters() {
        let mut counters = vec![(0, 0, MANY), (1, 2, 1)];
        change(&mut counters, (0, 0), false);
        change(&mut counters, (0, 5), true);
        change(&mut counters, (1, 2), false);
        assert_eq!(counters, [(0, 0, MANY), (0, 5, 1)]);
    }

    #[test]
    fn a_number_of_threads_is_put_into_states_in_every_way() {
        let ways = distribute(&[vec![]], 0, &[4, 5], 2);
        assert_eq!(ways, [vec![(0, 5, 2)], vec![(0, 4, 1), (0, 5, 1)], vec![(0, 4, 2)]]);
        assert_eq!(distribute(&[vec![]], 0, &[], 2), Vec::<Vec<_>>::new());
    }
}

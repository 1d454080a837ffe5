//! Infinite runs of any number of threads: that there are none, whatever the number.
//!
//! Threads whose number is known, and those that the observer names, are told apart. Of the others it is counted how many are where: exactly up to
//! a number, and beyond that only that there are more. Every run of any number of threads is a path here, with the same letters. So where no cycle is as it is asked,
//! there is no such run. A cycle proves nothing, but two things that a run cannot do are left out: the threads of a run are finitely many, so that a move that
//! is taken again and again is on a cycle of moves of one thread; and threads that are told apart are treated as the scheduler has to.
//!
//! Contract: `true` means that no number of threads has such a run.

use super::super::cover::Counter;
use super::super::matter::Matter;
use super::super::{Settings, blocking};
use super::Wanted;
use super::table::{Entry, Move, Table};
use crate::search::LOOK;
use crate::{Figures, Limits, Stopped};
use base::Components;
use rsm::interleave::{Scheduler, World};
use rsm::observe::{Letter, Marks, Observer};
use rsm::{Concurrent, Copies};
use rustc_hash::{FxHashMap, FxHashSet};

/// More ways to begin are too many.
const MOST_BEGINNINGS: usize = 1 << 12;

/// Who moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Mover {
    /// A thread that is told apart.
    Single(u32),
    /// One of those that are counted: of a block, from one state to another.
    Counted(u32, u32, u32),
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    mover: Mover,
    marks: Marks,
}

/// Shared values, the states of threads that are told apart, how many others are where, and the state of the observer.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Node {
    shared: u32,
    singles: Vec<u32>,
    counters: Vec<Counter>,
    state: u32,
}

/// What is known of a node by itself.
#[derive(Clone, Copy)]
struct Known {
    /// A bit for each thread that is told apart and is not able to move.
    unable: u64,
    is_inside: bool,
}

/// A thread that is told apart, or all that are counted together.
#[derive(Clone, Copy)]
struct Role {
    block: u32,
    bits: Letter,
}

struct Family<'p> {
    table: Table<'p>,
    singles: Vec<Role>,
    counted: Vec<Role>,
    exact: u32,
    numbers: FxHashMap<Node, u32>,
    nodes: Vec<Node>,
    known: Vec<Known>,
    edges: Vec<Vec<Edge>>,
}

/// No number of threads has such a run, as far as such counters tell.
pub fn none_of_any_number(
    program: &Concurrent,
    observer: &Observer,
    wanted: Wanted,
    exact: u32,
    settings: Settings,
    limits: &Limits<'_>,
) -> (Result<bool, Stopped>, Figures) {
    let mut family = Family::new(program, observer, exact, settings);
    let found = family.has_none(wanted, limits);
    (found, family.figures())
}

impl<'p> Family<'p> {
    fn new(program: &'p Concurrent, observer: &'p Observer, exact: u32, settings: Settings) -> Self {
        let settings = blocking(settings);
        // Of any number two are enough to notice each other.
        let count = |copies: Copies| if let Copies::Number(number) = copies { number } else { 2 };
        let counts: Vec<u32> = program.blocks.iter().map(|block| count(block.copies)).collect();
        let matter = Matter::new(program, &[], &counts, settings.reductions);
        let (mut singles, mut counted) = (Vec::new(), Vec::new());
        for (block, copies) in (0..).zip(program.blocks.iter().map(|block| block.copies)) {
            let role = |copy: u32| Role { block, bits: observer.bits_of(block, copy) };
            let n_single = match copies {
                Copies::Number(number) => number,
                Copies::Any => super::named(observer, block),
            };
            singles.extend((0..n_single).map(role));
            counted.extend((copies == Copies::Any).then(|| role(n_single)));
        }
        Self {
            table: Table::new(program, observer, matter, settings),
            singles,
            counted,
            exact,
            numbers: FxHashMap::default(),
            nodes: Vec::new(),
            known: Vec::new(),
            edges: Vec::new(),
        }
    }

    fn figures(&self) -> Figures {
        let n_edges: usize = self.edges.iter().map(Vec::len).sum();
        let node = 2 * (size_of::<Node>() + 4 * (self.singles.len() + 12));
        let bytes = self.table.bytes() + self.nodes.len() * node + n_edges * size_of::<Edge>();
        Figures {
            states: self.nodes.len() as u64,
            entries: self.table.n_entries() as u64,
            bytes: bytes as u64,
            edges: n_edges as u64,
            ..Figures::default()
        }
    }

    fn has_none(&mut self, wanted: Wanted, limits: &Limits<'_>) -> Result<bool, Stopped> {
        // A bit for each thread that is told apart.
        if self.singles.len() > super::MOST_THREADS as usize || !self.begin(limits)? {
            return Ok(false);
        }
        while self.edges.len() < self.nodes.len() {
            self.expand(limits)?;
        }
        if self.table.is_cut {
            return Ok(false);
        }
        let is_target = |node: &Node| self.table.observer.states[node.state as usize].is_target;
        match wanted {
            Wanted::Target => Ok(!self.nodes.iter().any(is_target)),
            Wanted::Run(scheduler) => self.has_no_cycle(scheduler, limits),
        }
    }

    /// The nodes in which runs start; says whether these are all. Threads that are counted leave shared values as they are on the way to their first stop,
    /// since others of their block would notice.
    fn begin(&mut self, limits: &Limits<'_>) -> Result<bool, Stopped> {
        for first in self.table.first_shared()? {
            let world = World { shared: first.clone(), threads: Vec::new() };
            let mut lists = vec![(self.table.matter.project(&world).shared, Vec::new())];
            for role in self.singles.clone() {
                let mut longer = Vec::new();
                for (shared, list) in lists {
                    for (shared, local) in self.first_stops(role.block, &first, &shared, limits)? {
                        longer.push((shared, [&list[..], &[local]].concat()));
                    }
                }
                lists = longer;
                if lists.len() > MOST_BEGINNINGS {
                    return Err(Stopped::TooLarge);
                }
            }
            for (shared, singles) in lists {
                let mut all: Vec<Vec<Counter>> = vec![Vec::new()];
                for role in self.counted.clone() {
                    for (after, local) in self.first_stops(role.block, &first, &shared, limits)? {
                        if after != shared {
                            return Ok(false);
                        }
                        let with = |counters: &Vec<Counter>, n: u32| {
                            let own = (n > 0).then_some((role.block, local, n));
                            counters.iter().copied().chain(own).collect::<Vec<Counter>>()
                        };
                        let most = self.exact + 1;
                        all = all.iter().flat_map(|counters| (0..=most).map(|n| with(counters, n))).collect();
                        if all.len() > MOST_BEGINNINGS {
                            return Err(Stopped::TooLarge);
                        }
                    }
                }
                let shared = self.table.shared_number(shared);
                for mut counters in all {
                    counters.sort_unstable();
                    for state in &self.table.observer.initial.clone() {
                        let (singles, counters, state) = (singles.clone(), counters.clone(), *state);
                        self.number(Node { shared, singles, counters, state }, limits)?;
                    }
                }
            }
        }
        Ok(true)
    }

    /// Where a thread of a block first stops, beside these values.
    fn first_stops(
        &mut self,
        block: u32,
        first: &[u64],
        shared: &[u64],
        limits: &Limits<'_>,
    ) -> Result<Vec<(Vec<u64>, u32)>, Stopped> {
        let starts = self.table.starts(block, first)?;
        let seeds: Vec<(World, bool)> =
            starts.iter().map(|thread| (self.table.project(shared, thread), false)).collect();
        let walk = self.table.walk(&seeds, None, limits)?;
        let ends = self.table.ends(&walk);
        let mut found: Vec<(Vec<u64>, u32)> = Vec::new();
        for (shared, local) in ends {
            let end = (shared, self.table.local_number(block, local));
            if !found.contains(&end) {
                found.push(end);
            }
        }
        Ok(found)
    }

    fn number(&mut self, node: Node, limits: &Limits<'_>) -> Result<u32, Stopped> {
        let next = self.nodes.len() as u32;
        if let Some(known) = self.numbers.get(&node) {
            return Ok(*known);
        }
        self.numbers.insert(node.clone(), next);
        self.nodes.push(node);
        if self.nodes.len() as u64 > limits.max_states {
            return Err(Stopped::States);
        }
        if u64::from(next) % LOOK == LOOK - 1 {
            limits.look(|| self.figures())?;
        }
        Ok(next)
    }

    /// The edges of the next node that has none.
    fn expand(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        let node = self.nodes[self.edges.len()].clone();
        let mut letter = self.table.shared_bits(node.shared);
        let mut inside = None;
        for (n, (role, local)) in (0..).zip(self.singles.iter().zip(&node.singles)) {
            let fact = self.table.fact(role.block, *local);
            letter |= fact.bits & role.bits;
            inside = inside.or(fact.is_inside.then_some(Mover::Single(n)));
        }
        for (block, local, _) in &node.counters {
            let fact = self.table.fact(*block, *local);
            letter |= fact.bits & self.counted_role(*block).bits;
            inside = inside.or(fact.is_inside.then_some(Mover::Counted(*block, *local, *local)));
        }
        let mut known = Known { unable: 0, is_inside: inside.is_some() };
        let mut edges = Vec::new();
        for n in 0..self.singles.len() as u32 {
            if inside.is_some_and(|inside| inside != Mover::Single(n)) {
                continue;
            }
            let role = self.singles[n as usize];
            let entry = self.entry(role.block, node.shared, node.singles[n as usize], limits)?;
            known.unable |= u64::from(!entry.is_able) << n;
            for step in entry.moves.map(|n| self.table.move_at(n)).collect::<Vec<Move>>() {
                let mut after = Node { shared: step.shared, ..node.clone() };
                after.singles[n as usize] = step.local;
                self.observe(letter | step.seen & role.bits, &after, Mover::Single(n), &mut edges, limits)?;
            }
        }
        for (block, local, _) in node.counters.clone() {
            if inside.is_some_and(|inside| inside != Mover::Counted(block, local, local)) {
                continue;
            }
            let entry = self.entry(block, node.shared, local, limits)?;
            let bits = self.counted_role(block).bits;
            for step in entry.moves.map(|n| self.table.move_at(n)).collect::<Vec<Move>>() {
                for counters in self.moved(&node.counters, (block, local, step.local)) {
                    let after = Node { shared: step.shared, counters, ..node.clone() };
                    let mover = Mover::Counted(block, local, step.local);
                    self.observe(letter | step.seen & bits, &after, mover, &mut edges, limits)?;
                }
            }
        }
        self.known.push(known);
        self.edges.push(edges);
        Ok(())
    }

    fn counted_role(&self, block: u32) -> Role {
        *self.counted.iter().find(|role| role.block == block).expect("threads of the block are counted")
    }

    fn entry(&mut self, block: u32, shared: u32, local: u32, limits: &Limits<'_>) -> Result<Entry, Stopped> {
        let number = self.table.entry((block, shared, local), limits)?;
        Ok(self.table.entry_at(number).clone())
    }

    /// All that the observer may do along a move.
    fn observe(
        &mut self,
        letter: Letter,
        after: &Node,
        mover: Mover,
        edges: &mut Vec<Edge>,
        limits: &Limits<'_>,
    ) -> Result<(), Stopped> {
        // The state is still that before the move.
        for (state, marks) in self.table.observer.moves(after.state, letter).map_err(|_| Stopped::TooLarge)? {
            let to = self.number(Node { state, ..after.clone() }, limits)?;
            edges.push(Edge { to, mover, marks });
        }
        Ok(())
    }

    /// One thread of a block goes from one state to another: of more than so many there may still be more than so many.
    fn moved(&self, counters: &[Counter], (block, from, to): (u32, u32, u32)) -> Vec<Vec<Counter>> {
        let place = |counters: &[Counter], local: u32| {
            counters.binary_search_by_key(&(block, local), |counter| (counter.0, counter.1))
        };
        let at = place(counters, from).expect("a thread that moves is there");
        let mut fewer = counters.to_vec();
        fewer[at].2 -= 1;
        if fewer[at].2 == 0 {
            fewer.remove(at);
        }
        let mut all = vec![fewer];
        if counters[at].2 > self.exact {
            all.push(counters.to_vec());
        }
        for counters in &mut all {
            match place(counters, to) {
                Ok(at) => counters[at].2 = (counters[at].2 + 1).min(self.exact + 1),
                Err(at) => counters.insert(at, (block, to, 1)),
            }
        }
        all
    }

    /// No cycle is as it is asked.
    fn has_no_cycle(&self, scheduler: Scheduler, limits: &Limits<'_>) -> Result<bool, Stopped> {
        let mut todo: Vec<Part> = vec![(0..).zip(&self.edges).map(|(n, edges)| (n, edges.clone())).collect()];
        while let Some(part) = todo.pop() {
            limits.look(|| self.figures())?;
            for component in components(&part) {
                match self.judge(component, scheduler) {
                    Judged::Good => return Ok(false),
                    Judged::Rest(rest) => todo.push(rest),
                    Judged::Nothing => {}
                }
            }
        }
        Ok(true)
    }

    /// Whether a component can be passed again and again, or which part of it perhaps.
    fn judge(&self, component: Part, scheduler: Scheduler) -> Judged {
        let edges = || component.values().flatten();
        let marks = edges().fold(0, |marks, edge| marks | edge.marks);
        if edges().next().is_none() || marks != self.table.observer.all_marks() {
            return Judged::Nothing;
        }
        let movers: FxHashSet<Mover> = edges().map(|edge| edge.mover).collect();
        let returning = returning(&movers);
        if returning.len() < movers.len() {
            let kept = component.into_iter().map(|(node, mut edges)| {
                edges.retain(|edge| returning.contains(&edge.mover));
                (node, edges)
            });
            return Judged::Rest(kept.collect());
        }
        let is_free = |node: &u32| !self.known[*node as usize].is_inside;
        if scheduler == Scheduler::Any || !component.keys().any(is_free) {
            return Judged::Good;
        }
        let able = |node: u32| !self.known[node as usize].unable;
        let free = || component.keys().copied().filter(is_free);
        let sometimes = free().fold(0, |all, node| all | able(node));
        let always = free().fold(u64::MAX, |all, node| all & able(node));
        let starves = |n: &u32| {
            let is_owed = if scheduler == Scheduler::Strong { sometimes } else { always };
            is_owed >> n & 1 == 1 && !movers.contains(&Mover::Single(*n))
        };
        let starved = (0..self.singles.len() as u32).filter(starves).fold(0, |bits, n| bits | 1u64 << n);
        if starved == 0 {
            return Judged::Good;
        }
        let stays =
            |node: &u32| !is_free(node) || scheduler == Scheduler::Strong && able(*node) & starved == 0;
        let rest: FxHashSet<u32> = component.keys().copied().filter(stays).collect();
        let within =
            component.into_iter().filter(|(node, _)| rest.contains(node)).map(|(node, mut edges)| {
                edges.retain(|edge| rest.contains(&edge.to));
                (node, edges)
            });
        Judged::Rest(within.collect())
    }
}

/// Nodes, each with edges.
type Part = FxHashMap<u32, Vec<Edge>>;

enum Judged {
    /// It has a cycle as it is asked.
    Good,
    /// Only this part may have one.
    Rest(Part),
    /// It has none.
    Nothing,
}

/// The components of a part, each with the edges inside of it.
fn components(part: &Part) -> Vec<Part> {
    let mut nodes: Vec<u32> = part.keys().copied().collect();
    nodes.sort_unstable();
    let place: FxHashMap<u32, u32> = (0..).zip(&nodes).map(|(n, node)| (*node, n)).collect();
    let edges = |n: u32| &part[&nodes[n as usize]][..];
    let lists =
        Components::new(nodes.len()).list(0..nodes.len() as u32, edges, |edge| place.get(&edge.to).copied());
    let inside = |members: Vec<u32>| {
        let members: FxHashSet<u32> = members.into_iter().map(|n| nodes[n as usize]).collect();
        let edges = |node: &u32| {
            let inside = part[node].iter().filter(|edge| members.contains(&edge.to));
            (*node, inside.copied().collect::<Vec<Edge>>())
        };
        members.iter().map(edges).collect::<Part>()
    };
    lists.into_iter().map(inside).collect()
}

/// The moves that threads can take again and again: those that are on a cycle of moves of one thread. Who is told apart is not looked at.
fn returning(movers: &FxHashSet<Mover>) -> FxHashSet<Mover> {
    let mut states: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut number = |block: u32, local: u32| {
        let next = states.len() as u32;
        *states.entry((block, local)).or_insert(next)
    };
    let mut steps: Vec<(u32, u32, Mover)> = Vec::new();
    for mover in movers {
        if let Mover::Counted(block, from, to) = *mover {
            steps.push((number(block, from), number(block, to), *mover));
        }
    }
    let mut edges: Vec<Vec<u32>> = vec![Vec::new(); states.len()];
    steps.iter().for_each(|(from, to, _)| edges[*from as usize].push(*to));
    let lists =
        Components::new(edges.len()).list(0..edges.len() as u32, |n| &edges[n as usize][..], |to| Some(*to));
    let mut component = vec![0; edges.len()];
    for (n, members) in lists.iter().enumerate() {
        members.iter().for_each(|member| component[*member as usize] = n);
    }
    let is_single = |mover: &&Mover| matches!(mover, Mover::Single(_));
    let returns = |step: &&(u32, u32, Mover)| component[step.0 as usize] == component[step.1 as usize];
    movers.iter().filter(is_single).copied().chain(steps.iter().filter(returns).map(|step| step.2)).collect()
}

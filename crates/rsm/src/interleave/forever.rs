//! Runs without an end, by their definition: every world with every state of an observer, and the components of that graph.
//!
//! ```text
//! any     nothing is asked of a schedule: a thread may be forgotten for ever
//! weak    a thread moves again and again, or cannot move again and again
//! strong  a thread moves again and again, or can move finitely often only
//! ```
//!
//! Whether a thread can move is asked where all threads are outside atomic regions, and [`has_move`] says it: who stands before the
//! atomic block of somebody else is not excused by it. Where somebody stays inside an atomic region for ever nothing is asked of the
//! others. This is the textbook twin of the search for such runs: nothing is merged, nothing is left out.

use super::search::{Limits, Unfinished};
use super::{ThreadId, World, has_ended, has_move, initials, is_allowed, is_deadlock, is_free, successors};
use crate::concurrent::Concurrent;
use crate::machine::EdgeId;
use crate::observe::{Marks, Observer};
use base::Components;
use rustc_hash::FxHashMap;

/// What is asked of a schedule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Scheduler {
    /// Nothing.
    #[default]
    Any,
    /// A thread that can always go on does, sooner or later.
    Weak,
    /// A thread that can go on again and again does, sooner or later.
    Strong,
}

impl Scheduler {
    /// All of them, from the one that allows most.
    pub const ALL: [Self; 3] = [Self::Any, Self::Weak, Self::Strong];

    /// The schedule may go on like this for ever.
    pub fn allows(self, thread: InCycle) -> bool {
        thread.moves
            || match self {
                Self::Any => true,
                Self::Weak => thread.cannot,
                Self::Strong => !thread.can,
            }
    }
}

/// What happens to a thread in steps that are taken again and again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InCycle {
    /// It takes some of the steps.
    pub moves: bool,
    /// Somewhere outside atomic regions it can move.
    pub can: bool,
    /// Somewhere outside atomic regions it cannot move.
    pub cannot: bool,
}

/// How runs stop that are finite.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stops {
    /// Every thread has ended.
    pub ended: bool,
    /// Nobody can go on, and somebody has not ended.
    pub deadlock: bool,
}

/// All worlds of a program with all states of an observer that can go along.
pub struct AllRuns {
    n_threads: usize,
    worlds: Vec<Seen>,
    /// A world and a state of the observer.
    nodes: Vec<(u32, u32)>,
    edges: Vec<Vec<Edge>>,
    /// The observer can reach a target state.
    reaches: bool,
    stops: Stops,
}

/// What is known of a world.
struct Seen {
    steps: Vec<(ThreadId, EdgeId, u32)>,
    /// Every thread is outside atomic regions.
    is_free: bool,
    /// Who can move, if everybody is.
    able: Vec<bool>,
}

/// A step of both.
struct Edge {
    to: u32,
    thread: ThreadId,
    marks: Marks,
}

impl AllRuns {
    /// Tries everything.
    pub fn new(
        program: &Concurrent,
        counts: &[u32],
        observer: &Observer,
        limits: Limits,
    ) -> Result<Self, Unfinished> {
        let mut worlds = AllWorlds { program, limits, numbers: FxHashMap::default(), list: Vec::new() };
        for world in initials(program, counts, limits.max_outcomes)? {
            worlds.number(world)?;
        }
        let n_initial = worlds.list.len() as u32;
        let (mut seen, mut stops) = (Vec::new(), Stops::default());
        while let Some(world) = worlds.list.get(seen.len()).cloned() {
            let known = worlds.look(&world)?;
            stops.ended |= world.threads.iter().all(|thread| has_ended(program, thread));
            stops.deadlock |= is_deadlock(program, &world, limits.max_outcomes)?;
            seen.push(known);
        }
        let list = std::mem::take(&mut worlds.list);
        let mut all = Self {
            n_threads: counts.iter().sum::<u32>() as usize,
            worlds: seen,
            nodes: Vec::new(),
            edges: Vec::new(),
            reaches: false,
            stops,
        };
        all.observe(program, observer, &list, n_initial, limits)?;
        Ok(all)
    }

    /// Puts the observer beside the worlds.
    fn observe(
        &mut self,
        program: &Concurrent,
        observer: &Observer,
        list: &[World],
        n_initial: u32,
        limits: Limits,
    ) -> Result<(), Unfinished> {
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut number = |node: (u32, u32), nodes: &mut Vec<(u32, u32)>| {
            *numbers.entry(node).or_insert_with(|| {
                nodes.push(node);
                nodes.len() as u32 - 1
            })
        };
        for world in 0..n_initial {
            for state in &observer.initial {
                number((world, *state), &mut self.nodes);
            }
        }
        while let Some(&(world, state)) = self.nodes.get(self.edges.len()) {
            self.reaches |= observer.states[state as usize].is_target;
            let mut edges = Vec::new();
            for (thread, edge, to) in &self.worlds[world as usize].steps {
                let letter = observer.letter(program, &list[world as usize], *thread, *edge);
                for (state, marks) in observer.moves(state, letter)? {
                    let to = number((*to, state), &mut self.nodes);
                    edges.push(Edge { to, thread: *thread, marks });
                }
            }
            self.edges.push(edges);
            if self.nodes.len() > limits.max_worlds.saturating_mul(8) {
                return Err(Unfinished::Worlds);
            }
        }
        Ok(())
    }

    /// The observer can reach a target state.
    pub fn reaches(&self) -> bool {
        self.reaches
    }

    /// How runs stop that are finite, whatever the observer.
    pub fn stops(&self) -> Stops {
        self.stops
    }

    /// How many worlds there are.
    pub fn n_worlds(&self) -> usize {
        self.worlds.len()
    }

    /// Some run without an end is accepted, and its schedule allowed.
    pub fn has(&self, scheduler: Scheduler, observer: &Observer) -> bool {
        let mut todo: Vec<Vec<u32>> = vec![(0..self.nodes.len() as u32).collect()];
        while let Some(part) = todo.pop() {
            let mut is_in = vec![false; self.nodes.len()];
            part.iter().for_each(|node| is_in[*node as usize] = true);
            let inside = |edge: &Edge| is_in[edge.to as usize].then_some(edge.to);
            let edges = |node: u32| &self.edges[node as usize][..];
            for component in Components::new(self.nodes.len()).list(part.iter().copied(), edges, inside) {
                match self.judge(&component, scheduler, observer) {
                    Judgement::Accepted => return true,
                    Judgement::Rejected => {}
                    Judgement::Smaller(rest) => todo.push(rest),
                }
            }
        }
        false
    }

    /// What a component is good for.
    fn judge(&self, component: &[u32], scheduler: Scheduler, observer: &Observer) -> Judgement {
        let mut is_in = vec![false; self.nodes.len()];
        component.iter().for_each(|node| is_in[*node as usize] = true);
        let edges = || {
            let all = component.iter().flat_map(|node| &self.edges[*node as usize]);
            all.filter(|edge| is_in[edge.to as usize])
        };
        let marks = edges().fold(0, |marks, edge| marks | edge.marks);
        if edges().next().is_none() || marks != observer.all_marks() {
            return Judgement::Rejected;
        }
        let mut threads = vec![InCycle::default(); self.n_threads];
        edges().for_each(|edge| threads[edge.thread.index()].moves = true);
        let world = |node: u32| &self.worlds[self.nodes[node as usize].0 as usize];
        for node in component.iter().filter(|node| world(**node).is_free) {
            for (thread, able) in threads.iter_mut().zip(&world(*node).able) {
                thread.can |= able;
                thread.cannot |= !able;
            }
        }
        let is_inside = component.iter().all(|node| !world(*node).is_free);
        let starves = |thread: usize| !is_inside && !scheduler.allows(threads[thread]);
        let starved: Vec<usize> = (0..self.n_threads).filter(|thread| starves(*thread)).collect();
        if starved.is_empty() {
            return Judgement::Accepted;
        }
        // Whoever is not allowed to pass a world again and again stays away from it.
        let stays = |node: &u32| {
            let world = world(*node);
            let is_able = || starved.iter().any(|thread| world.able[*thread]);
            !world.is_free || (scheduler == Scheduler::Strong && !is_able())
        };
        Judgement::Smaller(component.iter().copied().filter(stays).collect())
    }
}

enum Judgement {
    Accepted,
    Rejected,
    /// Only within these.
    Smaller(Vec<u32>),
}

/// Worlds with numbers.
struct AllWorlds<'p> {
    program: &'p Concurrent,
    limits: Limits,
    numbers: FxHashMap<World, u32>,
    list: Vec<World>,
}

impl AllWorlds<'_> {
    fn number(&mut self, world: World) -> Result<u32, Unfinished> {
        if let Some(number) = self.numbers.get(&world) {
            return Ok(*number);
        }
        if self.list.len() >= self.limits.max_worlds {
            return Err(Unfinished::Worlds);
        }
        if world.threads.iter().any(|thread| thread.stack.len() > self.limits.max_depth) {
            return Err(Unfinished::Depth);
        }
        self.list.push(world.clone());
        self.numbers.insert(world, self.list.len() as u32 - 1);
        Ok(self.list.len() as u32 - 1)
    }

    /// All steps of all threads that may be active.
    fn look(&mut self, world: &World) -> Result<Seen, Unfinished> {
        let inside = world.threads.iter().position(|thread| !is_free(self.program, thread));
        let (mut steps, mut able) = (Vec::new(), Vec::new());
        for thread in (0..world.threads.len()).map(ThreadId::new) {
            if inside.is_none() {
                able.push(has_move(self.program, world, thread, self.limits.max_outcomes)?);
            }
            if inside.is_some_and(|inside| inside != thread.index())
                || !is_allowed(self.program, world, thread)?
            {
                continue;
            }
            for (edge, after) in successors(self.program, world, thread, self.limits.max_outcomes)? {
                steps.push((thread, edge, self.number(after)?));
            }
        }
        Ok(Seen { steps, is_free: inside.is_none(), able })
    }
}

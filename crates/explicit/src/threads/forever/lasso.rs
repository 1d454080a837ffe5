//! From configurations that can be passed again and again to moves: a way there, and a cycle on which everything happens that has to.
//!
//! Positions change threads under symmetry: `names` says which thread is where. On the cycle every mark is passed, and then one thread
//! after the other is followed until it moves, or, under `weak`, until it cannot. Of threads in equal states any may be the one that
//! moves. The cycle ends in the configuration where it began, perhaps with other names; who fills it in goes round until they are the same.

use super::fair::Part;
use super::graph::{Edge, Graph, Node};
use super::table::Move;
use crate::search::LOOK;
use crate::{Limits, Stopped};
use rsm::interleave::Scheduler;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;
use std::rc::Rc;

/// A move between configurations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    pub(super) from: u32,
    pub(super) edge: Edge,
    pub(super) step: Move,
    /// The thread at this position, which is in the same state, changes places with the one that moves before it does.
    pub(super) instead: usize,
}

/// Moves to a cycle, and on it.
pub(super) struct Lasso {
    /// The configuration in which it starts.
    pub(super) start: u32,
    pub(super) stem: Vec<Taken>,
    pub(super) cycle: Vec<Taken>,
}

/// Ways among some configurations.
struct Ways<'g, 'p, 'l> {
    graph: &'g mut Graph<'p>,
    limits: &'l Limits<'l>,
    /// Where ways may lead.
    allowed: FxHashSet<u32>,
    known: FxHashMap<u32, Rc<Seen>>,
}

/// What is known of a configuration.
struct Seen {
    node: Node,
    numbers: Vec<u32>,
    edges: Vec<Taken>,
}

/// What a search finds at a vertex.
enum Next<V> {
    /// It is the end of the way.
    Here,
    /// Moves; the way ends with one that leads to no vertex.
    Moves(Vec<(Taken, Option<V>)>),
}

/// The shortest way from one of some vertices; nothing if there is none.
fn shortest<V: Copy + Eq + Hash>(
    starts: impl IntoIterator<Item = V>,
    mut next: impl FnMut(V) -> Result<Next<V>, Stopped>,
) -> Result<Option<Vec<Taken>>, Stopped> {
    let mut known: FxHashSet<V> = FxHashSet::default();
    let mut met: Vec<(V, Option<(usize, Taken)>)> = Vec::new();
    met.extend(starts.into_iter().filter(|start| known.insert(*start)).map(|start| (start, None)));
    let way = |met: &[(V, Option<(usize, Taken)>)], mut at: usize, last: Option<Taken>| {
        let mut way: Vec<Taken> = last.into_iter().collect();
        while let Some((before, taken)) = met[at].1 {
            way.push(taken);
            at = before;
        }
        way.reverse();
        way
    };
    let mut at = 0;
    while at < met.len() {
        let moves = match next(met[at].0)? {
            Next::Here => return Ok(Some(way(&met, at, None))),
            Next::Moves(moves) => moves,
        };
        for (taken, to) in moves {
            let Some(to) = to else { return Ok(Some(way(&met, at, Some(taken)))) };
            if known.insert(to) {
                met.push((to, Some((at, taken))));
            }
        }
        at += 1;
    }
    Ok(None)
}

impl Ways<'_, '_, '_> {
    fn look(&mut self, position: u32) -> Result<Rc<Seen>, Stopped> {
        if let Some(known) = self.known.get(&position) {
            return Ok(known.clone());
        }
        let (mut edges, allowed) = (Vec::new(), &self.allowed);
        let node = self.graph.expand_with(position, self.limits, |edge, step| {
            if allowed.contains(&edge.to) {
                edges.push(Taken { from: position, edge, step, instead: usize::from(edge.from_place) });
            }
        })?;
        if self.known.len() as u64 % LOOK == LOOK - 1 {
            self.limits.look(|| self.graph.figures(0))?;
        }
        let seen = Rc::new(Seen { node, numbers: self.graph.numbers(position), edges });
        self.known.insert(position, seen.clone());
        Ok(seen)
    }

    /// The shortest way, of at least one move, that ends with a move that is wanted.
    fn way_by(
        &mut self,
        from: &[u32],
        is_wanted: impl Fn(Edge) -> bool,
    ) -> Result<Option<Vec<Taken>>, Stopped> {
        shortest(from.iter().copied(), |at| {
            let edges = self.look(at)?;
            let next = |taken: &Taken| (*taken, (!is_wanted(taken.edge)).then_some(taken.edge.to));
            Ok(Next::Moves(edges.edges.iter().map(next).collect()))
        })
    }

    /// The shortest way at the end of which the thread at a position moves, or cannot if that will do; nothing if there is none.
    fn served(
        &mut self,
        from: u32,
        place: usize,
        scheduler: Scheduler,
    ) -> Result<Option<Vec<Taken>>, Stopped> {
        shortest([(from, place)], |(at, place)| {
            let seen = self.look(at)?;
            if scheduler == Scheduler::Weak && !seen.node.is_inside && seen.node.unable >> place & 1 == 1 {
                return Ok(Next::Here);
            }
            let next = |taken: &Taken| {
                let mover = usize::from(taken.edge.from_place);
                let is_equal = self.graph.groups[mover].contains(&place)
                    && seen.numbers[place + 1] == seen.numbers[mover + 1];
                match is_equal {
                    true => (Taken { instead: place, ..*taken }, None),
                    false => (*taken, Some((taken.edge.to, taken.edge.image(place)))),
                }
            };
            Ok(Next::Moves(seen.edges.iter().map(next).collect()))
        })
    }
}

/// Moves of which nothing has been noted: which thread is where after them.
pub(super) fn follow(names: &mut Vec<usize>, taken: &Taken) -> usize {
    let mover = usize::from(taken.edge.from_place);
    names.swap(mover, taken.instead);
    let name = names.remove(mover);
    names.insert(usize::from(taken.edge.to_place), name);
    name
}

/// A lasso whose cycle runs among the configurations of a part, to which a way leads through those that have been met.
pub(super) fn find(
    graph: &mut Graph<'_>,
    starts: &[u32],
    met: &[u32],
    part: &Part,
    scheduler: Scheduler,
    limits: &Limits<'_>,
) -> Result<Lasso, Stopped> {
    let members: FxHashSet<u32> = part.members.iter().copied().collect();
    let (start, stem) = way_to(graph, starts, met, &members, limits)?;
    let head = stem.last().map_or(start, |taken| taken.edge.to);
    let mut ways = Ways { graph, limits, allowed: members, known: FxHashMap::default() };
    let cycle = ways.cycle(head, &part.members, scheduler)?;
    Ok(Lasso { start, stem, cycle })
}

/// The shortest way from a start to one of some configurations.
pub(super) fn way_to(
    graph: &mut Graph<'_>,
    starts: &[u32],
    met: &[u32],
    goals: &FxHashSet<u32>,
    limits: &Limits<'_>,
) -> Result<(u32, Vec<Taken>), Stopped> {
    if let Some(start) = starts.iter().find(|start| goals.contains(start)) {
        return Ok((*start, Vec::new()));
    }
    let allowed = (0..).zip(met).filter(|(_, met)| **met != 0).map(|(position, _)| position).collect();
    let mut ways = Ways { graph, limits, allowed, known: FxHashMap::default() };
    let stem = ways.way_by(starts, |edge| goals.contains(&edge.to))?.ok_or(Stopped::Untaken)?;
    Ok((stem[0].from, stem))
}

impl Ways<'_, '_, '_> {
    /// A cycle from a configuration on which all is done that has to be.
    fn cycle(&mut self, head: u32, members: &[u32], scheduler: Scheduler) -> Result<Vec<Taken>, Stopped> {
        let mut cycle: Vec<Taken> = Vec::new();
        let mut names: Vec<usize> = (0..self.graph.n_threads()).collect();
        let go = |way: Vec<Taken>, cycle: &mut Vec<Taken>, names: &mut Vec<usize>| {
            for taken in &way {
                follow(names, taken);
            }
            cycle.extend(way);
        };
        for mark in 0..self.graph.table.observer.n_marks {
            let is_passed = |taken: &Taken| taken.edge.marks >> mark & 1 == 1;
            if !cycle.iter().any(is_passed) {
                let at = cycle.last().map_or(head, |taken| taken.edge.to);
                let way = self.way_by(&[at], |edge| edge.marks >> mark & 1 == 1)?;
                go(way.ok_or(Stopped::Untaken)?, &mut cycle, &mut names);
            }
        }
        let mut has_free = false;
        for member in members {
            has_free |= !self.look(*member)?.node.is_inside;
        }
        for thread in (0..names.len()).filter(|_| scheduler != Scheduler::Any && has_free) {
            let at = cycle.last().map_or(head, |taken| taken.edge.to);
            let place = names.iter().position(|name| *name == thread).expect("a thread has a position");
            match self.served(at, place, scheduler)? {
                Some(way) => go(way, &mut cycle, &mut names),
                // It never can, or the part would not be fair.
                None if scheduler == Scheduler::Strong => {}
                None => return Err(Stopped::Untaken),
            }
        }
        let at = cycle.last().map_or(head, |taken| taken.edge.to);
        if cycle.is_empty() || at != head {
            let way = self.way_by(&[at], |edge| edge.to == head)?;
            go(way.ok_or(Stopped::Untaken)?, &mut cycle, &mut names);
        }
        Ok(cycle)
    }
}

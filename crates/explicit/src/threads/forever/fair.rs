//! Which part of a complete component can be passed again and again by a schedule that is allowed.
//!
//! Threads that change places are followed by pairs of a configuration and a position: an edge takes a pair to a pair, and equal
//! neighbours of a group are one, since it does not matter which of them moves. Each class of pairs is one thread, or several in turn. It is
//! served if one of its pairs moves, or, under `weak`, cannot move somewhere; under `strong`, if it can nowhere. Where a class starves,
//! the configurations are taken out that it must not pass again and again, and the components of the rest are judged.

use super::evidence::Ranks;
use super::graph::{Edge, Graph, Node};
use crate::search::LOOK;
use crate::{Limits, Stopped};
use base::Components;
use rsm::interleave::Scheduler;
use rustc_hash::FxHashMap;

/// Configurations in which a cycle runs that is good.
pub(super) struct Part {
    pub(super) members: Vec<u32>,
}

/// Some configurations with the edges among them.
struct Inside {
    members: Vec<u32>,
    nodes: Vec<Node>,
    /// Edges to members, by their numbers here.
    edges: Vec<Vec<Edge>>,
    components: Vec<Vec<u32>>,
}

/// Pairs of a configuration and a position that are one thread.
struct Classes {
    n_threads: usize,
    parents: Vec<u32>,
}

impl Classes {
    fn of(&mut self, member: u32, place: usize) -> usize {
        self.root((member as usize * self.n_threads + place) as u32) as usize
    }

    fn root(&mut self, mut pair: u32) -> u32 {
        while self.parents[pair as usize] != pair {
            let parent = self.parents[pair as usize];
            self.parents[pair as usize] = self.parents[parent as usize];
            pair = parent;
        }
        pair
    }

    fn unite(&mut self, a: usize, b: usize) {
        self.parents[a] = b as u32;
    }
}

/// A part of a complete component that can be passed again and again. If there is none, the ranks say why.
pub(super) fn judge(
    graph: &mut Graph<'_>,
    scheduler: Scheduler,
    members: Vec<u32>,
    mut ranks: Option<&mut Ranks>,
    limits: &Limits<'_>,
) -> Result<Option<Part>, Stopped> {
    let mut todo = vec![(None, members)];
    while let Some((around, members)) = todo.pop() {
        let inside = Inside::new(graph, members, limits)?;
        for component in &inside.components {
            let class = ranks.as_deref_mut().map(|ranks| {
                let members = component.iter().map(|member| inside.members[*member as usize]);
                ranks.part(around, members)
            });
            // Otherwise it does not go round, or misses a mark.
            let Some(starved) = inside.starved(graph, scheduler, component) else { continue };
            if starved.iter().all(|starved| *starved == 0) {
                let members = component.iter().map(|member| inside.members[*member as usize]);
                return Ok(Some(Part { members: members.collect() }));
            }
            if let (Some(ranks), Some(class)) = (ranks.as_deref_mut(), class) {
                let member = inside.members[component[0] as usize];
                ranks.starve(class, graph.states_of(member, starved[0]));
            }
            let rest = inside.rest(scheduler, component, &starved);
            if !rest.is_empty() {
                todo.push((class, rest));
            }
        }
    }
    Ok(None)
}

impl Inside {
    fn new(graph: &mut Graph<'_>, members: Vec<u32>, limits: &Limits<'_>) -> Result<Self, Stopped> {
        let numbers: FxHashMap<u32, u32> = (0..).zip(&members).map(|(n, member)| (*member, n)).collect();
        let (mut nodes, mut edges, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for (n, member) in members.iter().enumerate() {
            if n as u64 % LOOK == LOOK - 1 {
                limits.look(|| graph.figures(0))?;
            }
            nodes.push(graph.expand(*member, &mut found, limits)?);
            let here = |edge: Edge| Some(Edge { to: *numbers.get(&edge.to)?, ..edge });
            edges.push(found.drain(..).filter_map(here).collect::<Vec<Edge>>());
        }
        let of = |member: u32| &edges[member as usize][..];
        let components =
            Components::new(members.len()).list(0..members.len() as u32, of, |edge| Some(edge.to));
        Ok(Self { members, nodes, edges, components })
    }

    /// For each member of a component the positions that starve; nothing if it has no cycle with all marks.
    fn starved(&self, graph: &Graph<'_>, scheduler: Scheduler, component: &[u32]) -> Option<Vec<u64>> {
        let mut local = vec![u32::MAX; self.members.len()];
        (0..).zip(component).for_each(|(n, member)| local[*member as usize] = n);
        let edges = |member: u32| {
            let edges = self.edges[member as usize].iter();
            edges.filter(|edge| local[edge.to as usize] != u32::MAX)
        };
        let all = || component.iter().flat_map(|member| edges(*member));
        let marks = all().fold(0, |marks, edge| marks | edge.marks);
        if all().next().is_none() || marks != graph.table.observer.all_marks() {
            return None;
        }
        if component.iter().all(|member| self.nodes[*member as usize].is_inside) {
            return Some(vec![0; component.len()]);
        }
        let n_threads = graph.n_threads();
        let parents = (0..(component.len() * n_threads) as u32).collect();
        let mut classes = Classes { n_threads, parents };
        for (n, member) in (0..).zip(component) {
            self.unite_equal(graph, *member, n, &mut classes);
            for edge in edges(*member) {
                for place in 0..n_threads {
                    let a = classes.of(n, place);
                    let b = classes.of(local[edge.to as usize], edge.image(place));
                    classes.unite(a, b);
                }
            }
        }
        let (mut moves, mut can) = (vec![false; classes.parents.len()], vec![false; classes.parents.len()]);
        let mut cannot = can.clone();
        for (n, member) in (0..).zip(component) {
            edges(*member).for_each(|edge| moves[classes.of(n, usize::from(edge.from_place))] = true);
            let node = self.nodes[*member as usize];
            for place in (0..n_threads).filter(|_| !node.is_inside) {
                let is_able = node.unable >> place & 1 == 0;
                let class = classes.of(n, place);
                can[class] |= is_able;
                cannot[class] |= !is_able;
            }
        }
        let mut starves = |n: u32, place: usize| {
            let class = classes.of(n, place);
            !moves[class] && if scheduler == Scheduler::Strong { can[class] } else { !cannot[class] }
        };
        let mut of =
            |n: u32| (0..n_threads).fold(0, |bits, place| bits | u64::from(starves(n, place)) << place);
        Some((0..component.len() as u32).map(&mut of).collect())
    }

    /// Neighbours of a group in equal states are one.
    fn unite_equal(&self, graph: &Graph<'_>, member: u32, n: u32, classes: &mut Classes) {
        let numbers = graph.numbers(self.members[member as usize]);
        for place in 1..classes.n_threads {
            if !graph.is_first(&numbers, place) {
                let (a, b) = (classes.of(n, place), classes.of(n, place - 1));
                classes.unite(a, b);
            }
        }
    }

    /// What of a component may be passed again and again although these starve.
    fn rest(&self, scheduler: Scheduler, component: &[u32], starved: &[u64]) -> Vec<u32> {
        let stays = |(member, starved): &(&u32, &u64)| {
            let node = self.nodes[**member as usize];
            let is_able = **starved & !node.unable != 0;
            node.is_inside || (scheduler == Scheduler::Strong && !is_able)
        };
        let pairs = component.iter().zip(starved).filter(stays);
        pairs.map(|(member, _)| self.members[*member as usize]).collect()
    }
}

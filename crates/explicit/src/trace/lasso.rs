//! From a fair edge within a component to a lasso.
//!
//! The shortest way back over the edges closes the cycle. A summary in it is a finished call; calls that are left make the stack grow
//! with each round.

use super::build::{Builder, Failure, Way, last_state};
use super::graph::{At, Graph, Move};
use crate::cycle::Edge;
use crate::program::Kind;
use crate::search::Halt;
use crate::table::{FAIR, NONE};
use rsm::Rsm;
use rsm::trace::{End, Run, Trace};
use std::collections::VecDeque;

/// The edges of all shares; their states are numbered one share behind the other.
pub(crate) struct Edges<'e> {
    pub(crate) edges: &'e [Edge],
    /// The number of the first state of each share, and that of all.
    pub(crate) firsts: &'e [u32],
}

/// The infinite run through an edge of a component, if neither the way to the cycle nor the cycle is longer than allowed.
pub(crate) fn lasso<const W: usize>(
    graph: &impl Graph<W>,
    rsm: &Rsm,
    edges: &Edges<'_>,
    edge: Edge,
    max_steps: usize,
) -> Result<Option<Trace>, Halt> {
    let mut builder = Builder::new(graph, rsm, max_steps);
    let mut cycle: Vec<_> = edges.cycle_through(edge).iter().map(|edge| edges.round(*edge)).collect();
    // The head is a state of the program, not the one in which locals get their values.
    let mut head = 0;
    for (n, round) in cycle.iter().enumerate() {
        let point = graph.record(round.from)?.point();
        if graph.program().points[point as usize].node.is_some() {
            head = n;
            break;
        }
    }
    cycle.rotate_left(head);
    match builder.lasso(&cycle, max_steps) {
        Ok((way, first)) => Ok(Some(builder.written(way, End::Cycle { first }))),
        Err(Failure::TooLong) => Ok(None),
        Err(Failure::Halt(halt)) => Err(halt),
    }
}

/// An edge of the cycle.
struct Round {
    from: At,
    to: At,
    how: How,
}

enum How {
    Block(u32),
    /// By a call that returns, by way of an exit.
    Exit(At),
}

impl Edges<'_> {
    /// The edge, and the fewest edges that lead back to its start.
    fn cycle_through(&self, edge: Edge) -> Vec<Edge> {
        let (target, start) = (edge.0, edge.1 & !FAIR);
        let mut leaving: Vec<u32> = (0..self.edges.len() as u32).collect();
        leaving.sort_by_key(|n| self.edges[*n as usize].0);
        let n_states = self.firsts.last().map_or(0, |n| *n as usize);
        let mut before = vec![NONE; n_states];
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front().filter(|state| *state != target) {
            let first = leaving.partition_point(|n| self.edges[*n as usize].0 < state);
            for &n in leaving[first..].iter().take_while(|n| self.edges[**n as usize].0 == state) {
                let to = self.edges[n as usize].1 & !FAIR;
                if to != start && before[to as usize] == NONE {
                    before[to as usize] = n;
                    queue.push_back(to);
                }
            }
        }
        let mut cycle = Vec::new();
        let mut at = target;
        while at != start {
            let edge = self.edges[before[at as usize] as usize];
            cycle.push(edge);
            at = edge.0;
        }
        cycle.push(edge);
        cycle.reverse();
        cycle
    }

    fn round(&self, (from, to, how): Edge) -> Round {
        let how = if how & FAIR != 0 { How::Exit(self.at(how & !FAIR)) } else { How::Block(how) };
        Round { from: self.at(from), to: self.at(to & !FAIR), how }
    }

    /// The state with a number among all.
    fn at(&self, number: u32) -> At {
        let share = self.firsts.partition_point(|first| *first <= number) - 1;
        At { share: share as u8, state: number - self.firsts[share] }
    }
}

impl Way {
    /// Where the same cycle begins if it begins as early as it can, but not before a call that is open; steps at the end that are then
    /// not needed go.
    fn begin_early(&mut self, mut first: usize, n_called: usize) -> usize {
        let before = |way: &Way, n: usize| last_state(&way.start, &way.steps[..n]).clone();
        while first > n_called && self.steps.len() > self.n_called {
            let last = self.steps.len() - 1;
            if self.steps[first - 1] != self.steps[last] || before(self, first - 1) != before(self, last) {
                break;
            }
            self.steps.pop();
            first -= 1;
        }
        first
    }
}

impl<G: Graph<W>, const W: usize> Builder<'_, G, W> {
    /// The way to the head and the steps of the cycle, and how many there are before it.
    fn lasso(&mut self, cycle: &[Round], max_steps: usize) -> Result<(Way, usize), Failure> {
        let mut way = self.way(cycle[0].from)?;
        let (first, n_called) = (way.steps.len(), way.n_called);
        let mut n_left = max_steps as u128;
        for edge in cycle {
            let n_before = way.steps.len();
            self.round(edge, &mut way)?;
            for step in &way.steps[n_before..] {
                n_left = n_left.checked_sub(self.length(step)).ok_or(Failure::TooLong)?;
            }
        }
        let first = way.begin_early(first, n_called);
        Ok((way, first))
    }

    /// Takes one edge of the graph.
    fn round(&mut self, round: &Round, way: &mut Way) -> Result<(), Failure> {
        let Round { from, to, ref how } = *round;
        let module = self.module(from)?;
        let before = last_state(&way.start, &way.steps).clone();
        let number = match *how {
            How::Exit(exit) => {
                let here = Run { module, start: before, steps: Vec::new() };
                way.steps.extend(self.follow(here, Move::Summary(from, exit, to))?.steps);
                return Ok(());
            }
            How::Block(number) => number,
        };
        let block = &self.program().blocks[number as usize];
        if let Kind::Call { .. } = block.kind {
            let digits = self.call_digits(from, number, to)?.expect("an edge of the graph is a call");
            let after = self.called(from, number, &digits, &before)?;
            way.call(block.path[0], after);
        } else if let Some(start) = self.block((from, number, to), module, &before, &mut way.steps)? {
            // The locals that nobody sets belong to the call.
            way.steps.last_mut().expect("a cycle does not begin before the entry").after = start;
        }
        Ok(())
    }
}

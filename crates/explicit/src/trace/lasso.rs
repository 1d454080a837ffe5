//! From a fair edge within a component to a lasso.
//!
//! The shortest way back over the edges closes the cycle. A summary in it is a finished call; calls that are left make the stack grow
//! with each round.

use super::build::{Builder, Failure, Move, Way, last_state};
use crate::cycle::Edge;
use crate::program::Kind;
use crate::search::{Halt, Search};
use crate::table::{FAIR, NONE};
use rsm::trace::{End, Run, Trace};
use rsm::{ModuleId, Rsm};
use std::collections::VecDeque;

impl<const W: usize> Search<'_, W> {
    /// The infinite run through an edge of a component, if neither the way to the cycle nor the cycle is longer than allowed.
    pub(crate) fn lasso(&self, rsm: &Rsm, edge: Edge, max_steps: usize) -> Result<Option<Trace>, Halt> {
        let mut builder = Builder::new(self, rsm, max_steps);
        match builder.lasso(&self.cycle_through(edge), max_steps) {
            Ok((way, first)) => Ok(Some(builder.written(way, End::Cycle { first }))),
            Err(Failure::TooLong) => Ok(None),
            Err(Failure::Halt(halt)) => Err(halt),
        }
    }

    /// The edge, and the fewest edges that lead back to its start.
    fn cycle_through(&self, edge: Edge) -> Vec<Edge> {
        let (target, start) = (edge.0, edge.1 & !FAIR);
        let mut leaving: Vec<u32> = (0..self.log.edges.len() as u32).collect();
        leaving.sort_unstable_by_key(|n| self.log.edges[*n as usize].0);
        let mut before = vec![NONE; self.states.records.len()];
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front().filter(|state| *state != target) {
            let first = leaving.partition_point(|n| self.log.edges[*n as usize].0 < state);
            for &n in leaving[first..].iter().take_while(|n| self.log.edges[**n as usize].0 == state) {
                let to = self.log.edges[n as usize].1 & !FAIR;
                if to != start && before[to as usize] == NONE {
                    before[to as usize] = n;
                    queue.push_back(to);
                }
            }
        }
        let mut cycle = Vec::new();
        let mut at = target;
        while at != start {
            let edge = self.log.edges[before[at as usize] as usize];
            cycle.push(edge);
            at = edge.0;
        }
        cycle.push(edge);
        cycle.reverse();
        // The head is a state of the program, not the one in which locals get their values.
        let is_real = |edge: &Edge| {
            self.program.points[self.states.records[edge.0 as usize].point() as usize].node.is_some()
        };
        let head = cycle.iter().position(is_real).unwrap_or(0);
        cycle.rotate_left(head);
        cycle
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

impl<const W: usize> Builder<'_, '_, W> {
    /// The way to the head and the steps of the cycle, and how many there are before it.
    fn lasso(&mut self, cycle: &[Edge], max_steps: usize) -> Result<(Way, usize), Failure> {
        let mut way = self.way(cycle[0].0)?;
        let (first, n_called) = (way.steps.len(), way.n_called);
        let mut n_left = max_steps as u128;
        for edge in cycle {
            let n_before = way.steps.len();
            self.round(*edge, &mut way)?;
            for step in &way.steps[n_before..] {
                n_left = n_left.checked_sub(self.length(step)).ok_or(Failure::TooLong)?;
            }
        }
        let first = way.begin_early(first, n_called);
        Ok((way, first))
    }

    /// Takes one edge of the graph.
    fn round(&mut self, (from, to, how): Edge, way: &mut Way) -> Result<(), Failure> {
        let (search, to) = (self.search, to & !FAIR);
        let module =
            ModuleId(search.program.points[search.states.records[from as usize].point() as usize].module);
        let before = last_state(&way.start, &way.steps).clone();
        if how & FAIR != 0 {
            let here = Run { module, start: before, steps: Vec::new() };
            way.steps.extend(self.follow(here, Move::Summary(from, how & !FAIR, to))?.steps);
            return Ok(());
        }
        let block = &search.program.blocks[how as usize];
        if let Kind::Call { .. } = block.kind {
            let entry = search.states.records[to as usize].entry();
            let digits = self.call_digits(from, how, entry)?.expect("an edge of the graph is a call");
            let after = self.called(from, how, &digits, &before);
            way.call(block.path[0], after);
        } else if let Some(start) = self.block((from, how, to), module, &before, &mut way.steps)? {
            // The locals that nobody sets belong to the call.
            way.steps.last_mut().expect("a cycle does not begin before the entry").after = start;
        }
        Ok(())
    }
}

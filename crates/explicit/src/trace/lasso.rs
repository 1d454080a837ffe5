//! From a fair edge within a component to a lasso.
//!
//! The shortest way back over the edges closes the cycle. A summary in it is replaced by the call, the run of the exit
//! and the return; calls that are left make the stack grow with each round.

use super::build::{Builder, Failure, Move};
use crate::cycle::Edge;
use crate::program::Kind;
use crate::search::{Halt, Search};
use crate::table::{FAIR, NONE};
use rsm::lasso::{Lasso, Moment};
use rsm::nested::{Run, State, Trace, flatten};
use rsm::{ModuleId, Rsm};
use std::collections::VecDeque;

impl<const W: usize> Search<'_, W> {
    /// The lasso through an edge of a component, if it is not longer than allowed.
    pub(crate) fn lasso(&self, rsm: &Rsm, edge: Edge, max_steps: usize) -> Result<Option<Lasso>, Halt> {
        let mut builder = Builder::new(self, rsm, max_steps);
        match builder.lasso(&self.cycle_through(edge), max_steps) {
            Ok(lasso) => Ok(Some(lasso)),
            Err(Failure::TooLong) => Ok(None),
            Err(Failure::Halt(halt)) => Err(halt),
        }
    }

    /// The edge, and the fewest edges that lead back to its start.
    fn cycle_through(&self, edge: Edge) -> Vec<Edge> {
        let (target, start) = (edge.0, edge.1 & !FAIR);
        let mut leaving: Vec<u32> = (0..self.log.edges.len() as u32).collect();
        leaving.sort_unstable_by_key(|n| self.log.edges[*n as usize].0);
        let mut before = vec![NONE; self.records.len()];
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
        let is_real =
            |edge: &Edge| self.program.points[self.records[edge.0 as usize].point() as usize].node.is_some();
        let head = cycle.iter().position(is_real).unwrap_or(0);
        cycle.rotate_left(head);
        cycle
    }
}

impl<const W: usize> Builder<'_, '_, W> {
    fn lasso(&mut self, cycle: &[Edge], max_steps: usize) -> Result<Lasso, Failure> {
        let head = cycle[0].0;
        let open = self.way(head)?;
        let stem = Trace { runs: std::mem::take(&mut self.runs), open, goal: None };
        let start = stem.start(self.rsm);
        let mut steps = stem.moments(self.rsm, max_steps).ok_or(Failure::TooLong)?;
        let last = &stem.runs[*stem.open.last().expect("some function runs")];
        let mut state = last.steps.last().map_or(&last.start, |step| &step.after).clone();
        // The runs of the stem stay known by their numbers.
        self.runs = stem.runs;
        let n_stem = steps.len();
        for edge in cycle {
            state = self.round(*edge, state, &mut steps, max_steps)?;
            if steps.len() > max_steps {
                return Err(Failure::TooLong);
            }
        }
        Ok(Lasso { start, steps, head: n_stem })
    }

    /// Takes one edge of the graph; the state on top afterwards.
    fn round(
        &mut self,
        (from, to, how): Edge,
        state: State,
        steps: &mut Vec<Moment>,
        max_steps: usize,
    ) -> Result<State, Failure> {
        let (search, to) = (self.search, to & !FAIR);
        let module = ModuleId(search.program.points[search.records[from as usize].point() as usize].module);
        if how & FAIR != 0 {
            return self.summary(Move::Summary(from, how & !FAIR, to), (module, state), steps, max_steps);
        }
        let block = &search.program.blocks[how as usize];
        if let Kind::Call { .. } = block.kind {
            let entry = search.records[to as usize].entry();
            let digits = self.call_digits(from, how, entry)?.expect("an edge of the graph is a call");
            let start = self.called(from, how, &digits, &state);
            steps.push(moment(block.path[0], &start));
            return Ok(start);
        }
        let mut taken = Vec::new();
        if let Some(start) = self.block((from, how, to), module, &state, &mut taken)? {
            // The locals that nobody sets belong to the call.
            match steps.last_mut() {
                Some(last) => last.locals.clone_from(&start.locals),
                None => unreachable!("a cycle does not begin before the entry"),
            }
            return Ok(start);
        }
        steps.extend(taken.iter().map(|step| moment(step.edge, &step.after)));
        Ok(taken.pop().expect("a block has steps").after)
    }

    fn summary(
        &mut self,
        by: Move,
        (module, state): (ModuleId, State),
        steps: &mut Vec<Moment>,
        max_steps: usize,
    ) -> Result<State, Failure> {
        let run = Run { module, start: state, steps: Vec::new(), open_call: None };
        let mut run = self.follow(run, by)?;
        if self.length(&run) > (max_steps - steps.len().min(max_steps)) as u128 {
            return Err(Failure::TooLong);
        }
        flatten(self.rsm, &self.runs, &run, steps);
        Ok(run.steps.pop().expect("a summary is a step").after)
    }
}

fn moment(edge: rsm::EdgeId, state: &State) -> Moment {
    Moment { edge, globals: state.globals.clone(), locals: state.locals.clone() }
}

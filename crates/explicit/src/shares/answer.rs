//! What the shares have found, as an answer: cycles in all their edges, and runs.
//!
//! Both are the business of the first process: it is handed the edges of the others, and asks them for the states of the run.

use super::apart::{Apart, serve};
use super::{Cycle, Gathered, Shares};
use crate::cycle::{Edge, due_after, fair_edge};
use crate::peers::{Reader, Writer};
use crate::search::{Halt, Search};
use crate::table::{FAIR, Full};
use crate::trace::{Edges, lasso, trace};
use crate::{Answer, Question, Stopped};
use rsm::trace::Trace;
use rsm::{Goal, Rsm};

/// The edges of a share as it has written them down.
struct Logged {
    n_states: u32,
    edges: Vec<Edge>,
    /// For each the shares of its start and of its exit.
    shares: Vec<[u8; 2]>,
}

impl<const W: usize> Shares<'_, W> {
    /// Looks for a cycle; everybody knows then whether there is one.
    pub(super) fn check_cycles(&mut self) -> Result<(), Halt> {
        self.n_checks += 1;
        self.due = due_after(usize::try_from(self.all.states).unwrap_or(usize::MAX)) as u64;
        let own = self.team.own();
        let to_first = |process| if process == 0 && own != 0 { log_text(&self.shares) } else { Vec::new() };
        let heard = self.team.exchange(to_first)?;
        if own == 0 {
            let mut logs: Vec<Logged> = self.shares.iter().map(Logged::of).collect();
            for (process, text) in (0..).zip(&heard).skip(1) {
                let mut reader = Reader(text);
                for _ in self.team.here() {
                    logs.push(Logged::read(&mut reader).ok_or(Stopped::Lost(process))?);
                }
            }
            let gathered = gather(&logs)?;
            let n_states = gathered.firsts.last().map_or(0, |n| *n as usize);
            let edge = fair_edge(n_states, &gathered.edges);
            self.cycle = edge.map(|edge| Cycle::Here(edge, gathered));
        }
        let is_there = u8::from(self.cycle.is_some());
        let heard = self.team.exchange(|_| vec![is_there])?;
        if own != 0 && heard[0] == [1] {
            self.cycle = Some(Cycle::Elsewhere);
        }
        Ok(())
    }

    /// The answer, once the search is over. The run is that of the first process; the others help it and know none.
    pub(crate) fn answer(&self, rsm: &Rsm, goals: &[Goal], max_steps: usize) -> Result<Answer, Halt> {
        let found = self.all.found.iter().zip(goals).find_map(|(at, goal)| Some(((*at)?, *goal)));
        let is_infinite = self.cycle.is_some();
        let Some(goal) = found.map(|(_, goal)| goal).filter(|_| self.question == Question::Any) else {
            let run =
                if is_infinite { self.run_by(|graph| self.round_trip(graph, rsm, max_steps))? } else { None };
            return Ok(if is_infinite { Answer::Infinite(run.map(Box::new)) } else { Answer::No });
        };
        let at = found.map(|(at, _)| at);
        let run = self.run_by(|graph| match at {
            Some(at) => trace(graph, rsm, at, goal, max_steps),
            None => Ok(None),
        })?;
        Ok(Answer::Reached(goal, run.map(Box::new)))
    }

    /// Has a run made in the first process, with the help of the others.
    fn run_by(
        &self,
        make: impl FnOnce(&Apart<'_, '_, W>) -> Result<Option<Trace>, Halt>,
    ) -> Result<Option<Trace>, Halt> {
        if self.team.own() != 0 {
            serve(&self.shares, self.team)?;
            return Ok(None);
        }
        let graph = Apart::new(&self.shares, self.team);
        let run = make(&graph).map_err(Stopped::from);
        graph.finish(run.as_ref().err().copied())?;
        Ok(run?)
    }

    /// The run round the cycle.
    fn round_trip(
        &self,
        graph: &Apart<'_, '_, W>,
        rsm: &Rsm,
        max_steps: usize,
    ) -> Result<Option<Trace>, Halt> {
        match &self.cycle {
            Some(Cycle::Here(edge, Gathered { edges, firsts })) => {
                lasso(graph, rsm, &Edges { edges, firsts }, *edge, max_steps)
            }
            _ => Ok(None),
        }
    }
}

impl Logged {
    fn of<const W: usize>(share: &Search<'_, W>) -> Self {
        let shares = match share.log.shares.is_empty() {
            true => vec![[share.share.number; 2]; share.log.edges.len()],
            false => share.log.shares.clone(),
        };
        Self { n_states: share.states.records.len() as u32, edges: share.log.edges.clone(), shares }
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (n_states, n) = (reader.word()?, reader.word()?);
        let (mut edges, mut shares) = (Vec::new(), Vec::new());
        for _ in 0..n {
            edges.push((reader.word()?, reader.word()?, reader.word()?));
            shares.push([reader.byte()?, reader.byte()?]);
        }
        Some(Self { n_states, edges, shares })
    }
}

/// The edges of shares, written down.
fn log_text<const W: usize>(shares: &[Search<'_, W>]) -> Vec<u8> {
    let mut writer = Writer::default();
    for Logged { n_states, edges, shares } in shares.iter().map(Logged::of) {
        writer.word(n_states);
        writer.word(edges.len() as u32);
        for ((from, to, how), share) in edges.into_iter().zip(shares) {
            [from, to, how].into_iter().for_each(|n| writer.word(n));
            share.into_iter().for_each(|share| writer.byte(share));
        }
    }
    writer.0
}

/// Brings the edges of all shares together.
fn gather(logs: &[Logged]) -> Result<Gathered, Full> {
    let mut firsts = vec![0u32];
    for log in logs {
        let next = firsts[firsts.len() - 1].checked_add(log.n_states);
        firsts.push(next.filter(|next| *next < FAIR).ok_or(Full)?);
    }
    let mut edges = Vec::with_capacity(logs.iter().map(|log| log.edges.len()).sum());
    for (own, log) in firsts.iter().zip(logs) {
        for (&(from, to, how), shares) in log.edges.iter().zip(&log.shares) {
            let [start, exit] = shares.map(|share| firsts[usize::from(share)]);
            let how = if how & FAIR == 0 { how } else { exit + how };
            edges.push((start + from, own + to, how));
        }
    }
    Ok(Gathered { edges, firsts })
}

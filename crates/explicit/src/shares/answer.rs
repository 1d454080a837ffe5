//! What the shares have found, as an answer: cycles in all their edges, and runs.
//!
//! Both are the business of the first process: it is handed the edges of the others, and asks them for the states of the run.

use super::apart::{Apart, serve};
use super::{Cycle, Gathered, Part, Shares, code, stopped};
use crate::cycle::{Edge, due_after, fair_edge};
use crate::peers::{Reader, Writer};
use crate::search::{Halt, Search};
use crate::table::{FAIR, Full};
use crate::trace::{Edges, lasso, trace};
use crate::{Answer, Limits, Question, Stopped};
use rsm::trace::Trace;
use rsm::{Goal, Rsm};
use std::borrow::Cow;

/// The edges of a share as it has written them down.
struct Logged<'s> {
    n_states: u32,
    edges: Cow<'s, [Edge]>,
    /// For each the shares of its start and of its exit.
    shares: Cow<'s, [[u8; 2]]>,
}

/// Bytes of an edge in a message; and where all are brought together, what it takes to look for a cycle included.
const TOLD: u64 = 14;
const GATHERED: u64 = 16;

/// Bytes of a state where cycles are looked for.
const CHECKED: u64 = 28;

/// What the first process says once it has looked; what is larger is why it could not.
const NONE: u8 = 0;
const FOUND: u8 = 1;

impl<const W: usize> Shares<'_, W> {
    /// Looks for a cycle; everybody knows then whether there is one. Who has no room for the edges says so, and all stop.
    pub(super) fn check_cycles(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        self.n_checks += 1;
        self.due = due_after(usize::try_from(self.all.progress.states).unwrap_or(usize::MAX)) as u64;
        let team = self.rounds.team;
        let own = team.own();
        let text = match own {
            0 => Ok(Vec::new()),
            _ => self.room_for(TOLD * self.n_edges_here(), limits).map(|()| log_text(&self.rounds.shares)),
        };
        let (is_told, text) = (text.is_ok(), text.unwrap_or_default());
        let first = [&[u8::from(is_told)][..], &text].concat();
        drop(text);
        let others = vec![u8::from(is_told)];
        let told = std::iter::once(first).chain((1..team.n_processes()).map(|_| others.clone()));
        let heard = team.hand_over(told.collect())?;
        if heard.iter().any(|told| told.first() != Some(&1)) {
            return Err(Stopped::Memory);
        }
        let found = match own {
            0 => team.unheard(limits, |limits| self.cycle_in(&heard, limits)),
            _ => Ok(None),
        };
        let said = match &found {
            Ok(None) => NONE,
            Ok(Some(_)) => FOUND,
            Err(why) => FOUND + code(*why),
        };
        let heard = team.hand_over(vec![vec![said]; usize::from(team.n_processes())])?;
        self.cycle = match (found?, heard[0].first()) {
            (Some((edge, gathered)), _) => Some(Cycle::Here(edge, gathered)),
            (None, Some(&FOUND)) => Some(Cycle::Elsewhere),
            (None, Some(&NONE)) => None,
            (None, other) => {
                let why = other.and_then(|code| stopped(code - FOUND));
                return Err(why.unwrap_or(Stopped::Lost(0)));
            }
        };
        Ok(())
    }

    fn n_edges_here(&self) -> u64 {
        self.rounds.shares.iter().map(|share| share.log.edges.len() as u64).sum()
    }

    /// So many bytes more are within the limits.
    fn room_for(&self, bytes: u64, limits: &Limits<'_>) -> Result<(), Stopped> {
        let used: u64 = self.rounds.shares.iter().map(Part::bytes).sum();
        if used + bytes <= limits.bytes() { Ok(()) } else { Err(Stopped::Memory) }
    }

    /// A cycle in the edges of all, if there is one.
    fn cycle_in(&self, heard: &[Vec<u8>], limits: &Limits<'_>) -> Result<Option<(Edge, Gathered)>, Stopped> {
        let texts: u64 = heard.iter().map(|text| text.len() as u64).sum();
        let n_edges = self.n_edges_here() + texts / TOLD;
        let needed = texts + n_edges * (TOLD + GATHERED) + self.all.progress.states * CHECKED;
        self.room_for(needed, limits)?;
        let mut logs: Vec<Logged<'_>> = self.rounds.shares.iter().map(Logged::of).collect();
        for (process, text) in (0..).zip(heard).skip(1) {
            let mut reader = Reader(&text[1..]);
            for _ in self.rounds.team.here() {
                logs.push(Logged::read(&mut reader).ok_or(Stopped::Lost(process))?);
            }
        }
        let gathered = gather(&logs).map_err(|Full| Stopped::Memory)?;
        let n_states = gathered.firsts.last().map_or(0, |n| *n as usize);
        let found = fair_edge(n_states, &gathered.edges, limits.stop)?;
        Ok(found.map(|edge| (edge, gathered)))
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
        let (shares, team) = (&self.rounds.shares, self.rounds.team);
        if team.own() != 0 {
            serve(shares, team)?;
            return Ok(None);
        }
        let graph = Apart::new(shares, team);
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

impl<'s> Logged<'s> {
    fn of<const W: usize>(share: &'s Search<'_, W>) -> Self {
        let n_states = share.states.records.len() as u32;
        Self { n_states, edges: Cow::from(&share.log.edges), shares: Cow::from(&share.log.shares) }
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (n_states, n) = (reader.word()?, reader.word()?);
        let (mut edges, mut shares) = (Vec::new(), Vec::new());
        for _ in 0..n {
            edges.push((reader.word()?, reader.word()?, reader.word()?));
            shares.push([reader.byte()?, reader.byte()?]);
        }
        Some(Self { n_states, edges: edges.into(), shares: shares.into() })
    }
}

/// The edges of shares, written down.
fn log_text<const W: usize>(shares: &[Search<'_, W>]) -> Vec<u8> {
    let mut writer = Writer::default();
    for Logged { n_states, edges, shares } in shares.iter().map(Logged::of) {
        writer.word(n_states);
        writer.word(edges.len() as u32);
        for ((from, to, how), share) in edges.iter().zip(shares.iter()) {
            [*from, *to, *how].into_iter().for_each(|n| writer.word(n));
            share.iter().for_each(|share| writer.byte(*share));
        }
    }
    writer.0
}

/// Brings the edges of all shares together.
fn gather(logs: &[Logged<'_>]) -> Result<Gathered, Full> {
    let mut firsts = vec![0u32];
    for log in logs {
        let next = firsts[firsts.len() - 1].checked_add(log.n_states);
        firsts.push(next.filter(|next| *next < FAIR).ok_or(Full)?);
    }
    let mut edges = Vec::with_capacity(logs.iter().map(|log| log.edges.len()).sum());
    for (own, log) in firsts.iter().zip(logs) {
        for (&(from, to, how), shares) in log.edges.iter().zip(log.shares.iter()) {
            let [start, exit] = shares.map(|share| firsts[usize::from(share)]);
            let how = if how & FAIR == 0 { how } else { exit + how };
            edges.push((start + from, own + to, how));
        }
    }
    Ok(Gathered { edges, firsts })
}

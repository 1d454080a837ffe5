//! What the shares have found, brought to the first process: edges, in which it looks for cycles, and the configurations of a run.
//!
//! Contract: when edges are gathered everybody but the first process serves, telling the configurations that it asks for, until it has finished; it says
//! then what came out, so that all go on, or end, alike. Who has no room says so, and all stop.

use super::super::super::mail::{Garbled, Letter, Told as Heard, Words};
use super::super::fair::{Part as Members, judge};
use super::super::fill::Filling;
use super::super::graph::Graph;
use super::super::{Answer, Wanted, lasso};
use super::share::{Edge, Share};
use super::{Shares, mail};
use crate::cycle::Going;
use crate::peers::{Reader, Writer};
use crate::search::Share as Part;
use crate::shares::{Letters, Part as _, SharedBy, code, stopped};
use crate::{Limits, Stopped};
use base::{Adjacency, Components, Stop};
use rsm::interleave::Scheduler;
use rsm::observe::Marks;
use rsm::trace::Trace;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;

/// All edges; configurations are numbered one share behind the other.
struct Gathered {
    /// The number of the first configuration of each share, and that of all.
    firsts: Vec<u32>,
    starts: Vec<u32>,
    edges: Vec<(u32, u32, Marks)>,
    /// For each configuration the edges that leave it.
    leaving: Adjacency,
}

/// Bytes of an edge in a message; and where all are brought together.
const TOLD: u64 = 11;
const GATHERED: u64 = 16;

/// Bytes of a configuration where cycles are looked for.
const CHECKED: u64 = 36;

/// What the first process says.
const ASKS: u8 = 0;
const FINISHES: u8 = 1;

/// What came out; what is larger is why nothing did.
const NOTHING: u8 = 0;
const FOUND: u8 = 1;

/// Who tells or hears what is asked for, each time from the beginning.
const LONE: Part = Part { number: 0, of: 1, by: SharedBy::Configuration };

/// So many configurations are asked for at once.
const AT_ONCE: usize = 1 << 14;

/// A graph of the configurations that were brought, by their numbers among all.
struct Brought<'a, 'g> {
    gathered: &'g Gathered,
    graph: Graph<'a>,
    starts: Vec<u32>,
    known: FxHashMap<u32, u32>,
}

impl Brought<'_, '_> {
    /// Configurations that a share tells.
    fn keep(&mut self, share: u8, letter: &Letter, numbers: &[u32]) -> Result<(), Stopped> {
        let (mut outbox, mut words, mut heard) =
            (mail(&self.graph, LONE), Words::of(letter), Heard::default());
        for number in numbers {
            let is_told = outbox.read(0, &mut words, &mut self.graph.table, &mut heard);
            let state = heard.beside[1];
            let position = match is_told {
                Ok(true) => self.graph.arrive(&mut heard, state),
                Ok(false) | Err(Garbled) => None,
            };
            self.known.insert(*number, position.ok_or(Stopped::Lost(share))?.0);
        }
        Ok(())
    }

    /// For each configuration whether it was brought.
    fn met(&self) -> Vec<u32> {
        let mut met = vec![0; self.graph.store.len()];
        self.known.values().for_each(|position| met[*position as usize] = 1);
        met
    }

    fn of(&self, numbers: &[u32]) -> Vec<u32> {
        numbers.iter().map(|number| self.known[number]).collect()
    }
}

impl<'a> Shares<'a, '_> {
    /// A cycle as it is asked for among the edges so far, if there is one; a run round it in the first process, if it is wanted.
    pub(super) fn cycle(&mut self, limits: &Limits<'_>) -> Result<Option<Option<Trace>>, Stopped> {
        let Wanted::Run(scheduler) = self.asked.wanted else { return Ok(None) };
        self.in_first(limits, |shares, gathered| shares.cycle_in(gathered, scheduler, limits))
    }

    /// The answer where the observer is in a target state.
    pub(super) fn run_to(&mut self, hit: (u8, u32), limits: &Limits<'_>) -> Result<Answer, Stopped> {
        if limits.max_steps == 0 {
            return Ok(Answer::Yes(None));
        }
        let told = self.in_first(limits, |shares, gathered| {
            let first = gathered.firsts.get(usize::from(hit.0)).ok_or(Stopped::Lost(0))?;
            shares.run_in(gathered, first + hit.1, limits).map(Some)
        })?;
        Ok(Answer::Yes(told.flatten().map(Box::new)))
    }

    /// Brings the edges of all to the first process and lets it do something with them, while the others serve. Says what came out; what exactly the first process alone.
    fn in_first<T>(
        &mut self,
        limits: &Limits<'_>,
        work: impl FnOnce(&mut Self, &Gathered) -> Result<Option<Option<T>>, Stopped>,
    ) -> Result<Option<Option<T>>, Stopped> {
        let team = self.rounds.team;
        let own = team.own();
        let n_edges: u64 = self.rounds.shares.iter().map(|share| share.edges.len() as u64).sum();
        let told = match own {
            0 => Ok(Vec::new()),
            _ => self.room_for(TOLD * n_edges, limits).map(|()| edges_text(&self.rounds.shares)),
        };
        let is_told = u8::from(told.is_ok());
        let mut all = vec![vec![is_told]; usize::from(team.n_processes())];
        all[0].extend(told.unwrap_or_default());
        let heard = team.hand_over(all)?;
        if heard.iter().any(|told| told.first() != Some(&1)) {
            return Err(Stopped::Memory);
        }
        if own != 0 {
            return self.serve();
        }
        let gathered = self.gathered(n_edges, &heard, limits);
        drop(heard);
        let worked = gathered.and_then(|gathered| work(self, &gathered));
        let said = match &worked {
            Ok(None) => NOTHING,
            Ok(Some(_)) => FOUND,
            Err(why) => FOUND + code(*why),
        };
        team.hand_over(vec![vec![FINISHES, said]; usize::from(team.n_processes())])?;
        worked
    }

    /// So many bytes more are within the limits.
    fn room_for(&self, bytes: u64, limits: &Limits<'_>) -> Result<(), Stopped> {
        let used: u64 = self.rounds.shares.iter().map(Share::bytes).sum();
        if used + bytes <= limits.bytes() { Ok(()) } else { Err(Stopped::Memory) }
    }

    fn gathered(&self, n_here: u64, heard: &[Vec<u8>], limits: &Limits<'_>) -> Result<Gathered, Stopped> {
        let texts: u64 = heard.iter().map(|text| text.len() as u64).sum();
        let needed = (n_here + texts / TOLD) * GATHERED + self.all.progress.states * CHECKED;
        self.room_for(texts + needed, limits)?;
        let leaving = Adjacency::new(0, std::iter::empty());
        let mut gathered = Gathered { firsts: vec![0], starts: Vec::new(), edges: Vec::new(), leaving };
        for share in &self.rounds.shares {
            gathered.states(share.n_states(), share.n_starts())?;
        }
        for (process, text) in (0..).zip(heard).skip(1) {
            for (n_states, n_starts, _) in pieces(&text[1..]).ok_or(Stopped::Lost(process))? {
                gathered.states(n_states, n_starts)?;
            }
        }
        for (share, here) in self.rounds.shares.iter().enumerate() {
            here.edges.iter().try_for_each(|edge| gathered.edge(share, *edge))?;
        }
        let mut share = self.rounds.shares.len();
        for (process, text) in (0..).zip(heard).skip(1) {
            for (_, _, edges) in pieces(&text[1..]).ok_or(Stopped::Lost(process))? {
                let mut reader = Reader(edges);
                while let Some(edge) = read_edge(&mut reader) {
                    gathered.edge(share, edge)?;
                }
                share += 1;
            }
        }
        let n_states = gathered.n_states() as usize;
        let sources = gathered.edges.iter().zip(0u32..).map(|(edge, n)| (edge.0, n));
        gathered.leaving = Adjacency::new(n_states, sources);
        Ok(gathered)
    }

    /// A component, or a part of one, that can be passed again and again, and a run round it.
    fn cycle_in(
        &mut self,
        gathered: &Gathered,
        scheduler: Scheduler,
        limits: &Limits<'_>,
    ) -> Result<Option<Option<Trace>>, Stopped> {
        let all_marks = self.asked.observer.all_marks();
        let only_first = scheduler == Scheduler::Any;
        let candidates = self
            .rounds
            .team
            .unheard(limits, |limits| gathered.candidates(all_marks, only_first, limits.stop))?;
        for component in candidates {
            let mut brought = self.nothing_brought(gathered, limits)?;
            let part = match scheduler {
                Scheduler::Any => {
                    let walk = gathered.walk(&component, all_marks, limits.stop)?;
                    self.bring(&mut brought, &walk, limits)?;
                    Some(Members { members: brought.of(&walk) })
                }
                _ => {
                    self.bring(&mut brought, &component, limits)?;
                    let members = brought.of(&component);
                    judge(&mut brought.graph, scheduler, members, None, limits)?
                }
            };
            let Some(part) = part else { continue };
            if limits.max_steps == 0 {
                return Ok(Some(None));
            }
            let members: FxHashSet<u32> = part.members.iter().copied().collect();
            let is_member =
                |number: u32| brought.known.get(&number).is_some_and(|position| members.contains(position));
            let stem = gathered.way_to(is_member, limits.stop)?;
            self.bring(&mut brought, &stem, limits)?;
            return match round_trip(&mut brought, &part, scheduler, limits) {
                // There is one, whether or not it can be written down.
                Err(Stopped::Untaken) => Ok(Some(None)),
                run => run.map(Some),
            };
        }
        Ok(None)
    }

    /// A run to a configuration.
    fn run_in(
        &mut self,
        gathered: &Gathered,
        hit: u32,
        limits: &Limits<'_>,
    ) -> Result<Option<Trace>, Stopped> {
        let mut brought = self.nothing_brought(gathered, limits)?;
        let stem = gathered.way_to(|number| number == hit, limits.stop)?;
        self.bring(&mut brought, &stem, limits)?;
        let goals = [*brought.known.get(&hit).ok_or(Stopped::Lost(0))?].into_iter().collect();
        let met = brought.met();
        let graph = &mut brought.graph;
        let (start, stem) = lasso::way_to(graph, &brought.starts, &met, &goals, limits)?;
        Ok(Filling::new(graph, start, limits).and_then(|filling| filling.finite(&stem)).ok())
    }

    fn nothing_brought<'g>(
        &self,
        gathered: &'g Gathered,
        limits: &Limits<'_>,
    ) -> Result<Brought<'a, 'g>, Stopped> {
        let mut graph = self.asked.graph();
        let starts = graph.initial(limits)?;
        Ok(Brought { gathered, graph, starts, known: FxHashMap::default() })
    }

    /// Brings configurations here that are not, by their numbers among all.
    fn bring(
        &mut self,
        brought: &mut Brought<'_, '_>,
        wanted: &[u32],
        limits: &Limits<'_>,
    ) -> Result<(), Stopped> {
        let missing: Vec<u32> =
            wanted.iter().copied().filter(|number| !brought.known.contains_key(number)).collect();
        for numbers in missing.chunks(AT_ONCE) {
            self.bring_some(brought, numbers)?;
            self.room_for(brought.graph.figures(0).bytes, limits)?;
            limits.look(|| brought.graph.figures(0))?;
        }
        Ok(())
    }

    fn bring_some(&mut self, brought: &mut Brought<'_, '_>, numbers: &[u32]) -> Result<(), Stopped> {
        let team = self.rounds.team;
        let firsts = &brought.gathered.firsts;
        let mut asked: Vec<Vec<u32>> = vec![Vec::new(); usize::from(team.n_shares())];
        for number in numbers {
            let share = firsts.partition_point(|first| first <= number) - 1;
            asked[share].push(*number);
        }
        let positions = |share: usize| asked[share].iter().map(move |number| number - firsts[share]);
        let told = (0..team.n_processes()).map(|process| {
            let mut writer = Writer(vec![ASKS]);
            for share in team.of(process) {
                writer.word(asked[usize::from(share)].len() as u32);
                positions(usize::from(share)).for_each(|position| writer.word(position));
            }
            writer.0
        });
        let told = told.collect();
        team.hand_over(told)?;
        let heard = team.hand_over(vec![Vec::new(); usize::from(team.n_processes())])?;
        for process in 0..team.n_processes() {
            let mut reader = Reader(&heard[usize::from(process)]);
            for share in team.of(process) {
                let letter = match process {
                    0 => {
                        let positions: Vec<u32> = positions(usize::from(share)).collect();
                        self.rounds.shares[usize::from(share)].tell(&positions)
                    }
                    _ => Letter::read(&mut reader).ok_or(Stopped::Lost(process))?,
                };
                brought.keep(share, &letter, &asked[usize::from(share)])?;
            }
        }
        Ok(())
    }

    /// Tells the first process what it asks for, until it has finished.
    fn serve<T>(&mut self) -> Result<Option<Option<T>>, Stopped> {
        let team = self.rounds.team;
        loop {
            let heard = team.hand_over(vec![Vec::new(); usize::from(team.n_processes())])?;
            let mut reader = Reader(&heard[0]);
            match (reader.byte(), reader.0.first()) {
                (Some(FINISHES), Some(&NOTHING)) => return Ok(None),
                (Some(FINISHES), Some(&FOUND)) => return Ok(Some(None)),
                (Some(FINISHES), Some(code)) => {
                    return Err(stopped(code - FOUND).unwrap_or(Stopped::Lost(0)));
                }
                (Some(ASKS), _) => {}
                _ => return Err(Stopped::Lost(0)),
            }
            let mut writer = Writer::default();
            for share in &self.rounds.shares {
                let asked =
                    reader.word().and_then(|n| (0..n).map(|_| reader.word()).collect::<Option<Vec<u32>>>());
                let asked = asked.filter(|asked| asked.iter().all(|position| *position < share.n_states()));
                share.tell(&asked.ok_or(Stopped::Lost(0))?).write(&mut writer);
            }
            let mut told = vec![Vec::new(); usize::from(team.n_processes())];
            told[0] = writer.0;
            team.hand_over(told)?;
        }
    }
}

impl Share<'_> {
    /// Tells configurations to somebody who knows nothing of this share.
    fn tell(&self, positions: &[u32]) -> Letter {
        let mut outbox = mail(&self.graph, LONE);
        for position in positions {
            let numbers = self.graph.numbers(*position);
            let (threads, state) = numbers.split_at(self.graph.roles.len() + 1);
            outbox.send(0, &self.graph.table, threads, &[0, state[0], 0]);
        }
        outbox.take(0)
    }
}

/// A run round a part of a component.
fn round_trip(
    brought: &mut Brought<'_, '_>,
    part: &Members,
    scheduler: Scheduler,
    limits: &Limits<'_>,
) -> Result<Option<Trace>, Stopped> {
    let (met, graph) = (brought.met(), &mut brought.graph);
    let lasso = lasso::find(graph, &brought.starts, &met, part, scheduler, limits)?;
    let filling = Filling::new(graph, lasso.start, limits);
    Ok(filling.and_then(|filling| filling.lasso(&lasso, scheduler)).ok())
}

impl Gathered {
    fn n_states(&self) -> u32 {
        self.firsts[self.firsts.len() - 1]
    }

    /// The configurations of the next share.
    fn states(&mut self, n_states: u32, n_starts: u32) -> Result<(), Stopped> {
        let first = self.n_states();
        self.starts.extend(first..first + n_starts.min(n_states));
        self.firsts.push(first.checked_add(n_states).filter(|next| *next < u32::MAX).ok_or(Stopped::Memory)?);
        Ok(())
    }

    /// An edge that a share has written down.
    fn edge(&mut self, own: usize, Edge { from, to, share, marks }: Edge) -> Result<(), Stopped> {
        let number = |share: usize, position: u32| {
            let (first, next) = (self.firsts.get(share)?, self.firsts.get(share + 1)?);
            (position < next - first).then_some(first + position)
        };
        let ends = number(usize::from(share), from).zip(number(own, to));
        let (from, to) = ends.ok_or(Stopped::Lost(0))?;
        self.edges.push((from, to, marks));
        Ok(())
    }

    /// Components with a cycle and all marks; the first one, if that will do.
    fn candidates(&self, all_marks: Marks, only_first: bool, stop: &Stop) -> Result<Vec<Vec<u32>>, Stopped> {
        let going = Going::until(stop);
        let mut found = Vec::new();
        let mut all = Components::new(self.n_states() as usize);
        let target = |edge: &u32| Some(self.edges[*edge as usize].1);
        all.search(
            0..self.n_states(),
            |state| going.along(self.leaving.of(state)),
            target,
            |component| {
                if going.is_stopped() {
                    return ControlFlow::Break(());
                }
                let leaving = component.members.iter().flat_map(|state| self.leaving.of(*state));
                let inside =
                    leaving.map(|edge| self.edges[*edge as usize]).filter(|edge| component.contains(edge.1));
                let marks = inside.map(|edge| edge.2).reduce(|marks, more| marks | more);
                if marks != Some(all_marks) {
                    return ControlFlow::Continue(());
                }
                found.push(component.members.to_vec());
                if only_first { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        going.unless_stopped(found)
    }

    /// The configurations of a short way round in a component that passes all marks.
    fn walk(&self, component: &[u32], all_marks: Marks, stop: &Stop) -> Result<Vec<u32>, Stopped> {
        let going = Going::until(stop);
        let inside: FxHashSet<u32> = component.iter().copied().collect();
        let head = component[0];
        let (mut at, mut passed, mut walk) = (head, 0, vec![head]);
        let is_inside = |state: u32| inside.contains(&state);
        while passed != all_marks || at != head || walk.len() == 1 {
            let missing = all_marks & !passed;
            let way = self.shortest(&going, &[at], is_inside, |edge| match missing {
                0 => edge.1 == head,
                _ => edge.2 & missing != 0,
            });
            let Some(way) = way.filter(|way| !way.is_empty()) else { break };
            for edge in way {
                passed |= edge.2;
                at = edge.1;
                walk.push(at);
            }
        }
        walk.sort_unstable();
        walk.dedup();
        going.unless_stopped(walk)
    }

    /// The configurations of a shortest way from where runs start.
    fn way_to(&self, is_goal: impl Fn(u32) -> bool, stop: &Stop) -> Result<Vec<u32>, Stopped> {
        if let Some(start) = self.starts.iter().find(|start| is_goal(**start)) {
            return Ok(vec![*start]);
        }
        let going = Going::until(stop);
        let way = self.shortest(&going, &self.starts, |_| true, |edge| is_goal(edge.1)).unwrap_or_default();
        let states = way.first().map(|edge| edge.0).into_iter().chain(way.iter().map(|edge| edge.1));
        going.unless_stopped(states.collect())
    }

    /// The shortest way that ends with an edge that is wanted, through some configurations.
    fn shortest(
        &self,
        going: &Going<'_>,
        starts: &[u32],
        is_inside: impl Fn(u32) -> bool,
        is_wanted: impl Fn(&(u32, u32, Marks)) -> bool,
    ) -> Option<Vec<(u32, u32, Marks)>> {
        let mut before: FxHashMap<u32, Option<u32>> = starts.iter().map(|start| (*start, None)).collect();
        let mut queue: VecDeque<u32> = starts.iter().copied().collect();
        while let Some(state) = queue.pop_front() {
            for &n in going.along(self.leaving.of(state)) {
                let edge = self.edges[n as usize];
                if !is_inside(edge.1) {
                    continue;
                }
                if is_wanted(&edge) {
                    let (mut way, mut at) = (vec![edge], edge.0);
                    while let Some(n) = before[&at] {
                        let edge = self.edges[n as usize];
                        way.push(edge);
                        at = edge.0;
                    }
                    way.reverse();
                    return Some(way);
                }
                if let Entry::Vacant(entry) = before.entry(edge.1) {
                    entry.insert(Some(n));
                    queue.push_back(edge.1);
                }
            }
        }
        None
    }
}

/// What the shares of a process have looked at, written down.
fn edges_text(shares: &[Share<'_>]) -> Vec<u8> {
    let mut writer = Writer::default();
    for share in shares {
        [share.n_states(), share.n_starts(), share.edges.len() as u32]
            .into_iter()
            .for_each(|n| writer.word(n));
        for Edge { from, to, share, marks } in &share.edges {
            [*from, *to].into_iter().for_each(|n| writer.word(n));
            writer.byte(*share);
            marks.to_le_bytes().into_iter().for_each(|byte| writer.byte(byte));
        }
    }
    writer.0
}

fn read_edge(reader: &mut Reader<'_>) -> Option<Edge> {
    let (from, to, share) = (reader.word()?, reader.word()?, reader.byte()?);
    Some(Edge { from, to, share, marks: Marks::from_le_bytes([reader.byte()?, reader.byte()?]) })
}

/// For each share of a process how many configurations it has, in how many runs start, and its edges.
fn pieces(text: &[u8]) -> Option<Vec<(u32, u32, &[u8])>> {
    let (mut reader, mut pieces) = (Reader(text), Vec::new());
    while !reader.0.is_empty() {
        let (n_states, n_starts, n_edges) = (reader.word()?, reader.word()?, reader.word()?);
        let (edges, rest) = reader.0.split_at_checked(n_edges as usize * TOLD as usize)?;
        reader.0 = rest;
        pieces.push((n_states, n_starts, edges));
    }
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::StopReason;

    #[test]
    fn who_looks_for_components_and_ways_looks_at_the_flag() {
        let n = 1 << 14;
        let edges: Vec<(u32, u32, Marks)> = (0..n).map(|state| (state, (state + 1) % n, 1)).collect();
        let leaving = Adjacency::new(n as usize, (0..n).map(|state| (state, state)));
        let ring = Gathered { firsts: vec![0, n], starts: vec![0], edges, leaving };
        let stop = Stop::default();
        let component = ring.candidates(1, true, &stop).expect("nobody stops it").remove(0);
        assert_eq!(component.len(), n as usize);
        assert_eq!(ring.walk(&component, 1, &stop).map(|walk| walk.len()), Ok(n as usize));
        assert_eq!(ring.way_to(|state| state == n - 1, &stop).map(|way| way.len()), Ok(n as usize));
        stop.request(StopReason::Time);
        let stopped = Stopped::Requested(StopReason::Time);
        assert_eq!(ring.candidates(1, true, &stop), Err(stopped));
        assert_eq!(ring.walk(&component, 1, &stop), Err(stopped));
        assert_eq!(ring.way_to(|state| state == n - 1, &stop), Err(stopped));
    }
}

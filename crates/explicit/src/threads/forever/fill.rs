//! From moves of configurations to a run of the program.
//!
//! Every move is looked for again among the states that it passes, what does not matter left out; then it is taken forward in full by the
//! steps of `rsm::interleave`, with any value for what does not matter. The cycle is gone round until all threads are where they were,
//! and so are all values: then it can be gone round for ever. A thread goes to its first stop only when it first moves, unless
//! others could tell, or its schedule is to be fair.

use super::super::run::{seen, way_through};
use super::super::steps::MAX_OUTCOMES;
use super::super::summaries::Passage;
use super::graph::Graph;
use super::lasso::{Lasso, Taken, follow};
use super::table::{Kind, Local, Move, Sight, Table, Walk};
use crate::{Limits, Stopped};
use rsm::interleave::{Scheduler, ThreadId, ThreadState, World, is_free, mattering_successors};
use rsm::step::State;
use rsm::trace::{Recorder, Trace};
use rsm::{EdgeId, ModuleId, NodeId, Place};
use rustc_hash::{FxHashMap, FxHashSet};

/// So often a cycle is gone round.
const MOST_ROUNDS: usize = 256;

/// The most states that are looked at to find the way through a call that is told as one step.
const MAX_INSIDE: usize = 1 << 16;

/// Steps of one thread, what does not matter left out.
type Way = Vec<(Option<EdgeId>, World)>;

/// Shared values, and of each thread how it starts and the way to its first stop.
type Begun = (Vec<u64>, Vec<(ThreadState, Way)>);

/// A run that is taken forward.
pub(super) struct Filling<'g, 'p, 'l> {
    graph: &'g mut Graph<'p>,
    limits: &'l Limits<'l>,
    /// The threads by position at first; where each is in `world`.
    threads: Vec<ThreadId>,
    start: World,
    world: World,
    /// For each thread the way to its first stop, if it has not gone there.
    pending: Vec<Option<Way>>,
    /// The local state that each thread is in.
    locals: Vec<u32>,
    /// What a thread passes again and again that stays inside of a call for ever.
    inside: Vec<Option<Vec<Passage>>>,
    steps: Vec<(ThreadId, EdgeId, State)>,
}

impl<'g, 'p, 'l> Filling<'g, 'p, 'l> {
    /// Before the first step of a run that starts in a configuration.
    pub(super) fn new(graph: &'g mut Graph<'p>, start: u32, limits: &'l Limits<'l>) -> Result<Self, Stopped> {
        let numbers = graph.numbers(start);
        let (first, begun) = begin(graph, &numbers, limits)?;
        let mut order: Vec<usize> = (0..graph.roles.len()).collect();
        order.sort_by_key(|place| (graph.roles[*place].block, graph.roles[*place].copy));
        let mut threads = vec![ThreadId(0); order.len()];
        order.iter().enumerate().for_each(|(thread, place)| threads[*place] = ThreadId::new(thread));
        let state = |place: &usize| ThreadState { copy: graph.roles[*place].copy, ..begun[*place].0.clone() };
        let world = World { shared: first, threads: order.iter().map(state).collect() };
        let locals = numbers[1..=order.len()].to_vec();
        let inside = vec![None; order.len()];
        let pending = begun.into_iter().map(|(_, way)| Some(way)).collect();
        let start = world.clone();
        let mut filling =
            Self { graph, limits, threads, start, world, pending, locals, inside, steps: Vec::new() };
        filling.go_where_others_could_tell()?;
        Ok(filling)
    }

    /// Threads that write shared variables on the way to their first stops go there.
    fn go_where_others_could_tell(&mut self) -> Result<(), Stopped> {
        let mut shared = self.projected(0).shared;
        for thread in 0..self.pending.len() {
            let last = self.pending[thread].as_ref().and_then(|way| way.last()).map(|step| &step.1.shared);
            if last.is_some_and(|last| *last != shared) {
                let way = self.pending[thread].take().unwrap_or_default();
                self.take(thread, way)?;
                shared = self.projected(0).shared;
            }
        }
        Ok(())
    }

    /// What a thread sees, what does not matter left out.
    fn projected(&self, thread: usize) -> World {
        let state = &self.world.threads[self.threads[thread].index()];
        self.graph.table.project(&self.world.shared, state)
    }

    /// The thread goes to its first stop.
    fn catch_up(&mut self, thread: usize) -> Result<(), Stopped> {
        let Some(known) = self.pending[thread].take() else { return Ok(()) };
        // What others have written since does not change the way, but what is seen on it.
        let from = self.projected(thread);
        let aim = self.graph.table.local(self.graph.roles[thread].block, self.locals[thread]).clone();
        let ways = begins(&mut self.graph.table, from.clone(), &aim, self.limits)?;
        let unnoticed = ways.into_iter().find(|(shared, _)| *shared == from.shared);
        self.take(thread, unnoticed.map_or(known, |(_, way)| way))
    }

    /// Takes a move of a thread.
    fn go(&mut self, thread: usize, step: Move) -> Result<(), Stopped> {
        self.catch_up(thread)?;
        if let Some(cycle) = self.inside[thread].clone() {
            return self.pass(thread, &cycle);
        }
        let block = self.graph.roles[thread].block;
        let from = self.projected(thread);
        let aim = self.graph.table.local(block, step.local).clone();
        let shared = self.graph.table.shared_values(step.shared).to_vec();
        let is_spinning = matches!(self.graph.table.local(block, self.locals[thread]), Local::Spin { .. });
        let way = match is_spinning {
            true => round(&mut self.graph.table, from, self.limits)?,
            false => {
                let steps = self.graph.table.steps(&from)?;
                let own = steps.into_iter().filter(|own| own.seen == step.seen);
                let seeds = own.map(|own| (own.edge, own.after)).collect();
                let first = First { seeds, is_seen: step.seen != 0, began: self.graph.table.sight(&from) };
                way(&mut self.graph.table, first, (&shared, &aim), self.limits)?
            }
        };
        self.locals[thread] = step.local;
        self.take(thread, way)
    }

    /// Takes steps of a thread in full.
    fn take(&mut self, thread: usize, way: Way) -> Result<(), Stopped> {
        for (edge, after) in way {
            let taken = match edge {
                Some(edge) => vec![self.taken(thread, edge, &after)?],
                None if after == self.projected(thread) => return self.stay_inside(thread, &after),
                None => self.through_call(thread, &after)?,
            };
            self.note(thread, taken)?;
        }
        Ok(())
    }

    /// Steps of a thread that have been taken.
    fn note(&mut self, thread: usize, taken: Vec<(EdgeId, World)>) -> Result<(), Stopped> {
        for (edge, world) in taken {
            let id = self.threads[thread];
            let state = seen(self.graph.table.program, &world.shared, &world.threads[id.index()]);
            self.steps.push((id, edge, state));
            self.world = world;
        }
        if self.steps.len() > self.limits.max_steps { Err(Stopped::Untaken) } else { Ok(()) }
    }

    /// The thread goes on for ever inside of the call that it has just made.
    fn stay_inside(&mut self, thread: usize, entered: &World) -> Result<(), Stopped> {
        let (stem, cycle) = self.graph.table.endless(entered).ok_or(Stopped::Untaken)?;
        self.pass(thread, &stem)?;
        self.pass(thread, &cycle)?;
        self.inside[thread] = Some(cycle);
        Ok(())
    }

    /// The thread passes some states of functions that run inside of a call.
    fn pass(&mut self, thread: usize, passages: &[Passage]) -> Result<(), Stopped> {
        for Passage { state, is_call } in passages {
            let height = self.world.threads[self.threads[thread].index()].stack.len();
            let taken = self.shortest(thread, |shown, now| {
                let is_there = now == height + usize::from(*is_call) && is_on_top(shown, state);
                if is_there { Some(true) } else { (now > height).then_some(false) }
            })?;
            self.note(thread, taken)?;
        }
        Ok(())
    }

    /// The shortest way of a thread to a state that is wanted, by others that it may pass: what a state looks like and how high its
    /// stack is says which these are.
    fn shortest(
        &self,
        thread: usize,
        judge: impl Fn(&World, usize) -> Option<bool>,
    ) -> Result<Vec<(EdgeId, World)>, Stopped> {
        let id = self.threads[thread].index();
        let mut passed: Vec<(Option<(usize, EdgeId)>, World)> = vec![(None, self.world.clone())];
        let mut known: FxHashSet<World> = FxHashSet::default();
        let mut at = 0;
        while at < passed.len() && passed.len() < MAX_INSIDE {
            for (edge, world) in self.successors(&passed[at].1, thread)? {
                let shown = self.graph.table.project(&world.shared, &world.threads[id]);
                match judge(&shown, world.threads[id].stack.len()) {
                    Some(true) => {
                        passed.push((Some((at, edge)), world));
                        return Ok(way_through(passed));
                    }
                    Some(false) if known.insert(shown) => passed.push((Some((at, edge)), world)),
                    _ => {}
                }
            }
            at += 1;
        }
        Err(Stopped::Untaken)
    }

    fn successors(&self, world: &World, thread: usize) -> Result<Vec<(EdgeId, World)>, Stopped> {
        let (table, id) = (&self.graph.table, self.threads[thread]);
        let block = self.graph.roles[thread].block;
        let matters = |at: Option<(ModuleId, NodeId)>, place: Place| table.matter.has(block, at, place);
        mattering_successors(table.program, world, id, &matters, MAX_OUTCOMES).map_err(|_| Stopped::TooLarge)
    }

    /// A step by an edge to what looks like this.
    fn taken(&self, thread: usize, edge: EdgeId, after: &World) -> Result<(EdgeId, World), Stopped> {
        let id = self.threads[thread].index();
        let is_meant = |(taken, world): &(EdgeId, World)| {
            *taken == edge && self.graph.table.project(&world.shared, &world.threads[id]) == *after
        };
        self.successors(&self.world, thread)?.into_iter().find(is_meant).ok_or(Stopped::Untaken)
    }

    /// The shortest way through a call that has just been made to what looks like this behind its return.
    fn through_call(&self, thread: usize, after: &World) -> Result<Vec<(EdgeId, World)>, Stopped> {
        let height = self.world.threads[self.threads[thread].index()].stack.len();
        self.shortest(thread, |shown, now| match now < height {
            true => (shown == after).then_some(true),
            false => Some(false),
        })
    }

    /// The whole run: all moves, and the cycle as often as it takes.
    pub(super) fn lasso(mut self, lasso: &Lasso, scheduler: Scheduler) -> Result<Trace, Stopped> {
        let mut names: Vec<usize> = (0..self.threads.len()).collect();
        for thread in (0..self.threads.len()).filter(|_| scheduler != Scheduler::Any) {
            self.catch_up(thread)?;
        }
        for taken in &lasso.stem {
            self.follow(&mut names, taken)?;
        }
        self.catch_up_for(&lasso.cycle, &names)?;
        let mut heads: Vec<(Vec<usize>, World, usize)> = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let is_head = |(known, before, _): &&(Vec<usize>, World, usize)| {
                *known == names && is_as_before(before, &self.world, |thread| self.is_inside(thread))
            };
            if let Some((_, _, first)) = heads.iter().find(is_head) {
                let first = *first;
                return Ok(self.record(Some(first)));
            }
            heads.push((names.clone(), self.world.clone(), self.steps.len()));
            for taken in &lasso.cycle {
                self.follow(&mut names, taken)?;
            }
        }
        Err(Stopped::Untaken)
    }

    /// Threads that move on the cycle go to their first stops before it, unless somebody is in the way.
    fn catch_up_for(&mut self, cycle: &[Taken], names: &[usize]) -> Result<(), Stopped> {
        let program = self.graph.table.program;
        if !self.world.threads.iter().all(|thread| is_free(program, thread)) {
            return Ok(());
        }
        let mut names = names.to_vec();
        for taken in cycle {
            let thread = follow(&mut names, taken);
            self.catch_up(thread)?;
        }
        Ok(())
    }

    /// The thread of the world stays inside of a call for ever.
    fn is_inside(&self, thread: usize) -> bool {
        let own = self.threads.iter().position(|id| id.index() == thread);
        own.is_some_and(|own| self.inside[own].is_some())
    }

    /// A run that is of interest as far as these moves lead.
    pub(super) fn finite(mut self, moves: &[Taken]) -> Result<Trace, Stopped> {
        let mut names: Vec<usize> = (0..self.threads.len()).collect();
        for taken in moves {
            self.follow(&mut names, taken)?;
        }
        Ok(self.record(None))
    }

    fn follow(&mut self, names: &mut Vec<usize>, taken: &Taken) -> Result<(), Stopped> {
        let thread = follow(names, taken);
        self.go(thread, taken.step)
    }

    fn record(self, first: Option<usize>) -> Trace {
        let mut recorder = Recorder::new(&self.graph.table.program.machine, self.start);
        let mut cycle = None;
        for (n, (thread, edge, after)) in self.steps.into_iter().enumerate() {
            if first == Some(n) {
                cycle = Some(recorder.begin_cycle(thread));
            }
            recorder.step(thread, edge, after);
        }
        match cycle {
            Some(first) => recorder.finish_cycle(first),
            None => recorder.finish_here(ThreadId(0)),
        }
    }
}

/// The function on top is that of a state which has nothing below it, and sees the same.
fn is_on_top(shown: &World, state: &World) -> bool {
    let ([shown_thread], [thread]) = (&shown.threads[..], &state.threads[..]) else { return false };
    shown.shared == state.shared
        && shown_thread.private == thread.private
        && shown_thread.stack.last() == thread.stack.last()
}

/// Everything is as it was; a thread that stays inside of a call may have gone deeper.
fn is_as_before(before: &World, now: &World, is_inside: impl Fn(usize) -> bool) -> bool {
    let mut threads = before.threads.iter().zip(&now.threads).enumerate();
    before.shared == now.shared
        && threads.all(|(n, (before, now))| {
            let is_deeper = now.stack.len() >= before.stack.len() && now.stack.last() == before.stack.last();
            before == now || (is_inside(n) && before.private == now.private && is_deeper)
        })
}

/// Shared values with which a run may start, and for each thread its start and the way from there to its first stop, so that all
/// together are in a configuration.
fn begin(graph: &mut Graph<'_>, numbers: &[u32], limits: &Limits<'_>) -> Result<Begun, Stopped> {
    let roles = graph.roles.clone();
    let table = &mut graph.table;
    let wanted = table.shared_values(numbers[0]).to_vec();
    for first in table.first_shared()? {
        let shared = table.matter.project(&World { shared: first.clone(), threads: Vec::new() }).shared;
        // One way for each value of what threads write before others can tell.
        let mut ways: FxHashMap<Vec<u64>, Vec<(ThreadState, Way)>> =
            FxHashMap::from_iter([(shared, Vec::new())]);
        for (role, local) in roles.iter().zip(&numbers[1..]) {
            let mut longer = FxHashMap::default();
            let aim = table.local(role.block, *local).clone();
            let mut known: Vec<_> = ways.into_iter().collect();
            known.sort_by(|a, b| a.0.cmp(&b.0));
            for (shared, before) in known {
                for start in table.starts(role.block, &first)? {
                    let seed = table.project(&shared, &start);
                    for (shared, way) in begins(table, seed, &aim, limits)? {
                        let with = before.iter().cloned().chain([(start.clone(), way)]);
                        longer.entry(shared).or_insert_with(|| with.collect());
                    }
                }
            }
            ways = longer;
        }
        if let Some(found) = ways.remove(&wanted) {
            return Ok((first, found));
        }
    }
    Err(Stopped::Untaken)
}

/// The ways from a start to a local state, one for each value of the shared variables there.
fn begins(
    table: &mut Table<'_>,
    start: World,
    aim: &Local,
    limits: &Limits<'_>,
) -> Result<Vec<(Vec<u64>, Way)>, Stopped> {
    let walk = table.walk(&[(start, false)], None, limits)?;
    let mut found: Vec<(Vec<u64>, Way)> = Vec::new();
    for (to, shared) in arrivals(table, &walk, aim) {
        if !found.iter().any(|known| known.0 == shared) {
            let way = shortest(&walk, &[(None, 0)], to)[1..].to_vec();
            found.push((shared, way));
        }
    }
    Ok(found)
}

/// Where a walk gets to a local state, and the shared values there.
fn arrivals(table: &Table<'_>, walk: &Walk, aim: &Local) -> Vec<(u32, Vec<u64>)> {
    let shared = |at: u32| walk.worlds[at as usize].shared.clone();
    if let Local::Spin { .. } = aim {
        let members = walk.cycles().into_iter().flatten();
        let found = members.filter(|at| table.spin(&walk.worlds[*at as usize]) == *aim);
        return found.map(|at| (at, shared(at))).collect();
    }
    let ends = (0..).zip(&walk.ends).filter(|(_, end)| end.as_ref() == Some(aim));
    ends.map(|(at, _)| (at, shared(at))).collect()
}

/// The first steps of a move, whether they are seen themselves, and what was seen before.
struct First {
    seeds: Vec<(Option<EdgeId>, World)>,
    is_seen: bool,
    began: Sight,
}

/// A way by one of some first steps to a local state and shared values.
fn way(
    table: &mut Table<'_>,
    First { seeds, is_seen, began }: First,
    (shared, aim): (&[u64], &Local),
    limits: &Limits<'_>,
) -> Result<Way, Stopped> {
    let worlds: Vec<(World, bool)> = seeds.iter().map(|(_, world)| (world.clone(), is_seen)).collect();
    let walk = table.walk(&worlds, Some(began), limits)?;
    let arrived = arrivals(table, &walk, aim).into_iter().find(|(_, values)| values == shared);
    let (to, _) = arrived.ok_or(Stopped::Untaken)?;
    let number = |world: &World| walk.worlds.iter().position(|known| known == world).map(|n| n as u32);
    let first: Vec<(Option<EdgeId>, u32)> =
        seeds.iter().filter_map(|(edge, world)| Some((*edge, number(world)?))).collect();
    Ok(shortest(&walk, &first, to))
}

/// The shortest way on which a thread that spins comes back to where it is.
fn round(table: &mut Table<'_>, from: World, limits: &Limits<'_>) -> Result<Way, Stopped> {
    let began = Some(table.sight(&from));
    let Kind::Passed(steps) = table.kind(&from, false, began)? else { return Err(Stopped::Untaken) };
    let mut worlds: Vec<(World, bool)> = steps.iter().map(|step| (step.after.clone(), false)).collect();
    worlds.dedup();
    let walk = table.walk(&worlds, began, limits)?;
    let number = |world: &World| walk.worlds.iter().position(|known| known == world).map(|n| n as u32);
    let to = number(&from).ok_or(Stopped::Untaken)?;
    let first: Vec<(Option<EdgeId>, u32)> =
        steps.iter().filter_map(|step| Some((step.edge, number(&step.after)?))).collect();
    Ok(shortest(&walk, &first, to))
}

/// The shortest way through a walk, by one of some first steps, to one of its states.
fn shortest(walk: &Walk, first: &[(Option<EdgeId>, u32)], to: u32) -> Way {
    let mut met: Vec<(u32, Option<EdgeId>, Option<usize>)> = Vec::new();
    let mut is_known = vec![false; walk.worlds.len()];
    for (edge, start) in first {
        if !std::mem::replace(&mut is_known[*start as usize], true) {
            met.push((*start, *edge, None));
        }
    }
    let mut at = 0;
    while met[at].0 != to {
        for (edge, next) in &walk.steps[met[at].0 as usize] {
            if !std::mem::replace(&mut is_known[*next as usize], true) {
                met.push((*next, *edge, Some(at)));
            }
        }
        at += 1;
    }
    let mut way = Vec::new();
    let mut next = Some(at);
    while let Some(at) = next {
        way.push((met[at].1, walk.worlds[met[at].0 as usize].clone()));
        next = met[at].2;
    }
    way.reverse();
    way
}

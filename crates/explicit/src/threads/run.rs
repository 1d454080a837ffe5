//! From moves between configurations to a run of the program.
//!
//! Every move is looked for again, step by step, among the few states it passes through. Then the run is taken forward in full: where
//! a variable does not matter, any value will do. Copies that changed places in the order of a configuration get their own names back.

use super::levels::{NOBODY, Search, place};
use super::origins::Pair;
use super::steps::{ALONE, DONE, ENDED_INSIDE, MAX_OUTCOMES, START, START_LIMIT, Tables, UNFINISHED};
use crate::Stopped;
use rsm::interleave::{
    ThreadId, ThreadState, World, each_mattering_shared, ended_inside, mattering_starts, mattering_successors,
};
use rsm::step::State;
use rsm::trace::{Recorder, Trace};
use rsm::{Concurrent, Copies, EdgeId, ModuleId, NodeId, Place, ThreadGoal};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// What a move leads to.
#[derive(Clone, Copy)]
enum Aim {
    /// A configuration.
    At { shared: u32, local: u32 },
    /// A goal; the thread is this copy.
    Goal { copy: u32 },
}

/// A move, step by step, what does not matter left out.
struct Way {
    /// What it begins in.
    first: World,
    steps: Vec<(EdgeId, World)>,
    goal: Option<ThreadGoal>,
}

/// A run that is taken forward.
struct Forward<'p> {
    program: &'p Concurrent,
    /// The shared values at the start, and now.
    first_shared: Vec<u64>,
    shared: Vec<u64>,
    /// The threads at the start, and now; none for those that have not run.
    first: Vec<Option<ThreadState>>,
    now: Vec<Option<ThreadState>>,
    steps: Vec<(usize, EdgeId, State)>,
}

/// The run in which a thread meets a target from some configuration; none if it has too many steps.
pub(super) fn trace(search: &mut Search<'_>, hit: Pair, max_steps: usize) -> Result<Option<Trace>, Stopped> {
    let path = search.origins.path(hit);
    along(search, path, hit, max_steps)
}

/// The same with these moves before: who moved, and where that led.
pub(super) fn along(
    search: &mut Search<'_>,
    path: Vec<(Pair, usize)>,
    hit: Pair,
    max_steps: usize,
) -> Result<Option<Trace>, Stopped> {
    let mut numbers = Vec::new();
    search.store.read(path.first().map_or(hit.configuration, |(pair, _)| pair.configuration), &mut numbers);
    // Which thread is at each position.
    let mut names: Vec<usize> = (0..search.roles.len()).collect();
    let mut forward = Forward::new(search, &numbers)?;
    for (from, to) in path {
        let (thread, mut after) = (from.thread, Vec::new());
        search.store.read(to, &mut after);
        let group = search.groups[thread].clone();
        let sum = |numbers: &[u32]| -> u64 {
            numbers[group.start + 1..group.end + 1].iter().map(|local| u64::from(*local)).sum()
        };
        // All others stay as they are, so the sums tell where it went.
        let local = (sum(&after) + u64::from(numbers[thread + 1]) - sum(&numbers)) as u32;
        let aim = Aim::At { shared: after[0], local };
        forward.go(search, names[thread], &numbers, thread, aim)?;
        let at = place(&mut numbers[1..], &group, thread, local);
        let name = names.remove(thread);
        names.insert(at, name);
        numbers = after;
        if forward.steps.len() > max_steps {
            return Ok(None);
        }
    }
    if hit.thread == NOBODY {
        return forward.record(search, None).map(Some);
    }
    let name = names[hit.thread];
    let aim = Aim::Goal { copy: search.roles[name].1 };
    let goal = forward.go(search, name, &numbers, hit.thread, aim)?;
    let goal = goal.expect("a way to a goal ends at one");
    if forward.steps.len() > max_steps {
        Ok(None)
    } else {
        forward.record(search, Some((name, goal))).map(Some)
    }
}

impl<'p> Forward<'p> {
    /// Nobody has run yet.
    fn new(search: &mut Search<'p>, numbers: &[u32]) -> Result<Self, Stopped> {
        let program = search.tables.program;
        let matters = |place| search.tables.matter.has_shared(place);
        let meant = search.tables.shared_values(numbers[0]);
        let mut shared = None;
        let visited = each_mattering_shared(program, &matters, START_LIMIT, &mut |values| {
            let is_meant = search.tables.matter.project_shared(&values) == meant;
            shared = is_meant.then_some(values);
            if is_meant { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        visited.map_err(|_| Stopped::TooLarge)?;
        let shared = shared.expect("a run starts with values that are possible at the start");
        let mut forward = Self {
            program,
            first_shared: shared.clone(),
            shared,
            first: vec![None; search.roles.len()],
            now: vec![None; search.roles.len()],
            steps: Vec::new(),
        };
        for (thread, role) in search.roles.clone().into_iter().enumerate() {
            if ![START, DONE].contains(&numbers[thread + 1]) {
                let start = search.tables.world(role.0, numbers[0], numbers[thread + 1]);
                forward.begin(search, thread, &start)?;
            }
        }
        Ok(forward)
    }

    /// The thread starts like this, as far as it matters.
    fn begin(&mut self, search: &Search<'_>, thread: usize, start: &World) -> Result<(), Stopped> {
        let (block, copy) = search.roles[thread];
        let matters =
            |at: Option<(ModuleId, NodeId)>, place: Place| search.tables.matter.has(block, at, place);
        let starts = mattering_starts(self.program, block, &self.first_shared, &matters, MAX_OUTCOMES);
        let is_meant = |state: &ThreadState| {
            let world = World { shared: self.first_shared.clone(), threads: vec![state.clone()] };
            search.tables.matter.project(&world).threads == start.threads
        };
        let mut starts = starts.map_err(|_| Stopped::TooLarge)?.into_iter();
        let state = starts.find(is_meant).expect("a thread starts as it can");
        let state = ThreadState { copy, ..state };
        self.first[thread] = Some(state.clone());
        self.now[thread] = Some(state);
        Ok(())
    }

    /// Takes a move of a thread that is at a position of a configuration; the goal, if it leads to one.
    fn go(
        &mut self,
        search: &mut Search<'_>,
        thread: usize,
        numbers: &[u32],
        position: usize,
        aim: Aim,
    ) -> Result<Option<ThreadGoal>, Stopped> {
        let (block, _) = search.roles[thread];
        let way = find(&mut search.tables, block, numbers[0], numbers[position + 1], aim)?;
        if self.now[thread].is_none() {
            self.begin(search, thread, &way.first)?;
        }
        let matters =
            |at: Option<(ModuleId, NodeId)>, place: Place| search.tables.matter.has(block, at, place);
        for (edge, after) in way.steps {
            let state = self.now[thread].take().expect("a thread that runs has begun");
            let before = World { shared: std::mem::take(&mut self.shared), threads: vec![state] };
            let steps = taken(&search.tables, before, edge, &after, &matters)?;
            for (edge, world) in &steps {
                self.steps.push((thread, *edge, seen(self.program, &world.shared, &world.threads[0])));
            }
            let (_, mut world) = steps.into_iter().next_back().expect("something is done");
            let state = world.threads.pop().expect("there is one thread");
            (self.shared, self.now[thread]) = (world.shared, Some(state));
        }
        Ok(way.goal)
    }

    /// The whole run, which ends with a thread that reaches a goal, or in a deadlock. Of blocks of any number those copies take part
    /// that run.
    fn record(mut self, search: &Search<'_>, reached: Option<(usize, ThreadGoal)>) -> Result<Trace, Stopped> {
        for (thread, (block, _)) in search.roles.iter().enumerate() {
            let is_free = self.program.blocks[*block as usize].copies == Copies::Any;
            let may_be_left_out = is_free && search.groups[thread].len() == search.n_copies(*block);
            if self.first[thread].is_none() && !may_be_left_out {
                let starts = search.tables.starts(*block, &self.first_shared)?;
                if let Some(start) = starts.first() {
                    self.begin(search, thread, start)?;
                }
            }
        }
        let (mut names, mut threads) = (vec![None; self.first.len()], Vec::<ThreadState>::new());
        for (thread, state) in self.first.into_iter().enumerate() {
            let Some(state) = state else { continue };
            let copy = threads.iter().filter(|other| other.block == state.block).count() as u32;
            names[thread] = Some(ThreadId::new(threads.len()));
            threads.push(ThreadState { copy, ..state });
        }
        let name = |thread: usize| names[thread].expect("a thread that runs takes part");
        let start = World { shared: self.first_shared, threads };
        let mut recorder = Recorder::new(&self.program.machine, start);
        for (thread, edge, after) in self.steps {
            recorder.step(name(thread), edge, after);
        }
        Ok(match reached {
            Some((last, goal)) => recorder.finish(name(last), goal),
            None => recorder.finish_deadlock(ThreadId(0)),
        })
    }
}

/// The most states that are looked at to find the way through a call that is told as one step.
const MAX_INSIDE: usize = 1 << 16;

/// A step in full, or all steps of a call that is told as one, the shortest way through it.
fn taken(
    tables: &Tables<'_>,
    before: World,
    edge: EdgeId,
    after: &World,
    matters: &dyn Fn(Option<(ModuleId, NodeId)>, Place) -> bool,
) -> Result<Vec<(EdgeId, World)>, Stopped> {
    let program = tables.program;
    let height = before.threads[0].stack.len();
    let mut passed: Vec<(Option<(usize, EdgeId)>, World)> = vec![(None, before)];
    let mut known: FxHashMap<World, ()> = FxHashMap::default();
    let mut at = 0;
    while at < passed.len() && passed.len() < MAX_INSIDE {
        let found = mattering_successors(program, &passed[at].1, ALONE, matters, MAX_OUTCOMES);
        for (taken, world) in found.map_err(|_| Stopped::TooLarge)? {
            if at == 0 && taken != edge {
                continue;
            }
            let is_over = world.threads[0].stack.len() <= height;
            if tables.matter.project(&world) == *after && (at == 0 || is_over) {
                passed.push((Some((at, taken)), world));
                return Ok(way_through(passed));
            }
            // Only a call goes on inside.
            let is_inside = !is_over && tables.is_summarised(&passed[0].1, &world);
            if is_inside && known.insert(tables.matter.project(&world), ()).is_none() {
                passed.push((Some((at, taken)), world));
            }
        }
        at += 1;
    }
    Err(Stopped::Untaken)
}

/// The steps that lead to the last one.
pub(super) fn way_through(mut passed: Vec<(Option<(usize, EdgeId)>, World)>) -> Vec<(EdgeId, World)> {
    let mut steps = Vec::new();
    let mut at = passed.len() - 1;
    while let Some((before, edge)) = passed[at].0 {
        steps.push((edge, passed.swap_remove(at).1));
        at = before;
    }
    steps.reverse();
    steps
}

/// What a thread sees.
pub(super) fn seen(program: &Concurrent, shared: &[u64], thread: &ThreadState) -> State {
    let mut globals = shared.to_vec();
    globals.resize(program.machine.globals.len(), 0);
    for (place, value) in program.blocks[thread.block as usize].private.iter().zip(&thread.private) {
        globals[*place as usize] = *value;
    }
    State { globals, locals: thread.stack.last().map_or_else(Vec::new, |top| top.locals.clone()) }
}

/// A state on the way, whether the move proper has begun, and how it was found.
struct Passed {
    world: World,
    is_moving: bool,
    from: Option<(usize, EdgeId)>,
}

/// The shortest way to what is aimed at.
fn find(tables: &mut Tables<'_>, block: u32, shared: u32, local: u32, aim: Aim) -> Result<Way, Stopped> {
    let mut passed: Vec<Passed> = Vec::new();
    let mut known: FxHashMap<(World, bool), ()> = FxHashMap::default();
    for world in tables.beginnings(block, shared, local)? {
        known.insert((world.clone(), false), ());
        passed.push(Passed { world, is_moving: false, from: None });
    }
    let mut at = 0;
    loop {
        let Passed { world, is_moving, .. } = &passed[at];
        let (world, is_moving) = (world.clone(), *is_moving);
        if let Some(goal) = arrives(tables, &world, is_moving, aim)? {
            return Ok(way_to(passed, at, goal));
        }
        let is_stop = (local != START && !is_moving) || tables.is_stop(&world);
        if !(is_stop && is_moving) {
            for (edge, after) in tables.steps(&world)?.steps {
                let is_moving = is_moving || is_stop;
                if known.insert((after.clone(), is_moving), ()).is_none() {
                    passed.push(Passed { world: after, is_moving, from: Some((at, edge)) });
                }
            }
        }
        at += 1;
    }
}

/// The state is what is aimed at; the goal, if it is one.
fn arrives(
    tables: &mut Tables<'_>,
    world: &World,
    is_moving: bool,
    aim: Aim,
) -> Result<Option<Option<ThreadGoal>>, Stopped> {
    match aim {
        Aim::Goal { copy } => {
            let mut goals = tables.goals_at(world)?.into_iter().map(|(_, goal)| goal);
            Ok(goals.find(|goal| goal.copy.is_none_or(|wanted| wanted == copy)).map(Some))
        }
        // A thread that will do nothing any more may be left wherever it may be left.
        Aim::At { shared, local: DONE } => {
            let is_there = is_moving && tables.may_be_done(&world.threads[0]);
            Ok((is_there && tables.shared_values(shared) == world.shared).then_some(None))
        }
        Aim::At { shared, local: local @ (ENDED_INSIDE | UNFINISHED) } => {
            let thread = &world.threads[0];
            let is_meant = match local {
                ENDED_INSIDE => ended_inside(tables.program, thread),
                _ => tables.is_unfinished(thread),
            };
            let is_there = is_moving && is_meant;
            Ok((is_there && tables.shared_values(shared) == world.shared).then_some(None))
        }
        Aim::At { shared, local } => {
            let is_there = is_moving && tables.is_kept(world)?;
            Ok((is_there && tables.numbers(world.clone()) == (shared, local)).then_some(None))
        }
    }
}

fn way_to(mut passed: Vec<Passed>, mut at: usize, goal: Option<ThreadGoal>) -> Way {
    let mut steps = Vec::new();
    while let Some((before, edge)) = passed[at].from {
        let world = passed.swap_remove(at).world;
        steps.push((edge, world));
        at = before;
    }
    steps.reverse();
    Way { first: passed.swap_remove(at).world, steps, goal }
}

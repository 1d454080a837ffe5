//! Step tables: what a thread can do, given the shared values and its own state, until others could notice.
//!
//! A move is one step and then all steps that nobody notices, whole atomic blocks included, up to a *stop*: outside atomic regions,
//! and some next step is noticed. Only stops have numbers. A thread that never ran is `START`, whatever its first values; one that
//! has ended, blocks for ever or loops for ever unnoticed is `DONE`. Where deadlocks are asked for, only who has ended is, who blocks has
//! a number, and who loops goes nowhere, since no deadlock comes after that, but for one: a thread may end in an atomic region, with its
//! flag, as `ENDED_INSIDE`, while others, `UNFINISHED`, are on their way to their end, or loop. Contract: every step is one of `rsm::interleave`; what a thread
//! can do from a state is computed once.

use super::mail::{Letter, Numbers, Words, read_thread, write_thread};
use super::matter::Matter;
use super::started::Started;
use super::summaries::{Stepping, Summaries};
use crate::{Limits, Stopped};
use rsm::interleave::{
    ThreadId, ThreadState, World, each_mattering_shared, has_ended, is_allowed, is_at, is_free, is_unstarted,
    mattering_starts, mattering_successors,
};
use rsm::{Concurrent, EdgeId, Goal, ModuleId, NodeId, Place, ThreadGoal};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;
use std::ops::{ControlFlow, Range};
use std::rc::Rc;
use std::sync::Arc;

/// The number of a thread that has not run.
pub(super) const START: u32 = 0;
/// The number of a thread that will do nothing any more.
pub(super) const DONE: u32 = 1;
/// The number of a thread that has ended in an atomic region, so that no other one runs any more; if deadlocks are asked for.
pub(super) const ENDED_INSIDE: u32 = 2;
/// The number of a thread that will do nothing others notice, and has not ended; if deadlocks are asked for and somebody has a flag.
pub(super) const UNFINISHED: u32 = 3;
/// The states of a block are numbered from here.
pub(super) const FIRST: u32 = 4;

/// The most frames of recursive functions on a stack; calls beyond are left out, and who asks is told.
pub(super) const MAX_HEIGHT: usize = 8;

/// The most partial valuations that are looked at for one step.
pub(super) const MAX_OUTCOMES: usize = 1 << 16;

/// The most states that one move may pass through.
pub(super) const MAX_PASSED: usize = 1 << 20;

/// The most partial valuations that are looked at for the first shared values.
pub(super) const START_LIMIT: usize = 1 << 22;

/// So many first values are counted between two looks at the stop flag.
const COUNT_LOOK: u64 = 1 << 12;

/// So many steps are computed between two looks at the stop flag.
const TELL: u64 = 64;

/// The thread of a [`World`] that shows what a thread sees.
pub(super) const ALONE: ThreadId = ThreadId(0);

/// Values with a number for each, in the order in which they came.
pub(super) struct Numbered<T> {
    values: Vec<Arc<T>>,
    numbers: FxHashMap<Arc<T>, u32>,
}

impl<T: Eq + Hash> Numbered<T> {
    pub(super) fn new() -> Self {
        Self { values: Vec::new(), numbers: FxHashMap::default() }
    }

    /// The value with a number.
    pub(super) fn value(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn number(&mut self, value: T) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let value = Arc::new(value);
        self.values.push(value.clone());
        self.numbers.insert(value, self.values.len() as u32 - 1);
        self.values.len() as u32 - 1
    }
}

/// A target that is reached by a thread of any copy, or of one.
pub(super) type Hit = (usize, Option<u32>);

/// What a thread can do from one state.
#[derive(Clone, Default)]
pub(super) struct Entry {
    /// Its moves, in [`Tables::moves`].
    pub(super) moves: Range<usize>,
    /// Targets that it is at.
    pub(super) here: Box<[Hit]>,
    /// Targets that it meets on its way.
    pub(super) on_the_way: Box<[Hit]>,
    /// Calls were left out.
    pub(super) is_cut: bool,
    /// It has a move, be it one that only spins, or a call that was left out; if deadlocks are asked for.
    pub(super) can_move: bool,
    /// It has ended.
    pub(super) has_ended: bool,
}

/// What a move leads to.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Move {
    /// The shared values.
    pub(super) shared: u32,
    /// The state of the thread.
    pub(super) local: u32,
    /// The states of the threads that it has started.
    pub(super) started: Box<[u32]>,
}

/// The steps of a thread.
pub(super) struct Steps {
    /// The edges, and where they lead.
    pub(super) steps: Vec<(EdgeId, World)>,
    /// Calls are missing.
    pub(super) is_cut: bool,
}

/// What a thread meets from some states up to its next stops.
#[derive(Default)]
struct Walk {
    stops: Vec<World>,
    /// Where the thread does nothing any more.
    done: Vec<World>,
    /// Where it has ended in an atomic region, and where it may be left on the way to no stop.
    ended_inside: Vec<World>,
    unfinished: Vec<World>,
    hits: FxHashSet<Hit>,
    is_cut: bool,
    /// It can go on for ever without being left.
    spins: bool,
}

/// All tables of a program.
pub(super) struct Tables<'p> {
    pub(super) program: &'p Concurrent,
    pub(super) matter: Matter<'p>,
    pub(super) visibility: bool,
    /// Who can go on is asked.
    deadlocks: bool,
    /// How threads are started, if they are added to what is there.
    pub(super) started: Option<Started>,
    /// The same if they take slots, and are not forgotten while there are some: who is there is asked.
    slots: Option<Started>,
    /// For each block the functions whose calls are one step, and what comes back from them.
    summarised: Vec<Vec<bool>>,
    summaries: Summaries,
    targets: FxHashMap<(ModuleId, NodeId), Vec<(usize, ThreadGoal)>>,
    shared: Numbered<Vec<u64>>,
    locals: Vec<Numbered<ThreadState>>,
    known: FxHashMap<(u32, u32, u32), u32>,
    entries: Vec<Entry>,
    moves: Vec<Move>,
    work: Work,
}

/// Steps that were computed: each is a unit of work.
#[derive(Default)]
pub(super) struct Work {
    n_steps: u64,
    /// Those that count already.
    n_told: u64,
}

impl Work {
    /// A step is computed.
    pub(super) fn step(&mut self) {
        self.n_steps += 1;
    }

    /// Says now and then how much work was done.
    pub(super) fn tell(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        let n_steps = self.n_steps - self.n_told;
        if n_steps < TELL {
            return Ok(());
        }
        self.n_told = self.n_steps;
        match limits.stop.requested_after(n_steps) {
            Some(reason) => Err(Stopped::Requested(reason)),
            None => Ok(()),
        }
    }
}

impl Numbers for Tables<'_> {
    const FIRST: u32 = FIRST;

    fn sizes(&self) -> (usize, impl Iterator<Item = usize> + '_) {
        self.sizes()
    }

    fn shared_values(&self, number: u32) -> &[u64] {
        self.shared_values(number)
    }

    fn number_shared(&mut self, values: Vec<u64>) -> Option<u32> {
        (values.len() == self.matter.shared().len()).then(|| self.shared.number(values))
    }

    fn write_state(&self, block: u32, number: u32, out: &mut Letter) {
        write_thread(self.thread(block, number), out);
    }

    fn read_state(&mut self, block: u32, words: &mut Words<'_>) -> Option<u32> {
        let state = read_thread(self.program, block, words)?;
        Some(self.locals[block as usize].number(state) + FIRST)
    }
}

impl<'p> Tables<'p> {
    pub(super) fn new(
        program: &'p Concurrent,
        matter: Matter<'p>,
        targets: &[Vec<ThreadGoal>],
        visibility: bool,
    ) -> Self {
        let mut places: FxHashMap<_, Vec<(usize, ThreadGoal)>> = FxHashMap::default();
        for (n, goal) in targets.iter().enumerate().flat_map(|(n, goals)| goals.iter().map(move |g| (n, *g)))
        {
            let place = match goal.goal {
                Goal::At(module, node) => (module, node),
                Goal::Failure(module, edge) => (module, program.machine.module(module).edge(edge).from),
            };
            places.entry(place).or_default().push((n, goal));
        }
        Self {
            program,
            matter,
            visibility,
            deadlocks: false,
            started: None,
            slots: None,
            summarised: Vec::new(),
            summaries: Summaries::default(),
            targets: places,
            shared: Numbered::new(),
            locals: program.blocks.iter().map(|_| Numbered::new()).collect(),
            known: FxHashMap::default(),
            entries: Vec::new(),
            moves: Vec::new(),
            work: Work::default(),
        }
    }

    /// Tables that say who can go on.
    pub(super) fn with_deadlocks(self) -> Self {
        Self { deadlocks: true, slots: Started::of(self.program, None), ..self }
    }

    /// Tables in which a call of a recursive function that nobody notices is one step.
    pub(super) fn with_summaries(self) -> Self {
        let goals: Vec<ModuleId> = self.targets.keys().map(|place| place.0).collect();
        Self { summarised: self.matter.summarised(&goals), ..self }
    }

    /// Tables in which threads that are started are added to what is there; so many can run, if that is known.
    pub(super) fn with_started(self, most: Option<u32>) -> Self {
        Self { started: Started::of(self.program, most), ..self }
    }

    /// How many numbers there are for shared values, and for the states of each block.
    pub(super) fn sizes(&self) -> (usize, impl Iterator<Item = usize> + '_) {
        let locals = self.locals.iter().map(|locals| locals.values.len() + FIRST as usize);
        (self.shared.values.len(), locals)
    }

    /// Bytes in use, about.
    pub(super) fn bytes(&self) -> usize {
        let n_locals: usize = self.locals.iter().map(|locals| locals.values.len()).sum();
        let globals = self.program.machine.globals.len() * 8;
        self.shared.values.len() * (128 + globals)
            + n_locals * 256
            + self.entries.len() * 128
            + self.moves.capacity() * size_of::<Move>()
    }

    pub(super) fn n_entries(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn move_at(&self, n: usize) -> &Move {
        &self.moves[n]
    }

    /// The number of shared values, those that do not matter left out.
    pub(super) fn shared_number(&mut self, shared: Vec<u64>) -> u32 {
        self.shared.number(self.matter.project_shared(&shared))
    }

    /// Visits the shared values that runs may start with. There may be very many: they are counted before anything is done with them, and nobody keeps
    /// a list.
    pub(super) fn each_first_shared<E: From<Stopped>>(
        program: &Concurrent,
        matters: &[bool],
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(Vec<u64>) -> Result<(), E>,
    ) -> Result<(), E> {
        let matters = |place| matches!(place, Place::Global(n) if matters[n as usize]);
        let mut n_values: u64 = 0;
        let mut halt = None;
        let counted = each_mattering_shared(program, &matters, START_LIMIT, &mut |_| {
            n_values += 1;
            if n_values.is_multiple_of(COUNT_LOOK) {
                halt = limits.stop.requested_after(0);
            }
            if halt.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        counted.map_err(|_| Stopped::TooLarge)?;
        if let Some(reason) = halt {
            return Err(Stopped::Requested(reason).into());
        }
        let mut found = Ok(());
        let visited = each_mattering_shared(program, &matters, START_LIMIT, &mut |values| {
            found = visit(values);
            if found.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        visited.map_err(|_| Stopped::TooLarge)?;
        found
    }

    pub(super) fn shared_values(&self, number: u32) -> &[u64] {
        &self.shared.values[number as usize]
    }

    /// All shared values, by number.
    pub(super) fn all_shared(&self) -> impl Iterator<Item = &[u64]> {
        self.shared.values.iter().map(|values| values.as_slice())
    }

    /// All states of a block, by number, from [`FIRST`] on.
    pub(super) fn states(&self, block: u32) -> impl Iterator<Item = &ThreadState> {
        self.locals[block as usize].values.iter().map(|state| &**state)
    }

    /// The numbers of shared values and a thread.
    pub(super) fn numbers(&mut self, mut projected: World) -> (u32, u32) {
        let shared = self.shared.number(std::mem::take(&mut projected.shared));
        match projected.threads.pop() {
            Some(thread) if !thread.stack.is_empty() => {
                (shared, self.locals[thread.block as usize].number(thread) + FIRST)
            }
            _ => (shared, DONE),
        }
    }

    /// What a move leads to, given the thread and those it has started; the number of the thread, if its state has none of its own.
    fn move_to(&mut self, mut world: World, over: Option<u32>) -> Move {
        let shared = self.shared.number(world.shared);
        let mut threads = world.threads.drain(..);
        let thread = threads.next().filter(|thread| over.is_none() && !thread.stack.is_empty());
        let mut number = |thread: ThreadState| self.locals[thread.block as usize].number(thread) + FIRST;
        let local = thread.map_or(over.unwrap_or(DONE), &mut number);
        Move { shared, local, started: threads.map(number).collect() }
    }

    /// What a thread sees that has run and is not done.
    pub(super) fn world(&self, block: u32, shared: u32, local: u32) -> World {
        let thread = self.thread(block, local).clone();
        let world = World { shared: self.shared_values(shared).to_vec(), threads: vec![thread] };
        match &self.started {
            Some(started) => started.told(self.program, world),
            None => world,
        }
    }

    /// A thread that has run and is not done.
    pub(super) fn thread(&self, block: u32, local: u32) -> &ThreadState {
        &self.locals[block as usize].values[(local - FIRST) as usize]
    }

    /// The states in which a thread of the block may start, what does not matter left out.
    pub(super) fn starts(&self, block: u32, shared: &[u64]) -> Result<Vec<World>, Stopped> {
        let matters = |at: Option<(ModuleId, NodeId)>, place| self.matter.has(block, at, place);
        let starts = mattering_starts(self.program, block, shared, &matters, MAX_OUTCOMES);
        let mut found: Vec<World> = Vec::new();
        let mut seen = FxHashSet::default();
        for thread in starts.map_err(|_| Stopped::TooLarge)? {
            let world = self.matter.project(&World { shared: shared.to_vec(), threads: vec![thread] });
            if seen.insert(world.clone()) {
                found.push(world);
            }
        }
        Ok(found)
    }

    /// What a thread can do.
    pub(super) fn entry(
        &mut self,
        (block, shared, local): (u32, u32, u32),
        limits: &Limits<'_>,
    ) -> Result<usize, Stopped> {
        if let Some(entry) = self.known.get(&(block, shared, local)) {
            return Ok(*entry as usize);
        }
        let entry = match local {
            DONE | ENDED_INSIDE => Entry { has_ended: true, ..Entry::default() },
            UNFINISHED => Entry { can_move: true, ..Entry::default() },
            _ => self.compute(block, shared, local, limits)?,
        };
        self.entries.push(entry);
        self.known.insert((block, shared, local), self.entries.len() as u32 - 1);
        Ok(self.entries.len() - 1)
    }

    pub(super) fn entry_at(&self, number: usize) -> &Entry {
        &self.entries[number]
    }

    fn compute(
        &mut self,
        block: u32,
        shared: u32,
        local: u32,
        limits: &Limits<'_>,
    ) -> Result<Entry, Stopped> {
        let mut here = FxHashSet::default();
        let mut before = Walk::default();
        for world in self.beginnings(block, shared, local)? {
            here.extend(self.hits(&world)?);
            before.stops.push(world);
        }
        if local == START {
            before = self.walk(before.stops, limits)?;
        }
        let mut seeds = Vec::new();
        for stop in &before.stops {
            before.hits.extend(self.hits(stop)?);
            if self.is_allowed(stop)? {
                let Steps { steps, is_cut } = self.steps(stop)?;
                seeds.extend(steps.into_iter().map(|(_, world)| world));
                before.is_cut |= is_cut;
            }
        }
        let after = self.walk(seeds, limits)?;
        let can_move = before.is_cut || after.can_go_on();
        let first = self.moves.len();
        let mut seen = FxHashSet::from_iter([Move { shared, local, started: Box::default() }]);
        let stops = after.stops.into_iter().map(|world| (world, None));
        let done = after.done.into_iter().map(|world| (world, Some(DONE)));
        let inside = after.ended_inside.into_iter().map(|world| (world, Some(ENDED_INSIDE)));
        let unfinished = after.unfinished.into_iter().map(|world| (world, Some(UNFINISHED)));
        for (world, over) in stops.chain(done).chain(inside).chain(unfinished) {
            let step = self.move_to(world, over);
            if seen.insert(step.clone()) {
                self.moves.push(step);
            }
        }
        before.hits.extend(after.hits);
        let sorted = |hits: FxHashSet<Hit>| {
            let mut hits: Vec<Hit> = hits.into_iter().collect();
            hits.sort_unstable();
            hits.into_boxed_slice()
        };
        Ok(Entry {
            moves: first..self.moves.len(),
            here: sorted(here),
            on_the_way: sorted(before.hits),
            can_move,
            is_cut: before.is_cut || after.is_cut,
            has_ended: local != START && self.is_gone(shared, self.thread(block, local)),
        })
    }

    /// The thread has ended, or has not been started.
    fn is_gone(&self, shared: u32, thread: &ThreadState) -> bool {
        let is_added = self.started.is_some();
        has_ended(self.program, thread)
            || (!is_added && is_unstarted(self.program, self.shared_values(shared), thread))
    }

    /// The states in which a thread with this number may become active.
    pub(super) fn beginnings(&self, block: u32, shared: u32, local: u32) -> Result<Vec<World>, Stopped> {
        let worlds = match local {
            START => self.starts(block, self.shared_values(shared))?,
            _ => vec![self.world(block, shared, local)],
        };
        let mut allowed = Vec::new();
        for world in worlds {
            if self.is_allowed(&world)? {
                allowed.push(world);
            }
        }
        Ok(allowed)
    }

    pub(super) fn is_allowed(&self, world: &World) -> Result<bool, Stopped> {
        is_allowed(self.program, world, ALONE).map_err(|_| Stopped::TooLarge)
    }

    /// The goals that the thread is at, with the targets they belong to. Which copy it is plays no part.
    pub(super) fn goals_at(&self, world: &World) -> Result<Vec<(usize, ThreadGoal)>, Stopped> {
        let top = world.threads[0].stack.last().map(|top| (top.module, top.node));
        let mut found = Vec::new();
        for (target, goal) in top.and_then(|place| self.targets.get(&place)).into_iter().flatten() {
            let of_any = ThreadGoal { copy: None, ..*goal };
            if is_at(self.program, world, ALONE, of_any).map_err(|_| Stopped::TooLarge)? {
                found.push((*target, *goal));
            }
        }
        Ok(found)
    }

    fn hits(&self, world: &World) -> Result<impl Iterator<Item = Hit> + use<>, Stopped> {
        Ok(self.goals_at(world)?.into_iter().map(|(target, goal)| (target, goal.copy)))
    }

    /// The thread may be left here, and others may notice what it does next.
    pub(super) fn is_stop(&self, world: &World) -> bool {
        let thread = &world.threads[0];
        if self.started.as_ref().is_some_and(|started| started.is_told(thread)) {
            return false;
        }
        let is_noticed = || !self.visibility || self.matter.is_noticed_next(thread);
        is_free(self.program, thread) && (thread.stack.is_empty() || is_noticed())
    }

    /// A thread that is `DONE` may stand here.
    pub(super) fn may_be_done(&self, thread: &ThreadState) -> bool {
        is_free(self.program, thread) && (!self.deadlocks || has_ended(self.program, thread))
    }

    /// A move may lead here: to a stop, or where deadlocks are asked for to where the thread cannot go on.
    pub(super) fn is_kept(&mut self, world: &World) -> Result<bool, Stopped> {
        let is_stuck = self.deadlocks && is_free(self.program, &world.threads[0]);
        Ok(self.is_stop(world) || is_stuck && self.steps(world)?.steps.is_empty())
    }

    /// The steps of a thread, what does not matter left out. A call that is summarised is one step, with its return. If it need not
    /// return, nothing is missing: whatever others could see while it runs they see where the thread stands before it, or behind it.
    pub(super) fn steps(&mut self, world: &World) -> Result<Steps, Stopped> {
        self.work.step();
        let block = world.threads[0].block;
        let matters = |at: Option<(ModuleId, NodeId)>, place| self.matter.has(block, at, place);
        let found = mattering_successors(self.program, world, ALONE, &matters, MAX_OUTCOMES);
        let found = found.map_err(|_| Stopped::TooLarge)?;
        let is_low = |after: &World| {
            let stack = &after.threads[0].stack;
            let is_recursive = |module: ModuleId| self.matter.is_recursive[module.index()];
            stack.len() <= world.threads[0].stack.len()
                || stack.iter().filter(|frame| is_recursive(frame.module)).count() <= MAX_HEIGHT
        };
        let (mut is_cut, mut forgets) = (false, false);
        let mut steps = Vec::with_capacity(found.len());
        for (edge, after) in found {
            let starting = self.started.as_ref().or(self.slots.as_ref());
            if starting.is_some_and(|starting| starting.forgets(self.program, world, edge)) {
                forgets = true;
                continue;
            }
            if self.is_summarised(world, &after) {
                let entered = self.matter.project(&after);
                let stepping = Stepping { program: self.program, matter: &self.matter };
                let returned = self.summaries.after(&entered, stepping)?;
                steps.extend(returned.into_iter().map(|after| (edge, after)));
                continue;
            }
            match is_low(&after) {
                true => {
                    let (after, is_missing) = self.handed_over(world, self.matter.project(&after));
                    steps.push((edge, after));
                    is_cut |= is_missing;
                }
                false => is_cut = true,
            }
        }
        // There was no slot for a thread.
        is_cut |= forgets && steps.is_empty();
        Ok(Steps { steps, is_cut })
    }

    /// The step is a call that is told together with its return.
    pub(super) fn is_summarised(&self, before: &World, after: &World) -> bool {
        let [before, after] = [before, after].map(|world| &world.threads[0]);
        if self.summarised.is_empty() || after.stack.len() <= before.stack.len() {
            return false;
        }
        let (caller, callee) = (&after.stack[before.stack.len() - 1], &after.stack[before.stack.len()]);
        let call = self.program.machine.module(caller.module).edge(caller.call.expect("it waits for a call"));
        let is_inside = self.program.machine.module(callee.module).nodes.iter().all(|node| node.in_atomic);
        self.summarised[before.block as usize][callee.module.index()]
            && (is_inside || !self.matter.stores_noticed(before.block, call))
    }

    /// A thread that can do nothing more has ended, waits for nothing, or blocks the run in an atomic region, which is no move.
    /// Whether this is a stop.
    fn note_stuck(&self, world: &World, walk: &mut Walk) -> bool {
        let thread = &world.threads[0];
        match (is_free(self.program, thread), has_ended(self.program, thread)) {
            (true, true) => walk.done.push(world.clone()),
            (true, false) => walk.stops.push(world.clone()),
            (false, true) => walk.ended_inside.push(world.clone()),
            (false, false) => {}
        }
        self.is_unfinished(thread)
    }

    /// The thread may be left here and has not ended.
    pub(super) fn is_unfinished(&self, thread: &ThreadState) -> bool {
        is_free(self.program, thread) && !has_ended(self.program, thread)
    }

    /// The same with a thread more if one has been started; whether one is missing.
    fn handed_over(&self, before: &World, after: World) -> (World, bool) {
        match &self.started {
            Some(started) => started.handed_over(self.program, before, after),
            None => (after, false),
        }
    }

    /// From some states of a running thread on to its stops.
    fn walk(&mut self, seeds: Vec<World>, limits: &Limits<'_>) -> Result<Walk, Stopped> {
        let mut walk = Walk::default();
        let mut passed = Passed::default();
        seeds.into_iter().for_each(|world| passed.add(world, None));
        let mut at = 0;
        while at < passed.worlds.len() {
            let world = passed.worlds[at].clone();
            walk.hits.extend(self.hits(&world)?);
            if self.is_stop(&world) {
                let has_ended = world.threads[0].stack.is_empty();
                let found = if has_ended { &mut walk.done } else { &mut walk.stops };
                found.push(World::clone(&world));
                // Who is on the way to the end has not ended.
                if !(has_ended && self.deadlocks) {
                    passed.ends.push(at);
                }
            } else {
                let Steps { steps, is_cut } = self.steps(&world)?;
                walk.is_cut |= is_cut;
                if self.deadlocks && steps.is_empty() && !is_cut && self.note_stuck(&world, &mut walk) {
                    passed.ends.push(at);
                }
                steps.into_iter().for_each(|(_, after)| passed.add(after, Some(at)));
            }
            if passed.worlds.len() > MAX_PASSED {
                return Err(Stopped::TooLarge);
            }
            self.work.tell(limits)?;
            at += 1;
        }
        if self.deadlocks {
            walk.spins = passed.has_cycle();
            if self.program.blocks.iter().any(|block| block.flag.is_some()) {
                let lost = passed.lost().filter(|world| self.is_unfinished(&world.threads[0]));
                walk.unfinished = lost.cloned().collect();
            }
            return Ok(walk);
        }
        // Where no stop can be reached from, the thread blocks or runs on for ever, and others may go on beside it.
        for world in passed.lost() {
            if is_free(self.program, &world.threads[0]) {
                walk.done.push(world.clone());
            }
        }
        Ok(walk)
    }
}

impl Walk {
    /// It comes to where it can be left, ends, or goes on for ever.
    fn can_go_on(&self) -> bool {
        let is_over = !self.done.is_empty() || !self.ended_inside.is_empty();
        !self.stops.is_empty() || is_over || self.spins || self.is_cut
    }
}

/// States that a thread passes through.
#[derive(Default)]
struct Passed {
    worlds: Vec<Rc<World>>,
    numbers: FxHashMap<Rc<World>, usize>,
    /// From where each was reached.
    before: Vec<Vec<usize>>,
    ends: Vec<usize>,
}

impl Passed {
    fn add(&mut self, world: World, from: Option<usize>) {
        let number = self.numbers.get(&world).copied().unwrap_or_else(|| {
            let world = Rc::new(world);
            self.worlds.push(world.clone());
            self.before.push(Vec::new());
            self.numbers.insert(world, self.worlds.len() - 1);
            self.worlds.len() - 1
        });
        self.before[number].extend(from);
    }

    /// Some way through them never ends.
    fn has_cycle(&self) -> bool {
        // The edges are turned round, which changes no cycle.
        let mut n_after = vec![0usize; self.before.len()];
        self.before.iter().flatten().for_each(|from| n_after[*from] += 1);
        let mut todo: Vec<usize> = (0..n_after.len()).filter(|at| n_after[*at] == 0).collect();
        let mut n_gone = 0;
        while let Some(at) = todo.pop() {
            n_gone += 1;
            for from in &self.before[at] {
                n_after[*from] -= 1;
                if n_after[*from] == 0 {
                    todo.push(*from);
                }
            }
        }
        n_gone < n_after.len()
    }

    /// Those from which no end is reached.
    fn lost(&self) -> impl Iterator<Item = &World> {
        let mut is_saved = vec![false; self.worlds.len()];
        let mut todo = self.ends.clone();
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut is_saved[at], true) {
                todo.extend(&self.before[at]);
            }
        }
        let lost = self.worlds.iter().zip(is_saved).filter(|(_, is_saved)| !is_saved);
        lost.map(|(world, _)| &**world)
    }
}

//! What one thread can do until others could notice, step by step.
//!
//! A move is one step and then all steps that nobody notices, whole atomic regions included, up to a *stop*: outside atomic regions,
//! where the next step is noticed, or at the end. A thread that comes to no stop any more is done. Contract: every step of
//! `rsm::interleave`, for all values of what has none, is looked at; a goal on the way is a refusal.

use super::noticed::Noticed;
use super::{Group, Kept};
use crate::outcome::{Fault, refuse};
use base::Stop;
use rsm::interleave::{ThreadId, World, is_allowed, is_at, is_free, mattering_starts, mattering_successors};
use rsm::values::TooLarge;
use rsm::{Action, Concurrent, Copies, EdgeId, Expr, ModuleId, NodeId, Place, ThreadGoal, Variable};
use rustc_hash::FxHashMap;

/// The only thread of a [`World`] that shows what a thread sees.
const ALONE: ThreadId = ThreadId(0);

/// The most values that are tried for one state, and partial valuations for one step.
const MAX_OUTCOMES: usize = 1 << 16;

/// The most frames that there are on the stacks of all states that one move passes through.
const MAX_PASSED: usize = 1 << 20;

/// A thread and what it sees, on its way.
pub(crate) struct Mover<'a> {
    pub(crate) program: &'a Concurrent,
    pub(crate) goals: &'a [ThreadGoal],
    pub(crate) kept: &'a Kept,
    /// None if all steps count as noticed.
    pub(crate) noticed: Option<Noticed<'a>>,
    pub(crate) stop: &'a Stop,
    /// States from which steps were taken.
    pub(crate) n_steps: u64,
}

/// Where a thread may be left.
#[derive(Default)]
pub(crate) struct Reached {
    /// With its next step to be noticed.
    pub(crate) stops: Vec<World>,
    /// With nothing to do any more, beside these shared values.
    pub(crate) done: Vec<Vec<u64>>,
}

/// Where a value is in a world of one thread.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spot {
    Shared(usize),
    Private(usize),
    Local { frame: usize, n: usize },
}

/// Variables without values that a state needs one for, with the largest.
struct Needed {
    spots: Vec<(Spot, u64)>,
}

impl Mover<'_> {
    /// The states in which a thread of the block may start.
    pub(crate) fn starts(&self, block: u32, shared: &[u64]) -> Result<Vec<World>, Fault> {
        let matters = |at: Option<(ModuleId, NodeId)>, place| self.kept.has(self.program, block, at, place);
        let starts = mattering_starts(self.program, block, shared, &matters, MAX_OUTCOMES);
        let starts = starts.or_else(|TooLarge| refuse("a thread has too many states to start in"))?;
        let world = |thread| World { shared: shared.to_vec(), threads: vec![thread] };
        Ok(starts.into_iter().map(|thread| self.kept.project(self.program, world(thread))).collect())
    }

    /// Everything that a thread can do that is in one of these states; if it has not run, it may go on to its first stops before.
    pub(crate) fn moves(
        &mut self,
        group: Group,
        begin: Vec<World>,
        is_start: bool,
    ) -> Result<Reached, Fault> {
        let stops = if is_start { self.walk(group, begin)?.stops } else { begin };
        let mut seeds = Vec::new();
        for stop in &stops {
            seeds.extend(self.steps(group, stop)?);
        }
        self.walk(group, seeds)
    }

    /// From some states on to the next stops.
    fn walk(&mut self, group: Group, seeds: Vec<World>) -> Result<Reached, Fault> {
        let mut reached = Reached::default();
        let mut numbers: FxHashMap<World, usize> = FxHashMap::default();
        let (mut worlds, mut before) = (Vec::new(), Vec::<Vec<usize>>::new());
        let (mut ends, mut n_frames) = (Vec::new(), 0);
        let mut todo: Vec<(World, Option<usize>)> =
            seeds.into_iter().rev().map(|seed| (seed, None)).collect();
        while let Some((world, from)) = todo.pop() {
            if let Some(known) = numbers.get(&world) {
                before[*known].extend(from);
                continue;
            }
            let number = worlds.len();
            n_frames += world.threads[0].stack.len() + 1;
            if n_frames > MAX_PASSED {
                return refuse("a thread passes through too many states before others could notice");
            }
            numbers.insert(world.clone(), number);
            worlds.push(world.clone());
            before.push(from.into_iter().collect());
            let thread = &world.threads[0];
            let is_noticed = || self.noticed.as_ref().is_none_or(|noticed| noticed.is_next(thread));
            if is_free(self.program, thread) && (thread.stack.is_empty() || is_noticed()) {
                self.views(group, &world)?;
                ends.push(number);
                match thread.stack.is_empty() {
                    true => reached.done.push(world.shared),
                    false => reached.stops.push(world),
                }
            } else {
                todo.extend(self.steps(group, &world)?.into_iter().map(|after| (after, Some(number))));
            }
        }
        let is_saved = reaching(&before, ends);
        let lost = worlds.into_iter().zip(is_saved).filter(|(_, is_saved)| !is_saved);
        let left = lost.filter(|(world, _)| is_free(self.program, &world.threads[0]));
        reached.done.extend(left.map(|(world, _)| world.shared));
        Ok(reached)
    }

    /// Every step of a thread.
    fn steps(&mut self, group: Group, world: &World) -> Result<Vec<World>, Fault> {
        let found = self.steps_by_edge(group, world)?;
        Ok(found.into_iter().map(|(_, after)| after).collect())
    }

    /// Every step of a thread, with its edge.
    pub(crate) fn steps_by_edge(
        &mut self,
        group: Group,
        world: &World,
    ) -> Result<Vec<(EdgeId, World)>, Fault> {
        self.n_steps += 1;
        if self.n_steps.is_multiple_of(1 << 8)
            && let Some(reason) = self.stop.requested()
        {
            return Err(Fault::Stopped(reason));
        }
        let block = world.threads[0].block;
        let matters = |at: Option<(ModuleId, NodeId)>, place| self.kept.has(self.program, block, at, place);
        let mut found = Vec::new();
        for view in self.views(group, world)? {
            let after = mattering_successors(self.program, &view, ALONE, &matters, MAX_OUTCOMES);
            let after = after.or_else(|TooLarge| refuse("a step has too many outcomes"))?;
            let projected = |(edge, after)| (edge, self.kept.project(self.program, after));
            found.extend(after.into_iter().map(projected));
        }
        Ok(found)
    }

    /// The state with all values of what it needs and has none; those in which the thread cannot be active left out. It must not be
    /// at a goal in any of them.
    fn views(&self, group: Group, world: &World) -> Result<Vec<World>, Fault> {
        // The only copy of a block is known, even where copies are not told apart.
        let is_only = self.program.blocks[group.block as usize].copies == Copies::Number(1);
        let copy = group.copy.or(is_only.then_some(0));
        let may_be = |goal: &&ThreadGoal| goal.copy.is_none() || copy.is_none() || goal.copy == copy;
        let mut views = Vec::new();
        for view in self.needed(world).complete(world)? {
            let is_allowed = is_allowed(self.program, &view, ALONE);
            if !is_allowed.or_else(|TooLarge| refuse("what a function enforces has too many values"))? {
                continue;
            }
            for goal in self.goals.iter().filter(may_be) {
                let of_any = ThreadGoal { copy: None, ..*goal };
                let is_there = is_at(self.program, &view, ALONE, of_any);
                if is_there.or_else(|TooLarge| refuse("an assertion has too many values"))? {
                    let block = &self.program.blocks[group.block as usize].name;
                    return refuse(format!("a thread of `{block}` gets to a target"));
                }
            }
            views.push(view);
        }
        Ok(views)
    }

    /// The next steps of a thread depend on something that the certificate gives no value for.
    pub(crate) fn is_open(&self, world: &World) -> bool {
        !self.needed(world).spots.is_empty()
    }

    /// What the next steps of a thread depend on and the certificate gives no value for.
    fn needed(&self, world: &World) -> Needed {
        let mut needed = Needed { spots: Vec::new() };
        let thread = &world.threads[0];
        let Some(top) = thread.stack.last() else { return needed };
        let machine = &self.program.machine;
        let module = machine.module(top.module);
        self.add_reads(&mut needed, world, module.enforce.iter());
        for (id, edge) in module.edges_from(top.node) {
            match &edge.action {
                Action::Call { callee, args, .. } => {
                    let to = Some((*callee, machine.module(*callee).entry));
                    let enforces = machine.module(*callee).enforce.is_some();
                    let is_kept = |n: &usize| enforces || self.has(world, to, Place::Local(*n as u32));
                    let args = args.iter().enumerate().filter(|(n, _)| is_kept(n)).map(|(_, arg)| arg);
                    self.add_reads(&mut needed, world, args);
                    self.add_globals(&mut needed, world, to, &[], &machine.module(*callee).enforce);
                    let waits = |place| self.kept.has_waiting(top.module, id, place);
                    self.add_locals(&mut needed, world, thread.stack.len() - 1, &waits);
                }
                Action::Return { values } => self.add_return(&mut needed, world, values),
                action => {
                    let to = Some((top.module, edge.to));
                    let stores: Vec<Place> = action.stores().collect();
                    let is_kept = |n: usize| stores.get(n).is_none_or(|place| self.has(world, to, *place));
                    let depends = module.enforce.is_some()
                        || matches!(action, Action::Assign { constrain: Some(_), .. });
                    let read = action.expressions().enumerate();
                    let read = read.filter(|(n, _)| depends || is_kept(*n)).map(|(_, expr)| expr);
                    self.add_reads(&mut needed, world, read);
                    self.add_globals(&mut needed, world, to, &stores, &None);
                    let stays = |place| self.has(world, to, place) && !stores.contains(&place);
                    self.add_locals(&mut needed, world, thread.stack.len() - 1, &stays);
                }
            }
        }
        needed
    }

    /// A return depends on what it hands over, and the caller on what it knew before.
    fn add_return(&self, needed: &mut Needed, world: &World, values: &[Expr]) {
        let stack = &world.threads[0].stack;
        let Some(frame) = stack.len().checked_sub(2) else { return };
        let Some(call) = stack[frame].call else { return };
        let caller = self.program.machine.module(stack[frame].module);
        let call = caller.edge(call);
        let Action::Call { results, .. } = &call.action else { return };
        let to = Some((stack[frame].module, call.to));
        let is_kept = |place: &Option<Place>| {
            place.is_some_and(|place| caller.enforce.is_some() || self.has(world, to, place))
        };
        let handed = values.iter().zip(results).filter(|(_, place)| is_kept(place)).map(|(value, _)| value);
        self.add_reads(needed, world, handed);
        let stores: Vec<Place> = call.action.stores().collect();
        self.add_globals(needed, world, to, &stores, &caller.enforce);
        let enforced: Vec<Place> = caller.enforce.iter().flat_map(Expr::reads).collect();
        let stays = |place: Place| {
            (self.has(world, to, place) || enforced.contains(&place)) && !stores.contains(&place)
        };
        self.add_locals(needed, world, frame, &stays);
    }

    fn has(&self, world: &World, at: Option<(ModuleId, NodeId)>, place: Place) -> bool {
        self.kept.has(self.program, world.threads[0].block, at, place)
    }

    /// What expressions read in the scope of the function on top.
    fn add_reads<'e>(&self, needed: &mut Needed, world: &World, exprs: impl Iterator<Item = &'e Expr>) {
        let top = world.threads[0].stack.len() - 1;
        for place in exprs.flat_map(Expr::reads) {
            self.add(needed, world, top, place);
        }
    }

    /// Globals that go on with their values where a step leads, and what the function there enforces about them.
    fn add_globals(
        &self,
        needed: &mut Needed,
        world: &World,
        to: Option<(ModuleId, NodeId)>,
        stores: &[Place],
        enforce: &Option<Expr>,
    ) {
        let (thread, top) = (&world.threads[0], world.threads[0].stack.len() - 1);
        for place in &self.program.blocks[thread.block as usize].private {
            let place = Place::Global(*place);
            if self.has(world, to, place) && !stores.contains(&place) {
                self.add(needed, world, top, place);
            }
        }
        for place in enforce.iter().flat_map(Expr::reads).filter(|place| matches!(place, Place::Global(_))) {
            self.add(needed, world, top, place);
        }
    }

    /// Locals of a frame that go on with their values.
    fn add_locals(&self, needed: &mut Needed, world: &World, frame: usize, goes_on: &dyn Fn(Place) -> bool) {
        for n in 0..world.threads[0].stack[frame].locals.len() {
            let place = Place::Local(n as u32);
            if goes_on(place) {
                self.add(needed, world, frame, place);
            }
        }
    }

    /// A value is needed in a frame; nothing happens if there is one.
    fn add(&self, needed: &mut Needed, world: &World, frame: usize, place: Place) {
        let thread = &world.threads[0];
        let owner = &thread.stack[frame];
        let top = thread.stack.last().map(|top| (top.module, top.node));
        let has = match (place, owner.call) {
            (Place::Local(_), Some(call)) => self.kept.has_waiting(owner.module, call, place),
            _ => self.has(world, top, place),
        };
        let private = &self.program.blocks[thread.block as usize].private;
        let spot = match place {
            _ if has => return,
            Place::Local(n) => Spot::Local { frame, n: n as usize },
            Place::Global(n) if (n as usize) < self.program.n_shared => Spot::Shared(n as usize),
            Place::Global(n) => match private.iter().position(|place| *place == n) {
                Some(position) => Spot::Private(position),
                None => return,
            },
        };
        let Variable { ty, .. } = self.program.machine.variable(owner.module, place);
        if needed.spots.iter().all(|(known, _)| *known != spot) {
            needed.spots.push((spot, ty.max()));
        }
    }
}

impl Needed {
    /// A world for each way to pick the values.
    fn complete(&self, world: &World) -> Result<Vec<World>, Fault> {
        let mut worlds = vec![world.clone()];
        for (spot, max) in &self.spots {
            let n = usize::try_from(*max).unwrap_or(usize::MAX).saturating_add(1);
            if worlds.len().saturating_mul(n) > MAX_OUTCOMES {
                return refuse("a step depends on too many values that the certificate leaves open");
            }
            let with = |world: World| {
                (0..=*max).map(move |value| {
                    let mut world = world.clone();
                    *slot(&mut world, *spot) = value;
                    world
                })
            };
            worlds = worlds.into_iter().flat_map(with).collect();
        }
        Ok(worlds)
    }
}

fn slot(world: &mut World, spot: Spot) -> &mut u64 {
    match spot {
        Spot::Shared(n) => &mut world.shared[n],
        Spot::Private(n) => &mut world.threads[0].private[n],
        Spot::Local { frame, n } => &mut world.threads[0].stack[frame].locals[n],
    }
}

/// Of each state whether one of the ends is reached from it, if it is known from where each was reached.
fn reaching(before: &[Vec<usize>], ends: Vec<usize>) -> Vec<bool> {
    let mut is_saved = vec![false; before.len()];
    let mut todo = ends;
    while let Some(at) = todo.pop() {
        if !std::mem::replace(&mut is_saved[at], true) {
            todo.extend(&before[at]);
        }
    }
    is_saved
}

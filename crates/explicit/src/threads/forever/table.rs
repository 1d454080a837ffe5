//! What a thread can do by itself while somebody watches it: a table by block, shared values and own state.
//!
//! A move is one step and then all steps that neither others nor the observer notice, up to a *stop*: outside atomic regions where
//! some next step is noticed, or changes what the observer sees, be it possible now or not; inside where what is seen would change for
//! the second time. So a letter changes at most once in a move. If the observer counts steps, every state is a stop.
//!
//! Beside stops a move leads to *done*: nothing is possible, and nobody can change that; or to *spinning*: a cycle of steps that
//! nobody notices, whose one move leads to itself. A way that gets stuck inside an atomic region is no move. Contract: every step is one
//! of `rsm::interleave`; who is able to move is what `has_move` says.

use super::super::mail::{Letter as Words32, Numbers, Words, read_thread, write_thread};
use super::super::matter::Matter;
use super::super::started::Started;
use super::super::steps::{ALONE, MAX_HEIGHT, MAX_OUTCOMES, MAX_PASSED, Numbered, Work};
use super::super::summaries::{Passage, Stepping, Summaries};
use super::touched::{Future, Reach, Touched};
use crate::{Limits, Stopped};
use rsm::interleave::{
    ThreadState, World, each_mattering_shared, has_ended, is_allowed, is_free, mattering_starts,
    mattering_successors,
};
use rsm::observe::{Letter, Observed, Observer};
use rsm::{Concurrent, EdgeId, ModuleId, NodeId, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::{ControlFlow, Range};

/// Where a thread is between its moves.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Local {
    /// It may be left here, or the observer is about to see something.
    Stop(ThreadState),
    /// It does nothing any more; the observer sees this of it.
    Done { bits: Letter, has_ended: bool },
    /// It runs on for ever unnoticed; perhaps inside an atomic region, so that all others stand still.
    Spin { bits: Letter, is_inside: bool },
}

/// What is known of a [`Local`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    /// What the observer sees, were it any copy.
    pub(super) bits: Letter,
    /// It is inside an atomic region.
    pub(super) is_inside: bool,
    pub(super) has_ended: bool,
    /// What the thread may touch from now on, that others notice.
    pub(super) future: Future,
}

/// What a thread can do from where it is.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its moves, in [`Table::move_at`].
    pub(super) moves: Range<u32>,
    /// It has a move in the sense of `rsm::interleave::has_move`; says nothing inside atomic regions.
    pub(super) is_able: bool,
    /// It may end inside an atomic region, so that nobody goes on.
    pub(super) ends_inside: bool,
    /// What its moves touch, be they possible or not.
    pub(super) next: Touched,
    /// Some move leads into an atomic region.
    pub(super) leads_inside: bool,
    /// What the observer sees change by some move, and by every move, were it any copy.
    pub(super) may_change: Letter,
    pub(super) does_change: Letter,
}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Move {
    pub(super) shared: u32,
    pub(super) local: u32,
    /// What the observer sees of its first step itself, were it any copy.
    pub(super) seen: Letter,
}

/// A step of a thread, what does not matter left out.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The edge; none for a call that is told as one step, from its entry to behind its return, or for ever.
    pub(super) edge: Option<EdgeId>,
    pub(super) after: World,
    pub(super) seen: Letter,
}

/// What a state is to a walk.
pub(super) enum Kind {
    /// The walk ends here.
    End(Local),
    /// It goes on.
    Passed(Vec<Step>),
    /// It is stuck where the thread may not be left.
    Stuck,
}

/// What the observer sees of a thread, and of the shared values.
pub(super) type Sight = (Letter, Letter);

/// States that a walk passes, and how they follow each other.
#[derive(Default)]
pub(super) struct Walk {
    pub(super) worlds: Vec<World>,
    numbers: FxHashMap<World, u32>,
    /// The steps from each; empty at its ends.
    pub(super) steps: Vec<Vec<(Option<EdgeId>, u32)>>,
    /// What each is, if the walk ends there.
    pub(super) ends: Vec<Option<Local>>,
}

impl Walk {
    fn add(&mut self, world: World) -> u32 {
        let next = self.worlds.len() as u32;
        let number = *self.numbers.entry(world.clone()).or_insert(next);
        if number == next {
            self.worlds.push(world);
        }
        number
    }

    /// For each component with a cycle its first state.
    pub(super) fn cycles(&self) -> Vec<Vec<u32>> {
        let edges = |at: u32| &self.steps[at as usize][..];
        let mut components =
            base::Components::new(self.worlds.len())
                .list(0..self.worlds.len() as u32, edges, |(_, to)| Some(*to));
        let is_cycle = |members: &Vec<u32>| {
            members.len() > 1 || edges(members[0]).iter().any(|(_, to)| *to == members[0])
        };
        components.retain(is_cycle);
        components
    }
}

/// All that threads of a program can do.
pub(super) struct Table<'p> {
    pub(super) program: &'p Concurrent,
    pub(super) observer: &'p Observer,
    pub(super) matter: Matter<'p>,
    /// Steps that nobody notices are merged.
    merges: bool,
    summarised: Vec<Vec<bool>>,
    summaries: Summaries,
    /// How threads are started, if they are.
    started: Option<Started>,
    shared: Numbered<Vec<u64>>,
    shared_bits: Vec<Letter>,
    /// Which variables are not F, see [`Reach::values`].
    shared_true: Vec<u64>,
    locals: Vec<Numbered<Local>>,
    facts: Vec<Vec<Fact>>,
    /// By block.
    known: Vec<FxHashMap<u64, u32>>,
    entries: Vec<Entry>,
    moves: Vec<Move>,
    /// Calls were left out because a stack would become too high, or threads because there was no slot for them.
    pub(super) is_cut: bool,
    /// Some step that was looked for last was left out, so that a thread without steps is not one that cannot move.
    leaves_out: bool,
    /// The thread that is looked at may end inside an atomic region.
    ends_inside: bool,
    /// What it has touched.
    touched: Touched,
    pub(super) reach: Reach,
    work: Work,
}

/// What a state in a letter is.
const STOP: u32 = 0;
const IS_DONE: u32 = 1;
const SPINS: u32 = 2;

impl Numbers for Table<'_> {
    const FIRST: u32 = 0;

    fn sizes(&self) -> (usize, impl Iterator<Item = usize> + '_) {
        self.sizes()
    }

    fn shared_values(&self, number: u32) -> &[u64] {
        self.shared_values(number)
    }

    fn number_shared(&mut self, values: Vec<u64>) -> Option<u32> {
        (values.len() == self.matter.shared().len()).then(|| self.shared_number(values))
    }

    fn write_state(&self, block: u32, number: u32, out: &mut Words32) {
        let (kind, bits, flag) = match self.local(block, number) {
            Local::Stop(thread) => {
                out.push(STOP);
                return write_thread(thread, out);
            }
            Local::Done { bits, has_ended } => (IS_DONE, bits, has_ended),
            Local::Spin { bits, is_inside } => (SPINS, bits, is_inside),
        };
        out.extend([kind, *bits as u32, (*bits >> 32) as u32, u32::from(*flag)]);
    }

    fn read_state(&mut self, block: u32, words: &mut Words<'_>) -> Option<u32> {
        let kind = words.next().ok()?;
        if kind == STOP {
            let thread = read_thread(self.program, block, words)?;
            return Some(self.local_number(block, Local::Stop(thread)));
        }
        let bits = Letter::from(words.next().ok()?) | Letter::from(words.next().ok()?) << 32;
        let flag = words.next().ok()? != 0;
        let local = match kind {
            IS_DONE => Local::Done { bits, has_ended: flag },
            SPINS => Local::Spin { bits, is_inside: flag },
            _ => return None,
        };
        ((block as usize) < self.locals.len()).then(|| self.local_number(block, local))
    }
}

impl<'p> Table<'p> {
    pub(super) fn new(
        program: &'p Concurrent,
        observer: &'p Observer,
        mut matter: Matter<'p>,
        settings: super::super::Settings,
    ) -> Self {
        let (globals, modules) = watched(program, observer);
        globals.iter().for_each(|global| matter.keep_observed(*global));
        observer.locals().iter().for_each(|(module, local)| matter.keep_observed_local(*module, *local));
        let summarised = match settings.summaries {
            true => matter.summarised(&modules),
            false => Vec::new(),
        };
        Self {
            program,
            observer,
            matter,
            merges: settings.visibility && observer.ignores_repetition,
            summarised,
            summaries: Summaries::default(),
            started: Started::of(program, None),
            shared: Numbered::new(),
            shared_bits: Vec::new(),
            shared_true: Vec::new(),
            locals: program.blocks.iter().map(|_| Numbered::new()).collect(),
            facts: vec![Vec::new(); program.blocks.len()],
            known: vec![FxHashMap::default(); program.blocks.len()],
            entries: Vec::new(),
            moves: Vec::new(),
            is_cut: false,
            leaves_out: false,
            ends_inside: false,
            touched: Touched::default(),
            reach: Reach::new(program, observer),
            work: Work::default(),
        }
    }

    /// How many numbers there are for shared values, and for the states of each block.
    pub(super) fn sizes(&self) -> (usize, impl Iterator<Item = usize> + '_) {
        (self.shared.len(), self.locals.iter().map(Numbered::len))
    }

    /// Steps that nobody notices are merged.
    pub(super) fn merges(&self) -> bool {
        self.merges
    }

    /// Bytes in use, about.
    pub(super) fn bytes(&self) -> usize {
        let n_locals: usize = self.locals.iter().map(Numbered::len).sum();
        self.shared.len() * (64 + self.program.machine.globals.len() * 8)
            + n_locals * 256
            + self.entries.len() * (16 + size_of::<Entry>())
            + self.moves.capacity() * size_of::<Move>()
    }

    pub(super) fn n_entries(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn shared_values(&self, number: u32) -> &[u64] {
        self.shared.value(number)
    }

    /// What the observer sees of shared values.
    pub(super) fn shared_bits(&self, number: u32) -> Letter {
        self.shared_bits[number as usize]
    }

    /// Which of the variables are not F.
    pub(super) fn shared_true(&self, number: u32) -> u64 {
        self.shared_true[number as usize]
    }

    pub(super) fn local(&self, block: u32, number: u32) -> &Local {
        self.locals[block as usize].value(number)
    }

    pub(super) fn fact(&self, block: u32, number: u32) -> Fact {
        self.facts[block as usize][number as usize]
    }

    pub(super) fn move_at(&self, n: u32) -> Move {
        self.moves[n as usize]
    }

    pub(super) fn entry_at(&self, n: u32) -> &Entry {
        &self.entries[n as usize]
    }

    pub(super) fn shared_number(&mut self, shared: Vec<u64>) -> u32 {
        let bits = self.observer.shared_bits(&shared);
        let values = self.reach.values(&shared);
        let number = self.shared.number(shared);
        if number as usize == self.shared_bits.len() {
            self.shared_bits.push(bits);
            self.shared_true.push(values);
        }
        number
    }

    pub(super) fn local_number(&mut self, block: u32, local: Local) -> u32 {
        let fact = match &local {
            Local::Stop(thread) => Fact {
                bits: self.observer.thread_bits(self.program, thread),
                is_inside: !is_free(self.program, thread),
                has_ended: false,
                future: self.reach.future(self.program, thread),
            },
            Local::Done { bits, has_ended } => {
                Fact { bits: *bits, is_inside: false, has_ended: *has_ended, future: Future::default() }
            }
            Local::Spin { bits, is_inside } => {
                Fact { bits: *bits, is_inside: *is_inside, has_ended: false, future: Future::default() }
            }
        };
        let number = self.locals[block as usize].number(local);
        let facts = &mut self.facts[block as usize];
        if number as usize == facts.len() {
            facts.push(fact);
        }
        number
    }

    /// What does not matter left out.
    pub(super) fn project(&self, shared: &[u64], thread: &ThreadState) -> World {
        self.matter.project(&World { shared: shared.to_vec(), threads: vec![thread.clone()] })
    }

    /// The shared values with which runs start, what does not matter left out.
    pub(super) fn first_shared(&self) -> Result<Vec<Vec<u64>>, Stopped> {
        let matters = |place| self.matter.has_shared(place);
        let mut all = Vec::new();
        let visited = each_mattering_shared(self.program, &matters, MAX_OUTCOMES, &mut |values| {
            all.push(values);
            ControlFlow::Continue(())
        });
        visited.map_err(|_| Stopped::TooLarge)?;
        Ok(all)
    }

    /// The states in which a thread of the block may start beside these values.
    pub(super) fn starts(&self, block: u32, shared: &[u64]) -> Result<Vec<ThreadState>, Stopped> {
        let matters = |at: Option<(ModuleId, NodeId)>, place: Place| self.matter.has(block, at, place);
        mattering_starts(self.program, block, shared, &matters, MAX_OUTCOMES).map_err(|_| Stopped::TooLarge)
    }

    /// The call that the thread has just made is told as one step with its return.
    fn is_summarised(&self, thread: &ThreadState) -> bool {
        let [.., caller, callee] = &thread.stack[..] else { return false };
        if self.summarised.is_empty() || !self.summarised[thread.block as usize][callee.module.index()] {
            return false;
        }
        let machine = &self.program.machine;
        let module = machine.module(callee.module);
        let call = machine.module(caller.module).edge(caller.call.expect("it waits for a call"));
        let is_inside = module.nodes.iter().all(|node| node.in_atomic);
        callee.node == module.entry && (is_inside || !self.matter.stores_noticed(thread.block, call))
    }

    /// The steps of a thread that is allowed to run.
    pub(super) fn steps(&mut self, world: &World) -> Result<Vec<Step>, Stopped> {
        self.work.step();
        self.leaves_out = false;
        let thread = &world.threads[0];
        let is_summarised = self.is_summarised(thread);
        self.touched = self.touched.with(self.reach.next(self.program, thread, is_summarised));
        if is_summarised {
            return self.through_call(world);
        }
        let block = thread.block;
        let matters = |at: Option<(ModuleId, NodeId)>, place: Place| self.matter.has(block, at, place);
        let found = mattering_successors(self.program, world, ALONE, &matters, MAX_OUTCOMES);
        let mut steps = Vec::new();
        let mut forgets = false;
        for (edge, after) in found.map_err(|_| Stopped::TooLarge)? {
            // A thread that is started is not forgotten unless there is no slot for it.
            if self.started.as_ref().is_some_and(|started| started.forgets(self.program, world, edge)) {
                forgets = true;
                continue;
            }
            if !self.is_low(thread, &after.threads[0]) {
                self.leaves_out = true;
                continue;
            }
            let seen = self.observer.step_bits(self.program, thread, edge);
            steps.push(Step { edge: Some(edge), after: self.matter.project(&after), seen });
        }
        self.leaves_out |= forgets && steps.is_empty();
        self.is_cut |= self.leaves_out;
        Ok(steps)
    }

    /// A stack does not become too high by a step.
    fn is_low(&self, before: &ThreadState, after: &ThreadState) -> bool {
        let is_recursive = |module: ModuleId| self.matter.is_recursive[module.index()];
        after.stack.len() <= before.stack.len()
            || self.is_summarised(after)
            || after.stack.iter().filter(|frame| is_recursive(frame.module)).count() <= MAX_HEIGHT
    }

    /// From the entry of a function that nobody notices to behind its return; or on for ever inside.
    fn through_call(&mut self, world: &World) -> Result<Vec<Step>, Stopped> {
        let stepping = Stepping { program: self.program, matter: &self.matter };
        let returned = self.summaries.after(world, stepping)?;
        let step = |after: World| Step { edge: None, after, seen: 0 };
        let mut steps: Vec<Step> = returned.into_iter().map(step).collect();
        if self.summaries.runs_for_ever(world) {
            steps.push(step(world.clone()));
        }
        Ok(steps)
    }

    /// The states of a run that goes on for ever inside of a call that has just been made.
    pub(super) fn endless(&mut self, world: &World) -> Option<(Vec<Passage>, Vec<Passage>)> {
        self.summaries.endless(world)
    }

    /// What the observer sees where a thread is.
    pub(super) fn sight(&self, world: &World) -> Sight {
        let thread = self.observer.thread_bits(self.program, &world.threads[0]);
        (thread, self.observer.shared_bits(&world.shared))
    }

    /// What a state is to a walk; whether the step that led there was seen itself, and what was seen where the move began.
    pub(super) fn kind(
        &mut self,
        world: &World,
        is_seen: bool,
        began: Option<Sight>,
    ) -> Result<Kind, Stopped> {
        let thread = &world.threads[0];
        let (is_free, bits) = (is_free(self.program, thread), self.sight(world));
        if has_ended(self.program, thread) {
            self.ends_inside |= !is_free;
            return Ok(match is_free {
                true => Kind::End(Local::Done { bits: bits.0, has_ended: true }),
                false => Kind::Stuck,
            });
        }
        if is_seen || !self.merges || (is_free && self.matter.is_noticed_next(thread)) {
            return Ok(Kind::End(Local::Stop(thread.clone())));
        }
        let steps = self.steps(world)?;
        // Nobody else moves meanwhile, so one change may come anywhere in a move.
        let may_change = !is_free && began == Some(bits);
        let changes = |step: &Step| step.seen != 0 || (!may_change && self.sight(&step.after) != bits);
        Ok(match steps.is_empty() {
            true if self.leaves_out => Kind::Stuck,
            true if is_free => Kind::End(Local::Done { bits: bits.0, has_ended: false }),
            true => Kind::Stuck,
            false if steps.iter().any(changes) => Kind::End(Local::Stop(thread.clone())),
            false => Kind::Passed(steps),
        })
    }

    /// From some states on to where it ends. Each comes with whether the step to it was seen itself. What was seen where the move began
    /// may change once; at the beginning of a run it may not, since nobody would have seen it.
    pub(super) fn walk(
        &mut self,
        seeds: &[(World, bool)],
        began: Option<Sight>,
        limits: &Limits<'_>,
    ) -> Result<Walk, Stopped> {
        let mut walk = Walk::default();
        for (world, _) in seeds {
            walk.add(world.clone());
        }
        let seen: FxHashSet<&World> = seeds.iter().filter(|seed| seed.1).map(|seed| &seed.0).collect();
        while walk.steps.len() < walk.worlds.len() {
            let world = walk.worlds[walk.steps.len()].clone();
            let (mut steps, mut end) = (Vec::new(), None);
            match self.kind(&world, seen.contains(&world), began)? {
                Kind::End(local) => end = Some(local),
                Kind::Passed(passed) => {
                    steps.extend(passed.into_iter().map(|step| (step.edge, walk.add(step.after))));
                }
                Kind::Stuck => {}
            }
            walk.steps.push(steps);
            walk.ends.push(end);
            if walk.worlds.len() > MAX_PASSED {
                return Err(Stopped::TooLarge);
            }
            self.work.tell(limits)?;
        }
        Ok(walk)
    }

    /// What a walk leads to, each once, with the shared values there.
    pub(super) fn ends(&mut self, walk: &Walk) -> Vec<(Vec<u64>, Local)> {
        let ends = walk.worlds.iter().zip(&walk.ends);
        let mut found: Vec<(Vec<u64>, Local)> =
            ends.filter_map(|(world, end)| Some((world.shared.clone(), end.clone()?))).collect();
        for cycle in walk.cycles() {
            // It does not matter which of them: others notice none of it. The one that is told by its values is found again by others.
            let worlds = cycle.iter().map(|at| &walk.worlds[*at as usize]);
            let world = worlds.min_by(|a, b| a.shared.cmp(&b.shared)).expect("a cycle has states");
            found.push((world.shared.clone(), self.spin(world)));
        }
        let mut known = FxHashSet::default();
        found.retain(|end| known.insert(end.clone()));
        found
    }

    /// The thread goes round here for ever.
    pub(super) fn spin(&self, world: &World) -> Local {
        Local::Spin { bits: self.sight(world).0, is_inside: !is_free(self.program, &world.threads[0]) }
    }

    /// What a thread can do.
    pub(super) fn entry(
        &mut self,
        (block, shared, local): (u32, u32, u32),
        limits: &Limits<'_>,
    ) -> Result<u32, Stopped> {
        if let Some(entry) = self.known[block as usize].get(&key(shared, local)) {
            return Ok(*entry);
        }
        let first = self.moves.len() as u32;
        (self.ends_inside, self.touched) = (false, Touched::default());
        let is_able = match self.local(block, local).clone() {
            Local::Done { .. } => false,
            Local::Spin { .. } => {
                self.moves.push(Move { shared, local, seen: 0 });
                true
            }
            Local::Stop(thread) => self.compute(block, shared, thread, limits)?,
        };
        let (ends_inside, next, bits) = (self.ends_inside, self.touched, self.fact(block, local).bits);
        let moves = first..self.moves.len() as u32;
        let (mut leads_inside, mut may_change, mut does_change) = (false, 0, Letter::MAX);
        for step in &self.moves[first as usize..] {
            let to = self.fact(block, step.local);
            let changes = to.bits ^ bits | step.seen;
            leads_inside |= to.is_inside;
            may_change |= changes;
            does_change &= changes;
        }
        let entry = Entry { moves, is_able, ends_inside, next, leads_inside, may_change, does_change };
        self.entries.push(entry);
        self.known[block as usize].insert(key(shared, local), self.entries.len() as u32 - 1);
        Ok(self.entries.len() as u32 - 1)
    }

    /// Appends the moves from a stop; says whether there is one in the sense of `has_move`.
    fn compute(
        &mut self,
        block: u32,
        shared: u32,
        thread: ThreadState,
        limits: &Limits<'_>,
    ) -> Result<bool, Stopped> {
        let world = World { shared: self.shared_values(shared).to_vec(), threads: vec![thread] };
        if !is_allowed(self.program, &world, ALONE).map_err(|_| Stopped::TooLarge)? {
            return Ok(false);
        }
        let (steps, began) = (self.steps(&world)?, self.sight(&world));
        let leaves_out = self.leaves_out;
        let is_able =
            leaves_out || self.is_able(steps.iter().map(|step| step.after.clone()).collect(), limits)?;
        let mut seen: Vec<Letter> = steps.iter().map(|step| step.seen).collect();
        seen.sort_unstable();
        seen.dedup();
        let mut known = FxHashSet::default();
        for seen in seen {
            let own = steps.iter().filter(|step| step.seen == seen);
            let seeds: Vec<(World, bool)> = own.map(|step| (step.after.clone(), seen != 0)).collect();
            let walk = self.walk(&seeds, Some(began), limits)?;
            for (shared, local) in self.ends(&walk) {
                let local = self.local_number(block, local);
                let step = Move { shared: self.shared_number(shared), local, seen };
                if known.insert(step) {
                    self.moves.push(step);
                }
            }
        }
        Ok(is_able)
    }

    /// From one of these states the thread gets to where it may be left, or ends, or goes on for ever.
    fn is_able(&mut self, seeds: Vec<World>, limits: &Limits<'_>) -> Result<bool, Stopped> {
        let mut walk = Walk::default();
        for world in seeds {
            walk.add(world);
        }
        while walk.steps.len() < walk.worlds.len() {
            let world = walk.worlds[walk.steps.len()].clone();
            let thread = &world.threads[0];
            if is_free(self.program, thread) || has_ended(self.program, thread) {
                return Ok(true);
            }
            let steps = self.steps(&world)?;
            if self.leaves_out {
                return Ok(true);
            }
            let steps = steps.into_iter().map(|step| (step.edge, walk.add(step.after))).collect();
            walk.steps.push(steps);
            if walk.worlds.len() > MAX_PASSED {
                return Err(Stopped::TooLarge);
            }
            self.work.tell(limits)?;
        }
        Ok(!walk.cycles().is_empty())
    }
}

fn key(shared: u32, local: u32) -> u64 {
    u64::from(shared) << 32 | u64::from(local)
}

/// The globals that somebody watches, and the modules whose steps may change what is seen.
fn watched(program: &Concurrent, observer: &Observer) -> (Vec<u32>, Vec<ModuleId>) {
    let (mut globals, mut modules) = (Vec::new(), Vec::new());
    let global = |place| match place {
        Place::Global(n) => Some(n),
        Place::Local(_) => None,
    };
    for seen in &observer.observations {
        match &seen.what {
            Observed::Shared(expr) => globals.extend(expr.reads().filter_map(global)),
            Observed::Private { modules: own, expr, .. } => {
                globals.extend(expr.reads().filter_map(global));
                modules.extend(own);
            }
            Observed::At(_, places) => modules.extend(places.iter().map(|place| place.0)),
            Observed::Call(_, own) | Observed::Return(_, own) => modules.extend(own),
        }
    }
    for (number, module) in program.machine.modules.iter().enumerate() {
        let mut stores = module.edges.iter().flat_map(|edge| edge.action.stores()).filter_map(global);
        if stores.any(|stored| globals.contains(&stored)) {
            modules.push(ModuleId::new(number));
        }
    }
    (globals, modules)
}

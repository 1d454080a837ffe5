//! Worlds with equal parts stored once.
//!
//! A world is a short list of numbers: that of its shared values, then one for each thread. A thread is its private
//! values and a stack, a stack is a frame on top of another stack; so neither a new world nor the comparison of two of
//! them costs more for deep stacks. What a thread can do depends on its block, its state and the shared values alone and
//! is computed once for each of these.

use super::search::{Limits, Unfinished};
use super::start::roles;
use super::view::{N_FRAMES, join, moves, split};
use super::{ThreadId, ThreadState, World, has_flag, is_allowed_in};
use crate::concurrent::Concurrent;
use crate::machine::EdgeId;
use crate::step::needed::Needed;
use crate::step::outcomes::State;
use crate::step::{Configuration, Frame, Turn, take};
use crate::values::TooLarge;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;

base::index_type! {
    /// A world.
    WorldId;
    /// Values of the shared globals.
    SharedId;
    /// The private values and the stack of a thread.
    LocalId;
    /// A stack that is not empty.
    StackId;
}

/// Values with a number for each, in the order in which they came.
struct Numbered<T> {
    values: Vec<Rc<T>>,
    numbers: FxHashMap<Rc<T>, usize>,
}

impl<T: Eq + Hash> Numbered<T> {
    fn new() -> Self {
        Self { values: Vec::new(), numbers: FxHashMap::default() }
    }

    /// The number of a value.
    fn number(&mut self, value: T) -> usize {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let value = Rc::new(value);
        self.values.push(value.clone());
        self.numbers.insert(value, self.values.len() - 1);
        self.values.len() - 1
    }
}

/// The shared values and the state of every thread.
#[derive(PartialEq, Eq, Hash)]
struct Parts {
    shared: SharedId,
    threads: Box<[LocalId]>,
}

/// What belongs to one thread.
#[derive(PartialEq, Eq, Hash)]
struct Local {
    private: Vec<u64>,
    stack: Option<StackId>,
}

/// A frame and what is below it.
#[derive(PartialEq, Eq, Hash)]
struct Stack {
    below: Option<StackId>,
    frame: Frame,
}

/// What is known of a stack.
#[derive(Clone, Copy)]
struct StackFacts {
    depth: usize,
    /// Some frame is at a node in an atomic block, and the thread has not ended.
    in_atomic: bool,
}

/// A step of a thread: the edge, and what it and the shared values become.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub(super) edge: EdgeId,
    shared: SharedId,
    local: LocalId,
}

/// All worlds met so far.
pub(super) struct Worlds<'a> {
    program: &'a Concurrent,
    /// The variables whose values have to be tried.
    pub(super) needed: Needed,
    limits: Limits,
    /// The block and the number of the copy of every thread.
    pub(super) roles: Vec<(u32, u32)>,
    worlds: Numbered<Parts>,
    shared: Numbered<Vec<u64>>,
    locals: Numbered<Local>,
    stacks: Numbered<Stack>,
    facts: Vec<StackFacts>,
    moves: FxHashMap<(u32, SharedId, LocalId), Rc<[Move]>>,
    /// Some call was left out because the stack would have become too deep.
    pub(super) is_cut: bool,
}

impl<'a> Worlds<'a> {
    pub(super) fn new(program: &'a Concurrent, counts: &[u32], limits: Limits) -> Self {
        Self {
            program,
            needed: Needed::new(&program.machine, program.blocks.iter().flat_map(|block| &block.init)),
            limits,
            roles: roles(counts).collect(),
            worlds: Numbered::new(),
            shared: Numbered::new(),
            locals: Numbered::new(),
            stacks: Numbered::new(),
            facts: Vec::new(),
            moves: FxHashMap::default(),
            is_cut: false,
        }
    }

    pub(super) fn n_threads(&self) -> usize {
        self.roles.len()
    }

    /// The number of a world that is given in full.
    pub(super) fn add(&mut self, world: World) -> Result<WorldId, Unfinished> {
        let shared = SharedId::new(self.shared.number(world.shared));
        let mut threads = Vec::with_capacity(world.threads.len());
        for thread in world.threads {
            let stack = self.pushed(None, thread.stack);
            threads.push(LocalId::new(self.locals.number(Local { private: thread.private, stack })));
        }
        self.world_of(Parts { shared, threads: threads.into() })
    }

    /// The world in full.
    pub(super) fn world(&self, id: WorldId) -> World {
        let parts = &self.worlds.values[id.index()];
        let thread = |(local, (block, copy)): (&LocalId, &(u32, u32))| {
            let local = &self.locals.values[local.index()];
            let stack = self.frames(local.stack, usize::MAX).0;
            ThreadState { block: *block, copy: *copy, private: local.private.clone(), stack }
        };
        let threads = parts.threads.iter().zip(&self.roles).map(thread).collect();
        World { shared: self.shared.values[parts.shared.index()].to_vec(), threads }
    }

    /// What a thread sees.
    pub(super) fn view(&self, world: WorldId, thread: ThreadId) -> Configuration {
        let parts = &self.worlds.values[world.index()];
        self.view_of(self.roles[thread.index()].0, parts.shared, parts.threads[thread.index()]).0
    }

    /// The frame on top of the stack of a thread.
    pub(super) fn top(&self, world: WorldId, thread: ThreadId) -> Option<&Frame> {
        let stack = self.local(world, thread).stack?;
        Some(&self.stacks.values[stack.index()].frame)
    }

    /// The thread is outside atomic regions.
    pub(super) fn is_free(&self, world: WorldId, thread: ThreadId) -> bool {
        let local = self.local(world, thread);
        let in_atomic = local.stack.is_some_and(|stack| self.facts[stack.index()].in_atomic);
        !in_atomic && !has_flag(self.program, self.roles[thread.index()].0, &local.private)
    }

    /// The thread may be active here.
    pub(super) fn is_allowed(&self, world: WorldId, thread: ThreadId) -> Result<bool, TooLarge> {
        let enforce = |top: &Frame| self.program.machine.module(top.module).enforce.is_some();
        match self.top(world, thread) {
            Some(top) if enforce(top) => is_allowed_in(self.program, &self.view(world, thread)),
            _ => Ok(true),
        }
    }

    /// The steps that a thread can take.
    pub(super) fn moves(&mut self, world: WorldId, thread: ThreadId) -> Result<Rc<[Move]>, Unfinished> {
        let parts = &self.worlds.values[world.index()];
        let key = (self.roles[thread.index()].0, parts.shared, parts.threads[thread.index()]);
        if let Some(moves) = self.moves.get(&key) {
            return Ok(moves.clone());
        }
        let (block, shared, local) = key;
        let (view, rest) = self.view_of(block, shared, local);
        let mut found = Vec::new();
        for (edge, turn, state) in moves(self.program, &view, Some(&self.needed), self.limits.max_outcomes)? {
            found.extend(self.moved(block, rest, view.clone(), (edge, turn, state)));
        }
        let moves: Rc<[Move]> = found.into();
        self.moves.insert(key, moves.clone());
        Ok(moves)
    }

    /// The world after a step of a thread.
    pub(super) fn after(
        &mut self,
        world: WorldId,
        thread: ThreadId,
        step: Move,
    ) -> Result<WorldId, Unfinished> {
        let mut threads = self.worlds.values[world.index()].threads.clone();
        threads[thread.index()] = step.local;
        self.world_of(Parts { shared: step.shared, threads })
    }

    fn local(&self, world: WorldId, thread: ThreadId) -> &Local {
        &self.locals.values[self.worlds.values[world.index()].threads[thread.index()].index()]
    }

    fn world_of(&mut self, parts: Parts) -> Result<WorldId, Unfinished> {
        let number = self.worlds.number(parts);
        if number >= self.limits.max_worlds { Err(Unfinished::Worlds) } else { Ok(WorldId::new(number)) }
    }

    /// What a thread sees, and the stack below that.
    fn view_of(&self, block: u32, shared: SharedId, local: LocalId) -> (Configuration, Option<StackId>) {
        let local = &self.locals.values[local.index()];
        let (stack, rest) = self.frames(local.stack, N_FRAMES);
        let globals = join(self.program, block, &self.shared.values[shared.index()], &local.private);
        (Configuration { globals, stack }, rest)
    }

    /// The upper frames of a stack, and the stack below them.
    fn frames(&self, mut stack: Option<StackId>, limit: usize) -> (Vec<Frame>, Option<StackId>) {
        let mut frames = Vec::new();
        while let Some(id) = stack.filter(|_| frames.len() < limit) {
            let top = &self.stacks.values[id.index()];
            frames.push(top.frame.clone());
            stack = top.below;
        }
        frames.reverse();
        (frames, stack)
    }

    /// The stack with more frames on it.
    fn pushed(&mut self, mut stack: Option<StackId>, frames: Vec<Frame>) -> Option<StackId> {
        for frame in frames {
            let below = stack.map_or(StackFacts { depth: 0, in_atomic: false }, |id| self.facts[id.index()]);
            let module = self.program.machine.module(frame.module);
            let is_inside = below.in_atomic || module.node(frame.node).in_atomic;
            let in_atomic = is_inside && !module.ends_thread(frame.node);
            let facts = StackFacts { depth: below.depth + 1, in_atomic };
            let id = StackId::new(self.stacks.number(Stack { below: stack, frame }));
            if id.index() == self.facts.len() {
                self.facts.push(facts);
            }
            stack = Some(id);
        }
        stack
    }

    /// A step of a thread that sees `view` above the stack `rest`; none if the stack becomes too deep.
    fn moved(
        &mut self,
        block: u32,
        rest: Option<StackId>,
        mut view: Configuration,
        (edge, turn, state): (EdgeId, Turn, State),
    ) -> Option<Move> {
        let depth = rest.map_or(0, |rest| self.facts[rest.index()].depth) + view.stack.len();
        if matches!(turn, Turn::Push(_)) && depth >= self.limits.max_depth {
            self.is_cut = true;
            return None;
        }
        take(&self.program.machine, &mut view, edge, turn, state);
        let (shared, private) = split(self.program, block, view.globals);
        let stack = self.pushed(rest, view.stack);
        let local = LocalId::new(self.locals.number(Local { private, stack }));
        Some(Move { edge, shared: SharedId::new(self.shared.number(shared)), local })
    }
}

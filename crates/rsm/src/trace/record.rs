//! From a list of steps to a run in which finished calls are single steps and equal ones are stored once.

use super::{Context, End, Run, Step, Trace};
use crate::concurrent::ThreadGoal;
use crate::interleave::{ThreadId, World};
use crate::machine::{Action, EdgeId, ModuleId, Rsm};
use crate::step::State;
use rustc_hash::FxHashMap;

/// Takes steps as they come. The cost of a step does not depend on how deep the stack is.
pub struct Recorder<'p> {
    machine: &'p Rsm,
    start: World,
    /// For each thread the functions that run, callers before callees.
    stacks: Vec<Vec<ModuleId>>,
    known: FxHashMap<Run, usize>,
    runs: Vec<Run>,
    contexts: Vec<Context>,
    /// The calls of the present context that have not returned.
    open: Vec<Open>,
}

/// A call that has not returned.
struct Open {
    /// The call.
    edge: EdgeId,
    /// What the callee has done.
    run: Run,
}

impl<'p> Recorder<'p> {
    /// A run that starts here.
    pub fn new(machine: &'p Rsm, start: World) -> Self {
        let modules = |stack: &[crate::step::Frame]| stack.iter().map(|frame| frame.module).collect();
        let stacks = start.threads.iter().map(|thread| modules(&thread.stack)).collect();
        let (known, runs, contexts, open) = Default::default();
        Self { machine, start, stacks, known, runs, contexts, open }
    }

    /// A thread takes a step, and sees this afterwards.
    pub fn step(&mut self, thread: ThreadId, edge: EdgeId, after: State) {
        self.activate(thread);
        let stack = &mut self.stacks[thread.index()];
        let Some(&module) = stack.last() else { return };
        match &self.machine.module(module).edge(edge).action {
            Action::Call { callee, .. } => {
                stack.push(*callee);
                let run = Run { module: *callee, start: after, steps: Vec::new() };
                self.open.push(Open { edge, run });
            }
            Action::Return { .. } => {
                stack.pop();
                self.leave(edge, after);
            }
            _ => self.push(Step { edge, run: None, after }),
        }
    }

    /// The run ends at this goal, which the thread reaches.
    pub fn finish(mut self, thread: ThreadId, goal: ThreadGoal) -> Trace {
        self.activate(thread);
        self.ended(End::Goal(goal))
    }

    /// The run ends where nobody can go on. If nobody ran at all, this thread is named.
    pub fn finish_deadlock(mut self, thread: ThreadId) -> Trace {
        if self.contexts.is_empty() {
            self.activate(thread);
        }
        self.ended(End::Deadlock)
    }

    /// The run is of interest as far as here. If nobody ran at all, this thread is named.
    pub fn finish_here(mut self, thread: ThreadId) -> Trace {
        if self.contexts.is_empty() {
            self.activate(thread);
        }
        self.ended(End::Here)
    }

    /// The next step is the first one that is taken again and again; the answer is for [`Recorder::finish_cycle`]. A call that
    /// has not returned stays open.
    pub fn begin_cycle(&mut self, thread: ThreadId) -> usize {
        self.activate(thread);
        self.close();
        self.contexts.iter().map(|context| context.steps.len()).sum()
    }

    /// The run goes on for ever from that step.
    pub fn finish_cycle(self, first: usize) -> Trace {
        self.ended(End::Cycle { first })
    }

    fn ended(mut self, end: End) -> Trace {
        self.close();
        Trace { start: self.start, runs: self.runs, contexts: self.contexts, end }
    }

    fn activate(&mut self, thread: ThreadId) {
        if self.contexts.last().is_none_or(|context| context.thread != thread) {
            self.close();
            self.contexts.push(Context { thread, steps: Vec::new() });
        }
    }

    fn push(&mut self, step: Step) {
        let steps = match self.open.last_mut() {
            Some(open) => &mut open.run.steps,
            None => &mut self.contexts.last_mut().expect("a thread is active").steps,
        };
        steps.push(step);
    }

    /// A function returns. If it was called in this context, the call becomes one step.
    fn leave(&mut self, edge: EdgeId, after: State) {
        let Some(Open { edge: call, mut run }) = self.open.pop() else {
            return self.push(Step { edge, run: None, after });
        };
        // What the caller stores is seen in its own step.
        let end = State { globals: after.globals.clone(), locals: Vec::new() };
        run.steps.push(Step { edge, run: None, after: end });
        let next = self.runs.len();
        let number = *self.known.entry(run.clone()).or_insert(next);
        if number == next {
            self.runs.push(run);
        }
        self.push(Step { edge: call, run: Some(number), after });
    }

    /// The context ends: its calls stay open.
    fn close(&mut self) {
        let Some(context) = self.contexts.last_mut() else { return };
        for Open { edge, run } in self.open.drain(..) {
            context.steps.push(Step { edge, run: None, after: run.start });
            context.steps.extend(run.steps);
        }
    }
}

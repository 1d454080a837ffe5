//! The steps of a run one by one, those of finished calls written out.

use super::{Step, Trace};
use crate::interleave::ThreadId;
use crate::machine::{Action, EdgeId, ModuleId, Rsm};
use crate::step::State;

/// A step of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'t> {
    /// Who takes it.
    pub thread: ThreadId,
    /// The function that takes it.
    pub module: ModuleId,
    /// The edge.
    pub edge: EdgeId,
    /// What the thread sees afterwards.
    pub after: &'t State,
    /// How many callers wait before the step.
    pub depth: usize,
}

/// Goes through a run; see [`Trace::walk`].
pub struct Walk<'t> {
    machine: &'t Rsm,
    trace: &'t Trace,
    /// The position of the next step that is not part of a finished call.
    context: usize,
    step: usize,
    /// So many steps stand in earlier contexts.
    n_earlier: usize,
    /// For each thread the functions that run outside finished calls.
    stacks: Vec<Vec<ModuleId>>,
    /// Finished calls under way: the run, how far it is, and the step it is part of.
    under_way: Vec<(usize, usize, &'t Step)>,
}

impl Trace {
    /// All steps in order. There may be exponentially many, so a caller who wants them all looks at [`Trace::n_steps`] first.
    pub fn walk<'t>(&'t self, machine: &'t Rsm) -> Walk<'t> {
        let threads = self.start.threads.iter();
        let stacks = threads.map(|thread| thread.stack.iter().map(|frame| frame.module).collect()).collect();
        Walk { machine, trace: self, context: 0, step: 0, n_earlier: 0, stacks, under_way: Vec::new() }
    }

    /// The steps of the one thread of a sequential program from a step of its context on, before which these functions run.
    pub(super) fn walk_from<'t>(&'t self, machine: &'t Rsm, step: usize, stack: Vec<ModuleId>) -> Walk<'t> {
        Walk { step, stacks: vec![stack], ..self.walk(machine) }
    }
}

impl<'t> Iterator for Walk<'t> {
    type Item = Visit<'t>;

    fn next(&mut self) -> Option<Visit<'t>> {
        while self.under_way.is_empty() && self.step == self.trace.contexts.get(self.context)?.steps.len() {
            self.n_earlier += self.step;
            (self.context, self.step) = (self.context + 1, 0);
        }
        let thread = self.trace.contexts[self.context].thread;
        match self.under_way.last_mut() {
            None => Some(self.outside(thread)),
            Some((run, at, _)) => {
                let run = &self.trace.runs[*run];
                let step = &run.steps[*at];
                *at += 1;
                let is_last = *at == run.steps.len();
                let depth = self.stacks[thread.index()].len() + self.under_way.len() - 1;
                let mut after = self.enter(step).unwrap_or(&step.after);
                if is_last {
                    after = &self.under_way.pop()?.2.after;
                }
                Some(Visit { thread, module: run.module, edge: step.edge, after, depth })
            }
        }
    }
}

impl<'t> Walk<'t> {
    /// How many steps of the present context have been begun.
    pub(super) fn n_taken(&self) -> usize {
        self.step
    }

    /// How many steps of all contexts have been begun.
    pub(super) fn n_begun(&self) -> usize {
        self.n_earlier + self.step
    }

    /// A step that is not part of a finished call.
    fn outside(&mut self, thread: ThreadId) -> Visit<'t> {
        let step = &self.trace.contexts[self.context].steps[self.step];
        self.step += 1;
        let stack = &mut self.stacks[thread.index()];
        let depth = stack.len() - 1;
        let module = stack[depth];
        match &self.machine.module(module).edge(step.edge).action {
            Action::Call { callee, .. } if step.run.is_none() => stack.push(*callee),
            Action::Return { .. } => drop(stack.pop()),
            _ => {}
        }
        let after = self.enter(step).unwrap_or(&step.after);
        Visit { thread, module, edge: step.edge, after, depth }
    }

    /// If the step is a finished call, its run is under way; the answer is what it begins with.
    fn enter(&mut self, step: &'t Step) -> Option<&'t State> {
        let run = step.run?;
        self.under_way.push((run, 0, step));
        Some(&self.trace.runs[run].start)
    }
}

//! How a thread begins: with `main`, or with the function that it was started with.

use super::hidden::Hidden;
use super::reads::Reads;
use rsm::interleave::ThreadId;
use rsm::step::State;
use rsm::trace::{Step, Trace};
use rsm::{Action, Concurrent, ModuleId, Place};

/// How a thread begins.
pub struct Beginning<'t> {
    /// The function.
    pub function: ModuleId,
    /// What it sees at its first statement. As long as a thread that was started has not called its function, it has no locals.
    pub state: State,
    /// The call of that function, and its context and position there, if the thread was started.
    call: Option<(&'t Step, (usize, usize))>,
}

impl<'t> Beginning<'t> {
    /// Of a thread.
    pub fn new(program: &Concurrent, trace: &'t Trace, hidden: &Hidden, thread: ThreadId) -> Self {
        let start = &trace.start.threads[thread.index()];
        let block = &program.blocks[start.block as usize];
        let locals = start.stack[0].locals.clone();
        let mut globals = trace.start.shared.clone();
        globals.resize(program.machine.globals.len(), 0);
        for (place, value) in block.private.iter().zip(&start.private) {
            globals[*place as usize] = *value;
        }
        let here = Self { function: block.main, state: State { globals, locals }, call: None };
        if hidden.slot(start.block).is_none() {
            return here;
        }
        let own = trace.contexts.iter().enumerate().filter(|(_, context)| context.thread == thread);
        let steps =
            own.flat_map(|(n, context)| (0..).zip(&context.steps).map(move |(m, step)| (step, (n, m))));
        for (step, position) in steps {
            // Up to its first call the thread is in its own function.
            if let Action::Call { callee, .. } = program.machine.module(block.main).edge(step.edge).action {
                let entered = step.run.map_or(&step.after, |run| &trace.runs[run].start);
                let mut globals = entered.globals.clone();
                globals[..program.n_shared].copy_from_slice(&trace.start.shared);
                let state = State { globals, locals: entered.locals.clone() };
                return Self { function: callee, state, call: Some((step, position)) };
            }
        }
        here
    }

    /// What is worth telling of it: what the thread is given, and the other values as far as they matter.
    pub fn places(&self, program: &Concurrent, reads: &Reads, thread: ThreadId) -> Vec<Place> {
        let mut places = reads.of_thread(thread).to_vec();
        if let Some((step, (context, n))) = self.call {
            let unset = step.run.map_or_else(|| reads.of_call(context, n), |run| reads.of_run(run));
            places.extend((0..program.machine.module(self.function).n_params as u32).map(Place::Local));
            places.extend(unset.iter().map(|n| Place::Local(*n)));
        }
        places
    }
}

//! The steps of a run with what surrounds them: context, function, caller.

use super::hidden::Hidden;
use rsm::interleave::{Context, Interleaving, ThreadId};
use rsm::step::Frame;
use rsm::{Action, Concurrent, EdgeId, ModuleId};

/// All steps, and where the threads stand in the end.
pub struct Beats {
    /// One for each step, those that are not shown included.
    pub list: Vec<Beat>,
    /// The contexts.
    pub contexts: Vec<Context>,
    /// For each thread that was started the step that calls its function, once it is taken, and that function.
    pub begins: Vec<Option<(usize, ModuleId)>>,
    /// The stack of each thread at the end, as it is shown.
    pub stacks: Vec<Vec<Frame>>,
}

/// A step.
pub struct Beat {
    /// The text does not have it.
    pub is_hidden: bool,
    /// How many steps of the text have been taken with it: its number, from 1, if it is one.
    pub number: usize,
    /// The position of its context.
    pub context: usize,
    /// The function that takes it.
    pub module: ModuleId,
    /// The edge.
    pub edge: EdgeId,
    /// How many callers wait.
    pub depth: usize,
    /// The caller and its call.
    pub caller: Option<(ModuleId, EdgeId)>,
    /// The step that its thread took before.
    pub previous: Option<usize>,
}

/// The values that a thread sees.
pub struct Values {
    /// Of all globals of the machine; those of other blocks are 0.
    pub globals: Vec<u64>,
    /// Of the locals on top of its stack.
    pub locals: Vec<u64>,
}

/// How a thread begins.
pub struct Beginning {
    /// The function it begins with: `main`, or the one it was started with.
    pub function: ModuleId,
    /// The step that calls that function, if the thread was started.
    pub step: Option<usize>,
    /// What it sees there.
    pub values: Values,
}

impl Beats {
    /// Goes through the steps once.
    pub fn new(program: &Concurrent, trace: &Interleaving, hidden: &Hidden) -> Self {
        let mut stacks: Vec<Vec<Frame>> = trace.start.threads.iter().map(|t| t.stack.clone()).collect();
        let mut previous: Vec<Option<usize>> = vec![None; stacks.len()];
        let mut begins = vec![None; stacks.len()];
        let contexts = trace.contexts();
        let mut list = Vec::with_capacity(trace.steps.len());
        let mut n_shown = 0;
        for (number, context) in contexts.iter().enumerate() {
            let thread = context.thread.index();
            let block = trace.start.threads[thread].block;
            for n in context.steps.clone() {
                let step = &trace.steps[n];
                let stack = &mut stacks[thread];
                let module = stack.last().expect("a thread that has ended takes no step").module;
                let waiting = stack.iter().rev().nth(1);
                let edge = program.machine.module(module).edge(step.edge);
                let is_hidden = hidden.is_step(block, stack.len() - 1, module, edge);
                n_shown += usize::from(!is_hidden);
                if let (true, Action::Call { callee, .. }) = (is_hidden, &edge.action) {
                    begins[thread] = Some((n, *callee));
                }
                list.push(Beat {
                    is_hidden,
                    number: n_shown,
                    context: number,
                    module,
                    edge: step.edge,
                    depth: stack.len() - 1,
                    caller: waiting.and_then(|frame| Some((frame.module, frame.call?))),
                    previous: previous[thread].replace(n),
                });
                advance(program, stack, step.edge, &step.locals);
            }
        }
        for (stack, thread) in stacks.iter_mut().zip(&trace.start.threads) {
            *stack = hidden.visible(program, thread.block, stack);
        }
        Self { list, contexts, begins, stacks }
    }

    /// How many steps are shown.
    pub fn n_shown(&self) -> usize {
        self.list.last().map_or(0, |last| last.number)
    }
}

/// Takes a step that is known to be one.
fn advance(program: &Concurrent, stack: &mut Vec<Frame>, edge: EdgeId, locals: &[u64]) {
    let machine = &program.machine;
    let Some(top) = stack.last_mut() else { return };
    let step = machine.module(top.module).edge(edge);
    match &step.action {
        Action::Call { callee, .. } => {
            top.call = Some(edge);
            stack.push(Frame::new(*callee, machine.module(*callee).entry, locals.to_vec()));
        }
        Action::Return { .. } => {
            stack.pop();
            if let Some(caller) = stack.last_mut()
                && let Some(call) = caller.call.take()
            {
                caller.node = machine.module(caller.module).edge(call).to;
                caller.locals = locals.to_vec();
            }
        }
        _ => {
            top.node = step.to;
            top.locals = locals.to_vec();
        }
    }
}

/// What a thread sees after the step with this number, or at the start; the shared values may be those of a later step of others.
pub fn values(
    program: &Concurrent,
    trace: &Interleaving,
    thread: ThreadId,
    own: Option<usize>,
    shared: &[u64],
) -> Values {
    let start = &trace.start.threads[thread.index()];
    let (private, locals) = match own {
        Some(step) => (&trace.steps[step].private, &trace.steps[step].locals),
        None => (&start.private, &start.stack[0].locals),
    };
    let mut globals = shared.to_vec();
    globals.resize(program.machine.globals.len(), 0);
    for (place, value) in program.blocks[start.block as usize].private.iter().zip(private) {
        globals[*place as usize] = *value;
    }
    Values { globals, locals: locals.clone() }
}

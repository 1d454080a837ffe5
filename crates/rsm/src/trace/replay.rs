//! The check that a run is one of the program.
//!
//! Every step is taken again on the concrete semantics. A run that occurs many times is looked at once; where it is called, only
//! what is handed over and what comes back is.

use super::{End, Run, Step, Trace};
use crate::concurrent::{Concurrent, ThreadGoal};
use crate::interleave::view::{N_FRAMES, join, split, turn_to};
use crate::interleave::{ThreadId, World, is_allowed, is_at, is_deadlock, is_initial, may_switch};
use crate::machine::Action;
use crate::observe::Observer;
use crate::step::{Configuration, Frame, Turn, take};
use crate::values::TooLarge;

/// Why something is not known to be a run of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// It is none, and why.
    Wrong(String),
    /// There is more to look at than can be looked at: what.
    Unclear(String),
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Wrong(reason) | Self::Unclear(reason) => f.write_str(reason),
        }
    }
}

impl ReplayError {
    /// The same, of a step that is named.
    pub(super) fn at(self, place: impl std::fmt::Display) -> Self {
        match self {
            Self::Wrong(reason) => Self::Wrong(format!("{place}: {reason}")),
            Self::Unclear(inner) => Self::Unclear(format!("{place}: {inner}")),
        }
    }
}

impl From<TooLarge> for ReplayError {
    fn from(TooLarge: TooLarge) -> Self {
        Self::Unclear("too many values to try".to_owned())
    }
}

pub(super) fn wrong<T>(reason: impl Into<String>) -> Result<T, ReplayError> {
    Err(ReplayError::Wrong(reason.into()))
}

/// The most states, and partial valuations, that are looked at to see that a thread cannot go on.
const MOST_STUCK: usize = 1 << 16;

/// What is wrong with a step, without its place.
const NO_STEP: &str = "the program cannot take this step";

impl Trace {
    /// Checks that this is a run of the program; says what is wrong otherwise. If it ends, it reaches one of the goals; if it does
    /// not, one of them is on its cycle unless there are none; if somebody watches it, or it ends in a deadlock, there are none.
    pub fn replay(&self, program: &Concurrent, goals: &[ThreadGoal]) -> Result<(), ReplayError> {
        if let End::Cycle { .. } = self.end {
            return match program.is_sequential() {
                true => self.round(program, goals).map(drop),
                false if goals.is_empty() => self.thread_cycle(program, &Observer::of_everything()).map(drop),
                false => wrong("whether a cycle of threads passes goals an observer says"),
            };
        }
        let replay = Replay::new(program, self)?;
        let mut world = self.start.clone();
        let (mut active, mut n_steps): (Option<ThreadId>, usize) = (None, 0);
        for context in &self.contexts {
            if self.end == End::Deadlock && self.contexts.len() == 1 && context.steps.is_empty() {
                continue;
            }
            replay
                .switch(&world, active, context.thread)
                .map_err(|e| e.at(format_args!("step {}", n_steps + 1)))?;
            n_steps = replay.steps(&mut world, context.thread, &context.steps, n_steps)?;
            active = Some(context.thread);
        }
        if self.end == End::Deadlock {
            return match goals.is_empty() && is_deadlock(program, &world, MOST_STUCK)? {
                true => Ok(()),
                false => wrong("some thread can go on, or all have ended"),
            };
        }
        let Some(thread) = active else { return wrong("the run has no context") };
        let ends_well = match self.goal() {
            Some(goal) => goals.contains(&goal) && is_at(program, &world, thread, goal)?,
            None => goals.is_empty(),
        };
        if ends_well { Ok(()) } else { wrong("the run does not end in a goal") }
    }
}

/// A run whose start and whose finished calls are known to be those of the program.
pub(super) struct Replay<'a> {
    pub(super) program: &'a Concurrent,
    trace: &'a Trace,
}

impl<'a> Replay<'a> {
    pub(super) fn new(program: &'a Concurrent, trace: &'a Trace) -> Result<Self, ReplayError> {
        let replay = Self { program, trace };
        replay.start()?;
        for number in 0..trace.runs.len() {
            replay.run(number)?;
        }
        Ok(replay)
    }

    fn start(&self) -> Result<(), ReplayError> {
        let start = &self.trace.start;
        let block = |block| start.threads.iter().filter(|thread| thread.block == block).count() as u32;
        let counts: Vec<u32> = (0..self.program.blocks.len() as u32).map(block).collect();
        match is_initial(self.program, &counts, start)? {
            true => Ok(()),
            false => wrong("the program does not start like this"),
        }
    }

    /// The thread may become active in place of another.
    pub(super) fn switch(
        &self,
        world: &World,
        left: Option<ThreadId>,
        thread: ThreadId,
    ) -> Result<(), ReplayError> {
        if thread.index() >= world.threads.len() {
            return wrong(format!("there is no thread {}", thread.0));
        }
        if left == Some(thread) {
            return wrong("a thread takes over from itself");
        }
        if left.is_some_and(|left| !may_switch(self.program, world, left)) {
            return wrong("the thread that is left is in an atomic region");
        }
        match is_allowed(self.program, world, thread)? {
            true => Ok(()),
            false => wrong("the thread cannot become active where its `enforce` fails"),
        }
    }

    /// Takes steps of a context; the answer is how many steps of contexts have been taken then.
    pub(super) fn steps(
        &self,
        world: &mut World,
        thread: ThreadId,
        steps: &[Step],
        n_steps: usize,
    ) -> Result<usize, ReplayError> {
        let thread = &mut world.threads[thread.index()];
        let globals = join(self.program, thread.block, &world.shared, &thread.private);
        let mut view = Configuration { globals, stack: std::mem::take(&mut thread.stack) };
        for (n, step) in (n_steps + 1..).zip(steps) {
            self.advance(&mut view, step, self.trace.runs.len())
                .map_err(|e| e.at(format_args!("step {n}")))?;
        }
        thread.stack = view.stack;
        (world.shared, thread.private) = split(self.program, thread.block, view.globals);
        Ok(n_steps + steps.len())
    }

    /// Takes the steps of a run, which may call runs before it only.
    fn run(&self, number: usize) -> Result<(), ReplayError> {
        let run = &self.trace.runs[number];
        let machine = &self.program.machine;
        let Some(module) = machine.modules.get(run.module.index()) else {
            return wrong(format!("there is no function {}", run.module.0));
        };
        let place = |n: usize| format!("step {} of a run of `{}`", n + 1, module.name);
        let mut view = entered(self.program, run);
        let Some((last, steps)) = run.steps.split_last() else {
            return wrong(format!("{}: {NO_STEP}", place(0)));
        };
        for (n, step) in steps.iter().enumerate() {
            self.advance(&mut view, step, number).map_err(|e| e.at(place(n)))?;
            if view.stack.len() != 1 {
                return wrong(format!(
                    "{}: a call that does not return stands in a run that is over",
                    place(n)
                ));
            }
        }
        let edge = module.edges.get(last.edge.index());
        let returns = edge.is_some_and(|edge| {
            edge.from == view.stack[0].node && matches!(edge.action, Action::Return { .. })
        });
        if returns && last.run.is_none() {
            Ok(())
        } else {
            wrong(format!("{}: {NO_STEP}", place(steps.len())))
        }
    }

    /// Takes one step, which may refer to the runs below a number. Only the upper end of the stack is touched.
    pub(super) fn advance(
        &self,
        whole: &mut Configuration,
        step: &Step,
        n_runs: usize,
    ) -> Result<(), ReplayError> {
        let cut = whole.stack.len().saturating_sub(N_FRAMES);
        let globals = std::mem::take(&mut whole.globals);
        let mut view = Configuration { globals, stack: whole.stack.split_off(cut) };
        let turn = match step.run {
            None => turn_to(self.program, &view, step.edge, &step.after)?,
            Some(run) => self.call(&view, step, run, n_runs)?,
        };
        let Some(turn) = turn else { return wrong(NO_STEP) };
        take(&self.program.machine, &mut view, step.edge, turn, step.after.clone());
        whole.globals = view.globals;
        whole.stack.append(&mut view.stack);
        Ok(())
    }

    /// A call that returns: it enters the run, and the last step of the run leads back.
    fn call(
        &self,
        view: &Configuration,
        step: &Step,
        run: usize,
        n_runs: usize,
    ) -> Result<Option<Turn>, ReplayError> {
        let Some(run) = self.trace.runs.get(run).filter(|_| run < n_runs) else {
            return wrong(format!("there is no run {run} to call here"));
        };
        match turn_to(self.program, view, step.edge, &run.start)? {
            Some(Turn::Push(callee)) if callee == run.module => {}
            _ => return Ok(None),
        }
        let Some((last, before)) = run.steps.split_last() else { return Ok(None) };
        let Some(mut waiting) = view.top().cloned() else { return Ok(None) };
        waiting.call = Some(step.edge);
        let machine = &self.program.machine;
        let callee = machine.module(run.module);
        let (node, state) = match before.last() {
            Some(step) => (callee.edge(step.edge).to, &step.after),
            None => (callee.entry, &run.start),
        };
        let top = Frame::new(run.module, node, state.locals.clone());
        let returning = Configuration { globals: state.globals.clone(), stack: vec![waiting, top] };
        Ok(match turn_to(self.program, &returning, last.edge, &step.after)? {
            Some(Turn::Pop(node)) => Some(Turn::Stay(node)),
            _ => None,
        })
    }
}

/// The configuration in which a run begins, its caller left out.
fn entered(program: &Concurrent, run: &Run) -> Configuration {
    let entry = program.machine.module(run.module).entry;
    let frame = Frame::new(run.module, entry, run.start.locals.clone());
    Configuration { globals: run.start.globals.clone(), stack: vec![frame] }
}

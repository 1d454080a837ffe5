//! Which values that nothing initialises matter in a run of threads: those that are read before they are written.

use super::super::reads::Summary;
use super::beats::Beats;
use rsm::interleave::{Interleaving, ThreadId};
use rsm::{Action, Concurrent, Goal, Module, Place};
use rustc_hash::FxHashMap;

/// What matters, by who owns it.
pub struct Unset {
    /// The private globals and the locals of `main` of each thread.
    threads: Vec<Vec<Place>>,
    /// The locals of the function that a step calls; steps whose callees read none are not there.
    calls: FxHashMap<usize, Vec<u32>>,
}

/// A function that runs.
struct Running {
    /// The step that called it; none for `main`.
    call: Option<usize>,
    summary: Summary,
}

impl Running {
    fn new(module: &Module, call: Option<usize>) -> Self {
        let mut running = Self { call, summary: Summary::default() };
        module.enforce.iter().for_each(|condition| running.summary.expression(condition));
        running
    }
}

impl Unset {
    /// Goes through the steps of each thread once.
    pub fn new(program: &Concurrent, trace: &Interleaving, beats: &Beats) -> Self {
        let mut unset = Self { threads: Vec::new(), calls: FxHashMap::default() };
        let mut own: Vec<Vec<usize>> = vec![Vec::new(); trace.start.threads.len()];
        for (n, step) in trace.steps.iter().enumerate() {
            own[step.thread.index()].push(n);
        }
        for (thread, steps) in own.iter().enumerate() {
            let places = unset.thread(program, trace, beats, ThreadId::new(thread), steps);
            unset.threads.push(places);
        }
        unset
    }

    /// Of a thread that begins.
    pub fn of_thread(&self, thread: ThreadId) -> &[Place] {
        &self.threads[thread.index()]
    }

    /// Of a function that a step calls.
    pub fn of_call(&self, step: usize) -> &[u32] {
        self.calls.get(&step).map_or(&[], Vec::as_slice)
    }

    fn thread(
        &mut self,
        program: &Concurrent,
        trace: &Interleaving,
        beats: &Beats,
        thread: ThreadId,
        steps: &[usize],
    ) -> Vec<Place> {
        let machine = &program.machine;
        let main = program.blocks[trace.start.threads[thread.index()].block as usize].main;
        // One summary for the thread as a whole says which private globals matter, one for each function which locals do.
        let mut whole = Summary::default();
        let mut stack = vec![Running::new(machine.module(main), None)];
        let mut places = Vec::new();
        for &n in steps {
            let action = &machine.module(beats.list[n].module).edge(beats.list[n].edge).action;
            whole.action(action);
            let top = stack.last_mut().expect("a thread that takes a step has not ended");
            top.summary.action(action);
            match action {
                Action::Call { callee, .. } => stack.push(Running::new(machine.module(*callee), Some(n))),
                Action::Return { .. } => {
                    places.extend(self.leave(program, beats, stack.pop()));
                    if let (Some(top), Some((module, call))) = (stack.last_mut(), beats.list[n].caller)
                        && let Action::Call { results, .. } = &machine.module(module).edge(call).action
                    {
                        top.summary.write(results.iter().flatten().copied());
                        whole.write(results.iter().flatten().copied());
                    }
                }
                _ => {}
            }
        }
        if let (Goal::Failure(module, edge), Some(top)) = (trace.goal.goal, stack.last_mut())
            && trace.thread == thread
        {
            top.summary.action(&machine.module(module).edge(edge).action);
            whole.action(&machine.module(module).edge(edge).action);
        }
        while let Some(running) = stack.pop() {
            places.extend(self.leave(program, beats, Some(running)));
        }
        let is_private = |place: &Place| matches!(place, Place::Global(n) if *n as usize >= program.n_shared);
        let mut all: Vec<Place> = whole.places().into_iter().filter(is_private).collect();
        all.extend(places);
        all
    }

    /// Notes what a function read; the answer is what `main` did.
    fn leave(&mut self, program: &Concurrent, beats: &Beats, running: Option<Running>) -> Vec<Place> {
        let Some(Running { call, summary }) = running else { return Vec::new() };
        let locals = summary.places().into_iter().filter(|place| matches!(place, Place::Local(_)));
        let Some(step) = call else { return locals.collect() };
        let beat = &beats.list[step];
        let Action::Call { callee, .. } = program.machine.module(beat.module).edge(beat.edge).action else {
            return Vec::new();
        };
        let n_params = program.machine.module(callee).n_params as u32;
        let own = |place: Place| match place {
            Place::Local(n) if n >= n_params => Some(n),
            _ => None,
        };
        let told: Vec<u32> = locals.filter_map(own).collect();
        if !told.is_empty() {
            self.calls.insert(step, told);
        }
        Vec::new()
    }
}

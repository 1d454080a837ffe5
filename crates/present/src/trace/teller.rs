//! Goes through a run once, and tells it.

use super::beginning::Beginning;
use super::effect::Effect;
use super::ending::Ending;
use super::forever::Cycle;
use super::hidden::Hidden;
use super::narrator::{Moment, Narrator};
use super::reads::Reads;
use super::story::{Beat, Chapter, What};
use super::watch::Passed;
use bp::monitor::StateId;
use rsm::interleave::{ThreadId, World};
use rsm::step::{Frame, State};
use rsm::trace::{Run, Step, Trace};
use rsm::{Action, Concurrent, EdgeId, ModuleId, Place};
use rustc_hash::FxHashMap;

/// Knows how far the run is.
pub struct Teller<'a> {
    program: &'a Concurrent,
    narrator: Narrator<'a>,
    trace: &'a Trace,
    hidden: &'a Hidden,
    reads: Reads,
    /// How many steps each finished call has.
    lengths: Vec<u128>,
    /// The first and the last step of the finished calls that have been told.
    told: FxHashMap<usize, (u128, u128)>,
    /// How many steps have been told or referred to.
    pub n_steps: u128,
    /// The shared values.
    shared: Vec<u64>,
    /// The threads.
    threads: Vec<Standing>,
    beats: Vec<Beat>,
    watching: Watching<'a>,
    /// How many steps of contexts have been told.
    n_taken: usize,
    /// Where the cycle begins: how many steps and beats have been told then, and how many frames there are.
    head: Option<Head>,
}

/// How far a monitor is, if there is one.
struct Watching<'a> {
    states: Option<Passed<'a>>,
    /// The state that it is in after what is told.
    state: Option<StateId>,
    /// The steps so far, and those of each finished call, as the program takes them.
    n_passed: u128,
    lengths: Vec<u128>,
}

/// Where a cycle begins.
struct Head {
    n_steps: u128,
    chapter: usize,
    n_beats: usize,
    n_frames: usize,
}

/// Where a thread stands.
struct Standing {
    block: u32,
    has_run: bool,
    /// All globals, as the thread saw them last.
    globals: Vec<u64>,
    stack: Vec<Frame>,
}

/// Who called: the function, its call, and what it sees after the return.
type Caller<'t> = (ModuleId, EdgeId, &'t State);

/// A finished call that is being told.
struct Telling<'t> {
    run: usize,
    /// How many of its steps have been told.
    n_told: usize,
    /// The number of its first step.
    first: u128,
    caller: Caller<'t>,
}

/// What a run sees before one of its steps.
fn before(run: &Run, n: usize) -> Moment<'_> {
    n.checked_sub(1).map_or(&run.start, |last| &run.steps[last].after).into()
}

impl<'a> Teller<'a> {
    /// At the start of a run.
    pub fn new(
        program: &'a Concurrent,
        narrator: Narrator<'a>,
        trace: &'a Trace,
        hidden: &'a Hidden,
        watched: Option<Passed<'a>>,
    ) -> Self {
        let standing = |thread: usize| {
            let start = &trace.start.threads[thread];
            let plain = Beginning::new(program, trace, hidden, ThreadId::new(thread)).state.globals;
            Standing { block: start.block, has_run: false, globals: plain, stack: start.stack.clone() }
        };
        Self {
            program,
            narrator,
            trace,
            hidden,
            reads: Reads::new(program, trace),
            lengths: trace.lengths(|module, edge| !hidden.is_onward(program, module, edge)),
            told: FxHashMap::default(),
            n_steps: 0,
            shared: trace.start.shared.clone(),
            threads: (0..trace.start.threads.len()).map(standing).collect(),
            beats: Vec::new(),
            watching: Watching {
                states: watched,
                state: watched.and_then(Passed::start),
                n_passed: 0,
                lengths: trace.lengths(|_, _| true),
            },
            n_taken: 0,
            head: None,
        }
    }

    /// Tells a context.
    pub fn context(&mut self, number: usize) -> Chapter {
        let context = &self.trace.contexts[number];
        let (thread, shared) = (context.thread, self.shared.clone());
        let standing = &mut self.threads[thread.index()];
        standing.globals[..shared.len()].copy_from_slice(&shared);
        if !std::mem::replace(&mut standing.has_run, true) {
            self.initially(thread);
        }
        for (n, step) in context.steps.iter().enumerate() {
            if self.trace.cycle() == Some(self.n_taken) {
                let n_frames = self.n_frames();
                let n_beats = self.beats.len();
                self.head = Some(Head { n_steps: self.n_steps, chapter: number, n_beats, n_frames });
            }
            self.n_taken += 1;
            self.step(thread, (number, n), step);
        }
        self.shared = self.threads[thread.index()].globals[..shared.len()].to_vec();
        Chapter { thread, shared, beats: std::mem::take(&mut self.beats) }
    }

    /// The cycle, if it has been told.
    pub fn cycle(&self) -> Option<Cycle> {
        let head = self.head.as_ref()?;
        let n_frames = self.n_frames();
        Some(Cycle {
            first: head.n_steps.saturating_add(1),
            last: self.n_steps,
            n_steps: self.trace.n_round(),
            growth: n_frames - head.n_frames,
            chapter: head.chapter,
            beat: head.n_beats,
        })
    }

    /// How many frames all threads have.
    fn n_frames(&self) -> usize {
        self.threads.iter().map(|thread| thread.stack.len()).sum()
    }

    /// Where everybody stands now.
    pub fn ending(&self) -> Ending {
        let frames = |thread: &Standing| self.hidden.visible(self.program, thread.block, &thread.stack);
        let mut world = World { shared: self.shared.clone(), threads: self.trace.start.threads.clone() };
        for (state, thread) in world.threads.iter_mut().zip(&self.threads) {
            let private = self.program.blocks[thread.block as usize].private.iter();
            state.private = private.map(|place| thread.globals[*place as usize]).collect();
            state.stack.clone_from(&thread.stack);
        }
        Ending { stacks: self.threads.iter().map(frames).collect(), shared: self.shared.clone(), world }
    }

    /// The values that a thread starts with.
    fn initially(&mut self, thread: ThreadId) {
        let beginning = Beginning::new(self.program, self.trace, self.hidden, thread);
        let places = beginning.places(self.program, &self.reads, thread).into_iter();
        let values = self.narrator.valuation(beginning.function, places, (&beginning.state).into());
        if !values.is_empty() || (self.watching.states.is_some() && self.n_taken == 0) {
            self.beats.push(Beat {
                number: None,
                depth: 0,
                monitor: self.watching.state,
                what: What::Initially(values),
                labels: Vec::new(),
            });
        }
    }

    /// How far a step with so many callers waiting is indented.
    fn depth(&self, block: u32, n_waiting: usize) -> usize {
        n_waiting.saturating_sub(self.hidden.n_frames(block))
    }

    fn beat(&mut self, block: u32, n_waiting: usize, (module, edge): (ModuleId, EdgeId), effect: Effect) {
        if !self.hidden.is_step(block, n_waiting, module, self.program.machine.module(module).edge(edge)) {
            self.n_steps = self.n_steps.saturating_add(1);
            self.tell(self.depth(block, n_waiting), What::Step { module, edge, effect });
        }
    }

    /// Tells what has come to the present number of steps.
    fn tell(&mut self, depth: usize, what: What) {
        self.beats.push(Beat {
            number: Some(self.n_steps),
            depth,
            monitor: self.watching.state,
            what,
            labels: Vec::new(),
        });
    }

    /// Tells a step, or a call and all that the callee does.
    fn step(&mut self, thread: ThreadId, (context, n): (usize, usize), step: &'a Step) {
        let Standing { block, globals, stack, .. } = &self.threads[thread.index()];
        let (block, n_waiting) = (*block, stack.len() - 1);
        let (module, machine) = (stack[n_waiting].module, &self.program.machine);
        let before = Moment { globals, locals: &stack[n_waiting].locals };
        let action = &machine.module(module).edge(step.edge).action;
        let effect = match (action, step.run) {
            (Action::Call { .. }, Some(run)) => {
                let start = (&self.trace.runs[run].start).into();
                self.narrator.call((module, step.edge), before, start, self.reads.of_run(run))
            }
            (Action::Call { .. }, None) => {
                let unset = self.reads.of_call(context, n);
                self.narrator.call((module, step.edge), before, (&step.after).into(), unset)
            }
            (Action::Return { .. }, _) => {
                let waiting = n_waiting.checked_sub(1).map(|waiting| &stack[waiting]);
                let caller = waiting.and_then(|frame| Some((frame.module, frame.call?, &step.after)));
                self.back(block, n_waiting, (module, step.edge), before, caller)
            }
            _ => self.within(module, step.edge, before, (&step.after).into()),
        };
        self.watching.step(None, n, step.run);
        self.beat(block, n_waiting, (module, step.edge), effect);
        if let Some(run) = step.run {
            self.finished_call(block, n_waiting + 1, run, (module, step.edge, &step.after));
        }
        self.threads[thread.index()].advance(self.program, step);
    }

    /// What a step that neither calls nor returns does.
    fn within(&self, module: ModuleId, edge: EdgeId, before: Moment, after: Moment) -> Effect {
        let body = self.program.machine.module(module);
        let step = body.edge(edge);
        if let Some(block) = self.hidden.started(step) {
            return Effect::Starts { thread: Some(self.program.blocks[block].name.clone()) };
        }
        if body.edges_from(step.from).any(|(_, other)| self.hidden.started(other).is_some()) {
            return Effect::Starts { thread: None };
        }
        self.narrator.within(module, edge, before, after)
    }

    fn back(
        &self,
        block: u32,
        n_waiting: usize,
        from: (ModuleId, EdgeId),
        before: Moment,
        caller: Option<Caller>,
    ) -> Effect {
        match caller.filter(|_| self.depth(block, n_waiting) > 0) {
            Some((module, call, after)) => self.narrator.back(from, before, (module, call), after.into()),
            None if self.program.is_sequential() => Effect::ProgramEnds,
            None => Effect::ThreadEnds,
        }
    }

    /// Tells what a finished call does. A list of runs stands in for recursion, since calls may be nested deeply.
    fn finished_call(&mut self, block: u32, n_waiting: usize, run: usize, caller: Caller<'a>) {
        let mut pending = Vec::new();
        self.begin(&mut pending, block, n_waiting, run, caller);
        while let Some(last) = pending.len().checked_sub(1) {
            let n_waiting = n_waiting + last;
            let telling: &mut Telling = &mut pending[last];
            let (number, n, caller) = (telling.run, telling.n_told, telling.caller);
            telling.n_told += 1;
            let run = &self.trace.runs[number];
            let Some(step) = run.steps.get(n) else { break };
            let at = (run.module, step.edge);
            self.watching.step(Some(number), n, step.run);
            if let Some(callee) = step.run {
                let start = (&self.trace.runs[callee].start).into();
                let effect = self.narrator.call(at, before(run, n), start, self.reads.of_run(callee));
                self.beat(block, n_waiting, at, effect);
                self.begin(&mut pending, block, n_waiting + 1, callee, (run.module, step.edge, &step.after));
            } else if n + 1 < run.steps.len() {
                let effect = self.within(run.module, step.edge, before(run, n), (&step.after).into());
                self.beat(block, n_waiting, at, effect);
            } else {
                let effect = self.back(block, n_waiting, at, before(run, n), Some(caller));
                self.beat(block, n_waiting, at, effect);
                self.told.insert(number, (telling_first(&mut pending), self.n_steps));
            }
        }
    }

    /// A finished call is to be told next, unless it has been.
    fn begin(
        &mut self,
        pending: &mut Vec<Telling<'a>>,
        block: u32,
        n_waiting: usize,
        run: usize,
        caller: Caller<'a>,
    ) {
        let Some(&(first, last)) = self.told.get(&run) else {
            pending.push(Telling { run, n_told: 0, first: self.n_steps.saturating_add(1), caller });
            return;
        };
        let body = &self.trace.runs[run];
        let Some(end) = body.steps.last() else { return };
        let from = (body.module, end.edge);
        let effect = self.back(block, n_waiting, from, before(body, body.steps.len() - 1), Some(caller));
        let (start, after) = (&body.start, caller.2);
        let different =
            (0..).zip(start.globals.iter().zip(&after.globals)).filter(|(_, (old, new))| old != new);
        let places = different.map(|(n, _)| Place::Global(n));
        let globals = self.narrator.valuation(caller.0, places, after.into());
        self.n_steps = self.n_steps.saturating_add(self.lengths[run]);
        self.watching.skip(run);
        self.watching.step(Some(run), body.steps.len() - 1, None);
        self.tell(self.depth(block, n_waiting), What::Again { first, last, effect, globals });
    }
}

/// Ends the call that is told last; the answer is the number of its first step.
fn telling_first(pending: &mut Vec<Telling>) -> u128 {
    pending.pop().map_or(0, |telling| telling.first)
}

impl Watching<'_> {
    /// The monitor takes its step with the n-th one of the context, or of a finished call; a call whose callee is told next
    /// leads to where that one starts.
    fn step(&mut self, run: Option<usize>, n: usize, callee: Option<usize>) {
        self.n_passed = self.n_passed.saturating_add(1);
        match self.states {
            None => {}
            Some(Passed::ByRun(watched)) => {
                let states = run.map_or(&watched.states, |run| &watched.runs[run]);
                let start = |callee: usize| watched.runs[callee].start;
                self.state = Some(callee.map_or_else(|| states.after[n], start));
            }
            Some(Passed::InOrder(states)) => {
                let state = usize::try_from(self.n_passed).ok().and_then(|n| states.get(n));
                self.state = state.copied().map(StateId);
            }
        }
    }

    /// The steps of a finished call that are not told, but for the last one.
    fn skip(&mut self, run: usize) {
        self.n_passed = self.n_passed.saturating_add(self.lengths[run].saturating_sub(1));
    }
}

impl Standing {
    /// Takes a step that is known to be one.
    fn advance(&mut self, program: &Concurrent, step: &Step) {
        let machine = &program.machine;
        let Some(top) = self.stack.last_mut() else { return };
        self.globals.clone_from(&step.after.globals);
        let locals = step.after.locals.clone();
        let edge = machine.module(top.module).edge(step.edge);
        match (&edge.action, step.run) {
            (Action::Call { callee, .. }, None) => {
                top.call = Some(step.edge);
                self.stack.push(Frame::new(*callee, machine.module(*callee).entry, locals));
            }
            (Action::Return { .. }, None) => {
                self.stack.pop();
                if let Some(caller) = self.stack.last_mut()
                    && let Some(call) = caller.call
                {
                    let to = machine.module(caller.module).edge(call).to;
                    *caller = Frame::new(caller.module, to, locals);
                }
            }
            _ => *top = Frame::new(top.module, edge.to, locals),
        }
    }
}

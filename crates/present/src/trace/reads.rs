//! Which values that nothing initialises matter in a run: those that are read before they are written.

use rsm::interleave::ThreadId;
use rsm::trace::{Step, Trace};
use rsm::{Action, Concurrent, Expr, Goal, ModuleId, Place, Rsm};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is read before it is written, and what is written.
#[derive(Clone, Default)]
struct Summary {
    read: FxHashSet<Place>,
    written: FxHashSet<Place>,
}

impl Summary {
    /// What is read before it is written, in the order of declaration.
    fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let mut places: Vec<Place> = self.read.iter().copied().collect();
        places.sort();
        places.into_iter()
    }

    fn read(&mut self, place: Place) {
        if !self.written.contains(&place) {
            self.read.insert(place);
        }
    }

    /// An expression is evaluated.
    fn expression(&mut self, expr: &Expr) {
        expr.reads().for_each(|place| self.read(place));
    }

    /// A function begins.
    fn begin(&mut self, rsm: &Rsm, module: ModuleId) {
        rsm.module(module).enforce.iter().for_each(|condition| self.expression(condition));
    }

    /// The globals of a function that is called.
    fn call(&mut self, callee: &Summary) {
        let is_global = |place: &&Place| matches!(place, Place::Global(_));
        callee.read.iter().filter(is_global).for_each(|place| self.read(*place));
        self.written.extend(callee.written.iter().filter(is_global));
    }

    /// What a step does, apart from what a callee does.
    fn action(&mut self, action: &Action) {
        match action {
            Action::Skip => {}
            Action::Assume(condition) | Action::Assert(condition) => self.expression(condition),
            Action::Assign { targets, values, constrain } => {
                values.iter().for_each(|value| self.expression(value));
                if let Some(condition) = constrain {
                    self.expression(condition);
                    let unassigned = condition.reads_next().filter(|place| !targets.contains(place));
                    unassigned.for_each(|place| self.read(place));
                }
                self.written.extend(targets);
            }
            Action::Call { args, .. } => args.iter().for_each(|value| self.expression(value)),
            Action::Return { values } => values.iter().for_each(|value| self.expression(value)),
        }
    }

    /// A call stores its results.
    fn results(&mut self, call: &Action) {
        if let Action::Call { results, .. } = call {
            self.written.extend(results.iter().flatten());
        }
    }
}

/// What matters, by who owns it.
pub struct Reads {
    /// For each finished call the locals, other than parameters.
    runs: Vec<Vec<u32>>,
    /// For each thread the globals and the locals of its first function.
    threads: Vec<Vec<Place>>,
    /// The same as `runs` of calls that stay open, by the positions of the context and of the step.
    open: FxHashMap<(usize, usize), Vec<u32>>,
}

impl Reads {
    /// Looks at every step once.
    pub fn new(program: &Concurrent, trace: &Trace) -> Self {
        let rsm = &program.machine;
        let mut summaries: Vec<Summary> = Vec::new();
        for run in &trace.runs {
            let mut summary = Summary::default();
            summary.begin(rsm, run.module);
            for step in &run.steps {
                let action = &rsm.module(run.module).edge(step.edge).action;
                summary.action(action);
                step.run.iter().for_each(|&callee| summary.call(&summaries[callee]));
                summary.results(action);
            }
            summaries.push(summary);
        }
        let runs = trace.runs.iter().zip(&summaries);
        let runs = runs.map(|(run, summary)| locals(rsm, run.module, summary)).collect();
        let n_threads = trace.start.threads.len();
        let mut reads = Self { runs, threads: Vec::new(), open: FxHashMap::default() };
        for thread in (0..n_threads).map(ThreadId::new) {
            let reader = Reader::new(program, trace, &summaries, thread);
            let places = reader.places(&mut reads.open);
            reads.threads.push(places);
        }
        reads
    }

    /// The locals, other than parameters, whose value at the start of a finished call matters.
    pub fn of_run(&self, run: usize) -> &[u32] {
        &self.runs[run]
    }

    /// The globals, and the locals of its first function, whose value at the start of a thread matters.
    pub fn of_thread(&self, thread: ThreadId) -> &[Place] {
        &self.threads[thread.index()]
    }

    /// As `of_run`, of a call that stays open.
    pub fn of_call(&self, context: usize, step: usize) -> &[u32] {
        self.open.get(&(context, step)).map_or(&[], Vec::as_slice)
    }
}

fn locals(rsm: &Rsm, module: ModuleId, summary: &Summary) -> Vec<u32> {
    let n_params = rsm.module(module).n_params as u32;
    let own = |place: Place| match place {
        Place::Local(n) if n >= n_params => Some(n),
        _ => None,
    };
    summary.places().filter_map(own).collect()
}

/// A function of a thread that runs outside finished calls.
struct Running {
    module: ModuleId,
    /// The position of the open call; none for the first function.
    call: Option<(usize, usize)>,
    summary: Summary,
}

/// Goes through the steps of one thread.
struct Reader<'a> {
    program: &'a Concurrent,
    trace: &'a Trace,
    summaries: &'a [Summary],
    thread: ThreadId,
    /// Of the thread as a whole; only its globals are looked at.
    whole: Summary,
    stack: Vec<Running>,
    /// The locals of the first function.
    own: Vec<Place>,
}

impl<'a> Reader<'a> {
    fn new(program: &'a Concurrent, trace: &'a Trace, summaries: &'a [Summary], thread: ThreadId) -> Self {
        let main = program.blocks[trace.start.threads[thread.index()].block as usize].main;
        let (whole, stack, own) = Default::default();
        let mut reader = Self { program, trace, summaries, thread, whole, stack, own };
        reader.enter(main, None);
        reader
    }

    fn enter(&mut self, module: ModuleId, call: Option<(usize, usize)>) {
        let mut summary = Summary::default();
        summary.begin(&self.program.machine, module);
        self.whole.begin(&self.program.machine, module);
        self.stack.push(Running { module, call, summary });
    }

    /// Notes what a function read.
    fn leave(&mut self, open: &mut FxHashMap<(usize, usize), Vec<u32>>) {
        let Some(Running { module, call, summary }) = self.stack.pop() else { return };
        match call {
            None => self.own.extend(summary.places().filter(|place| matches!(place, Place::Local(_)))),
            Some(position) => {
                let told = locals(&self.program.machine, module, &summary);
                open.extend((!told.is_empty()).then_some((position, told)));
            }
        }
    }

    fn step(
        &mut self,
        position: (usize, usize),
        step: &Step,
        open: &mut FxHashMap<(usize, usize), Vec<u32>>,
    ) {
        let Some(top) = self.stack.last_mut() else { return };
        let action = &self.program.machine.module(top.module).edge(step.edge).action;
        self.whole.action(action);
        top.summary.action(action);
        match (action, step.run) {
            (_, Some(run)) => {
                for summary in [&mut self.whole, &mut top.summary] {
                    summary.call(&self.summaries[run]);
                    summary.results(action);
                }
            }
            (Action::Call { callee, .. }, None) => self.enter(*callee, Some(position)),
            (Action::Return { .. }, None) => {
                let call = self.stack.last().and_then(|running| running.call);
                self.leave(open);
                if let (Some(top), Some((context, n))) = (self.stack.last_mut(), call) {
                    let edge = self.trace.contexts[context].steps[n].edge;
                    let call = &self.program.machine.module(top.module).edge(edge).action;
                    top.summary.results(call);
                    self.whole.results(call);
                }
            }
            _ => {}
        }
    }

    /// What matters to the thread. Shared globals are told by the contexts, so they count only if there are no others.
    fn places(mut self, open: &mut FxHashMap<(usize, usize), Vec<u32>>) -> Vec<Place> {
        let (trace, thread) = (self.trace, self.thread);
        let own = |(_, context): &(usize, &rsm::trace::Context)| context.thread == thread;
        for (n, context) in trace.contexts.iter().enumerate().filter(own) {
            for (m, step) in context.steps.iter().enumerate() {
                self.step((n, m), step, open);
            }
        }
        let reached = self.trace.goal().filter(|_| self.trace.thread() == self.thread);
        if let Some(Goal::Failure(module, edge)) = reached.map(|goal| goal.goal) {
            let action = &self.program.machine.module(module).edge(edge).action;
            self.whole.action(action);
            self.stack.last_mut().into_iter().for_each(|top| top.summary.action(action));
        }
        while !self.stack.is_empty() {
            self.leave(open);
        }
        let first = if self.program.is_sequential() { 0 } else { self.program.n_shared };
        let is_told = |place: &Place| matches!(place, Place::Global(n) if *n as usize >= first);
        self.whole.places().filter(is_told).chain(self.own).collect()
    }
}

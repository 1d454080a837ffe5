//! A run of threads as a machine without branches, so that it can be tried like the run of a sequential program.
//!
//! Contract: the machine has a variable for each shared variable, for each private one of each thread, and for each local of each call of the run; its steps are those of
//! the run, in the order of the schedule, with what `enforce` demands after each and where a thread becomes active. So a run through all of them
//! is a run of the threads along the same edges, and a reason why there is none speaks of variables of the program.

use super::path::{Event, Path};
use super::reason::{Reason, Variable};
use rsm::interleave::{ThreadId, World};
use rsm::step::State;
use rsm::trace::{Recorder, Trace, Visit};
use rsm::{
    Action, Concurrent, Edge, EdgeId, Expr, Goal, Kept, Module, ModuleId, NodeId, Operation, Place, Rsm,
    Term, ThreadGoal, Type,
};
use std::collections::BTreeSet;

/// Longer runs, and runs with more variables, are not tried.
const MOST_STEPS: u128 = 20_000;
const MOST_VARIABLES: usize = 4_096;

/// A run of threads without its values.
pub struct Unrolled<'p> {
    program: &'p Concurrent,
    /// The machine.
    pub machine: Rsm,
    /// Whose variable each of its variables is.
    owners: Vec<Variable>,
    /// The first variable of each thread: its private ones, in the order of its block.
    private: Vec<usize>,
    /// For each thread the calls that are open.
    stacks: Vec<Vec<Call>>,
    /// The steps of the run.
    steps: Vec<Told>,
    actions: Vec<Action>,
    /// Where its values are at the start.
    start: World,
    first_locals: Vec<Vec<usize>>,
    end: (ThreadId, ThreadGoal),
}

/// A function that runs.
#[derive(Clone)]
struct Call {
    module: ModuleId,
    /// Its first variable.
    first: usize,
    /// Where its results go: a call of the caller.
    edge: Option<EdgeId>,
}

/// A step of the run, and where the values are that its thread sees afterwards.
struct Told {
    thread: ThreadId,
    edge: EdgeId,
    /// So many actions have been taken then.
    n_actions: usize,
    locals: std::ops::Range<usize>,
}

impl<'p> Unrolled<'p> {
    /// The edges of a run, which may be one of a view of the program. `None` if it is too long, or leads to no goal.
    pub fn of(program: &'p Concurrent, trace: &Trace) -> Option<Self> {
        let end = (trace.thread(), trace.goal()?);
        if trace.n_steps() > MOST_STEPS {
            return None;
        }
        let mut this = Self::begun(program, trace, end);
        let mut active = None;
        for visit in trace.walk(&program.machine) {
            this.activate(visit.thread, &mut active);
            this.step(&visit)?;
            if this.owners.len() > MOST_VARIABLES {
                return None;
            }
        }
        this.activate(end.0, &mut active);
        this.finish();
        Some(this)
    }

    fn begun(program: &'p Concurrent, trace: &Trace, end: (ThreadId, ThreadGoal)) -> Self {
        let rsm = &program.machine;
        let mut this = Self {
            program,
            machine: Rsm {
                globals: rsm.globals[..program.n_shared].to_vec(),
                init: rsm.init.clone(),
                modules: Vec::new(),
                main: ModuleId::new(0),
            },
            owners: (0..program.n_shared as u32).map(|n| (rsm.main, Place::Global(n))).collect(),
            private: Vec::new(),
            stacks: Vec::new(),
            steps: Vec::new(),
            actions: Vec::new(),
            start: trace.start.clone(),
            first_locals: Vec::new(),
            end,
        };
        for (t, thread) in trace.start.threads.iter().enumerate() {
            let block = &program.blocks[thread.block as usize];
            this.private.push(this.owners.len());
            for global in &block.private {
                this.add(rsm.main, Place::Global(*global));
            }
            this.stacks.push(Vec::new());
            for frame in &thread.stack {
                let first = this.enter(frame.module);
                this.stacks[t].push(Call { module: frame.module, first, edge: frame.call });
            }
            this.first_locals.push(this.stacks[t].iter().map(|call| call.first).collect());
            let main = this.stacks[t].last().cloned();
            let init =
                block.init.iter().map(|condition| this.renamed(ThreadId(t as u32), main.as_ref(), condition));
            let init: Vec<Expr> = init.collect();
            this.machine.init.extend(init);
        }
        this
    }

    /// Another variable.
    fn add(&mut self, module: ModuleId, place: Place) {
        self.machine.globals.push(self.program.machine.variable(module, place).clone());
        self.owners.push((module, place));
    }

    /// The variables of a function that begins; the first of them.
    fn enter(&mut self, module: ModuleId) -> usize {
        let first = self.owners.len();
        let n_locals = self.program.machine.module(module).locals.len() as u32;
        (0..n_locals).for_each(|n| self.add(module, Place::Local(n)));
        first
    }

    /// Where a variable is that a thread sees in a function.
    fn place(&self, thread: ThreadId, call: Option<&Call>, place: Place) -> Place {
        let at = match place {
            Place::Local(n) => call.map_or(0, |call| call.first) + n as usize,
            Place::Global(n) if (n as usize) < self.program.n_shared => n as usize,
            Place::Global(n) => {
                let block = self.start.threads[thread.index()].block as usize;
                let position = self.program.blocks[block].private.iter().position(|global| *global == n);
                self.private[thread.index()] + position.unwrap_or(0)
            }
        };
        Place::Global(at as u32)
    }

    fn renamed(&self, thread: ThreadId, call: Option<&Call>, expr: &Expr) -> Expr {
        let term = |term: &Term| {
            let operation = match term.operation {
                Operation::Read(place) => Operation::Read(self.place(thread, call, place)),
                Operation::ReadNext(place) => Operation::ReadNext(self.place(thread, call, place)),
                other => other,
            };
            Term { operation, ty: term.ty.clone() }
        };
        Expr { code: expr.code.iter().map(term).collect() }
    }

    /// A thread becomes active, where the function on top allows it.
    fn activate(&mut self, thread: ThreadId, active: &mut Option<ThreadId>) {
        if active.replace(thread) != Some(thread) {
            self.demand(thread);
        }
    }

    /// What the function on top demands.
    fn demand(&mut self, thread: ThreadId) {
        let call = self.stacks[thread.index()].last().cloned();
        let enforce =
            call.as_ref().and_then(|call| self.program.machine.module(call.module).enforce.as_ref());
        if let Some(enforce) = enforce {
            let condition = self.renamed(thread, call.as_ref(), enforce);
            self.actions.push(Action::Assume(condition));
        }
    }

    fn step(&mut self, visit: &Visit) -> Option<()> {
        let (thread, rsm) = (visit.thread, &self.program.machine);
        let call = self.stacks[thread.index()].last().cloned()?;
        let here = |this: &Self, expr: &Expr| this.renamed(thread, Some(&call), expr);
        match &rsm.module(call.module).edge(visit.edge).action {
            Action::Skip => self.actions.push(Action::Skip),
            Action::Assume(condition) | Action::Assert(condition) => {
                self.actions.push(Action::Assume(here(self, condition)));
            }
            Action::Assign { targets, values, constrain } => {
                let targets = targets.iter().map(|place| self.place(thread, Some(&call), *place)).collect();
                let values = values.iter().map(|value| here(self, value)).collect();
                let constrain = constrain.as_ref().map(|condition| here(self, condition));
                self.actions.push(Action::Assign { targets, values, constrain });
                self.demand(thread);
            }
            Action::Call { callee, args, .. } => {
                let values: Vec<Expr> = args.iter().map(|arg| here(self, arg)).collect();
                let first = self.enter(*callee);
                let targets = (0..args.len()).map(|n| Place::Global((first + n) as u32)).collect();
                self.actions.push(Action::Assign { targets, values, constrain: None });
                self.stacks[thread.index()].push(Call { module: *callee, first, edge: Some(visit.edge) });
                self.demand(thread);
            }
            Action::Return { values } => {
                let values: Vec<Expr> = values.iter().map(|value| here(self, value)).collect();
                self.stacks[thread.index()].pop();
                self.come_back(thread, &call, values);
            }
        }
        let top = self.stacks[thread.index()].last();
        let locals = top.map_or(0..0, |top| top.first..top.first + rsm.module(top.module).locals.len());
        self.steps.push(Told { thread, edge: visit.edge, n_actions: self.actions.len(), locals });
        Some(())
    }

    /// A function has returned these values to the one that is on top now.
    fn come_back(&mut self, thread: ThreadId, call: &Call, values: Vec<Expr>) {
        let caller = self.stacks[thread.index()].last().cloned();
        let (Some(caller), Some(edge)) = (caller, call.edge) else {
            self.actions.push(Action::Skip);
            return;
        };
        let Action::Call { results, .. } = &self.program.machine.module(caller.module).edge(edge).action
        else {
            self.actions.push(Action::Skip);
            return;
        };
        let stored = results.iter().zip(values);
        let stored =
            stored.filter_map(|(place, value)| Some((self.place(thread, Some(&caller), (*place)?), value)));
        let (targets, values) = stored.unzip();
        self.actions.push(Action::Assign { targets, values, constrain: None });
        self.demand(thread);
    }

    /// The assertion fails, if that is the goal; then the machine is made.
    fn finish(&mut self) {
        let (thread, goal) = self.end;
        if let Goal::Failure(module, edge) = goal.goal
            && let Action::Assert(condition) = &self.program.machine.module(module).edge(edge).action
        {
            let call = self.stacks[thread.index()].last().cloned();
            let mut code = self.renamed(thread, call.as_ref(), condition).code.into_vec();
            code.push(Term { operation: Operation::Not, ty: Type::Bool });
            self.actions.push(Action::Assume(Expr { code: code.into() }));
        }
        let main = self.program.machine.module(self.program.machine.main);
        let (node, span) = (main.node(main.entry).clone(), main.span);
        let n = self.actions.len();
        let edges = self.actions.drain(..).enumerate().map(|(n, action)| Edge {
            from: NodeId::new(n),
            to: NodeId::new(n + 1),
            action,
            span,
        });
        self.machine.modules.push(Module {
            name: main.name.clone(),
            span,
            locals: Vec::new(),
            n_params: 0,
            results: Vec::new(),
            enforce: None,
            edges: edges.collect(),
            nodes: vec![node; n + 2],
            entry: NodeId::new(0),
            exit: NodeId::new(n + 1),
        });
    }

    /// The run as a path of the machine.
    pub fn path(&self) -> Path {
        let main = self.machine.main;
        let n_edges = self.machine.module(main).edges.len();
        let event = |n: usize| Event { module: main, edge: EdgeId::new(n), depth: 0, back: None };
        let goal = Goal::At(main, NodeId::new(n_edges));
        Path { events: (0..n_edges).map(event).collect(), is_whole: true, goal, stack: vec![main] }
    }

    /// A variable of the machine is one that all threads see, or one that is kept.
    pub fn is_shared_or(&self, (_, place): Variable, kept: &Kept) -> bool {
        let Place::Global(n) = place else { return false };
        let is_kept = |(module, place): &Variable| kept.has(*module, *place);
        (n as usize) < self.program.n_shared || self.owners.get(n as usize).is_some_and(is_kept)
    }

    /// The variables of the program that a reason speaks of: what it depends on, and what is read.
    pub fn variables(&self, reason: &Reason) -> [BTreeSet<Variable>; 2] {
        let owners = |places: &BTreeSet<Variable>| {
            let owner = |(_, place): &Variable| match place {
                Place::Global(n) => self.owners.get(*n as usize).copied(),
                Place::Local(_) => None,
            };
            places.iter().filter_map(owner).collect()
        };
        [owners(&reason.places), owners(&reason.read)]
    }

    /// The run of the threads that a run of the machine is.
    pub fn told(&self, run: &Trace) -> Option<Trace> {
        let [context] = &run.contexts[..] else { return None };
        let values = |n_actions: usize| match n_actions.checked_sub(1) {
            None => Some(&run.start.shared),
            Some(last) => context.steps.get(last).map(|step| &step.after.globals),
        };
        let first = values(0)?;
        let mut start = self.start.clone();
        start.shared = first[..self.program.n_shared].to_vec();
        for (t, thread) in start.threads.iter_mut().enumerate() {
            let n_private = thread.private.len();
            thread.private = first[self.private[t]..][..n_private].to_vec();
            for (frame, at) in thread.stack.iter_mut().zip(&self.first_locals[t]) {
                frame.locals = first[*at..][..frame.locals.len()].to_vec();
            }
        }
        let mut recorder = Recorder::new(&self.program.machine, start);
        for step in &self.steps {
            let values = values(step.n_actions)?;
            recorder.step(step.thread, step.edge, self.seen(step, values));
        }
        Some(recorder.finish(self.end.0, self.end.1))
    }

    /// What a thread sees after a step: what belongs to others is 0.
    fn seen(&self, step: &Told, values: &[u64]) -> State {
        let mut globals = vec![0; self.program.machine.globals.len()];
        globals[..self.program.n_shared].copy_from_slice(&values[..self.program.n_shared]);
        let thread = step.thread.index();
        let block = &self.program.blocks[self.start.threads[thread].block as usize];
        for (n, global) in block.private.iter().enumerate() {
            globals[*global as usize] = values[self.private[thread] + n];
        }
        State { globals, locals: values[step.locals.clone()].to_vec() }
    }
}

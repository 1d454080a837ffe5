//! From contexts to a run: what each thread does in its own contexts is a question about a sequential program.
//!
//! A thread's run depends on the others only by the shared values at the two ends of each of its contexts. With these known,
//! its part is a run of its own functions in which, at a place where it may be interrupted, the values it leaves are replaced
//! by those it finds next. That program is built here, checked like any other, and its trace cut into contexts.

use super::contexts::{Contexts, Segment};
use crate::evaluation::TraceReport;
use crate::evaluation::{self, Options};
use crate::formula::FormulaFile;
use crate::formula::algorithm;
use crate::outcome::{Unknown, Verdict};
use crate::target::Target;
use base::Sources;
use rsm::interleave::{ThreadId, ThreadState, World};
use rsm::step::{Frame, State};
use rsm::trace::{Recorder, Trace, Visit};
use rsm::{
    Action, Binary, Concurrent, Copies, Edge, EdgeId, Expr, Goal, Mentioned, Module, ModuleId, Node, NodeId,
    Operation, Place, Rsm, Term, ThreadGoal, Type, Variable,
};

/// Why there is no run.
pub(super) enum Problem {
    /// The time or the memory did not suffice.
    Stopped(Unknown),
    /// Some thread cannot do what the formula says.
    NoRun(String),
}

/// Longer runs are not written out.
const MOST_STEPS: u128 = 1 << 22;

/// The run of all threads that the contexts describe.
pub(super) fn interleave(
    program: &Concurrent,
    contexts: &Contexts,
    goals: &[ThreadGoal],
    options: &Options,
) -> Result<Trace, Problem> {
    let mut runs = Vec::new();
    for thread in 0..contexts.threads.len() {
        let goals = (thread == contexts.goal).then_some(goals);
        runs.push(ThreadProgram::new(program, contexts, thread, goals).run(program, options)?);
    }
    let counts = counts(program, contexts);
    let id = |thread: usize| {
        let (block, copy) = contexts.threads[thread];
        ThreadId(counts[..block].iter().sum::<u32>() + copy)
    };
    let mut recorder = Recorder::new(&program.machine, start(program, contexts, &counts, &runs));
    let mut next: Vec<std::vec::IntoIter<Vec<ThreadStep>>> = Vec::new();
    let mut goal = None;
    for run in runs {
        next.push(run.contexts.into_iter());
        goal = goal.or(run.goal);
    }
    for context in &contexts.list {
        let thread = id(context.thread);
        let block = &program.blocks[contexts.threads[context.thread].0];
        for ThreadStep { edge, mut after } in next[context.thread].next().into_iter().flatten() {
            // The thread does not see what belongs to others, and its own program has a variable more.
            after.globals.truncate(program.machine.globals.len());
            for n in program.n_shared..after.globals.len() {
                if block.private.binary_search(&(n as u32)).is_err() {
                    after.globals[n] = 0;
                }
            }
            recorder.step(thread, edge, after);
        }
    }
    let goal = goal.ok_or_else(|| Problem::NoRun("no thread reaches the target".to_owned()))?;
    Ok(recorder.finish(id(contexts.goal), goal))
}

/// How many copies of each block there are in the run.
fn counts(program: &Concurrent, contexts: &Contexts) -> Vec<u32> {
    let used = |block: usize| {
        let copies = contexts.threads.iter().filter(|thread| thread.0 == block).map(|thread| thread.1 + 1);
        copies.max().unwrap_or(0)
    };
    let number = |(block, text): (usize, &rsm::ThreadBlock)| match text.copies {
        Copies::Number(number) => number,
        Copies::Any => used(block),
    };
    program.blocks.iter().enumerate().map(number).collect()
}

/// Where the run starts. Threads that never run have private values as the first thread's question found them.
fn start(program: &Concurrent, contexts: &Contexts, counts: &[u32], runs: &[ThreadRun]) -> World {
    let first = &runs[contexts.list[0].thread].start;
    let mut threads = Vec::new();
    for (block, &count) in counts.iter().enumerate() {
        let text = &program.blocks[block];
        let main = program.machine.module(text.main);
        for copy in 0..count {
            let own = contexts.threads.iter().position(|thread| *thread == (block, copy));
            let (globals, locals) = match own {
                Some(thread) => (&runs[thread].start.globals, runs[thread].start.locals.clone()),
                None => (&first.globals, vec![0; main.locals.len()]),
            };
            let private = text.private.iter().map(|n| globals[*n as usize]).collect();
            let stack = vec![Frame::new(text.main, main.entry, locals)];
            threads.push(ThreadState { block: block as u32, copy, private, stack });
        }
    }
    let shared = contexts.initial.clone().unwrap_or_else(|| first.globals[..program.n_shared].to_vec());
    World { shared, threads }
}

/// What one thread does.
struct ThreadRun {
    /// Where it starts.
    start: State,
    /// Its steps, context by context.
    contexts: Vec<Vec<ThreadStep>>,
    /// The goal it reaches.
    goal: Option<ThreadGoal>,
}

/// A step of one thread.
struct ThreadStep {
    edge: EdgeId,
    after: State,
}

/// Where an edge of the program of one thread comes from.
#[derive(Clone, Copy)]
enum Origin {
    /// It is a step of the thread.
    Step(EdgeId),
    /// The thread leaves a context and enters this one of its later ones.
    Switch(usize),
    /// The end of the run.
    Goal(Option<ThreadGoal>),
}

/// The program of one thread whose contexts are known.
struct ThreadProgram<'c> {
    rsm: Rsm,
    /// For each module, for each edge.
    origins: Vec<Vec<Origin>>,
    segments: &'c [Segment],
    /// A global that counts contexts.
    turn: u32,
    /// The shared globals that the program mentions; nothing happens to the others.
    shared: Vec<u32>,
    flag: Option<u32>,
}

fn boolean(operation: Operation) -> Term {
    Term { operation, ty: Type::Bool }
}

/// All of the conditions hold.
fn all(conditions: impl IntoIterator<Item = Expr>) -> Expr {
    let mut code: Vec<Term> = Vec::new();
    for condition in conditions {
        let joins = !code.is_empty();
        code.extend(condition.code);
        if joins {
            code.push(boolean(Operation::Binary(Binary::And)));
        }
    }
    match code.is_empty() {
        true => Expr::constant(1, Type::Bool),
        false => Expr { code: code.into() },
    }
}

fn equals(variable: u32, ty: &Type, value: u64) -> Expr {
    let read = Term { operation: Operation::Read(Place::Global(variable)), ty: ty.clone() };
    let constant = Term { operation: Operation::Constant(value), ty: ty.clone() };
    Expr { code: Box::new([read, constant, boolean(Operation::Binary(Binary::Equal))]) }
}

/// The shared globals that a program mentions, ascending.
pub(super) fn shared_places(program: &Concurrent) -> Vec<u32> {
    let machine = &program.machine;
    let mut mentioned = Mentioned::by_anything(machine);
    for block in &program.blocks {
        block.init.iter().for_each(|condition| mentioned.add_condition(block.main, condition));
    }
    (0..program.n_shared as u32).filter(|n| mentioned.has(machine.main, Place::Global(*n))).collect()
}

impl<'c> ThreadProgram<'c> {
    fn new(
        program: &Concurrent,
        contexts: &'c Contexts,
        thread: usize,
        goals: Option<&[ThreadGoal]>,
    ) -> Self {
        let (block, copy) = contexts.threads[thread];
        let text = &program.blocks[block];
        let segments = &contexts.segments[thread];
        let mut rsm = program.machine.clone();
        let turn = rsm.globals.len() as u32;
        let width = (usize::BITS - segments.len().leading_zeros()).max(1);
        let span = text.span;
        rsm.globals.push(Variable { name: "$turn".to_owned(), ty: Type::Int(width as u8), span });
        rsm.main = text.main;
        let shared = shared_places(program);
        let mut own = Self { rsm, origins: Vec::new(), segments, turn, shared, flag: text.flag };
        let mut init = text.init.clone();
        if thread == contexts.list[0].thread {
            // Threads that never run have private values as well.
            let fixed = program.blocks.iter().filter(|block| block.copies != Copies::Any);
            init.extend(fixed.flat_map(|block| block.init.iter().cloned()));
        }
        if segments[0].enters.is_none() {
            init.extend(program.machine.init.iter().cloned());
        }
        init.push(own.begins());
        own.rsm.init = init;
        let goals: Option<Vec<ThreadGoal>> = goals.map(|goals| {
            let is_meant = |goal: &&ThreadGoal| goal.copy.is_none_or(|wanted| wanted == copy);
            goals.iter().filter(is_meant).copied().collect()
        });
        for m in 0..own.rsm.modules.len() {
            own.rebuild(ModuleId::new(m), goals.as_deref());
        }
        own
    }

    fn turn_is(&self, turn: usize) -> Expr {
        equals(self.turn, &self.rsm.globals[self.turn as usize].ty, turn as u64)
    }

    fn shared_are(&self, values: &[u64]) -> Expr {
        let is = |n: &u32| equals(*n, &self.rsm.globals[*n as usize].ty, values[*n as usize]);
        all(self.shared.iter().map(is))
    }

    /// The thread is in one of its contexts, at values with which it may be interrupted.
    fn may_leave(&self, turn: usize, values: &[u64]) -> Expr {
        let unset = self.flag.map(|flag| equals(flag, &Type::Bool, 0));
        all([self.turn_is(turn), self.shared_are(values)].into_iter().chain(unset))
    }

    /// The first context in which the thread does something.
    fn begins(&self) -> Expr {
        let n_idle = self.segments.iter().take_while(|segment| segment.is_idle()).count();
        let last = n_idle.min(self.segments.len() - 1);
        let begins = |turn: usize| {
            let shared = self.segments[turn].enters.as_ref().map(|values| self.shared_are(values));
            all([self.turn_is(turn)].into_iter().chain(shared))
        };
        (1..=last).fold(begins(0), |condition, turn| {
            let mut code = condition.code.to_vec();
            code.extend(begins(turn).code);
            code.push(boolean(Operation::Binary(Binary::Or)));
            Expr { code: code.into() }
        })
    }

    /// The contexts that may follow one in which the thread does something: those in between can be idle.
    fn followers(&self, turn: usize) -> impl Iterator<Item = usize> {
        let n_idle = self.segments[turn + 1..].iter().take_while(|segment| segment.is_idle()).count();
        turn + 1..(turn + n_idle + 2).min(self.segments.len())
    }

    /// From one context of the thread to a later one.
    fn switch(&self, turn: usize, next: usize) -> Option<Action> {
        let leaves = self.segments[turn].leaves.as_ref()?;
        let enters = self.segments[next].enters.as_ref()?;
        let mut targets: Vec<Place> = self.shared.iter().map(|n| Place::Global(*n)).collect();
        let value = |n: &u32| Expr::constant(enters[*n as usize], self.rsm.globals[*n as usize].ty.clone());
        let mut values: Vec<Expr> = self.shared.iter().map(value).collect();
        targets.push(Place::Global(self.turn));
        let ty = self.rsm.globals[self.turn as usize].ty.clone();
        values.push(Expr::constant(next as u64, ty));
        Some(Action::Assign { targets, values, constrain: Some(self.may_leave(turn, leaves)) })
    }

    /// Adds to a module the edges by which contexts end, and where the run may end. The thread's main function stays at
    /// its end, so that it can still be interrupted there.
    fn rebuild(&mut self, m: ModuleId, goals: Option<&[ThreadGoal]>) {
        let mut module = self.rsm.modules[m.index()].clone();
        let mut edges: Vec<(Edge, Origin)> = Vec::new();
        let done = NodeId::new(module.nodes.len());
        if m == self.rsm.main {
            let span = module.node(module.exit).span;
            module.nodes.push(Node { labels: Vec::new(), span, in_atomic: false });
        }
        for (e, edge) in std::mem::take(&mut module.edges).into_iter().enumerate() {
            let mut edge = edge;
            if m == self.rsm.main && matches!(edge.action, Action::Return { .. }) {
                (edge.action, edge.to) = (Action::Skip, done);
            }
            edges.push((edge, Origin::Step(EdgeId::new(e))));
        }
        for (n, node) in module.nodes.iter().enumerate() {
            let node_id = NodeId::new(n);
            if node.in_atomic || node_id == module.exit {
                continue;
            }
            let add = |action| Edge { from: node_id, to: node_id, action, span: node.span };
            for turn in 0..self.segments.len() {
                let followers = self.followers(turn);
                let switches = followers.filter_map(|next| Some((self.switch(turn, next)?, next)));
                edges.extend(switches.map(|(action, next)| (add(action), Origin::Switch(next))));
                if goals.is_none() {
                    edges.extend(self.end(turn).map(|action| (add(action), Origin::Goal(None))));
                }
            }
        }
        for goal in goals.into_iter().flatten().filter(|goal| goal.goal.module() == m) {
            let edge = self.reaches(&module, &edges, goal.goal);
            edges.push((edge, Origin::Goal(Some(*goal))));
        }
        edges.sort_by_key(|(edge, _)| edge.from);
        let (edges, origins) = edges.into_iter().unzip();
        module.edges = edges;
        self.rsm.modules[m.index()] = module;
        self.origins.push(origins);
    }

    /// The thread has done its part with this context.
    fn end(&self, turn: usize) -> Option<Action> {
        let is_last = self.segments[turn + 1..].iter().all(Segment::is_idle);
        let leaves = self.segments[turn].leaves.as_ref().filter(|_| is_last)?;
        Some(Action::Assert(self.may_leave(turn, leaves).negated()))
    }

    /// An assertion that fails where a goal is reached in the last context.
    fn reaches(&self, module: &Module, edges: &[(Edge, Origin)], goal: Goal) -> Edge {
        let is_last = self.turn_is(self.segments.len() - 1);
        let (node, holds) = match goal {
            Goal::At(_, node) => (node, is_last.negated()),
            Goal::Failure(_, edge) => {
                let edge = &edges[edge.index()].0;
                let Action::Assert(condition) = &edge.action else { unreachable!("an assertion fails") };
                let mut code = is_last.code.to_vec();
                code.extend(condition.code.iter().cloned());
                code.push(boolean(Operation::Binary(Binary::Implies)));
                (edge.from, Expr { code: code.into() })
            }
        };
        Edge { from: node, to: node, action: Action::Assert(holds), span: module.node(node).span }
    }

    /// Finds the run.
    fn run(&self, program: &Concurrent, options: &Options) -> Result<ThreadRun, Problem> {
        let mut goals = Vec::new();
        for (m, origins) in self.origins.iter().enumerate() {
            for (e, origin) in origins.iter().enumerate() {
                if let Origin::Goal(_) = origin {
                    goals.push(Goal::Failure(ModuleId::new(m), EdgeId::new(e)));
                }
            }
        }
        let target = Target::new("$end", goals);
        let text = algorithm("entry_forward").expect("an algorithm that is there").text;
        let mut read = |name: &str| Err(format!("`{name}` is not there"));
        let file = FormulaFile { name: "entry_forward.mu", text, read: &mut read, params: &[], labels: &[] };
        let options = Options { trace: true, certificate: false, symbolic: false, ..options.clone() };
        let report = evaluation::check(&self.rsm, &[target], file, &options, &mut Sources::default());
        let report =
            report.map_err(|_| Problem::NoRun("the thread's own question is no question".to_owned()))?;
        match (report.finding.verdict, report.trace) {
            (Verdict::Unknown(reason), _) | (_, TraceReport::Stopped(reason)) => {
                Err(Problem::Stopped(reason))
            }
            (Verdict::Yes, TraceReport::Replayed(trace)) => self.cut(program, &trace),
            (Verdict::Yes, TraceReport::Wrong(reason) | TraceReport::Unclear(reason)) => {
                Err(Problem::NoRun(reason))
            }
            _ => {
                let block = program.blocks.iter().find(|block| block.main == self.rsm.main);
                let name = block.map_or("", |block| block.name.as_str());
                Err(Problem::NoRun(format!("thread `{name}` cannot do its part")))
            }
        }
    }

    /// Cuts the steps of a trace into contexts.
    fn cut(&self, program: &Concurrent, trace: &Trace) -> Result<ThreadRun, Problem> {
        if trace.n_steps() > MOST_STEPS {
            return Err(Problem::NoRun("the run is too long to be written out".to_owned()));
        }
        let frame = &trace.start.threads[0].stack[0];
        let start = State { globals: trace.start.shared.clone(), locals: frame.locals.clone() };
        let mut turn = start.globals[self.turn as usize] as usize;
        let mut contexts: Vec<Vec<ThreadStep>> = self.segments.iter().map(|_| Vec::new()).collect();
        for Visit { module, edge, after, .. } in trace.walk(&self.rsm) {
            match self.origins[module.index()][edge.index()] {
                Origin::Switch(next) => turn = next,
                Origin::Step(edge) => {
                    let mut after = after.clone();
                    // The main function has ended: nothing is left on its stack.
                    let action = &program.machine.module(module).edge(edge).action;
                    if module == self.rsm.main && matches!(action, Action::Return { .. }) {
                        after.locals.clear();
                    }
                    contexts[turn].push(ThreadStep { edge, after });
                }
                Origin::Goal(_) => {}
            }
        }
        let Some(Goal::Failure(m, e)) = trace.goal().map(|goal| goal.goal) else {
            return Err(Problem::NoRun("the run ends nowhere".to_owned()));
        };
        let goal = match self.origins[m.index()][e.index()] {
            Origin::Goal(goal) => goal,
            _ => None,
        };
        Ok(ThreadRun { start, contexts, goal })
    }
}

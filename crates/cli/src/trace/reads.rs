//! Which values that nothing initialises matter in a trace: those that are read before they are written.

use checker::{Run, Trace};
use rsm::{Action, EdgeId, Expr, Goal, Module, Place, Rsm};
use rustc_hash::FxHashSet;

/// For each run of a trace what it reads of the values it starts with.
pub struct Reads {
    runs: Vec<Summary>,
}

/// What a run reads before it writes, and what it writes.
#[derive(Clone, Default)]
pub struct Summary {
    read: FxHashSet<Place>,
    written: FxHashSet<Place>,
}

impl Summary {
    /// What is read before it is written, in the order of declaration.
    pub fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> = self.read.iter().copied().collect();
        places.sort();
        places
    }

    /// What is read or written.
    pub fn all(&self) -> impl Iterator<Item = Place> + '_ {
        self.read.iter().chain(&self.written).copied()
    }

    /// Something is stored.
    pub fn write(&mut self, places: impl IntoIterator<Item = Place>) {
        self.written.extend(places);
    }

    fn read(&mut self, place: Place) {
        if !self.written.contains(&place) {
            self.read.insert(place);
        }
    }

    /// An expression is evaluated.
    pub fn expression(&mut self, expr: &Expr) {
        expr.reads().for_each(|place| self.read(place));
    }

    /// The globals of a run that is called.
    fn call(&mut self, callee: &Summary) {
        let is_global = |place: &&Place| matches!(place, Place::Global(_));
        callee.read.iter().filter(is_global).for_each(|place| self.read(*place));
        self.written.extend(callee.written.iter().filter(is_global));
    }

    /// What a step does, apart from what a callee does.
    pub fn action(&mut self, action: &Action) {
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
}

impl Reads {
    /// Looks at every run once.
    pub fn new(rsm: &Rsm, trace: &Trace) -> Self {
        let open: FxHashSet<usize> = trace.open.iter().copied().collect();
        let mut reads = Self { runs: vec![Summary::default(); trace.runs.len()] };
        for number in (0..trace.runs.len()).filter(|number| !open.contains(number)) {
            reads.runs[number] = reads.summary(rsm, &trace.runs[number]);
        }
        let mut next: Option<usize> = None;
        for &number in trace.open.iter().rev() {
            let run = &trace.runs[number];
            let mut summary = reads.summary(rsm, run);
            let module = rsm.module(run.module);
            match (run.open_call, next) {
                (Some(call), Some(next)) => {
                    summary.action(&module.edge(call).action);
                    summary.call(&reads.runs[next]);
                }
                _ => summary.goal(module, trace.goal),
            }
            reads.runs[number] = summary;
            next = Some(number);
        }
        reads
    }

    /// The variables whose value at the start of a run matters, parameters included, in the order of declaration.
    pub fn of(&self, run: usize) -> Vec<Place> {
        self.runs[run].places()
    }

    /// The locals, other than parameters, whose value at the start of a run matters.
    pub fn locals(&self, rsm: &Rsm, trace: &Trace, run: usize) -> Vec<u32> {
        let n_params = rsm.module(trace.runs[run].module).n_params as u32;
        let local = |place: &Place| match place {
            Place::Local(n) if *n >= n_params => Some(*n),
            _ => None,
        };
        self.of(run).iter().filter_map(local).collect()
    }

    fn summary(&self, rsm: &Rsm, run: &Run) -> Summary {
        let module = rsm.module(run.module);
        let mut summary = Summary::default();
        module.enforce.iter().for_each(|condition| summary.expression(condition));
        for step in &run.steps {
            let action = &module.edge(step.edge).action;
            summary.action(action);
            if let Some(callee) = step.run {
                summary.call(&self.runs[callee]);
            }
            if let Action::Call { results, .. } = action {
                summary.written.extend(results.iter().flatten());
            }
        }
        summary
    }
}

impl Summary {
    /// The assertion that fails.
    fn goal(&mut self, module: &Module, goal: Goal) {
        let edge: Option<EdgeId> = if let Goal::Failure(_, edge) = goal { Some(edge) } else { None };
        edge.into_iter().for_each(|edge| self.action(&module.edge(edge).action));
    }
}

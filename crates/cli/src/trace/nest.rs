//! From a flat run to a trace in which each function's run is a list of its own.

use checker::{Run, State, Step, Trace};
use rsm::explicit;
use rsm::step::{Configuration, Frame};
use rsm::values::{View, evaluate};
use rsm::{Action, EdgeId, Rsm};
use rustc_hash::FxHashMap;

/// The trace of a flat run. Runs of functions that are the same are stored once.
pub fn nest(rsm: &Rsm, flat: &explicit::Trace) -> Trace {
    let mut nesting = Nesting { rsm, runs: Vec::new(), known: FxHashMap::default(), open: Vec::new() };
    nesting.enter(&flat.start);
    let mut before = &flat.start;
    for (edge, after) in &flat.steps {
        match after.stack.len().cmp(&before.stack.len()) {
            std::cmp::Ordering::Greater => nesting.enter(after),
            std::cmp::Ordering::Equal => nesting.add(*edge, None, state(after)),
            std::cmp::Ordering::Less => nesting.leave(before, *edge, after),
        }
        before = after;
    }
    nesting.finish(flat, before)
}

struct Nesting<'a> {
    rsm: &'a Rsm,
    runs: Vec<Run>,
    /// The positions of finished runs.
    known: FxHashMap<Key, usize>,
    /// The runs that are going on, callers before callees.
    open: Vec<Run>,
}

/// What makes two runs the same.
type Key = (u32, State, Vec<(EdgeId, Option<usize>, State)>);

fn state(configuration: &Configuration) -> State {
    let locals = configuration.top().map_or_else(Vec::new, |top| top.locals.clone());
    State { globals: configuration.globals.clone(), locals }
}

impl Nesting<'_> {
    fn enter(&mut self, after: &Configuration) {
        let Some(top) = after.top() else { return };
        self.open.push(Run { module: top.module, start: state(after), steps: Vec::new(), open_call: None });
    }

    fn add(&mut self, edge: EdgeId, run: Option<usize>, after: State) {
        let top = self.open.last_mut().expect("a run that takes a step has begun");
        top.steps.push(Step { edge, run, after });
    }

    /// The run on top returns.
    fn leave(&mut self, before: &Configuration, edge: EdgeId, after: &Configuration) {
        let results = self.results(before, edge);
        self.add(edge, None, State { globals: before.globals.clone(), locals: results });
        let done = self.open.pop().expect("a run that returns has begun");
        let waiting = before.stack.iter().rev().nth(1);
        if let Some(call) = waiting.and_then(|frame: &Frame| frame.call) {
            let run = self.store(done);
            self.add(call, Some(run), state(after));
        }
    }

    /// The values that are returned; where they are chosen, any will do, since the caller's state tells.
    fn results(&self, before: &Configuration, edge: EdgeId) -> Vec<u64> {
        let Some(top) = before.top() else { return Vec::new() };
        let Action::Return { values } = &self.rsm.module(top.module).edge(edge).action else {
            return Vec::new();
        };
        let view = View::new(&before.globals, &top.locals);
        values.iter().map(|value| evaluate(value, &view, &mut |_| 0)).collect()
    }

    fn store(&mut self, run: Run) -> usize {
        let steps = run.steps.iter().map(|step| (step.edge, step.run, step.after.clone())).collect();
        let key = (run.module.0, run.start.clone(), steps);
        let next = self.runs.len();
        let number = *self.known.entry(key).or_insert(next);
        if number == next {
            self.runs.push(run);
        }
        number
    }

    fn finish(mut self, flat: &explicit::Trace, last: &Configuration) -> Trace {
        for (run, frame) in self.open.iter_mut().zip(&last.stack) {
            run.open_call = frame.call;
        }
        let first = self.runs.len();
        let open = (first..first + self.open.len()).collect();
        self.runs.append(&mut self.open);
        Trace { runs: self.runs, open, goal: flat.goal }
    }
}

//! A trace as rows of a table: one for each step, one for each repetition of a run that has been told.

use super::effect::{Moment, Narrator, list};
use super::mentioned::Mentioned;
use super::reads::Reads;
use super::statement::Statement;
use super::table::Row;
use checker::{Run, State, Trace};
use rsm::{EdgeId, Goal, ModuleId, Place};
use rustc_hash::FxHashMap;

/// A trace, told.
pub struct Story {
    /// In the order of the steps.
    pub rows: Vec<Row>,
}

/// A run that is being told.
struct Telling {
    run: usize,
    /// How many of its steps have been told.
    n_told: usize,
    /// The number of its first step.
    first: u128,
    /// Where the result goes; none for open runs.
    caller: Option<(usize, usize)>,
}

struct Teller<'a> {
    narrator: &'a Narrator<'a>,
    trace: &'a Trace,
    reads: Reads,
    rows: Vec<Row>,
    /// How many steps have been told or referred to.
    n_steps: u128,
    /// The first and the last step of the runs that have been told.
    told: FxHashMap<usize, (u128, u128)>,
}

impl Story {
    /// Tells a trace.
    pub fn new(narrator: &Narrator, trace: &Trace) -> Self {
        let reads = Reads::new(narrator.rsm, trace);
        let mut teller =
            Teller { narrator, trace, reads, rows: Vec::new(), n_steps: 0, told: FxHashMap::default() };
        teller.start();
        for (depth, &run) in trace.open.iter().enumerate() {
            teller.run(run, depth);
            if let (Some(edge), Some(&callee)) = (trace.runs[run].open_call, trace.open.get(depth + 1)) {
                teller.call((run, trace.runs[run].steps.len()), edge, callee, depth);
            }
        }
        teller.goal();
        teller.end();
        Self { rows: teller.rows }
    }
}

fn moment(state: &State) -> Moment<'_> {
    Moment { globals: &state.globals, locals: &state.locals }
}

impl<'a> Teller<'a> {
    fn module(&self, run: usize) -> ModuleId {
        self.trace.runs[run].module
    }

    /// The initial values that matter.
    fn start(&mut self) {
        let Some(&run) = self.trace.open.first() else { return };
        let start = moment(&self.trace.runs[run].start);
        let places = self.reads.of(run).into_iter();
        let effect = list(&self.narrator.valuation(self.module(run), places, start));
        if !effect.is_empty() {
            let statement = "(initially)".to_owned();
            self.rows.push(Row { statement, effect, ..Row::default() });
        }
    }

    /// Tells the steps of an open run and of all that it calls. A list of runs stands in for recursion, since calls may be
    /// nested deeply.
    fn run(&mut self, run: usize, depth: usize) {
        let mut pending = vec![Telling { run, n_told: 0, first: 0, caller: None }];
        while !pending.is_empty() {
            let last = pending.len() - 1;
            let depth = depth + last;
            let telling = &mut pending[last];
            let (run, n) = (telling.run, telling.n_told);
            let Some(step) = self.trace.runs[run].steps.get(n) else {
                self.told.insert(run, (telling.first, self.n_steps));
                pending.pop();
                continue;
            };
            let caller = telling.caller;
            telling.n_told += 1;
            match step.run {
                Some(callee) => {
                    self.call((run, n), step.edge, callee, depth);
                    if self.told.contains_key(&callee) {
                        self.again((run, n), callee, depth);
                    } else {
                        let first = self.n_steps.saturating_add(1);
                        pending.push(Telling { run: callee, n_told: 0, first, caller: Some((run, n)) });
                    }
                }
                None => self.step((run, n), caller, depth),
            }
        }
    }

    /// A step that calls nothing.
    fn step(&mut self, (run, n): (usize, usize), caller: Option<(usize, usize)>, depth: usize) {
        let body: &'a Run = &self.trace.runs[run];
        let (step, before) = (&body.steps[n], moment(body.state(n)));
        let is_return = caller.is_some() && n + 1 == body.steps.len();
        let effect = match caller.filter(|_| is_return) {
            Some(caller) => self.back(run, caller),
            None => self.narrator.within(body.module, step.edge, before, moment(&step.after)),
        };
        self.row(body.module, step.edge, depth, effect);
    }

    /// The step that enters a function.
    fn call(&mut self, (run, n): (usize, usize), edge: EdgeId, callee: usize, depth: usize) {
        let body: &'a Run = &self.trace.runs[run];
        let told = self.reads.locals(self.narrator.rsm, self.trace, callee);
        let start = moment(&self.trace.runs[callee].start);
        let effect = self.narrator.call((body.module, edge), moment(body.state(n)), start, &told);
        self.row(body.module, edge, depth, effect);
    }

    /// A run that has been told before.
    fn again(&mut self, caller: (usize, usize), callee: usize, depth: usize) {
        let (first, last) = self.told[&callee];
        let effect = self.back(callee, caller);
        self.n_steps = self.n_steps.saturating_add(last.saturating_sub(first).saturating_add(1));
        let statement = if first == last {
            format!("… as step {first}")
        } else {
            format!("… as steps {first}–{last}")
        };
        let number = Some(self.n_steps);
        self.rows.push(Row { number, line: None, depth: depth + 1, statement, effect });
    }

    /// What the last step of a run gives its caller.
    fn back(&self, run: usize, (caller, position): (usize, usize)) -> String {
        let (body, calling) = (&self.trace.runs[run], &self.trace.runs[caller]);
        let Some(last) = body.steps.len().checked_sub(1) else { return String::new() };
        let call = &calling.steps[position];
        let from = (body.module, body.steps[last].edge);
        let to = (calling.module, call.edge);
        self.narrator.back(from, moment(body.state(last)), to, moment(&call.after))
    }

    fn row(&mut self, module: ModuleId, edge: EdgeId, depth: usize, effect: String) {
        self.n_steps = self.n_steps.saturating_add(1);
        let Statement { line, text, .. } = self.narrator.statement(module, edge);
        let number = Some(self.n_steps);
        self.rows.push(Row { number, line: Some(line), depth, statement: text, effect });
    }

    /// The end of the story.
    fn goal(&mut self) {
        let depth = self.trace.open.len().saturating_sub(1);
        self.rows.push(self.narrator.goal(self.trace.goal, depth));
    }

    /// The values at the end.
    fn end(&mut self) {
        let effect = list(&self.narrator.values_at_goal(self.trace));
        if !effect.is_empty() {
            self.rows.push(Row { statement: "(finally)".to_owned(), effect, ..Row::default() });
        }
    }
}

/// The run that is at the goal, and the values there.
pub fn at_goal(trace: &Trace) -> Option<(&Run, Moment<'_>)> {
    let run = &trace.runs[*trace.open.last()?];
    Some((run, moment(run.state(run.steps.len()))))
}

impl Narrator<'_> {
    /// The values at the end of a trace: of the globals and of the locals of the function that is there, as far as the program
    /// mentions them.
    pub fn values_at_goal(&self, trace: &Trace) -> Vec<(String, String)> {
        let Some((run, moment)) = at_goal(trace) else { return Vec::new() };
        let mentioned = Mentioned::new(self.rsm);
        let globals = (0..moment.globals.len() as u32).map(Place::Global);
        let locals = (0..moment.locals.len() as u32).map(Place::Local);
        let places = globals.chain(locals).filter(|place| mentioned.has(run.module, *place));
        self.valuation(run.module, places, moment)
    }

    /// The row of what is reached.
    pub fn goal(&self, goal: Goal, depth: usize) -> Row {
        let (span, effect) = match goal {
            Goal::At(module, node) => {
                let node = self.rsm.module(module).node(node);
                let labels = node.labels.join(", ");
                (
                    node.span,
                    if labels.is_empty() { "reached".to_owned() } else { format!("{labels} reached") },
                )
            }
            Goal::Failure(module, edge) => {
                (self.rsm.module(module).edge(edge).span, "assertion fails".to_owned())
            }
        };
        let Statement { line, text, .. } = Statement::at(self.sources, span, None);
        Row { number: None, line: Some(line), depth, statement: text, effect }
    }
}

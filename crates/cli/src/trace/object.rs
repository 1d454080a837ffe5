//! A trace as JSON: the runs of functions, each once, and which of them are not finished at the target.

use super::effect::{Moment, Narrator};
use super::statement::Statement;
use super::story::at_goal;
use base::Sources;
use checker::{Run, State, Trace};
use rsm::{EdgeId, Goal, Place, Rsm};
use serde_json::{Value, json};

/// The object that `docs/output.schema.json` calls `trace`.
pub fn object(rsm: &Rsm, sources: &Sources, trace: &Trace) -> Value {
    let narrator = Narrator { rsm, sources };
    let runs: Vec<Value> = trace.runs.iter().map(|body| run(&narrator, trace, body)).collect();
    let mut goal = goal(&narrator, trace.goal);
    if let Some((run, moment)) = at_goal(trace) {
        let (globals, locals) = places(&narrator, run);
        goal["globals"] = crate::json::pairs(&narrator.valuation(run.module, globals, moment));
        goal["locals"] = crate::json::pairs(&narrator.valuation(run.module, locals, moment));
    }
    json!({
        "n_steps": crate::json::number(&trace.n_steps().to_string()),
        "runs": runs,
        "open": trace.open,
        "goal": goal,
    })
}

/// All globals, and all locals of a run.
fn places(narrator: &Narrator, run: &Run) -> (impl Iterator<Item = Place>, impl Iterator<Item = Place>) {
    let n_locals = narrator.rsm.module(run.module).locals.len() as u32;
    let globals = (0..narrator.rsm.globals.len() as u32).map(Place::Global);
    (globals, (0..n_locals).map(Place::Local))
}

fn moment(state: &State) -> Moment<'_> {
    Moment { globals: &state.globals, locals: &state.locals }
}

fn run(narrator: &Narrator, trace: &Trace, run: &Run) -> Value {
    let module = narrator.rsm.module(run.module);
    let start = moment(&run.start);
    let (globals, locals) = places(narrator, run);
    let steps: Vec<Value> = run
        .steps
        .iter()
        .map(|step| {
            let after = moment(&step.after);
            let mut changes = narrator.assigned(run.module, step.edge, after);
            if step.run.is_some() {
                changes = narrator.changed(run.module, step.edge, &trace.runs, step);
            }
            let mut entry = place(narrator, run, step.edge);
            entry["run"] = json!(step.run);
            entry["changes"] = crate::json::pairs(&changes);
            entry
        })
        .collect();
    json!({
        "function": module.name,
        "globals": crate::json::pairs(&narrator.valuation(run.module, globals, start)),
        "locals": crate::json::pairs(&narrator.valuation(run.module, locals, start)),
        "steps": steps,
        "open_call": run.open_call.map(|edge| place(narrator, run, edge)),
    })
}

impl Narrator<'_> {
    /// What a call as a whole changes: results and globals.
    fn changed(
        &self,
        module: rsm::ModuleId,
        call: EdgeId,
        runs: &[Run],
        step: &checker::Step,
    ) -> Vec<(String, String)> {
        let after = moment(&step.after);
        let mut changes = self.stored(module, call, after);
        let start = step.run.map(|callee| &runs[callee].start.globals);
        let globals = (0..self.rsm.globals.len() as u32)
            .filter(|&n| start.is_some_and(|start| start[n as usize] != step.after.globals[n as usize]));
        for change in self.valuation(module, globals.map(Place::Global), after) {
            if !changes.contains(&change) {
                changes.push(change);
            }
        }
        changes
    }
}

/// Where a step is, and its text.
fn place(narrator: &Narrator, run: &Run, edge: EdgeId) -> Value {
    let Statement { line, column, text } = narrator.statement(run.module, edge);
    json!({ "line": line, "column": column, "statement": text })
}

/// What is reached, and where.
pub fn goal(narrator: &Narrator, goal: Goal) -> Value {
    let (kind, module, span, labels) = match goal {
        Goal::At(module, node) => {
            let node = narrator.rsm.module(module).node(node);
            ("label", module, node.span, node.labels.clone())
        }
        Goal::Failure(module, edge) => {
            ("assert", module, narrator.rsm.module(module).edge(edge).span, Vec::new())
        }
    };
    let (line, column) = narrator.sources.line_column(span);
    json!({
        "kind": kind,
        "function": narrator.rsm.module(module).name,
        "labels": labels,
        "line": line,
        "column": column,
    })
}

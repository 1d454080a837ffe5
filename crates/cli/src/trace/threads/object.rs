//! A run of threads as JSON: its steps in order.

use super::super::effect::Moment;
use super::super::object::goal;
use super::Interleaved;
use rsm::Place;
use rsm::interleave::{ThreadId, ThreadState};
use serde_json::{Value, json};

impl Interleaved<'_> {
    /// The object that `docs/output.schema.json` calls `interleaving`.
    pub fn object(&self) -> Value {
        let steps: Vec<Value> = (0..self.beats.list.len()).map(|step| self.step_object(step)).collect();
        let threads: Vec<Value> = self.threads_that_run().map(|thread| self.thread_object(thread)).collect();
        let places = (0..self.program.n_shared as u32).map(Place::Global);
        let start = Moment { globals: &self.trace.start.shared, locals: &[] };
        let shared = self.narrator.valuation(self.program.machine.main, places, start);
        let mut goal = goal(&self.narrator, self.goal().0);
        self.sign(&mut goal, self.trace.thread);
        json!({
            "n_steps": self.trace.steps.len(),
            "n_switches": self.trace.n_switches(),
            "shared": crate::json::pairs(&shared),
            "threads": threads,
            "steps": steps,
            "goal": goal,
        })
    }

    /// Says whose an entry is.
    fn sign(&self, entry: &mut Value, thread: ThreadId) {
        let ThreadState { block, copy, .. } = self.thread(thread);
        entry["thread"] = json!(self.program.blocks[*block as usize].name);
        entry["copy"] = json!(copy);
    }

    fn step_object(&self, step: usize) -> Value {
        let beat = &self.beats.list[step];
        let statement = self.statement(step);
        let mut entry = json!({
            "context": beat.context + 1,
            "function": self.program.machine.module(beat.module).name,
            "depth": self.depth(step),
            "line": statement.line,
            "column": statement.column,
            "statement": statement.text,
            "changes": crate::json::pairs(&self.changes(step)),
        });
        self.sign(&mut entry, self.thread_of(beat));
        entry
    }

    /// A thread: what it starts with, and where it stands at the end.
    fn thread_object(&self, thread: ThreadId) -> Value {
        let ThreadState { block, .. } = self.thread(thread);
        let main = self.program.blocks[*block as usize].main;
        let private = self.program.blocks[*block as usize].private.iter().map(|n| Place::Global(*n));
        let locals = (0..self.program.machine.module(main).locals.len() as u32).map(Place::Local);
        let start = super::beats::values(self.program, self.trace, thread, None, &self.trace.start.shared);
        let stack: Vec<Value> = self
            .frames(thread)
            .iter()
            .map(|frame| {
                json!({
                    "function": self.program.machine.module(frame.module).name,
                    "line": self.line(frame),
                    "locals": crate::json::pairs(&self.locals(frame)),
                })
            })
            .collect();
        let mut entry = json!({
            "private": crate::json::pairs(&self.narrator.valuation(main, private, start.moment())),
            "locals": crate::json::pairs(&self.narrator.valuation(main, locals, start.moment())),
            "stack": stack,
        });
        self.sign(&mut entry, thread);
        entry
    }
}

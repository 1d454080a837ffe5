//! A run of threads as JSON: its steps in order.

use super::super::effect::Moment;
use super::super::object::goal;
use super::beats::Beginning;
use super::{Interleaved, Reached};
use rsm::Place;
use rsm::interleave::{ThreadId, ThreadState};
use serde_json::{Value, json};

impl Interleaved<'_> {
    /// The object that `docs/output.schema.json` calls `interleaving`.
    pub fn object(&self) -> Value {
        let shown = (0..self.beats.list.len()).filter(|step| !self.beats.list[*step].is_hidden);
        let steps: Vec<Value> = shown.map(|step| self.step_object(step)).collect();
        let threads: Vec<Value> = self.threads_that_run().map(|thread| self.thread_object(thread)).collect();
        let places = (0..self.program.n_shared as u32).map(Place::Global);
        let start = Moment { globals: &self.trace.start.shared, locals: &[] };
        let shared = self.narrator.valuation(self.program.machine.main, places, start);
        json!({
            "n_steps": self.beats.n_shown(),
            "n_switches": self.trace.n_switches(),
            "shared": crate::json::pairs(&shared),
            "threads": threads,
            "steps": steps,
            "goal": self.goal_object(),
        })
    }

    /// What is reached, and by whom. A thread without a slot has no name but that of its starter.
    fn goal_object(&self) -> Value {
        let (place, reached) = self.goal();
        let mut entry = goal(&self.narrator, place);
        let thread = match reached {
            Reached::ByActive => Some(self.trace.thread),
            Reached::ByStarted => self.last_started(),
        };
        match thread {
            Some(thread) => self.sign(&mut entry, thread),
            None => {
                entry["thread"] = json!(format!("started by {}", self.name(self.trace.thread)));
                entry["copy"] = json!(0);
            }
        }
        entry
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
        let Beginning { function, values, .. } = self.beginning(thread);
        let private = self.program.blocks[*block as usize].private.iter().map(|n| Place::Global(*n));
        let locals = (0..self.program.machine.module(function).locals.len() as u32).map(Place::Local);
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
            "private": crate::json::pairs(&self.narrator.valuation(function, private, values.moment())),
            "locals": crate::json::pairs(&self.narrator.valuation(function, locals, values.moment())),
            "stack": stack,
        });
        self.sign(&mut entry, thread);
        entry
    }
}

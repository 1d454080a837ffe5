//! A run as JSON: its steps in order, one shape for one thread and for many.

use super::beginning::Beginning;
use super::effect::valuation;
use super::story::{Beat, Chapter, Story, What};
use crate::json::number;
use rsm::interleave::{InCycle, ThreadId, ThreadState};
use rsm::{Goal, Place};
use serde_json::{Value, json};

impl Story<'_> {
    /// The object that `docs/output.schema.json` calls `trace`.
    pub fn object(&self) -> Value {
        let chapters = (1..).zip(&self.chapters);
        let steps: Vec<Value> =
            chapters.flat_map(|(number, chapter)| self.entries(number, chapter)).collect();
        let shown = match self.is_deadlock() || self.schedule.is_some() {
            true => (0..self.trace.start.threads.len()).map(ThreadId::new).collect(),
            false => self.threads_that_run(),
        };
        let threads = shown.into_iter().map(|thread| self.thread_object(thread));
        let mut object = json!({
            "n_steps": number(&self.n_steps.to_string()),
            "n_switches": self.trace.n_switches(),
            "globals": valuation(&self.shared(&self.trace.start.shared)),
            "threads": threads.collect::<Vec<Value>>(),
            "not_started": self.not_started(),
            "steps": steps,
            "cycle": self.cycle.map(|cycle| json!({
                "first": number(&cycle.first.to_string()),
                "last": number(&cycle.last.to_string()),
                "growth": cycle.growth,
            })),
            "goal": self.goal_object(),
            "monitor": self.monitor_object(),
            "globals_at_end": valuation(&self.shared(&self.ending.shared)),
        });
        if self.is_deadlock() {
            object["deadlock"] = json!(true);
        }
        let end = self.labels_at_end();
        if !end.is_empty() {
            object["labels_at_end"] = json!(end);
        }
        object
    }

    /// The steps of a context.
    fn entries(&self, context: usize, chapter: &Chapter) -> Vec<Value> {
        let wait_begins = self.wait_begins();
        let entry = |(n, beat): (usize, &Beat)| {
            let mut entry = json!({
                "step": number(&beat.number?.to_string()),
                "context": context,
                "depth": beat.depth,
            });
            self.sign(&mut entry, chapter.thread);
            if wait_begins.is_some_and(|(chapter, at)| chapter + 1 == context && at == n) {
                entry["wait_begins"] = json!(true);
            }
            if let Some(state) = beat.monitor {
                entry["monitor"] = json!(self.state_name(state));
            }
            if !beat.labels.is_empty() {
                entry["labels"] = json!(beat.labels);
            }
            match &beat.what {
                What::Step { module, edge, effect } => {
                    let statement = self.narrator.statement(*module, *edge);
                    entry["function"] = json!(self.program.machine.module(*module).name);
                    entry["line"] = json!(statement.line);
                    entry["column"] = json!(statement.column);
                    entry["statement"] = json!(statement.text);
                    effect.fill(&mut entry);
                }
                What::Again { first, last, effect, globals } => {
                    effect.fill(&mut entry);
                    entry["globals"] = valuation(globals);
                    entry["kind"] = json!("repeat");
                    entry["first"] = number(&first.to_string());
                    entry["last"] = number(&last.to_string());
                }
                What::Initially(_) | What::Finally(_) | What::Stands { .. } | What::Goal { .. } => {
                    return None;
                }
            }
            Some(entry)
        };
        chapter.beats.iter().enumerate().filter_map(entry).collect()
    }

    /// Says whose an entry is.
    fn sign(&self, entry: &mut Value, thread: ThreadId) {
        let ThreadState { block, copy, .. } = self.thread(thread);
        entry["thread"] = json!(self.program.blocks[*block as usize].name);
        entry["copy"] = json!(copy);
    }

    /// A thread: what it starts with, and where it stands at the end.
    fn thread_object(&self, thread: ThreadId) -> Value {
        let Beginning { function, state, .. } =
            Beginning::new(self.program, self.trace, &self.hidden, thread);
        let block = &self.program.blocks[self.thread(thread).block as usize];
        let private = block.private.iter().map(|n| Place::Global(*n));
        let locals = (0..state.locals.len() as u32).map(Place::Local);
        let frame = |frame: &rsm::step::Frame| {
            json!({
                "function": self.program.machine.module(frame.module).name,
                "line": self.line(frame),
                "locals": valuation(&self.locals(frame)),
            })
        };
        let stack: Vec<Value> = self.ending.stacks[thread.index()].iter().map(frame).collect();
        let mut entry = json!({
            "started_with": self.started(thread),
            "private": valuation(&self.narrator.valuation(function, private, (&state).into())),
            "locals": valuation(&self.narrator.valuation(function, locals, (&state).into())),
            "stack": stack,
        });
        if self.is_deadlock() {
            entry["ended"] = json!(self.has_ended(thread));
            entry["waits_for"] = self.waits_object(thread);
        }
        if let Some(schedule) = self.schedule {
            let InCycle { moves, can, cannot } = schedule.threads[thread.index()];
            entry["ended"] = json!(self.has_ended(thread));
            entry["for_ever"] = json!({ "runs": moves, "can_run": can, "cannot_run": cannot });
        }
        self.sign(&mut entry, thread);
        entry
    }

    /// The function that a thread was started with, as its first context says.
    fn started(&self, thread: ThreadId) -> Option<String> {
        let first = self.chapters.iter().find(|chapter| chapter.thread == thread)?;
        self.started_with(thread, &first.shared)
    }

    /// What is reached, and by whom. A thread that was started and has no slot has no name but that of its starter.
    fn goal_object(&self) -> Option<Value> {
        let beats = self.chapters.iter().flat_map(|chapter| &chapter.beats);
        let (goal, by_started) = beats.rev().find_map(|beat| match beat.what {
            What::Goal { goal, by_started } => Some((goal, by_started)),
            _ => None,
        })?;
        let mut entry = self.place(goal);
        let thread = self.trace.thread();
        match if by_started { self.last_started() } else { Some(thread) } {
            Some(thread) => self.sign(&mut entry, thread),
            None => {
                entry["thread"] = json!(format!("started by {}", self.name(thread)));
                entry["copy"] = json!(0);
            }
        }
        Some(entry)
    }

    fn place(&self, goal: Goal) -> Value {
        let rsm = &self.program.machine;
        let (kind, module, span, labels) = match goal {
            Goal::At(module, node) => {
                let node = rsm.module(module).node(node);
                ("label", module, node.span, node.labels.clone())
            }
            Goal::Failure(module, edge) => ("assert", module, rsm.module(module).edge(edge).span, Vec::new()),
        };
        let (line, column) = self.narrator.sources.line_column(span);
        json!({
            "kind": kind,
            "function": rsm.module(module).name,
            "labels": labels,
            "line": line,
            "column": column,
        })
    }

    /// The thread that was started last by the one that runs in the end, if it is one that may take steps.
    fn last_started(&self) -> Option<ThreadId> {
        let own = self.chapters.iter().filter(|chapter| chapter.thread == self.trace.thread());
        let last = own.flat_map(|chapter| &chapter.beats).rev().find_map(|beat| match beat.what {
            What::Step { module, edge, .. } => Some(self.program.machine.module(module).edge(edge)),
            _ => None,
        })?;
        let block = self.hidden.started(last)?;
        let threads = &self.trace.start.threads;
        threads.iter().position(|thread| thread.block as usize == block).map(ThreadId::new)
    }
}

//! Deadlocks: who has ended, and what each of the others waits for.

use super::effect::{list, valuation};
use super::narrator::Assignment;
use super::statement::Statement;
use super::story::Story;
use rsm::Action;
use rsm::interleave::{Obstacle, ThreadId, ended_inside, is_unstarted, obstacles};
use rsm::trace::End;
use serde_json::{Value, json};

/// The most states, and partial valuations, that are looked at to see what a thread waits for.
const MOST_LOOKED_AT: usize = 1 << 12;

/// So many things that a thread waits for are named.
const NAMED: usize = 4;

/// Something that a thread waits for, in words.
struct Wait {
    /// `assume`, `assert`, `enforce` or `step`.
    kind: &'static str,
    statement: Statement,
    /// The variables that are looked at there.
    values: Vec<Assignment>,
}

impl Story<'_> {
    /// The run ends where nobody can go on.
    pub(super) fn is_deadlock(&self) -> bool {
        self.trace.end == End::Deadlock
    }

    /// The thread has returned from its `main`, or a function has ended it.
    pub(super) fn has_ended(&self, thread: ThreadId) -> bool {
        let top = self.ending.stacks[thread.index()].last();
        top.is_none_or(|top| self.program.machine.module(top.module).ends_thread(top.node))
    }

    /// Nobody has started the thread: it is that of a slot.
    pub(super) fn is_unstarted(&self, thread: ThreadId) -> bool {
        let world = &self.ending.world;
        is_unstarted(self.program, &world.shared, &world.threads[thread.index()])
    }

    /// The thread that has ended in an atomic region, if there is one.
    fn holder(&self) -> Option<ThreadId> {
        let holds = |thread| ended_inside(self.program, thread);
        self.ending.world.threads.iter().position(holds).map(ThreadId::new)
    }

    /// Who waits where and for what, those that have not run among them.
    pub(super) fn waiting(&self) -> String {
        let mut out = "-- deadlock: no thread can go on\n".to_owned();
        let threads = (0..self.trace.start.threads.len()).map(ThreadId::new);
        for thread in threads.filter(|thread| !self.is_unstarted(*thread)) {
            let text = match self.has_ended(thread) {
                true if self.holder() == Some(thread) => {
                    "ended in an atomic region, so no other thread runs any more".to_owned()
                }
                true => "ended".to_owned(),
                false => format!("waits in {}{}", self.stack(thread), self.reasons(thread)),
            };
            out.push_str(&format!("{}: {text}\n", self.name(thread)));
        }
        out
    }

    /// `, for assume(!b) (b = T)`, or nothing.
    fn reasons(&self, thread: ThreadId) -> String {
        if let Some(holder) = self.holder() {
            return format!(", for {}", self.name(holder));
        }
        let line = self.ending.stacks[thread.index()].last().map(|top| self.line(top));
        let waits = self.waits(thread);
        let n_more = waits.len().saturating_sub(NAMED);
        let mut parts: Vec<String> = waits.iter().take(NAMED).map(|wait| wait.text(line)).collect();
        if n_more > 0 {
            parts.push(format!("{n_more} more"));
        }
        if parts.is_empty() { String::new() } else { format!(", for {}", parts.join(", or for ")) }
    }

    fn waits(&self, thread: ThreadId) -> Vec<Wait> {
        // What cannot be found out within the limit is not told.
        let found = obstacles(self.program, &self.ending.world, thread, MOST_LOOKED_AT).unwrap_or_default();
        found.iter().map(|obstacle| self.wait(obstacle)).collect()
    }

    fn wait(&self, obstacle: &Obstacle) -> Wait {
        let Obstacle { module, edge, state } = obstacle;
        let body = self.program.machine.module(*module);
        let action = edge.map(|edge| &body.edge(edge).action);
        let kind = match action {
            Some(Action::Assume(_) | Action::Assign { .. }) => "assume",
            Some(Action::Assert(_)) => "assert",
            Some(_) => "step",
            None => "enforce",
        };
        let statement = match edge {
            Some(edge) => self.narrator.statement(*module, *edge),
            None => {
                let (line, column) = self.narrator.sources.line_column(body.node(body.entry).span);
                Statement { file: None, line, column, text: format!("the enforce of {}", body.name) }
            }
        };
        let looked_at = action.into_iter().flat_map(Action::expressions).chain(
            // An `enforce` is no action.
            body.enforce.iter().filter(|_| edge.is_none()),
        );
        let mut places: Vec<rsm::Place> = Vec::new();
        for place in looked_at.flat_map(|expr| expr.reads()) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let values = self.narrator.valuation(*module, places.into_iter(), state.into());
        Wait { kind, statement, values }
    }

    /// What a thread waits for, as JSON.
    pub(super) fn waits_object(&self, thread: ThreadId) -> Value {
        if self.has_ended(thread) || self.is_unstarted(thread) {
            return json!([]);
        }
        if let Some(holder) = self.holder() {
            return json!([{ "kind": "thread", "thread": self.name(holder) }]);
        }
        let object = |wait: &Wait| {
            json!({
                "kind": wait.kind,
                "line": wait.statement.line,
                "column": wait.statement.column,
                "statement": wait.statement.text,
                "values": valuation(&wait.values),
            })
        };
        self.waits(thread).iter().map(object).collect()
    }
}

impl Wait {
    /// `assume(!b) (b = T)`, with the line if the thread does not stand there.
    fn text(&self, line: Option<usize>) -> String {
        let Statement { line: own, text, .. } = &self.statement;
        let fails = if self.kind == "assert" { ", which fails" } else { "" };
        let place = if Some(*own) == line || self.kind == "enforce" {
            String::new()
        } else {
            format!(" in line {own}")
        };
        let values = list(&self.values);
        let values = if values.is_empty() { values } else { format!(" ({values})") };
        format!("{text}{fails}{place}{values}")
    }
}

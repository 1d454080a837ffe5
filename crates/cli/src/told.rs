//! One run as `getafix run` tells it: a line for each step as it comes, or with `--json` all of them in one object at the end.

use crate::watch::Job;
use present::trace::{Assignment, Effect, Row, Statement, Table, list, valuation};
use serde_json::{Value, json};

/// The longest script that is offered in words for repeating a run.
const LONGEST_SCRIPT: usize = 100;

/// A run that is being told.
pub struct Telling<'a> {
    job: &'a Job,
    table: Table,
    /// The name of the only thread.
    thread: &'a str,
    /// The object, if one is wanted.
    object: Option<Value>,
}

/// A step of a run.
pub struct Step<'s> {
    /// Its number.
    pub number: u128,
    /// The function that takes it.
    pub function: &'s str,
    /// How many callers wait.
    pub depth: usize,
    /// What is executed.
    pub statement: Statement,
    /// What it does.
    pub effect: Effect,
}

/// The end of a run.
pub struct End<'s> {
    /// For programs: `returned`, `blocked`, ….
    pub kind: &'static str,
    /// For people.
    pub why: String,
    /// Where it ended, if that is no step.
    pub row: Option<Row>,
    /// How many steps there were.
    pub n_steps: u128,
    /// What was chosen or read, in order.
    pub script: Script<'s>,
}

/// What repeats a run.
pub struct Script<'s> {
    /// The option that is given the list, with what separates the two: `--choices `.
    pub option: &'static str,
    /// `choices` or `inputs`.
    pub word: &'static str,
    /// What was chosen.
    pub chosen: &'s [String],
    /// So many of those that were given were not used.
    pub n_unused: usize,
}

impl<'a> Telling<'a> {
    /// A run of this thread, in these columns.
    pub fn new(job: &'a Job, table: Table, thread: &'a str) -> Self {
        let object = job.options.json.then(|| json!({ "globals": [], "locals": [], "steps": [] }));
        Self { job, table, thread, object }
    }

    /// The values at the start.
    pub fn start(&mut self, globals: &[Assignment], locals: &[Assignment]) {
        if let Some(object) = &mut self.object {
            object["globals"] = valuation(globals);
            object["locals"] = valuation(locals);
            return;
        }
        self.job.console.print(&self.table.head());
        let effect = list(&[globals, locals].concat());
        if !effect.is_empty() {
            let row = Row { statement: "(initially)".to_owned(), effect, ..Row::default() };
            self.row(&row);
        }
    }

    /// A step.
    pub fn step(&mut self, step: Step) {
        let Step { number, function, depth, statement, effect } = step;
        if let Some(steps) = self.object.as_mut().and_then(|object| object["steps"].as_array_mut()) {
            let mut entry = json!({
                "step": present::json::number(&number.to_string()),
                "thread": self.thread,
                "copy": 0,
                "context": 1,
                "depth": depth,
                "function": function,
                "line": statement.line,
                "column": statement.column,
                "statement": statement.text,
            });
            effect.fill(&mut entry);
            steps.push(entry);
            return;
        }
        let (line, statement, effect) = (Some(statement.line), statement.text, effect.text());
        self.row(&Row { number: Some(number), line, depth, statement, effect, ..Row::default() });
    }

    /// A script that is longer than this need not go on: in words it is not shown.
    pub fn longest_script(&self) -> usize {
        if self.object.is_some() { usize::MAX } else { LONGEST_SCRIPT }
    }

    /// The end, and what repeats the run.
    pub fn end(mut self, end: End) {
        let End { kind, why, row, n_steps, script } = end;
        let console = &self.job.console;
        if let Some(mut object) = self.object.take() {
            object["n_steps"] = present::json::number(&n_steps.to_string());
            object["ended"] = json!({
                "kind": kind,
                "why": why,
                "line": row.as_ref().and_then(|row| row.line),
                "statement": row.as_ref().map(|row| &row.statement),
            });
            object[script.word] = json!(script.chosen);
            object["n_unused"] = json!(script.n_unused);
            console.executed(object);
            return;
        }
        if let Some(row) = &row {
            self.row(row);
        }
        console.print(&format!("ended: {why}\n"));
        if script.n_unused > 0 {
            console.note(&format!("{} that were not used: {}", script.word, script.n_unused));
        }
        if !script.chosen.is_empty() && script.chosen.len() <= LONGEST_SCRIPT {
            console.note(&format!("the same run: {}{}", script.option, script.chosen.join(",")));
        }
    }

    fn row(&self, row: &Row) {
        self.job.console.print(&self.table.row(row));
    }
}

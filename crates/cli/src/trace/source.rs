//! A trace as the program text with the lines that are executed marked: when for the first time, and how often.

use super::Narrator;
use super::Story;
use super::effect::list;
use base::Sources;
use checker::Trace;
use rsm::{Goal, Rsm};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is known of a line.
#[derive(Clone, Copy, Default)]
pub struct Mark {
    /// The first step there.
    pub first: u128,
    /// How many steps there are.
    pub n_times: u128,
}

/// The whole program, line by line.
pub fn source(rsm: &Rsm, sources: &Sources, trace: &Trace) -> String {
    let mut marks: BTreeMap<usize, Mark> = BTreeMap::new();
    let narrator = Narrator { rsm, sources };
    for row in Story::new(&narrator, trace).rows {
        if let (Some(line), Some(number)) = (row.line, row.number) {
            marks.entry(line).or_insert(Mark { first: number, n_times: 0 });
        }
    }
    count(&narrator, trace, &mut marks);
    let values = list(&narrator.values_at_goal(trace));
    let end = if values.is_empty() { String::new() } else { format!("finally: {values}\n") };
    marked(&narrator, &marks, trace.goal) + &end
}

/// The program with the marks of its lines, and the goal.
pub fn marked(narrator: &Narrator, marks: &BTreeMap<usize, Mark>, goal: Goal) -> String {
    let Narrator { rsm, sources } = narrator;
    let span = match goal {
        Goal::At(module, node) => rsm.module(module).node(node).span,
        Goal::Failure(module, edge) => rsm.module(module).edge(edge).span,
    };
    let target = sources.line_column(span).0;
    let what = if matches!(goal, Goal::At(..)) { "reached" } else { "fails" };
    let width = |figure: &dyn Fn(&Mark) -> u128| {
        let digits = marks.values().map(|mark| figure(mark).to_string().len());
        digits.max().unwrap_or(0).max("first".len())
    };
    let (a, b) = (width(&|mark| mark.first), width(&|mark| mark.n_times));
    let n_lines = sources.file(span.file).text.lines().count().to_string().len();
    let mut out = format!("{:>a$}  {:>b$}\n", "first", "times");
    for (line, text) in (1..).zip(sources.file(span.file).text.lines()) {
        let (first, times) = match marks.get(&line) {
            Some(mark) => (mark.first.to_string(), mark.n_times.to_string()),
            None => (String::new(), String::new()),
        };
        let target = if line == target { what } else { "" };
        let row = format!("{first:>a$}  {times:>b$}  {target:7} | {line:>n_lines$}  {}", text.trim_end());
        writeln!(out, "{}", row.trim_end()).expect("a string takes every text");
    }
    out
}

/// How often the edges of each line are taken. A run is taken as often as all its callers take it; callers stand behind
/// the runs they call.
fn count(narrator: &Narrator, trace: &Trace, marks: &mut BTreeMap<usize, Mark>) {
    let mut n_times = vec![0u128; trace.runs.len()];
    trace.open.iter().for_each(|&run| n_times[run] = 1);
    for (number, run) in trace.runs.iter().enumerate().rev() {
        let edges = run.steps.iter().map(|step| step.edge).chain(run.open_call);
        for edge in edges {
            let line = narrator.statement(run.module, edge).line;
            let mark = marks.entry(line).or_default();
            mark.n_times = mark.n_times.saturating_add(n_times[number]);
        }
        for callee in run.steps.iter().filter_map(|step| step.run) {
            n_times[callee] = n_times[callee].saturating_add(n_times[number]);
        }
    }
}

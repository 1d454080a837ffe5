//! Runs without an end: the steps that are taken again and again, and what each round adds.

use super::story::{Chapter, Story};
use rsm::trace::Trace;
use std::cmp::Ordering;
use std::iter::repeat_n;

/// Longer lines push their part of the bracket to the right.
const WIDEST: usize = 100;

/// The steps that are taken again and again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// The number of the first one.
    pub first: u128,
    /// The number of the last one.
    pub last: u128,
    /// How many there are.
    pub n_steps: u128,
    /// So many calls more are open after each round.
    pub growth: usize,
    /// The chapter in which it begins, and the position there of the first of its beats; the others stand behind it.
    pub(super) chapter: usize,
    pub(super) beat: usize,
}

impl Cycle {
    /// How many beats of a chapter come before it.
    pub(super) fn beats_before(&self, number: usize, chapter: &Chapter) -> usize {
        match number.cmp(&self.chapter) {
            Ordering::Less => chapter.beats.len(),
            Ordering::Equal => self.beat,
            Ordering::Greater => 0,
        }
    }

    /// `3 steps for ever; each time one call more is open`.
    pub(super) fn text(&self) -> String {
        let n_steps = count(self.n_steps);
        format!("{n_steps} for ever{}", growth(self.growth))
    }
}

/// What each round adds: `; each time one call more is open`.
pub(crate) fn growth(n_calls: usize) -> String {
    match n_calls {
        0 => String::new(),
        1 => "; each time one call more is open".to_owned(),
        n => format!("; each time {n} calls more are open"),
    }
}

/// So many steps.
pub(crate) fn count(n_steps: u128) -> String {
    match n_steps {
        1 => "1 step".to_owned(),
        u128::MAX => "more than 10^38 steps".to_owned(),
        n => format!("{n} steps"),
    }
}

/// Puts a bracket behind lines, which end in newlines, and not nearer than behind the head of their columns.
pub(crate) fn bracket(head: &str, lines: &[String]) -> String {
    let width = |line: &str| line.trim_end().chars().count();
    let widest = lines.iter().map(|line| width(line)).fold(width(head), usize::max).min(WIDEST);
    let mut out = String::new();
    for (n, line) in lines.iter().enumerate() {
        let sign = match (n, lines.len() - 1 - n) {
            (0, 0) => "] for ever",
            (0, _) => "┐ for ever",
            (_, 0) => "┘",
            _ => "│",
        };
        out.push_str(line.trim_end());
        out.extend(repeat_n(' ', widest.saturating_sub(width(line)) + 2));
        out.push_str(sign);
        out.push('\n');
    }
    out
}

/// For each finished call whether it is made on the cycle.
pub(super) fn calls_of_cycle(trace: &Trace, first: usize) -> Vec<bool> {
    let mut is_made = vec![false; trace.runs.len()];
    let steps = trace.contexts.iter().flat_map(|context| &context.steps).skip(first);
    steps.filter_map(|step| step.run).for_each(|run| is_made[run] = true);
    for (number, run) in trace.runs.iter().enumerate().rev() {
        if is_made[number] {
            run.steps.iter().filter_map(|step| step.run).for_each(|callee| is_made[callee] = true);
        }
    }
    is_made
}

impl Story<'_> {
    /// The lines that are executed again and again.
    pub(super) fn lines_of_cycle(&self) -> Vec<usize> {
        let (Some(first), Some(cycle)) = (self.trace.cycle(), self.cycle) else { return Vec::new() };
        let told = self.chapters.iter().enumerate().skip(cycle.chapter);
        let told = told.flat_map(|(n, chapter)| &chapter.beats[cycle.beats_before(n, chapter)..]);
        let told = told.filter_map(|beat| beat.what.edge());
        let is_made = calls_of_cycle(self.trace, first);
        let made = self.trace.runs.iter().zip(is_made).filter(|(_, is_made)| *is_made);
        let inside = made.flat_map(|(run, _)| run.steps.iter().map(|step| (run.module, step.edge)));
        let mut lines: Vec<usize> =
            told.chain(inside).map(|(module, edge)| self.narrator.statement(module, edge).line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

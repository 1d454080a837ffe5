//! A run as the program text with the lines that are executed marked: when for the first time, and how often, `∞` for those that are
//! executed again and again, and the states of a monitor if there is one.

use super::effect::list;
use super::story::{Story, What};
use base::{FileId, Sources};
use bp::monitor::StateId;
use rsm::{EdgeId, Goal, ModuleId};
use std::collections::BTreeMap;
use std::fmt::Write;

/// So many states of a monitor are named; that there are more is all that is said of the others.
const STATES: usize = 3;

/// What is known of a line.
#[derive(Clone, Default)]
pub(crate) struct Mark {
    /// The first step there.
    pub(crate) first: u128,
    /// How many steps there are.
    pub(crate) n_times: u128,
    /// There is no end to them.
    pub(crate) is_endless: bool,
    /// The states of a monitor after them, each once.
    pub(crate) states: Vec<StateId>,
}

impl Mark {
    fn times(&self) -> String {
        if self.is_endless { "∞".to_owned() } else { self.n_times.to_string() }
    }
}

impl Story<'_> {
    /// The whole program, line by line.
    pub fn margin(&self) -> String {
        let mut marks: BTreeMap<usize, Mark> = BTreeMap::new();
        let mut end = None;
        for beat in self.chapters.iter().flat_map(|chapter| &chapter.beats) {
            match (&beat.what, beat.number) {
                (What::Step { module, edge, .. }, Some(first)) => {
                    let line = self.narrator.statement(*module, *edge).line;
                    let mark = marks.entry(line).or_insert(Mark { first, ..Mark::default() });
                    let is_new = |state: &StateId| !mark.states.contains(state);
                    let new = beat.monitor.filter(is_new);
                    mark.states.extend(new);
                }
                (What::Goal { goal, .. }, _) => end = Some(*goal),
                _ => {}
            }
        }
        self.count(&mut marks);
        for line in self.lines_of_cycle() {
            marks.entry(line).or_default().is_endless = true;
        }
        self.marked(&marks, end) + &self.finally()
    }

    /// The values at the end, if they are told, or what goes on for ever.
    fn finally(&self) -> String {
        if self.cycle.is_some() {
            return self.summary() + "\n";
        }
        let seen = self.seen_by_monitor();
        let seen = seen.strip_prefix("; ").map_or_else(String::new, |seen| format!("{seen}\n"));
        let beats = self.chapters.iter().flat_map(|chapter| &chapter.beats);
        let told = beats.rev().find_map(|beat| match &beat.what {
            What::Finally(values) => Some(list(values)),
            _ => None,
        });
        told.map_or_else(String::new, |values| format!("finally: {values}\n")) + &seen
    }

    /// How often the edges of each line are taken. A finished call is made as often as all its callers are; these stand behind it.
    fn count(&self, marks: &mut BTreeMap<usize, Mark>) {
        let mut add = |(module, edge): (ModuleId, EdgeId), n_times: u128| {
            // Steps that are not in the text have no mark.
            let mark = marks.get_mut(&self.narrator.statement(module, edge).line);
            mark.into_iter().for_each(|mark| mark.n_times = mark.n_times.saturating_add(n_times));
        };
        let mut n_times = vec![0u128; self.trace.runs.len()];
        for beat in self.chapters.iter().flat_map(|chapter| &chapter.beats) {
            if let What::Step { module, edge, .. } = beat.what {
                add((module, edge), 1);
            }
        }
        self.again(&mut n_times);
        for (run, n) in self.trace.runs.iter().zip(n_times).filter(|(_, n)| *n > 0) {
            for step in &run.steps {
                if !self.hidden.is_onward(self.program, run.module, step.edge) {
                    add((run.module, step.edge), n);
                }
            }
        }
    }

    /// How often each finished call is made without being told.
    fn again(&self, n_times: &mut [u128]) {
        let mut n_made = vec![0u128; n_times.len()];
        let outside = self.trace.contexts.iter().flat_map(|context| &context.steps);
        outside.filter_map(|step| step.run).for_each(|run| n_made[run] += 1);
        for (number, run) in self.trace.runs.iter().enumerate().rev() {
            for callee in run.steps.iter().filter_map(|step| step.run) {
                n_made[callee] = n_made[callee].saturating_add(n_made[number]);
            }
        }
        // Every call that is made at all is told once.
        n_times.iter_mut().zip(n_made).for_each(|(n, made)| *n = made.saturating_sub(1));
    }

    /// `free, held`.
    fn states(&self, mark: &Mark) -> String {
        let shown = mark.states.iter().take(STATES).map(|state| self.state_words(*state));
        let more = if mark.states.len() > STATES { ", …" } else { "" };
        shown.collect::<Vec<&str>>().join(", ") + more
    }

    fn marked(&self, marks: &BTreeMap<usize, Mark>, goal: Option<Goal>) -> String {
        let (rsm, sources) = (&self.program.machine, self.narrator.sources);
        let (span, what) = match goal {
            Some(Goal::At(module, node)) => (rsm.module(module).node(node).span, "reached"),
            Some(Goal::Failure(module, edge)) => (rsm.module(module).edge(edge).span, "fails"),
            None => (rsm.module(rsm.main).span, ""),
        };
        let states = |mark: &Mark| self.states(mark);
        let states = self.watch.map(|_| &states as &dyn Fn(&Mark) -> String);
        marked(sources, span.file, marks, (sources.line_column(span).0, what), states)
    }
}

/// A file with marks before its lines, and before one of them what happens there; if there is a monitor, also its states.
pub(crate) fn marked(
    sources: &Sources,
    file: FileId,
    marks: &BTreeMap<usize, Mark>,
    (target, what): (usize, &str),
    states: Option<&dyn Fn(&Mark) -> String>,
) -> String {
    let width = |figure: &dyn Fn(&Mark) -> String| {
        let digits = marks.values().map(|mark| figure(mark).chars().count());
        digits.max().unwrap_or(0).max("first".len())
    };
    let (a, b) = (width(&|mark| mark.first.to_string()), width(&Mark::times));
    let c = states.map_or(0, |states| width(states).max("monitor".len()));
    let monitor = |text: &str| match states {
        Some(_) => format!("  {text:c$}"),
        None => String::new(),
    };
    let text = &sources.file(file).text;
    let n_lines = text.lines().count().to_string().len();
    let head = format!("{:>a$}  {:>b$}{}", "first", "times", monitor("monitor"));
    let mut out = format!("{}\n", head.trim_end());
    for (line, text) in (1..).zip(text.lines()) {
        let shown = |mark: &Mark| states.map_or_else(String::new, |states| states(mark));
        let (first, times, states) = match marks.get(&line) {
            Some(mark) => (mark.first.to_string(), mark.times(), shown(mark)),
            None => (String::new(), String::new(), String::new()),
        };
        let states = monitor(&states);
        let target = if line == target { what } else { "" };
        let row =
            format!("{first:>a$}  {times:>b$}{states}  {target:7} | {line:>n_lines$}  {}", text.trim_end());
        writeln!(out, "{}", row.trim_end()).expect("a string takes every text");
    }
    out
}

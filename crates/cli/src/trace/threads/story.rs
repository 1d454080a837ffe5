//! A run of threads as text: a block of rows for each context, and where everybody stands in the end.

use super::super::effect::list;
use super::super::table::{Row, Table};
use super::beats::Beginning;
use super::repeats::{self, Finished};
use super::unset::Unset;
use super::{Interleaved, Reached};
use rsm::interleave::ThreadId;
use rsm::{Copies, Place};
use rustc_hash::{FxHashMap, FxHashSet};

/// The rows of a context, and the line before them.
struct Chapter {
    head: String,
    rows: Vec<Row>,
}

/// What has been told.
struct Told {
    unset: Unset,
    finished: FxHashMap<usize, Finished>,
    /// For kinds of calls the numbers of the first and the last step of the callee.
    kinds: FxHashMap<usize, (usize, usize)>,
    /// The threads that have run.
    threads: FxHashSet<u32>,
}

impl Interleaved<'_> {
    /// The whole run.
    pub fn text(&self) -> String {
        let mut told = Told {
            unset: Unset::new(self.program, self.trace, &self.beats),
            finished: repeats::find(self.program, self.trace, &self.beats),
            kinds: FxHashMap::default(),
            threads: FxHashSet::default(),
        };
        let mut chapters: Vec<Chapter> =
            (0..self.beats.contexts.len()).map(|context| self.chapter(context, &mut told)).collect();
        if let Some(last) = chapters.last_mut() {
            last.rows.push(self.last_row());
        }
        let rows: Vec<Row> = chapters.iter().flat_map(|chapter| chapter.rows.iter().cloned()).collect();
        let table = Table::new(&rows);
        let mut out = format!("{}\n\n{}", self.summary(), table.head());
        for chapter in &chapters {
            out.push_str(&chapter.head);
            chapter.rows.iter().for_each(|row| out.push_str(&table.row(row)));
        }
        out + &self.end()
    }

    /// The row of what is reached.
    fn last_row(&self) -> Row {
        match self.goal() {
            (goal, Reached::ByActive) => {
                let n_frames = self.frames(self.trace.thread).len();
                self.narrator.goal(goal, n_frames.saturating_sub(1))
            }
            (goal, Reached::ByStarted) => {
                let row = self.narrator.goal(goal, 0);
                Row { effect: format!("{} by the thread that was started", row.effect), ..row }
            }
        }
    }

    /// `14 steps, 3 context switches, 2 copies of adder, 1 of stopper`.
    fn summary(&self) -> String {
        let number =
            |n: usize, what: &str, plural: &str| format!("{n} {}", if n == 1 { what } else { plural });
        let mut parts = vec![
            number(self.beats.n_shown(), "step", "steps"),
            number(self.trace.n_switches(), "context switch", "context switches"),
        ];
        let mut word = " copies";
        for (block, text) in self.program.blocks.iter().enumerate() {
            let n_used =
                self.threads_that_run().filter(|thread| self.thread(*thread).block as usize == block);
            let n_used = n_used.count();
            if text.copies == Copies::Any && n_used > 0 {
                let word = std::mem::take(&mut word);
                let word = if n_used == 1 && !word.is_empty() { " copy" } else { word };
                parts.push(format!("{n_used}{word} of {}", text.name));
            }
        }
        parts.join(", ")
    }

    /// Every thread that becomes active, once.
    pub fn threads_that_run(&self) -> impl Iterator<Item = ThreadId> {
        let mut threads: Vec<ThreadId> = self.beats.contexts.iter().map(|context| context.thread).collect();
        threads.sort();
        threads.dedup();
        threads.into_iter()
    }

    fn chapter(&self, number: usize, told: &mut Told) -> Chapter {
        let context = &self.beats.contexts[number];
        let thread = context.thread;
        let shared = self.shared_before(context.steps.start);
        let head =
            format!("-- context {}: {}{}\n", number + 1, self.who(thread, shared), self.shared(shared));
        let mut rows = Vec::new();
        if told.threads.insert(thread.0) {
            rows.extend(self.initially(thread, &told.unset));
        }
        let mut step = context.steps.start;
        // Calls whose callees are being told: the steps at which they return, and their kinds.
        let mut open: Vec<(usize, Finished)> = Vec::new();
        while step < context.steps.end {
            if !self.beats.list[step].is_hidden {
                rows.push(self.row(step, told));
            }
            if let Some(finished) = told.finished.get(&step).copied() {
                if let Some(&(first, last)) = told.kinds.get(&finished.kind) {
                    rows.push(self.again(finished.last, first, last, told));
                    step = finished.last;
                } else {
                    open.push((self.beats.list[step].number + 1, finished));
                }
            }
            while let Some((first, finished)) = open.pop_if(|(_, finished)| finished.last == step) {
                told.kinds.insert(finished.kind, (first, self.beats.list[step].number));
            }
            step += 1;
        }
        Chapter { head, rows }
    }

    /// The thread, and what it was started with.
    fn who(&self, thread: ThreadId, shared: &[u64]) -> String {
        let name = self.name(thread);
        match self.slot(thread) {
            Some(slot) => {
                let function = self.program.machine.globals[slot].ty.value_name(shared[slot]);
                format!("{name}, started with {function}")
            }
            None => name,
        }
    }

    fn shared(&self, shared: &[u64]) -> String {
        let places = (0..self.program.n_shared as u32).map(Place::Global);
        let globals = super::super::effect::Moment { globals: shared, locals: &[] };
        let values = self.narrator.valuation(self.program.machine.main, places, globals);
        if values.is_empty() { String::new() } else { format!(" (shared: {})", list(&values)) }
    }

    /// The values that a thread starts with: what it is given, and the others as far as they matter.
    fn initially(&self, thread: ThreadId, unset: &Unset) -> Option<Row> {
        let Beginning { function, step, values } = self.beginning(thread);
        let mut places = unset.of_thread(thread).to_vec();
        if let Some(step) = step {
            places.extend((0..self.program.machine.module(function).n_params as u32).map(Place::Local));
            places.extend(unset.of_call(step).iter().map(|n| Place::Local(*n)));
        }
        let effect = list(&self.narrator.valuation(function, places.into_iter(), values.moment()));
        let statement = "(initially)".to_owned();
        (!effect.is_empty()).then(|| Row { statement, effect, ..Row::default() })
    }

    fn row(&self, step: usize, told: &Told) -> Row {
        let statement = self.statement(step);
        Row {
            number: Some(self.beats.list[step].number as u128),
            line: Some(statement.line),
            depth: self.depth(step),
            statement: statement.text,
            effect: self.effect(step, &told.unset),
        }
    }

    /// How far a step is indented.
    pub fn depth(&self, step: usize) -> usize {
        let beat = &self.beats.list[step];
        beat.depth.saturating_sub(self.hidden.n_frames(self.thread(self.thread_of(beat)).block))
    }

    /// A call that goes as an earlier one; the step is the one that returns.
    fn again(&self, step: usize, first: usize, last: usize, told: &Told) -> Row {
        let statement = if first == last {
            format!("… as step {first}")
        } else {
            format!("… as steps {first}–{last}")
        };
        let depth = self.depth(step);
        let effect = self.effect(step, &told.unset);
        let number = Some(self.beats.list[step].number as u128);
        Row { number, line: None, depth, statement, effect }
    }
}

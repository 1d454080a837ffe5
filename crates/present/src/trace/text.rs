//! A run as text: a table of steps, with a line before each context, and where everybody stands in the end.

use super::effect::list;
use super::forever::{bracket, count};
use super::narrator::Narrator;
use super::statement::Statement;
use super::story::{Beat, Chapter, Story, What};
use super::table::{Row, Table};
use rsm::{Copies, Goal};

impl Story<'_> {
    /// The whole run.
    pub fn text(&self) -> String {
        let mut rows: Vec<Vec<Row>> = self.chapters.iter().map(|chapter| self.rows(chapter)).collect();
        if let Some((chapter, beat)) = self.wait_begins() {
            let effect = &mut rows[chapter][beat].effect;
            let gap = if effect.is_empty() { "" } else { "  " };
            effect.push_str(&format!("{gap}<- from here on"));
        }
        let table = Table::new(rows.iter().flatten());
        let mut out = format!("{}\n\n{}", self.summary(), table.head());
        let mut for_ever: Vec<String> = Vec::new();
        for (number, (chapter, rows)) in self.chapters.iter().zip(&rows).enumerate() {
            let n_before = self.cycle.map_or(rows.len(), |cycle| cycle.beats_before(number, chapter));
            let is_within = self.cycle.is_some_and(|cycle| number > cycle.chapter || n_before == 0);
            if !self.program.is_sequential() {
                let head = self.head(number + 1, chapter);
                if is_within { for_ever.push(head) } else { out.push_str(&head) }
            }
            let (stem, cycle) = rows.split_at(n_before);
            stem.iter().for_each(|row| out.push_str(&table.row(row)));
            for_ever.extend(cycle.iter().map(|row| table.row(row)));
        }
        out.push_str(&bracket(&table.head(), &for_ever));
        if self.program.is_sequential() { out } else { out + &self.end() }
    }

    /// `14 steps, 3 context switches, 2 copies of adder, 1 of stopper`, or `6 steps, then 3 steps for ever`.
    pub(super) fn summary(&self) -> String {
        let seen = self.seen_by_monitor();
        if let Some(cycle) = self.cycle {
            return match self.trace.n_stem() {
                0 => cycle.text() + &seen,
                n => format!("{}, then {}{seen}", count(n), cycle.text()),
            };
        }
        let steps = count(self.n_steps) + &seen;
        if self.program.is_sequential() {
            return steps;
        }
        let switches = match self.trace.n_switches() {
            1 => "1 context switch".to_owned(),
            n => format!("{n} context switches"),
        };
        let mut parts = vec![steps, switches];
        let mut word = " copies";
        let run = self.threads_that_run();
        for (block, text) in self.program.blocks.iter().enumerate() {
            let n_used = run.iter().filter(|thread| self.thread(**thread).block as usize == block).count();
            if text.copies == Copies::Any && n_used > 0 {
                let word = std::mem::take(&mut word);
                let word = if n_used == 1 && !word.is_empty() { " copy" } else { word };
                parts.push(format!("{n_used}{word} of {}", text.name));
            }
        }
        parts.join(", ")
    }

    /// The line before a context.
    fn head(&self, number: usize, chapter: &Chapter) -> String {
        let started = self.started_with(chapter.thread, &chapter.shared);
        let started = started.map_or_else(String::new, |function| format!(", started with {function}"));
        let shared = list(&self.shared(&chapter.shared));
        let shared = if shared.is_empty() { shared } else { format!(" (shared: {shared})") };
        format!("-- context {number}: {}{started}{shared}\n", self.name(chapter.thread))
    }

    fn rows(&self, chapter: &Chapter) -> Vec<Row> {
        chapter.beats.iter().map(|beat| self.row(beat)).collect()
    }

    /// A beat as a row of the table.
    pub(super) fn row(&self, beat: &Beat) -> Row {
        let (number, depth) = (beat.number, beat.depth);
        let row = match &beat.what {
            What::Initially(values) | What::Finally(values) => {
                let is_start = matches!(beat.what, What::Initially(_));
                let statement = if is_start { "(initially)" } else { "(finally)" }.to_owned();
                Row { number, depth, statement, effect: list(values), ..Row::default() }
            }
            What::Step { module, edge, effect } => {
                let Statement { line, text, .. } = self.narrator.statement(*module, *edge);
                let effect = effect.text();
                Row { number, line: Some(line), depth, statement: text, effect, ..Row::default() }
            }
            What::Again { first, last, effect, .. } => {
                let statement = match first == last {
                    true => format!("… as step {first}"),
                    false => format!("… as steps {first}–{last}"),
                };
                Row { number, depth, statement, effect: effect.text(), ..Row::default() }
            }
            What::Stands { goal } => Row { effect: String::new(), ..self.narrator.goal(*goal, depth) },
            What::Goal { goal, by_started } => {
                let by = if *by_started { " by the thread that was started" } else { "" };
                let row = self.narrator.goal(*goal, depth);
                Row { effect: format!("{}{by}", row.effect), ..row }
            }
        };
        let monitor = beat.monitor.map(|state| self.state_words(state).to_owned());
        Row { monitor, labels: beat.labels.join(", "), ..row }
    }
}

impl Narrator<'_> {
    /// The row of what is reached.
    pub fn goal(&self, goal: Goal, depth: usize) -> Row {
        let (span, effect) = match goal {
            Goal::At(module, node) => {
                let node = self.rsm.module(module).node(node);
                let labels = node.labels.join(", ");
                (
                    node.span,
                    if labels.is_empty() { "reached".to_owned() } else { format!("{labels} reached") },
                )
            }
            Goal::Failure(module, edge) => {
                (self.rsm.module(module).edge(edge).span, "assertion fails".to_owned())
            }
        };
        let Statement { line, text, .. } = Statement::at(self.sources, span, None);
        Row { line: Some(line), depth, statement: text, effect, ..Row::default() }
    }
}

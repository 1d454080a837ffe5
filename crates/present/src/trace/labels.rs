//! The labels of a formula that a run passes.
//!
//! A step is marked if it begins at a place that has a name, and so is the place where the run ends; a call that goes on as an earlier one has the
//! marks of that one.

use super::story::{Beat, Story, What};
use rsm::interleave::ThreadId;
use rsm::{Goal, ThreadGoal};

/// A label of a formula: its name there, and its places.
pub type Named = (String, Vec<ThreadGoal>);

impl Story<'_> {
    /// The same with the labels of a formula marked.
    pub fn naming(mut self, labels: &[Named]) -> Self {
        if labels.is_empty() {
            return self;
        }
        self.stand(labels);
        let mut chapters = std::mem::take(&mut self.chapters);
        let mut passed: Vec<(u128, Vec<String>)> = Vec::new();
        for chapter in &mut chapters {
            for beat in &mut chapter.beats {
                beat.labels = match &beat.what {
                    What::Step { module, edge, .. } => {
                        let from = self.program.machine.module(*module).edge(*edge).from;
                        self.names(labels, chapter.thread, Goal::At(*module, from))
                    }
                    What::Goal { goal, .. } | What::Stands { goal } => {
                        self.names(labels, chapter.thread, *goal)
                    }
                    What::Again { first, last, .. } => {
                        let inside = passed.iter().filter(|(number, _)| (first..=last).contains(&number));
                        let inside: Vec<&String> = inside.flat_map(|(_, names)| names).collect();
                        let names = labels.iter().map(|label| &label.0);
                        names.filter(|name| inside.contains(name)).cloned().collect()
                    }
                    What::Initially(_) | What::Finally(_) => Vec::new(),
                };
                if let Some(number) = beat.number.filter(|_| !beat.labels.is_empty()) {
                    passed.push((number, beat.labels.clone()));
                }
            }
        }
        self.chapters = chapters;
        self
    }

    /// The labels at the place where the run ends.
    pub(super) fn labels_at_end(&self) -> Vec<String> {
        let beats = self.chapters.iter().flat_map(|chapter| &chapter.beats);
        let end = beats.rev().find(|beat| matches!(beat.what, What::Goal { .. } | What::Stands { .. }));
        end.map_or_else(Vec::new, |beat| beat.labels.clone())
    }

    /// The names of a place that a thread is at.
    fn names(&self, labels: &[Named], thread: ThreadId, place: Goal) -> Vec<String> {
        let copy = self.thread(thread).copy;
        let is_meant = |goal: &ThreadGoal| goal.goal == place && goal.copy.is_none_or(|named| named == copy);
        let found = labels.iter().filter(|(_, goals)| goals.iter().any(is_meant));
        found.map(|(name, _)| name.clone()).collect()
    }

    /// A run that ends where nothing else is told has a line for the place, if that has a name.
    fn stand(&mut self, labels: &[Named]) {
        let is_told = self.trace.goal().is_some() || self.cycle.is_some();
        let Some(thread) = self.chapters.last().map(|chapter| chapter.thread).filter(|_| !is_told) else {
            return;
        };
        let frames = &self.ending.stacks[thread.index()];
        let Some(top) = frames.last() else { return };
        let (goal, depth) = (Goal::At(top.module, top.node), frames.len() - 1);
        if self.names(labels, thread, goal).is_empty() {
            return;
        }
        if let Some(chapter) = self.chapters.last_mut() {
            let at = chapter.beats.iter().position(|beat| matches!(beat.what, What::Finally(_)));
            let at = at.unwrap_or(chapter.beats.len());
            let monitor = chapter.beats.last().and_then(|beat| beat.monitor);
            let what = What::Stands { goal };
            chapter.beats.insert(at, Beat { number: None, depth, monitor, what, labels: Vec::new() });
        }
    }
}

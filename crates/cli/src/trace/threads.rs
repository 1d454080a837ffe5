//! Runs of concurrent programs: a table of steps for each context, the program with its executed lines marked, a JSON object.
//!
//! Contract: the run has been replayed, so that its steps are steps of the program. Variables and steps that are not in the
//! text are neither shown nor counted.

mod beats;
mod effects;
mod hidden;
mod object;
mod repeats;
mod stacks;
mod story;
mod unset;

use super::effect::Narrator;
use super::source::{Mark, marked};
use base::Sources;
use beats::{Beat, Beats};
use hidden::Hidden;
use rsm::interleave::{Interleaving, ThreadId, ThreadState};
use rsm::{Concurrent, Copies, Goal};
use std::collections::BTreeMap;

/// A run and the program that it is one of.
pub struct Interleaved<'a> {
    program: &'a Concurrent,
    narrator: Narrator<'a>,
    trace: &'a Interleaving,
    beats: Beats,
    hidden: Hidden,
}

/// Who reaches the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reached {
    /// The thread that runs.
    ByActive,
    /// The one that it has just started.
    ByStarted,
}

/// The name of a thread: that of its block, and which copy it is if the block has several.
fn name(program: &Concurrent, block: u32, copy: u32) -> String {
    let block = &program.blocks[block as usize];
    match block.copies {
        Copies::Number(1) => block.name.clone(),
        _ => format!("{}[{copy}]", block.name),
    }
}

impl<'a> Interleaved<'a> {
    /// Looks through a run.
    pub fn new(program: &'a Concurrent, sources: &'a Sources, trace: &'a Interleaving) -> Self {
        let narrator = Narrator { rsm: &program.machine, sources };
        let hidden = Hidden::new(program);
        Self { program, narrator, trace, beats: Beats::new(program, trace, &hidden), hidden }
    }

    /// The program with the lines that are executed marked.
    pub fn source(&self) -> String {
        let mut marks: BTreeMap<usize, Mark> = BTreeMap::new();
        for beat in self.beats.list.iter().filter(|beat| !beat.is_hidden) {
            let line = self.narrator.statement(beat.module, beat.edge).line;
            let mark = marks.entry(line).or_insert(Mark { first: beat.number as u128, n_times: 0 });
            mark.n_times += 1;
        }
        marked(&self.narrator, &marks, self.goal().0)
    }

    /// A thread at the start.
    fn thread(&self, thread: ThreadId) -> &ThreadState {
        &self.trace.start.threads[thread.index()]
    }

    /// The name of a thread.
    fn name(&self, thread: ThreadId) -> String {
        let ThreadState { block, copy, .. } = self.thread(thread);
        name(self.program, *block, *copy)
    }

    /// The shared variable that says what a thread was started with, if it was started at run time.
    fn slot(&self, thread: ThreadId) -> Option<usize> {
        self.hidden.slot(self.thread(thread).block)
    }

    /// What is reached, and who is there. Right behind the start of a thread it is what that thread begins with.
    fn goal(&self) -> (Goal, Reached) {
        let goal = self.trace.goal.goal;
        let begun = match goal {
            Goal::At(module, node) => self.hidden.begun(module, node),
            Goal::Failure(..) => None,
        };
        begun.map_or((goal, Reached::ByActive), |first| (first, Reached::ByStarted))
    }

    /// The thread that was started last by the one that runs in the end, if it is one that may take steps.
    fn last_started(&self) -> Option<ThreadId> {
        let is_own = |beat: &&Beat| self.thread_of(beat) == self.trace.thread;
        let beat = self.beats.list.iter().rev().find(is_own)?;
        let block = self.hidden.started(self.program.machine.module(beat.module).edge(beat.edge))?;
        let threads = &self.trace.start.threads;
        threads.iter().position(|thread| thread.block as usize == block).map(ThreadId::new)
    }
}

//! Runs of concurrent programs: a table of steps for each context, the program with its executed lines marked, a JSON object.
//!
//! Contract: the run has been replayed, so that its steps are steps of the program. Variables that are not in the text are not
//! shown, and neither are the steps of which the text knows nothing, other than as the beginning or the end of a thread.

mod beats;
mod effects;
mod object;
mod repeats;
mod stacks;
mod story;
mod unset;

use super::effect::Narrator;
use super::source::{Mark, marked};
use base::Sources;
use beats::Beats;
use rsm::interleave::{Interleaving, ThreadId, ThreadState};
use rsm::{Concurrent, Copies, Goal, ModuleId, NodeId};
use std::collections::BTreeMap;

/// A run and the program that it is one of.
pub struct Interleaved<'a> {
    program: &'a Concurrent,
    narrator: Narrator<'a>,
    trace: &'a Interleaving,
    beats: Beats,
    /// For each block the shared variable that says what its thread was started with; none for `main` and for `thread` blocks.
    slots: Vec<Option<usize>>,
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

/// The variable that says what the thread of a block is to run: `$slot1` for `thread1`.
fn slot(program: &Concurrent, block: &str) -> Option<usize> {
    let name = format!("$slot{}", block.strip_prefix("thread")?);
    program.machine.globals[..program.n_shared].iter().position(|global| global.name == name)
}

impl<'a> Interleaved<'a> {
    /// Looks through a run.
    pub fn new(program: &'a Concurrent, sources: &'a Sources, trace: &'a Interleaving) -> Self {
        let narrator = Narrator { rsm: &program.machine, sources };
        let slots = program.blocks.iter().map(|block| slot(program, &block.name)).collect();
        Self { program, narrator, trace, beats: Beats::new(program, trace), slots }
    }

    /// The program with the lines that are executed marked.
    pub fn source(&self) -> String {
        let mut marks: BTreeMap<usize, Mark> = BTreeMap::new();
        for (number, beat) in (1..).zip(&self.beats.list) {
            let line = self.narrator.statement(beat.module, beat.edge).line;
            let mark = marks.entry(line).or_insert(Mark { first: number, n_times: 0 });
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
        self.slots[self.thread(thread).block as usize]
    }

    /// Where a thread begins, if the place is the one right behind its start.
    fn begun(&self, module: ModuleId, node: NodeId) -> Option<Goal> {
        let start = self.program.starts.iter().find(|start| (start.module, start.node) == (module, node))?;
        Some(Goal::At(start.function, start.first))
    }

    /// What is reached, and who is there. Right behind the start of a thread it is what that thread begins with.
    fn goal(&self) -> (Goal, Reached) {
        let goal = self.trace.goal.goal;
        let begun = match goal {
            Goal::At(module, node) => self.begun(module, node),
            Goal::Failure(..) => None,
        };
        begun.map_or((goal, Reached::ByActive), |first| (first, Reached::ByStarted))
    }

    /// How many frames at the bottom of a thread's stack are not in the text.
    fn n_hidden(&self, thread: ThreadId) -> usize {
        usize::from(self.slot(thread).is_some())
    }
}

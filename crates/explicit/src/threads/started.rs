//! Threads that are started at run time, as additions to what is there.
//!
//! The machine hands a new thread over through the variables of a slot, whose thread waits until it is told what to run. Here the first
//! slot alone is used, and emptied at once: what was written into it becomes a thread of its own, which is about to be told. So there is
//! no limit to how many there are. A thread that has not been told yet keeps what the slot said behind its private values.

use rsm::interleave::{ThreadState, World};
use rsm::step::Frame;
use rsm::{Action, Concurrent, EdgeId, ModuleId, Place};

/// How threads are started.
pub(super) struct Started {
    /// The block of the first slot: all new threads are of this one.
    pub(super) block: u32,
    /// The variables of the first slot.
    variables: Vec<u32>,
    /// The module in which its thread waits.
    waiting: ModuleId,
    /// So many threads can run; if it is not known, a move that starts many is left out in part.
    most: Option<u32>,
}

/// A move starts no more threads of one kind than this, unless it is known how many can run.
const MOST_IN_ONE_MOVE: usize = 8;

impl Started {
    /// None if no threads are started.
    pub(super) fn of(program: &Concurrent, most: Option<u32>) -> Option<Self> {
        let slot = program.slots.first()?;
        let waiting = program.blocks[slot.block as usize].main;
        Some(Self { block: slot.block, variables: slot.variables.clone(), waiting, most })
    }

    /// The thread is about to do what it was told: nobody can notice.
    pub(super) fn is_told(&self, thread: &ThreadState) -> bool {
        self.is_waiting(thread.stack.last())
    }

    fn is_waiting(&self, top: Option<&Frame>) -> bool {
        top.is_some_and(|top| top.module == self.waiting)
    }

    /// The step forgets a thread that it would otherwise start.
    pub(super) fn forgets(&self, program: &Concurrent, before: &World, edge: EdgeId) -> bool {
        let Some(top) = before.threads[0].stack.last() else { return false };
        let module = program.machine.module(top.module);
        let code = Place::Global(self.variables[0]);
        let starts = |action: &Action| matches!(action, Action::Assign { targets, .. } if targets.first() == Some(&code));
        matches!(module.edge(edge).action, Action::Skip)
            && module.edges_from(top.node).any(|(_, edge)| starts(&edge.action))
    }

    /// What the thread sees that waits: the slot says what it is to run.
    pub(super) fn told(&self, program: &Concurrent, mut world: World) -> World {
        let thread = &mut world.threads[0];
        let n_private = program.blocks[thread.block as usize].private.len();
        if thread.private.len() > n_private {
            let said = thread.private.split_off(n_private);
            for (place, value) in self.variables.iter().zip(said) {
                world.shared[*place as usize] = value;
            }
        }
        world
    }

    /// Empties the slot. If the thread has not been told by it, it has started another one, which comes behind it in the world. Says
    /// whether one that may run is missing.
    pub(super) fn handed_over(
        &self,
        program: &Concurrent,
        before: &World,
        mut after: World,
    ) -> (World, bool) {
        let was_waiting = self.is_waiting(before.threads[0].stack.last());
        if after.shared[self.variables[0] as usize] == 0
            || was_waiting && self.is_waiting(after.threads[0].stack.last())
        {
            return (after, false);
        }
        let mut said = Vec::new();
        for place in &self.variables {
            said.push(std::mem::take(&mut after.shared[*place as usize]));
        }
        if !was_waiting {
            let entry = program.machine.module(self.waiting).entry;
            // The flag, which is all that threads have of their own, is not set at the start.
            let mut private = vec![0; program.blocks[self.block as usize].private.len()];
            private.extend(said);
            let stack = vec![Frame::new(self.waiting, entry, Vec::new())];
            let new = ThreadState { block: self.block, copy: 0, private, stack };
            let n_known = after.threads[1..].iter().filter(|known| **known == new).count();
            if n_known >= self.most.map_or(MOST_IN_ONE_MOVE, |most| most as usize) {
                return (after, self.most.is_none());
            }
            after.threads.push(new);
            after.threads[1..].sort_by(|a, b| a.private.cmp(&b.private));
        }
        (after, false)
    }
}

//! What a run has beyond the text where threads are started while it goes on.
//!
//! A thread that is started runs in a function of its own, which waits, calls what it was told to and returns; and some
//! starts lead to a place from which a step leads on. Contract: neither is shown. The steps are not counted, a started thread is
//! seen to begin with the function it was started with, and a starter to stand where its next statement is.

use rsm::step::Frame;
use rsm::{Action, Concurrent, Edge, EdgeId, Goal, ModuleId, NodeId, Place};
use rustc_hash::FxHashMap;

/// What is not shown.
pub struct Hidden {
    /// For each block the shared variable that says what its thread was started with; none for `main` and for `thread` blocks.
    slots: Vec<Option<usize>>,
    /// The places right behind starts, and where the new threads begin.
    begun: FxHashMap<(ModuleId, NodeId), Goal>,
}

impl Hidden {
    /// Looks through a program.
    pub fn new(program: &Concurrent) -> Self {
        let slots = program.blocks.iter().map(|block| slot(program, &block.name)).collect();
        let begun = |start: &rsm::Start| ((start.module, start.node), Goal::At(start.function, start.first));
        Self { slots, begun: program.starts.iter().map(begun).collect() }
    }

    /// The shared variable that says what the thread of a block was started with, if it is started at run time.
    pub fn slot(&self, block: u32) -> Option<usize> {
        self.slots[block as usize]
    }

    /// How many frames at the bottom of the stack of a block's thread are not in the text.
    pub fn n_frames(&self, block: u32) -> usize {
        usize::from(self.slot(block).is_some())
    }

    /// Where a thread begins, if the place is the one right behind its start.
    pub fn begun(&self, module: ModuleId, node: NodeId) -> Option<Goal> {
        self.begun.get(&(module, node)).copied()
    }

    /// The block whose thread a step starts. Of those that take no step there is none.
    pub fn started(&self, step: &Edge) -> Option<usize> {
        let Action::Assign { targets, .. } = &step.action else { return None };
        let Some(Place::Global(first)) = targets.first() else { return None };
        self.slots.iter().position(|slot| *slot == Some(*first as usize))
    }

    /// A step of a block's thread with this many callers waiting is not in the text.
    pub fn is_step(&self, block: u32, depth: usize, module: ModuleId, step: &Edge) -> bool {
        depth < self.n_frames(block) || self.begun(module, step.from).is_some()
    }

    /// A step that leads on from the place right behind a start is not in the text.
    pub fn is_onward(&self, program: &Concurrent, module: ModuleId, edge: EdgeId) -> bool {
        self.begun(module, program.machine.module(module).edge(edge).from).is_some()
    }

    /// The frames of a block's thread that are in the text, each where its next statement is.
    pub fn visible(&self, program: &Concurrent, block: u32, stack: &[Frame]) -> Vec<Frame> {
        let (below, own) = stack.split_at(self.n_frames(block).min(stack.len()));
        let mut frames = own.to_vec();
        let Some(top) = frames.last_mut() else {
            return below.last().and_then(|waiting| about_to_begin(program, waiting)).into_iter().collect();
        };
        if self.begun(top.module, top.node).is_some()
            && let Some((_, onward)) = program.machine.module(top.module).edges_from(top.node).next()
        {
            top.node = onward.to;
        }
        frames
    }
}

/// What a thread begins with that knows it and has not called it yet. Its locals have no values so far.
fn about_to_begin(program: &Concurrent, waiting: &Frame) -> Option<Frame> {
    let (_, next) = program.machine.module(waiting.module).edges_from(waiting.node).next()?;
    let Action::Call { callee, .. } = next.action else { return None };
    Some(Frame::new(callee, program.machine.module(callee).entry, Vec::new()))
}

/// The variable that says what the thread of a block is to run: `$slot1` for `thread1`.
fn slot(program: &Concurrent, block: &str) -> Option<usize> {
    let name = format!("$slot{}", block.strip_prefix("thread")?);
    program.machine.globals[..program.n_shared].iter().position(|global| global.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions that are seen, and the texts of their next statements, if a thread of a block stands at the node.
    #[track_caller]
    fn seen(block: u32, node: u32) -> Vec<(String, String)> {
        let mut sources = base::Sources::default();
        let text = "void main() begin start_thread f(); print(T); end void f() begin L: skip; end";
        let (checked, _) = bp::load(&mut sources, "test.bp", text).expect("the program has no mistakes");
        let options = bp::ThreadOptions { slots: 1, async_labels: false };
        let program = bp::lower_threads(&checked, options).expect("the program has no mistakes");
        let stack = [Frame::new(program.blocks[block as usize].main, NodeId(node), Vec::new())];
        let frames = Hidden::new(&program).visible(&program, block, &stack);
        let shown = |frame: &Frame| {
            let module = program.machine.module(frame.module);
            (module.name.clone(), sources.text(module.node(frame.node).span).to_owned())
        };
        frames.iter().map(shown).collect()
    }

    #[test]
    fn threads_are_seen_at_their_next_statements() {
        let at = |function: &str, statement: &str| vec![(function.to_owned(), statement.to_owned())];
        assert_eq!(seen(0, 0), at("main", "start_thread f()"));
        assert_eq!(seen(0, 3), at("main", "print(T)"), "right behind the start");
        assert_eq!(seen(1, 1), at("f", "skip"), "about to call");
        assert_eq!(seen(1, 2), [], "called and returned");
    }
}

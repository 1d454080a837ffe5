//! Concurrent programs: threads over one machine.
//!
//! The modules of all threads are modules of one [`Rsm`]; each thread starts at the `main` of its block and never leaves the
//! modules of that block. The globals of the machine are the shared ones, then private ones. A private global is one place in
//! the machine and has one value for each thread whose block lists it.
//!
//! A thread is inside an atomic region while the node of one of its frames is [`in_atomic`](crate::Node::in_atomic) and it has
//! not [ended](crate::Module::ends_thread), or while its flag is set. Modules that atomic code calls are there twice: the clone, in which every node is in an atomic
//! region, is what that code calls; so the node on top of the stack alone tells the same.
//!
//! Variables whose names begin with `$` are not in the text: flags, values at the start, hand-over of new threads.

use crate::expr::Expr;
use crate::goal::Goal;
use crate::machine::{ModuleId, NodeId, Rsm};
use base::Span;

/// A concurrent program.
#[derive(Clone, Debug)]
pub struct Concurrent {
    /// The modules of all threads. Its `init` restricts the shared globals; its `main` is that of the first block.
    pub machine: Rsm,
    /// So many of the globals are shared; they come first.
    pub n_shared: usize,
    /// The blocks, in the order of the text.
    pub blocks: Vec<ThreadBlock>,
    /// The machine has all that runs may do, whatever the bound: no threads are started at run time, which have slots for as many as a
    /// bound lets run.
    pub is_whole: bool,
    /// How threads that are started at run time are handed over, in the order in which slots are taken; none if there are no such threads.
    pub slots: Vec<Slot>,
    /// Where threads are started whose first statement has labels; empty if all threads are there from the beginning.
    pub starts: Vec<Start>,
}

/// The threads that share a text.
#[derive(Clone, Debug)]
pub struct ThreadBlock {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub span: Span,
    /// How many threads it stands for.
    pub copies: Copies,
    /// Where they start.
    pub main: ModuleId,
    /// What they may run, ascending; blocks may have modules in common.
    pub modules: Vec<ModuleId>,
    /// The private globals of each, ascending.
    pub private: Vec<u32>,
    /// Restrictions of the private globals at the start; each can hold. Of shared variables they read those only that
    /// nobody ever changes.
    pub init: Vec<Expr>,
    /// The private global, a Boolean, that is true while the thread is between `atomic_begin` and `atomic_end`.
    pub flag: Option<u32>,
}

/// How many threads a block stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copies {
    /// So many, at least one.
    Number(u32),
    /// Any number, zero included.
    Any,
}

/// Shared variables through which a thread is told what to run. The thread waits at the first statement of its block until it is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The block of the thread, which has one copy.
    pub block: u32,
    /// The shared variable that says what to run, 0 for nothing yet, and those with the arguments.
    pub variables: Vec<u32>,
}

/// A place right behind the start of a thread: while the starter is there, some thread is about to execute its first
/// statement, whether or not it ever becomes active.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// The module of the starter.
    pub module: ModuleId,
    /// Where the starter is once it has started the thread. Only the start leads there.
    pub node: NodeId,
    /// The function that the new thread runs, as it stands in the text: none of its clones.
    pub function: ModuleId,
    /// The first statement of the new thread, a node of that function. It has labels.
    pub first: NodeId,
}

/// A place that some thread may reach.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadGoal {
    /// The place.
    pub goal: Goal,
    /// Only this copy of the block counts, if one is named; copies are counted from 0.
    pub copy: Option<u32>,
}

impl From<Goal> for ThreadGoal {
    fn from(goal: Goal) -> Self {
        Self { goal, copy: None }
    }
}

impl Concurrent {
    /// A program with one thread, which runs `main`, and in which everything is shared.
    pub fn sequential(machine: Rsm) -> Self {
        let main = machine.module(machine.main);
        let block = ThreadBlock {
            name: main.name.clone(),
            span: main.node(main.entry).span,
            copies: Copies::Number(1),
            main: machine.main,
            modules: (0..machine.modules.len()).map(ModuleId::new).collect(),
            private: Vec::new(),
            init: Vec::new(),
            flag: None,
        };
        Self {
            n_shared: machine.globals.len(),
            machine,
            blocks: vec![block],
            is_whole: true,
            slots: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// The same, with everything private: where a variable has a value is then told node by node.
    pub fn owning(machine: Rsm) -> Self {
        let mut program = Self::sequential(machine);
        program.n_shared = 0;
        program.blocks[0].private = (0..program.machine.globals.len() as u32).collect();
        program.blocks[0].init = std::mem::take(&mut program.machine.init);
        program
    }

    /// There is one thread, and it is the whole program, as [`Concurrent::sequential`] makes it.
    pub fn is_sequential(&self) -> bool {
        let is_main = |block: &ThreadBlock| {
            let is_one = block.copies == Copies::Number(1) && block.private.is_empty();
            is_one && block.name == self.machine.module(block.main).name
        };
        self.blocks.len() == 1 && self.starts.is_empty() && self.blocks.iter().all(is_main)
    }

    /// Some block stands for any number of threads.
    pub fn is_parameterised(&self) -> bool {
        self.blocks.iter().any(|block| block.copies == Copies::Any)
    }
}

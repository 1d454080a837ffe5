//! Random programs with threads, for checkers that list interleavings one by one.
//!
//! The code of the threads is that of the sequential programs, with more atomic blocks; a `goto` may lead into them and out
//! of them. Invariants: there are two or three threads unless a block has any number of copies or threads are started as
//! the program runs; a program that starts threads has a statement in `main` that does.

use super::expressions::{Scope, expression};
use super::functions::{Function, declarations};
use super::types::{Variable, variables};
use super::{Generator, Setting, Shape};
use crate::dice::Dice;
use crate::page::Page;

/// Names of private globals; some hide a shared one.
const PRIVATE: [&[&str]; 3] = [&["own", "n"], &["{own>0}", "mine"], &["a", "own"]];

/// The most threads of blocks with numbers of copies.
const MOST_THREADS: usize = 3;

/// Where the threads of a program come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threads {
    /// From blocks with numbers of copies.
    Fixed,
    /// From blocks, at least one of which has any number of copies.
    Parameterised,
    /// From `main` and statements that start threads; there are no blocks.
    Started,
}

/// What programs with threads look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConcurrentShape {
    /// What each block looks like; its globals are the shared ones.
    pub code: Shape,
    /// The most bits of the private globals of a thread.
    pub private_bits: usize,
    /// So many percent of all calls may go back, which can make stacks of any height.
    pub recursion: usize,
    /// Where the threads come from.
    pub threads: Threads,
}

impl ConcurrentShape {
    /// A few hundred states for all points of a thread.
    pub fn small(threads: Threads) -> Self {
        let code = Shape { n_functions: 2, n_statements: 5, global_bits: 3, local_bits: 2, depth: 1 };
        Self { code, private_bits: 1, recursion: 10, threads }
    }
}

/// The program with threads of a seed.
pub fn concurrent(seed: u64, shape: &ConcurrentShape) -> String {
    let setting = match shape.threads {
        Threads::Fixed | Threads::Parameterised => Setting::Block,
        Threads::Started => Setting::Started,
    };
    let mut generator = Generator {
        dice: Dice::new(seed),
        shape: shape.code.clone(),
        globals: Vec::new(),
        functions: Vec::new(),
        recursion: shape.recursion.min(100),
        setting,
    };
    let mut page = Page::default();
    page.line(format!("// random, seed = {seed}: a program with threads and without a meaning."));
    page.line("// The answer is not known; the label ERROR is the question.");
    generator.declare(&mut page);
    match shape.threads {
        Threads::Started => generator.define(&mut page),
        Threads::Fixed | Threads::Parameterised => generator.blocks(&mut page, shape),
    }
    page.finish()
}

/// A block that is complete but for its text.
struct Block {
    /// What stands in brackets after the name, the brackets included.
    copies: &'static str,
    private: Vec<Variable>,
    /// All that its functions see.
    globals: Vec<Variable>,
    functions: Vec<Function>,
}

impl Generator {
    fn blocks(&mut self, page: &mut Page, shape: &ConcurrentShape) {
        let shared = self.globals.clone();
        let copies = self.copies(shape.threads);
        let mut blocks: Vec<Block> =
            copies.into_iter().map(|copies| self.block_of_threads(copies, &shared, shape)).collect();
        let holder = self.dice.below(blocks.len());
        self.ask(&mut blocks[holder].functions);
        for (i, mut block) in blocks.into_iter().enumerate() {
            page.line("");
            page.line(format!("thread t{i}{}", block.copies));
            page.open("begin");
            declarations(page, &mut self.dice, &block.private);
            self.initialise_private(page, &block, &shared);
            self.dice.shuffle(&mut block.functions);
            block.functions.iter().for_each(|function| self.write(page, function));
            page.close("end");
        }
    }

    /// What is known at first of the private globals. A value that is computed from shared variables always exists;
    /// other conditions often contradict those of the program, and then no run begins.
    fn initialise_private(&mut self, page: &mut Page, block: &Block, shared: &[Variable]) {
        self.globals = block.globals.clone();
        let shown: Vec<Variable> =
            shared.iter().filter(|global| self.globals.contains(global)).cloned().collect();
        for Variable { name, of } in &block.private {
            if self.dice.chance(50) {
                let scope = Scope { variables: &shown, primes: false };
                page.line(format!("init {name} = ({});", expression(&mut self.dice, scope, *of, 1).text));
            }
        }
        let n_conditions = self.dice.chance(5).into();
        self.restrict(page, n_conditions);
    }

    /// Of each block, how many threads it stands for.
    fn copies(&mut self, threads: Threads) -> Vec<&'static str> {
        let few = if threads == Threads::Parameterised { 90 } else { 65 };
        let n_blocks = if self.dice.chance(few) { 2 } else { MOST_THREADS };
        let mut copies: Vec<&str> = (0..n_blocks).map(|_| self.dice.pick(&["", "", "[1]"])).collect();
        let one = self.dice.below(n_blocks);
        match threads {
            Threads::Parameterised => {
                copies.iter_mut().filter(|_| self.dice.chance(30)).for_each(|copies| *copies = "[*]");
                copies[one] = "[*]";
            }
            _ if n_blocks < MOST_THREADS && self.dice.chance(40) => copies[one] = "[2]",
            _ => {}
        }
        copies
    }

    fn block_of_threads(
        &mut self,
        copies: &'static str,
        shared: &[Variable],
        shape: &ConcurrentShape,
    ) -> Block {
        let names = self.dice.pick(&PRIVATE);
        let bits = if self.dice.chance(60) { shape.private_bits } else { 0 };
        let private = variables(&mut self.dice, names, bits);
        let shown = |global: &&Variable| private.iter().all(|inner| inner.name != global.name);
        let globals: Vec<Variable> = private.iter().chain(shared.iter().filter(shown)).cloned().collect();
        self.globals = globals.clone();
        let functions = self.make_functions();
        Block { copies, private, globals, functions }
    }
}

//! Random programs, small enough for checkers that list states one by one.
//!
//! Input: a seed and a [`Shape`], or a [`ConcurrentShape`] for programs with threads. Output: the text of a program that
//! is correct in grammar and types, by construction. Invariants: over many seeds every construct of the language occurs;
//! most statements have a label; one statement of the program is labelled `ERROR`; globals, and the locals of a function
//! together with its parameters, take no more bits than the shape allows. Nobody knows the verdict: two checkers are
//! compared.

mod expressions;
mod functions;
mod interplay;
mod looping;
mod seeds;
mod statements;
mod threads;
mod types;

pub use looping::{Looping, looping};
pub use seeds::seeds;
pub use threads::{ConcurrentShape, Threads, concurrent};

use crate::Options;
use crate::dice::Dice;
use crate::page::Page;
use functions::Signature;
use types::Variable;

/// What the programs look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The most functions besides `main`.
    pub n_functions: usize,
    /// About how many statements a function has.
    pub n_statements: usize,
    /// The most bits of all globals.
    pub global_bits: usize,
    /// The most bits of the locals and parameters of a function.
    pub local_bits: usize,
    /// How deep expressions are nested.
    pub depth: usize,
}

impl Shape {
    /// A few dozen states for each program point.
    pub fn small() -> Self {
        Self { n_functions: 2, n_statements: 6, global_bits: 3, local_bits: 3, depth: 2 }
    }

    /// A few hundred states for each program point.
    pub fn medium() -> Self {
        Self { n_functions: 4, n_statements: 14, global_bits: 4, local_bits: 5, depth: 3 }
    }
}

/// The program of a seed.
pub fn program(seed: u64, shape: &Shape) -> String {
    let mut generator = Generator {
        dice: Dice::new(seed),
        shape: shape.clone(),
        globals: Vec::new(),
        functions: Vec::new(),
        recursion: 25,
        setting: Setting::Sequential,
    };
    let mut page = Page::default();
    page.line(format!("// random, seed = {seed}: a program without a meaning."));
    page.line("// The answer is not known; the label ERROR is the question.");
    generator.declare(&mut page);
    generator.define(&mut page);
    page.finish()
}

/// As a family: about `n` statements, small ones up to 20.
pub(crate) fn family(n: u32, options: &Options) -> String {
    let n = n as usize;
    let mut shape = if n <= 20 { Shape::small() } else { Shape::medium() };
    shape.n_functions = shape.n_functions.max(n / 60);
    // On average there is half of the most functions, and `main`.
    shape.n_statements = (2 * n).div_ceil(shape.n_functions + 2);
    program(options.seed, &shape)
}

struct Generator {
    dice: Dice,
    shape: Shape,
    /// Those that the functions see.
    globals: Vec<Variable>,
    /// Those that can be called: all but `main`.
    functions: Vec<Signature>,
    /// So many percent of all calls may go back, to the caller itself or to one before it.
    recursion: usize,
    setting: Setting,
}

/// Where the functions run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Setting {
    /// Alone.
    Sequential,
    /// In one of several blocks of threads.
    Block,
    /// In a program that starts threads as it runs.
    Started,
}

//! Templates: the relations by which formulas speak of a program.
//!
//! - In: a symbolic program, and goals.
//! - Out: the text that declares what a formula file sees ([`Templates::prelude`]), and the rows of these relations for the solver ([`Templates::give`]).
//! - Never: evaluate a formula.
//!
//! This is the only crate that knows both programs and formulas.
//!
//! A state is a module, a program counter, local slots and global slots, all bits. Counter 0 is the entry of a module, where
//! parameters and globals have values and the other locals have none yet; so summaries carry no copies of those.

#![forbid(unsafe_code)]

mod vocabulary;
mod word;
pub mod words;

mod parameter;
mod proper;
mod rows;
mod target;

mod conditions;
mod entered_twice;
mod game;
mod threads;
mod variables;

mod text;

pub use conditions::Condition;
pub use parameter::StateParameter;
pub use proper::PROPER;
pub use threads::{Instance, Threads};
pub use vocabulary::{StateColumns, Template, Vocabulary};
pub use word::{Making, Role, Rows, Word};

use rsm::{Game, Reduced, Rsm};
use std::sync::Arc;
use symbolic::SymbolicProgram;
use variables::Variables;

/// Everything that is needed to speak of one program.
pub struct Templates<'r> {
    /// The program.
    pub program: SymbolicProgram<'r>,
    /// The threads of a concurrent program.
    pub threads: Option<Threads<'r>>,
    words: Vec<Word>,
    /// The numbers of variables, if the formula speaks of them.
    variables: Option<Variables>,
    /// What is known of the program behind an abstraction.
    game: Option<Arc<Game>>,
    /// Only states of the program are in the relations.
    tells_apart: bool,
}

impl<'r> Templates<'r> {
    /// Speaks of a sequential program.
    pub fn new(rsm: &'r Rsm, reduced: &'r Reduced) -> Self {
        Self::of_program(SymbolicProgram::new(rsm, reduced))
    }

    /// The same of a program that is symbolic already.
    pub fn of_program(program: SymbolicProgram<'r>) -> Self {
        Self {
            program,
            threads: None,
            variables: None,
            game: None,
            tells_apart: false,
            words: [words::common(), words::sequential()].concat(),
        }
    }

    /// Speaks of these threads of a concurrent program.
    pub fn of_threads(threads: Threads<'r>, reduced: &'r Reduced) -> Self {
        let program = SymbolicProgram::of_threads(threads.program, reduced);
        let words = [words::common(), words::concurrent()].concat();
        Self { program, threads: Some(threads), words, variables: None, game: None, tells_apart: false }
    }

    /// Adds a word of a front end or of a question; it stands beside the others and needs nothing from them.
    ///
    /// # Panics
    /// If there is a word of this name.
    pub fn add(&mut self, word: Word) {
        assert!(
            self.words.iter().all(|known| known.name != word.name),
            "`{}` has a meaning already",
            word.name
        );
        self.words.push(word);
    }

    /// The words that a formula file may use.
    pub fn words(&self) -> &[Word] {
        &self.words
    }
}

/// Templates speak of the parts of their program all the time.
impl<'r> std::ops::Deref for Templates<'r> {
    type Target = SymbolicProgram<'r>;

    fn deref(&self) -> &SymbolicProgram<'r> {
        &self.program
    }
}

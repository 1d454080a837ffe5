//! A recogniser of MUCKE's language, for tests: MUCKE itself is no dependency.
//!
//! It is written from what MUCKE 0.4 does and shares no code with the calculus. `recognise` reads a text as MUCKE does, says
//! the first thing that MUCKE would refuse, and otherwise returns the number of queries.

mod lexer;
mod meaning;
mod parser;

/// Reads a whole file as MUCKE does.
pub fn recognise(text: &str) -> Result<usize, String> {
    let tokens = lexer::tokens(text)?;
    let commands = parser::commands(&tokens)?;
    meaning::analyse(&commands)
}

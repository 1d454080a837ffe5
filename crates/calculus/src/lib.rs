//! The fixed-point calculus: text, syntax tree, checked system, and the textbook evaluation of it.
//!
//! - In: the text of a formula file.
//! - Out: a checked [`system::System`], the text again, which declaration each name means ([`references()`]), and the textbook evaluation of it ([`naive`](mod@naive)).
//! - Never: know programs or decision diagrams.

#![forbid(unsafe_code)]

pub mod syntax;

mod format;
mod level;
mod lexer;
mod load;
mod mucke;
mod parser;
mod printer;
mod references;
mod relativise;

pub mod system;

mod check;

pub mod dependencies;
pub mod listing;
pub mod naive;
pub mod random;

pub use check::{check, check_briefly};
pub use format::format;
pub use lexer::reserved_words;
pub use load::{Read, load};
pub use mucke::Mucke;
pub use parser::{DIRECTIVES, parse};
pub use printer::{print, print_expr, print_formula};
pub use references::references;
pub use relativise::{is_relative, relativise};

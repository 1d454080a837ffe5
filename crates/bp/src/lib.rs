//! Boolean programs: text to syntax tree to recursive state machine, of one thread or of several.
//!
//! - In: the text of a Boolean program, of a monitor, or of a condition.
//! - Out: an [`rsm::Rsm`] or an [`rsm::Concurrent`], the text again, formatted; which declaration each name means ([`references()`]); or all mistakes of a stage with their places.
//! - Never: recurse on the nesting of a text, decide a question.
//!
//! ```text
//!  .bp text ──parse──▶ ast::Program ──check──▶ Checked ──lower──▶ rsm::Rsm
//!                          │                     │
//!                          └──print──▶ .bp text  └──lower_threads──▶ rsm::Concurrent
//! ```
//!
//! Contract: a mistake in the text is a diagnostic with its place, and all mistakes of a stage are reported together.
//! No pass recurses, so that nesting is bounded by memory only.
//!
//! ```
//! let mut sources = base::Sources::default();
//! let text = "decl x; void main() begin x := !x; end";
//! let (program, warnings) = bp::load(&mut sources, "demo.bp", text).unwrap();
//! assert!(warnings.is_empty());
//! let machine = bp::lower(&program).unwrap();
//! assert_eq!(machine.module(machine.main).nodes.len(), 3);
//! assert_eq!(bp::print(program.program()), "decl x;\n\nvoid main()\nbegin\n  x := !x;\nend\n");
//! ```

#![forbid(unsafe_code)]

mod names;

pub mod ast;
mod check;
mod condition;
mod lexer;
mod lower;
pub mod monitor;
pub mod observer;
mod parser;
mod printer;
pub mod product;
mod references;

pub use check::{Checked, check};
pub use condition::{ConditionError, condition};
pub use lower::{Concurrency, ThreadOptions, concurrency, lower, lower_threads};
pub use names::reserved_words;
pub use parser::parse;
pub use printer::print;
pub use product::{Product, product};
pub use references::references;

use base::{Diagnostic, Sources};

/// Reads and checks a program: the program and warnings, or all errors and warnings.
pub fn load(
    sources: &mut Sources,
    name: &str,
    text: impl Into<String>,
) -> Result<(Checked, Vec<Diagnostic>), Vec<Diagnostic>> {
    let file = sources.add(name, text);
    let (program, diagnostics) = parse(sources, file);
    // With syntax errors, names may be missing that are there in the text: looking for more would mislead.
    if diagnostics.is_empty() { check(program) } else { Err(diagnostics) }
}

//! Linear temporal logic: a formula becomes a monitor of the runs that satisfy it.
//!
//! - In: the text of a formula of linear temporal logic.
//! - Out: the monitor of the runs that satisfy it, or an observer of threads; or all mistakes with their places.
//! - Never: know how a question is answered; recurse.
//!
//! ```text
//!  text ──parse──▶ Formula ──translate──▶ Automaton ──write──▶ .mon text ──bp::monitor──▶ Monitor
//!                     └──translate_marked──▶ Marked ──observer──▶ Observer of threads
//! ```
//!
//! A formula speaks of infinite runs; its propositions are read in the state that each step leaves. Whether a program
//! satisfies it is asked by the monitor of its negation: is there an infinite run again and again in target states?
//! Formulas and automata know no programs; only `monitor` does. Contract: all mistakes in a text are diagnostics with a
//! place; nothing recurses.

#![forbid(unsafe_code)]

mod automaton;
mod formula;
mod normal;
mod observer;
mod parse;
mod token;
mod words;
mod write;

pub use automaton::{Automaton, Literal, Marked, MarkedEdge, State, TooLarge, translate, translate_marked};
pub use formula::{Formula, FormulaId, Node};
pub use observer::{Watched, observer, violations_of_threads};
pub use parse::parse;
pub use write::Written;

use automaton::{MAX_EDGES, told};
use base::{Diagnostic, FileId, Sources, Span};
use bp::Checked;
use bp::monitor::{Guard, Monitor};

/// A monitor and its text.
#[derive(Clone, Debug)]
pub struct Translated {
    /// The monitor.
    pub monitor: Monitor,
    /// As it is written in a `.mon` file.
    pub text: String,
    /// Its states in words: what the formula waits for in each.
    pub words: Vec<String>,
}

/// The monitor of the runs of a program that violate a formula.
pub fn violations(
    sources: &mut Sources,
    name: &str,
    text: &str,
    program: &Checked,
) -> Result<Translated, Vec<Diagnostic>> {
    let file = sources.add(name, text);
    let mut formula = parse(sources, file)?;
    formula.negate();
    let guards = propositions(sources, &formula, program)?;
    let told = told(&formula).map_err(|TooLarge| too_large(sources, file))?;
    let written: Vec<Written> = formula
        .propositions
        .iter()
        .zip(&guards)
        .map(|(span, guard)| Written::new(sources.text(*span), guard, program))
        .collect();
    let propositions: Vec<String> =
        formula.propositions.iter().map(|span| in_one_line(sources.text(*span))).collect();
    let in_words = |obligations: &Vec<_>| words::words(&told.normals, obligations, &propositions);
    let words = told.obligations.iter().map(in_words).collect();
    let text = told.automaton.write(&written);
    let monitor = bp::monitor::parse(sources, "the monitor of the formula", text.clone(), program)?;
    Ok(Translated { monitor, text, words })
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn too_large(sources: &Sources, file: FileId) -> Vec<Diagnostic> {
    let message = format!("this formula is too large: its monitor would have more than {MAX_EDGES} edges");
    vec![Diagnostic::error(Span::new(file, 0..sources.file(file).text.len()), message)]
}

/// `*` in a proposition.
const NO_CHOICE: &str = "a proposition has one truth value in each state: `*` and `schoose` have none";

/// What each proposition means.
fn propositions(
    sources: &Sources,
    formula: &Formula,
    program: &Checked,
) -> Result<Vec<Guard>, Vec<Diagnostic>> {
    let (mut guards, mut diagnostics) = (Vec::new(), Vec::new());
    for span in &formula.propositions {
        match bp::monitor::proposition(sources, *span, program) {
            Ok(guard) if guard.condition.has_choice() => {
                diagnostics.push(Diagnostic::error(*span, NO_CHOICE));
            }
            Ok(guard) => guards.push(guard),
            Err(found) => diagnostics.extend(found),
        }
    }
    if diagnostics.is_empty() { Ok(guards) } else { Err(diagnostics) }
}

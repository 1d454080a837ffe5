//! The canonical text of a monitor, comments included.
//!
//! A monitor is only parsed: the program that it watches need not be there.

use super::Automaton;
use crate::names::{Names, Word};
use crate::parser::{Atom, AtomKind, Parser};
use crate::printer::{Gap, Line, Printer};
use base::{Diagnostic, FileId, Sources};

/// The canonical text of a file with a monitor, or everything that is wrong with how it is written.
pub fn format(sources: &Sources, file: FileId) -> Result<String, Vec<Diagnostic>> {
    let mut names = Names::default();
    // Variables of the program may be called like words.
    Word::ALL.iter().for_each(|word| names.declare_value(*word));
    let mut parser = Parser::new(sources, file, names);
    parser.atoms = Some(Vec::new());
    let parsed = parser.monitor();
    let atoms = parser.atoms.take().unwrap_or_default();
    let (tree, diagnostics) = parser.finish();
    let (Ok(automaton), true) = (parsed, diagnostics.is_empty()) else { return Err(diagnostics) };
    let texts: Vec<String> = atoms.iter().map(|atom| text(atom, &tree.names)).collect();
    let mut printer = Printer::new(&tree);
    printer.atoms = &texts;
    automaton.print(&mut printer);
    Ok(printer.finish())
}

/// An atom as it is written.
fn text(atom: &Atom, names: &Names) -> String {
    let word = match atom.kind {
        AtomKind::At => "at",
        AtomKind::In => "in",
        AtomKind::Call => "call",
        AtomKind::Ret => "ret",
    };
    let parts: Vec<&str> =
        [atom.function, atom.label].into_iter().flatten().map(|name| names.text(name.symbol)).collect();
    format!("{word}({})", parts.join(":"))
}

impl Automaton {
    fn print(&self, printer: &mut Printer) {
        let name = printer.program.text(self.name);
        printer.begin(self.head.start, Gap::Kept);
        printer.out.push_str(&format!("monitor {name}"));
        printer.block(self.head);
        for state in &self.states {
            let initial = if state.is_initial { "initial " } else { "" };
            let target = if state.is_target { "target " } else { "" };
            let name = printer.program.text(state.name);
            printer.begin(state.start.start, Gap::Kept);
            printer.out.push_str(&format!("{initial}{target}state {name}:"));
            printer.end(if state.edges.is_empty() { Line::Item } else { Line::Opening });
            printer.indent += 1;
            for edge in &state.edges {
                printer.begin(edge.start.start, Gap::Kept);
                printer.out.push_str("on ");
                printer.expression(edge.guard);
                let to = printer.program.text(edge.to);
                printer.out.push_str(&format!(" goto {to};"));
                printer.end(Line::Item);
            }
            printer.indent -= 1;
        }
        printer.close(self.end, Word::End.text());
    }
}

//! A step as the user wrote it: the line and the text of the statement.

use base::{Sources, Span};
use rsm::{Action, Edge, EdgeId, Module};

/// The longest statement that is shown whole.
const LONGEST: usize = 60;

/// A statement or a test in the text.
pub struct Statement {
    /// The name of its file, unless that is the first one: a program in C has other ones, and functions of the library have theirs.
    pub file: Option<String>,
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// Its text on one line, cut if it is long.
    pub text: String,
}

impl Statement {
    /// The statement of an edge.
    pub fn of_edge(sources: &Sources, module: &Module, edge: EdgeId) -> Self {
        let step = module.edge(edge);
        let test = if is_test(module, step) { keyword(sources, step.span) } else { None };
        Self::at(sources, step.span, test)
    }

    /// The statement at a place, after the word that makes it a test.
    pub fn at(sources: &Sources, span: Span, keyword: Option<&str>) -> Self {
        let (line, column) = sources.line_column(span);
        let mut text = keyword.map_or_else(String::new, |word| format!("{word} "));
        // A statement can be as long as the file: only what is shown is looked at.
        let mut n_shown = text.chars().count();
        let mut is_blank = false;
        for letter in sources.text(span).chars() {
            if letter.is_whitespace() || letter.is_control() {
                is_blank = true;
                continue;
            }
            n_shown += 1 + usize::from(is_blank);
            if n_shown > LONGEST {
                text.push('…');
                break;
            }
            if std::mem::take(&mut is_blank) {
                text.push(' ');
            }
            text.push(letter);
        }
        Self { file: other_file(sources, span), line, column, text }
    }
}

/// The name of the file of a place, unless that is the first one.
pub fn other_file(sources: &Sources, span: Span) -> Option<String> {
    (span.file.index() > 0).then(|| sources.file(span.file).name.clone())
}

/// One of the two outcomes of a test, not an `assume`.
pub fn is_test(module: &Module, step: &Edge) -> bool {
    matches!(step.action, Action::Assume(_)) && module.edges_from(step.from).nth(1).is_some()
}

/// The word before a condition: `if`, `elsif` or `while`.
fn keyword(sources: &Sources, span: Span) -> Option<&'static str> {
    let before = sources.file(span.file).text.get(..span.start as usize)?;
    let before = before.trim_end_matches(|letter: char| letter.is_whitespace() || letter == '(');
    ["elsif", "if", "while"].into_iter().find(|word| before.ends_with(word))
}

//! One answer of a run: what was asked, and what came out, as plain text values.
//!
//! Contract: holds nothing that differs between two runs of the same input (no times, no addresses), because
//! every answer is printed on stdout.

use checker::{Basis, Cell, List, listed};
use solver::{Certified, Finding};
use std::fmt::Write;

/// What [`Subject::directive`] is while a question about a program is answered.
pub const PROGRAM: &str = "program";

/// What it is while a text is made that others will read, such as a translation.
const TEXT: &str = "text";

/// What was asked, and where.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// `query`, or the directive: `#ons`, `#print`.
    pub directive: &'static str,
    /// The relation a directive is about.
    pub relation: Option<String>,
    /// The file and the line it stands in.
    pub place: (String, usize),
}

impl Subject {
    /// A question about a program.
    pub fn program() -> Self {
        Self { directive: PROGRAM, ..Self::default() }
    }

    /// A text for others to read.
    pub fn text() -> Self {
        Self { directive: TEXT, ..Self::default() }
    }

    /// Whether stdout is for a text alone, so that everything else goes to stderr.
    pub fn is_text(&self) -> bool {
        self.directive == TEXT
    }

    /// What its lines begin with: nothing for a query, `#ons Reachable ` for a directive.
    pub fn prefix(&self) -> String {
        match (self.directive, &self.relation) {
            ("query" | "#print" | PROGRAM | TEXT | "", _) => String::new(),
            (directive, Some(relation)) => format!("{directive} {relation} "),
            (directive, None) => format!("{directive} "),
        }
    }
}

/// What came out.
#[derive(Clone, Debug)]
pub enum Value {
    /// The truth value of a query.
    Truth(bool),
    /// A number of nodes or tuples, in decimal.
    Number(String),
    /// A text, printed as it is.
    Text(String),
    /// A text for people, every line of which gets the directive in front.
    Lines(String),
    /// The name of a file that was written or read.
    File(String),
    /// Names and values, if there are such.
    Valuation(Option<Vec<(String, Cell)>>),
    /// For each relation its number of clauses and whether it satisfies its equation.
    Certificate(Vec<Certified>),
    /// A derivation, if the formula holds.
    Derivation(Option<Vec<Step>>),
    /// The tuples of a relation.
    List(List),
    /// There is no answer, and why.
    Unknown(String),
}

/// One step of a derivation.
#[derive(Clone, Debug)]
pub struct Step {
    /// The relation and its tuple: `Reach(goal)`.
    pub fact: String,
    /// The number of the clause, from 1, and where it is written: `reach.mu:9:3`; none of a fact about the program.
    pub clause: Option<(usize, String)>,
    /// The values of the clause's existential variables.
    pub choice: Vec<(String, Cell)>,
    /// What it rests on.
    pub basis: Basis,
}

/// The lines of an answer, each ending in a newline.
pub fn text(subject: &Subject, value: &Value) -> String {
    let prefix = subject.prefix();
    let body = match value {
        Value::Truth(truth) => truth.to_string(),
        Value::Number(text) | Value::File(text) => text.clone(),
        Value::Text(text) => return format!("{text}\n"),
        Value::Lines(lines) => lines.clone(),
        Value::Valuation(None) | Value::Derivation(None) => "none".to_owned(),
        Value::Valuation(Some(valuation)) if valuation.is_empty() => "(no variables)".to_owned(),
        Value::Valuation(Some(valuation)) => listed(valuation),
        Value::Certificate(relations) => certificate(relations),
        Value::Derivation(Some(steps)) if steps.is_empty() => "holds, no tuple is needed".to_owned(),
        Value::Derivation(Some(steps)) => derivation(steps),
        Value::List(list) => table(list),
        Value::Unknown(reason) if subject.directive == PROGRAM => format!("UNKNOWN: {reason}"),
        Value::Unknown(reason) => format!("unknown: {reason}"),
    };
    if body.is_empty() {
        return format!("{}\n", prefix.trim_end());
    }
    body.lines().map(|line| format!("{prefix}{line}").trim_end().to_owned() + "\n").collect()
}

/// How many tuples there are, and a table of them.
fn table(list: &List) -> String {
    let tuples = if list.n_tuples == "1" { "1 tuple" } else { &format!("{} tuples", list.n_tuples) };
    let rows = list.rows.len();
    let shown = match (list.is_cut, rows) {
        (false, _) if rows.to_string() == list.n_tuples => String::new(),
        (false, 1) => " in 1 row".to_owned(),
        (false, _) => format!(" in {rows} rows"),
        (true, 0) => String::new(),
        (true, 1) => ", the first row".to_owned(),
        (true, _) => format!(", the first {rows} rows"),
    };
    let mut out = format!("{tuples}{shown}\n");
    let cells: Vec<Vec<String>> =
        list.rows.iter().map(|row| row.iter().map(Cell::to_string).collect()).collect();
    if cells.is_empty() || list.head.is_empty() {
        return out;
    }
    let lines: Vec<&Vec<String>> = std::iter::once(&list.head).chain(&cells).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..list.head.len()).map(width).collect();
    for line in lines {
        let cells: Vec<String> =
            line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        let _ = writeln!(out, "{}", cells.join("  ").trim_end());
    }
    out
}

/// `holds: Reach 2 clauses, Step 1 clause`, or which relations are not what their equations mean.
fn certificate(relations: &[Certified]) -> String {
    let findings = [
        (Finding::NoSolution, "not a solution of the equation of"),
        (Finding::NotLeast, "not the least solution of the equation of"),
        (Finding::NotGreatest, "not the greatest solution of the equation of"),
    ];
    let mut broken = Vec::new();
    for (finding, text) in findings {
        let of = relations.iter().filter(|certified| certified.finding == finding);
        let names: Vec<&str> = of.map(|certified| certified.relation.as_str()).collect();
        if !names.is_empty() {
            broken.push(format!("{text} {}", names.join(", ")));
        }
    }
    if !broken.is_empty() {
        return format!("fails: {}", broken.join("; "));
    }
    let clauses = |n: usize| if n == 1 { "1 clause".to_owned() } else { format!("{n} clauses") };
    let part = |c: &Certified| match c.finding {
        Finding::Given => format!("{} given", c.relation),
        _ => format!("{} {}", c.relation, clauses(c.clauses)),
    };
    let parts: Vec<String> = relations.iter().map(part).collect();
    format!("holds: {}", parts.join(", "))
}

/// One line per step: `1. Reach(goal) by clause 2 (reach.mu:9:3), with p = mid, from 2`.
fn derivation(steps: &[Step]) -> String {
    let mut out = String::new();
    for (number, step) in (1..).zip(steps) {
        let _ = match &step.clause {
            Some((clause, place)) => write!(out, "{number}. {} by clause {clause} ({place})", step.fact),
            None => write!(out, "{number}. {}, a fact about the program", step.fact),
        };
        if !step.choice.is_empty() {
            let _ = write!(out, ", with {}", listed(&step.choice));
        }
        out.push_str(&step.basis.text("     "));
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(directive: &'static str, relation: Option<&str>) -> Subject {
        Subject { directive, relation: relation.map(str::to_owned), place: ("a.mu".to_owned(), 1) }
    }

    #[test]
    fn queries_are_bare_and_directives_are_prefixed() {
        assert_eq!(text(&subject("query", None), &Value::Truth(true)), "true\n");
        assert_eq!(text(&subject("#ons", Some("R")), &Value::Number("7".to_owned())), "#ons R 7\n");
        assert_eq!(text(&subject("#wit", None), &Value::Valuation(None)), "#wit none\n");
        assert_eq!(
            text(&subject("#plan", Some("R")), &Value::Lines("a\nb".to_owned())),
            "#plan R a\n#plan R b\n"
        );
        assert_eq!(text(&subject("#ons", Some("R")), &Value::Unknown("x".to_owned())), "#ons R unknown: x\n");
        assert_eq!(text(&subject("#print", None), &Value::Text(String::new())), "\n");
    }

    #[test]
    fn a_derivation_names_clauses_choices_and_premises() {
        let step = |fact: &str, uses: &[usize]| Step {
            fact: fact.to_owned(),
            clause: Some((2, "a.mu:3:1".to_owned())),
            choice: vec![("p".to_owned(), Cell::Value("mid".to_owned()))],
            basis: Basis { uses: uses.to_vec(), ..Basis::default() },
        };
        let value = Value::Derivation(Some(vec![step("R(b)", &[2]), step("R(a)", &[])]));
        assert_eq!(
            text(&subject("#explain", None), &value),
            "#explain 1. R(b) by clause 2 (a.mu:3:1), with p = mid, from 2\n\
             #explain 2. R(a) by clause 2 (a.mu:3:1), with p = mid\n"
        );
    }

    #[test]
    fn a_certificate_counts_clauses_or_names_the_culprit() {
        let certified =
            |relation: &str, clauses, finding| Certified { relation: relation.to_owned(), clauses, finding };
        let value =
            |finding| Value::Certificate(vec![certified("R", 2, Finding::Holds), certified("S", 1, finding)]);
        let text = |finding| text(&subject("#certify", Some("R")), &value(finding));
        assert_eq!(text(Finding::Holds), "#certify R holds: R 2 clauses, S 1 clause\n");
        assert_eq!(text(Finding::NoSolution), "#certify R fails: not a solution of the equation of S\n");
        assert_eq!(
            text(Finding::NotLeast),
            "#certify R fails: not the least solution of the equation of S\n"
        );
    }
}

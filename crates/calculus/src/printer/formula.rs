//! Checked formulas as text, for plans and explanations.
//!
//! The text reads like the calculus, but variables are leaves (`s.bit[0]`) except where all leaves of a record stand together,
//! and sugar is gone.

use crate::level::{AND, BASIC, CONNECT, Level, NOT, OPEN, OR};
use crate::system::{Comparison, Formula, FormulaId, SortId, SortKind, System, Term, VarId};

/// Longer texts help nobody; formulas that share operands can be exponentially longer than their arena.
const MAX_TEXT: usize = 1 << 20;

enum Piece {
    Text(&'static str),
    Formula(FormulaId, Level),
}

/// A formula as people read it. Texts of more than a megabyte end in `…`.
pub fn print_formula(system: &System, root: FormulaId) -> String {
    let mut out = String::new();
    let mut stack = vec![Piece::Formula(root, OPEN)];
    while let Some(piece) = stack.pop() {
        if out.len() > MAX_TEXT {
            out.push('…');
            break;
        }
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Formula(id, needed) if level(system, id) < needed => {
                out.push('(');
                stack.extend([Piece::Text(")"), Piece::Formula(id, OPEN)]);
            }
            Piece::Formula(id, _) => write(system, id, &mut out, &mut stack),
        }
    }
    out
}

fn level(system: &System, id: FormulaId) -> Level {
    match system.formula(id) {
        Formula::Exists(..) | Formula::Forall(..) => OPEN,
        Formula::Iff(..) => CONNECT,
        Formula::Or(operands) if operands.len() > 1 => OR,
        Formula::And(operands) if operands.len() > 1 => AND,
        Formula::Not(operand) if is_equality(system, *operand) => BASIC,
        Formula::Not(_) => NOT,
        _ => BASIC,
    }
}

fn is_equality(system: &System, id: FormulaId) -> bool {
    matches!(system.formula(id), Formula::Compare(Comparison::Equal, ..))
}

/// Writes what a formula begins with and leaves the rest on the stack.
fn write(system: &System, id: FormulaId, out: &mut String, stack: &mut Vec<Piece>) {
    match system.formula(id) {
        Formula::Constant(value) => out.push_str(if *value { "true" } else { "false" }),
        Formula::Variable(var) => out.push_str(&system.var_name(*var)),
        Formula::Compare(comparison, left, right) => {
            let operator = match comparison {
                Comparison::Equal => "=",
                Comparison::Less => "<",
                Comparison::LessEqual => "<=",
            };
            write_comparison(system, operator, *left, *right, out);
        }
        Formula::Not(operand) => match system.formula(*operand) {
            Formula::Compare(Comparison::Equal, left, right) => {
                write_comparison(system, "!=", *left, *right, out);
            }
            _ => {
                out.push('!');
                stack.push(Piece::Formula(*operand, NOT));
            }
        },
        Formula::Apply(relation, arguments) => {
            let relation = system.relation(*relation);
            let texts = argument_texts(system, arguments, &relation.columns);
            out.push_str(&format!("{}({})", relation.name, texts.join(", ")));
        }
        Formula::And(operands) if operands.is_empty() => out.push_str("true"),
        Formula::Or(operands) if operands.is_empty() => out.push_str("false"),
        Formula::And(operands) => list(operands, " & ", AND + 1, stack),
        Formula::Or(operands) => list(operands, " | ", OR + 1, stack),
        Formula::Iff(left, right) => list(&[*left, *right], " <-> ", CONNECT + 1, stack),
        Formula::Exists(vars, body) => quantified(system, "exists", vars, *body, out, stack),
        Formula::Forall(vars, body) => quantified(system, "forall", vars, *body, out, stack),
    }
}

/// Arguments, those that are all leaves of a binder as a whole.
fn argument_texts(system: &System, arguments: &[Term], columns: &[VarId]) -> Vec<String> {
    assert_eq!(arguments.len(), columns.len(), "a checked application has an argument for each column");
    let mut texts = Vec::new();
    let mut at = 0;
    while at < arguments.len() {
        let binder = match arguments[at] {
            Term::Var(var) => Some(&system.binders[system.vars[var.index()].binder.index()]),
            Term::Value(_) => None,
        };
        let begins = |leaves: &[VarId]| {
            let rest = &arguments[at..];
            leaves.len() <= rest.len()
                && leaves.iter().zip(rest).all(|(leaf, term)| *term == Term::Var(*leaf))
        };
        if let Some(binder) = binder.filter(|binder| begins(&binder.leaves)) {
            texts.push(binder.name.clone());
            at += binder.leaves.len();
        } else {
            let sort = system.vars[columns[at].index()].sort;
            texts.push(term_text(system, arguments[at], Some(sort)));
            at += 1;
        }
    }
    texts
}

fn list(operands: &[FormulaId], separator: &'static str, needed: Level, stack: &mut Vec<Piece>) {
    for (at, operand) in operands.iter().enumerate().rev() {
        stack.push(Piece::Formula(*operand, needed));
        if at > 0 {
            stack.push(Piece::Text(separator));
        }
    }
}

fn write_comparison(system: &System, operator: &str, left: Term, right: Term, out: &mut String) {
    let sort = [left, right].into_iter().find_map(|term| match term {
        Term::Var(var) => Some(system.vars[var.index()].sort),
        Term::Value(_) => None,
    });
    let (left, right) = (term_text(system, left, sort), term_text(system, right, sort));
    out.push_str(&format!("{left} {operator} {right}"));
}

fn term_text(system: &System, term: Term, sort: Option<SortId>) -> String {
    match (term, sort) {
        (Term::Var(var), _) => system.var_name(var),
        (Term::Value(value), Some(sort)) => {
            let sort = &system.sorts[sort.index()];
            match &sort.kind {
                SortKind::Enum(values) if value as usize >= values.len() => value.to_string(),
                _ => sort.value_name(value),
            }
        }
        (Term::Value(value), None) => value.to_string(),
    }
}

/// A binder whose leaves are all quantified is shown as a whole.
fn quantified(
    system: &System,
    word: &str,
    vars: &[VarId],
    body: FormulaId,
    out: &mut String,
    stack: &mut Vec<Piece>,
) {
    let mut texts = Vec::new();
    let mut at = 0;
    while at < vars.len() {
        let var = vars[at];
        let binder = &system.binders[system.vars[var.index()].binder.index()];
        if vars[at..].starts_with(&binder.leaves) {
            let (element, length) =
                binder.type_name.split_at(binder.type_name.find('[').unwrap_or(binder.type_name.len()));
            texts.push(format!("{element} {}{length}", binder.name));
            at += binder.leaves.len();
        } else {
            texts.push(format!("{} {}", system.sort_of(var).name, system.var_name(var)));
            at += 1;
        }
    }
    out.push_str(&format!("{word} {}. ", texts.join(", ")));
    stack.push(Piece::Formula(body, OPEN));
}

//! Expressions with as few parentheses as possible, without recursion.

use crate::ast::{Binary, ExprId, ExprKind, Program};
use std::fmt::Write;

/// What remains to be printed.
enum Rest {
    /// An expression, in parentheses if it binds less tightly than this.
    Expression(ExprId, u8),
    Text(&'static str),
    /// An operator with blanks around it.
    Operator(Binary),
}

/// How tightly `! ~ -` bind.
const PREFIX: u8 = 10;

/// How tightly names, numbers and brackets bind.
const LEAF: u8 = 11;

/// Appends the text of an expression; only those of monitors have atoms.
pub(super) fn print(program: &Program, atoms: &[String], root: ExprId, out: &mut String) {
    let mut rest = vec![Rest::Expression(root, 0)];
    while let Some(next) = rest.pop() {
        match next {
            Rest::Text(text) => out.push_str(text),
            Rest::Operator(operator) => {
                let _ = write!(out, " {} ", operator.text());
            }
            Rest::Expression(id, level) => {
                let kind = program.expression(id).kind;
                if let ExprKind::Atom(atom) = kind {
                    out.push_str(atoms.get(atom as usize).map_or("*", String::as_str));
                    continue;
                }
                if binds(kind) < level {
                    out.push('(');
                    rest.push(Rest::Text(")"));
                }
                expression(program, kind, out, &mut rest);
            }
        }
    }
}

/// How tightly an expression binds.
fn binds(kind: ExprKind) -> u8 {
    match kind {
        ExprKind::Conditional(..) => 0,
        ExprKind::Binary(operator, ..) => operator.level(),
        ExprKind::Not(_) | ExprKind::Negate(_) => PREFIX,
        _ => LEAF,
    }
}

/// Prints a leaf, or puts the parts of an expression on the stack, the last one first.
fn expression(program: &Program, kind: ExprKind, out: &mut String, rest: &mut Vec<Rest>) {
    match kind {
        ExprKind::Choice | ExprKind::Atom(_) => out.push('*'),
        ExprKind::Truth(value) => out.push(if value { 'T' } else { 'F' }),
        ExprKind::Number(number) => {
            let _ = write!(out, "{number}");
        }
        ExprKind::Name(symbol) => out.push_str(program.names.text(symbol)),
        ExprKind::Next(symbol) => {
            let _ = write!(out, "{}'", program.names.text(symbol));
        }
        ExprKind::Not(operand) => {
            out.push('!');
            rest.push(Rest::Expression(operand, PREFIX));
        }
        ExprKind::Negate(operand) => {
            out.push('-');
            rest.push(Rest::Expression(operand, PREFIX));
        }
        ExprKind::Binary(operator, left, right) => {
            let level = operator.level();
            let is_right = operator == Binary::Implies;
            rest.push(Rest::Expression(right, if is_right { level } else { level + 1 }));
            rest.push(Rest::Operator(operator));
            rest.push(Rest::Expression(left, if is_right { level + 1 } else { level }));
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            rest.push(Rest::Expression(otherwise, 0));
            rest.push(Rest::Text(" : "));
            rest.push(Rest::Expression(then, 0));
            rest.push(Rest::Text(" ? "));
            rest.push(Rest::Expression(condition, 1));
        }
        ExprKind::Schoose(positive, negative) => {
            out.push_str("schoose[");
            rest.push(Rest::Text("]"));
            rest.push(Rest::Expression(negative, 0));
            rest.push(Rest::Text(", "));
            rest.push(Rest::Expression(positive, 0));
        }
    }
}

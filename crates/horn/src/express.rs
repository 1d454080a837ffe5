//! Expressions as terms of SMT-LIB: from postfix code to prefix text, without recursion.

use crate::clause::Term;
use crate::symbol::constant;
use crate::walk::Walk;
use rsm::{Binary, Expr, Operation, Place, Type};

/// The term of an expression in the present state of a walk. Primed variables are looked up in `stored`, the values that
/// the assignment at hand is about to store.
pub(crate) fn term(walk: &mut Walk, expr: &Expr, stored: &[(Place, Term)]) -> Term {
    let operands = operands(expr);
    let mut out = String::new();
    let mut pending = vec![Piece::Operation(expr.code.len() - 1)];
    while let Some(piece) = pending.pop() {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Operation(position) => match (leaf(walk, expr, position, stored), &operands[position][..])
            {
                (Some(leaf), _) => out.push_str(&leaf),
                // With a choice c this is p | (c & !n), written from right to left.
                (None, &[p, n]) if expr.code[position].operation == Operation::Schoose => {
                    let choice = walk.choice(&Type::Bool);
                    out.push_str(&format!("(or (and {choice} (not "));
                    pending.extend([
                        Piece::Text(")"),
                        Piece::Operation(p),
                        Piece::Text(")) "),
                        Piece::Operation(n),
                    ]);
                }
                (None, operands) => {
                    let (opening, closing) = brackets(expr.code[position].operation);
                    out.push_str(opening);
                    pending.push(Piece::Text(closing));
                    for (n, &operand) in operands.iter().enumerate().rev() {
                        pending.push(Piece::Operation(operand));
                        pending.push(Piece::Text(if n == 0 { "" } else { " " }));
                    }
                }
            },
        }
    }
    out.into()
}

/// What is left to print, the next piece last.
enum Piece {
    Text(&'static str),
    /// The operation at a position of the code, with its operands.
    Operation(usize),
}

/// The text of an operation without operands.
fn leaf(walk: &mut Walk, expr: &Expr, position: usize, stored: &[(Place, Term)]) -> Option<Term> {
    let term = &expr.code[position];
    match term.operation {
        Operation::Constant(value) => Some(constant(value, &term.ty).into()),
        Operation::Read(place) => Some(walk.read(place)),
        Operation::ReadNext(place) => {
            let new = stored.iter().find(|(target, _)| *target == place);
            Some(new.map_or_else(|| walk.read(place), |(_, value)| value.clone()))
        }
        Operation::Choice(_) => Some(walk.choice(&term.ty)),
        Operation::Not
        | Operation::Negate
        | Operation::Binary(_)
        | Operation::Conditional
        | Operation::Schoose => None,
    }
}

/// For each operation the positions of its operands, from left to right.
fn operands(expr: &Expr) -> Vec<Vec<usize>> {
    let mut roots: Vec<usize> = Vec::new();
    let mut operands = Vec::with_capacity(expr.code.len());
    for (position, term) in expr.code.iter().enumerate() {
        let n_operands = match term.operation {
            Operation::Constant(_) | Operation::Read(_) | Operation::ReadNext(_) | Operation::Choice(_) => 0,
            Operation::Not | Operation::Negate => 1,
            Operation::Binary(_) | Operation::Schoose => 2,
            Operation::Conditional => 3,
        };
        operands.push(roots.split_off(roots.len() - n_operands));
        roots.push(position);
    }
    operands
}

/// What surrounds the operands of an operation.
fn brackets(operation: Operation) -> (&'static str, &'static str) {
    let opening = match operation {
        Operation::Not => "(not ",
        Operation::Negate => "(bvneg ",
        Operation::Conditional => "(ite ",
        Operation::Binary(Binary::NotEqual) => return ("(not (= ", "))"),
        Operation::Binary(binary) => match binary {
            Binary::And => "(and ",
            Binary::Or => "(or ",
            Binary::Xor => "(xor ",
            Binary::Implies => "(=> ",
            Binary::Equal | Binary::NotEqual => "(= ",
            Binary::Less => "(bvult ",
            Binary::LessEqual => "(bvule ",
            Binary::Add => "(bvadd ",
            Binary::Subtract => "(bvsub ",
            Binary::Multiply => "(bvmul ",
        },
        Operation::Constant(_)
        | Operation::Read(_)
        | Operation::ReadNext(_)
        | Operation::Choice(_)
        | Operation::Schoose => {
            unreachable!("operations without operands and `schoose` have texts of their own")
        }
    };
    (opening, ")")
}

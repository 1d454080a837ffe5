//! The comparisons that a claim is made of.

use integers::{Expr, FunctionId, Op};
use proof::Claim;

/// The comparisons in the formulas of a claim, each once a function, in the order in which they occur.
pub fn atoms(claim: &Claim) -> Vec<(FunctionId, Expr)> {
    let mut atoms: Vec<(FunctionId, Expr)> = Vec::new();
    for (n, formulas) in claim.formulas.iter().enumerate() {
        let id = FunctionId::new(n);
        let first = atoms.len();
        for formula in formulas {
            for atom in comparisons(formula) {
                // Comparisons that differ in their sense only say the same.
                let opposite = atom.clone().not();
                if !atoms[first..].iter().any(|(_, other)| *other == atom || *other == opposite) {
                    atoms.push((id, atom));
                }
            }
        }
    }
    atoms
}

/// The comparisons in a formula that do not contain others.
fn comparisons(formula: &Expr) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    // For each operand: the expression, if nothing in it is a formula.
    let mut stack: Vec<Option<Expr>> = Vec::new();
    for &op in formula.code() {
        let operands = stack.split_off(stack.len() - op.n_operands());
        let whole: Option<Vec<Expr>> = operands.into_iter().collect();
        let built = whole.and_then(|operands| rebuilt(op, operands));
        stack.push(match (op, built) {
            (Op::Compare(_), Some(atom)) => {
                if atom.as_truth().is_none() {
                    found.push(atom);
                }
                None
            }
            (_, built) => built,
        });
    }
    found
}

/// An operation of a term.
fn rebuilt(op: Op, operands: Vec<Expr>) -> Option<Expr> {
    let mut operands = operands.into_iter();
    let mut next = || operands.next();
    Some(match op.n_operands() {
        0 => Expr::leaf(op),
        1 if op != Op::Not && op != Op::Number => next()?.unary(op),
        2 if !matches!(op, Op::And | Op::Or) => next()?.binary(op, next()?),
        _ => return None,
    })
}

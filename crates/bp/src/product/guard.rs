//! Guards of a monitor as conditions of a machine: atoms become constants, and what is constant is computed.

use rsm::{Binary, Expr, Operation, Place, Term, Type};

fn term(operation: Operation, ty: &Type) -> Term {
    Term { operation, ty: ty.clone() }
}

/// The value of a variable is one of these; there is at least one.
pub(super) fn is_in(place: Place, ty: &Type, values: &[u64]) -> Expr {
    let mut code = Vec::new();
    for (n, value) in values.iter().enumerate() {
        code.extend([term(Operation::Read(place), ty), term(Operation::Constant(*value), ty)]);
        code.push(term(Operation::Binary(Binary::Equal), &Type::Bool));
        if n > 0 {
            code.push(term(Operation::Binary(Binary::Or), &Type::Bool));
        }
    }
    Expr { code: code.into() }
}

/// Both conditions.
pub(super) fn conjunction(left: &Expr, right: &Expr) -> Expr {
    if right.is_true() {
        return left.clone();
    }
    let both = left.code.iter().chain(&right.code).cloned();
    Expr { code: both.chain([term(Operation::Binary(Binary::And), &Type::Bool)]).collect() }
}

/// The condition is the constant F.
pub(super) fn is_never(condition: &Expr) -> bool {
    truth(&condition.code) == Some(false)
}

/// The code is a Boolean constant.
fn truth(code: &[Term]) -> Option<bool> {
    match code {
        [Term { operation: Operation::Constant(value), ty: Type::Bool }] => Some(*value == 1),
        _ => None,
    }
}

fn constant(value: bool) -> Vec<Term> {
    vec![term(Operation::Constant(u64::from(value)), &Type::Bool)]
}

/// The condition with these truth values for its atoms, which it reads as globals behind those of the program.
pub(super) fn folded(condition: &Expr, n_globals: usize, atoms: &[bool]) -> Expr {
    let mut stack: Vec<Vec<Term>> = Vec::new();
    for part in &condition.code {
        let mut pop = || stack.pop().expect("operands come before their operator");
        let result = match part.operation {
            Operation::Read(Place::Global(n)) if n as usize >= n_globals => {
                constant(atoms[n as usize - n_globals])
            }
            Operation::Constant(_) | Operation::Read(_) | Operation::ReadNext(_) | Operation::Choice(_) => {
                vec![part.clone()]
            }
            Operation::Not => {
                let operand = pop();
                truth(&operand).map_or_else(|| joined([operand, Vec::new()], part), |value| constant(!value))
            }
            Operation::Negate => joined([pop(), Vec::new()], part),
            Operation::Binary(operator) => {
                let (right, left) = (pop(), pop());
                simple(operator, &left, &right).unwrap_or_else(|| joined([left, right], part))
            }
            Operation::Schoose => {
                let (right, left) = (pop(), pop());
                joined([left, right], part)
            }
            Operation::Conditional => {
                let (no, yes, condition) = (pop(), pop(), pop());
                match truth(&condition) {
                    Some(true) => yes,
                    Some(false) => no,
                    None => joined([condition, yes, no], part),
                }
            }
        };
        stack.push(result);
    }
    Expr { code: stack.pop().expect("code leaves one value").into() }
}

fn joined<const N: usize>(operands: [Vec<Term>; N], operator: &Term) -> Vec<Term> {
    operands.into_iter().flatten().chain([operator.clone()]).collect()
}

/// The result, if one of the operands decides it or does not count.
fn simple(operator: Binary, left: &[Term], right: &[Term]) -> Option<Vec<Term>> {
    match (operator, truth(left), truth(right)) {
        (Binary::And, Some(false), _) | (Binary::And, _, Some(false)) => Some(constant(false)),
        (Binary::Or, Some(true), _) | (Binary::Or, _, Some(true)) => Some(constant(true)),
        (Binary::Implies, Some(false), _) | (Binary::Implies, _, Some(true)) => Some(constant(true)),
        (Binary::And | Binary::Implies, Some(true), _) | (Binary::Or, Some(false), _) => Some(right.to_vec()),
        (Binary::And, _, Some(true)) | (Binary::Or, _, Some(false)) => Some(left.to_vec()),
        _ => None,
    }
}

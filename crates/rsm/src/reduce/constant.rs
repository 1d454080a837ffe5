//! Conditions that never hold, whatever the state: expressions of constants only whose value is F.

use crate::expr::{Binary, Expr, Operation, Type};

/// The condition reads nothing, chooses nothing, and is false.
pub(super) fn is_never(condition: &Expr) -> bool {
    value(condition) == Some(0)
}

/// The value of an expression without variables and choices.
fn value(expr: &Expr) -> Option<u64> {
    // Nearly every expression reads something; those are turned away before the stack is made.
    let is_open = |operation| {
        matches!(
            operation,
            Operation::Read(_) | Operation::ReadNext(_) | Operation::Choice | Operation::Schoose
        )
    };
    if expr.code.iter().any(|term| is_open(term.operation)) {
        return None;
    }
    let mut stack = Vec::new();
    for term in &expr.code {
        let result = apply(term.operation, &mut stack)?;
        stack.push(wrap(result, &term.ty));
    }
    stack.pop()
}

/// Takes the operands of an operation from the stack and computes it, without regard to the width of its type.
fn apply(operation: Operation, stack: &mut Vec<u64>) -> Option<u64> {
    Some(match operation {
        Operation::Constant(value) => value,
        Operation::Not => 1 - stack.pop()?,
        Operation::Negate => stack.pop()?.wrapping_neg(),
        Operation::Binary(operator) => {
            let right = stack.pop()?;
            binary(operator, stack.pop()?, right)
        }
        Operation::Conditional => {
            let (otherwise, then) = (stack.pop()?, stack.pop()?);
            if stack.pop()? == 1 { then } else { otherwise }
        }
        Operation::Read(_) | Operation::ReadNext(_) | Operation::Choice | Operation::Schoose => return None,
    })
}

/// An operator applied to values of its operands' type.
fn binary(operator: Binary, left: u64, right: u64) -> u64 {
    match operator {
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        Binary::Implies => u64::from(left <= right),
        Binary::Equal => u64::from(left == right),
        Binary::NotEqual => u64::from(left != right),
        Binary::Less => u64::from(left < right),
        Binary::LessEqual => u64::from(left <= right),
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::Multiply => left.wrapping_mul(right),
    }
}

/// A value cut to the width of its type.
fn wrap(value: u64, ty: &Type) -> u64 {
    match ty {
        Type::Int(_) => value & ty.max(),
        Type::Bool | Type::Enum(_) => value,
    }
}

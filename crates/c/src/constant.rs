//! The values of expressions that are constant.

use crate::syntax::{Binary, ExprId, ExprKind, Unary, Unit};
use crate::types::{DataModel, Integer, Ty};
use crate::typing::type_of;
use integers::Relation;

/// The value of a constant expression, in its type.
pub(crate) fn evaluate(unit: &Unit, expr: ExprId, model: DataModel) -> Option<(i128, Integer)> {
    match &unit.expr(expr).kind {
        ExprKind::Integer(value, ty) => Some((*value, *ty)),
        ExprKind::SizeOf(operand) => {
            let (size, _) = unit.layout(&type_of(unit, *operand, model), model)?;
            Some((size.into(), Integer::unsigned(model.word())))
        }
        ExprKind::Unary(operator, operand) => {
            let (value, ty) = evaluate(unit, *operand, model)?;
            let promoted = ty.promoted();
            let (value, ty) = match operator {
                Unary::Plus => (value, promoted),
                Unary::Minus => (-value, promoted),
                Unary::Complement => (-value - 1, promoted),
                Unary::Not => (i128::from(value == 0), Integer::INT),
                Unary::Address | Unary::Deref => return None,
            };
            Some((represented(value, ty)?, ty))
        }
        ExprKind::Binary(..) => chain(unit, expr, model),
        ExprKind::Conditional(condition, yes, no) => {
            let (condition_value, _) = evaluate(unit, *condition, model)?;
            let yes = yes.unwrap_or(*condition);
            let chosen = evaluate(unit, if condition_value != 0 { yes } else { *no }, model)?;
            let ty = type_of(unit, expr, model).integer()?;
            Some((converted(chosen.0, ty), ty))
        }
        ExprKind::Cast(Ty::Int(ty), operand) => {
            let (value, _) = evaluate(unit, *operand, model)?;
            Some((converted(value, *ty), *ty))
        }
        _ => None,
    }
}

/// A chain of binary operators, from left to right.
fn chain(unit: &Unit, expr: ExprId, model: DataModel) -> Option<(i128, Integer)> {
    let mut rights = Vec::new();
    let mut at = expr;
    while let ExprKind::Binary(operator, left, right) = &unit.expr(at).kind {
        rights.push((*operator, *right));
        at = *left;
    }
    let mut left = evaluate(unit, at, model)?;
    while let Some((operator, right)) = rights.pop() {
        left = match (operator, left.0) {
            (Binary::And, 0) => (0, Integer::INT),
            (Binary::Or, value) if value != 0 => (1, Integer::INT),
            (Binary::ShiftLeft, _) => shifted(left, evaluate(unit, right, model)?)?,
            _ => binary(operator, left, evaluate(unit, right, model)?)?,
        };
    }
    Some(left)
}

/// A shift to the left, which compilers let reach the sign: `1 << 31` is a constant.
fn shifted(left: (i128, Integer), right: (i128, Integer)) -> Option<(i128, Integer)> {
    let ty = left.1.promoted();
    let is_defined = (0..i128::from(ty.ty.bits)).contains(&right.0);
    is_defined.then(|| (ty.ty.wrap(left.0 << right.0), ty))
}

/// An operator on constants, if C gives it a value.
pub(crate) fn binary(
    operator: Binary,
    left: (i128, Integer),
    right: (i128, Integer),
) -> Option<(i128, Integer)> {
    let truth = |value: bool| Some((i128::from(value), Integer::INT));
    let ty = match operator {
        Binary::ShiftLeft | Binary::ShiftRight => left.1.promoted(),
        Binary::And => return truth(left.0 != 0 && right.0 != 0),
        Binary::Or => return truth(left.0 != 0 || right.0 != 0),
        Binary::Comma => return Some(right),
        _ => left.1.usual(right.1),
    };
    let is_shift = matches!(operator, Binary::ShiftLeft | Binary::ShiftRight);
    let a = converted(left.0, ty);
    let b = if is_shift { right.0 } else { converted(right.0, ty) };
    if is_shift && !(0..i128::from(ty.ty.bits)).contains(&b) {
        return None;
    }
    let value = match operator {
        Binary::Multiply => a.checked_mul(b)?,
        Binary::Divide => a.checked_div(b)?,
        Binary::Remainder => a.checked_rem(b)?,
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::ShiftLeft => a << b,
        Binary::ShiftRight => a >> b,
        Binary::BitAnd => a & b,
        Binary::BitXor => a ^ b,
        Binary::BitOr => a | b,
        Binary::Compare(relation) => return truth(Relation::holds(relation, a, b)),
        Binary::And | Binary::Or | Binary::Comma => return None,
    };
    Some((represented(value, ty)?, ty))
}

/// A result in its type: unsigned arithmetic wraps, and signed arithmetic has no result that does not fit.
fn represented(value: i128, ty: Integer) -> Option<i128> {
    if ty.ty.signed { ty.ty.contains(value).then_some(value) } else { Some(ty.ty.wrap(value)) }
}

/// A value in another type.
pub(crate) fn converted(value: i128, ty: Integer) -> i128 {
    if ty.is_bool() { i128::from(value != 0) } else { ty.ty.wrap(value) }
}

//! Operators on bits, as C's types have them: operations of integer programs, which know no widths but those they are told.

use super::expression::{arithmetic, convert};
use crate::syntax::Binary;
use crate::types::Integer;
use integers::{Bitwise, Expr, Op};

/// The value of an operator on bits; nothing, if the operator is another one.
pub(super) fn operation(
    operator: Binary,
    (left, left_ty): (&Expr, Integer),
    (right, right_ty): (&Expr, Integer),
) -> Option<(Expr, Integer)> {
    let is_left = match operator {
        Binary::BitAnd => return Some(bitwise(Bitwise::And, (left, left_ty), (right, right_ty))),
        Binary::BitOr => return Some(bitwise(Bitwise::Or, (left, left_ty), (right, right_ty))),
        Binary::BitXor => return Some(bitwise(Bitwise::Xor, (left, left_ty), (right, right_ty))),
        Binary::ShiftLeft => true,
        Binary::ShiftRight => false,
        _ => return None,
    };
    let ty = left_ty.promoted();
    // Rounding down keeps what is shifted to the right in its type.
    Some(match is_left {
        true => (arithmetic(left.clone().binary(Op::ShiftLeft(ty.ty), right.clone()), ty), ty),
        false => (left.clone().binary(Op::ShiftRight(ty.ty), right.clone()), ty),
    })
}

/// All bits turned over: no result is out of range.
pub(super) fn complement(operand: Expr, ty: Integer) -> Expr {
    let ones = if ty.ty.signed { -1 } else { ty.ty.max() };
    Expr::constant(ones).binary(Op::Subtract, operand)
}

fn bitwise(
    bitwise: Bitwise,
    (left, left_ty): (&Expr, Integer),
    (right, right_ty): (&Expr, Integer),
) -> (Expr, Integer) {
    let ty = left_ty.usual(right_ty);
    let (left, right) = (convert(left.clone(), left_ty, ty), convert(right.clone(), right_ty, ty));
    let expr = match (left.as_constant(), right.as_constant()) {
        (_, Some(number)) => left.unary(Op::BitsWith(bitwise, given(bitwise, number, ty))),
        (Some(number), None) => right.unary(Op::BitsWith(bitwise, given(bitwise, number, ty))),
        (None, None) => left.binary(Op::Bits(bitwise, ty.ty), right),
    };
    (expr, ty)
}

/// A mask that keeps all bits but a few keeps those in front, too, of which an unsigned number has none: that is a difference instead of a sum.
fn given(bitwise: Bitwise, number: i128, ty: Integer) -> i128 {
    let is_most = bitwise == Bitwise::And && !ty.ty.signed && number > ty.ty.max() / 2;
    if is_most { number - ty.ty.count() } else { number }
}

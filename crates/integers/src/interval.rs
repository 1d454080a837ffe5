//! Between which numbers a term lies, given what is known of its leaves.

use crate::bits::{self, Bitwise};
use crate::expr::{Expr, Op};
use crate::number::Type;

/// The least and the greatest number that a term can be, if there are such.
pub type Interval = Option<(i128, i128)>;

/// All numbers of a type.
pub fn of_type(ty: Type) -> Interval {
    Some((ty.min(), ty.max()))
}

/// Whether all numbers are of a type.
pub fn is_in(interval: Interval, ty: Type) -> bool {
    interval.is_some_and(|(least, most)| ty.contains(least) && ty.contains(most))
}

/// What an operation can be, where it has a value: `leaf` knows what has no operands, `within` what a result in a type can be.
pub fn operation(
    op: Op,
    operands: &[Interval],
    leaf: impl Fn(Op) -> Interval,
    within: impl Fn(Interval, Type) -> Interval,
) -> Interval {
    match op {
        Op::Constant(number) => Some((number, number)),
        Op::Read(_) | Op::Input(_) | Op::Unknown(_) => leaf(op),
        Op::Within(ty) => within(operands[0], ty),
        Op::Wrap(ty) if is_in(operands[0], ty) => operands[0],
        Op::Wrap(ty) => of_type(ty),
        Op::Number => Some((0, 1)),
        Op::Negate => operands[0].and_then(|(least, most)| Some((most.checked_neg()?, least.checked_neg()?))),
        Op::Add => corners(operands, i128::checked_add),
        Op::Subtract => corners(operands, i128::checked_sub),
        Op::Multiply => corners(operands, i128::checked_mul),
        Op::Divide if is_number(operands[1]) => corners(operands, i128::checked_div),
        Op::Remainder(_) if is_number(operands[1]) => remainder(operands[0]?, operands[1]?.0),
        // A mask leaves no more than it has.
        Op::BitsWith(Bitwise::And, mask) if mask >= 0 && operands[0].is_none() => Some((0, mask)),
        Op::BitsWith(bitwise, number) => Some(bitwise.between(operands[0]?, (number, number))),
        Op::Bits(bitwise, ty) => {
            let low = |n: usize| operands[n].filter(|_| is_in(operands[n], ty)).or_else(|| of_type(ty));
            Some(bitwise.between(low(0)?, low(1)?))
        }
        Op::ShiftLeft(ty) => corners(&[operands[0], distance(operands[1], ty)], bits::left),
        Op::ShiftRight(ty) => {
            corners(&[operands[0], distance(operands[1], ty)], |a, b| Some(bits::right(a, b)))
        }
        Op::Choose => Some((operands[1]?.0.min(operands[2]?.0), operands[1]?.1.max(operands[2]?.1))),
        _ => None,
    }
}

/// What a term can be.
pub fn of_term(
    term: &Expr,
    leaf: impl Fn(Op) -> Interval,
    within: impl Fn(Interval, Type) -> Interval,
) -> Interval {
    term.fold(|op, operands: Vec<Interval>| operation(op, &operands, &leaf, &within))
}

/// A term that is one number, other than 0.
fn is_number(interval: Interval) -> bool {
    interval.is_some_and(|(least, most)| least == most && least != 0)
}

/// An operation whose extremes are those of its operands.
fn corners(operands: &[Interval], operation: fn(i128, i128) -> Option<i128>) -> Interval {
    let ((a, b), (c, d)) = (operands[0]?, operands[1]?);
    let all = [operation(a, c)?, operation(a, d)?, operation(b, c)?, operation(b, d)?];
    Some((*all.iter().min()?, *all.iter().max()?))
}

/// How far numbers of a type may be shifted.
fn distance(interval: Interval, ty: Type) -> Interval {
    let most = i128::from(ty.bits) - 1;
    Some(interval.map_or((0, most), |(least, greatest)| (least.clamp(0, most), greatest.clamp(0, most))))
}

/// A remainder has the sign of what is divided, and is nearer to 0 than the divisor.
fn remainder((least, most): (i128, i128), divisor: i128) -> Interval {
    let limit = divisor.checked_abs()? - 1;
    Some((if least < 0 { -limit } else { 0 }, if most > 0 { limit } else { 0 }))
}

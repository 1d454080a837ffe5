//! Expressions as the solver's engine for clauses likes them: it learns much from `x < y`, and little from `x != y` or from remainders.
//!
//! Output: an expression with the same value wherever variables of unsigned types hold numbers of their types.

use crate::expr::{Expr, Op, Relation};
use crate::number::Type;
use crate::program::Place;

/// What would be written twice is no longer than this.
const SHORT: usize = 12;

/// Rewrites an expression over variables of some types.
pub(super) fn ordered(expr: &Expr, type_of: &dyn Fn(Place) -> Type) -> Expr {
    expr.fold(|op, operands: Vec<Expr>| {
        let rewritten = match (op, &operands[..]) {
            (Op::Compare(Relation::NotEqual), [left, right]) => apart(left, right),
            (Op::Choose, [condition, yes, no]) => chosen(condition, yes, no),
            (Op::Wrap(ty), [sum]) => wrapped(ty, sum, type_of),
            _ => None,
        };
        rewritten.unwrap_or_else(|| Expr::of(op, &operands))
    })
}

fn is_short(expr: &Expr) -> bool {
    expr.code().len() <= SHORT
}

/// Less, or greater.
fn sides(left: &Expr, right: &Expr) -> [Expr; 2] {
    [Relation::Less, Relation::Greater].map(|relation| left.clone().compare(relation, right.clone()))
}

/// `k != i` as two inequalities.
fn apart(left: &Expr, right: &Expr) -> Option<Expr> {
    if !is_short(left) || !is_short(right) {
        return None;
    }
    let [less, greater] = sides(left, right);
    Some(less.binary(Op::Or, greater))
}

/// `k == i ? yes : no` with two inequalities.
fn chosen(condition: &Expr, yes: &Expr, no: &Expr) -> Option<Expr> {
    if condition.root() != Op::Compare(Relation::Equal) || !is_short(no) {
        return None;
    }
    let [left, right] = <[Expr; 2]>::try_from(condition.operands()).ok()?;
    if !is_short(&left) || !is_short(&right) {
        return None;
    }
    let [less, greater] = sides(&left, &right);
    Some(Expr::choose(less, no.clone(), Expr::choose(greater, no.clone(), yes.clone())))
}

/// A sum or difference of two numbers of an unsigned type, without a remainder.
fn wrapped(ty: Type, sum: &Expr, type_of: &dyn Fn(Place) -> Type) -> Option<Expr> {
    let is_sum = matches!(sum.root(), Op::Add | Op::Subtract);
    let within = |operand: &Expr| is_within(ty, operand, type_of);
    if ty.signed || !is_sum || !is_short(sum) || !sum.operands().iter().all(within) {
        return None;
    }
    let count = Expr::constant(ty.count());
    let (relation, limit, back) = match sum.root() {
        Op::Add => (Relation::GreaterEqual, count.clone(), Op::Subtract),
        _ => (Relation::Less, Expr::constant(0), Op::Add),
    };
    let is_out = sum.clone().compare(relation, limit);
    Some(Expr::choose(is_out, sum.clone().binary(back, count), sum.clone()))
}

/// The value is a number of the type.
fn is_within(ty: Type, expr: &Expr, type_of: &dyn Fn(Place) -> Type) -> bool {
    let fits = |other: Type| ty.contains(other.min()) && ty.contains(other.max());
    match expr.root() {
        Op::Constant(number) => ty.contains(number),
        Op::Number => true,
        Op::Read(place) => !type_of(place).signed && fits(type_of(place)),
        Op::Wrap(other) => fits(other),
        _ => false,
    }
}

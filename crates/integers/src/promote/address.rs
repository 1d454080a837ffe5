//! Where a pointer points to, as far as it is known without running the program.

use crate::expr::{Expr, Op, Relation};
use crate::memory::{self, ObjectId};

/// A pointer.
#[derive(Clone, Debug)]
pub(super) enum Address {
    /// So many elements behind the beginning of a static object.
    Static(ObjectId, Expr),
    /// Whatever this expression is.
    Any(Expr),
    /// A part of what an expression points to: its offset times the factor, and so much more.
    Part(Expr, u64, Expr),
}

impl Address {
    /// Takes a pointer apart; `value` makes an expression one over variables.
    pub(super) fn of(pointer: &Expr, value: &dyn Fn(&Expr) -> Option<Expr>) -> Option<Self> {
        let operands = pointer.operands();
        match (pointer.root(), &operands[..]) {
            (Op::Object(object), _) => Some(Address::Static(object, Expr::constant(0))),
            (op @ (Op::Add | Op::Subtract), [left, right]) => {
                let by = value(right)?;
                Some(match Self::of(left, value)? {
                    Address::Static(object, offset) => Address::Static(object, offset.binary(op, by)),
                    Address::Any(base) => Address::Any(base.binary(op, by)),
                    Address::Part(base, factor, more) => Address::Part(base, factor, more.binary(op, by)),
                })
            }
            (Op::Member(factor, start), [inner]) => {
                let scaled = |offset: Expr| {
                    let offset = offset.binary(Op::Multiply, Expr::constant(factor.into()));
                    offset.binary(Op::Add, Expr::constant(start.into()))
                };
                match Self::of(inner, value)? {
                    Address::Static(object, offset) => Some(Address::Static(object, scaled(offset))),
                    Address::Any(base) => Some(Address::Part(base, factor, Expr::constant(start.into()))),
                    Address::Part(base, inner, more) => {
                        Some(Address::Part(base, inner.checked_mul(factor)?, scaled(more)))
                    }
                }
            }
            _ => Some(Address::Any(value(pointer)?)),
        }
    }

    /// The object and the offset, if the object is known.
    pub(super) fn known(&self) -> Option<(ObjectId, Expr)> {
        match self {
            Address::Static(object, offset) => Some((*object, offset.clone())),
            Address::Any(_) | Address::Part(..) => None,
        }
    }

    /// The pointer that it comes from.
    pub(super) fn base(&self) -> Expr {
        match self {
            Address::Static(object, _) => Expr::constant(memory::first(*object)),
            Address::Any(base) | Address::Part(base, ..) => base.clone(),
        }
    }

    /// The pointer as a number, if that is an expression.
    pub(super) fn number(&self) -> Option<Expr> {
        match self {
            Address::Static(object, offset) => {
                Some(Expr::constant(memory::first(*object)).binary(Op::Add, offset.clone()))
            }
            Address::Any(base) => Some(base.clone()),
            Address::Part(base, 1, more) => Some(base.clone().binary(Op::Add, more.clone())),
            Address::Part(..) => None,
        }
    }

    /// When it points to a cell of an object; pointers are numbers already.
    pub(super) fn is_at(&self, object: ObjectId, offset: i64) -> Expr {
        let at = |expr: &Expr, number: i128| expr.clone().compare(Relation::Equal, Expr::constant(number));
        match self {
            Address::Static(..) => self.is_part(object, offset),
            Address::Any(pointer) => at(pointer, memory::first(object) + i128::from(offset)),
            // The element whose part it is: the numbers of others are elsewhere.
            Address::Part(base, factor, more) => {
                let (offset, factor) = (i128::from(offset), i128::from(*factor));
                let (element, rest) = (offset.div_euclid(factor), offset.rem_euclid(factor));
                at(base, memory::first(object) + element).and(at(more, rest))
            }
        }
    }

    /// When it points to a cell of an object, in words that leave open which numbers pointers are: an element, and a part of it.
    pub(super) fn is_cell(
        &self,
        object: ObjectId,
        element: u64,
        rest: u64,
        (stride, start): (u64, u64),
    ) -> Expr {
        let whole = Expr::leaf(Op::Object(object)).binary(Op::Add, Expr::constant(element.into()));
        match self {
            Address::Static(..) => self.is_part(object, (element * stride + start + rest) as i64),
            Address::Any(pointer) if (stride, start) == (1, 0) => {
                pointer.clone().compare(Relation::Equal, whole)
            }
            Address::Any(pointer) => {
                let part =
                    whole.unary(Op::Member(stride, start)).binary(Op::Add, Expr::constant(rest.into()));
                pointer.clone().compare(Relation::Equal, part)
            }
            Address::Part(base, factor, more) => {
                let offset = element * stride + start + rest;
                let element =
                    Expr::leaf(Op::Object(object)).binary(Op::Add, Expr::constant((offset / factor).into()));
                let rest = Expr::constant((offset % factor).into());
                let is_element = base.clone().compare(Relation::Equal, element);
                is_element.and(more.clone().compare(Relation::Equal, rest))
            }
        }
    }

    /// When a pointer into an object that is known is to one of its cells.
    fn is_part(&self, object: ObjectId, offset: i64) -> Expr {
        match self {
            Address::Static(known, position) if *known == object => {
                position.clone().compare(Relation::Equal, Expr::constant(offset.into()))
            }
            _ => Expr::truth(false),
        }
    }
}

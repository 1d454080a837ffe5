//! The values of expressions: exact, lazy where they have to be, and never made up.

use integers::evaluate::{Environment, Integers, Undefined, Value, evaluate};
use integers::{Expr, Op, Place, Relation, Type, UnknownId};

const INT: Type = Type::signed(32);
const ULONG: Type = Type::unsigned(64);

/// Variable 0 holds this number, variable 1 is unknown.
struct Holds(i128);

impl Environment for Holds {
    fn read(&self, place: Place) -> Value {
        match place {
            Place::Local(0) => Value::Number(self.0),
            _ => Value::Unknown(UnknownId(7)),
        }
    }

    fn input(&self, position: u32) -> i128 {
        100 + i128::from(position)
    }

    fn unknown(&self, position: u32) -> UnknownId {
        UnknownId(position)
    }
}

fn x() -> Expr {
    Expr::read(Place::Local(0))
}

fn unknown() -> Expr {
    Expr::read(Place::Local(1))
}

fn number(number: i128) -> Expr {
    Expr::constant(number)
}

#[track_caller]
fn check(expr: &Expr, holds: i128, expected: Value) {
    assert_eq!(evaluate(expr, &Holds(holds), Integers::Mathematical), expected);
}

#[track_caller]
fn check_machine(expr: &Expr, holds: i128, expected: Value) {
    assert_eq!(evaluate(expr, &Holds(holds), Integers::Machine), expected);
}

#[test]
fn division_truncates() {
    let quotient = x().binary(Op::Divide, number(-3));
    let remainder = x().binary(Op::Remainder(INT), number(-3));
    for (left, quotients, remainders) in [(7, -2, 1), (-7, 2, -1), (6, -2, 0), (0, 0, 0), (-1, 0, -1)] {
        check(&quotient, left, Value::Number(quotients));
        check(&remainder, left, Value::Number(remainders));
    }
    let by_x = number(5).binary(Op::Divide, x());
    check(&by_x, 0, Value::Undefined(Undefined::Division));
    let least = x().binary(Op::Remainder(INT), number(-1));
    check(&least, INT.min(), Value::Number(0));
    check_machine(&least, INT.min(), Value::Undefined(Undefined::Overflow(INT)));
}

#[test]
fn only_the_machine_overflows() {
    let next = x().binary(Op::Add, number(1)).unary(Op::Within(INT));
    check(&next, INT.max(), Value::Number(INT.max() + 1));
    check_machine(&next, INT.max(), Value::Undefined(Undefined::Overflow(INT)));
    check_machine(&next, INT.max() - 1, Value::Number(INT.max()));
    let wrapped = x().binary(Op::Add, number(1)).unary(Op::Wrap(INT));
    check_machine(&wrapped, INT.max(), Value::Number(INT.min()));
}

#[test]
fn a_product_that_is_reduced_is_exact() {
    let square = x().binary(Op::Multiply, x()).unary(Op::Wrap(ULONG));
    check(&square, ULONG.max(), Value::Number(1));
    let square = x().binary(Op::Multiply, x());
    check(&square, ULONG.max(), Value::Undefined(Undefined::TooLarge));
}

#[test]
fn what_does_not_count_need_not_be_defined() {
    let positive = number(1).binary(Op::Divide, x()).compare(Relation::Greater, number(0));
    let nonzero = x().compare(Relation::NotEqual, number(0));
    check(&nonzero.clone().and(positive.clone()), 0, Value::Number(0));
    check(&nonzero.clone().not().binary(Op::Or, positive.clone()), 0, Value::Number(1));
    check(&positive.clone().and(nonzero.clone()), 0, Value::Undefined(Undefined::Division));
    let chosen = Expr::choose(nonzero, number(9).binary(Op::Divide, x()), number(4));
    check(&chosen, 0, Value::Number(4));
    check(&chosen, 3, Value::Number(3));
}

#[test]
fn the_unknown_spreads_as_far_as_it_matters() {
    let uncertain = unknown().compare(Relation::Equal, number(0));
    check(&unknown().binary(Op::Add, x()), 1, Value::Unknown(UnknownId(7)));
    check(&x().compare(Relation::Less, number(0)).and(uncertain.clone()), 1, Value::Number(0));
    check(&uncertain.and(x().compare(Relation::Less, number(0))), 1, Value::Unknown(UnknownId(7)));
    let undefined = unknown().binary(Op::Add, number(1).binary(Op::Divide, x()));
    check(&undefined, 0, Value::Undefined(Undefined::Division));
}

#[test]
fn constants_are_computed_at_once_where_that_changes_nothing() {
    let sum = number(2).binary(Op::Add, number(3)).unary(Op::Within(INT));
    assert_eq!(sum.as_constant(), Some(5));
    let large = number(INT.max()).binary(Op::Add, number(1)).unary(Op::Within(INT));
    assert_eq!(large.as_constant(), None);
    check_machine(&large, 0, Value::Undefined(Undefined::Overflow(INT)));
    assert_eq!(number(1).binary(Op::Divide, number(0)).as_constant(), None);
    assert_eq!(x().compare(Relation::Less, number(3)).not().code()[2], Op::Compare(Relation::GreaterEqual));
    assert_eq!(x().compare(Relation::Less, number(3)).not().not(), x().compare(Relation::Less, number(3)));
}

#[test]
fn leaves_are_replaced() {
    let sum = x().binary(Op::Add, unknown());
    let replaced =
        sum.substitute(|op| (op == Op::Read(Place::Local(1))).then(|| number(4).binary(Op::Multiply, x())));
    check(&replaced, 2, Value::Number(10));
    assert_eq!(replaced.reads().count(), 2);
}

//! The values of expressions, with mathematical integers and with the widths of a machine.
//!
//! What cannot be given as a number is a value, too: what nobody knows, and what is undefined. An operation on such a value is such a
//! value itself, but for the second operand of `And` and `Or` and the branches of `Choose`, which count only where the first operand
//! asks for them.

use crate::bits;
use crate::expr::{Expr, Op};
use crate::memory::{self, Misuse, RegionId, WILD};
use crate::number::Type;
use crate::program::{Place, UnknownId};
use std::fmt;

/// Which integers a program is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Integers {
    /// Those of mathematics: no result is too large.
    Mathematical,
    /// Those of the machine: a result that its type cannot represent is undefined.
    Machine,
}

/// Why there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Undefined {
    /// A division by 0.
    Division,
    /// A shift by a distance that the type does not allow.
    Shift,
    /// The machine cannot represent the result in this type, or shifts no negative number of it to the left.
    Overflow(Type),
    /// Memory is misused.
    Memory(Misuse),
    /// The result has more than 127 bits. It is defined, but not computed here.
    TooLarge,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undefined::Division => write!(f, "division by zero"),
            Undefined::Shift => write!(f, "a shift by a number that is out of range"),
            Undefined::Overflow(ty) => write!(f, "a result that does not fit {ty}"),
            Undefined::Memory(misuse) => write!(f, "{misuse}"),
            Undefined::TooLarge => write!(f, "a number of more than 127 bits"),
        }
    }
}

/// The value of an expression or a variable. A truth value is 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A number.
    Number(i128),
    /// Nobody knows it, because of this.
    Unknown(UnknownId),
    /// It has none.
    Undefined(Undefined),
}

/// What an expression is evaluated in.
pub trait Environment {
    /// What a variable holds.
    fn read(&self, place: Place) -> Value;
    /// What the environment chose.
    fn input(&self, position: u32) -> i128;
    /// What is not known.
    fn unknown(&self, position: u32) -> UnknownId;
    /// What the cell holds that a pointer points to, which is defined. Where there is no memory, no expression asks for it.
    fn load(&self, region: RegionId, pointer: Value) -> Value {
        unreachable!("region {} at {pointer:?} is nowhere: there is no memory", region.0)
    }
}

/// The value of an expression.
pub fn evaluate(expr: &Expr, environment: &impl Environment, integers: Integers) -> Value {
    let mut stack: Vec<Value> = Vec::new();
    for (position, &op) in expr.code().iter().enumerate() {
        let value = match op {
            Op::Constant(number) => Value::Number(number),
            Op::Truth(value) => Value::Number(value.into()),
            Op::Read(place) => environment.read(place),
            Op::Input(position) => Value::Number(environment.input(position)),
            Op::Unknown(position) => Value::Unknown(environment.unknown(position)),
            Op::Object(object) => Value::Number(memory::first(object)),
            Op::Misuse(misuse) => Value::Undefined(Undefined::Memory(misuse)),
            _ => {
                let first = stack.len() - op.n_operands();
                let next = expr.code().get(position + 1);
                let value = match (op, next, &stack[first..]) {
                    // Of a product that is reduced at once only the low bits matter, and those are right in any case.
                    (Op::Multiply, Some(Op::Wrap(ty)), &[Value::Number(left), Value::Number(right)]) => {
                        Value::Number(ty.wrap(left.wrapping_mul(right)))
                    }
                    (Op::Load(region), _, &[pointer]) if !matches!(pointer, Value::Undefined(_)) => {
                        environment.load(region, pointer)
                    }
                    (_, _, operands) => apply(op, operands, integers),
                };
                stack.truncate(first);
                value
            }
        };
        stack.push(value);
    }
    stack.pop().expect("an expression leaves one value")
}

/// The value of an operation.
fn apply(op: Op, operands: &[Value], integers: Integers) -> Value {
    match (op, operands) {
        (Op::And, &[left, right]) => connective(0, left, right),
        (Op::Or, &[left, right]) => connective(1, left, right),
        (Op::Choose, &[Value::Number(condition), yes, no]) => {
            if condition != 0 {
                yes
            } else {
                no
            }
        }
        (Op::Choose, &[condition, ..]) => condition,
        (_, &[Value::Number(operand)]) => result(unary(op, operand, integers)),
        (_, &[Value::Number(left), Value::Number(right)]) => result(binary(op, left, right, integers)),
        // Undefined is worse than unknown: a run must not go on as if it had a value.
        _ => {
            let undefined = operands.iter().find(|value| matches!(value, Value::Undefined(_)));
            let known = |value: &&Value| !matches!(value, Value::Number(_));
            *undefined.or_else(|| operands.iter().find(known)).expect("one operand is no number")
        }
    }
}

/// `And` or `Or`; `decided` is the value of the first operand that decides.
fn connective(decided: i128, left: Value, right: Value) -> Value {
    match (left, right) {
        (Value::Number(number), _) if number == decided => left,
        (Value::Number(_), right) => right,
        _ => left,
    }
}

fn result(result: Result<i128, Undefined>) -> Value {
    match result {
        Ok(number) => Value::Number(number),
        Err(undefined) => Value::Undefined(undefined),
    }
}

fn unary(op: Op, operand: i128, integers: Integers) -> Result<i128, Undefined> {
    match op {
        Op::Negate => operand.checked_neg().ok_or(Undefined::TooLarge),
        Op::BitsWith(bitwise, number) => Ok(bitwise.apply(operand, number)),
        Op::Within(ty) => fits(ty, operand, integers).map(|()| operand),
        Op::Wrap(ty) => Ok(ty.wrap(operand)),
        Op::Member(stride, start) => memory::member(operand, stride, start).ok_or(Undefined::TooLarge),
        Op::Initialised if operand == WILD => Err(Undefined::Memory(Misuse::Uninitialised)),
        Op::Initialised => Ok(operand),
        Op::Not => Ok(1 - operand),
        Op::Number => Ok(operand),
        _ => unreachable!("{op:?} does not take one operand"),
    }
}

fn binary(op: Op, left: i128, right: i128, integers: Integers) -> Result<i128, Undefined> {
    let exact = match op {
        Op::Add => left.checked_add(right),
        Op::Subtract => left.checked_sub(right),
        Op::Multiply => left.checked_mul(right),
        Op::Divide | Op::Remainder(_) if right == 0 => return Err(Undefined::Division),
        Op::Divide => left.checked_div(right),
        Op::Remainder(ty) => {
            let quotient = left.checked_div(right).ok_or(Undefined::TooLarge)?;
            fits(ty, quotient, integers)?;
            Some(left - quotient * right)
        }
        Op::Bits(bitwise, ty) => Some(ty.wrap(bitwise.apply(left, right))),
        Op::ShiftLeft(ty) | Op::ShiftRight(ty) if !bits::is_distance(ty, right) => {
            return Err(Undefined::Shift);
        }
        Op::ShiftLeft(ty) if ty.signed && left < 0 && integers == Integers::Machine => {
            return Err(Undefined::Overflow(ty));
        }
        Op::ShiftLeft(_) => bits::left(left, right),
        Op::ShiftRight(_) => Some(bits::right(left, right)),
        Op::Difference => Some(memory::difference(left, right).map_err(Undefined::Memory)?),
        Op::Compare(relation) => Some(relation.holds(left, right).into()),
        _ => unreachable!("{op:?} does not take two numbers"),
    };
    exact.ok_or(Undefined::TooLarge)
}

/// Whether the machine can represent the number, if it is about the machine.
fn fits(ty: Type, number: i128, integers: Integers) -> Result<(), Undefined> {
    if integers == Integers::Machine && !ty.contains(number) {
        return Err(Undefined::Overflow(ty));
    }
    Ok(())
}

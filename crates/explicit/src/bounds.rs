//! What is known of a value while some of the bits that are chosen are open.
//!
//! [`Bounds`] is an interval and some known low bits: the interval knows what is decided from the top, the low bits what
//! is decided from the bottom, where sums and products still are exact. Contract: every operation covers all results
//! of the values that its operands stand for; it may cover more.

use crate::code::{Code, Op};
use crate::layout::Field;

/// Values from `least` to `most` whose lowest `known` bits are those of `low`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub(crate) least: u64,
    pub(crate) most: u64,
    known: u32,
    low: u64,
}

fn low_bits(n: u32) -> u64 {
    if n == 0 { 0 } else { u64::MAX >> (64 - n) }
}

impl Bounds {
    /// One value.
    pub(crate) fn only(value: u64) -> Self {
        Self { least: value, most: value, known: 64, low: value }
    }

    /// Every value up to a largest one.
    pub(crate) fn up_to(most: u64) -> Self {
        if most == 0 { Self::only(0) } else { Self { least: 0, most, known: 0, low: 0 } }
    }

    /// The values up to a largest one that agree with `value` on the decided bits; `None` if there are none.
    pub(crate) fn partly(value: u64, decided: u64, max: u64) -> Option<Self> {
        if value > max {
            return None;
        }
        let bits = low_bits(64 - max.leading_zeros());
        let most = (value | (bits & !decided)).min(max);
        let known = if bits & !decided == 0 { 64 } else { (!decided).trailing_zeros() };
        Some(Self { least: value, most, known, low: value & low_bits(known) })
    }

    fn truth(can_be_false: bool, can_be_true: bool) -> Self {
        if can_be_false && can_be_true { Self::up_to(1) } else { Self::only(u64::from(can_be_true)) }
    }

    /// The value may be this one.
    pub(crate) fn may_be(self, value: u64) -> bool {
        self.least <= value && value <= self.most && (value ^ self.low) & low_bits(self.known) == 0
    }

    fn join(self, other: Self) -> Self {
        let agree = (self.low ^ other.low).trailing_zeros();
        let known = self.known.min(other.known).min(agree);
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            known,
            low: self.low & low_bits(known),
        }
    }

    fn may_equal(self, other: Self) -> bool {
        let known = self.known.min(other.known);
        self.least <= other.most && other.least <= self.most && (self.low ^ other.low) & low_bits(known) == 0
    }

    fn must_equal(self, other: Self) -> bool {
        self.least == self.most && other == self
    }

    /// A result that wraps at `max`: the interval if it is known, and the low bits.
    fn wrapped(interval: Option<(u64, u64)>, known: u32, low: u64, max: u64) -> Self {
        let (least, most) = interval.unwrap_or((0, max));
        if least == most {
            return Self::only(least);
        }
        let known = known.min(64 - max.leading_zeros());
        Self { least, most, known, low: low & low_bits(known) }
    }

    fn add(self, other: Self, max: u64) -> Self {
        let sum = |a: u64, b: u64| u128::from(a) + u128::from(b);
        let (least, most) = (sum(self.least, other.least), sum(self.most, other.most));
        let size = u128::from(max) + 1;
        let interval = (least / size == most / size).then(|| ((least % size) as u64, (most % size) as u64));
        Self::wrapped(interval, self.known.min(other.known), self.low.wrapping_add(other.low), max)
    }

    fn subtract(self, other: Self, max: u64) -> Self {
        let never = self.least >= other.most;
        let always = self.most < other.least;
        let difference = |a: u64, b: u64| a.wrapping_sub(b) & max;
        let interval = (never || always)
            .then(|| (difference(self.least, other.most), difference(self.most, other.least)));
        Self::wrapped(interval, self.known.min(other.known), self.low.wrapping_sub(other.low), max)
    }

    fn multiply(self, other: Self, max: u64) -> Self {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        let most = product(self.most, other.most);
        let interval = (most <= u128::from(max)).then(|| (self.least * other.least, most as u64));
        Self::wrapped(interval, self.known.min(other.known), self.low.wrapping_mul(other.low), max)
    }
}

/// The values of a state, some of them bounds only.
pub(crate) struct Partial<'w> {
    /// Those that are known.
    pub(crate) words: &'w mut [u64],
    /// The others.
    pub(crate) open: Vec<(Field, Bounds)>,
}

impl Partial<'_> {
    pub(crate) fn get(&self, field: Field) -> Bounds {
        let open = self.open.iter().find(|(other, _)| *other == field);
        open.map_or_else(|| Bounds::only(field.get(self.words)), |(_, bounds)| *bounds)
    }

    pub(crate) fn set(&mut self, field: Field, value: Bounds) {
        self.open.retain(|(other, _)| *other != field);
        if value.least == value.most {
            field.set(self.words, value.least);
        } else {
            self.open.push((field, value));
        }
    }
}

/// What an expression may be.
pub(crate) fn bounds_of(code: &Code, old: &Partial<'_>, new: &Partial<'_>, digits: &[Bounds]) -> Bounds {
    let mut stack: Vec<Bounds> = Vec::with_capacity(code.ops.len());
    for op in &code.ops {
        let result = match *op {
            Op::Constant(value) => Bounds::only(value),
            Op::Read(field) => old.get(field),
            Op::Next(field) => new.get(field),
            Op::Choice(digit) => digits[digit as usize],
            _ => operate(*op, &mut stack, digits),
        };
        stack.push(result);
    }
    stack[0]
}

fn operate(op: Op, stack: &mut Vec<Bounds>, digits: &[Bounds]) -> Bounds {
    let mut pop = || stack.pop().expect("operands come before their operator");
    let b = pop();
    match op {
        Op::Not => return Bounds::truth(b.may_be(1), b.may_be(0)),
        Op::Negate(max) => return Bounds::only(0).subtract(b, max),
        _ => {}
    }
    let a = pop();
    match op {
        Op::And => Bounds::truth(a.may_be(0) || b.may_be(0), a.may_be(1) && b.may_be(1)),
        Op::Or => Bounds::truth(a.may_be(0) && b.may_be(0), a.may_be(1) || b.may_be(1)),
        Op::Implies => Bounds::truth(a.may_be(1) && b.may_be(0), a.may_be(0) || b.may_be(1)),
        Op::Xor | Op::NotEqual => Bounds::truth(a.may_equal(b), !a.must_equal(b)),
        Op::Equal => Bounds::truth(!a.must_equal(b), a.may_equal(b)),
        Op::Less => Bounds::truth(a.most >= b.least, a.least < b.most),
        Op::LessEqual => Bounds::truth(a.most > b.least, a.least <= b.most),
        Op::Add(max) => a.add(b, max),
        Op::Subtract(max) => a.subtract(b, max),
        Op::Multiply(max) => a.multiply(b, max),
        Op::Schoose(digit) => {
            let digit = digits[digit as usize];
            let is_open = a.may_be(0) && b.may_be(0);
            let can_be_false = a.may_be(0) && (b.may_be(1) || (is_open && digit.may_be(0)));
            Bounds::truth(can_be_false, a.may_be(1) || (is_open && digit.may_be(1)))
        }
        Op::Conditional => {
            let condition = pop();
            match (condition.may_be(1), condition.may_be(0)) {
                (true, true) => a.join(b),
                (is_true, _) => {
                    if is_true {
                        a
                    } else {
                        b
                    }
                }
            }
        }
        _ => unreachable!("operands have been looked at"),
    }
}

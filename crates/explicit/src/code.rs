//! Expressions as postfix code over packed words.
//!
//! A choice is an operand like any other: [`Op::Choice`] reads a digit that somebody else has chosen. In stored values
//! the digits are those of the block; a condition has digits of its own, for a `*` there means that the condition can hold.

use crate::layout::{Field, Layout};
use rsm::values::{self, TooLarge, View};
use rsm::{Binary, Expr, Operation, Place};

/// An operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Constant(u64),
    Read(Field),
    /// The value after the assignment.
    Next(Field),
    /// A digit.
    Choice(u32),
    Not,
    /// The numbers are the largest values of the types, where results wrap.
    Negate(u64),
    And,
    Or,
    Xor,
    Implies,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Add(u64),
    Subtract(u64),
    Multiply(u64),
    Conditional,
    /// The digit counts where neither side holds.
    Schoose(u32),
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) ops: Box<[Op]>,
    /// How many operands wait at the same time, at most.
    depth: usize,
}

/// So many operands are kept in an array.
const SHALLOW: usize = 16;

impl Code {
    /// Translates an expression of a module; the largest values of its choices are added to `digits`.
    pub(crate) fn new(layout: &Layout, module: usize, expr: &Expr, digits: &mut Vec<u64>) -> Self {
        let field = |place: Place| layout.field(module, place).expect("what is read has a field");
        let mut ops = Vec::with_capacity(expr.code.len());
        let (mut depth, mut deepest) = (0usize, 0usize);
        for term in &expr.code {
            let max = term.ty.max();
            let mut digit = |max: u64| {
                digits.push(max);
                digits.len() as u32 - 1
            };
            let (op, n_operands) = match term.operation {
                Operation::Constant(value) => (Op::Constant(value), 0),
                Operation::Read(place) => (Op::Read(field(place)), 0),
                Operation::ReadNext(place) => (Op::Next(field(place)), 0),
                Operation::Choice(_) => (Op::Choice(digit(max)), 0),
                Operation::Not => (Op::Not, 1),
                Operation::Negate => (Op::Negate(max), 1),
                Operation::Conditional => (Op::Conditional, 3),
                Operation::Schoose => (Op::Schoose(digit(1)), 2),
                Operation::Binary(operator) => (binary(operator, max), 2),
            };
            ops.push(op);
            depth = depth + 1 - n_operands;
            deepest = deepest.max(depth);
        }
        Self { ops: ops.into(), depth: deepest }
    }

    /// The value, with old and new values and digits.
    #[inline]
    pub(crate) fn value(&self, old: &[u64], new: &[u64], digits: &[u64]) -> u64 {
        match &*self.ops {
            [Op::Read(field)] => field.get(old),
            [Op::Constant(value)] => *value,
            ops if self.depth <= SHALLOW => run(ops, &mut [0; SHALLOW], old, new, digits),
            ops => run(ops, &mut vec![0; self.depth], old, new, digits),
        }
    }
}

fn binary(operator: Binary, max: u64) -> Op {
    match operator {
        Binary::And => Op::And,
        Binary::Or => Op::Or,
        Binary::Xor => Op::Xor,
        Binary::Implies => Op::Implies,
        Binary::Equal => Op::Equal,
        Binary::NotEqual => Op::NotEqual,
        Binary::Less => Op::Less,
        Binary::LessEqual => Op::LessEqual,
        Binary::Add => Op::Add(max),
        Binary::Subtract => Op::Subtract(max),
        Binary::Multiply => Op::Multiply(max),
    }
}

#[inline]
fn run(ops: &[Op], stack: &mut [u64], old: &[u64], new: &[u64], digits: &[u64]) -> u64 {
    let mut n = 0;
    for op in ops {
        let operand = match *op {
            Op::Constant(value) => value,
            Op::Read(field) => field.get(old),
            Op::Next(field) => field.get(new),
            Op::Choice(digit) => digits[digit as usize],
            operator => {
                n = operate(operator, stack, n, digits);
                continue;
            }
        };
        stack[n] = operand;
        n += 1;
    }
    stack[0]
}

/// Replaces the operands on the stack by the result; the new height.
#[inline(always)]
fn operate(operator: Op, stack: &mut [u64], n: usize, digits: &[u64]) -> usize {
    match operator {
        Op::Not => stack[n - 1] ^= 1,
        Op::Negate(max) => stack[n - 1] = stack[n - 1].wrapping_neg() & max,
        Op::Conditional => {
            stack[n - 3] = if stack[n - 3] == 1 { stack[n - 2] } else { stack[n - 1] };
            return n - 2;
        }
        Op::Schoose(digit) => {
            if stack[n - 2] == 0 && stack[n - 1] == 0 {
                stack[n - 2] = digits[digit as usize];
            }
            return n - 1;
        }
        _ => {
            let (a, b) = (stack[n - 2], stack[n - 1]);
            stack[n - 2] = match operator {
                Op::And => a & b,
                Op::Or => a | b,
                Op::Xor => a ^ b,
                Op::Implies => (a ^ 1) | b,
                Op::Equal => u64::from(a == b),
                Op::NotEqual => u64::from(a != b),
                Op::Less => u64::from(a < b),
                Op::LessEqual => u64::from(a <= b),
                Op::Add(max) => a.wrapping_add(b) & max,
                Op::Subtract(max) => a.wrapping_sub(b) & max,
                Op::Multiply(max) => a.wrapping_mul(b) & max,
                _ => unreachable!("all other operations are operands or have been looked at"),
            };
            return n - 1;
        }
    }
    n
}

/// A condition: `*` in it means that it can hold.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) code: Code,
    /// The largest value of each of its choices.
    pub(crate) digits: Box<[u64]>,
    /// Where the choices are too many to be tried: the expression, to be looked at by sets of values.
    sets: Option<Box<Sets>>,
}

#[derive(Clone, Debug)]
struct Sets {
    expr: Expr,
    globals: Vec<Option<Field>>,
    locals: Vec<Option<Field>>,
}

/// So many bits of choices in a condition are tried one by one.
const TRIED_BITS: u32 = 6;

impl Condition {
    /// Translates a condition of a module.
    pub(crate) fn new(layout: &Layout, module: usize, expr: &Expr) -> Self {
        let mut digits = Vec::new();
        let code = Code::new(layout, module, expr, &mut digits);
        let n_bits: u32 = digits.iter().map(|max| 64 - max.leading_zeros()).sum();
        let sets = (n_bits > TRIED_BITS).then(|| {
            let (globals, locals) = (layout.globals.clone(), layout.locals[module].clone());
            Box::new(Sets { expr: expr.clone(), globals, locals })
        });
        Self { code, digits: digits.into(), sets }
    }

    /// Some choice makes it true.
    #[inline]
    pub(crate) fn can_hold(&self, old: &[u64], new: &[u64]) -> Result<bool, TooLarge> {
        if self.digits.is_empty() {
            return Ok(self.code.value(old, new, &[]) == 1);
        }
        self.can_be(1, old, new)
    }

    /// Some choice makes it have a value.
    #[inline(never)]
    pub(crate) fn can_be(&self, wanted: u64, old: &[u64], new: &[u64]) -> Result<bool, TooLarge> {
        if let Some(sets) = &self.sets {
            return sets.can_be(wanted, old, new);
        }
        let mut digits = vec![0; self.digits.len()];
        loop {
            if self.code.value(old, new, &digits) == wanted {
                return Ok(true);
            }
            let Some(n) = (0..digits.len()).find(|n| digits[*n] < self.digits[*n]) else { return Ok(false) };
            digits[..n].fill(0);
            digits[n] += 1;
        }
    }
}

impl Sets {
    fn can_be(&self, wanted: u64, old: &[u64], new: &[u64]) -> Result<bool, TooLarge> {
        let values = |fields: &[Option<Field>], words: &[u64]| -> Vec<u64> {
            fields.iter().map(|field| field.map_or(0, |field| field.get(words))).collect()
        };
        let (globals, locals) = (values(&self.globals, old), values(&self.locals, old));
        let (new_globals, new_locals) = (values(&self.globals, new), values(&self.locals, new));
        let view = View::new(&globals, &locals).with_next(&new_globals, &new_locals);
        Ok(values::possible(&self.expr, &view)?.contains(wanted))
    }
}

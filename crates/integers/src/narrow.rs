//! Operations that do nothing to the numbers that they meet, left out, and bits in as few bits as there are.
//!
//! Input: a program. Output: one with the same runs, over mathematical integers, those of a machine, and those that wrap, that overflows where the other does. A variable, or a cell of memory, is
//! taken to hold a number of its type if whatever is stored in it is one in all of these meanings: if it is unsigned, or narrower than the types in which C computes.

use crate::bits::Bitwise;
use crate::expr::{Expr, Op};
use crate::interval::{Interval, is_in, of_type, operation};
use crate::number::Type;
use crate::program::{Action, FunctionId, Program, Step};

/// Leaves out what does nothing.
pub fn narrow(program: &mut Program) {
    for n in 0..program.functions.len() {
        let id = FunctionId::new(n);
        let mut edges = std::mem::take(&mut program.functions[n].edges);
        for edge in &mut edges {
            match &mut edge.action {
                Action::Step(step) => {
                    let Step { guard, updates, stores, inputs, .. } = step;
                    let input = |n: u32| program.input(inputs[n as usize]).ty;
                    let stored = stores.iter_mut().flat_map(|(_, pointer, value)| [pointer, value]);
                    let exprs = updates.iter_mut().map(|(_, value)| value).chain([guard]).chain(stored);
                    exprs.for_each(|expr| narrow_expr(program, id, expr, &input));
                }
                // Its operands are pointers and numbers of elements.
                Action::Manage(_) => {}
                Action::Call { args, .. } => {
                    let none = |_| unreachable!("arguments read no inputs");
                    args.iter_mut().for_each(|arg| narrow_expr(program, id, arg, &none));
                }
            }
        }
        program.functions[n].edges = edges;
    }
}

fn narrow_expr(program: &Program, id: FunctionId, expr: &mut Expr, input: &dyn Fn(u32) -> Type) {
    let matters = |op: &Op| {
        matches!(op, Op::Wrap(_) | Op::Within(_) | Op::Bits(..) | Op::ShiftLeft(Type { signed: true, .. }))
    };
    if !expr.code().iter().any(matters) {
        return;
    }
    let kept = |ty: Type| (!ty.signed || ty.bits < 32).then(|| (ty.min(), ty.max()));
    let leaf = |op: Op| match op {
        Op::Read(place) => kept(program.variable(id, place).ty),
        Op::Input(n) => of_type(input(n)),
        _ => None,
    };
    // With mathematical integers the number itself, and one of the type where results wrap.
    let within = |interval: Interval, ty: Type| {
        interval.map(|(least, most)| (least.min(ty.min()), most.max(ty.max())))
    };
    let (narrowed, _) = expr.fold(|op, operands: Vec<(Expr, Interval)>| {
        let (exprs, intervals): (Vec<Expr>, Vec<Interval>) = operands.into_iter().unzip();
        let made = made(op, &exprs, &intervals);
        // What is no longer there is what its operand is.
        let interval = match (op, &intervals[..]) {
            (Op::Within(ty), &[operand]) if is_in(operand, ty) => operand,
            (Op::Load(region), _) => kept(program.memory.regions[region.index()].content.ty()),
            _ => operation(op, &intervals, leaf, within),
        };
        (made, interval)
    });
    *expr = narrowed;
}

/// An operation on operands of which something is known.
pub(crate) fn made(op: Op, operands: &[Expr], intervals: &[Interval]) -> Expr {
    match op {
        Op::Wrap(ty) | Op::Within(ty) if is_in(intervals[0], ty) => operands[0].clone(),
        Op::Wrap(ty) => low_bits(operands[0].clone(), ty).unary(op),
        Op::Bits(bitwise, ty) => bits(bitwise, ty, operands, intervals),
        Op::ShiftLeft(ty) if intervals[0].is_some_and(|(least, _)| least >= 0) => {
            Expr::of(Op::ShiftLeft(Type::unsigned(ty.bits)), operands)
        }
        _ => Expr::of(op, operands),
    }
}

/// A term with the same low bits: those of a sum are a matter of the low bits of what is added up.
fn low_bits(term: Expr, ty: Type) -> Expr {
    match term.root() {
        Op::Wrap(inner) if inner.bits >= ty.bits && !is_large(&term) => {
            low_bits(term.operands().swap_remove(0), ty)
        }
        op @ (Op::Add | Op::Subtract) if term.code().len() <= LONGEST => {
            let mut operands = term.operands().into_iter().map(|operand| low_bits(operand, ty));
            let left = operands.next().expect("it has two operands");
            left.binary(op, operands.next().expect("it has two operands"))
        }
        _ => term,
    }
}

/// What is computed on the way may be much larger than the result.
fn is_large(term: &Expr) -> bool {
    term.code().iter().any(|op| matches!(op, Op::Multiply | Op::ShiftLeft(_)))
}

/// Longer sums stay as they are.
const LONGEST: usize = 64;

/// Bits of two terms, in a type that is as narrow as they are.
fn bits(bitwise: Bitwise, ty: Type, operands: &[Expr], intervals: &[Interval]) -> Expr {
    let inside = |n: usize| intervals[n].filter(|_| is_in(intervals[n], ty));
    let narrow = match (bitwise, inside(0), inside(1)) {
        // Where one of them has no ones, there are none.
        (Bitwise::And, Some((0.., most)), Some((0.., other))) => width(0, most.min(other)),
        (Bitwise::And, Some((0.., most)), _) | (Bitwise::And, _, Some((0.., most))) => width(0, most),
        (_, Some((least, most)), Some((other_least, other_most))) => {
            width(least.min(other_least), most.max(other_most))
        }
        _ => ty,
    };
    let narrow = if narrow.bits < ty.bits { narrow } else { ty };
    // The second of two truth values may be left out, so nothing must happen in it.
    if operands.iter().all(|expr| expr.root() == Op::Number) && operands[1].is_quiet() {
        return of_truths(bitwise, operands);
    }
    // A number that has one bit, and one that is known to be of the type.
    for (n, other) in [(0, 1), (1, 0)] {
        if let (false, Some(_), Some(one)) = (ty.signed, inside(n), single(bitwise, &operands[other], ty)) {
            return with_single(bitwise, &operands[n], one);
        }
    }
    Expr::of(Op::Bits(bitwise, narrow), operands)
}

/// One bit, or for a mask all others.
struct Single {
    shifted: Type,
    distance: Expr,
    is_left_out: bool,
}

/// `1 << d`, or `max - (1 << d)`, which is `~(1 << d)`.
fn single(bitwise: Bitwise, term: &Expr, ty: Type) -> Option<Single> {
    let operands = term.operands();
    match (term.root(), &operands[..]) {
        (Op::ShiftLeft(shifted), [one, distance]) if shifted.bits <= ty.bits && !shifted.signed => {
            let distance = (one.as_constant() == Some(1)).then(|| distance.clone())?;
            Some(Single { shifted, distance, is_left_out: false })
        }
        (Op::Subtract, [ones, one]) if bitwise == Bitwise::And && ones.as_constant() == Some(ty.max()) => {
            single(Bitwise::Or, one, ty).map(|one| Single { is_left_out: true, ..one })
        }
        _ => None,
    }
}

/// Bits of a term and one bit: what happens to that bit.
fn with_single(bitwise: Bitwise, term: &Expr, one: Single) -> Expr {
    let Single { shifted, distance, is_left_out } = one;
    let low = term.clone().binary(Op::ShiftRight(shifted), distance.clone());
    let bit = low.unary(Op::BitsWith(Bitwise::And, 1));
    let there = |number: Expr| number.binary(Op::ShiftLeft(shifted), distance.clone());
    let less = |taken: Expr| Expr::constant(1).binary(Op::Subtract, taken);
    match (bitwise, is_left_out) {
        (Bitwise::And, false) => there(bit),
        (Bitwise::And, true) => term.clone().binary(Op::Subtract, there(bit)),
        (Bitwise::Or, _) => term.clone().binary(Op::Add, there(less(bit))),
        (Bitwise::Xor, _) => {
            term.clone().binary(Op::Add, there(less(Expr::constant(2).binary(Op::Multiply, bit))))
        }
    }
}

/// Truth values are joined as such.
fn of_truths(bitwise: Bitwise, operands: &[Expr]) -> Expr {
    let formula = |n: usize| operands[n].operands().swap_remove(0);
    let joined = match bitwise {
        Bitwise::And => formula(0).and(formula(1)),
        Bitwise::Or => formula(0).binary(Op::Or, formula(1)),
        Bitwise::Xor => operands[0].clone().compare(crate::Relation::NotEqual, operands[1].clone()),
    };
    joined.unary(Op::Number)
}

/// The narrowest type of numbers between two.
fn width(least: i128, most: i128) -> Type {
    let signed = least < 0;
    let bits = (1..64).find(|bits| {
        let ty = Type { bits: *bits, signed };
        ty.contains(least) && ty.contains(most)
    });
    Type { bits: bits.unwrap_or(64), signed }
}

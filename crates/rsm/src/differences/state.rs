//! What is known of the variables of a function and the globals at one moment: classes of variables that differ by constants.

use super::n_operands;
use crate::expr::{Binary, Expr, Operation, Term, Type};
use crate::machine::Place;
use rustc_hash::FxHashMap;

/// What a value differs from by a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Base {
    /// Nothing: the value is the constant.
    Zero,
    /// The value of a variable.
    Variable(usize),
    /// A value that no variable has, or one of another function.
    Other(usize),
}

/// A value: a base and a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Known {
    base: Base,
    plus: u64,
}

impl Known {
    fn constant(value: u64) -> Self {
        Self { base: Base::Zero, plus: value }
    }

    /// The same, where the variables are those of another function; `from` is more than any other base has.
    pub fn aside(self, from: usize) -> Self {
        let base = match self.base {
            Base::Variable(n) | Base::Other(n) => Base::Other(from + n),
            Base::Zero => Base::Zero,
        };
        Self { base, ..self }
    }

    fn as_constant(self) -> Option<u64> {
        (self.base == Base::Zero).then_some(self.plus)
    }
}

/// What is known of each variable: the first of its class, and the difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct State<'a> {
    /// So many of the variables are globals; they come first.
    n_globals: usize,
    types: Vec<&'a Type>,
    known: Vec<Known>,
}

fn plus(ty: &Type, a: u64, b: u64) -> u64 {
    a.wrapping_add(b) & ty.max()
}

fn minus(ty: &Type, a: u64, b: u64) -> u64 {
    a.wrapping_sub(b) & ty.max()
}

/// Differences are of use: the numbers wrap.
fn wraps(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Int(_))
}

impl<'a> State<'a> {
    /// Every variable may have any value.
    pub fn nothing(n_globals: usize, types: Vec<&'a Type>) -> Self {
        Self::of(n_globals, types, std::iter::empty())
    }

    /// The state in which variables of these types have these values; those without one may have any. Bases are those of the state in which
    /// the values were computed.
    pub fn of(n_globals: usize, types: Vec<&'a Type>, values: impl Iterator<Item = Option<Known>>) -> Self {
        let mut values = values.chain(std::iter::repeat(None));
        let mut first: FxHashMap<(Base, &Type, u64), (usize, u64)> = FxHashMap::default();
        let mut known = Vec::with_capacity(types.len());
        for (n, ty) in types.iter().enumerate() {
            let own = Known { base: Base::Variable(n), plus: 0 };
            known.push(match values.next().flatten() {
                None => own,
                Some(value) if value.base == Base::Zero => value,
                Some(Known { base, plus }) => {
                    // Values that do not wrap are equal or nothing.
                    let apart = if wraps(ty) { 0 } else { plus };
                    let (leader, of_leader) = *first.entry((base, ty, apart)).or_insert((n, plus));
                    Known { base: Base::Variable(leader), plus: minus(ty, plus, of_leader) }
                }
            });
        }
        Self { n_globals, types, known }
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// The value of a variable.
    pub fn known(&self, n: usize) -> Known {
        self.known[n]
    }

    /// What holds in both.
    pub fn join(&self, other: &Self) -> Self {
        let mut numbers: FxHashMap<(Base, Base, u64, u64), usize> = FxHashMap::default();
        let mut values = Vec::with_capacity(self.len());
        for ((a, b), ty) in self.known.iter().zip(&other.known).zip(&self.types) {
            if a == b && a.base == Base::Zero {
                values.push(Some(*a));
                continue;
            }
            // Those with the same bases in both differ by the same constant in both if this is equal.
            let (difference, apart) = match wraps(ty) {
                true => (minus(ty, a.plus, b.plus), 0),
                false => (a.plus, b.plus),
            };
            let n = numbers.len();
            let n = *numbers.entry((a.base, b.base, difference, apart)).or_insert(n);
            let plus = if wraps(ty) { a.plus } else { 0 };
            values.push(Some(Known { base: Base::Other(n), plus }));
        }
        Self::of(self.n_globals, self.types.clone(), values.into_iter())
    }

    /// After some variables have been given values, all at once.
    pub fn storing(&self, stored: Vec<(usize, Option<Known>)>) -> Self {
        let mut values: Vec<Option<Known>> = self.known.iter().copied().map(Some).collect();
        // A variable that is stored into stands for its old value in other classes, and for nothing in its own.
        for (n, value) in stored {
            values[n] = value;
        }
        Self::of(self.n_globals, self.types.clone(), values.into_iter())
    }

    /// Where a condition can hold; `None` if it cannot.
    pub fn assuming(&self, condition: &Expr) -> Option<Self> {
        let mut state = self.clone();
        for part in conjuncts(&condition.code) {
            state = state.with(part)?;
        }
        Some(state)
    }

    fn with(&self, condition: &[Term]) -> Option<Self> {
        let value = |code: &[Term]| self.rewritten(&Expr { code: code.into() }).1;
        match value(condition) {
            Some(Known { base: Base::Zero, plus }) => return (plus == 1).then(|| self.clone()),
            Some(known) => return Some(self.equating(known, Known::constant(1), &Type::Bool)),
            None => {}
        }
        let (last, rest) = condition.split_last()?;
        if last.operation != Operation::Binary(Binary::Equal) {
            return Some(self.clone());
        }
        let (left, right) = rest.split_at(last_operand(rest));
        match (value(left), value(right), right.last()) {
            (Some(a), Some(b), Some(term)) => Some(self.equating(a, b, &term.ty)),
            _ => Some(self.clone()),
        }
    }

    /// Two values are equal, and not known to differ.
    fn equating(&self, a: Known, b: Known, ty: &Type) -> Self {
        let (a, b) = if b.base == Base::Zero { (b, a) } else { (a, b) };
        if a.base == b.base || (!wraps(ty) && a.plus != 0 && a.base != Base::Zero) {
            return self.clone();
        }
        // What is based on the second is based on the first instead.
        let difference = if wraps(ty) { minus(ty, a.plus, b.plus) } else { a.plus };
        let values = self.known.iter().map(|known| match known.base == b.base {
            true => Some(Known {
                base: a.base,
                plus: if wraps(ty) { plus(ty, known.plus, difference) } else { difference },
            }),
            false => Some(*known),
        });
        Self::of(self.n_globals, self.types.clone(), values)
    }

    fn number(&self, place: Place) -> usize {
        match place {
            Place::Global(n) => n as usize,
            Place::Local(n) => self.n_globals + n as usize,
        }
    }

    /// An expression in which what is known has been used, and its value, if that is known.
    pub fn rewritten(&self, expr: &Expr) -> (Expr, Option<Known>) {
        let mut code: Vec<Term> = Vec::with_capacity(expr.code.len());
        // Of each operand where its code begins, its type and its value.
        let mut operands: Vec<(usize, &Type, Option<Known>)> = Vec::new();
        for term in &expr.code {
            let start = operands.len() - n_operands(term.operation);
            let begins = operands.get(start).map_or(code.len(), |operand| operand.0);
            let value = match term.operation {
                Operation::Read(place) => Some(self.known[self.number(place)]),
                operation => value(operation, &operands[start..], &term.ty),
            };
            operands.truncate(start);
            operands.push((begins, &term.ty, value));
            match (term.operation, value) {
                (_, Some(Known { base: Base::Zero, plus })) => {
                    code.truncate(begins);
                    code.push(Term { operation: Operation::Constant(plus), ty: term.ty.clone() });
                }
                (Operation::Read(_), Some(Known { base: Base::Variable(n), plus })) => {
                    self.push(&mut code, n, plus, &term.ty);
                }
                _ => code.push(term.clone()),
            }
        }
        let value = operands.pop().and_then(|operand| operand.2);
        (Expr { code: code.into() }, value)
    }

    /// The code for a variable and a constant.
    fn push(&self, code: &mut Vec<Term>, n: usize, plus: u64, ty: &Type) {
        let place = match n.checked_sub(self.n_globals) {
            None => Place::Global(n as u32),
            Some(n) => Place::Local(n as u32),
        };
        code.push(Term { operation: Operation::Read(place), ty: ty.clone() });
        match (plus, ty) {
            (0, _) => {}
            (_, Type::Bool) => code.push(Term { operation: Operation::Not, ty: Type::Bool }),
            _ => {
                code.push(Term { operation: Operation::Constant(plus), ty: ty.clone() });
                code.push(Term { operation: Operation::Binary(Binary::Add), ty: ty.clone() });
            }
        }
    }
}

/// The value of an operation that reads no variable itself.
fn value(operation: Operation, operands: &[(usize, &Type, Option<Known>)], ty: &Type) -> Option<Known> {
    match (operation, operands) {
        (Operation::Constant(value), _) => Some(Known::constant(value)),
        (Operation::Not, [(_, _, Some(a))]) => Some(Known { plus: a.plus ^ 1, ..*a }),
        (Operation::Negate, [(_, _, Some(a))]) => {
            a.as_constant().map(|value| Known::constant(minus(ty, 0, value)))
        }
        (Operation::Binary(binary), [(_, of, a), (_, _, b)]) if **of == Type::Bool => {
            connective(binary, *a, *b).or_else(|| compared(binary, (*a)?, (*b)?))
        }
        (Operation::Binary(binary), [(_, _, Some(a)), (_, _, Some(b))]) => {
            arithmetic(binary, *a, *b, ty).or_else(|| compared(binary, *a, *b))
        }
        (Operation::Conditional, [(_, _, c), (_, _, a), (_, _, b)]) => match c.and_then(Known::as_constant) {
            Some(1) => *a,
            Some(_) => *b,
            None => a.filter(|a| *b == Some(*a)),
        },
        _ => None,
    }
}

fn arithmetic(binary: Binary, a: Known, b: Known, ty: &Type) -> Option<Known> {
    match (binary, a.as_constant(), b.as_constant()) {
        (Binary::Add, _, Some(c)) => Some(Known { plus: plus(ty, a.plus, c), ..a }),
        (Binary::Add, Some(c), _) => Some(Known { plus: plus(ty, b.plus, c), ..b }),
        (Binary::Subtract, _, Some(c)) => Some(Known { plus: minus(ty, a.plus, c), ..a }),
        (Binary::Subtract, ..) if a.base == b.base => Some(Known::constant(minus(ty, a.plus, b.plus))),
        (Binary::Multiply, Some(a), Some(b)) => Some(Known::constant(a.wrapping_mul(b) & ty.max())),
        _ => None,
    }
}

/// The outcome of a comparison.
fn compared(binary: Binary, a: Known, b: Known) -> Option<Known> {
    if a.base != b.base {
        return None;
    }
    let is_constant = a.base == Base::Zero;
    let outcome = match binary {
        Binary::Equal => a.plus == b.plus,
        Binary::NotEqual => a.plus != b.plus,
        Binary::Less if is_constant || a.plus == b.plus => a.plus < b.plus,
        Binary::LessEqual if is_constant || a.plus == b.plus => a.plus <= b.plus,
        _ => return None,
    };
    Some(Known::constant(outcome.into()))
}

fn connective(binary: Binary, a: Option<Known>, b: Option<Known>) -> Option<Known> {
    let [c, d] = [a, b].map(|known| known.and_then(Known::as_constant));
    match (binary, c, d) {
        (Binary::And, Some(0), _) | (Binary::And, _, Some(0)) => Some(Known::constant(0)),
        (Binary::And, Some(_), _) | (Binary::Or, Some(0), _) | (Binary::Implies, Some(1), _) => b,
        (Binary::And, _, Some(_)) | (Binary::Or, _, Some(0)) => a,
        (Binary::Or, Some(_), _) | (Binary::Or, _, Some(_)) => Some(Known::constant(1)),
        (Binary::Implies, Some(_), _) | (Binary::Implies, _, Some(1)) => Some(Known::constant(1)),
        (Binary::Xor, Some(c), _) => b.map(|b| Known { plus: b.plus ^ c, ..b }),
        (Binary::Xor, _, Some(d)) => a.map(|a| Known { plus: a.plus ^ d, ..a }),
        (Binary::Xor, ..) => match (a, b) {
            (Some(a), Some(b)) if a.base == b.base => Some(Known::constant(a.plus ^ b.plus)),
            _ => None,
        },
        _ => None,
    }
}

/// Where the code of the last of some operands begins.
fn last_operand(code: &[Term]) -> usize {
    let mut missing = 1;
    for (n, term) in code.iter().enumerate().rev() {
        missing = missing - 1 + n_operands(term.operation);
        if missing == 0 {
            return n;
        }
    }
    0
}

/// The conditions of which a condition is the conjunction.
fn conjuncts(code: &[Term]) -> Vec<&[Term]> {
    match code.split_last() {
        Some((last, rest)) if last.operation == Operation::Binary(Binary::And) => {
            let (left, right) = rest.split_at(last_operand(rest));
            let mut all = conjuncts(left);
            all.extend(conjuncts(right));
            all
        }
        _ => vec![code],
    }
}

//! Terms and formulas over integers, as postfix code.
//!
//! An expression is a list of operations, operands first; nothing about it is recursive, however deeply it is nested. It is a
//! *term*, whose value is a number, or a *formula*, whose value is a truth value; each operation says which it takes and
//! which it makes, and the functions here that build expressions keep to it.
//!
//! Numbers are mathematical. The machine appears in two operations only: [`Op::Wrap`] reduces a number modulo the size of a
//! type, which is part of every meaning, and [`Op::Within`] marks a result that a machine has to represent: it is the number
//! itself, and whether the number fits matters to the meaning with widths alone.

use crate::bits::{self, Bitwise};
use crate::memory::{Misuse, ObjectId, RegionId, WILD};
use crate::number::Type;
use crate::program::Place;

/// How two numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl Relation {
    /// Whether it holds.
    pub fn holds<N: PartialOrd>(self, left: N, right: N) -> bool {
        match self {
            Relation::Equal => left == right,
            Relation::NotEqual => left != right,
            Relation::Less => left < right,
            Relation::LessEqual => left <= right,
            Relation::Greater => left > right,
            Relation::GreaterEqual => left >= right,
        }
    }

    /// The relation that holds where this one does not.
    pub fn negated(self) -> Self {
        match self {
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
            Relation::Less => Relation::GreaterEqual,
            Relation::LessEqual => Relation::Greater,
            Relation::Greater => Relation::LessEqual,
            Relation::GreaterEqual => Relation::Less,
        }
    }
}

/// One operation: what it takes from the stack, and what it leaves there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    /// A number.
    Constant(i128),
    /// The number that a variable holds.
    Read(Place),
    /// The number that the environment chose: a position in the inputs of the step.
    Input(u32),
    /// A number nobody knows: a position in the unknowns of the step.
    Unknown(u32),
    /// One number: `-a`.
    Negate,
    /// The pointer to the first element of a static object.
    Object(ObjectId),
    /// No number: what stands here is a misuse of memory.
    Misuse(Misuse),
    /// A pointer: what the cell of the region holds that it points to. Undefined, if it points to none.
    Load(RegionId),
    /// A pointer to an element: the pointer to a part of it. The offset is multiplied by the first number, and the second is added.
    Member(u64, u64),
    /// A pointer: itself; undefined, if nothing was stored in it ([`crate::memory::WILD`]).
    Initialised,
    /// Two pointers: how many elements the first is behind the second; undefined, if they are not to the same object. Pointers are compared by size with its help.
    Difference,
    /// Two numbers: `a + b`. The first may be a pointer, the second then counts elements.
    Add,
    /// Two numbers: `a - b`.
    Subtract,
    /// Two numbers: `a * b`.
    Multiply,
    /// Two numbers: `a / b`, truncated towards zero; undefined if `b` is 0.
    Divide,
    /// Two numbers: `a % b`, with the sign of `a`; undefined if `b` is 0. The machine computes it in this type, which has to
    /// represent the quotient.
    Remainder(Type),
    /// One number, and another one that is given: bits of the two.
    BitsWith(Bitwise, i128),
    /// Two numbers: the value of the type whose bits are made of their low bits.
    Bits(Bitwise, Type),
    /// Two numbers: `a` times 2 to the power of `b`; undefined unless `b` is from 0 to less than the bits of the type. If that is signed, the machine
    /// shifts no negative number.
    ShiftLeft(Type),
    /// Two numbers: `a` divided by 2 to the power of `b`, rounded down; undefined unless `b` is from 0 to less than the bits of the type.
    ShiftRight(Type),
    /// One number, which a machine represents in this type.
    Within(Type),
    /// One number: the value of the type that is equal to it modulo the size of the type.
    Wrap(Type),
    /// A truth value.
    Truth(bool),
    /// Two numbers, compared.
    Compare(Relation),
    /// One truth value.
    Not,
    /// Two truth values. Where the first is false, the second need not be defined.
    And,
    /// Two truth values. Where the first is true, the second need not be defined.
    Or,
    /// One truth value, as the number 0 or 1.
    Number,
    /// A truth value and two numbers: the first of them where it is true. The other need not be defined.
    Choose,
}

impl Op {
    /// How many operands it takes.
    pub fn n_operands(self) -> usize {
        match self {
            Op::Constant(_) | Op::Read(_) | Op::Input(_) | Op::Unknown(_) | Op::Truth(_) => 0,
            Op::Object(_) | Op::Misuse(_) => 0,
            Op::Load(_) | Op::Member(..) | Op::Initialised => 1,
            Op::Negate | Op::BitsWith(..) | Op::Within(_) | Op::Wrap(_) | Op::Not | Op::Number => 1,
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Remainder(_) => 2,
            Op::Bits(..) | Op::ShiftLeft(_) | Op::ShiftRight(_) => 2,
            Op::Compare(_) | Op::And | Op::Or | Op::Difference => 2,
            Op::Choose => 3,
        }
    }

    /// Whether it makes a truth value.
    pub fn is_formula(self) -> bool {
        matches!(self, Op::Truth(_) | Op::Compare(_) | Op::Not | Op::And | Op::Or)
    }
}

/// A term or a formula.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Expr {
    code: Vec<Op>,
}

impl Expr {
    /// An operation without operands.
    pub fn leaf(op: Op) -> Self {
        assert_eq!(op.n_operands(), 0, "{op:?} has operands");
        Self { code: vec![op] }
    }

    /// A number.
    pub fn constant(number: i128) -> Self {
        Self::leaf(Op::Constant(number))
    }

    /// A truth value.
    pub fn truth(value: bool) -> Self {
        Self::leaf(Op::Truth(value))
    }

    /// A variable.
    pub fn read(place: Place) -> Self {
        Self::leaf(Op::Read(place))
    }

    /// An operation on operands.
    ///
    /// # Panics
    /// If they are not as many as the operation takes, or of another kind.
    pub fn of(op: Op, operands: &[Expr]) -> Self {
        match operands {
            [] => Self::leaf(op),
            [one] => one.clone().unary(op),
            [left, right] => left.clone().binary(op, right.clone()),
            [condition, yes, no] => Self::choose(condition.clone(), yes.clone(), no.clone()),
            _ => panic!("{op:?} does not take {} operands", operands.len()),
        }
    }

    /// The operands of the operation that makes the value.
    pub fn operands(&self) -> Vec<Expr> {
        let mut starts: Vec<usize> = Vec::new();
        for (at, op) in self.code[..self.code.len() - 1].iter().enumerate() {
            let first = starts.len() - op.n_operands();
            let start = starts.get(first).copied().unwrap_or(at);
            starts.truncate(first);
            starts.push(start);
        }
        let ends = starts.iter().skip(1).copied().chain([self.code.len() - 1]);
        starts.iter().zip(ends).map(|(start, end)| Self { code: self.code[*start..end].to_vec() }).collect()
    }

    /// The operations, operands first.
    pub fn code(&self) -> &[Op] {
        &self.code
    }

    /// The operation that makes the value.
    pub fn root(&self) -> Op {
        *self.code.last().expect("an expression has at least one operation")
    }

    /// Whether its value is a truth value.
    pub fn is_formula(&self) -> bool {
        self.root().is_formula()
    }

    /// The number, if it is nothing else.
    pub fn as_constant(&self) -> Option<i128> {
        match self.code[..] {
            [Op::Constant(number)] => Some(number),
            _ => None,
        }
    }

    /// The truth value, if it is nothing else.
    pub fn as_truth(&self) -> Option<bool> {
        match self.code[..] {
            [Op::Truth(value)] => Some(value),
            _ => None,
        }
    }

    /// An operation with one operand.
    #[must_use]
    pub fn unary(mut self, op: Op) -> Self {
        assert_eq!(op.n_operands(), 1, "{op:?} does not take one operand");
        assert_eq!(self.is_formula(), matches!(op, Op::Not | Op::Number), "{op:?} takes the other kind");
        let folded = match (op, self.root(), self.code.len()) {
            (Op::Not, Op::Not, _) => {
                self.code.pop();
                return self;
            }
            (Op::Not, Op::Compare(relation), _) => {
                self.code.pop();
                Some(Op::Compare(relation.negated()))
            }
            (Op::Not, Op::Truth(value), 1) => {
                self.code.pop();
                Some(Op::Truth(!value))
            }
            (Op::Number, Op::Truth(value), 1) => {
                self.code.pop();
                Some(Op::Constant(value.into()))
            }
            (Op::Within(ty), Op::Constant(number), 1) if ty.contains(number) => return self,
            (Op::Wrap(ty), Op::Constant(number), 1) => {
                self.code.pop();
                Some(Op::Constant(ty.wrap(number)))
            }
            // What is kept of what was kept is kept at once.
            (Op::Wrap(ty), Op::Wrap(inner), _) if inner.bits >= ty.bits => {
                self.code.pop();
                Some(op)
            }
            (Op::Wrap(ty), Op::Bits(bitwise, inner), _) if inner.bits >= ty.bits => {
                self.code.pop();
                Some(Op::Bits(bitwise, ty))
            }
            (Op::BitsWith(bitwise, number), Op::Constant(other), 1) => {
                self.code.pop();
                Some(Op::Constant(bitwise.apply(other, number)))
            }
            (Op::Negate, Op::Constant(number), 1) if number != i128::MIN => {
                self.code.pop();
                Some(Op::Constant(-number))
            }
            _ => None,
        };
        self.code.push(folded.unwrap_or(op));
        self
    }

    /// An operation with two operands.
    #[must_use]
    pub fn binary(mut self, op: Op, right: Expr) -> Self {
        assert_eq!(op.n_operands(), 2, "{op:?} does not take two operands");
        let logical = matches!(op, Op::And | Op::Or);
        let kinds = (self.is_formula(), right.is_formula());
        assert_eq!(kinds, (logical, logical), "{op:?} takes the other kind");
        if let (Some(left), Some(right)) = (self.as_constant(), right.as_constant())
            && let Some(folded) = fold(op, left, right)
        {
            return Self::leaf(folded);
        }
        if let Op::Bits(bitwise, ty) = op {
            return self.bits(bitwise, ty, right);
        }
        match (op, self.as_truth(), right.as_truth()) {
            (Op::And, Some(true), _) | (Op::Or, Some(false), _) => return right,
            (Op::And, Some(false), _) | (Op::Or, Some(true), _) => return self,
            (Op::And, _, Some(true)) | (Op::Or, _, Some(false)) => return self,
            _ => {}
        }
        self.code.extend(right.code);
        self.code.push(op);
        self
    }

    /// Bits of two terms: of both only the low bits matter, and what is there twice is not there at all.
    fn bits(self, bitwise: Bitwise, ty: Type, right: Expr) -> Self {
        let (left, right) = (self.low_bits(ty), right.low_bits(ty));
        if bitwise == Bitwise::Xor {
            for (one, other) in [(&left, &right), (&right, &left)] {
                if one.root() != Op::Bits(Bitwise::Xor, ty) {
                    continue;
                }
                let parts = one.operands();
                let there = parts.iter().position(|part| part == other);
                // Whatever is left out has a value for sure.
                if let Some(n) = there.filter(|_| other.is_quiet()) {
                    return parts[1 - n].clone().unary(Op::Wrap(ty));
                }
            }
        }
        let mut code = left.code;
        code.extend(right.code);
        code.push(Op::Bits(bitwise, ty));
        Self { code }
    }

    /// What is reduced to some of its bits, if those include the ones that matter.
    fn low_bits(self, ty: Type) -> Self {
        match self.root() {
            Op::Wrap(inner)
                if inner.bits >= ty.bits
                    && self.code[..self.code.len() - 1].last() != Some(&Op::Multiply) =>
            {
                let mut code = self.code;
                code.pop();
                Self { code }
            }
            _ => self,
        }
    }

    /// Whether it has a value wherever it is, also on a machine.
    pub fn is_quiet(&self) -> bool {
        let is_noisy = |op: &Op| {
            matches!(op, Op::Within(_) | Op::Remainder(_) | Op::ShiftLeft(Type { signed: true, .. }))
        };
        self.is_total() && !self.code.iter().any(is_noisy)
    }

    /// A comparison.
    #[must_use]
    pub fn compare(self, relation: Relation, right: Expr) -> Self {
        self.binary(Op::Compare(relation), right)
    }

    /// Both hold.
    #[must_use]
    pub fn and(self, right: Expr) -> Self {
        self.binary(Op::And, right)
    }

    /// The condition does not hold.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "it is the connective of formulas, as `and` is")]
    pub fn not(self) -> Self {
        self.unary(Op::Not)
    }

    /// One number where a condition holds, another where it does not.
    #[must_use]
    pub fn choose(condition: Expr, yes: Expr, no: Expr) -> Self {
        assert!(condition.is_formula() && !yes.is_formula() && !no.is_formula(), "a choice between numbers");
        match condition.as_truth() {
            Some(true) => return yes,
            Some(false) => return no,
            None => {}
        }
        let mut code = condition.code;
        code.extend(yes.code);
        code.extend(no.code);
        code.push(Op::Choose);
        Self { code }
    }

    /// Whether the number is not 0.
    #[must_use]
    pub fn is_nonzero(mut self) -> Self {
        if self.root() == Op::Number {
            self.code.pop();
            return self;
        }
        self.compare(Relation::NotEqual, Expr::constant(0))
    }

    /// A formula, defined everywhere, that holds where the expression is defined: no divisor that counts is 0, no distance of a shift out of range, and no pointer that counts is misused. Memory itself is not asked: it is for
    /// expressions without loads and differences of pointers.
    #[must_use]
    pub fn defined(&self) -> Self {
        self.defined_as_to(|_| true)
    }

    /// The same, as far as operations are concerned that count: divisions, and misuses of memory.
    #[must_use]
    pub fn defined_as_to(&self, counts: impl Fn(Op) -> bool) -> Self {
        let yes = || Expr::truth(true);
        let (_, defined) = self.fold(|op, operands: Vec<(Expr, Expr)>| {
            let mut operands = operands.into_iter();
            let mut next = || operands.next().expect("the operation has this operand");
            match op {
                Op::Misuse(_) if counts(op) => (Expr::constant(0), Expr::truth(false)),
                _ if op.n_operands() == 0 => (Expr::leaf(op), yes()),
                Op::And | Op::Or => {
                    let ((left, defined), (right, other)) = (next(), next());
                    let needless = if op == Op::And { left.clone().not() } else { left.clone() };
                    (left.binary(op, right), defined.and(unless(needless, other)))
                }
                Op::Choose => {
                    let ((condition, defined), (yes, if_yes), (no, if_no)) = (next(), next(), next());
                    let needed =
                        unless(condition.clone().not(), if_yes).and(unless(condition.clone(), if_no));
                    (Expr::choose(condition, yes, no), defined.and(needed))
                }
                Op::Initialised if counts(op) => {
                    let (operand, defined) = next();
                    let stored = operand.clone().compare(Relation::NotEqual, Expr::constant(WILD));
                    (operand, defined.and(stored))
                }
                _ if op.n_operands() == 1 => {
                    let (operand, defined) = next();
                    (operand.unary(op), defined)
                }
                _ => {
                    let ((left, defined), (right, other)) = (next(), next());
                    let allowed = match op {
                        Op::Divide | Op::Remainder(_) if counts(op) => {
                            right.clone().compare(Relation::NotEqual, Expr::constant(0))
                        }
                        Op::ShiftLeft(ty) | Op::ShiftRight(ty) if counts(op) => {
                            let least = right.clone().compare(Relation::GreaterEqual, Expr::constant(0));
                            let bits = Expr::constant(ty.bits.into());
                            least.and(right.clone().compare(Relation::Less, bits))
                        }
                        _ => yes(),
                    };
                    (left.binary(op, right), defined.and(other).and(allowed))
                }
            }
        });
        defined
    }

    /// Whether it has a value wherever it is, for all to see: divisors and distances of shifts are constants.
    pub fn is_total(&self) -> bool {
        let uses_memory =
            |op: &Op| matches!(op, Op::Misuse(_) | Op::Load(_) | Op::Initialised | Op::Difference);
        self.is_total_but_for_memory() && !self.code.iter().any(uses_memory)
    }

    /// Whether it has a value wherever it is and memory is not misused.
    pub fn is_total_but_for_memory(&self) -> bool {
        self.code.iter().enumerate().all(|(n, op)| match *op {
            Op::Divide | Op::Remainder(_) => {
                matches!(self.code[n - 1], Op::Constant(number) if number != 0)
            }
            Op::ShiftLeft(ty) | Op::ShiftRight(ty) => {
                matches!(self.code[n - 1], Op::Constant(number) if bits::is_distance(ty, number))
            }
            _ => true,
        })
    }

    /// Whether it reads memory.
    pub fn has_loads(&self) -> bool {
        self.code.iter().any(|op| matches!(op, Op::Load(_)))
    }

    /// Each leaf replaced by an expression of the same kind; `None` leaves it.
    #[must_use]
    pub fn substitute(&self, mut by: impl FnMut(Op) -> Option<Expr>) -> Self {
        let mut code = Vec::with_capacity(self.code.len());
        for &op in &self.code {
            match if op.n_operands() == 0 { by(op) } else { None } {
                Some(expr) => code.extend(expr.code),
                None => code.push(op),
            }
        }
        Self { code }
    }

    /// The same, each operation made anew, so that what has become constant is computed.
    #[must_use]
    pub fn simplified(&self) -> Self {
        self.fold(|op, operands: Vec<Expr>| Self::of(op, &operands))
    }

    /// Each operation replaced by one with as many operands.
    #[must_use]
    pub fn relabelled(&self, by: impl Fn(Op) -> Op) -> Self {
        let same = |&op: &Op| {
            let other = by(op);
            assert_eq!(
                (op.n_operands(), op.is_formula()),
                (other.n_operands(), other.is_formula()),
                "{op:?}, {other:?}"
            );
            other
        };
        Self { code: self.code.iter().map(same).collect() }
    }

    /// The variables it reads, with repetitions.
    pub fn reads(&self) -> impl Iterator<Item = Place> + '_ {
        self.code.iter().filter_map(|op| match op {
            Op::Read(place) => Some(*place),
            _ => None,
        })
    }

    /// Calls `visit` with each operation and the values that it made of the operands, and gives the value of the whole.
    pub fn fold<T>(&self, mut visit: impl FnMut(Op, Vec<T>) -> T) -> T {
        let mut stack: Vec<T> = Vec::new();
        for &op in &self.code {
            let operands = stack.split_off(stack.len() - op.n_operands());
            stack.push(visit(op, operands));
        }
        stack.pop().expect("an expression leaves one value")
    }
}

/// It holds unless something else does.
fn unless(needless: Expr, formula: Expr) -> Expr {
    match formula.as_truth() {
        Some(true) => formula,
        _ => needless.binary(Op::Or, formula),
    }
}

/// An operation on two constants, where the result is small enough to be computed at once.
fn fold(op: Op, left: i128, right: i128) -> Option<Op> {
    let number = match op {
        Op::Add => left.checked_add(right)?,
        Op::Subtract => left.checked_sub(right)?,
        Op::Multiply => left.checked_mul(right)?,
        Op::Divide => left.checked_div(right)?,
        Op::Remainder(ty) if ty.contains(left.checked_div(right)?) => left.checked_rem(right)?,
        Op::Bits(bitwise, ty) => ty.wrap(bitwise.apply(left, right)),
        // The machine has its say about a negative number.
        Op::ShiftLeft(ty) if bits::is_distance(ty, right) && (left >= 0 || !ty.signed) => {
            bits::left(left, right)?
        }
        Op::ShiftRight(ty) if bits::is_distance(ty, right) => bits::right(left, right),
        Op::Compare(relation) => return Some(Op::Truth(relation.holds(left, right))),
        _ => return None,
    };
    Some(Op::Constant(number))
}

//! The values of expressions in many runs at once, and in which of them an expression has none. It agrees with [`integers::evaluate`], with the widths of a machine.

use crate::machine::{Machine, Results};
use crate::state::State;
use crate::terms::{Bool, Int, NO, YES};
use crate::value::{Alternative, Beyond, Pointers, Value};
use integers::{Expr, Misuse, Op, Place, Relation, Type, Undefined};

/// What has no value, and in which runs.
pub type Undefineds = Vec<(Undefined, Bool)>;

/// What is on the stack.
struct Operand {
    kind: Kind,
    undefined: Undefineds,
}

enum Kind {
    Term(Value),
    Formula(Bool),
}

impl Operand {
    fn term(self) -> (Value, Undefineds) {
        match self.kind {
            Kind::Term(value) => (value, self.undefined),
            Kind::Formula(_) => unreachable!("a term is no formula"),
        }
    }

    fn formula(self) -> (Bool, Undefineds) {
        match self.kind {
            Kind::Formula(bool) => (bool, self.undefined),
            Kind::Term(_) => unreachable!("a formula is no term"),
        }
    }
}

impl Machine<'_> {
    /// The value of a term.
    pub(crate) fn value(
        &mut self,
        state: &mut State,
        inputs: &[Int],
        expr: &Expr,
    ) -> Result<(Value, Undefineds), Beyond> {
        Ok(self.evaluated(state, inputs, expr)?.term())
    }

    /// The value of a formula.
    pub(crate) fn formula(
        &mut self,
        state: &mut State,
        inputs: &[Int],
        expr: &Expr,
    ) -> Result<(Bool, Undefineds), Beyond> {
        Ok(self.evaluated(state, inputs, expr)?.formula())
    }

    fn evaluated(&mut self, state: &mut State, inputs: &[Int], expr: &Expr) -> Result<Operand, Beyond> {
        let mut stack: Vec<Operand> = Vec::new();
        let mut skips = false;
        for (position, &op) in expr.code().iter().enumerate() {
            if std::mem::take(&mut skips) {
                continue;
            }
            let operands = stack.split_off(stack.len() - op.n_operands());
            let next = expr.code().get(position + 1);
            let operand = match (op, next) {
                (Op::Multiply | Op::ShiftLeft(_), Some(&Op::Wrap(ty))) => {
                    skips = true;
                    self.reduced(op, ty, operands)?
                }
                _ => self.applied(state, inputs, op, operands)?,
            };
            stack.push(operand);
        }
        Ok(stack.pop().expect("an expression leaves one value"))
    }

    /// An operation without operands.
    fn leaf(&mut self, state: &State, inputs: &[Int], op: Op) -> Option<Operand> {
        let term = |value: Value| Operand { kind: Kind::Term(value), undefined: Vec::new() };
        let truth = |bool: Bool| Operand { kind: Kind::Formula(bool), undefined: Vec::new() };
        let zero = Value::Number(self.terms.constant(0));
        Some(match op {
            Op::Constant(number) => term(Value::constant(&mut self.terms, number)),
            Op::Truth(value) => truth(if value { YES } else { NO }),
            Op::Read(Place::Global(n)) => term(state.globals[n as usize].clone()),
            Op::Read(Place::Local(n)) => term(state.running().locals[n as usize].clone()),
            Op::Input(n) => term(Value::Number(inputs[n as usize])),
            Op::Unknown(_) => term(Value::Unknown),
            Op::Object(object) => {
                let first = self.terms.constant(0);
                term(Value::pointer(i64::from(object.0) + 1, first))
            }
            Op::Misuse(misuse) => {
                let undefined = vec![(Undefined::Memory(misuse), YES)];
                Operand { kind: Kind::Term(zero), undefined }
            }
            _ => return None,
        })
    }

    fn applied(
        &mut self,
        state: &mut State,
        inputs: &[Int],
        op: Op,
        operands: Vec<Operand>,
    ) -> Result<Operand, Beyond> {
        if let Some(leaf) = self.leaf(state, inputs, op) {
            return Ok(leaf);
        }
        let mut operands = operands.into_iter();
        let mut next = || operands.next().expect("the operation has this operand");
        match op {
            Op::And | Op::Or => {
                let ((left, undefined), (right, other)) = (next().formula(), next().formula());
                let needed = if op == Op::And { left } else { self.terms.not(left) };
                let undefined = self.also(undefined, needed, other);
                let bool =
                    if op == Op::And { self.terms.and(left, right) } else { self.terms.or(left, right) };
                Ok(Operand { kind: Kind::Formula(bool), undefined })
            }
            Op::Not => {
                let (bool, undefined) = next().formula();
                Ok(Operand { kind: Kind::Formula(self.terms.not(bool)), undefined })
            }
            Op::Number => {
                let (bool, undefined) = next().formula();
                let (one, zero) = (self.terms.constant(1), self.terms.constant(0));
                let number = self.terms.choose(bool, one, zero);
                Ok(Operand { kind: Kind::Term(Value::Number(number)), undefined })
            }
            Op::Choose => {
                let ((condition, undefined), (yes, if_yes), (no, if_no)) =
                    (next().formula(), next().term(), next().term());
                let other = self.terms.not(condition);
                let undefined = self.also(undefined, condition, if_yes);
                let undefined = self.also(undefined, other, if_no);
                let value = Value::choose(&mut self.terms, condition, &yes, &no)?;
                Ok(Operand { kind: Kind::Term(value), undefined })
            }
            Op::Load(region) => {
                let (pointer, mut undefined) = next().term();
                // Whoever misuses memory earlier reads nothing.
                let misused = self.any(&undefined);
                let (value, more) = self.loaded(state, region, &pointer, misused)?;
                undefined.extend(more);
                Ok(Operand { kind: Kind::Term(value), undefined })
            }
            Op::Compare(relation) => {
                let ((left, undefined), (right, other)) = (next().term(), next().term());
                let undefined = self.also(undefined, YES, other);
                let bool = self.compared(relation, &left, &right)?;
                Ok(Operand { kind: Kind::Formula(bool), undefined })
            }
            _ if op.n_operands() == 1 => {
                let (operand, mut undefined) = next().term();
                let value = self.unary(op, operand, &mut undefined)?;
                Ok(Operand { kind: Kind::Term(value), undefined })
            }
            _ => {
                let ((left, undefined), (right, other)) = (next().term(), next().term());
                let mut undefined = self.also(undefined, YES, other);
                let value = self.binary(op, left, right, &mut undefined)?;
                Ok(Operand { kind: Kind::Term(value), undefined })
            }
        }
    }

    /// More of what is undefined, which counts where a condition holds.
    fn also(&mut self, mut undefined: Undefineds, needed: Bool, other: Undefineds) -> Undefineds {
        for (what, guard) in other {
            let guard = self.terms.and(guard, needed);
            if guard != NO {
                undefined.push((what, guard));
            }
        }
        undefined
    }

    /// The runs in which something is undefined.
    pub(crate) fn any(&mut self, undefined: &Undefineds) -> Bool {
        undefined.iter().fold(NO, |any, (_, guard)| self.terms.or(any, *guard))
    }

    /// A product or a shift of which only low bits matter.
    fn reduced(&mut self, op: Op, ty: Type, operands: Vec<Operand>) -> Result<Operand, Beyond> {
        let mut operands = operands.into_iter().map(Operand::term);
        let (Some((left, undefined)), Some((right, other))) = (operands.next(), operands.next()) else {
            unreachable!("{op:?} takes two operands")
        };
        let mut undefined = self.also(undefined, YES, other);
        let value = match (left, right) {
            (Value::Number(left), Value::Number(right)) => Value::Number(match op {
                Op::ShiftLeft(_) => {
                    self.distance(op, left, right, &mut undefined);
                    self.terms.wrapped_shift(ty, left, right)
                }
                _ => self.terms.wrapped_product(ty, left, right),
            }),
            (Value::Unknown, _) | (_, Value::Unknown) => {
                if matches!(op, Op::ShiftLeft(_)) {
                    let open = self.terms.open();
                    undefined.push((Undefined::Shift, open));
                }
                Value::Unknown
            }
            _ => return Err(Beyond("arithmetic with a pointer")),
        };
        Ok(Operand { kind: Kind::Term(value), undefined })
    }

    fn unary(&mut self, op: Op, operand: Value, undefined: &mut Undefineds) -> Result<Value, Beyond> {
        if let Op::Member(..) | Op::Initialised = op {
            return self.pointed(op, operand, undefined);
        }
        let int = match operand {
            Value::Number(int) => int,
            Value::Unknown => {
                if let Op::Within(ty) = op {
                    let open = self.terms.open();
                    undefined.push((Undefined::Overflow(ty), open));
                }
                return Ok(Value::Unknown);
            }
            Value::Pointer(_) => return Err(Beyond("arithmetic with a pointer")),
        };
        Ok(Value::Number(match op {
            Op::Negate => {
                let zero = self.terms.constant(0);
                self.terms.subtract(zero, int)?
            }
            Op::BitsWith(bitwise, number) => {
                let number = self.terms.constant(number);
                self.terms.bits(bitwise, int, number)
            }
            Op::Wrap(ty) => self.terms.wrap(ty, int),
            Op::Within(ty) => {
                let outside = self.outside(ty, int);
                note(undefined, Undefined::Overflow(ty), outside);
                self.terms.wrap(ty, int)
            }
            _ => unreachable!("{op:?} does not take one operand"),
        }))
    }

    /// The runs in which a number is none of a type.
    fn outside(&mut self, ty: Type, int: Int) -> Bool {
        let (least, most) = (self.terms.constant(ty.min()), self.terms.constant(ty.max()));
        let (below, above) = (self.terms.less(int, least), self.terms.less(most, int));
        self.terms.or(below, above)
    }

    fn pointed(&mut self, op: Op, operand: Value, undefined: &mut Undefineds) -> Result<Value, Beyond> {
        if operand == Value::Unknown {
            if op == Op::Initialised {
                let open = self.terms.open();
                undefined.push((Undefined::Memory(Misuse::Uninitialised), open));
            }
            return Ok(Value::Unknown);
        }
        // The number of a function is no pointer to an object, and is never wild.
        if let (Op::Initialised, Value::Number(_)) = (op, &operand) {
            return Ok(operand);
        }
        let mut pointers = Pointers::default();
        for &alternative in operand.alternatives(&self.terms)?.iter() {
            let Alternative { guard, object, offset } = alternative;
            match op {
                Op::Member(stride, start) => {
                    let (stride, start) =
                        (self.terms.constant(stride.into()), self.terms.constant(start.into()));
                    let scaled = self.terms.multiply(offset, stride)?;
                    let offset = self.terms.add(scaled, start)?;
                    pointers.add(&mut self.terms, Alternative { guard, object, offset });
                }
                _ => {
                    if object == -1 {
                        let zero = self.terms.constant(0);
                        let is_wild = self.terms.equal(offset, zero);
                        let guard = self.terms.and(guard, is_wild);
                        note(undefined, Undefined::Memory(Misuse::Uninitialised), guard);
                    }
                    pointers.add(&mut self.terms, alternative);
                }
            }
        }
        pointers.value()
    }

    fn binary(
        &mut self,
        op: Op,
        left: Value,
        right: Value,
        undefined: &mut Undefineds,
    ) -> Result<Value, Beyond> {
        let (left, right) = match (op, left, right) {
            (Op::Difference, left, right) => return self.difference(&left, &right, undefined),
            (Op::Add | Op::Subtract, Value::Pointer(alternatives), Value::Number(count)) => {
                return self.stepped(op, &alternatives, count);
            }
            (Op::Add, Value::Number(count), Value::Pointer(alternatives)) => {
                return self.stepped(op, &alternatives, count);
            }
            (_, Value::Number(left), Value::Number(right)) => (left, right),
            (_, Value::Pointer(_), _) | (_, _, Value::Pointer(_)) => {
                return Err(Beyond("arithmetic with a pointer"));
            }
            _ => {
                let what = match op {
                    Op::Divide => Some(Undefined::Division),
                    Op::Remainder(ty) => {
                        let open = self.terms.open();
                        undefined.push((Undefined::Overflow(ty), open));
                        Some(Undefined::Division)
                    }
                    Op::ShiftLeft(_) | Op::ShiftRight(_) => Some(Undefined::Shift),
                    _ => None,
                };
                if let Some(what) = what {
                    let open = self.terms.open();
                    undefined.push((what, open));
                }
                return Ok(Value::Unknown);
            }
        };
        Ok(Value::Number(match op {
            Op::Add => self.terms.add(left, right)?,
            Op::Subtract => self.terms.subtract(left, right)?,
            Op::Multiply => self.terms.multiply(left, right)?,
            Op::Divide | Op::Remainder(_) => {
                let zero = self.terms.constant(0);
                let is_zero = self.terms.equal(right, zero);
                note(undefined, Undefined::Division, is_zero);
                match op {
                    Op::Remainder(ty) => {
                        let overflows = self.quotient_overflows(ty, left, right);
                        note(undefined, Undefined::Overflow(ty), overflows);
                        self.terms.remainder(left, right)
                    }
                    _ => self.terms.divide(left, right),
                }
            }
            Op::Bits(bitwise, ty) => {
                let bits = self.terms.bits(bitwise, left, right);
                self.terms.wrap(ty, bits)
            }
            Op::ShiftLeft(_) => {
                self.distance(op, left, right, undefined);
                self.terms.shift_left(left, right)?
            }
            Op::ShiftRight(_) => {
                self.distance(op, left, right, undefined);
                self.terms.shift_right(left, right)
            }
            _ => unreachable!("{op:?} does not take two numbers"),
        }))
    }

    /// Whether the machine can represent a quotient: all but that of the least number and -1, if both are of the type.
    fn quotient_overflows(&mut self, ty: Type, left: Int, right: Int) -> Bool {
        if self.results == Results::Wrap {
            return NO;
        }
        let (least, most) = self.terms.limits(left);
        if ty.contains(least) && ty.contains(most) {
            let (least, minus) = (self.terms.constant(ty.min()), self.terms.constant(-1));
            let (is_least, is_minus) = (self.terms.equal(left, least), self.terms.equal(right, minus));
            return if ty.signed { self.terms.and(is_least, is_minus) } else { NO };
        }
        let quotient = self.terms.divide(left, right);
        self.outside(ty, quotient)
    }

    /// Notes shifts that are not possible: by a distance out of range, and of a negative number to the left.
    fn distance(&mut self, op: Op, left: Int, right: Int, undefined: &mut Undefineds) {
        let (Op::ShiftLeft(ty) | Op::ShiftRight(ty)) = op else { return };
        let (zero, last) = (self.terms.constant(0), self.terms.constant(i128::from(ty.bits) - 1));
        let (below, above) = (self.terms.less(right, zero), self.terms.less(last, right));
        let outside = self.terms.or(below, above);
        note(undefined, Undefined::Shift, outside);
        if matches!(op, Op::ShiftLeft(_)) && ty.signed && self.results == Results::EndRuns {
            let is_negative = self.terms.less(left, zero);
            note(undefined, Undefined::Overflow(ty), is_negative);
        }
    }

    fn stepped(&mut self, op: Op, alternatives: &[Alternative], count: Int) -> Result<Value, Beyond> {
        let mut pointers = Pointers::default();
        for &Alternative { guard, object, offset } in alternatives {
            let offset = match op {
                Op::Add => self.terms.add(offset, count)?,
                _ => self.terms.subtract(offset, count)?,
            };
            pointers.add(&mut self.terms, Alternative { guard, object, offset });
        }
        pointers.value()
    }

    fn difference(
        &mut self,
        left: &Value,
        right: &Value,
        undefined: &mut Undefineds,
    ) -> Result<Value, Beyond> {
        let (left, right) = (left.alternatives(&self.terms)?, right.alternatives(&self.terms)?);
        let mut difference = self.terms.constant(0);
        for one in left.iter() {
            for other in right.iter() {
                let guard = self.terms.and(one.guard, other.guard);
                if one.object == -1 || other.object == -1 {
                    note(undefined, Undefined::Memory(Misuse::Uninitialised), guard);
                } else if one.object == other.object {
                    let here = self.terms.subtract(one.offset, other.offset)?;
                    difference = self.terms.choose(guard, here, difference);
                } else {
                    note(undefined, Undefined::Memory(Misuse::Unrelated), guard);
                }
            }
        }
        Ok(Value::Number(difference))
    }

    fn compared(&mut self, relation: Relation, left: &Value, right: &Value) -> Result<Bool, Beyond> {
        match (left, right) {
            (Value::Number(left), Value::Number(right)) => Ok(self.terms.compare(relation, *left, *right)),
            (Value::Unknown, _) | (_, Value::Unknown) => Ok(self.terms.open()),
            _ => {
                let (left, right) = (left.alternatives(&self.terms)?, right.alternatives(&self.terms)?);
                let mut equal = NO;
                for one in left.iter() {
                    for other in right.iter().filter(|other| one.object == other.object) {
                        let same = self.terms.equal(one.offset, other.offset);
                        let both = self.terms.and(one.guard, other.guard);
                        let both = self.terms.and(both, same);
                        equal = self.terms.or(equal, both);
                    }
                }
                match relation {
                    Relation::Equal => Ok(equal),
                    Relation::NotEqual => Ok(self.terms.not(equal)),
                    _ => Err(Beyond("pointers are compared as numbers")),
                }
            }
        }
    }
}

/// Notes what is undefined in some runs, if there are any.
pub(crate) fn note(undefined: &mut Undefineds, what: Undefined, guard: Bool) {
    if guard != NO {
        undefined.push((what, guard));
    }
}

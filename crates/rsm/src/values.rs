//! The possible values of an expression in a concrete state.
//!
//! [`evaluate`] is the definition: code is read from left to right, and whoever calls it says what each `*` chooses.
//! [`possible`] is the set of all results that gives. It is found operand by operand, for each `*` is used once; this is
//! exact. [`choices`] is the inverse: what to choose for a result. Sets are symbolic, so 64 bits are no problem;
//! an expression that combines very many different values is [`TooLarge`], an answer the callers pass on.

mod always;
mod arithmetic;
mod inverse;
mod set;

pub use always::holds_always;
pub use inverse::{Chosen, choices};
pub use set::ValueSet;

use crate::expr::{Expr, Operation, Type};
use crate::machine::Place;
use std::fmt;

/// A set of values or of states is too large to be written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("too many values to enumerate")
    }
}

impl std::error::Error for TooLarge {}

/// The values of variables that an expression sees.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    globals: &'a [u64],
    locals: &'a [u64],
    next: Option<(&'a [u64], &'a [u64])>,
}

impl<'a> View<'a> {
    /// A state. A new value `x'` is the same as `x`.
    pub fn new(globals: &'a [u64], locals: &'a [u64]) -> Self {
        Self { globals, locals, next: None }
    }

    /// The same with these new values of the globals and the locals.
    #[must_use]
    pub fn with_next(self, globals: &'a [u64], locals: &'a [u64]) -> Self {
        Self { next: Some((globals, locals)), ..self }
    }

    /// The value of `x`.
    pub fn old(&self, place: Place) -> u64 {
        at(self.globals, self.locals, place)
    }

    /// The value of `x'`.
    pub fn next(&self, place: Place) -> u64 {
        let (globals, locals) = self.next.unwrap_or((self.globals, self.locals));
        at(globals, locals, place)
    }
}

fn at(globals: &[u64], locals: &[u64], place: Place) -> u64 {
    match place {
        Place::Global(n) => globals[n as usize],
        Place::Local(n) => locals[n as usize],
    }
}

/// The value of an expression. `choose` is asked once for each `*` and for each `schoose` neither side of which holds,
/// in the order of the text. It answers with a value of the type. The branch of a conditional that does not
/// count is evaluated too.
pub fn evaluate(expr: &Expr, view: &View<'_>, choose: &mut dyn FnMut(&Type) -> u64) -> u64 {
    let mut stack = Stack::default();
    for term in &expr.code {
        stack.run(term.operation, &term.ty, view, choose);
    }
    stack.0.pop().expect("code leaves one value")
}

/// The values of operands that wait for their operators.
#[derive(Default)]
pub(crate) struct Stack(pub(crate) Vec<u64>);

impl Stack {
    fn pop(&mut self) -> u64 {
        self.0.pop().expect("operands come before their operator")
    }

    /// The next operation would be a choice.
    pub(crate) fn would_choose(&self, operation: Operation) -> bool {
        match operation {
            Operation::Choice(_) => true,
            Operation::Schoose => self.0.ends_with(&[0, 0]),
            _ => false,
        }
    }

    /// Executes an operation.
    pub(crate) fn run(
        &mut self,
        operation: Operation,
        ty: &Type,
        view: &View<'_>,
        choose: &mut dyn FnMut(&Type) -> u64,
    ) {
        let value = match operation {
            Operation::Constant(value) => value,
            Operation::Read(place) => view.old(place),
            Operation::ReadNext(place) => view.next(place),
            Operation::Choice(_) => choose(ty),
            Operation::Not => 1 - self.pop(),
            Operation::Negate => self.pop().wrapping_neg() & ty.max(),
            Operation::Binary(operator) => {
                let (right, left) = (self.pop(), self.pop());
                arithmetic::apply(operator, left, right, ty.max())
            }
            Operation::Conditional => {
                let (no, yes, condition) = (self.pop(), self.pop(), self.pop());
                if condition == 1 { yes } else { no }
            }
            Operation::Schoose => {
                let (negative, positive) = (self.pop(), self.pop());
                if positive == 0 && negative == 0 { choose(ty) } else { positive }
            }
        };
        self.0.push(value);
    }
}

/// All values the expression can have.
pub fn possible(expr: &Expr, view: &View<'_>) -> Result<ValueSet, TooLarge> {
    if !expr.has_choice() {
        let value = evaluate(expr, view, &mut |_| unreachable!("the expression has no choice"));
        return Ok(ValueSet::single(value, expr.ty()));
    }
    possible_with(expr, &mut |place, when, ty| ValueSet::single(when.value(view, place), ty))
}

/// The condition holds for some choice.
pub fn can_hold(condition: &Expr, view: &View<'_>) -> Result<bool, TooLarge> {
    Ok(possible(condition, view)?.contains(1))
}

/// The condition fails for some choice.
pub fn can_fail(condition: &Expr, view: &View<'_>) -> Result<bool, TooLarge> {
    Ok(possible(condition, view)?.contains(0))
}

/// Which value of a variable is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// The old one.
    Old,
    /// The new one, `x'`.
    Next,
}

impl When {
    fn value(self, view: &View<'_>, place: Place) -> u64 {
        match self {
            When::Old => view.old(place),
            When::Next => view.next(place),
        }
    }
}

/// All values the expression has if each reading of a variable may give any value of a set. If a set has several
/// values and its variable is read more than once, the result may have values that are not really possible.
pub(crate) fn possible_with(
    expr: &Expr,
    read: &mut dyn FnMut(Place, When, &Type) -> ValueSet,
) -> Result<ValueSet, TooLarge> {
    let mut stack: Vec<ValueSet> = Vec::new();
    let mut work = Work::default();
    for term in &expr.code {
        let operands = stack.split_off(stack.len() - n_operands(term.operation));
        stack.push(work.result(term.operation, &term.ty, &operands.iter().collect::<Vec<_>>(), read)?);
    }
    Ok(stack.pop().expect("code leaves one value"))
}

/// How many operands an operation takes.
pub fn n_operands(operation: Operation) -> usize {
    match operation {
        Operation::Constant(_) | Operation::Read(_) | Operation::ReadNext(_) | Operation::Choice(_) => 0,
        Operation::Not | Operation::Negate => 1,
        Operation::Binary(_) | Operation::Schoose => 2,
        Operation::Conditional => 3,
    }
}

/// So many cosets may be combined in one expression. It is enough for sixteen operators on sets of bytes that cannot
/// be described more simply than by all their elements.
const MAX_WORK: usize = 1 << 20;

/// How many cosets have been combined so far.
#[derive(Default)]
struct Work(usize);

impl Work {
    /// Pays for a result; single values are free, so the length of an expression does not matter.
    fn pay(&mut self, n_cosets: usize) -> Result<(), TooLarge> {
        self.0 = self.0.saturating_add(n_cosets - 1);
        if self.0 > MAX_WORK { Err(TooLarge) } else { Ok(()) }
    }

    /// The results of an operation on the values of its operands.
    fn result(
        &mut self,
        operation: Operation,
        ty: &Type,
        operands: &[&ValueSet],
        read: &mut dyn FnMut(Place, When, &Type) -> ValueSet,
    ) -> Result<ValueSet, TooLarge> {
        Ok(match (operation, operands) {
            (Operation::Constant(value), _) => ValueSet::single(value, ty),
            (Operation::Read(place), _) => read(place, When::Old, ty),
            (Operation::ReadNext(place), _) => read(place, When::Next, ty),
            (Operation::Choice(_), _) => ValueSet::all(ty),
            (Operation::Not, [set]) => ValueSet::truth(set.contains(1), set.contains(0)),
            (Operation::Negate, [set]) => {
                self.pay(set.cosets().len())?;
                arithmetic::negate(set)
            }
            (Operation::Binary(operator), [left, right]) => {
                self.pay(left.cosets().len().saturating_mul(right.cosets().len()))?;
                arithmetic::binary(operator, left, right)
            }
            (Operation::Conditional, [condition, yes, no]) => {
                let branches = [(1, yes), (0, no)];
                let taken = branches.iter().filter(|(value, _)| condition.contains(*value));
                let cosets: Vec<_> = taken.flat_map(|(_, set)| set.cosets().iter().copied()).collect();
                self.pay(cosets.len())?;
                ValueSet::union(ty.max(), cosets)
            }
            (Operation::Schoose, [positive, negative]) => {
                ValueSet::truth(positive.contains(0), positive.contains(1) || negative.contains(0))
            }
            _ => unreachable!("an operation has the operands it asks for"),
        })
    }
}

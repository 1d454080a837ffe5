//! What to choose so that an expression has a wanted value.
//!
//! A pass forwards finds the possible values of every operand; a pass backwards then tells each operand which of its
//! possible values is wanted from it, until that reaches the `*`.

use super::{TooLarge, ValueSet, View, Work, arithmetic, n_operands};
use crate::expr::{Expr, Operation, Type};

/// What one `*` chooses, or a `schoose` neither side of which holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// The type of the value.
    pub ty: Type,
    /// The value.
    pub value: u64,
}

/// Choices in the order of the text, in which [`super::evaluate`] asks for them, that make the expression have the
/// wanted value; `None` if it cannot have it.
pub fn choices(expr: &Expr, view: &View<'_>, wanted: u64) -> Result<Option<Vec<Chosen>>, TooLarge> {
    if !expr.has_choice() {
        let value = super::evaluate(expr, view, &mut |_| unreachable!("the expression has no choice"));
        return Ok((value == wanted).then(Vec::new));
    }
    let parts = Parts::new(expr, view)?;
    let root = expr.code.len() - 1;
    if !parts.sets[root].contains(wanted) {
        return Ok(None);
    }
    let mut wanted_at = vec![0; expr.code.len()];
    wanted_at[root] = wanted;
    let mut chosen = Vec::new();
    for at in (0..expr.code.len()).rev() {
        let term = &expr.code[at];
        let is_choice = parts.ask(term.operation, at, &mut wanted_at);
        if is_choice {
            chosen.push(Chosen { ty: term.ty.clone(), value: wanted_at[at] });
        }
    }
    chosen.reverse();
    Ok(Some(chosen))
}

/// The possible values at each position of the code, and where its operands are.
struct Parts {
    sets: Vec<ValueSet>,
    /// The positions of the operands of each operation, in order.
    operands: Vec<Vec<usize>>,
}

impl Parts {
    fn new(expr: &Expr, view: &View<'_>) -> Result<Self, TooLarge> {
        let mut parts = Self { sets: Vec::new(), operands: Vec::new() };
        let mut stack: Vec<usize> = Vec::new();
        let mut work = Work::default();
        for (at, term) in expr.code.iter().enumerate() {
            let operands = stack.split_off(stack.len() - n_operands(term.operation));
            let sets: Vec<&ValueSet> = operands.iter().map(|at| &parts.sets[*at]).collect();
            let read =
                &mut |place, when: super::When, ty: &Type| ValueSet::single(when.value(view, place), ty);
            let set = work.result(term.operation, &term.ty, &sets, read)?;
            parts.sets.push(set);
            parts.operands.push(operands);
            stack.push(at);
        }
        Ok(parts)
    }

    /// Tells the operands at a position which values are wanted from them. Tells whether the operation is a choice.
    fn ask(&self, operation: Operation, at: usize, wanted_at: &mut [u64]) -> bool {
        let wanted = wanted_at[at];
        let set = |n: usize| &self.sets[self.operands[at][n]];
        let (values, is_choice): (Vec<u64>, bool) = match operation {
            Operation::Constant(_) | Operation::Read(_) | Operation::ReadNext(_) => (Vec::new(), false),
            Operation::Choice(_) => (Vec::new(), true),
            Operation::Not => (vec![1 - wanted], false),
            Operation::Negate => (vec![wanted.wrapping_neg() & set(0).type_max()], false),
            Operation::Binary(operator) => {
                let operands = arithmetic::operands(operator, set(0), set(1), wanted);
                let (left, right) = operands.expect("a possible value has operands");
                (vec![left, right], false)
            }
            Operation::Conditional => {
                let takes_yes = set(0).contains(1) && set(1).contains(wanted);
                let yes = if takes_yes { wanted } else { set(1).smallest() };
                let no = if takes_yes { set(2).smallest() } else { wanted };
                (vec![u64::from(takes_yes), yes, no], false)
            }
            Operation::Schoose => {
                let positive = u64::from(wanted == 1 && set(0).contains(1));
                let negative = if wanted == 1 && positive == 0 { 0 } else { set(1).largest() };
                (vec![positive, negative], positive == 0 && negative == 0)
            }
        };
        for (operand, value) in self.operands[at].iter().zip(values) {
            wanted_at[*operand] = value;
        }
        is_choice
    }
}

//! Overflows that wrap: a program whose mathematical runs are those of a machine on which every result keeps its low bits.

use crate::expr::{Expr, Op};
use crate::number::Type;
use crate::program::{Action, Program};

/// The same program, in which a result that does not fit its type is replaced by the value that agrees with it in the low bits.
pub fn wrapped(program: &Program) -> Program {
    let mut wrapped = program.clone();
    for edge in wrapped.functions.iter_mut().flat_map(|function| &mut function.edges) {
        match &mut edge.action {
            Action::Step(step) => {
                wrap(&mut step.guard);
                step.updates.iter_mut().for_each(|(_, value)| wrap(value));
                step.stores.iter_mut().flat_map(|(_, pointer, value)| [pointer, value]).for_each(wrap);
            }
            Action::Call { args, .. } => args.iter_mut().for_each(wrap),
            Action::Manage(manage) => manage.exprs_mut().into_iter().for_each(wrap),
        }
    }
    wrapped
}

fn wrap(expr: &mut Expr) {
    *expr = expr.relabelled(|op| match op {
        Op::Within(ty) => Op::Wrap(ty),
        // What is shifted to the left may be negative: the sign is a bit like others.
        Op::ShiftLeft(ty) => Op::ShiftLeft(Type::unsigned(ty.bits)),
        other => other,
    });
}

//! The second round: the same steps, with the same choices, from where the first one ended.

use super::{Runner, Taken};
use crate::expr::Expr;
use crate::machine::Action;
use crate::step::State;
use crate::trace::ReplayError;
use crate::values::{TooLarge, View, choices, evaluate};

impl Runner<'_> {
    /// Takes the steps of the cycle again, from its end; `head` is where it began.
    pub(super) fn go_round_again(
        &mut self,
        head: &Runner<'_>,
        cycle: &[Taken<'_>],
    ) -> Result<(), ReplayError> {
        let start = head.configuration.state();
        let mut before = &start;
        for taken in cycle {
            let again = self.same_choices(before, taken)?;
            self.take(taken, again).map_err(|e| e.at("the second time"))?;
            before = taken.visit.after;
        }
        Ok(())
    }

    /// What the step leads to that makes the choices of one that was taken in the state `before`.
    fn same_choices(&self, before: &State, taken: &Taken<'_>) -> Result<State, TooLarge> {
        let machine = &self.replay.program.machine;
        let mut after = self.configuration.state();
        let here = after.clone();
        let (old, new, got) = (before.view(), here.view(), taken.visit.after);
        match &machine.module(taken.visit.module).edge(taken.visit.edge).action {
            Action::Skip | Action::Assume(_) | Action::Assert(_) => {}
            Action::Assign { targets, values, .. } => {
                for (target, value) in targets.iter().zip(values) {
                    *after.slot(*target) = chosen_again(value, &old, got.value(*target), &new)?;
                }
            }
            Action::Call { args, .. } => {
                after.locals.clone_from(&got.locals);
                for (n, arg) in args.iter().enumerate() {
                    after.locals[n] = chosen_again(arg, &old, got.locals[n], &new)?;
                }
            }
            Action::Return { values } => {
                let Some((caller, call)) = taken.call else { return Ok(after) };
                let Action::Call { results, .. } = &machine.module(caller).edge(call).action else {
                    return Ok(after);
                };
                let stack = &self.configuration.stack;
                after.locals.clone_from(&stack[stack.len() - 2].locals);
                for (value, place) in values.iter().zip(results) {
                    if let Some(place) = place {
                        *after.slot(*place) = chosen_again(value, &old, got.value(*place), &new)?;
                    }
                }
            }
        }
        Ok(after)
    }
}

/// The value in the new state, if the choices are those that gave `stored` in the old one. Where a value that does not matter
/// asks for more choices, they are 0.
fn chosen_again(value: &Expr, old: &View<'_>, stored: u64, new: &View<'_>) -> Result<u64, TooLarge> {
    let chosen = choices(value, old, stored)?.unwrap_or_default();
    let mut chosen = chosen.into_iter().map(|chosen| chosen.value);
    Ok(evaluate(value, new, &mut |ty| chosen.next().unwrap_or(0).min(ty.max())))
}

//! The second round: the same steps, with the same choices, from where the first one ended.

use super::{Fault, Lasso, Moment, Taken, Walk};
use crate::expr::Expr;
use crate::machine::{Action, Place, Rsm};
use crate::values::{TooLarge, View, choices, evaluate};

impl Lasso {
    /// Takes the steps of the cycle again.
    pub(super) fn go_round_again(
        &self,
        head: &Walk<'_>,
        walk: &mut Walk<'_>,
        cycle: &[Taken],
    ) -> Result<(), Fault> {
        let top = head.top().ok_or(Fault::Empty)?;
        let mut before = (&head.configuration.globals, &top.locals);
        for (n, (moment, taken)) in self.steps[self.head..].iter().zip(cycle).enumerate() {
            let again = walk.same_choices(before, *taken, moment)?;
            walk.take(&again)?.ok_or(Fault::Again(self.head + n))?;
            before = (&moment.globals, &moment.locals);
        }
        Ok(())
    }
}

impl Walk<'_> {
    /// The step that makes the choices of another one.
    fn same_choices(
        &self,
        (globals, locals): (&Vec<u64>, &Vec<u64>),
        taken: Taken,
        first: &Moment,
    ) -> Result<Moment, TooLarge> {
        let rsm: &Rsm = self.rsm;
        let old = View::new(globals, locals);
        let stack = &self.configuration.stack;
        let top = &stack[stack.len() - 1];
        let new = View::new(&self.configuration.globals, &top.locals);
        let got = View::new(&first.globals, &first.locals);
        let mut after = Moment {
            edge: taken.edge,
            globals: self.configuration.globals.clone(),
            locals: top.locals.clone(),
        };
        match &rsm.module(taken.module).edge(taken.edge).action {
            Action::Skip | Action::Assume(_) | Action::Assert(_) => {}
            Action::Assign { targets, values, .. } => {
                for (target, value) in targets.iter().zip(values) {
                    store(&mut after, *target, chosen_again(value, &old, got.old(*target), &new)?);
                }
            }
            Action::Call { args, .. } => {
                after.locals = first.locals.clone();
                for (n, arg) in args.iter().enumerate() {
                    after.locals[n] = chosen_again(arg, &old, first.locals[n], &new)?;
                }
            }
            Action::Return { values } => {
                let Some((caller, call)) = taken.call else { return Ok(after) };
                let Action::Call { results, .. } = &rsm.module(caller).edge(call).action else {
                    return Ok(after);
                };
                after.locals = stack[stack.len() - 2].locals.clone();
                for (value, place) in values.iter().zip(results) {
                    if let Some(place) = place {
                        store(&mut after, *place, chosen_again(value, &old, got.old(*place), &new)?);
                    }
                }
            }
        }
        Ok(after)
    }
}

fn store(after: &mut Moment, place: Place, value: u64) {
    match place {
        Place::Global(n) => after.globals[n as usize] = value,
        Place::Local(n) => after.locals[n as usize] = value,
    }
}

/// The value in the new state, if the choices are those that gave `stored` in the old one. Where a value that does not matter
/// asks for more choices, they are 0.
fn chosen_again(value: &Expr, old: &View<'_>, stored: u64, new: &View<'_>) -> Result<u64, TooLarge> {
    let chosen = choices(value, old, stored)?.unwrap_or_default();
    let mut chosen = chosen.into_iter().map(|chosen| chosen.value);
    Ok(evaluate(value, new, &mut |ty| chosen.next().unwrap_or(0).min(ty.max())))
}

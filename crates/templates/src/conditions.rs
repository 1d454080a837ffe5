//! Conditions of a formula about the variables of the program, as words about states.

use crate::rows::at;
use crate::word::{Making, Rows, Word};
use rsm::{Expr, ModuleId, Place};

/// A condition about states of a function, or of any.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The function; none if it is about globals only.
    pub function: Option<ModuleId>,
    /// What must hold.
    pub expr: Expr,
}

impl Condition {
    /// Some local other than a parameter is read: it has no value at the entry.
    fn reads_locals(&self, n_params: usize) -> bool {
        self.expr.reads().any(|place| matches!(place, Place::Local(n) if n as usize >= n_params))
    }

    /// Some local is read: at the exit there are only results.
    fn reads_any_local(&self) -> bool {
        self.reads_locals(0)
    }
}

impl Word {
    /// A word that holds where a condition does, which is shown as `text`.
    pub fn condition(name: String, text: &str, condition: Condition) -> Self {
        let about = format!("in v holds {text}");
        Self::new(name, &[("State", "v")], about, move |making| rows(making, &condition))
    }
}

fn rows(making: &mut Making, condition: &Condition) -> Rows {
    let program = making.templates;
    let mut rows = Vec::new();
    for m in program.modules().filter(|m| condition.function.is_none_or(|function| function == *m)) {
        let module = program.rsm.module(m);
        let view = making.states[0].view(&program.slots, m);
        let (encoder, dd) = making.tools();
        let (holds, _) = encoder.condition(dd, view.columns(), &condition.expr)?;
        let exit = program.counter(m, module.exit);
        for (counter, _) in program.counters(m) {
            let is_unknown = (counter == 0 && condition.reads_locals(module.n_params))
                || (counter == exit && condition.reads_any_local());
            if is_unknown {
                continue;
            }
            // Where no choice of the locals is allowed, the function is not entered.
            let (encoder, dd) = making.tools();
            let states = program.goal_states(encoder, dd, &view, (m, counter), None)?;
            let diagram = dd.and(states, holds)?;
            rows.push(at(&making.states[0], m, counter, diagram));
        }
    }
    Ok(rows)
}

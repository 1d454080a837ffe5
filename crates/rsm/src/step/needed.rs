//! Which values have to be tried where a module is entered.
//!
//! A local matters at the entry if some way from there reads it before it writes it, a global if anything reads it. Of all
//! others one value stands for all: no step, condition or goal can tell. The semantics itself allows every value; only
//! the twins, which try all of them, leave out what cannot be told apart.

use super::outcomes::Outcomes;
use crate::expr::Expr;
use crate::machine::{Action, Module, ModuleId, Place, Rsm};

/// The variables that matter.
pub(crate) struct Needed {
    /// Which globals are read anywhere.
    globals: Vec<bool>,
    /// Of each module, which locals matter at its entry.
    locals: Vec<Vec<bool>>,
}

impl Needed {
    /// Looks at a machine. The conditions are those that restrict its globals and are not a part of it.
    pub(crate) fn new<'e>(rsm: &'e Rsm, conditions: impl Iterator<Item = &'e Expr>) -> Self {
        let actions = rsm.modules.iter().flat_map(|module| &module.edges).map(|edge| &edge.action);
        let enforced = rsm.modules.iter().flat_map(|module| &module.enforce);
        let exprs = conditions.chain(&rsm.init).chain(enforced).chain(actions.flat_map(Action::expressions));
        let mut globals = vec![false; rsm.globals.len()];
        for place in exprs.flat_map(|expr| expr.reads().chain(expr.reads_next())) {
            if let Place::Global(n) = place {
                globals[n as usize] = true;
            }
        }
        Self { globals, locals: rsm.modules.iter().map(at_entry).collect() }
    }

    /// Leaves one value for each variable that does not matter where the module is entered.
    pub(crate) fn restrict(&self, module: ModuleId, outcomes: &mut Outcomes<'_>) {
        let Outcomes { base, stores, .. } = outcomes;
        stores.retain(|(place, set)| {
            let is_needed = match *place {
                Place::Global(n) => self.globals[n as usize],
                Place::Local(n) => self.locals[module.index()][n as usize],
            };
            if !is_needed {
                *base.slot(*place) = set.smallest();
            }
            is_needed
        });
    }
}

/// The locals that some way from the entry of a module reads before it writes them.
fn at_entry(module: &Module) -> Vec<bool> {
    // Whatever `enforce` reads is read in every state.
    let mut always = vec![false; module.locals.len()];
    module.enforce.iter().for_each(|condition| read(condition, &mut always));
    let mut live = vec![always; module.nodes.len()];
    let mut is_stable = false;
    while !is_stable {
        is_stable = true;
        for edge in module.edges.iter().rev() {
            let mut before = live[edge.to.index()].clone();
            for place in edge.action.stores() {
                if let Place::Local(n) = place {
                    before[n as usize] = false;
                }
            }
            edge.action.expressions().for_each(|expr| read(expr, &mut before));
            for (known, found) in live[edge.from.index()].iter_mut().zip(before) {
                is_stable &= *known || !found;
                *known |= found;
            }
        }
    }
    live.swap_remove(module.entry.index())
}

fn read(expr: &Expr, locals: &mut [bool]) {
    for place in expr.reads().chain(expr.reads_next()) {
        if let Place::Local(n) = place {
            locals[n as usize] = true;
        }
    }
}

//! Which variables a program mentions. What is declared and then forgotten need not be looked at, and is not worth a word.
//!
//! Contract: what evaluates and stores mentioned variables only behaves the same whatever the others hold. Parameters always
//! count as mentioned, since calls hand them over by position.

use crate::expr::Expr;
use crate::machine::{Action, Module, ModuleId, Place, Rsm};

/// The variables that are mentioned.
#[derive(Clone, Debug)]
pub struct Mentioned {
    globals: Vec<bool>,
    locals: Vec<Vec<bool>>,
}

impl Mentioned {
    /// By the conditions of a machine, `init` and `enforce`, alone.
    pub fn by_conditions(rsm: &Rsm) -> Self {
        let params = |module: &Module| (0..module.locals.len()).map(|n| n < module.n_params).collect();
        let locals = rsm.modules.iter().map(params).collect();
        let mut this = Self { globals: vec![false; rsm.globals.len()], locals };
        rsm.init.iter().for_each(|condition| this.add_condition(rsm.main, condition));
        for (m, module) in rsm.modules.iter().enumerate() {
            module.enforce.iter().for_each(|condition| this.add_condition(ModuleId::new(m), condition));
        }
        this
    }

    /// By anything in a machine.
    pub fn by_anything(rsm: &Rsm) -> Self {
        let mut this = Self::by_conditions(rsm);
        for (m, module) in rsm.modules.iter().enumerate() {
            module.edges.iter().for_each(|edge| this.add_action(ModuleId::new(m), &edge.action));
        }
        this
    }

    /// The variable is mentioned.
    pub fn has(&self, module: ModuleId, place: Place) -> bool {
        match place {
            Place::Global(n) => self.globals[n as usize],
            Place::Local(n) => self.locals[module.index()][n as usize],
        }
    }

    /// A variable counts as mentioned.
    pub fn add(&mut self, module: ModuleId, place: Place) {
        match place {
            Place::Global(n) => self.globals[n as usize] = true,
            Place::Local(n) => self.locals[module.index()][n as usize] = true,
        }
    }

    /// What a condition of a module reads.
    pub fn add_condition(&mut self, module: ModuleId, condition: &Expr) {
        condition.reads().chain(condition.reads_next()).for_each(|place| self.add(module, place));
    }

    /// What an action of a module reads and stores.
    pub fn add_action(&mut self, module: ModuleId, action: &Action) {
        action.expressions().for_each(|expr| self.add_condition(module, expr));
        action.stores().for_each(|place| self.add(module, place));
    }
}

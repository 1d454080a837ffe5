//! Which variables the program mentions where it is looked at; only these get slots.
//!
//! A state of the calculus is copied many times over, so that a variable which is declared and then forgotten would cost as
//! much as any other. Parameters and results always count as mentioned: calls hand them over by position.

use rsm::{Action, Expr, ModuleId, Place, Reduced, Rsm};

/// The variables that are mentioned.
pub struct Mentioned {
    globals: Vec<bool>,
    locals: Vec<Vec<bool>>,
}

impl Mentioned {
    /// Looks at the steps that the reduced program has, and at the conditions: those of the machine, and more about its globals.
    pub fn new<'r>(rsm: &'r Rsm, reduced: &Reduced, conditions: impl Iterator<Item = &'r Expr>) -> Self {
        let params = |module: &rsm::Module| (0..module.locals.len()).map(|n| n < module.n_params).collect();
        let mut this = Self {
            globals: vec![false; rsm.globals.len()],
            locals: rsm.modules.iter().map(params).collect(),
        };
        for (m, (module, part)) in rsm.modules.iter().zip(&reduced.modules).enumerate() {
            let m = ModuleId::new(m);
            module.enforce.iter().for_each(|condition| this.expr(m, condition));
            for &edge in part.blocks.iter().flat_map(|block| &block.path) {
                this.action(m, &module.edge(edge).action);
            }
            // The assertions that may fail are read where they are the target, be they on a path or not.
            let assertions = module.edges.iter().filter(|edge| matches!(edge.action, Action::Assert(_)));
            assertions.for_each(|edge| this.action(m, &edge.action));
        }
        rsm.init.iter().chain(conditions).for_each(|condition| this.expr(rsm.main, condition));
        this
    }

    /// A global that counts as mentioned.
    pub fn keep_global(&mut self, n: u32) {
        self.globals[n as usize] = true;
    }

    /// The variable is mentioned.
    pub fn has(&self, module: ModuleId, place: Place) -> bool {
        match place {
            Place::Global(n) => self.globals[n as usize],
            Place::Local(n) => self.locals[module.index()][n as usize],
        }
    }

    /// How many bits of a variable get slots.
    pub fn n_bits(&self, rsm: &Rsm, module: ModuleId, place: Place) -> u32 {
        if self.has(module, place) { rsm.variable(module, place).ty.n_bits() } else { 0 }
    }

    fn place(&mut self, module: ModuleId, place: Place) {
        match place {
            Place::Global(n) => self.globals[n as usize] = true,
            Place::Local(n) => self.locals[module.index()][n as usize] = true,
        }
    }

    fn expr(&mut self, module: ModuleId, expr: &Expr) {
        expr.reads().chain(expr.reads_next()).for_each(|place| self.place(module, place));
    }

    fn action(&mut self, module: ModuleId, action: &Action) {
        match action {
            Action::Skip => {}
            Action::Assume(condition) | Action::Assert(condition) => self.expr(module, condition),
            Action::Assign { targets, values, constrain } => {
                targets.iter().for_each(|place| self.place(module, *place));
                values.iter().chain(constrain).for_each(|expr| self.expr(module, expr));
            }
            Action::Call { args, results, .. } => {
                results.iter().flatten().for_each(|place| self.place(module, *place));
                args.iter().for_each(|expr| self.expr(module, expr));
            }
            Action::Return { values } => values.iter().for_each(|expr| self.expr(module, expr)),
        }
    }
}

//! What each variable held when its function was entered, as a variable of its own: a *ghost*, `x$0`.
//!
//! A formula over the variables of a function with ghosts can say how its state depends on what it was started with, so that what
//! holds at its exit is a summary of it. A parameter or global that the function never changes is its own ghost. Ghosts are locals that no edge
//! stores in; entering the function does, and whoever reasons about a program with ghosts does so where it follows a call:
//! [`crate::step`] knows nothing of them.

use crate::effects::{Effects, called};
use crate::expr::{Expr, Op};
use crate::program::{Action, FunctionId, Place, Program, Variable};

/// A variable and the local that holds what it held at the entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ghost {
    /// A parameter, or a global.
    pub of: Place,
    /// A position in the locals of the function.
    pub local: u32,
}

/// A program whose functions have ghosts.
#[derive(Clone, Debug)]
pub struct Ghosted {
    /// The program. All variables keep their places; ghosts come behind the other locals.
    pub program: Program,
    /// The ghosts of each function.
    pub ghosts: Vec<Vec<Ghost>>,
    /// What functions do to globals.
    pub effects: Effects,
    /// For each function, whether somebody calls it.
    pub is_called: Vec<bool>,
}

impl Ghosted {
    /// Adds the ghosts.
    pub fn new(program: &Program) -> Self {
        let effects = Effects::new(program);
        let is_called = called(program);
        let mut ghosted = Self { program: program.clone(), ghosts: Vec::new(), effects, is_called };
        for n in 0..program.functions.len() {
            let id = FunctionId::new(n);
            let changed = if ghosted.is_called[n] { ghosted.changed(id) } else { Vec::new() };
            let ghosts = changed.into_iter().map(|place| ghosted.add(id, place)).collect();
            ghosted.ghosts.push(ghosts);
        }
        ghosted
    }

    /// The parameters and globals that a function may change.
    fn changed(&self, id: FunctionId) -> Vec<Place> {
        let function = self.program.function(id);
        let mut is_stored = vec![false; function.n_params];
        let mut store = |place: Place| match place {
            Place::Local(n) if (n as usize) < function.n_params => is_stored[n as usize] = true,
            _ => {}
        };
        for edge in &function.edges {
            match &edge.action {
                Action::Step(step) => step.updates.iter().for_each(|(place, _)| store(*place)),
                Action::Manage(manage) => manage.result().into_iter().for_each(&mut store),
                Action::Call { result, .. } => result.iter().copied().for_each(&mut store),
            }
        }
        let globals = (0..self.program.globals.len() as u32).filter(|&n| self.effects.may_write(id, n));
        let params = (0..).zip(is_stored).filter(|(_, is_stored)| *is_stored);
        globals.map(Place::Global).chain(params.map(|(n, _)| Place::Local(n))).collect()
    }

    fn add(&mut self, id: FunctionId, of: Place) -> Ghost {
        let Variable { name, ty, span } = self.program.variable(id, of).clone();
        let locals = &mut self.program.functions[id.index()].locals;
        let local = locals.len() as u32;
        locals.push(Variable { name: format!("{name}$0"), ty, span });
        Ghost { of, local }
    }

    /// A formula about a function at its entry, told by its caller: the arguments of the call stand for parameters and their ghosts, globals
    /// for their ghosts. Other locals hold 0.
    pub fn entered(&self, callee: FunctionId, args: &[Expr], formula: &Expr) -> Expr {
        formula.substitute(|op| match op {
            Op::Read(Place::Local(n)) => Some(self.passed(callee, args, n)),
            _ => None,
        })
    }

    /// A formula about a function at its exit, told by its caller before the call: arguments stand for parameters and their ghosts, globals for
    /// ghosts; `result` for the result, and `after` for each global that the function may have changed.
    pub fn left(
        &self,
        callee: FunctionId,
        args: &[Expr],
        formula: &Expr,
        result: &Expr,
        after: impl Fn(u32) -> Expr,
    ) -> Expr {
        let function = self.program.function(callee);
        formula.substitute(|op| match op {
            Op::Read(Place::Local(n)) if function.result == Some(n) => Some(result.clone()),
            Op::Read(Place::Local(n)) => Some(self.passed(callee, args, n)),
            Op::Read(Place::Global(n)) if self.effects.may_write(callee, n) => Some(after(n)),
            _ => None,
        })
    }

    /// What a local of the callee holds at its entry, told by the caller.
    fn passed(&self, callee: FunctionId, args: &[Expr], local: u32) -> Expr {
        let ghost = self.ghosts[callee.index()].iter().find(|ghost| ghost.local == local);
        match ghost.map(|ghost| ghost.of) {
            Some(Place::Global(n)) => Expr::read(Place::Global(n)),
            Some(Place::Local(n)) => args[n as usize].clone(),
            None => args.get(local as usize).cloned().unwrap_or_else(|| Expr::constant(0)),
        }
    }
}

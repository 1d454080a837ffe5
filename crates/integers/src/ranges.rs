//! Variables that always hold a number of their type.
//!
//! Input: a program with ghosts whose overflows are targets ([`crate::checked`]) or wrap ([`crate::wrapped`]), composed or not. Output: for each node a formula
//! that holds whenever a run is there: that variables are within their types, and before a call its arguments, too. The formulas are inductive by
//! themselves: each follows from those before a step, and nobody has to look for them.

use crate::checked::fits;
use crate::expr::{Expr, Op, Relation};
use crate::ghosts::Ghosted;
use crate::interval::{Interval, is_in, of_term, of_type};
use crate::number::Type;
use crate::program::{Action, Function, FunctionId, Place, Program, Start, Step};

/// Which variables keep to their types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranges {
    globals: Vec<bool>,
    locals: Vec<Vec<bool>>,
}

impl Ranges {
    /// Those of a program.
    pub fn new(ghosted: &Ghosted) -> Self {
        let program = &ghosted.program;
        let starts = |ty: Type, start: Start| matches!(start, Start::Number(number) if ty.contains(number));
        let mut ranges = Self {
            globals: program.globals.iter().map(|global| starts(global.variable.ty, global.start)).collect(),
            locals: program.functions.iter().map(|function| vec![true; function.locals.len()]).collect(),
        };
        while ranges.leave_out(ghosted) {}
        ranges
    }

    /// For each node of a function what its variables hold there.
    pub fn formulas(&self, ghosted: &Ghosted, id: FunctionId) -> Vec<Expr> {
        let function = ghosted.program.function(id);
        let globals = (0..ghosted.program.globals.len() as u32).map(Place::Global);
        let locals = (0..function.locals.len() as u32).map(Place::Local);
        let bounded = globals.chain(locals).filter(|place| self.holds(id, *place));
        let everywhere = bounded
            .map(|place| within(place, ghosted.program.variable(id, place).ty))
            .reduce(Expr::and)
            .unwrap_or_else(|| Expr::truth(true));
        let mut formulas = vec![everywhere; function.nodes.len()];
        for edge in &function.edges {
            if let Action::Call { args, .. } = &edge.action {
                let formula = &mut formulas[edge.from.index()];
                *formula = formula.clone().and(fits(args));
            }
        }
        formulas
    }

    fn holds(&self, id: FunctionId, place: Place) -> bool {
        match place {
            Place::Global(n) => self.globals[n as usize],
            Place::Local(n) => self.locals[id.index()][n as usize],
        }
    }

    fn clear(&mut self, id: FunctionId, place: Place) -> bool {
        let known = match place {
            Place::Global(n) => &mut self.globals[n as usize],
            Place::Local(n) => &mut self.locals[id.index()][n as usize],
        };
        std::mem::replace(known, false)
    }

    /// Leaves out variables that something may be stored in that does not fit; whether there are any.
    fn leave_out(&mut self, ghosted: &Ghosted) -> bool {
        let program = &ghosted.program;
        let mut is_less = false;
        for n in 0..program.functions.len() {
            let id = FunctionId::new(n);
            let function = program.function(id);
            for edge in &function.edges {
                let broken = match &edge.action {
                    Action::Step(step) => self.stored(program, id, step),
                    Action::Manage(_) => unreachable!("the program has variables only"),
                    Action::Call { callee, args, result } => {
                        let broken = self.passed(program, id, *callee, args);
                        broken.into_iter().for_each(|place| is_less |= self.clear(*callee, place));
                        result
                            .iter()
                            .copied()
                            .filter(|place| !self.returned(program, id, *callee, *place))
                            .collect()
                    }
                };
                broken.into_iter().for_each(|place| is_less |= self.clear(id, place));
            }
            for ghost in &ghosted.ghosts[n] {
                if !self.holds(id, ghost.of) {
                    is_less |= self.clear(id, Place::Local(ghost.local));
                }
            }
        }
        is_less
    }

    /// Places in which a step may store what does not fit.
    fn stored(&self, program: &Program, id: FunctionId, step: &Step) -> Vec<Place> {
        let is_broken = |(place, value): &&(Place, Expr)| {
            let interval = self.interval(program, id, value, |n| program.input(step.inputs[n as usize]).ty);
            !is_in(interval, program.variable(id, *place).ty)
        };
        step.updates.iter().filter(is_broken).map(|(place, _)| *place).collect()
    }

    /// Parameters of the callee that may get what does not fit.
    fn passed(&self, program: &Program, id: FunctionId, callee: FunctionId, args: &[Expr]) -> Vec<Place> {
        let params = program.function(callee).locals.iter().zip(args).zip(0..);
        let is_broken = |arg: &Expr, ty: Type| {
            !is_in(self.interval(program, id, arg, |_| unreachable!("arguments read no inputs")), ty)
        };
        params.filter(|((param, arg), _)| is_broken(arg, param.ty)).map(|(_, n)| Place::Local(n)).collect()
    }

    /// Whether what a call returns fits where it is stored.
    fn returned(&self, program: &Program, id: FunctionId, callee: FunctionId, place: Place) -> bool {
        let there: &Function = program.function(callee);
        there.result.is_some_and(|n| {
            self.locals[callee.index()][n as usize]
                && program.variable(id, place).ty.includes(there.locals[n as usize].ty)
        })
    }

    /// What a term can be, in a step that can be taken.
    fn interval(
        &self,
        program: &Program,
        id: FunctionId,
        term: &Expr,
        input: impl Fn(u32) -> Type,
    ) -> Interval {
        let leaf = |op: Op| match op {
            Op::Read(place) if self.holds(id, place) => of_type(program.variable(id, place).ty),
            Op::Input(n) => of_type(input(n)),
            _ => None,
        };
        // The guard says so, or the point before the call.
        of_term(term, leaf, |_, ty| of_type(ty))
    }
}

/// What one variable holds.
fn within(place: Place, ty: Type) -> Expr {
    let least = Expr::read(place).compare(Relation::GreaterEqual, Expr::constant(ty.min()));
    least.and(Expr::read(place).compare(Relation::LessEqual, Expr::constant(ty.max())))
}

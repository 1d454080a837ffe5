//! Sets of states: at entries, at the start, and at goals.

use crate::{SymbolicProgram, View};
use dd::{Bdd, Exhausted, Level, Manager};
use encode::Encoder;
use rsm::{Action, Expr, Goal, ModuleId, NodeId, Place};

impl SymbolicProgram<'_> {
    /// Some variables of a function have values of their types.
    pub fn typed(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        (m, view): (ModuleId, &View),
        places: impl IntoIterator<Item = Place>,
    ) -> Result<Bdd, Exhausted> {
        let mut states = Bdd::TRUE;
        for place in places {
            let domain = encoder.domain(dd, view.columns().place(place), &self.rsm.variable(m, place).ty)?;
            states = dd.and(states, domain)?;
        }
        Ok(states)
    }

    /// The states at the entry of `main` in which a run may start.
    pub fn initial(&self, encoder: &mut Encoder, dd: &mut Manager, view: &View) -> Result<Bdd, Exhausted> {
        let main = self.rsm.main;
        let states = self.typed(encoder, dd, (main, view), self.given(main))?;
        encoder.restrict(dd, view.columns(), states, &self.rsm.init)
    }

    /// The states of a set in which the locals that a function does not get from its caller have values that it allows.
    pub fn chosen(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        (m, view): (ModuleId, &View),
        states: Bdd,
    ) -> Result<Bdd, Exhausted> {
        let module = self.rsm.module(m);
        let states = encoder.restrict(dd, view.columns(), states, &module.enforce)?;
        let chosen = (module.n_params..module.locals.len()).map(|n| Place::Local(n as u32));
        let domain = self.typed(encoder, dd, (m, view), chosen)?;
        dd.and(states, domain)
    }

    /// Where a goal is, and the condition that must be able to fail there; `None` if the reduced program does not have the point.
    pub fn goal(&self, goal: Goal) -> Option<(ModuleId, NodeId, Option<&Expr>)> {
        let (m, node, assertion) = match goal {
            Goal::At(m, node) => (m, node, None),
            Goal::Failure(m, edge) => {
                let edge = self.rsm.module(m).edge(edge);
                let Action::Assert(expr) = &edge.action else { return None };
                (m, edge.from, Some(expr))
            }
        };
        let is_there = self.part(m).is_used && self.points.counter(self.rsm, m, node).is_some();
        is_there.then_some((m, node, assertion))
    }

    /// The states at a counter in which an assertion can fail, or all of them if there is none. At the entry the locals have no
    /// values yet: some choice that the function allows must do.
    pub fn goal_states(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        view: &View,
        (m, counter): (ModuleId, u32),
        assertion: Option<&Expr>,
    ) -> Result<Bdd, Exhausted> {
        let states = match assertion {
            Some(expr) => encoder.condition(dd, view.columns(), expr)?.1,
            None => Bdd::TRUE,
        };
        if counter > 0 {
            return Ok(states);
        }
        let states = self.chosen(encoder, dd, (m, view), states)?;
        let locals = view.locals.iter().skip(self.rsm.module(m).n_params);
        let levels: Vec<Level> = locals.flat_map(|bits| bits.iter().copied()).collect();
        encoder.and_exists(dd, states, Bdd::TRUE, levels)
    }
}

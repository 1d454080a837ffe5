//! The target: goals as states.

use crate::Templates;
use crate::copy::Copy;
use dd::{Bdd, Exhausted, Level, Manager};
use encode::Encoder;
use rsm::{Action, Expr, Goal, ModuleId, NodeId};
use solver::Given;

impl Templates<'_> {
    /// The row of a goal; `None` if the reduced program does not have it.
    pub(crate) fn target(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        copy: &Copy,
        goal: Goal,
    ) -> Result<Option<Given>, Exhausted> {
        let (m, node, assertion) = match goal {
            Goal::At(m, node) => (m, node, None),
            Goal::Failure(m, edge) => {
                let edge = self.rsm.module(m).edge(edge);
                let Action::Assert(expr) = &edge.action else { return Ok(None) };
                (m, edge.from, Some(expr))
            }
        };
        if !self.reduced.modules[m.index()].is_used {
            return Ok(None);
        }
        let Some(counter) = self.points.counter(self.rsm, m, node) else { return Ok(None) };
        let diagram = self.goal_states(encoder, dd, copy, (m, node), assertion)?;
        Ok(Some(Given { key: copy.key(m, counter).to_vec(), diagram, frame: Vec::new() }))
    }

    /// The states at a node in which an assertion can fail. At the entry the locals have no values yet: some choice
    /// that the function allows must do.
    fn goal_states(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        copy: &Copy,
        (m, node): (ModuleId, NodeId),
        assertion: Option<&Expr>,
    ) -> Result<Bdd, Exhausted> {
        let module = self.rsm.module(m);
        let view = copy.view(&self.slots, m);
        let mut states = match assertion {
            Some(expr) => encoder.condition(dd, view.columns(), expr)?.1,
            None => Bdd::TRUE,
        };
        if !(self.points.folds_entry(m) && node == module.entry) {
            return Ok(states);
        }
        if let Some(enforce) = &module.enforce {
            let (allowed, _) = encoder.condition(dd, view.columns(), enforce)?;
            states = dd.and(states, allowed)?;
        }
        let mut chosen: Vec<Level> = Vec::new();
        for (variable, levels) in module.locals.iter().zip(&view.locals).skip(module.n_params) {
            let domain = encoder.domain(dd, levels, &variable.ty)?;
            states = dd.and(states, domain)?;
            chosen.extend(levels);
        }
        encoder.and_exists(dd, states, Bdd::TRUE, chosen)
    }
}

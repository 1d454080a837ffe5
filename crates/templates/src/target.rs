//! The target: goals as states.

use crate::Templates;
use crate::copy::Copy;
use dd::{Bdd, Exhausted, Level, Manager};
use encode::Encoder;
use rsm::{Action, Expr, Goal, ModuleId};
use solver::Given;

impl Templates<'_> {
    /// The rows of a goal; none if the reduced program does not have it.
    pub(crate) fn target(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        copy: &Copy,
        goal: Goal,
    ) -> Result<Vec<Given>, Exhausted> {
        let (m, node, assertion) = match goal {
            Goal::At(m, node) => (m, node, None),
            Goal::Failure(m, edge) => {
                let edge = self.rsm.module(m).edge(edge);
                let Action::Assert(expr) = &edge.action else { return Ok(Vec::new()) };
                (m, edge.from, Some(expr))
            }
        };
        if !self.reduced.modules[m.index()].is_used {
            return Ok(Vec::new());
        }
        let Some(counter) = self.points.counter(self.rsm, m, node) else { return Ok(Vec::new()) };
        let mut counters = vec![counter];
        // A thread that has not begun is at its first statement.
        if self.threads.is_some() && node == self.rsm.module(m).entry && counter > 0 {
            counters.push(0);
        }
        let mut rows = Vec::new();
        for counter in counters {
            let diagram = self.goal_states(encoder, dd, copy, (m, counter), assertion)?;
            rows.push(Given { key: copy.key(m, counter).to_vec(), diagram, frame: Vec::new() });
        }
        Ok(rows)
    }

    /// The states at a counter in which an assertion can fail. At the entry the locals have no values yet: some choice
    /// that the function allows must do.
    fn goal_states(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        copy: &Copy,
        (m, counter): (ModuleId, u32),
        assertion: Option<&Expr>,
    ) -> Result<Bdd, Exhausted> {
        let module = self.rsm.module(m);
        let view = copy.view(&self.slots, m);
        let mut states = match assertion {
            Some(expr) => encoder.condition(dd, view.columns(), expr)?.1,
            None => Bdd::TRUE,
        };
        if counter > 0 {
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

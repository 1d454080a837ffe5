//! Runs of the product as runs of the program, with the states of the monitor.

use super::{Product, state_of};
use crate::monitor::StateId;
use rsm::lasso::{Lasso, Moment};
use rsm::step::{Configuration, Frame};
use rsm::{Action, ModuleId};

/// A run of the program that a monitor watches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Watched<R> {
    /// The run.
    pub run: R,
    /// The state of the monitor at the start, and after each step.
    pub states: Vec<StateId>,
}

/// A run: where it starts, and its steps.
pub type Steps = (Configuration, Vec<Moment>);

impl Product {
    /// The run of the program; `None` if it does not start before the program does.
    pub fn run(&self, start: &Configuration, steps: &[Moment]) -> Option<Watched<Steps>> {
        self.back(start, steps).map(|(watched, _)| watched)
    }

    /// The lasso of the program.
    pub fn lasso(&self, lasso: &Lasso) -> Option<Watched<Lasso>> {
        let (Watched { run: (start, steps), states }, kept) = self.back(&lasso.start, &lasso.steps)?;
        let head = kept[..lasso.head].iter().filter(|is_kept| **is_kept).count();
        Some(Watched { run: Lasso { start, steps, head }, states })
    }

    /// The run of the program, and for each step of the product whether it is one of the program.
    fn back(&self, start: &Configuration, steps: &[Moment]) -> Option<(Watched<Steps>, Vec<bool>)> {
        let (first, rest) = steps.split_first()?;
        // The first step calls `main`.
        let program = start.top()?;
        let Action::Call { callee: main, .. } = self.rsm.module(program.module).edge(first.edge).action
        else {
            return None;
        };
        let mut states = vec![monitor_state(first)];
        let frame = Frame::new(main, self.rsm.module(main).entry, first.locals.clone());
        let start = Configuration { globals: own(&first.globals), stack: vec![frame] };
        let (mut kept, mut moments) = (vec![false], Vec::new());
        let mut stack: Vec<ModuleId> = vec![main];
        for moment in rest {
            // Behind the return of `main` only the monitor is looked at.
            let edge = stack.last().and_then(|module| {
                let edge = self.edges[module.index()][moment.edge.index()]?;
                Some((edge, &self.rsm.module(*module).edge(moment.edge).action))
            });
            kept.push(edge.is_some());
            let Some((edge, action)) = edge else { continue };
            match action {
                Action::Call { callee, .. } => stack.push(*callee),
                Action::Return { .. } => drop(stack.pop()),
                _ => {}
            }
            moments.push(Moment { edge, globals: own(&moment.globals), locals: moment.locals.clone() });
            states.push(monitor_state(moment));
        }
        Some((Watched { run: (start, moments), states }, kept))
    }
}

/// The globals of the program.
fn own(globals: &[u64]) -> Vec<u64> {
    globals[..globals.len() - 1].to_vec()
}

fn monitor_state(moment: &Moment) -> StateId {
    state_of(moment.globals[moment.globals.len() - 1])
}

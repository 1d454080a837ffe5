//! Nested runs as one sequence of steps.

use super::{Run, Trace};
use rsm::lasso::Moment;
use rsm::step::{Configuration, Frame};
use rsm::{Action, Rsm};

impl Trace {
    /// How many steps it has, those of repeated runs counted each time.
    pub fn n_steps(&self) -> u128 {
        let mut lengths: Vec<u128> = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            let inner = run.steps.iter().map(|step| 1 + step.run.map_or(0, |run| lengths[run]));
            let length = inner.fold(u128::from(run.open_call.is_some()), u128::saturating_add);
            lengths.push(length);
        }
        self.open.iter().fold(0, |sum, run| sum.saturating_add(lengths[*run]))
    }

    /// Where it starts.
    pub fn start(&self, rsm: &Rsm) -> Configuration {
        let first = &self.runs[self.open[0]];
        let frame = Frame::new(first.module, rsm.module(first.module).entry, first.start.locals.clone());
        Configuration { globals: first.start.globals.clone(), stack: vec![frame] }
    }

    /// All steps, one after the other; `None` if there are more than allowed.
    pub fn moments(&self, rsm: &Rsm, max_steps: usize) -> Option<Vec<Moment>> {
        if self.n_steps() > max_steps as u128 {
            return None;
        }
        let mut moments = Vec::new();
        for (n, &number) in self.open.iter().enumerate() {
            let run = &self.runs[number];
            flatten(rsm, &self.runs, run, None, &mut moments);
            if let (Some(edge), Some(&callee)) = (run.open_call, self.open.get(n + 1)) {
                let start = &self.runs[callee].start;
                moments.push(Moment { edge, globals: start.globals.clone(), locals: start.locals.clone() });
            }
        }
        Some(moments)
    }
}

/// Appends the steps of a run. If it returns to a caller, that state is given, with the step it belongs to.
pub(super) fn flatten(
    rsm: &Rsm,
    runs: &[Run],
    run: &Run,
    returns: Option<&super::State>,
    moments: &mut Vec<Moment>,
) {
    let mut stack = vec![(run, 0, returns)];
    while let Some((run, at, returns)) = stack.pop() {
        let Some(step) = run.steps.get(at) else { continue };
        stack.push((run, at + 1, returns));
        let moment = |state: &super::State| Moment {
            edge: step.edge,
            globals: state.globals.clone(),
            locals: state.locals.clone(),
        };
        match (step.run, &rsm.module(run.module).edge(step.edge).action) {
            (Some(callee), _) => {
                moments.push(moment(&runs[callee].start));
                stack.push((&runs[callee], 0, Some(&step.after)));
            }
            (None, Action::Return { .. }) => {
                let ended = super::State { globals: step.after.globals.clone(), locals: Vec::new() };
                moments.push(moment(returns.unwrap_or(&ended)));
            }
            (None, _) => moments.push(moment(&step.after)),
        }
    }
}

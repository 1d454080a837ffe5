//! Runs of a program with what happens between a call and its return as a run of its own.
//!
//! A run that occurs several times with the same values is stored once, so a trace is written down even if it has very many
//! steps. [`Trace::moments`] is the same as one sequence, for `lasso::replay`.

use crate::goal::Goal;
use crate::lasso::Moment;
use crate::machine::{Action, EdgeId, ModuleId, Place, Rsm};
use crate::step::{Configuration, Frame};

/// The values of a function's variables somewhere in a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Of the globals.
    pub globals: Vec<u64>,
    /// Of the locals.
    pub locals: Vec<u64>,
}

/// A step of a run of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The edge that is taken.
    pub edge: EdgeId,
    /// For a call: the run of the callee, a position in [`Trace::runs`].
    pub run: Option<usize>,
    /// The state afterwards; after a call, when it has returned. After the return that ends the run the locals are
    /// the results.
    pub after: State,
}

/// A run of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The function.
    pub module: ModuleId,
    /// The state at its first statement.
    pub start: State,
    /// Its steps.
    pub steps: Vec<Step>,
    /// The call by which an open run goes on in the next one.
    pub open_call: Option<EdgeId>,
}

/// A run of the program to a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// All runs of functions; a run calls only runs that stand before it, and those that are called end in a return.
    pub runs: Vec<Run>,
    /// The runs that are not finished when the goal is reached, callers before callees.
    pub open: Vec<usize>,
    /// What is reached; nothing for the way to the head of a lasso.
    pub goal: Option<Goal>,
}

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
            flatten(rsm, &self.runs, run, &mut moments);
            if let (Some(edge), Some(&callee)) = (run.open_call, self.open.get(n + 1)) {
                let start = &self.runs[callee].start;
                moments.push(Moment { edge, globals: start.globals.clone(), locals: start.locals.clone() });
            }
        }
        Some(moments)
    }
}

/// Appends the steps of a run; `runs` are those that it calls.
pub fn flatten(rsm: &Rsm, runs: &[Run], run: &Run, moments: &mut Vec<Moment>) {
    // Runs, how far they are, and for those that were called the state of the caller when they have returned.
    let mut stack: Vec<(&Run, usize, Option<&State>)> = vec![(run, 0, None)];
    while let Some((run, at, returns)) = stack.pop() {
        let Some(step) = run.steps.get(at) else { continue };
        stack.push((run, at + 1, returns));
        let moment = |state: &State| Moment {
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
                let ended = State { globals: step.after.globals.clone(), locals: Vec::new() };
                moments.push(moment(returns.unwrap_or(&ended)));
            }
            (None, _) => moments.push(moment(&step.after)),
        }
    }
}

impl State {
    /// Gives a variable a value.
    pub fn store(&mut self, place: Place, value: u64) {
        match place {
            Place::Global(n) => self.globals[n as usize] = value,
            Place::Local(n) => self.locals[n as usize] = value,
        }
    }
}

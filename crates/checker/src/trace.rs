//! Traces: concrete runs, with runs of functions that occur twice stored once, and their replay.

use rsm::step::{self, Configuration, Frame};
use rsm::values::TooLarge;
use rsm::{Action, EdgeId, Goal, ModuleId, NodeId, Rsm};

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
    /// What is reached.
    pub goal: Goal,
}

impl Run {
    /// Where the run is after so many steps.
    pub fn node(&self, rsm: &Rsm, n_steps: usize) -> NodeId {
        let module = rsm.module(self.module);
        match n_steps {
            0 => module.entry,
            _ => module.edge(self.steps[n_steps - 1].edge).to,
        }
    }

    /// The state after so many steps.
    pub fn state(&self, n_steps: usize) -> &State {
        match n_steps {
            0 => &self.start,
            _ => &self.steps[n_steps - 1].after,
        }
    }

    fn frame(&self, rsm: &Rsm, n_steps: usize) -> Frame {
        Frame::new(self.module, self.node(rsm, n_steps), self.state(n_steps).locals.clone())
    }
}

impl Trace {
    /// How many steps it has, those of repeated runs counted each time.
    pub fn n_steps(&self) -> u128 {
        let mut lengths: Vec<u128> = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            let length = run.steps.iter().fold(0u128, |sum, step| {
                let inner = step.run.map_or(0, |run| lengths[run]);
                sum.saturating_add(1).saturating_add(inner)
            });
            lengths.push(length.saturating_add(u128::from(run.open_call.is_some())));
        }
        self.open.iter().fold(0, |sum, &run| sum.saturating_add(lengths[run]))
    }

    /// Takes every step again on the concrete semantics. The error says which step is none.
    pub fn replay(&self, rsm: &Rsm) -> Result<(), String> {
        let first = &self.runs[*self.open.first().ok_or("the trace is empty")?];
        let start = Configuration { globals: first.start.globals.clone(), stack: vec![first.frame(rsm, 0)] };
        expect(step::is_initial(rsm, &start), || "the trace does not begin in an initial state".to_owned())?;
        for run in 0..self.runs.len() {
            self.replay_run(rsm, run)?;
        }
        for pair in self.open.windows(2) {
            let (caller, callee) = (&self.runs[pair[0]], &self.runs[pair[1]]);
            let edge = caller.open_call.ok_or("an open run goes on without a call")?;
            self.enter(rsm, caller, caller.steps.len(), edge, callee)?;
        }
        self.replay_goal(rsm)
    }

    fn replay_run(&self, rsm: &Rsm, number: usize) -> Result<(), String> {
        let run = &self.runs[number];
        let module = rsm.module(run.module);
        for (n, step) in run.steps.iter().enumerate() {
            match (&module.edge(step.edge).action, step.run) {
                (Action::Call { .. }, Some(callee)) if callee < number => {
                    let callee = &self.runs[callee];
                    self.enter(rsm, run, n, step.edge, callee)?;
                    self.leave(rsm, run, n, step, callee)?;
                }
                (Action::Return { .. }, None) if n + 1 == run.steps.len() => {}
                (Action::Call { .. } | Action::Return { .. }, _) | (_, Some(_)) => {
                    return Err(describe(rsm, run, step.edge));
                }
                _ => {
                    let before = Configuration {
                        globals: run.state(n).globals.clone(),
                        stack: vec![run.frame(rsm, n)],
                    };
                    let after = Configuration {
                        globals: step.after.globals.clone(),
                        stack: vec![run.frame(rsm, n + 1)],
                    };
                    expect(step::is_step(rsm, &before, step.edge, &after), || describe(rsm, run, step.edge))?;
                }
            }
        }
        Ok(())
    }

    /// The call after so many steps of a run starts another.
    fn enter(&self, rsm: &Rsm, run: &Run, n: usize, edge: EdgeId, callee: &Run) -> Result<(), String> {
        let globals = run.state(n).globals.clone();
        let before = Configuration { globals, stack: vec![run.frame(rsm, n)] };
        let mut waiting = run.frame(rsm, n);
        waiting.call = Some(edge);
        let stack = vec![waiting, callee.frame(rsm, 0)];
        let after = Configuration { globals: callee.start.globals.clone(), stack };
        expect(step::is_step(rsm, &before, edge, &after), || describe(rsm, run, edge))
    }

    /// The last step of the callee's run returns to the caller.
    fn leave(&self, rsm: &Rsm, run: &Run, n: usize, step: &Step, callee: &Run) -> Result<(), String> {
        let last = callee.steps.len().checked_sub(1).ok_or("a run that was called has no steps")?;
        let mut waiting = run.frame(rsm, n);
        waiting.call = Some(step.edge);
        let stack = vec![waiting, callee.frame(rsm, last)];
        let before = Configuration { globals: callee.state(last).globals.clone(), stack };
        let after = Configuration { globals: step.after.globals.clone(), stack: vec![run.frame(rsm, n + 1)] };
        let edge = callee.steps[last].edge;
        expect(step::is_step(rsm, &before, edge, &after), || describe(rsm, callee, edge))
    }

    fn replay_goal(&self, rsm: &Rsm) -> Result<(), String> {
        let run = &self.runs[*self.open.last().ok_or("the trace is empty")?];
        let n = run.steps.len();
        let holds = match self.goal {
            Goal::At(module, node) => Ok(run.module == module && run.node(rsm, n) == node),
            Goal::Failure(module, edge) if run.module == module => {
                let globals = run.state(n).globals.clone();
                let configuration = Configuration { globals, stack: vec![run.frame(rsm, n)] };
                step::fails_assertion(rsm, &configuration, edge)
            }
            Goal::Failure(..) => Ok(false),
        };
        expect(holds, || "the trace does not end at the target".to_owned())
    }
}

fn expect(holds: Result<bool, TooLarge>, message: impl FnOnce() -> String) -> Result<(), String> {
    match holds {
        Ok(true) => Ok(()),
        Ok(false) => Err(message()),
        Err(TooLarge) => Err(format!("{} (too many values to try)", message())),
    }
}

fn describe(rsm: &Rsm, run: &Run, edge: EdgeId) -> String {
    let module = rsm.module(run.module);
    let action = rsm::show_action(rsm, run.module, &module.edge(edge).action);
    format!("`{action}` in `{}` is no step of the program there", module.name)
}

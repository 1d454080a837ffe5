//! Runs of the product as runs of the program, with the states of the monitor.

use super::{Product, state_of};
use crate::monitor::StateId;
use rsm::step::{Frame, State};
use rsm::trace::{Context, End, Run, Step, Trace};
use rsm::{Action, ModuleId};

/// A run of the program that a monitor watches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Watched {
    /// The run. It goes as far as that of the product does; one to a goal of the product ends at no goal of the program.
    pub trace: Trace,
    /// The monitor during its one context.
    pub states: States,
    /// The monitor during its finished calls, one for each of [`Trace::runs`].
    pub runs: Vec<States>,
}

/// The states of a monitor while some steps are taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct States {
    /// Before the first.
    pub start: StateId,
    /// After each.
    pub after: Vec<StateId>,
}

impl Product {
    /// The run of the program; `None` if `main` does not begin.
    pub fn back(&self, trace: &Trace) -> Option<Watched> {
        let [Context { thread, steps }] = &trace.contexts[..] else { return None };
        let (call, rest) = steps.split_first()?;
        let first = trace.start.threads.first()?.stack.first()?.module;
        let Action::Call { callee: main, .. } = self.rsm.module(first).edge(call.edge).action else {
            return None;
        };
        let own = |run: &Run| {
            let (start, steps, states) = self.own(run.module, &run.start, &run.steps);
            (Run { module: run.module, start, steps }, states)
        };
        let (mut runs, mut during): (Vec<Run>, Vec<States>) = trace.runs.iter().map(own).unzip();
        let (start, mut steps, states) = match call.run {
            None => self.own(main, &call.after, rest),
            // If `main` returns, its run is the last one; now it is no call any more.
            Some(run) => {
                runs.truncate(run);
                during.truncate(run);
                self.own(main, &trace.runs[run].start, &trace.runs[run].steps)
            }
        };
        if let (Some(_), Some(last)) = (call.run, steps.last_mut()) {
            last.after.locals.clear();
        }
        let end = match trace.cycle() {
            // The call of `main` is no step of the program.
            Some(first) => {
                let stem = first.checked_sub(1).map_or(&[][..], |n| &rest[..n.min(rest.len())]);
                End::Cycle { first: self.own(main, &call.after, stem).1.len() }
            }
            None => End::Here,
        };
        let mut world = trace.start.clone();
        world.shared = start.globals;
        world.threads[0].stack = vec![Frame::new(main, self.rsm.module(main).entry, start.locals)];
        let contexts = vec![Context { thread: *thread, steps }];
        Some(Watched { trace: Trace { start: world, runs, contexts, end }, states, runs: during })
    }

    /// Those of some steps that are steps of the program, and the states of the monitor. Behind the return of `main` there are none.
    fn own(&self, module: ModuleId, start: &State, steps: &[Step]) -> (State, Vec<Step>, States) {
        let (start, monitor) = split(start);
        let (mut own, mut after) = (Vec::new(), Vec::new());
        let mut stack = vec![module];
        for step in steps {
            let Some(&module) = stack.last() else { break };
            let Some(edge) = self.edges[module.index()][step.edge.index()] else { continue };
            match (&self.rsm.module(module).edge(step.edge).action, step.run) {
                (Action::Call { callee, .. }, None) => stack.push(*callee),
                (Action::Return { .. }, _) => drop(stack.pop()),
                _ => {}
            }
            let (state, monitor) = split(&step.after);
            own.push(Step { edge, run: step.run, after: state });
            after.push(monitor);
        }
        (start, own, States { start: monitor, after })
    }
}

/// What the program sees, and the state of the monitor.
fn split(state: &State) -> (State, StateId) {
    let mut own = state.clone();
    let monitor = own.globals.pop().expect("the last global is the monitor's");
    (own, state_of(monitor))
}

//! The last steps of a run as a list of edges, calls written out.
//!
//! Contract: a run of exponentially many steps is a small value, so the list is made from its end and stops when it is long
//! enough. What goes backwards along it meets the reason why a run is impossible early, if there is one.

use rsm::trace::{Step, Trace};
use rsm::{Action, EdgeId, Goal, ModuleId, Rsm};

/// A step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// The function that takes it.
    pub module: ModuleId,
    /// The edge.
    pub edge: EdgeId,
    /// How many callers wait before the step.
    pub depth: usize,
    /// For a return to a caller: the caller, and its call.
    pub back: Option<(ModuleId, EdgeId)>,
}

/// The end of a run to a goal.
#[derive(Clone, Debug)]
pub struct Path {
    /// Its steps.
    pub events: Vec<Event>,
    /// All steps of the run are there.
    pub is_whole: bool,
    /// What it leads to.
    pub goal: Goal,
    /// The functions that run at the goal, callers before callees; the outermost are left out if none of their steps is there.
    pub stack: Vec<ModuleId>,
}

/// More functions than these never run on a path: their locals would take too many levels.
const MOST_FRAMES: usize = 256;

/// A finished call that is being written out, its last step first.
struct Open {
    run: usize,
    /// So many of its steps are still to come.
    n_left: usize,
    /// The call itself.
    call: Event,
}

impl Path {
    /// The last steps of a run, no more than so many; `None` if it leads to no goal.
    pub fn of(rsm: &Rsm, trace: &Trace, most: usize) -> Option<Self> {
        let mut path = Self::from_the_end(rsm, trace, most)?;
        let end = path.stack.len() - 1;
        let (mut least, mut deepest) = (end, end);
        let spans = |event: &&Event| {
            (least, deepest) = (least.min(event.depth), deepest.max(event.depth));
            deepest - least < MOST_FRAMES
        };
        let n_kept = path.events.iter().rev().take_while(spans).count();
        path.is_whole = path.is_whole && n_kept == path.events.len();
        path.events.drain(..path.events.len() - n_kept);
        let base = path.events.iter().map(|event| event.depth).chain([end]).min().unwrap_or(0);
        if !path.is_whole {
            path.events.iter_mut().for_each(|event| event.depth -= base);
            path.stack.drain(..base);
        }
        Some(path)
    }

    fn from_the_end(rsm: &Rsm, trace: &Trace, most: usize) -> Option<Self> {
        let goal = trace.goal()?.goal;
        let [context] = &trace.contexts[..] else { return None };
        let (outer, stack) = outer(rsm, &context.steps);
        let mut path = Self { events: Vec::new(), is_whole: true, goal, stack };
        let mut open: Vec<Open> = Vec::new();
        let mut left = context.steps.iter().zip(&outer).rev();
        loop {
            if path.events.len() == most {
                path.is_whole = open.is_empty() && left.len() == 0;
                break;
            }
            let (step, event) = match open.last_mut() {
                None => match left.next() {
                    None => break,
                    Some((step, event)) => (step, *event),
                },
                Some(Open { n_left: 0, .. }) => {
                    path.events.extend(open.pop().map(|open| open.call));
                    continue;
                }
                Some(Open { run, n_left, call }) => {
                    *n_left -= 1;
                    let run = &trace.runs[*run];
                    let step = &run.steps[*n_left];
                    let is_last = *n_left + 1 == run.steps.len();
                    let back = is_last.then_some((call.module, call.edge));
                    (step, Event { module: run.module, edge: step.edge, depth: call.depth + 1, back })
                }
            };
            match step.run {
                Some(run) => open.push(Open { run, n_left: trace.runs[run].steps.len(), call: event }),
                None => path.events.push(event),
            }
        }
        path.events.reverse();
        Some(path)
    }

    /// The function that runs at the goal, and how many callers wait for it.
    pub fn end(&self) -> (ModuleId, usize) {
        let depth = self.stack.len() - 1;
        (self.stack[depth], depth)
    }
}

/// The steps outside finished calls as events, and the functions that run afterwards.
fn outer(rsm: &Rsm, steps: &[Step]) -> (Vec<Event>, Vec<ModuleId>) {
    let mut stack: Vec<(ModuleId, Option<(ModuleId, EdgeId)>)> = vec![(rsm.main, None)];
    let mut events = Vec::with_capacity(steps.len());
    for step in steps {
        let depth = stack.len() - 1;
        let (module, caller) = stack[depth];
        let mut event = Event { module, edge: step.edge, depth, back: None };
        match &rsm.module(module).edge(step.edge).action {
            Action::Call { callee, .. } if step.run.is_none() => {
                stack.push((*callee, Some((module, step.edge))));
            }
            Action::Return { .. } if depth > 0 => {
                event.back = caller;
                stack.pop();
            }
            _ => {}
        }
        events.push(event);
    }
    (events, stack.into_iter().map(|frame| frame.0).collect())
}

//! Calls that go exactly as an earlier one, in any thread and context, as far as they return in the context in which they begin.

use super::beats::Beats;
use rsm::interleave::{Interleaving, Step};
use rsm::{Action, Concurrent, EdgeId, ModuleId};
use rustc_hash::FxHashMap;

/// A call that returns in its context.
#[derive(Clone, Copy, Debug)]
pub struct Finished {
    /// The step that returns.
    pub last: usize,
    /// The same number for calls that go alike.
    pub kind: usize,
}

/// The values after a step.
type State = (Vec<u64>, Vec<u64>, Vec<u64>);

/// What a function does: a step, or a call of a kind that is known.
type Deed = (EdgeId, Option<usize>, State);

/// A call that has not returned yet.
struct Open {
    call: usize,
    deeds: Vec<Deed>,
}

/// For each step that calls and returns in its context, when and as what.
pub fn find(program: &Concurrent, trace: &Interleaving, beats: &Beats) -> FxHashMap<usize, Finished> {
    let mut finished = FxHashMap::default();
    let mut kinds: FxHashMap<(ModuleId, State, Vec<Deed>), usize> = FxHashMap::default();
    for context in &beats.contexts {
        let mut open: Vec<Open> = Vec::new();
        for n in context.steps.clone() {
            let beat = &beats.list[n];
            let action = &program.machine.module(beat.module).edge(beat.edge).action;
            let after = state(&trace.steps[n]);
            if matches!(action, Action::Call { .. }) {
                open.push(Open { call: n, deeds: Vec::new() });
                continue;
            }
            if let Some(top) = open.last_mut() {
                top.deeds.push((beat.edge, None, after.clone()));
            }
            if !matches!(action, Action::Return { .. }) {
                continue;
            }
            if let Some(Open { call, deeds }) = open.pop() {
                let key = (beat.module, state(&trace.steps[call]), deeds);
                let next = kinds.len();
                let kind = *kinds.entry(key).or_insert(next);
                finished.insert(call, Finished { last: n, kind });
                if let Some(caller) = open.last_mut() {
                    caller.deeds.push((beats.list[call].edge, Some(kind), after));
                }
            }
        }
    }
    finished
}

fn state(step: &Step) -> State {
    (step.shared.clone(), step.private.clone(), step.locals.clone())
}

//! Whether a monitor can say anything: some target state can be reached from an initial one, whatever the program does.

use super::{Monitor, State, StateId};
use base::Diagnostic;

/// An error if no target state can be reached, and a warning for each that cannot be, if others can.
pub fn check_targets(monitor: &Monitor) -> Vec<Diagnostic> {
    let is_seen = seen(monitor);
    let states = monitor.states.iter().zip(is_seen);
    let (there, lost): (Vec<_>, Vec<_>) =
        states.filter(|(state, _)| state.is_target).partition(|pair| pair.1);
    if there.is_empty() && lost.is_empty() {
        return vec![Diagnostic::error(monitor.span, "the monitor has no `target` state")];
    }
    let about = |state: &State| {
        format!(
            "the target state `{}` cannot be reached: no way leads to it from an initial state",
            state.name
        )
    };
    let lost = lost.into_iter().map(|(state, _)| (state.span, about(state)));
    match there.is_empty() {
        true => lost.map(|(span, message)| Diagnostic::error(span, message)).collect(),
        false => lost.map(|(span, message)| Diagnostic::warning(span, message)).collect(),
    }
}

/// For each state whether it can be reached by edges.
fn seen(monitor: &Monitor) -> Vec<bool> {
    let mut is_seen: Vec<bool> = monitor.states.iter().map(|state| state.is_initial).collect();
    let mut todo: Vec<StateId> = (0..is_seen.len()).filter(|n| is_seen[*n]).map(StateId::new).collect();
    while let Some(state) = todo.pop() {
        for edge in &monitor.states[state.index()].edges {
            if !std::mem::replace(&mut is_seen[edge.to.index()], true) {
                todo.push(edge.to);
            }
        }
    }
    is_seen
}

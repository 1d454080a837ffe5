//! What a monitor makes of a run: the state that it is in after each step, and the target state that counts.

use super::forever::calls_of_cycle;
use super::story::Story;
use bp::monitor::{Monitor, StateId};
use bp::product::Watched;
use serde_json::{Value, json};

/// Somebody who watches a run.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// The monitor; a formula about threads has none, and its states are called as they are in words.
    pub monitor: Option<&'a Monitor>,
    /// The states that it passes.
    pub states: Passed<'a>,
    /// Its states in words, if it is the monitor of a formula.
    pub words: &'a [String],
}

/// The states that a monitor passes.
#[derive(Clone, Copy)]
pub enum Passed<'a> {
    /// Of a sequential program: while each function runs.
    ByRun(&'a Watched),
    /// Of threads: before the first step, and after each, in the order in which they are taken.
    InOrder(&'a [u32]),
}

impl Passed<'_> {
    /// Before the first step.
    pub(super) fn start(self) -> Option<StateId> {
        match self {
            Self::ByRun(watched) => Some(watched.states.start),
            Self::InOrder(states) => states.first().copied().map(StateId),
        }
    }
}

impl Story<'_> {
    /// The name of a state of the monitor.
    pub(super) fn state_name(&self, state: StateId) -> &str {
        match self.watch {
            Some(Watch { monitor: Some(monitor), .. }) => &monitor.states[state.index()].name,
            Some(Watch { words, .. }) => words.get(state.index()).map_or("", String::as_str),
            None => "",
        }
    }

    /// The same for people: in words, if there are some.
    pub(super) fn state_words(&self, state: StateId) -> &str {
        let words = self.watch.and_then(|watch| watch.words.get(state.index()));
        words.map_or_else(|| self.state_name(state), String::as_str)
    }

    /// The beat, by chapter and position, from which on a formula waits for the same to the end, or for ever.
    pub(super) fn wait_begins(&self) -> Option<(usize, usize)> {
        self.watch.filter(|watch| !watch.words.is_empty())?;
        let mut beats = self.chapters.iter().enumerate().flat_map(|(c, chapter)| {
            chapter.beats.iter().enumerate().map(move |(b, beat)| ((c, b), beat.monitor))
        });
        let (first, start) = beats.next()?;
        let mut waits = (first, self.state_words(start?));
        for (at, state) in beats {
            let words = self.state_words(state?);
            if words != waits.1 {
                waits = (at, words);
            }
        }
        waits.1.starts_with("waiting").then_some(waits.0)
    }

    /// The target state in which a run ends, or which it passes again and again.
    fn target_state(&self) -> Option<StateId> {
        let Watch { monitor, states, .. } = self.watch?;
        let is_target =
            |state: &StateId| monitor.is_none_or(|monitor| monitor.states[state.index()].is_target);
        let watched = match states {
            Passed::ByRun(watched) => watched,
            Passed::InOrder(states) if self.trace.cycle().is_none() => {
                return states.last().copied().map(StateId).filter(is_target);
            }
            Passed::InOrder(states) => {
                let n_stem = usize::try_from(self.trace.n_stem()).unwrap_or(usize::MAX);
                return states.iter().skip(n_stem + 1).rev().copied().map(StateId).find(is_target);
            }
        };
        let outside = &watched.states;
        match self.trace.cycle() {
            None => Some(outside.after.last().copied().unwrap_or(outside.start)).filter(is_target),
            Some(first) => {
                let is_made = calls_of_cycle(self.trace, first);
                let made = watched.runs.iter().zip(is_made).filter(|(_, is_made)| *is_made);
                let inside = made.flat_map(|(run, _)| &run.after);
                outside.after[first..].iter().chain(inside).copied().find(is_target)
            }
        }
    }

    /// `; double_lock reaches broken`, or nothing.
    pub(super) fn seen_by_monitor(&self) -> String {
        let (Some(watch), Some(state)) = (self.watch, self.target_state()) else { return String::new() };
        if !watch.words.is_empty() {
            return match self.wait_begins() {
                Some(_) => format!("; {} for ever", self.state_words(state)),
                None => format!("; again and again {}", self.state_words(state)),
            };
        }
        let Some(monitor) = watch.monitor else { return String::new() };
        let (name, state) = (&monitor.name, self.state_name(state));
        match self.cycle {
            None => format!("; {name} reaches {state}"),
            Some(_) => format!("; {name} is in {state} again and again"),
        }
    }

    /// The monitor as JSON.
    pub(super) fn monitor_object(&self) -> Option<Value> {
        let Watch { monitor, states, words } = self.watch?;
        let target = self.target_state().map(|state| self.state_name(state));
        let mut object = json!({
            "name": monitor.map_or("ltl", |monitor| &monitor.name),
            "start": self.state_name(states.start()?),
            "target": target,
        });
        if !words.is_empty() {
            let name = |n: usize| self.state_name(StateId(n as u32));
            let told = words.iter().enumerate();
            object["words"] = told.map(|(n, words)| json!({ "state": name(n), "words": words })).collect();
        }
        Some(object)
    }
}

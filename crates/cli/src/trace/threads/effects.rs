//! What a step of a thread does, in words.

use super::super::effect::Moment;
use super::super::statement::Statement;
use super::Interleaved;
use super::beats::{Beat, Beginning, Values, values};
use super::unset::Unset;
use rsm::interleave::ThreadId;
use rsm::{Action, Place};

impl Values {
    /// The same, as the narrator takes it.
    pub fn moment(&self) -> Moment<'_> {
        Moment { globals: &self.globals, locals: &self.locals }
    }
}

impl Interleaved<'_> {
    /// The thread of a step.
    pub fn thread_of(&self, beat: &Beat) -> ThreadId {
        self.beats.contexts[beat.context].thread
    }

    /// The shared values before a step; after all steps if there are no more.
    pub fn shared_before(&self, step: usize) -> &[u64] {
        match step.checked_sub(1) {
            Some(before) => &self.trace.steps[before].shared,
            None => &self.trace.start.shared,
        }
    }

    /// What the thread of a step sees before it and after it.
    pub fn around(&self, step: usize) -> (Values, Values) {
        let beat = &self.beats.list[step];
        let thread = self.thread_of(beat);
        let at = |own, shared: &[u64]| values(self.program, self.trace, thread, own, shared);
        let before = at(beat.previous, self.shared_before(step));
        (before, at(Some(step), &self.trace.steps[step].shared))
    }

    /// How a thread begins. As long as one that was started has not called its function, it has no locals.
    pub fn beginning(&self, thread: ThreadId) -> Beginning {
        let main = self.program.blocks[self.thread(thread).block as usize].main;
        let (step, function) = match self.beats.begins[thread.index()] {
            Some((step, function)) => (Some(step), function),
            None => (None, main),
        };
        let values = values(self.program, self.trace, thread, step, &self.trace.start.shared);
        Beginning { function, step, values }
    }

    /// The statement of a step.
    pub fn statement(&self, step: usize) -> Statement {
        let beat = &self.beats.list[step];
        self.narrator.statement(beat.module, beat.edge)
    }

    /// The effect of a step.
    pub fn effect(&self, step: usize, unset: &Unset) -> String {
        let beat = &self.beats.list[step];
        if let Some(effect) = self.starts(beat) {
            return effect;
        }
        let (before, after) = self.around(step);
        let (before, after) = (before.moment(), after.moment());
        match (&self.program.machine.module(beat.module).edge(beat.edge).action, beat.caller) {
            (Action::Call { .. }, _) => {
                self.narrator.call((beat.module, beat.edge), before, after, unset.of_call(step))
            }
            (Action::Return { .. }, Some(caller)) if self.depth(step) > 0 => {
                self.narrator.back((beat.module, beat.edge), before, caller, after)
            }
            (Action::Return { .. }, _) => "the thread ends".to_owned(),
            _ => self.narrator.within(beat.module, beat.edge, before, after),
        }
    }

    /// The variables that a step assigns, with their values.
    pub fn changes(&self, step: usize) -> Vec<(String, String)> {
        let beat = &self.beats.list[step];
        let (_, after) = self.around(step);
        let after = after.moment();
        match (&self.program.machine.module(beat.module).edge(beat.edge).action, beat.caller) {
            (Action::Call { callee, .. }, _) => {
                let n_params = self.program.machine.module(*callee).n_params as u32;
                self.narrator.valuation(*callee, (0..n_params).map(Place::Local), after)
            }
            (Action::Return { .. }, Some((module, call))) => self.narrator.stored(module, call, after),
            _ => self.narrator.assigned(beat.module, beat.edge, after),
        }
    }

    /// The thread that a step starts, if it starts one.
    fn starts(&self, beat: &Beat) -> Option<String> {
        let body = self.program.machine.module(beat.module);
        let step = body.edge(beat.edge);
        if let Some(block) = self.hidden.started(step) {
            return Some(format!("starts {}", self.program.blocks[block].name));
        }
        let starts = body.edges_from(step.from).any(|(_, other)| self.hidden.started(other).is_some());
        starts.then(|| "starts a thread that takes no step".to_owned())
    }
}

//! What a step of a thread does, in words.

use super::super::effect::Moment;
use super::super::statement::Statement;
use super::Interleaved;
use super::beats::{Beat, Values, values};
use super::unset::Unset;
use rsm::interleave::ThreadId;
use rsm::{Action, Concurrent, EdgeId, ModuleId, Place};

/// What the variables are called that say which function a thread was started with.
const SLOT: &str = "$slot";

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

    /// The statement of a step. Where a thread that was started begins or ends, and where its starter goes on, there is none.
    pub fn statement(&self, step: usize) -> Statement {
        let beat = &self.beats.list[step];
        let mut statement = self.narrator.statement(beat.module, beat.edge);
        let from = self.program.machine.module(beat.module).edge(beat.edge).from;
        if self.begun(beat.module, from).is_some() {
            statement.text = "(goes on)".to_owned();
        }
        if self.is_in_slot(beat) {
            match self.program.machine.module(beat.module).edge(beat.edge).action {
                Action::Assume(_) => statement.text = "(begins)".to_owned(),
                Action::Return { .. } => statement.text = "(ends)".to_owned(),
                _ => {}
            }
        }
        statement
    }

    /// The effect of a step.
    pub fn effect(&self, step: usize, unset: &Unset) -> String {
        let beat = &self.beats.list[step];
        if self.is_in_slot(beat) && !self.is_call(beat) {
            return String::new();
        }
        if let Some(effect) = started(self.program, beat.module, beat.edge) {
            return effect;
        }
        let (before, after) = self.around(step);
        let (before, after) = (before.moment(), after.moment());
        match (&self.program.machine.module(beat.module).edge(beat.edge).action, beat.caller) {
            (Action::Call { .. }, _) => {
                self.narrator.call((beat.module, beat.edge), before, after, unset.of_call(step))
            }
            (Action::Return { .. }, Some(_)) if beat.depth == self.n_hidden(self.thread_of(beat)) => {
                "the thread ends".to_owned()
            }
            (Action::Return { .. }, Some(caller)) => {
                self.narrator.back((beat.module, beat.edge), before, caller, after)
            }
            (Action::Return { .. }, None) => "the thread ends".to_owned(),
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

    /// The step is one of the function that waits for something to run, which is not in the text.
    fn is_in_slot(&self, beat: &Beat) -> bool {
        beat.depth == 0 && self.slot(self.thread_of(beat)).is_some()
    }

    fn is_call(&self, beat: &Beat) -> bool {
        matches!(self.program.machine.module(beat.module).edge(beat.edge).action, Action::Call { .. })
    }
}

/// The thread that a step starts, if it starts one.
fn started(program: &Concurrent, module: ModuleId, edge: EdgeId) -> Option<String> {
    let body = program.machine.module(module);
    let slot = |edge: &rsm::Edge| match &edge.action {
        Action::Assign { targets, .. } => {
            let name = &program.machine.variable(module, *targets.first()?).name;
            name.strip_prefix(SLOT).map(str::to_owned)
        }
        _ => None,
    };
    let step = body.edge(edge);
    if let Some(number) = slot(step) {
        return Some(format!("starts thread{number}"));
    }
    let starts = body.edges_from(step.from).any(|(_, other)| slot(other).is_some());
    starts.then(|| "starts a thread that takes no step".to_owned())
}

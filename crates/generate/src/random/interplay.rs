//! Statements by which threads tell each other something, wait for each other, keep each other out and start each other.

use super::statements::{Body, Labelled, NESTING, Statement, new_label};
use super::types::Variable;
use super::{Generator, Setting};

impl Generator {
    /// A statement that matters where there are threads: one that tells others something, waits for them, keeps them
    /// out, or starts one.
    pub(super) fn concurrent_statement(&mut self, body: &mut Body<'_>, nesting: usize) -> Statement {
        let starts = self.setting == Setting::Started;
        match self.dice.below(20) {
            0..=2 if starts => self.start(body),
            3 if starts => Statement::Simple("end_thread".to_owned()),
            4 if starts => self.labelled_start(body),
            0..=5 => Statement::Simple(self.signal(body)),
            6..=10 => self.wait(body),
            11 | 12 => Statement::Simple(self.call(body)),
            13..=17 if nesting < NESTING => Statement::Atomic(self.block(body, nesting + 1)),
            _ => Statement::Simple(self.dice.pick(&["atomic_begin", "atomic_end", "atomic_end"]).to_owned()),
        }
    }

    /// Gives a global a value, mostly one that it does not have at first.
    fn signal(&mut self, body: &Body<'_>) -> String {
        match self.global(body) {
            Some(Variable { name, of }) if self.dice.chance(25) => format!("{name} := {}", of.first()),
            Some(Variable { name, of }) => format!("{name} := {}", of.other(&mut self.dice)),
            None => "skip".to_owned(),
        }
    }

    /// Goes on, or does something else, only if a global has some value.
    fn wait(&mut self, body: &mut Body<'_>) -> Statement {
        let Some(global) = self.global(body) else { return Statement::Simple("skip".to_owned()) };
        let condition = global.has_changed(&mut self.dice);
        match self.dice.below(4) {
            0 => Statement::Simple(format!("assert({condition})")),
            1 | 2 => Statement::Simple(format!("assume({condition})")),
            _ => {
                let signal = Statement::Simple(self.signal(body));
                let signal = self.labelled(body, signal);
                Statement::If(vec![(condition, vec![signal])], None)
            }
        }
    }

    /// A global in sight.
    fn global(&mut self, body: &Body<'_>) -> Option<Variable> {
        let globals: Vec<&Variable> =
            body.variables.iter().filter(|variable| self.globals.contains(variable)).collect();
        if globals.is_empty() { None } else { Some(globals[self.dice.below(globals.len())].clone()) }
    }

    /// A statement that starts a thread. It has a label, so that a function with it has somewhere to start one.
    pub(super) fn start_thread(&mut self, body: &mut Body<'_>) -> Labelled {
        let start = self.start(body);
        let mut labelled = self.labelled(body, start);
        if labelled.labels.is_empty() {
            labelled.labels.push(new_label(body));
        }
        labelled
    }

    fn start(&mut self, body: &Body<'_>) -> Statement {
        let callee = self.dice.below(self.functions.len() + 1);
        let Some(callee) = self.functions.get(callee).cloned() else {
            return Statement::StartGoto(self.dice.below(1 << 20));
        };
        let arguments = self.arguments(body, &callee);
        Statement::Simple(format!("start_thread {}({arguments})", callee.name))
    }

    /// A call that starts a thread if the option for labels says so.
    fn labelled_start(&mut self, body: &mut Body<'_>) -> Statement {
        let Some(callee) = self.callee(body.signature) else {
            return Statement::Simple("skip".to_owned());
        };
        let label = new_label(body);
        let arguments = self.arguments(body, &callee);
        Statement::Simple(format!("{label}: ASYNC_{label}: {}({arguments})", callee.name))
    }
}

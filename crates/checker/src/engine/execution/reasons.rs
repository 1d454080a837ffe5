//! What stood in the way of an answer, and what an answer rests on, with constructs and lines.

use super::Asked;
use crate::outcome::Unknown;
use integers::account::Account;
use integers::explore::{Exploration, Quest};
use integers::{EdgeId, FunctionId, Input, InputKind, Undefined};

/// More things that are unknown are only counted.
const MOST_NAMED: usize = 3;

impl Asked<'_> {
    /// Why nothing is known.
    pub(super) fn why(&self, found: &Exploration, quest: Quest) -> Unknown {
        let mut constructs: Vec<String> = Vec::new();
        for id in &found.unknowns {
            let unknown = &self.problem.program.unknowns[id.index()];
            let line = self.sources.line_column(unknown.span).0;
            let text = format!("{} (line {line})", unknown.construct);
            if !constructs.contains(&text) {
                constructs.push(text);
            }
        }
        if !constructs.is_empty() {
            let n_more = constructs.len().saturating_sub(MOST_NAMED);
            constructs.truncate(MOST_NAMED);
            let more = if n_more > 0 { format!(", and {n_more} more such things") } else { String::new() };
            let list = constructs.join(", ");
            return self.hindered(format!("how a run goes on depends on {list}{more}"));
        }
        if let Some((Undefined::TooLarge, function, edge)) = found.undefined.first() {
            let line = self.line(*function, *edge);
            return self.hindered(format!(
                "a number has more than 127 bits (line {line}), which is more than is computed with"
            ));
        }
        if let Some(reason) = self.limits.stop.requested() {
            return Unknown::Stopped(reason, self.limits.gauge.read());
        }
        if found.n_runs <= 1 {
            return Unknown::because("the only run has more steps, or more open calls, than are executed");
        }
        Unknown::because(match quest {
            Quest::Target(_) => {
                "no run that was executed reaches a target, and there are more inputs than can be tried"
            }
            Quest::Fault(_) => {
                "nothing goes wrong in the runs that were executed, and there are more inputs than can be tried"
            }
            Quest::Infinite => {
                "no run that was executed comes back to a state, and there are more inputs than can be tried"
            }
        })
    }

    /// This is in the way. Whoever is stopped later says so all the same.
    fn hindered(&self, obstacle: String) -> Unknown {
        self.limits.gauge.hinder(&obstacle);
        Unknown::Because(obstacle)
    }

    /// What runs met on their way.
    pub(super) fn remarks(&self, found: &Exploration) -> Vec<String> {
        let remark = |(why, function, edge): &(Undefined, FunctionId, EdgeId)| {
            let line = self.line(*function, *edge);
            match why {
                Undefined::Division => Some(format!(
                    "a run ends in a division by zero, line {line}: what it does in C is undefined"
                )),
                Undefined::Shift => Some(format!(
                    "a run ends in a shift by a number that is out of range, line {line}: what it does in C is undefined"
                )),
                Undefined::Memory(misuse) => {
                    Some(format!("a run ends at line {line}: {misuse}; what it does in C is undefined"))
                }
                Undefined::Overflow(_) | Undefined::TooLarge => None,
            }
        };
        found.undefined.iter().filter_map(remark).take(3).collect()
    }

    /// Variables that a run reads without anything being stored in them.
    pub(super) fn uninitialised(&self, account: &Account) -> Vec<String> {
        let asked = account.asked.iter().map(|id| self.problem.program.input(*id));
        let unset = asked.filter(|input| input.kind == InputKind::Uninitialised);
        let remark = |input: &Input| {
            let line = self.sources.line_column(input.span).0;
            format!("nothing is stored in {} (line {line}), so that it may be any number", input.name)
        };
        unset.take(3).map(remark).collect()
    }

    /// The line of an edge of the program that is executed.
    fn line(&self, function: FunctionId, edge: EdgeId) -> usize {
        self.sources.line_column(self.program.function(function).edge(edge).span).0
    }
}

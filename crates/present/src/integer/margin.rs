//! A run of an integer program as its text, with the lines that are executed marked.

use super::teller::Teller;
use super::text::summary;
use crate::trace::{Mark, marked};
use base::Span;
use integers::account::{Account, Visit};
use integers::trace::End;
use std::collections::BTreeMap;

impl Teller<'_> {
    /// The whole program, line by line.
    pub fn margin(&self, account: &Account) -> String {
        let main = self.program.function(self.program.main).span;
        let mut marks: BTreeMap<usize, Mark> = BTreeMap::new();
        for Visit { function, edge, first, last, n_times } in &account.visits {
            let span = self.program.function(*function).edge(*edge).span;
            if span.file == main.file {
                let mark = marks.entry(self.sources.line_column(span).0).or_default();
                mark.first =
                    if mark.n_times == 0 { (*first).into() } else { mark.first.min((*first).into()) };
                mark.n_times += u128::from(*n_times);
                mark.is_endless |= account.cycle.is_some_and(|cycle| *last >= cycle.first);
            }
        }
        let (span, what) = self.goal_mark(account).unwrap_or((main, ""));
        let what = if span.file == main.file { what } else { "" };
        marked(self.sources, main.file, &marks, (self.sources.line_column(span).0, what), None)
            + &self.last_line(account)
    }

    fn goal_mark(&self, account: &Account) -> Option<(Span, &'static str)> {
        match account.end {
            End::Target(target) => {
                let target = &self.program.targets[target.index()];
                let what = if target.kind == integers::TargetKind::Assertion { "fails" } else { "reached" };
                Some((target.span, what))
            }
            End::Undefined(_, function, edge) => {
                Some((self.program.function(function).edge(edge).span, "fails"))
            }
            _ => None,
        }
    }

    fn last_line(&self, account: &Account) -> String {
        if account.cycle.is_some() {
            return summary(account) + "\n";
        }
        match self.last_values(account) {
            values if values.is_empty() => values,
            values => format!("finally: {values}\n"),
        }
    }
}

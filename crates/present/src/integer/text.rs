//! A run of an integer program as a table of steps.

use super::teller::Teller;
use crate::trace::{Row, Statement, Table, bracket, count, growth, list};
use integers::Place;
use integers::account::{Account, Cycle, Passage};

impl Teller<'_> {
    /// The whole run.
    pub fn text(&self, account: &Account) -> String {
        let (stem, cycle) = self.rows(account);
        let table = Table::new(stem.iter().chain(&cycle));
        let mut out = format!("{}\n\n{}", summary(account), table.head());
        stem.iter().for_each(|row| out.push_str(&table.row(row)));
        let cycle: Vec<String> = cycle.iter().map(|row| table.row(row)).collect();
        out.push_str(&bracket(&table.head(), &cycle));
        out
    }

    /// The rows before the cycle, and those of it.
    fn rows(&self, account: &Account) -> (Vec<Row>, Vec<Row>) {
        let mut stem: Vec<Row> = self.initially(account).into_iter().collect();
        let mut cycle = Vec::new();
        for passage in &account.passages {
            let is_repeated = account.cycle.is_some_and(|cycle| last(passage) >= cycle.first);
            let rows = if is_repeated { &mut cycle } else { &mut stem };
            rows.push(self.row(passage));
        }
        if account.cycle.is_none() {
            let depth = account.last.frames.len().saturating_sub(1);
            stem.extend(self.end(account.end, depth));
            stem.extend(self.finally(account));
            stem.extend(self.last_objects(account).iter().map(|object| {
                let (statement, effect) = ("(in memory)".to_owned(), list(std::slice::from_ref(object)));
                Row { statement, effect, ..Row::default() }
            }));
        }
        (stem, cycle)
    }

    /// What the globals hold at first.
    fn initially(&self, account: &Account) -> Option<Row> {
        let effect = list(&self.globals(&account.start));
        let statement = "(initially)".to_owned();
        (!effect.is_empty()).then(|| Row { statement, effect, ..Row::default() })
    }

    /// What the variables hold in the end.
    pub(super) fn last_values(&self, account: &Account) -> String {
        let mut values = self.globals(&account.last.globals);
        if let Some(frame) = account.last.frames.last() {
            let locals = (0..).map(Place::Local).zip(frame.locals.iter().copied());
            values.extend(self.valuation(frame.function, locals));
        }
        list(&values)
    }

    /// The row of that.
    fn finally(&self, account: &Account) -> Option<Row> {
        let (statement, effect) = ("(finally)".to_owned(), self.last_values(account));
        (!effect.is_empty()).then(|| Row { statement, effect, ..Row::default() })
    }

    /// A part of the run as a row.
    pub fn row(&self, passage: &Passage) -> Row {
        match passage {
            Passage::Step(told) => {
                let Statement { file, line, text, .. } = self.statement(told);
                let (number, depth) = (Some(told.number.into()), told.step.depth);
                let effect = self.effect(told).text();
                Row { number, file, line: Some(line), depth, statement: text, effect, ..Row::default() }
            }
            Passage::Again { first, last, back } => {
                let statement = format!("… as steps {first}–{last}");
                let (number, depth) = (Some(back.number.into()), back.step.depth);
                Row { number, depth, statement, effect: self.effect(back).text(), ..Row::default() }
            }
            Passage::Omitted { first, last, .. } => {
                let statement = format!("… {} more", count(u128::from(last - first + 1)));
                Row { statement, ..Row::default() }
            }
        }
    }
}

/// `6 steps, then 3 steps for ever`.
pub(super) fn summary(account: &Account) -> String {
    let Some(Cycle { first, last, growth: n_calls }) = account.cycle else {
        return count(account.n_steps.into());
    };
    let again = format!(
        "{} for ever{}",
        count(u128::from((last + 1).saturating_sub(first))),
        growth(n_calls as usize)
    );
    match first {
        0 | 1 => again,
        _ => format!("{}, then {again}", count(u128::from(first - 1))),
    }
}

fn last(passage: &Passage) -> u64 {
    match passage {
        Passage::Step(told) | Passage::Again { back: told, .. } => told.number,
        Passage::Omitted { last, .. } => *last,
    }
}

//! One rule of the program as a query that cannot be satisfied if the claim is right.
//!
//! Variables of the query are numbered as they occur, so that the same rule in another function is the same query.

use integers::{Expr, Op, Place, smtlib};
use rustc_hash::FxHashMap;
use smt::Query;

/// What a variable of the query stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Meaning {
    /// What a variable holds before.
    Now(Place),
    /// What a step stores.
    Then(Place),
    /// What is passed for a parameter.
    Passed(u32),
    /// What a variable of the callee holds when it returns.
    Left(Place),
    /// What the environment chooses.
    Input(u32),
    /// What nobody knows.
    Unknown(u32),
}

/// A query under construction.
#[derive(Default)]
pub(crate) struct Encoding {
    pub(crate) query: Query,
    /// What each variable stands for.
    pub(crate) meanings: Vec<Meaning>,
    numbers: FxHashMap<Meaning, usize>,
}

impl Encoding {
    /// The variable that stands for something.
    pub(crate) fn name(&mut self, meaning: Meaning) -> String {
        let Self { query, meanings, numbers } = self;
        let number = *numbers.entry(meaning).or_insert_with(|| {
            query.variables.push(format!("v{}", meanings.len()));
            meanings.push(meaning);
            meanings.len() - 1
        });
        query.variables[number].clone()
    }

    /// Translates an expression; `mean` says what stands for what it reads.
    fn text(&mut self, expr: &Expr, mean: &dyn Fn(Place) -> Meant) -> smtlib::Text {
        smtlib::text(expr, |op| match op {
            Op::Read(place) => self.meant(mean(place)),
            Op::Input(n) => self.name(Meaning::Input(n)),
            Op::Unknown(n) => self.name(Meaning::Unknown(n)),
            _ => unreachable!("{op:?} has a translation of its own"),
        })
    }

    /// The formula is defined and holds.
    pub(crate) fn holds(&mut self, formula: &Expr, mean: &dyn Fn(Place) -> Meant) {
        let text = self.text(formula, mean).holds();
        if text != "true" {
            self.query.asserts.push(text);
        }
    }

    /// The formula is undefined or does not hold.
    pub(crate) fn fails(&mut self, formula: &Expr, mean: &dyn Fn(Place) -> Meant) {
        let text = self.text(formula, mean).holds();
        self.query.asserts.push(format!("(not {text})"));
    }

    /// The term is defined, and something stands for its value, if that is needed.
    pub(crate) fn value(&mut self, term: &Expr, mean: &dyn Fn(Place) -> Meant, needed: Option<Meaning>) {
        let text = self.text(term, mean);
        self.query.asserts.extend(text.defined);
        if let Some(meaning) = needed {
            let name = self.name(meaning);
            self.query.asserts.push(format!("(= {name} {})", text.text));
        }
    }

    /// The text of what stands for a variable.
    pub(crate) fn meant(&mut self, meant: Meant) -> String {
        match meant {
            Meant::Variable(meaning) => self.name(meaning),
            Meant::Number(number) => smtlib::number(number),
        }
    }

    /// What stands for something is one of these numbers.
    pub(crate) fn between(&mut self, meaning: Meaning, min: i128, max: i128) {
        let name = self.name(meaning);
        self.query.asserts.push(format!("(<= {} {name} {})", smtlib::number(min), smtlib::number(max)));
    }
}

/// What stands for a variable.
pub(crate) enum Meant {
    Variable(Meaning),
    Number(i128),
}

/// Every variable stands for what it holds before.
pub(crate) fn now(place: Place) -> Meant {
    Meant::Variable(Meaning::Now(place))
}

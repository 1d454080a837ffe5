//! What is asked, and what is answered.

use std::fmt;

/// A conjunction of formulas over integer variables, some of which are named. All text is SMT-LIB.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Query {
    /// The integer variables.
    pub variables: Vec<String>,
    /// What holds.
    pub asserts: Vec<String>,
    /// Formulas whose truth values matter.
    pub atoms: Vec<String>,
}

/// An atom of a query, and the truth value that it is to have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Assumption {
    /// A position in [`Query::atoms`].
    pub atom: usize,
    /// Its value.
    pub holds: bool,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The solver says that it does not know.
    GaveUp,
    /// It took longer than allowed.
    TimedOut,
    /// Whoever asked was told to stop.
    Stopped,
    /// It needed more memory than it may take, which is so many megabytes.
    OutOfMemory(u64),
    /// It cannot be used: how, in words.
    Failed(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::GaveUp => write!(f, "the SMT solver does not know"),
            Why::TimedOut => write!(f, "the SMT solver took too long"),
            Why::Stopped => write!(f, "the SMT solver was stopped"),
            Why::OutOfMemory(share) => {
                write!(f, "the SMT solver is out of memory, {share} MB being its share")
            }
            Why::Failed(how) => write!(f, "the SMT solver failed: {how}"),
        }
    }
}

/// Whether a query can be satisfied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It can.
    Sat,
    /// It cannot.
    Unsat,
    /// Nobody knows.
    Unknown(Why),
}

/// All valuations of the atoms of a query that can occur.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cubes {
    /// These and no others, sorted.
    All(Vec<Vec<bool>>),
    /// More than asked for.
    TooMany,
    /// The solver stopped before it had all.
    Unknown(Why),
}

/// Numbers that satisfy a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Model {
    /// The values of the terms that were asked for.
    Sat(Vec<i128>),
    /// There are none.
    Unsat,
    /// Nobody knows.
    Unknown(Why),
}

/// Somebody who answers queries.
pub trait Solver {
    /// For each list of assumptions, whether the query can be satisfied together with them.
    fn check(&mut self, query: &Query, assumptions: &[Vec<Assumption>]) -> Vec<Answer>;

    /// The valuations of its atoms, at most so many.
    fn cubes(&mut self, query: &Query, most: usize) -> Cubes;

    /// Numbers for some terms.
    fn model(&mut self, query: &Query, terms: &[String]) -> Model;

    /// How many times the solver was asked.
    fn n_asked(&self) -> u64;
}

//! A solver for tests: it says what it was told to say, and remembers what it was asked.

use crate::query::{Answer, Assumption, Cubes, Model, Query, Solver, Why};
use std::collections::VecDeque;

/// One call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    /// [`Solver::check`].
    Check(Query, Vec<Vec<Assumption>>),
    /// [`Solver::cubes`].
    Cubes(Query, usize),
    /// [`Solver::model`].
    Model(Query, Vec<String>),
}

/// Answers that were prepared, in order; when there are none left, it gives up.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// What to say to the next questions whether something can be satisfied.
    pub answers: VecDeque<Answer>,
    /// What to say to the next questions for cubes.
    pub cubes: VecDeque<Cubes>,
    /// What to say to the next questions for numbers.
    pub models: VecDeque<Model>,
    /// What it was asked.
    pub asked: Vec<Asked>,
}

impl Solver for Recorded {
    fn check(&mut self, query: &Query, assumptions: &[Vec<Assumption>]) -> Vec<Answer> {
        self.asked.push(Asked::Check(query.clone(), assumptions.to_vec()));
        let mut next = || self.answers.pop_front().unwrap_or(Answer::Unknown(Why::GaveUp));
        assumptions.iter().map(|_| next()).collect()
    }

    fn cubes(&mut self, query: &Query, most: usize) -> Cubes {
        self.asked.push(Asked::Cubes(query.clone(), most));
        self.cubes.pop_front().unwrap_or(Cubes::Unknown(Why::GaveUp))
    }

    fn model(&mut self, query: &Query, terms: &[String]) -> Model {
        self.asked.push(Asked::Model(query.clone(), terms.to_vec()));
        self.models.pop_front().unwrap_or(Model::Unknown(Why::GaveUp))
    }

    fn n_asked(&self) -> u64 {
        self.asked.len() as u64
    }
}

//! Comparisons as diagrams.

use super::Store;
use crate::fault::Fault;
use calculus::system::{Comparison, Term, VarId};
use dd::{Bdd, Level};

impl Store<'_> {
    /// A comparison between bit variables, or of one with a constant; false where a pattern stands for no value.
    pub fn compare_bits(&mut self, comparison: Comparison, a: Term, b: Term) -> Result<Bdd, Fault> {
        match (a, b) {
            (Term::Var(x), Term::Var(y)) => self.compare_variables(comparison, x, y),
            (Term::Var(x), Term::Value(value)) => match comparison {
                Comparison::Equal => self.exactly(x, value),
                Comparison::LessEqual => self.at_most(x, value),
                Comparison::Less if value == 0 => Ok(Bdd::FALSE),
                Comparison::Less => self.at_most(x, value - 1),
            },
            (Term::Value(value), Term::Var(y)) => {
                let below = match comparison {
                    Comparison::Equal => return self.exactly(y, value),
                    Comparison::Less => self.at_most(y, value)?,
                    Comparison::LessEqual if value == 0 => Bdd::FALSE,
                    Comparison::LessEqual => self.at_most(y, value - 1)?,
                };
                let existing = self.existing_values(&[y])?;
                Ok(self.dd.difference(existing, below)?)
            }
            (Term::Value(x), Term::Value(y)) => {
                Ok(Bdd::constant(crate::planner::node::compare(comparison, x, y)))
            }
        }
    }

    /// Two columns have the same value.
    pub fn equal_bits(&mut self, a: VarId, b: VarId) -> Result<Bdd, Fault> {
        self.compare_variables(Comparison::Equal, a, b)
    }

    fn compare_variables(&mut self, comparison: Comparison, x: VarId, y: VarId) -> Result<Bdd, Fault> {
        let pairs: Vec<(Level, Level)> =
            self.layout.levels(x).iter().copied().zip(self.layout.levels(y).iter().copied()).collect();
        let mut result = Bdd::constant(comparison != Comparison::Less);
        for &(a, b) in pairs.iter().rev() {
            let (a, b) = (self.dd.variable(a)?, self.dd.variable(b)?);
            let same = self.dd.iff(a, b)?;
            result = self.dd.and(same, result)?;
            if comparison != Comparison::Equal {
                let less = self.dd.difference(b, a)?;
                result = self.dd.or(result, less)?;
            }
        }
        let existing = self.existing_values(&[x, y])?;
        Ok(self.dd.and(result, existing)?)
    }

    /// The variable has this value.
    pub fn exactly(&mut self, var: VarId, value: u32) -> Result<Bdd, Fault> {
        let literals: Vec<_> = self.literals(var, value).collect();
        Ok(self.dd.cube(literals)?)
    }

    /// The bits of a value of a variable.
    pub fn literals(&self, var: VarId, value: u32) -> impl DoubleEndedIterator<Item = (Level, bool)> + '_ {
        let levels = self.layout.levels(var);
        let n = levels.len();
        levels.iter().enumerate().map(move |(bit, &level)| (level, value >> (n - 1 - bit) & 1 == 1))
    }

    /// The variable's bits, read as a number, are at most `value`.
    pub fn at_most(&mut self, var: VarId, value: u32) -> Result<Bdd, Fault> {
        let mut result = Bdd::TRUE;
        for (level, one) in self.literals(var, value).rev().collect::<Vec<_>>() {
            let bit = self.dd.variable(level)?;
            result =
                if one { self.dd.or(bit.complement(), result)? } else { self.dd.difference(result, bit)? };
        }
        Ok(result)
    }
}

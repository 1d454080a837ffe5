//! Bits of the values of ranges and enumerations: `a[0]` is the least significant bit of the number of a's value.
//!
//! A bit is no variable. Where it is true is written with comparisons, one for each run of values that have it.

use super::Checker;
use super::atom::Attempt;
use super::place::Meaning;
use crate::syntax::{Connective, Relational};
use crate::system::{BOOL, Comparison, Formula, FormulaId, SortKind, Term, VarId};
use base::Span;

/// A bit that changes more often than this among the values of its type is refused.
const MAX_RUNS: u64 = 1 << 16;

impl Checker<'_> {
    /// The values that have a bit come in runs of `2^bit`, as far apart.
    pub(super) fn bit(&mut self, var: VarId, bit: u32, span: Span) -> Attempt {
        let size = self.system.sort_of(var).size();
        let length = 1u64 << bit;
        let n_runs = size.saturating_sub(length).div_ceil(2 * length);
        if n_runs > MAX_RUNS {
            self.error(
                span,
                format!("this bit is one of a type with {size} values, which are too many for bits"),
            );
            return Attempt::Wrong;
        }
        if !self.work(n_runs as usize, span) {
            return Attempt::Wrong;
        }
        let runs =
            (0..n_runs).map(|n| (2 * n + 1) * length).map(|first| (first, (first + length).min(size) - 1));
        let runs: Vec<FormulaId> =
            runs.map(|(first, last)| self.between(var, first, last, size, span)).collect();
        Attempt::Built(self.or(runs, span))
    }

    /// The number of the value of `var` is one of `first..=last`.
    fn between(&mut self, var: VarId, first: u64, last: u64, size: u64, span: Span) -> FormulaId {
        let is_range = matches!(self.system.sort_of(var).kind, SortKind::Range { .. });
        let value = |n: u64| Term::Value(n as u32);
        let var = Term::Var(var);
        if first == last || !is_range {
            let equal = |n| Formula::Compare(Comparison::Equal, var, value(n));
            let values: Vec<FormulaId> = (first..=last).map(|n| self.formula(equal(n), span)).collect();
            return self.or(values, span);
        }
        let mut bounds = vec![self.formula(Formula::Compare(Comparison::LessEqual, value(first), var), span)];
        if last + 1 < size {
            bounds.push(self.formula(Formula::Compare(Comparison::LessEqual, var, value(last)), span));
        }
        self.and(bounds, span)
    }

    /// A comparison with at least one bit.
    pub(super) fn compare_bits(
        &mut self,
        relational: Relational,
        a: &Meaning,
        b: &Meaning,
        span: Span,
    ) -> Attempt {
        let connective = match relational {
            Relational::Equal => Connective::Iff,
            Relational::NotEqual => Connective::Xor,
            _ => {
                self.error(span, "expected a range type around an ordering, found `bool`");
                return Attempt::Wrong;
            }
        };
        let (left, right) = (self.truth_of(a, span), self.truth_of(b, span));
        match (left, right) {
            (Some(left), Some(right)) => Attempt::Built(self.connect(connective, left, right, span)),
            _ => Attempt::Wrong,
        }
    }

    fn truth_of(&mut self, meaning: &Meaning, span: Span) -> Option<FormulaId> {
        let formula = match *meaning {
            Meaning::Bit(var, bit) => {
                let Attempt::Built(formula) = self.bit(var, bit, span) else { return None };
                return Some(formula);
            }
            Meaning::Place(place) if place.shape.scalar() == Some(BOOL) => Formula::Variable(place.first),
            Meaning::Truth(value) => Formula::Constant(value),
            Meaning::Number(number @ (0 | 1), _) => Formula::Constant(number == 1),
            _ => {
                let found = self.describe(meaning);
                self.error(span, format!("expected `bool`, found {found}"));
                return None;
            }
        };
        Some(self.formula(formula, span))
    }

    /// A formula about variables that stand for bits.
    pub(super) fn with_bits(
        &mut self,
        bits: Vec<(VarId, FormulaId)>,
        formula: FormulaId,
        span: Span,
    ) -> FormulaId {
        if bits.is_empty() {
            return formula;
        }
        let vars: Vec<VarId> = bits.iter().map(|(var, _)| *var).collect();
        let mut operands = Vec::new();
        for (var, bit) in bits {
            let variable = self.formula(Formula::Variable(var), span);
            operands.push(self.formula(Formula::Iff(variable, bit), span));
        }
        operands.push(formula);
        let body = self.and(operands, span);
        self.formula(Formula::Exists(vars.into(), body), span)
    }
}

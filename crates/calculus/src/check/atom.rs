//! Atoms: comparisons, applications and Boolean variables, split by computed indices where there are any.

use super::Checker;
use super::place::{Assumed, Meaning, Place, Written};
use super::types::Shape;
use crate::syntax::{ExprId, Relational};
use crate::system::{BOOL, Comparison, Formula, FormulaId, RelationId, SortId, SortKind, Term, VarId};
use base::Span;
use std::ops::Range;

/// More combinations of index values than this are refused.
const MAX_ATTEMPTS: usize = 100_000;

/// The outcome of building an atom under assumptions about its indices.
pub(super) enum Attempt {
    Built(FormulaId),
    /// An index is outside its array.
    Outside,
    /// An index must be known first.
    Split(VarId, Range<u32>),
    /// An error is reported.
    Wrong,
}

/// A constant where a sort is expected.
enum Constant {
    Value(u32),
    /// A position outside the range.
    Outside(i128),
    Wrong,
}

impl Checker<'_> {
    /// `Or_n (cs = n & A[n])` over the values of the indices, or the atom itself if it has no computed index.
    pub(super) fn atom(
        &mut self,
        span: Span,
        mut build: impl FnMut(&mut Self, &Assumed) -> Attempt,
    ) -> FormulaId {
        match build(self, &[]) {
            Attempt::Built(atom) => atom,
            Attempt::Outside | Attempt::Wrong => self.constant(false, span),
            Attempt::Split(var, values) => self.split(span, var, values, build),
        }
    }

    /// The atom under each combination of values of the indices.
    fn split(
        &mut self,
        span: Span,
        var: VarId,
        values: Range<u32>,
        mut build: impl FnMut(&mut Self, &Assumed) -> Attempt,
    ) -> FormulaId {
        let mut stack: Vec<Vec<(VarId, u32)>> = Vec::new();
        let mut branches = Vec::new();
        let mut attempt = Attempt::Split(var, values);
        let mut assumed = Vec::new();
        let mut n_attempts = 0;
        loop {
            match attempt {
                Attempt::Built(atom) => {
                    let mut operands: Vec<FormulaId> = assumed
                        .iter()
                        .map(|&(var, value)| {
                            self.compare_terms(Comparison::Equal, Term::Var(var), Term::Value(value), span)
                        })
                        .collect();
                    operands.push(atom);
                    branches.push(self.and(operands, span));
                }
                Attempt::Outside => {}
                Attempt::Split(var, values) => {
                    n_attempts += values.len();
                    if n_attempts > MAX_ATTEMPTS {
                        self.error(
                            span,
                            format!("the indices and sums here have more than {MAX_ATTEMPTS} combinations of values"),
                        );
                        return self.constant(false, span);
                    }
                    stack.extend(values.rev().map(|value| {
                        let mut more: Vec<(VarId, u32)> = assumed.clone();
                        more.push((var, value));
                        more
                    }));
                }
                Attempt::Wrong => return self.constant(false, span),
            }
            let Some(next) = stack.pop() else { return self.or(branches, span) };
            if !self.work(1, span) {
                return self.constant(false, span);
            }
            assumed = next;
            attempt = build(self, &assumed);
        }
    }

    fn compare_terms(&mut self, comparison: Comparison, left: Term, right: Term, span: Span) -> FormulaId {
        self.formula(Formula::Compare(comparison, left, right), span)
    }

    /// A term where a formula is expected.
    pub(super) fn truth(&mut self, expr: ExprId) -> FormulaId {
        let span = self.file.expr(expr).span;
        self.atom(span, |checker, assumed| {
            let meaning = checker.term(expr, assumed);
            let formula = match meaning {
                Meaning::Bit(var, bit) => return checker.bit(var, bit, span),
                Meaning::Place(place) if place.shape.scalar() == Some(BOOL) => Formula::Variable(place.first),
                Meaning::Truth(value) => Formula::Constant(value),
                Meaning::Number(number @ (0 | 1), Written::Literally | Written::AsPosition) => {
                    Formula::Constant(number == 1)
                }
                Meaning::Outside => return Attempt::Outside,
                Meaning::Split(var, values) => return Attempt::Split(var, values),
                Meaning::Wrong => return Attempt::Wrong,
                Meaning::Place(_) | Meaning::Number(..) | Meaning::Enumerator(_) => {
                    let found = checker.describe(&meaning);
                    checker.error(span, format!("expected `bool`, found {found}"));
                    return Attempt::Wrong;
                }
            };
            Attempt::Built(checker.formula(formula, span))
        })
    }

    /// A comparison of two terms.
    pub(super) fn comparison(
        &mut self,
        relational: Relational,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> FormulaId {
        self.atom(span, |checker, assumed| {
            let a = checker.term(left, assumed);
            let b = match &a {
                Meaning::Place(place) => checker.term_of(right, place.shape, assumed),
                _ => checker.term(right, assumed),
            };
            match (a, b) {
                (Meaning::Wrong, _) | (_, Meaning::Wrong) => Attempt::Wrong,
                (Meaning::Outside, _) | (_, Meaning::Outside) => Attempt::Outside,
                (Meaning::Split(var, values), _) | (_, Meaning::Split(var, values)) => {
                    Attempt::Split(var, values)
                }
                (a @ Meaning::Bit(..), b) | (a, b @ Meaning::Bit(..)) => {
                    checker.compare_bits(relational, &a, &b, span)
                }
                (Meaning::Place(a), Meaning::Place(b)) => checker.compare_places(relational, a, b, span),
                (Meaning::Place(a), b) => {
                    let span_b = checker.file.expr(right).span;
                    checker.compare_constant(relational, a, &b, span_b, span)
                }
                (a, Meaning::Place(b)) => {
                    let span_a = checker.file.expr(left).span;
                    checker.compare_constant(mirrored(relational), b, &a, span_a, span)
                }
                (a, b) => checker.compare_constants(relational, &a, &b, span),
            }
        })
    }

    fn compare_places(&mut self, relational: Relational, a: Place, b: Place, span: Span) -> Attempt {
        if a.shape != b.shape {
            let (left, right) = (self.describe(&Meaning::Place(a)), self.describe(&Meaning::Place(b)));
            self.cannot_compare(&left, &right, span);
            return Attempt::Wrong;
        }
        if !self.may_order(relational, a.shape, span) {
            return Attempt::Wrong;
        }
        if a.shape.scalar().is_some() {
            return Attempt::Built(self.relate(relational, Term::Var(a.first), Term::Var(b.first), span));
        }
        // Classes and arrays are equal if all their leaves are.
        let size = self.types.size(a.shape) as u32;
        let equal = |checker: &mut Self, n| {
            let (a, b) = (Term::Var(VarId(a.first.0 + n)), Term::Var(VarId(b.first.0 + n)));
            checker.compare_terms(Comparison::Equal, a, b, span)
        };
        let leaves: Vec<FormulaId> = (0..size).map(|n| equal(self, n)).collect();
        let all = self.and(leaves, span);
        Attempt::Built(if relational == Relational::NotEqual { self.not(all, span) } else { all })
    }

    /// Orderings are for ranges only.
    fn may_order(&mut self, relational: Relational, shape: Shape, span: Span) -> bool {
        let is_range = |sort: SortId| matches!(self.system.sorts[sort.index()].kind, SortKind::Range { .. });
        let is_ordering = !matches!(relational, Relational::Equal | Relational::NotEqual);
        if is_ordering && !shape.scalar().is_some_and(is_range) {
            let name = self.shape_name(shape);
            self.error(span, format!("expected a range type around an ordering, found `{name}`"));
            return false;
        }
        true
    }

    fn relate(&mut self, relational: Relational, a: Term, b: Term, span: Span) -> FormulaId {
        match relational {
            Relational::Equal => self.compare_terms(Comparison::Equal, a, b, span),
            Relational::NotEqual => {
                let equal = self.compare_terms(Comparison::Equal, a, b, span);
                self.not(equal, span)
            }
            Relational::Less => self.compare_terms(Comparison::Less, a, b, span),
            Relational::LessEqual => self.compare_terms(Comparison::LessEqual, a, b, span),
            Relational::Greater => self.compare_terms(Comparison::Less, b, a, span),
            Relational::GreaterEqual => self.compare_terms(Comparison::LessEqual, b, a, span),
        }
    }

    fn compare_constant(
        &mut self,
        relational: Relational,
        place: Place,
        other: &Meaning,
        at: Span,
        span: Span,
    ) -> Attempt {
        if !self.may_order(relational, place.shape, span) {
            return Attempt::Wrong;
        }
        match self.constant_of(place.shape, other, at) {
            Constant::Value(value) => {
                Attempt::Built(self.relate(relational, Term::Var(place.first), Term::Value(value), span))
            }
            Constant::Outside(number) => {
                // Every value of the range is on the same side of the number.
                let value = match place.shape.scalar().map(|sort| &self.system.sorts[sort.index()].kind) {
                    Some(SortKind::Range { low, .. }) => i128::from(*low),
                    _ => 0,
                };
                Attempt::Built(self.constant(holds(relational, value, number), span))
            }
            Constant::Wrong => Attempt::Wrong,
        }
    }

    /// Comparisons of constants are decided here.
    fn compare_constants(&mut self, relational: Relational, a: &Meaning, b: &Meaning, span: Span) -> Attempt {
        let number = |meaning: &Meaning| match meaning {
            Meaning::Number(number, _) => Some(*number),
            _ => None,
        };
        if let (Meaning::Number(_, Written::AsSum(left)), Meaning::Number(_, Written::AsSum(right))) = (a, b)
            && left != right
        {
            let (left, right) = (self.describe(a), self.describe(b));
            self.cannot_compare(&left, &right, span);
            return Attempt::Wrong;
        }
        if let (Some(a), Some(b)) = (number(a), number(b)) {
            return Attempt::Built(self.constant(holds(relational, a, b), span));
        }
        let truth = |meaning: &Meaning| match meaning {
            Meaning::Truth(value) => Some(i128::from(*value)),
            Meaning::Number(number @ (0 | 1), _) => Some(*number),
            _ => None,
        };
        let pair = match (a, b) {
            (Meaning::Enumerator(a), Meaning::Enumerator(b)) => {
                let (of_a, of_b) = (&self.types.enumerators[a], &self.types.enumerators[b]);
                let is_shared = a == b || of_a.all().iter().any(|(sort, _)| of_b.of(*sort).is_some());
                is_shared.then_some((0, i128::from(a != b)))
            }
            _ => truth(a).zip(truth(b)),
        };
        if let Some((a, b)) = pair
            && matches!(relational, Relational::Equal | Relational::NotEqual)
        {
            return Attempt::Built(self.constant(holds(relational, a, b), span));
        }
        let (left, right) = (self.describe(a), self.describe(b));
        match pair {
            Some(_) => self.error(span, format!("expected a range type around an ordering, found {left}")),
            None => self.cannot_compare(&left, &right, span),
        }
        Attempt::Wrong
    }

    fn cannot_compare(&mut self, left: &str, right: &str, span: Span) {
        self.error(span, format!("cannot compare {left} with {right}: expected the same type on both sides"));
    }

    /// A constant where a value of `shape` is expected.
    fn constant_of(&mut self, shape: Shape, meaning: &Meaning, span: Span) -> Constant {
        let Some(sort) = shape.scalar() else { return self.mismatch(shape, meaning, span) };
        if matches!(meaning, Meaning::Number(_, Written::AsSum(of)) if *of != sort) {
            return self.mismatch(shape, meaning, span);
        }
        match (&self.system.sorts[sort.index()].kind, meaning) {
            (SortKind::Bool, Meaning::Truth(value)) => Constant::Value(u32::from(*value)),
            (SortKind::Bool, Meaning::Number(0, _)) => Constant::Value(0),
            (SortKind::Bool, Meaning::Number(1, _)) => Constant::Value(1),
            (SortKind::Enum(_), Meaning::Enumerator(name)) => match self.types.enumerators[name].of(sort) {
                Some(value) => Constant::Value(value),
                None => self.mismatch(shape, meaning, span),
            },
            // MUCKE numbers the values of an enumeration from 0.
            (SortKind::Enum(values), &Meaning::Number(number, written)) => {
                let n_values = values.len();
                match u32::try_from(number) {
                    Ok(value) if (value as usize) < n_values => Constant::Value(value),
                    _ if written == Written::AsPosition => Constant::Outside(number),
                    _ => {
                        let name = self.shape_name(shape);
                        let message =
                            format!("`{name}` has no value number {number}: they are 0..{}", n_values - 1);
                        self.error(span, message);
                        Constant::Wrong
                    }
                }
            }
            (&SortKind::Range { low, high }, &Meaning::Number(number, written)) => {
                if (i128::from(low)..=i128::from(high)).contains(&number) {
                    return Constant::Value((number - i128::from(low)) as u32);
                }
                if written == Written::AsPosition {
                    return Constant::Outside(number);
                }
                let name = self.shape_name(shape);
                self.error(span, format!("the number {number} is outside `{name}`, which is {low}..{high}"));
                Constant::Wrong
            }
            _ => self.mismatch(shape, meaning, span),
        }
    }

    fn mismatch(&mut self, shape: Shape, meaning: &Meaning, span: Span) -> Constant {
        let (expected, found) = (self.shape_name(shape), self.describe(meaning));
        self.error(span, format!("expected `{expected}`, found {found}"));
        Constant::Wrong
    }

    /// An application whose Boolean arguments that are no terms are already variables: `given` has one entry
    /// for each argument.
    pub(super) fn application(
        &mut self,
        relation: RelationId,
        expected: &[Option<Shape>],
        arguments: &[ExprId],
        given: &[Option<Term>],
        span: Span,
    ) -> FormulaId {
        self.atom(span, |checker, assumed| {
            let (mut terms, mut bits) = (Vec::new(), Vec::new());
            let (mut is_wrong, mut is_outside, mut split) = (false, false, None);
            for ((&argument, &shape), &given) in arguments.iter().zip(expected).zip(given) {
                if let Some(term) = given {
                    terms.push(term);
                    continue;
                }
                match checker.argument(argument, shape, assumed, &mut terms, &mut bits) {
                    Ok(()) => {}
                    Err(Attempt::Outside) => is_outside = true,
                    Err(Attempt::Split(var, values)) => split = Some((var, values)),
                    Err(_) => is_wrong = true,
                }
            }
            match split {
                _ if is_wrong => Attempt::Wrong,
                _ if is_outside => Attempt::Outside,
                Some((var, values)) => Attempt::Split(var, values),
                None => {
                    let applied = checker.formula(Formula::Apply(relation, terms.into()), span);
                    Attempt::Built(checker.with_bits(bits, applied, span))
                }
            }
        })
    }

    fn argument(
        &mut self,
        argument: ExprId,
        shape: Option<Shape>,
        assumed: &Assumed,
        terms: &mut Vec<Term>,
        bits: &mut Vec<(VarId, FormulaId)>,
    ) -> Result<(), Attempt> {
        let span = self.file.expr(argument).span;
        let Some(shape) = shape else {
            self.term(argument, assumed);
            return Err(Attempt::Wrong);
        };
        let meaning = self.term_of(argument, shape, assumed);
        match meaning {
            Meaning::Outside => return Err(Attempt::Outside),
            Meaning::Split(var, values) => return Err(Attempt::Split(var, values)),
            Meaning::Wrong => return Err(Attempt::Wrong),
            Meaning::Bit(var, bit) if shape.scalar() == Some(BOOL) => {
                let Attempt::Built(formula) = self.bit(var, bit, span) else { return Err(Attempt::Wrong) };
                let var = self.fresh(BOOL, span);
                bits.push((var, formula));
                terms.push(Term::Var(var));
                return Ok(());
            }
            Meaning::Place(place) if place.shape == shape => {
                let size = self.types.size(shape) as u32;
                // Many applications of a wide relation are too much long before their formulas are.
                if !self.work(2 * size as usize, span) {
                    return Err(Attempt::Wrong);
                }
                terms.extend((place.first.0..place.first.0 + size).map(|n| Term::Var(VarId(n))));
                return Ok(());
            }
            _ => {}
        }
        match self.constant_of(shape, &meaning, span) {
            Constant::Value(value) => {
                terms.push(Term::Value(value));
                Ok(())
            }
            Constant::Outside(_) => Err(Attempt::Outside),
            Constant::Wrong => Err(Attempt::Wrong),
        }
    }
}

/// The comparison with its sides exchanged.
fn mirrored(relational: Relational) -> Relational {
    match relational {
        Relational::Less => Relational::Greater,
        Relational::LessEqual => Relational::GreaterEqual,
        Relational::Greater => Relational::Less,
        Relational::GreaterEqual => Relational::LessEqual,
        Relational::Equal | Relational::NotEqual => relational,
    }
}

fn holds(relational: Relational, a: i128, b: i128) -> bool {
    match relational {
        Relational::Equal => a == b,
        Relational::NotEqual => a != b,
        Relational::Less => a < b,
        Relational::LessEqual => a <= b,
        Relational::Greater => a > b,
        Relational::GreaterEqual => a >= b,
    }
}

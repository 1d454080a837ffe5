//! Comparisons in a normal form, so that those which say the same, or the opposite, are recognised.
//!
//! A comparison of linear terms becomes `a x + b y + … <= c` or `… = c`, with coprime factors of which the first is positive; a
//! negation in front says the opposite. What is not linear stays as it is, as one of the things that are added up, or, if it is no comparison,
//! as a whole.

use crate::bits;
use crate::expr::{Expr, Op, Relation};
use std::collections::BTreeMap;

/// A formula or its negation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Literal {
    /// The formula, in normal form.
    pub atom: Atom,
    /// It holds; otherwise it does not.
    pub holds: bool,
}

/// A formula in normal form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// `sum <= most`
    AtMost(Sum, i128),
    /// `sum = value`
    Equal(Sum, i128),
    /// It always holds.
    True,
    /// Something else.
    Other(Expr),
}

/// Terms with their factors; no factor is 0, and no term is a sum or a number.
pub type Sum = Vec<(Expr, i128)>;

/// The normal form of a formula.
pub fn normal(formula: &Expr) -> Literal {
    assert!(formula.is_formula(), "a formula has a normal form");
    let parts = formula.fold(visit);
    match parts {
        Part::Formula(literal, _) => literal,
        Part::Term(..) => unreachable!("a formula is no term"),
    }
}

/// The conjuncts of a formula; those of a negated disjunction, too.
pub fn conjuncts(formula: &Expr) -> Vec<Expr> {
    fold_connective(formula, true)
}

/// The comparisons and other formulas without connectives that a formula consists of.
pub fn atoms(formula: &Expr) -> Vec<Expr> {
    let mut stack: Vec<(Expr, Vec<Expr>)> = Vec::new();
    for &op in formula.code() {
        let operands = stack.split_off(stack.len() - op.n_operands());
        let mut found: Vec<Expr> = Vec::new();
        for (_, atoms) in &operands {
            found.extend(atoms.iter().cloned());
        }
        let exprs: Vec<Expr> = operands.into_iter().map(|(expr, _)| expr).collect();
        let whole = Expr::of(op, &exprs);
        if matches!(op, Op::Compare(_)) {
            found.push(whole.clone());
        }
        stack.push((whole, found));
    }
    stack.pop().expect("an expression leaves one value").1
}

impl Literal {
    /// A formula that says the same.
    pub fn formula(&self) -> Expr {
        let formula = self.atom.formula();
        if self.holds { formula } else { formula.not() }
    }
}

impl Atom {
    /// A formula that says the same.
    pub fn formula(&self) -> Expr {
        let compare = |sum: &Sum, relation, constant: i128| {
            let (left, right) = sides(sum, constant);
            left.compare(relation, right)
        };
        match self {
            Atom::AtMost(sum, most) => compare(sum, Relation::LessEqual, *most),
            Atom::Equal(sum, value) => compare(sum, Relation::Equal, *value),
            Atom::True => Expr::truth(true),
            Atom::Other(expr) => expr.clone(),
        }
    }
}

/// The terms with positive factors, and the constant with the others.
pub(crate) fn sides(sum: &Sum, constant: i128) -> (Expr, Expr) {
    let product = |(term, factor): &(Expr, i128)| match factor.unsigned_abs() {
        1 => term.clone(),
        factor => Expr::constant(factor as i128).binary(Op::Multiply, term.clone()),
    };
    let add = |left: Option<Expr>, right: Expr| match left {
        Some(left) => Some(left.binary(Op::Add, right)),
        None => Some(right),
    };
    let of = |positive: bool| sum.iter().filter(move |(_, factor)| (*factor > 0) == positive).map(product);
    let left = of(true).fold(None, add).unwrap_or_else(|| Expr::constant(0));
    let right = of(false).fold(None, add);
    let right = match (right, constant) {
        (Some(right), 0) => right,
        (Some(right), constant) if constant < 0 && constant != i128::MIN => {
            right.binary(Op::Subtract, Expr::constant(-constant))
        }
        (Some(right), constant) => right.binary(Op::Add, Expr::constant(constant)),
        (None, constant) => Expr::constant(constant),
    };
    (left, right)
}

/// What an operand is.
enum Part {
    /// A sum and a constant, and the term itself.
    Term(BTreeMap<Expr, i128>, i128, Expr),
    Formula(Literal, Expr),
}

impl Part {
    fn expr(&self) -> &Expr {
        match self {
            Part::Term(_, _, expr) | Part::Formula(_, expr) => expr,
        }
    }
}

fn visit(op: Op, operands: Vec<Part>) -> Part {
    let whole = |operands: &[Part]| {
        let exprs: Vec<Expr> = operands.iter().map(|part| part.expr().clone()).collect();
        Expr::of(op, &exprs)
    };
    let expr = whole(&operands);
    if op.is_formula() {
        return Part::Formula(formula(op, &operands, &expr), expr);
    }
    let (sum, constant) = linear(op, &operands).unwrap_or_else(|| {
        // In normal form the operands of what is not linear may all be numbers.
        let term = normal_term(op, &operands);
        match term.as_constant() {
            Some(number) => (BTreeMap::new(), number),
            None => (BTreeMap::from([(term, 1)]), 0),
        }
    });
    Part::Term(sum, constant, expr)
}

/// A term that is not linear; its operands are in normal form, if they are terms.
fn normal_term(op: Op, operands: &[Part]) -> Expr {
    let operands: Vec<Expr> = operands
        .iter()
        .map(|part| match part {
            Part::Term(sum, constant, _) => {
                let sum: Sum = sum.iter().map(|(term, factor)| (term.clone(), *factor)).collect();
                let term = whole_sum(&sum);
                match (sum.is_empty(), *constant) {
                    (true, constant) => Expr::constant(constant),
                    (false, 0) => term,
                    (false, constant) => term.binary(Op::Add, Expr::constant(constant)),
                }
            }
            Part::Formula(literal, _) => literal.formula(),
        })
        .collect();
    Expr::of(op, &operands)
}

/// The sum as one term.
pub fn whole_sum(sum: &Sum) -> Expr {
    let product = |(term, factor): &(Expr, i128)| match factor {
        1 => term.clone(),
        factor => Expr::constant(*factor).binary(Op::Multiply, term.clone()),
    };
    let mut terms = sum.iter().map(product);
    let first = terms.next().unwrap_or_else(|| Expr::constant(0));
    terms.fold(first, |left, right| left.binary(Op::Add, right))
}

/// A sum of terms, if the operation makes one.
fn linear(op: Op, operands: &[Part]) -> Option<(BTreeMap<Expr, i128>, i128)> {
    let term = |n: usize| match &operands[n] {
        Part::Term(sum, constant, _) => (sum, *constant),
        Part::Formula(..) => unreachable!("terms are made of terms"),
    };
    let scaled = |n: usize, by: i128| {
        let (sum, constant) = term(n);
        let mut out = BTreeMap::new();
        for (term, factor) in sum.iter().filter(|_| by != 0) {
            out.insert(term.clone(), factor.checked_mul(by)?);
        }
        Some((out, constant.checked_mul(by)?))
    };
    let added = |by: i128| {
        let (mut sum, constant) = scaled(0, 1)?;
        let (other, more) = scaled(1, by)?;
        for (term, factor) in other {
            let known = sum.remove(&term).unwrap_or(0);
            match known.checked_add(factor)? {
                0 => {}
                factor => _ = sum.insert(term, factor),
            }
        }
        Some((sum, constant.checked_add(more)?))
    };
    match op {
        Op::Constant(number) => Some((BTreeMap::new(), number)),
        Op::Negate => scaled(0, -1),
        Op::Within(_) => scaled(0, 1),
        Op::Add => added(1),
        Op::Subtract => added(-1),
        Op::Multiply if term(1).0.is_empty() => scaled(0, term(1).1),
        Op::Multiply if term(0).0.is_empty() => scaled(1, term(0).1),
        Op::ShiftLeft(ty) if term(1).0.is_empty() && bits::is_distance(ty, term(1).1) => {
            scaled(0, bits::left(1, term(1).1)?)
        }
        // What is chosen for sure is what it is by itself.
        Op::Choose => match &operands[0] {
            Part::Formula(Literal { atom: Atom::True, holds }, _) => scaled(if *holds { 1 } else { 2 }, 1),
            _ => None,
        },
        _ => None,
    }
}

fn formula(op: Op, operands: &[Part], whole: &Expr) -> Literal {
    let literal = |n: usize| match &operands[n] {
        Part::Formula(literal, _) => literal,
        Part::Term(..) => unreachable!("formulas are joined to formulas"),
    };
    match op {
        Op::Truth(holds) => Literal { atom: Atom::True, holds },
        Op::Not => Literal { holds: !literal(0).holds, ..literal(0).clone() },
        Op::Compare(relation) => {
            let difference = linear(Op::Subtract, operands);
            difference
                .and_then(|(sum, constant)| comparison(relation, sum, constant))
                .unwrap_or_else(|| Literal { atom: Atom::Other(whole.clone()), holds: true })
        }
        _ => connective(op, literal(0), literal(1)),
    }
}

fn connective(op: Op, left: &Literal, right: &Literal) -> Literal {
    let decided = op == Op::Or;
    let always = |literal: &Literal| (literal.atom == Atom::True).then_some(literal.holds);
    match (always(left), always(right)) {
        (Some(value), _) if value == decided => left.clone(),
        (_, Some(value)) if value == decided => right.clone(),
        (Some(_), _) => right.clone(),
        (_, Some(_)) => left.clone(),
        _ if left == right => left.clone(),
        _ if left.atom == right.atom => Literal { atom: Atom::True, holds: decided },
        _ => Literal { atom: Atom::Other(left.formula().binary(op, right.formula())), holds: true },
    }
}

/// `sum + constant` compared with 0.
fn comparison(relation: Relation, sum: BTreeMap<Expr, i128>, constant: i128) -> Option<Literal> {
    let right = constant.checked_neg()?;
    let (equal, holds, right) = match relation {
        Relation::Equal => (true, true, right),
        Relation::NotEqual => (true, false, right),
        Relation::LessEqual => (false, true, right),
        Relation::Less => (false, true, right.checked_sub(1)?),
        Relation::Greater => (false, false, right),
        Relation::GreaterEqual => (false, false, right.checked_sub(1)?),
    };
    let Some(divisor) = sum.values().map(|factor| factor.unsigned_abs()).reduce(gcd) else {
        let is_true = if equal { right == 0 } else { 0 <= right };
        return Some(Literal { atom: Atom::True, holds: is_true == holds });
    };
    let divisor = i128::try_from(divisor).ok()?;
    let is_positive = *sum.values().next()? > 0;
    let sign = if is_positive { 1 } else { -1 };
    let mut terms: Sum = Vec::new();
    for (term, factor) in sum {
        terms.push((term, (factor / divisor).checked_mul(sign)?));
    }
    if equal {
        return Some(match right % divisor {
            0 => Literal { atom: Atom::Equal(terms, (right / divisor).checked_mul(sign)?), holds },
            _ => Literal { atom: Atom::True, holds: !holds },
        });
    }
    let most = right.div_euclid(divisor);
    // With the first factor positive: -s <= c says that s >= -c, and that s <= -c - 1 does not hold.
    Some(match is_positive {
        true => Literal { atom: Atom::AtMost(terms, most), holds },
        false => Literal { atom: Atom::AtMost(terms, most.checked_neg()?.checked_sub(1)?), holds: !holds },
    })
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Takes a formula apart at `And` (or, below a negation, at `Or`).
fn fold_connective(formula: &Expr, holds: bool) -> Vec<Expr> {
    let mut pending = vec![(formula.clone(), holds)];
    let mut out = Vec::new();
    while let Some((formula, holds)) = pending.pop() {
        let splits = if holds { Op::And } else { Op::Or };
        match formula.root() {
            Op::Not => pending.push((formula.operands().swap_remove(0), !holds)),
            root if root == splits => {
                let operands = formula.operands().into_iter().rev();
                pending.extend(operands.map(|operand| (operand, holds)));
            }
            Op::Truth(value) if value == holds => {}
            _ => out.push(if holds { formula } else { formula.not() }),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Place;

    fn x() -> Expr {
        Expr::read(Place::Local(0))
    }

    fn y() -> Expr {
        Expr::read(Place::Local(1))
    }

    fn number(number: i128) -> Expr {
        Expr::constant(number)
    }

    #[test]
    fn opposite_comparisons_have_one_atom() {
        let positive = normal(&x().compare(Relation::Greater, number(0)));
        let negated = normal(&x().unary(Op::Negate).compare(Relation::GreaterEqual, number(0)));
        assert_eq!(positive.atom, negated.atom);
        assert_eq!((positive.holds, negated.holds), (false, true));
        assert_eq!(positive.atom, Atom::AtMost(vec![(x(), 1)], 0));
    }

    #[test]
    fn factors_are_divided() {
        let double = number(2).binary(Op::Multiply, x()).compare(Relation::LessEqual, number(5));
        assert_eq!(normal(&double), normal(&x().compare(Relation::Less, number(3))));
        let never = number(2).binary(Op::Multiply, x()).compare(Relation::Equal, number(5));
        assert_eq!(normal(&never), Literal { atom: Atom::True, holds: false });
    }

    #[test]
    fn both_sides_are_put_together() {
        let left = x().binary(Op::Subtract, y()).compare(Relation::Less, number(1));
        let right = y().binary(Op::Add, number(0)).compare(Relation::GreaterEqual, x());
        assert_eq!(normal(&left), normal(&right));
        assert_eq!(normal(&left).formula().code(), x().compare(Relation::LessEqual, y()).code());
    }

    #[test]
    fn what_has_become_a_number_is_no_term() {
        let z = Place::Local(2);
        let known = |expr: &Expr| expr.substitute(|op| (op == Op::Read(z)).then(|| number(5)));
        let half = known(&Expr::read(z).binary(Op::Divide, number(2)));
        let at_most = |term: Expr, most: i128| normal(&term.compare(Relation::LessEqual, number(most)));
        assert_eq!(at_most(half.clone(), 1), Literal { atom: Atom::True, holds: false });
        assert_eq!(at_most(half.binary(Op::Add, x()), 1), at_most(x(), -1));
        let is_five = Expr::read(z).compare(Relation::Equal, number(5));
        let chosen = Expr::choose(is_five, x().binary(Op::Add, number(1)), y());
        assert_eq!(at_most(known(&chosen), 3), at_most(x(), 2));
    }

    #[test]
    fn conjunctions_are_taken_apart() {
        let a = x().compare(Relation::Less, number(1));
        let b = y().compare(Relation::Less, number(2));
        let both = a.clone().and(b.clone());
        assert_eq!(conjuncts(&both), [a.clone(), b.clone()]);
        let neither = a.clone().binary(Op::Or, b.clone()).not();
        assert_eq!(conjuncts(&neither), [a.clone().not(), b.clone().not()]);
        assert_eq!(atoms(&neither), [a, b]);
    }
}

//! Formulas as people write them: intervals and equalities, and nothing that follows from the rest.
//!
//! Contract: a formula that says the same of every state in which variables hold numbers of the types that are taken for granted. Comparisons of the same sum
//! are put together; what they decide in other parts of the formula is left out there. A formula that is not defined everywhere stays as it is, since the
//! order of its parts matters.

use crate::expr::{Expr, Op, Relation};
use crate::normal::{Atom, Literal, Sum, normal, sides};
use crate::number::Type;
use crate::program::Place;
use std::collections::BTreeMap;

/// Longer formulas stay as they are.
const LONGEST: usize = 4_000;

/// So many times what became simpler is looked at again.
const ROUNDS: usize = 8;

/// A formula that says the same. `granted` tells the types of variables that need not be told.
pub fn plain(formula: &Expr, granted: impl Fn(Place) -> Option<Type>) -> Expr {
    if formula.code().len() > LONGEST || !formula.is_total() {
        return formula.clone();
    }
    let mut known = Known::default();
    for place in formula.reads() {
        if let Some(ty) = granted(place) {
            known.0.insert(vec![(Expr::read(place), 1)], Bounds::between(ty.min(), ty.max()));
        }
    }
    let parts = Parts::of(formula, true);
    parts.told(&known).formula()
}

/// A formula without negations of connectives.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Parts {
    Literal(Literal),
    All(Vec<Parts>),
    Any(Vec<Parts>),
}

/// What is known of a sum.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Bounds {
    least: Option<i128>,
    most: Option<i128>,
    /// Numbers in between that it is not, sorted.
    not: Vec<i128>,
}

/// What is known of sums, and of formulas that are no comparisons of sums.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Known(BTreeMap<Sum, Bounds>, BTreeMap<Expr, bool>);

impl Bounds {
    fn between(least: i128, most: i128) -> Self {
        Self { least: Some(least), most: Some(most), not: Vec::new() }
    }

    fn is_empty(&self) -> bool {
        matches!((self.least, self.most), (Some(least), Some(most)) if least > most)
    }

    fn only(&self) -> Option<i128> {
        self.least.filter(|least| self.most == Some(*least))
    }

    /// Both are known.
    fn meet(&mut self, other: &Bounds) {
        self.least = self.least.max(other.least);
        self.most = match (self.most, other.most) {
            (Some(most), Some(other)) => Some(most.min(other)),
            (most, other) => most.or(other),
        };
        self.not.extend(&other.not);
        self.not.sort_unstable();
        self.not.dedup();
        // What is excluded at an end makes it nearer.
        while let Some(least) = self.least.filter(|least| self.not.contains(least)) {
            self.least = least.checked_add(1);
        }
        while let Some(most) = self.most.filter(|most| self.not.contains(most)) {
            self.most = most.checked_sub(1);
        }
        let (least, most) = (self.least, self.most);
        self.not.retain(|number| {
            least.is_none_or(|least| least < *number) && most.is_none_or(|most| *number < most)
        });
    }

    fn of(literal: &Literal) -> Option<(&Sum, Self)> {
        Some(match (&literal.atom, literal.holds) {
            (Atom::AtMost(sum, most), true) => (sum, Self { most: Some(*most), ..Self::default() }),
            (Atom::AtMost(sum, most), false) => {
                (sum, Self { least: Some(most.checked_add(1)?), ..Self::default() })
            }
            (Atom::Equal(sum, number), true) => (sum, Self::between(*number, *number)),
            (Atom::Equal(sum, number), false) => (sum, Self { not: vec![*number], ..Self::default() }),
            (Atom::True | Atom::Other(_), _) => return None,
        })
    }
}

impl Known {
    /// Whether a literal holds, if that follows.
    fn decides(&self, literal: &Literal) -> Option<bool> {
        match &literal.atom {
            Atom::True => return Some(literal.holds),
            Atom::Other(formula) => return self.1.get(formula).map(|holds| *holds == literal.holds),
            Atom::AtMost(..) | Atom::Equal(..) => {}
        }
        let (sum, wanted) = Bounds::of(literal)?;
        let known = self.0.get(sum)?;
        let mut both = known.clone();
        both.meet(&wanted);
        if both == *known {
            return Some(true);
        }
        both.is_empty().then_some(false)
    }

    /// Adds a literal; whether it can hold.
    fn add(&mut self, literal: &Literal) -> bool {
        if let Some(holds) = self.decides(literal) {
            return holds;
        }
        match (&literal.atom, Bounds::of(literal)) {
            (_, Some((sum, bounds))) => self.0.entry(sum.clone()).or_default().meet(&bounds),
            (Atom::Other(formula), None) => _ = self.1.insert(formula.clone(), literal.holds),
            (_, None) => {}
        }
        true
    }
}

impl Parts {
    fn of(formula: &Expr, holds: bool) -> Self {
        let operands = || formula.operands().into_iter();
        match formula.root() {
            Op::Not => Self::of(&formula.operands()[0], !holds),
            op @ (Op::And | Op::Or) => {
                let parts = operands().map(|operand| Self::of(&operand, holds)).collect();
                if (op == Op::And) == holds { Self::All(parts) } else { Self::Any(parts) }
            }
            _ => {
                let literal = normal(formula);
                Self::Literal(Literal { holds: literal.holds == holds, ..literal })
            }
        }
    }

    fn opposite(self) -> Self {
        let each = |parts: Vec<Parts>| parts.into_iter().map(Parts::opposite).collect();
        match self {
            Parts::Literal(literal) => Parts::Literal(Literal { holds: !literal.holds, ..literal }),
            Parts::All(parts) => Parts::Any(each(parts)),
            Parts::Any(parts) => Parts::All(each(parts)),
        }
    }

    /// The same where something is known: what follows from that is left out.
    fn told(self, known: &Known) -> Self {
        match self {
            Parts::Any(parts) => Parts::All(parts).opposite_parts().told(known).opposite(),
            Parts::Literal(_) => Parts::All(vec![self]).told(known),
            Parts::All(parts) => together(parts, known),
        }
    }

    /// The negations of the parts, together.
    fn opposite_parts(self) -> Self {
        match self {
            Parts::All(parts) => Parts::All(parts.into_iter().map(Parts::opposite).collect()),
            other => other,
        }
    }

    fn formula(&self) -> Expr {
        let join = |parts: &[Parts], op: Op| {
            let all = parts.iter().map(Parts::formula).reduce(|left, right| left.binary(op, right));
            all.unwrap_or_else(|| Expr::truth(op == Op::And))
        };
        match self {
            Parts::Literal(literal) => written(literal),
            Parts::All(parts) => join(parts, Op::And),
            Parts::Any(parts) => join(parts, Op::Or),
        }
    }
}

/// Parts that hold together, where something is known.
fn together(parts: Vec<Parts>, known: &Known) -> Parts {
    let mut order: Vec<Literal> = Vec::new();
    let mut all = known.clone();
    let mut rest = parts;
    for _ in 0..ROUNDS {
        let mut pending = rest;
        rest = Vec::new();
        while let Some(part) = (!pending.is_empty()).then(|| pending.remove(0)) {
            match part {
                Parts::Literal(literal) => {
                    if !all.add(&literal) {
                        return Parts::Any(Vec::new());
                    }
                    order.push(literal);
                }
                Parts::All(parts) => drop(pending.splice(0..0, parts)),
                Parts::Any(parts) if parts.is_empty() => return Parts::Any(parts),
                Parts::Any(_) => rest.push(part),
            }
        }
        rest = rest.into_iter().map(|part| part.told(&all)).collect();
        // Only what has turned out to hold for sure may make others simpler.
        if rest.iter().all(|part| matches!(part, Parts::Any(parts) if !parts.is_empty())) {
            break;
        }
    }
    let mut out: Vec<Parts> = Vec::new();
    for literal in &order {
        for told in retold(literal, known, &all) {
            let told = Parts::Literal(told);
            if !out.contains(&told) {
                out.push(told);
            }
        }
    }
    for part in rest {
        match part {
            Parts::All(parts) if parts.is_empty() => {}
            Parts::Any(parts) if parts.is_empty() => return Parts::Any(parts),
            part if out.contains(&part) => {}
            part => out.push(part),
        }
    }
    if out.len() == 1 { out.swap_remove(0) } else { Parts::All(out) }
}

/// What has become of a literal: all that is known of its sum and was not known before.
fn retold(literal: &Literal, before: &Known, all: &Known) -> Vec<Literal> {
    let (Atom::AtMost(sum, _) | Atom::Equal(sum, _)) = &literal.atom else {
        return if before.decides(literal) == Some(true) { Vec::new() } else { vec![literal.clone()] };
    };
    let Some(bounds) = all.0.get(sum) else { return vec![literal.clone()] };
    let mut out = Vec::new();
    match bounds.only() {
        Some(number) => out.push(Literal { atom: Atom::Equal(sum.clone(), number), holds: true }),
        None => {
            let least = bounds.least.and_then(|least| least.checked_sub(1));
            out.extend(least.map(|below| Literal { atom: Atom::AtMost(sum.clone(), below), holds: false }));
            out.extend(
                bounds.most.map(|most| Literal { atom: Atom::AtMost(sum.clone(), most), holds: true }),
            );
            let not = bounds.not.iter();
            out.extend(not.map(|number| Literal { atom: Atom::Equal(sum.clone(), *number), holds: false }));
        }
    }
    out.retain(|literal| before.decides(literal) != Some(true));
    out
}

/// A comparison, in the direction that is read most easily.
fn written(literal: &Literal) -> Expr {
    let (sum, number, relation) = match (&literal.atom, literal.holds) {
        (Atom::Equal(sum, number), true) => (sum, *number, Relation::Equal),
        (Atom::Equal(sum, number), false) => (sum, *number, Relation::NotEqual),
        (Atom::AtMost(sum, most), true) => (sum, *most, Relation::LessEqual),
        (Atom::AtMost(sum, most), false) if *most < i128::MAX => (sum, most + 1, Relation::GreaterEqual),
        _ => return literal.formula(),
    };
    let is_difference = sum.iter().any(|(_, factor)| *factor < 0);
    let (number, relation) = match (relation, number) {
        (Relation::LessEqual, -1) if is_difference => (0, Relation::Less),
        (Relation::GreaterEqual, 1) if is_difference => (0, Relation::Greater),
        other => (other.1, other.0),
    };
    let (left, right) = sides(sum, number);
    left.compare(relation, right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{Environment, Integers, Value, evaluate};
    use crate::program::UnknownId;
    use base::Random;

    const INT: Type = Type::signed(8);

    fn read(n: u32) -> Expr {
        Expr::read(Place::Local(n))
    }

    fn at_most(n: u32, most: i128) -> Expr {
        read(n).compare(Relation::LessEqual, Expr::constant(most))
    }

    #[track_caller]
    fn check(formula: &Expr, expected: &Expr) {
        let plain = plain(formula, |_| Some(INT));
        assert_eq!(plain, *expected);
    }

    #[test]
    fn comparisons_of_one_sum_are_put_together() {
        check(&at_most(0, 1).and(at_most(0, 2).and(at_most(0, 5))), &at_most(0, 1));
        let equal = at_most(0, 1).and(at_most(0, 0).not());
        check(&equal, &read(0).compare(Relation::Equal, Expr::constant(1)));
        check(&at_most(0, 1).and(at_most(0, 2).not()), &Expr::truth(false));
        check(&at_most(0, 1).binary(Op::Or, at_most(0, 2)), &at_most(0, 2));
    }

    #[test]
    fn what_types_say_is_left_out() {
        check(&at_most(0, 127).and(at_most(1, 3)), &at_most(1, 3));
        check(&at_most(0, 127), &Expr::truth(true));
    }

    #[test]
    fn what_is_decided_elsewhere_is_left_out() {
        let either = at_most(0, 4).binary(Op::Or, at_most(1, 3));
        check(&at_most(0, 2).and(either.clone()), &at_most(0, 2));
        let greater = read(0).compare(Relation::GreaterEqual, Expr::constant(5));
        check(&either.and(greater.clone()), &greater.and(at_most(1, 3)));
    }

    struct State([i128; 3]);

    impl Environment for State {
        fn read(&self, place: Place) -> Value {
            let Place::Local(n) = place else { unreachable!("there are locals only") };
            Value::Number(self.0[n as usize])
        }

        fn input(&self, _: u32) -> i128 {
            unreachable!("there are no inputs")
        }

        fn unknown(&self, _: u32) -> UnknownId {
            unreachable!("there are no unknowns")
        }
    }

    fn random_term(random: &mut Random) -> Expr {
        let term = read(random.index(3) as u32);
        match random.index(8) {
            0 => term.binary(Op::Add, read(random.index(3) as u32)),
            1 => term.binary(Op::Subtract, read(random.index(3) as u32)),
            2 => Expr::constant(2).binary(Op::Multiply, term),
            3 => term.binary(Op::Remainder(INT), Expr::constant(2)),
            _ => term,
        }
    }

    fn random_formula(random: &mut Random, depth: usize) -> Expr {
        let relations =
            [Relation::Equal, Relation::NotEqual, Relation::Less, Relation::LessEqual, Relation::Greater];
        if depth == 0 || random.chance(20) {
            let right = if random.chance(80) {
                Expr::constant(random.below(7) as i128 - 3)
            } else {
                random_term(random)
            };
            return random_term(random).compare(*random.pick(&relations), right);
        }
        let (left, right) = (random_formula(random, depth - 1), random_formula(random, depth - 1));
        let joined = left.binary(*random.pick(&[Op::And, Op::Or]), right);
        if random.chance(20) { joined.not() } else { joined }
    }

    /// The same in every state, and never longer. `GETAFIX_SEED=17` would be one of these.
    #[test]
    fn plain_formulas_say_the_same() {
        let (mut n_shorter, mut n_true, mut n_false) = (0, 0, 0);
        for seed in 0..600 {
            let mut random = Random::new(seed);
            let formula = random_formula(&mut random, 4);
            let granted = random.chance(50);
            let small = Type::signed(3);
            let plain = plain(&formula, |_| granted.then_some(small));
            n_shorter += usize::from(plain.code().len() < formula.code().len());
            for _ in 0..60 {
                let mut number = || random.below(8) as i128 - 4;
                let state = State([number(), number(), number()]);
                let value = |formula: &Expr| evaluate(formula, &state, Integers::Mathematical);
                assert_eq!(
                    value(&plain),
                    value(&formula),
                    "seed {seed}: {formula:?}\n{plain:?}\n{:?}",
                    state.0
                );
                match value(&formula) {
                    Value::Number(0) => n_false += 1,
                    _ => n_true += 1,
                }
            }
        }
        assert!(n_shorter > 300 && n_true > 2000 && n_false > 2000, "{n_shorter} {n_true} {n_false}");
    }
}

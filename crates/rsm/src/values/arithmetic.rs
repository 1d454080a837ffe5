//! What operators do to sets of values, forwards and backwards.
//!
//! Forwards: from the sets of the operands to the set of the results. Backwards: from one wanted result to operands in
//! given sets. Both are exact, because the operands are chosen independently. Cosets are closed under `+`, `-` and `*`:
//! a coset is `2^i·u` where `u` runs through all integers or through those odd ones that share some low bits.

use super::set::{Coset, ValueSet, low_bits};
use crate::expr::Binary;

/// The results of an operator.
pub(super) fn binary(operator: Binary, left: &ValueSet, right: &ValueSet) -> ValueSet {
    match operator {
        Binary::And | Binary::Or | Binary::Xor | Binary::Implies => {
            let can_be = |wanted| truth_operands(operator, left, right, wanted).is_some();
            ValueSet::truth(can_be(0), can_be(1))
        }
        Binary::Equal => equal(left, right, 1),
        Binary::NotEqual => equal(left, right, 0),
        Binary::Less => {
            let can_be_true = left.smallest() < right.largest();
            ValueSet::truth(left.largest() >= right.smallest(), can_be_true)
        }
        Binary::LessEqual => {
            let can_be_true = left.smallest() <= right.largest();
            ValueSet::truth(left.largest() > right.smallest(), can_be_true)
        }
        Binary::Add => each_pair(left, right, sum),
        Binary::Subtract => each_pair(left, &negate(right), sum),
        Binary::Multiply => each_pair(left, right, |a, b| product(a, b, left.n_bits())),
    }
}

/// The negations of some integers.
pub(super) fn negate(set: &ValueSet) -> ValueSet {
    let negated = set.cosets().iter().map(|coset| Coset::new(coset.offset.wrapping_neg(), coset.known));
    ValueSet::union(set.type_max(), negated.collect())
}

/// Operands from the two sets with this result; `None` if it is not a possible one.
pub(super) fn operands(
    operator: Binary,
    left: &ValueSet,
    right: &ValueSet,
    wanted: u64,
) -> Option<(u64, u64)> {
    let mask = left.type_max();
    let (first, last) = ((left.smallest(), right.largest()), (left.largest(), right.smallest()));
    let holds_for = |pair: (u64, u64)| (apply(operator, pair.0, pair.1, mask) == wanted).then_some(pair);
    match operator {
        Binary::And | Binary::Or | Binary::Xor | Binary::Implies => {
            truth_operands(operator, left, right, wanted)
        }
        Binary::Equal => equal_operands(left, right, wanted),
        Binary::NotEqual => equal_operands(left, right, 1 - wanted),
        Binary::Less | Binary::LessEqual => holds_for(first).or_else(|| holds_for(last)),
        Binary::Add => {
            let x = left.common(&each_pair(&shift_of(wanted, right), &negate(right), sum))?;
            Some((x, wanted.wrapping_sub(x) & mask))
        }
        Binary::Subtract => {
            let x = left.common(&each_pair(&shift_of(wanted, right), right, sum))?;
            Some((x, x.wrapping_sub(wanted) & mask))
        }
        Binary::Multiply => {
            let pairs = left.cosets().iter().flat_map(|a| right.cosets().iter().map(move |b| (*a, *b)));
            pairs.filter_map(|(a, b)| factors(a, b, left.n_bits(), wanted)).find_map(holds_for)
        }
    }
}

/// The operator on two values of an integer type (whose largest value is `mask`) or of any type for comparisons.
pub(super) fn apply(operator: Binary, left: u64, right: u64, mask: u64) -> u64 {
    match operator {
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        Binary::Implies => (1 - left) | right,
        Binary::Equal => u64::from(left == right),
        Binary::NotEqual => u64::from(left != right),
        Binary::Less => u64::from(left < right),
        Binary::LessEqual => u64::from(left <= right),
        Binary::Add => left.wrapping_add(right) & mask,
        Binary::Subtract => left.wrapping_sub(right) & mask,
        Binary::Multiply => left.wrapping_mul(right) & mask,
    }
}

/// One value as a set of the type of another set.
fn shift_of(value: u64, like: &ValueSet) -> ValueSet {
    ValueSet::union(like.type_max(), vec![Coset::new(value, like.n_bits())])
}

fn each_pair(left: &ValueSet, right: &ValueSet, operator: impl Fn(Coset, Coset) -> Coset) -> ValueSet {
    let mut results = Vec::with_capacity(left.cosets().len() * right.cosets().len());
    for &a in left.cosets() {
        results.extend(right.cosets().iter().map(|&b| operator(a, b)));
    }
    ValueSet::union(left.type_max(), results)
}

fn truth_operands(operator: Binary, left: &ValueSet, right: &ValueSet, wanted: u64) -> Option<(u64, u64)> {
    let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let fits =
        |&(x, y): &(u64, u64)| apply(operator, x, y, 1) == wanted && left.contains(x) && right.contains(y);
    pairs.into_iter().find(fits)
}

/// The possible values of "the operands are equal", compared with `wanted`.
fn equal(left: &ValueSet, right: &ValueSet, wanted: u64) -> ValueSet {
    let can_differ = equal_operands(left, right, 0).is_some();
    let can_agree = left.common(right).is_some();
    if wanted == 1 { ValueSet::truth(can_differ, can_agree) } else { ValueSet::truth(can_agree, can_differ) }
}

fn equal_operands(left: &ValueSet, right: &ValueSet, wanted: u64) -> Option<(u64, u64)> {
    if wanted == 1 {
        return left.common(right).map(|value| (value, value));
    }
    let (x, y) = (left.smallest(), right.smallest());
    if x != y {
        return Some((x, y));
    }
    let other_left = left.other_than(y).map(|x| (x, y));
    other_left.or_else(|| right.other_than(x).map(|y| (x, y)))
}

fn sum(a: Coset, b: Coset) -> Coset {
    Coset::new(a.offset.wrapping_add(b.offset), a.known.min(b.known))
}

/// A coset as `2^exponent·u`, where `u` is any integer (`odd` is `None`) or has the low bits of an odd number in
/// common with it: so many of them as `odd` says.
struct Scaled {
    exponent: u32,
    odd: Option<(u64, u32)>,
}

fn scaled(coset: Coset) -> Scaled {
    if coset.offset == 0 {
        return Scaled { exponent: coset.known, odd: None };
    }
    let exponent = coset.offset.trailing_zeros();
    Scaled { exponent, odd: Some((coset.offset >> exponent, coset.known - exponent)) }
}

/// The products. Odd numbers have inverses, so odd factors reach every number with the right low bits.
fn product(a: Coset, b: Coset, n_bits: u32) -> Coset {
    let (x, y) = (scaled(a), scaled(b));
    let exponent = x.exponent + y.exponent;
    let known = match (x.odd, y.odd) {
        (Some((_, p)), Some((_, q))) => exponent + p.min(q),
        _ => exponent,
    };
    Coset::new(a.offset.wrapping_mul(b.offset), known.min(n_bits))
}

/// Factors from the two cosets, if the product is one of theirs; otherwise `None` or any two numbers.
fn factors(a: Coset, b: Coset, n_bits: u32, wanted: u64) -> Option<(u64, u64)> {
    let (x, y) = (scaled(a), scaled(b));
    let exponent = x.exponent + y.exponent;
    let product = product(a, b, n_bits);
    if wanted & low_bits(product.known) != product.offset {
        return None;
    }
    if product.known == n_bits {
        return Some((a.offset, b.offset));
    }
    let cofactor = wanted >> exponent;
    let mask = low_bits(n_bits);
    let left_from = |odd: u64| (cofactor.wrapping_mul(inverse(odd)) << x.exponent) & mask;
    let right_from = |odd: u64| (cofactor.wrapping_mul(inverse(odd)) << y.exponent) & mask;
    Some(match (x.odd, y.odd) {
        // The side that knows more bits keeps its offset, the other one adapts.
        (Some((odd, p)), Some((_, q))) if p >= q => (a.offset, right_from(odd)),
        (Some(_) | None, Some((odd, _))) => (left_from(odd), b.offset),
        (Some((odd, _)), None) => (a.offset, right_from(odd)),
        (None, None) => (left_from(1), 1 << y.exponent),
    })
}

/// The inverse of an odd number modulo 2^64. Each round of Newton's iteration doubles the number of right bits.
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

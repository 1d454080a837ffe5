//! Sets of values of one type, as short lists of cosets.
//!
//! A [`Coset`] is all values whose low bits are known: `offset + k·2^known`. A single value knows all its bits, `*`
//! knows none. Read from the lowest bit upwards the known bits are a path into a binary tree, so two cosets are either
//! disjoint or one covers the other.
//! Invariant of [`ValueSet`]: not empty; the cosets are disjoint, in the order of that tree, and no two of them are
//! the two halves of a third. An enumeration has only `*` and unions of single values, for nothing computes with it.

use crate::expr::Type;

/// All values whose low `known` bits are those of `offset`; the other bits of `offset` are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Coset {
    pub(super) offset: u64,
    pub(super) known: u32,
}

/// The lowest `n` bits.
pub(super) fn low_bits(n: u32) -> u64 {
    if n == 0 { 0 } else { u64::MAX >> (64 - n) }
}

impl Coset {
    /// The coset of a value, of which only the low bits matter.
    pub(super) fn new(value: u64, known: u32) -> Self {
        Self { offset: value & low_bits(known), known }
    }

    /// Every value of the other one is a value of this one.
    fn covers(self, other: Coset) -> bool {
        self.known <= other.known && other.offset & low_bits(self.known) == self.offset
    }

    /// The other half of the coset that knows one bit less.
    fn is_sibling(self, other: Coset) -> bool {
        self.known == other.known && self.known > 0 && self.offset ^ other.offset == 1 << (self.known - 1)
    }

    /// A position in the tree: paths in lexicographic order, a prefix before its extensions.
    fn path(self) -> (u64, u32) {
        (self.offset.reverse_bits(), self.known)
    }

    /// How many of its values exceed the smallest one, up to the largest value of the type.
    fn n_above_offset(self, max: u64) -> u64 {
        (max - self.offset).checked_shr(self.known).unwrap_or(0)
    }

    fn largest(self, max: u64) -> u64 {
        self.offset + self.n_above_offset(max).checked_shl(self.known).unwrap_or(0)
    }
}

/// A set of values of one type; never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueSet {
    /// The largest value of the type.
    max: u64,
    cosets: Vec<Coset>,
}

impl ValueSet {
    /// Every value of a type.
    pub fn all(ty: &Type) -> Self {
        Self { max: ty.max(), cosets: vec![Coset { offset: 0, known: 0 }] }
    }

    /// One value of a type.
    pub fn single(value: u64, ty: &Type) -> Self {
        Self::single_up_to(value, ty.max())
    }

    /// One value of a type that is known by its largest value.
    fn single_up_to(value: u64, max: u64) -> Self {
        Self { max, cosets: vec![Coset { offset: value, known: n_bits(max) }] }
    }

    /// The Boolean values that are possible; at least one is.
    pub(super) fn truth(can_be_false: bool, can_be_true: bool) -> Self {
        match (can_be_false, can_be_true) {
            (true, true) => Self::all(&Type::Bool),
            (_, can_be_true) => Self::single(u64::from(can_be_true), &Type::Bool),
        }
    }

    /// The union of some cosets, at least one.
    pub(super) fn union(max: u64, mut cosets: Vec<Coset>) -> Self {
        if cosets.len() > 1 {
            cosets.sort_unstable_by_key(|coset| coset.path());
            cosets = merged(&cosets);
        }
        Self { max, cosets }
    }

    pub(super) fn cosets(&self) -> &[Coset] {
        &self.cosets
    }

    /// The largest value of the type.
    pub(super) fn type_max(&self) -> u64 {
        self.max
    }

    /// The number of bits of a value of the type.
    pub(super) fn n_bits(&self) -> u32 {
        n_bits(self.max)
    }

    /// A value is in the set.
    pub fn contains(&self, value: u64) -> bool {
        let point = Coset { offset: value, known: 64 };
        value <= self.max && self.cosets.iter().any(|coset| coset.covers(point))
    }

    /// The smallest value.
    pub fn smallest(&self) -> u64 {
        self.cosets.iter().map(|coset| coset.offset).min().expect("a set of values is not empty")
    }

    /// The largest value.
    pub fn largest(&self) -> u64 {
        let largest = self.cosets.iter().map(|coset| coset.largest(self.max)).max();
        largest.expect("a set of values is not empty")
    }

    /// The only value, if there is just one.
    pub fn only(&self) -> Option<u64> {
        match self.cosets[..] {
            [coset] if coset.n_above_offset(self.max) == 0 => Some(coset.offset),
            _ => None,
        }
    }

    /// The number of values.
    pub fn size(&self) -> u128 {
        self.cosets.iter().map(|coset| u128::from(coset.n_above_offset(self.max)) + 1).sum()
    }

    /// The values in ascending order, as long as there are at most `limit`.
    pub fn values(&self, limit: usize) -> Option<Vec<u64>> {
        if self.size() > limit as u128 {
            return None;
        }
        let of_coset = |coset: &Coset| {
            let (coset, above) = (*coset, coset.n_above_offset(self.max));
            (0..=above).map(move |n| coset.offset + n.checked_shl(coset.known).unwrap_or(0))
        };
        let mut values: Vec<u64> = self.cosets.iter().flat_map(of_coset).collect();
        values.sort_unstable();
        Some(values)
    }

    /// A value that both sets have.
    pub(super) fn common(&self, other: &ValueSet) -> Option<u64> {
        let mut all: Vec<Coset> = self.cosets.iter().chain(&other.cosets).copied().collect();
        all.sort_unstable_by_key(|coset| coset.path());
        // Those of one list are disjoint. Hence, if one covers another, it also covers its successor in this order.
        let pair = all.windows(2).find(|pair| pair[0].covers(pair[1]))?;
        Some(pair[1].offset)
    }

    /// A value other than this one.
    pub(super) fn other_than(&self, value: u64) -> Option<u64> {
        [self.smallest(), self.largest()].into_iter().find(|candidate| *candidate != value)
    }

    /// Two disjoint parts that make up the set, the one with the smaller known bits first; none for a single value.
    pub(crate) fn split(&self) -> Option<(ValueSet, ValueSet)> {
        let part = |cosets: &[Coset]| Self { max: self.max, cosets: cosets.to_vec() };
        if self.cosets.len() > 1 {
            let (low, high) = self.cosets.split_at(self.cosets.len() / 2);
            return Some((part(low), part(high)));
        }
        if self.only().is_some() {
            return None;
        }
        let Coset { offset, known } = self.cosets[0];
        let low = Coset { offset, known: known + 1 };
        let high = Coset { offset: offset | 1 << known, known: known + 1 };
        Some((part(&[low]), part(&[high])))
    }
}

fn n_bits(max: u64) -> u32 {
    64 - max.leading_zeros()
}

/// The same union in the form that the invariant asks for. The cosets come in the order of their paths.
fn merged(cosets: &[Coset]) -> Vec<Coset> {
    let mut merged: Vec<Coset> = Vec::with_capacity(cosets.len());
    for &coset in cosets {
        if merged.last().is_some_and(|last| last.covers(coset)) {
            continue;
        }
        let mut coset = coset;
        while let Some(last) = merged.pop_if(|last| last.is_sibling(coset)) {
            coset = Coset { offset: last.offset, known: last.known - 1 };
        }
        merged.push(coset);
    }
    merged
}

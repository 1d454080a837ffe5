//! Sets of small numbers as rows of bits.
//!
//! A row is a slice of words, so that a family of sets is one allocation and a union is a loop over words.

/// Sets over the same numbers, stored one after the other.
pub(super) struct BitRows {
    width: usize,
    words: Vec<u64>,
}

impl BitRows {
    /// Empty sets of numbers below 64 times `width`.
    pub(super) fn new(n_rows: usize, width: usize) -> Self {
        Self { width, words: vec![0; n_rows * width] }
    }

    /// One set.
    pub(super) fn row(&self, index: usize) -> &[u64] {
        &self.words[index * self.width..(index + 1) * self.width]
    }

    /// One set, to be changed.
    pub(super) fn row_mut(&mut self, index: usize) -> &mut [u64] {
        &mut self.words[index * self.width..(index + 1) * self.width]
    }

    /// Adds the members of one set to another.
    pub(super) fn unite_rows(&mut self, into: usize, from: usize) -> bool {
        let mut has_grown = false;
        for word in 0..self.width {
            let added = self.words[from * self.width + word];
            let target = &mut self.words[into * self.width + word];
            has_grown |= added & !*target != 0;
            *target |= added;
        }
        has_grown
    }
}

/// How many words hold the numbers below `n_bits`.
pub(super) fn n_words(n_bits: usize) -> usize {
    n_bits.div_ceil(64)
}

/// The number is in the set.
pub(super) fn contains(row: &[u64], bit: usize) -> bool {
    row[bit / 64] >> (bit % 64) & 1 == 1
}

/// Adds a number.
pub(super) fn insert(row: &mut [u64], bit: usize) {
    row[bit / 64] |= 1 << (bit % 64);
}

/// Takes a number away.
pub(super) fn remove(row: &mut [u64], bit: usize) {
    row[bit / 64] &= !(1 << (bit % 64));
}

/// Adds the numbers below `n_bits`.
pub(super) fn insert_below(row: &mut [u64], n_bits: usize) {
    for bit in 0..n_bits {
        insert(row, bit);
    }
}

/// Adds the members of another set, and says whether there were new ones.
pub(super) fn unite(row: &mut [u64], added: &[u64]) -> bool {
    let mut has_grown = false;
    for (word, added) in row.iter_mut().zip(added) {
        has_grown |= added & !*word != 0;
        *word |= added;
    }
    has_grown
}

/// The members, ascending.
pub(super) fn members(row: &[u64]) -> impl Iterator<Item = usize> {
    row.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest.checked_sub(1)?;
            Some(index * 64 + bit)
        })
    })
}

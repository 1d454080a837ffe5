//! The work list: a set of numbers that gives the smallest first.
//!
//! A word has a bit for each of 64 numbers; a word one storey up says which of 64 words below are not empty.

/// A set of numbers below a bound.
#[derive(Debug, Default)]
pub struct WorkList {
    /// The lowest storey first.
    storeys: Vec<Vec<u64>>,
}

impl WorkList {
    /// The empty set of numbers below `n`.
    pub fn new(n: usize) -> Self {
        let mut storeys = vec![vec![0; n.div_ceil(64).max(1)]];
        while let Some(top) = storeys.last().filter(|top| top.len() > 1) {
            let width = top.len().div_ceil(64);
            storeys.push(vec![0; width]);
        }
        Self { storeys }
    }

    /// Puts a number in.
    pub fn insert(&mut self, mut number: usize) {
        for storey in &mut self.storeys {
            storey[number / 64] |= 1 << (number % 64);
            number /= 64;
        }
    }

    /// The smallest number.
    pub fn first(&self) -> Option<usize> {
        let mut at = 0;
        for storey in self.storeys.iter().rev() {
            let word = storey[at];
            if word == 0 {
                return None;
            }
            at = at * 64 + word.trailing_zeros() as usize;
        }
        (!self.storeys.is_empty()).then_some(at)
    }

    /// The smallest number that is no smaller than this one.
    pub fn first_from(&self, number: usize) -> Option<usize> {
        let mut from = number;
        for (n, storey) in self.storeys.iter().enumerate() {
            let word = storey.get(from / 64)? & (u64::MAX << (from % 64));
            if word != 0 {
                let mut at = from / 64 * 64 + word.trailing_zeros() as usize;
                for below in self.storeys[..n].iter().rev() {
                    at = at * 64 + below[at].trailing_zeros() as usize;
                }
                return Some(at);
            }
            from = from / 64 + 1;
        }
        None
    }

    /// Takes the smallest number.
    pub fn pop(&mut self) -> Option<usize> {
        let at = self.first()?;
        self.remove(at);
        Some(at)
    }

    /// Takes a number out.
    pub fn remove(&mut self, mut number: usize) {
        for storey in &mut self.storeys {
            storey[number / 64] &= !(1 << (number % 64));
            if storey[number / 64] != 0 {
                break;
            }
            number /= 64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_smallest_comes_first() {
        let mut list = WorkList::new(300_000);
        [70_000, 3, 64, 299_999, 3].into_iter().for_each(|number| list.insert(number));
        let taken: Vec<usize> = std::iter::from_fn(|| list.pop()).collect();
        assert_eq!(taken, [3, 64, 70_000, 299_999]);
        list.insert(5);
        assert_eq!((list.first(), list.pop(), list.pop()), (Some(5), Some(5), None));
        assert_eq!(WorkList::default().first(), None);
    }

    #[test]
    fn those_from_some_number_on_come_in_order() {
        for n in [1, 63, 64, 65, 4_095, 4_096, 4_097, 300_000] {
            let mut list = WorkList::new(n);
            let numbers: BTreeSet<usize> = (0..40).map(|k: usize| k * k * 7_919 % n).collect();
            numbers.iter().for_each(|number| list.insert(*number));
            for from in numbers.iter().flat_map(|number| [number.saturating_sub(1), *number, number + 1]) {
                assert_eq!(list.first_from(from), numbers.range(from..).next().copied(), "{from} of {n}");
            }
            numbers.iter().skip(1).for_each(|number| list.remove(*number));
            assert_eq!((list.first(), list.first_from(1)), (numbers.first().copied(), None));
        }
        assert_eq!(WorkList::default().first_from(0), None);
    }
}

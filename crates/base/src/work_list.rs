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

    /// Takes the smallest number.
    pub fn pop(&mut self) -> Option<usize> {
        let at = self.first()?;
        let mut number = at;
        for storey in &mut self.storeys {
            storey[number / 64] &= !(1 << (number % 64));
            if storey[number / 64] != 0 {
                break;
            }
            number /= 64;
        }
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}

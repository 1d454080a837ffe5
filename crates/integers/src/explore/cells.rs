//! The cells of an object, fast: numbers in a list, which is as long as the object has been used, so that what is large and not used costs nothing.
//!
//! An index is one of the object's cells; whoever asks has looked at that.

/// What a cell holds: the number, and what makes it unknown, or 0.
pub(crate) type Held = (i128, u32);

/// So many cells are made at once; of larger objects those that something is stored in, and those before them.
const EAGER: usize = 1 << 14;

/// There would be more cells than allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full;

/// The cells of an object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Cells {
    /// How many the object has.
    n: usize,
    /// Whether those behind the list hold 0; otherwise nothing was stored in them.
    is_zeroed: bool,
    has_unknowns: bool,
    numbers: Vec<i128>,
    /// A bit for each cell of the list: something was stored there, or chosen for it.
    written: Vec<u64>,
    /// For each cell of the list, 0 if its number is known, and otherwise 1 more than what makes it unknown. Empty if all are known.
    unknown: Vec<u32>,
}

impl Cells {
    pub(crate) fn new(n: usize, is_zeroed: bool, has_unknowns: bool) -> Self {
        let mut cells = Self { n, is_zeroed, has_unknowns, ..Self::default() };
        cells.grow(n.min(EAGER));
        cells
    }

    /// How many there are in the list.
    pub(crate) fn n_made(&self) -> usize {
        self.numbers.len()
    }

    fn grow(&mut self, n: usize) {
        let before = self.numbers.len();
        // What a system gives is 0.
        if before == 0 {
            self.numbers = vec![0; n];
        } else {
            self.numbers.resize(n, 0);
        }
        let fresh = if self.is_zeroed { u64::MAX } else { 0 };
        if !before.is_multiple_of(64)
            && self.is_zeroed
            && let Some(last) = self.written.last_mut()
        {
            *last |= u64::MAX << (before % 64);
        }
        self.written.resize(n.div_ceil(64), fresh);
        self.unknown.resize(if self.has_unknowns { n } else { 0 }, 0);
    }

    /// Makes cells up to this one, and as many again if there is room for so many. Returns how many more there are.
    #[cold]
    fn reach(&mut self, at: usize, room: usize) -> Result<usize, Full> {
        let before = self.numbers.len();
        let most = before.saturating_add(room).min(self.n);
        if at >= most {
            return Err(Full);
        }
        self.grow((2 * before).max(at + 1).min(most));
        Ok(self.numbers.len() - before)
    }

    fn is_written(&self, at: usize) -> bool {
        self.written[at / 64] & (1 << (at % 64)) != 0
    }

    /// What a cell holds, if anything was stored there.
    #[inline]
    pub(crate) fn read(&self, at: usize) -> Option<Held> {
        let Some(&number) = self.numbers.get(at) else { return self.is_zeroed.then_some((0, 0)) };
        let mark = if self.has_unknowns { self.unknown[at] } else { 0 };
        self.is_written(at).then_some((number, mark))
    }

    /// A cell holds something from now on. There may be so many cells more; returns how many more there are.
    #[inline]
    pub(crate) fn write(&mut self, at: usize, (number, mark): Held, room: usize) -> Result<usize, Full> {
        let more = if at < self.numbers.len() { 0 } else { self.reach(at, room)? };
        self.numbers[at] = number;
        self.written[at / 64] |= 1 << (at % 64);
        if self.has_unknowns {
            self.unknown[at] = mark;
        }
        Ok(more)
    }

    /// Nothing was stored in the cell.
    pub(crate) fn forget(&mut self, at: usize, room: usize) -> Result<usize, Full> {
        let more = if at < self.numbers.len() || !self.is_zeroed { 0 } else { self.reach(at, room)? };
        if at < self.numbers.len() {
            self.written[at / 64] &= !(1 << (at % 64));
        }
        Ok(more)
    }

    /// All cells hold 0.
    pub(crate) fn zero(&mut self) {
        *self = Self::new(self.n, true, self.has_unknowns);
    }

    /// The numbers of the cells from one to another that something was stored in. Cells behind the list hold 0 at most.
    pub(crate) fn numbers(&self, from: usize, to: usize) -> impl Iterator<Item = i128> {
        let to = to.min(self.numbers.len());
        (from.min(to)..to).filter(|at| self.is_written(*at)).map(|at| self.numbers[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;
    use std::collections::BTreeMap;
    use testing::Counts;

    /// A map from indices to what was stored there; what is not in it holds 0, or nothing.
    #[test]
    fn cells_are_a_map() {
        let mut counts = Counts::default();
        for seed in generate::random::seeds(0..200) {
            let mut random = Random::new(seed);
            let (is_zeroed, has_unknowns) = (random.below(2) == 0, random.below(2) == 0);
            let n = [3, 70, EAGER, EAGER + 100, 1 << 40][random.below(5) as usize];
            let mut cells = Cells::new(n, is_zeroed, has_unknowns);
            let mut map: BTreeMap<usize, Option<Held>> = BTreeMap::new();
            let room = 4 * EAGER;
            for _ in 0..60 {
                let at = match random.below(3) {
                    0 => random.below(n as u64) as usize,
                    1 => random.below(n.min(EAGER) as u64) as usize,
                    _ => (cells.n_made() + random.below(130) as usize).min(n - 1),
                };
                let held =
                    (i128::from(random.below(9)), if has_unknowns { random.below(3) as u32 } else { 0 });
                let before = cells.n_made();
                let (done, stored) = match random.below(3) {
                    0 => (cells.forget(at, room), None),
                    _ => (cells.write(at, held, room), Some(held)),
                };
                match done {
                    Ok(more) => {
                        assert_eq!(cells.n_made(), before + more, "GETAFIX_SEED={seed}");
                        map.insert(at, stored);
                        counts.count(if more > 0 { "grown" } else { "there" });
                    }
                    Err(Full) => counts.count("full"),
                }
                let look = [at, at / 2, (at + 1).min(n - 1), random.below(n as u64) as usize];
                for at in look {
                    let expected = map.get(&at).copied().unwrap_or(is_zeroed.then_some((0, 0)));
                    assert_eq!(cells.read(at), expected, "GETAFIX_SEED={seed}, cell {at} of {n}");
                }
            }
        }
        counts.at_least(&[("grown", 50), ("there", 2000), ("full", 20)]);
    }
}

//! A deterministic source of numbers, so that a generated system is the same on every machine.
//!
//! The generator is SplitMix64; its whole state is one word.

/// A generator started from a seed.
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}

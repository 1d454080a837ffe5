//! Random numbers that depend on a seed and on nothing else.

/// A generator of the SplitMix family: a counter, scrambled.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// One of `0 … n − 1`; `n` is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        // The high half of the product maps the whole range evenly enough for any `n` that occurs.
        ((u128::from(mixed) * u128::from(n)) >> 64) as u64
    }
}

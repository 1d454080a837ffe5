//! Numbers that look random and depend on nothing but a seed.
//!
//! Not those of `base::Random`, because a family, a size and a seed name a program: measurements that were written down
//! are about the programs that these numbers make.

/// A sequence of numbers (a 64-bit xorshift whose output is multiplied).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        // The state must not be 0, and near seeds must not give near sequences.
        let mut dice = Self(seed.wrapping_mul(0xd134_2543_de82_ef95) ^ 0x6a09_e667_f3bc_c909);
        if dice.0 == 0 {
            dice.0 = 1;
        }
        (0..4).for_each(|_| _ = dice.number());
        dice
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        // The high bits are the better ones.
        ((self.number() >> 16) % bound) as usize
    }

    /// True in so many percent of all cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the choices, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

//! Choices, one after the other, without a list of them.
//!
//! The choices of a block have bits, dealt round; a number is one bit for each of them, and numbers are counted up. Where
//! counting meets numbers for which the block blocks, it looks at what the number begins with: if the block blocks
//! whatever the rest is, all numbers that begin so are passed over at once. So `x = 12345678901` is found
//! among 2^64 values. Bits are decided from the high ones, which intervals understand; if that takes too long, from the
//! low ones, which sums and products understand; if that takes too long, too, it is [`TooLarge`].

#[cfg(test)]
mod tests;

use crate::bounds::{Bounds, Partial, bounds_of};
use crate::code::{Code, Condition};
use crate::layout::Field;
use crate::program::{Block, Instruction, Kind};
use rsm::values::TooLarge;

/// A number with as many bits as needed; the words above the first are not there while they are 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Number {
    pub(crate) low: u64,
    pub(crate) rest: Vec<u64>,
}

impl Number {
    #[inline]
    pub(crate) fn bit(&self, n: usize) -> u64 {
        let word = if n < 64 { self.low } else { self.rest.get(n / 64 - 1).copied().unwrap_or(0) };
        (word >> (n % 64)) & 1
    }

    /// The next number.
    #[inline]
    pub(crate) fn count_up(&mut self) {
        match self.low.checked_add(1) {
            Some(low) => self.low = low,
            None => drop(self.step(0)),
        }
    }

    /// Clears the bits below `n` and adds 1 there; the highest bit that changed.
    fn step(&mut self, n: usize) -> usize {
        let mut at = n;
        let mut word = n / 64;
        self.word(word);
        for below in 0..word {
            *self.word(below) = 0;
        }
        *self.word(word) &= u64::MAX << (n % 64);
        let mut carry = 1u64 << (n % 64);
        loop {
            let (sum, overflows) = self.word(word).overflowing_add(carry);
            let changed = *self.word(word) ^ sum;
            at = at.max(word * 64 + 63 - changed.leading_zeros() as usize);
            *self.word(word) = sum;
            if !overflows {
                return at;
            }
            (word, carry) = (word + 1, 1);
            at = word * 64;
        }
    }

    fn word(&mut self, n: usize) -> &mut u64 {
        if n == 0 {
            return &mut self.low;
        }
        if self.rest.len() < n {
            self.rest.resize(n, 0);
        }
        &mut self.rest[n - 1]
    }

    /// How many bits it takes.
    pub(crate) fn n_bits(&self) -> u32 {
        match self.rest.iter().rposition(|word| *word != 0) {
            Some(n) => (n as u32 + 2) * 64 - self.rest[n].leading_zeros(),
            None => 64 - self.low.leading_zeros(),
        }
    }
}

/// Where a state stands among its successors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Cursor {
    /// Which of the blocks.
    pub(crate) position: u32,
    /// Numbers are decided from the low bits.
    pub(crate) from_low: bool,
    /// Some block could be executed.
    pub(crate) has_step: bool,
    /// The next number; at an exit, the next caller.
    pub(crate) number: Number,
}

/// The state that is wanted at the end of a block: what counts of it, and its words.
pub(crate) type Wanted<'a> = (&'a [u64], &'a [u64]);

/// What a block does in a state.
pub(crate) struct Execution<'a> {
    pub(crate) block: &'a Block,
    /// The globals.
    pub(crate) globals: &'a [u64],
    pub(crate) before: &'a [u64],
    pub(crate) wanted: Option<Wanted<'a>>,
}

/// So many numbers are tried in a row before looking at beginnings of numbers.
const TRIES: u32 = 4;

/// So many beginnings are looked at from the high bits before beginning again from the low ones.
const FROM_HIGH: usize = 1 << 13;

/// So many beginnings are looked at from the low bits.
const FROM_LOW: usize = 1 << 18;

impl Execution<'_> {
    /// The first number from the cursor on for which the block can be executed: sets the cursor to it, the digits and the
    /// words. `false` at the end of the numbers.
    pub(crate) fn next(
        &self,
        cursor: &mut Cursor,
        digits: &mut Vec<u64>,
        after: &mut [u64],
    ) -> Result<bool, TooLarge> {
        let n_bits = self.block.dealt.len();
        let mut tries = 0;
        loop {
            if cursor.number.n_bits() as usize > n_bits {
                return Ok(false);
            }
            if self.decode(cursor, digits) && self.execute(digits, after)? {
                return Ok(true);
            }
            tries += 1;
            if tries >= TRIES && n_bits > TRIES as usize {
                break;
            }
            if n_bits == 0 {
                return Ok(false);
            }
            cursor.number.count_up();
        }
        if let Some(found) = self.skip(cursor, digits, after)? {
            return Ok(found);
        }
        if cursor.from_low {
            return Err(TooLarge);
        }
        (cursor.from_low, cursor.number) = (true, Number::default());
        self.skip(cursor, digits, after)?.ok_or(TooLarge)
    }

    /// The same, passing over numbers by their beginnings; `None` if that takes too long.
    fn skip(
        &self,
        cursor: &mut Cursor,
        digits: &mut Vec<u64>,
        after: &mut [u64],
    ) -> Result<Option<bool>, TooLarge> {
        let n_bits = self.block.dealt.len();
        let mut decided = 0;
        for _ in 0..if cursor.from_low { FROM_LOW } else { FROM_HIGH } {
            if cursor.number.n_bits() as usize > n_bits {
                return Ok(Some(false));
            }
            // The bits from `n_bits` down to `open` are decided.
            let open = n_bits - decided;
            if !self.may_execute(cursor, open) {
                decided = n_bits.saturating_sub(cursor.number.step(open));
            } else if open > 0 {
                decided += 1;
            } else if self.decode(cursor, digits) && self.execute(digits, after)? {
                return Ok(Some(true));
            } else {
                decided = n_bits.saturating_sub(cursor.number.step(0));
            }
        }
        Ok(None)
    }

    /// The position of a bit of the number among the dealt bits.
    #[inline]
    fn place(&self, cursor: &Cursor, bit: usize) -> (u32, u32) {
        let dealt = &self.block.dealt;
        dealt[if cursor.from_low { dealt.len() - 1 - bit } else { bit }]
    }

    /// The digits of a number; `false` if one of them is too large.
    #[inline]
    fn decode(&self, cursor: &Cursor, digits: &mut Vec<u64>) -> bool {
        let choices = &self.block.choices;
        if choices.is_empty() {
            return true;
        }
        digits.clear();
        digits.resize(choices.len(), 0);
        let n_bits = if cursor.from_low { self.block.dealt.len() } else { cursor.number.n_bits() as usize };
        for bit in 0..n_bits {
            let (choice, shift) = self.place(cursor, bit);
            digits[choice as usize] |= cursor.number.bit(bit) << shift;
        }
        digits.iter().zip(choices).all(|(digit, max)| digit <= max)
    }

    /// Executes the block with these digits; `false` if it blocks, or leads elsewhere than wanted.
    #[inline]
    pub(crate) fn execute(&self, digits: &[u64], after: &mut [u64]) -> Result<bool, TooLarge> {
        after.copy_from_slice(self.before);
        for instruction in &self.block.instructions {
            let holds = match instruction {
                Instruction::Assume(condition) => condition.can_hold(after, after)?,
                Instruction::Assign { stores, constrain } => {
                    assign(stores, constrain.as_ref(), after, digits)?
                }
            };
            if !holds {
                return Ok(false);
            }
        }
        self.finish(digits, after);
        Ok(self.wanted.is_none_or(|(mask, words)| {
            mask.iter().zip(words).zip(&*after).all(|((mask, wanted), word)| word & mask == *wanted)
        }))
    }

    /// Computes arguments or results.
    #[inline]
    fn finish(&self, digits: &[u64], after: &mut [u64]) {
        if let Kind::Step = self.block.kind {
            return;
        }
        with_values(&self.block.tail, after, digits, |values, after| {
            mask_words(after, self.globals);
            self.block.tail.iter().zip(values).for_each(|((field, _), value)| field.set(after, *value));
        });
    }

    /// Whether the block may be executed with some number that agrees with the cursor on the bits from `open` on.
    fn may_execute(&self, cursor: &Cursor, open: usize) -> bool {
        let block = self.block;
        let mut parts = vec![(0u64, 0u64); block.choices.len()];
        for bit in 0..block.dealt.len() {
            let (choice, shift) = self.place(cursor, bit);
            let (value, decided) = &mut parts[choice as usize];
            if bit >= open {
                *value |= cursor.number.bit(bit) << shift;
                *decided |= 1 << shift;
            }
        }
        let bounds = parts
            .iter()
            .zip(&block.choices)
            .map(|((value, decided), max)| Bounds::partly(*value, *decided, *max));
        let Some(digits) = bounds.collect::<Option<Vec<Bounds>>>() else { return false };
        let mut words = self.before.to_vec();
        let mut state = Partial { words: &mut words, open: Vec::new() };
        for instruction in &block.instructions {
            let may_hold = match instruction {
                Instruction::Assume(condition) => may_hold(condition, &state, &state),
                Instruction::Assign { stores, constrain } => {
                    let values: Vec<Bounds> =
                        stores.iter().map(|(_, code)| bounds_of(code, &state, &state, &digits)).collect();
                    let mut old_words = state.words.to_vec();
                    let old = Partial { words: &mut old_words, open: state.open.clone() };
                    stores.iter().zip(values).for_each(|((field, _), value)| state.set(*field, value));
                    constrain.as_ref().is_none_or(|condition| may_hold(condition, &old, &state))
                }
            };
            if !may_hold {
                return false;
            }
        }
        self.may_finish(&mut state, &digits)
    }

    /// The end may be the one that is wanted.
    fn may_finish(&self, state: &mut Partial<'_>, digits: &[Bounds]) -> bool {
        let Some((mask, wanted)) = self.wanted else { return true };
        if !matches!(self.block.kind, Kind::Step) {
            let values = self.block.tail.iter().map(|(_, code)| bounds_of(code, state, state, digits));
            let values: Vec<Bounds> = values.collect();
            mask_words(state.words, self.globals);
            state.open.retain(|(field, _)| field.is_in(self.globals));
            self.block.tail.iter().zip(values).for_each(|((field, _), value)| state.set(*field, value));
        }
        let mut known = mask.to_vec();
        for (field, bounds) in &state.open {
            if field.is_in(mask) && !bounds.may_be(field.get(wanted)) {
                return false;
            }
            known[field.word as usize] &= !(field.mask << field.shift);
        }
        known
            .iter()
            .zip(wanted)
            .zip(&*state.words)
            .all(|((known, wanted), word)| (word ^ wanted) & known == 0)
    }
}

#[inline]
pub(crate) fn mask_words(words: &mut [u64], mask: &[u64]) {
    words.iter_mut().zip(mask).for_each(|(word, mask)| *word &= mask);
}

fn may_hold(condition: &Condition, old: &Partial<'_>, new: &Partial<'_>) -> bool {
    let digits: Vec<Bounds> = condition.digits.iter().map(|max| Bounds::up_to(*max)).collect();
    bounds_of(&condition.code, old, new, &digits).may_be(1)
}

/// So many values are computed without a list.
const FEW: usize = 8;

/// Computes values in a state, then changes it.
#[inline]
fn with_values(
    stores: &[(Field, Code)],
    state: &mut [u64],
    digits: &[u64],
    change: impl FnOnce(&[u64], &mut [u64]),
) {
    let compute = |values: &mut [u64], state: &[u64]| {
        values
            .iter_mut()
            .zip(stores)
            .for_each(|(value, (_, code))| *value = code.value(state, state, digits));
    };
    if stores.len() <= FEW {
        let mut values = [0; FEW];
        let values = &mut values[..stores.len()];
        compute(values, state);
        change(values, state);
    } else {
        let mut values = vec![0; stores.len()];
        compute(&mut values, state);
        change(&values, state);
    }
}

#[inline]
fn assign(
    stores: &[(Field, Code)],
    constrain: Option<&Condition>,
    state: &mut [u64],
    digits: &[u64],
) -> Result<bool, TooLarge> {
    let old = constrain.map(|_| state.to_vec());
    with_values(stores, state, digits, |values, state| {
        stores.iter().zip(values).for_each(|((field, _), value)| field.set(state, *value));
    });
    match (constrain, old) {
        (Some(condition), Some(old)) => condition.can_hold(&old, state),
        _ => Ok(true),
    }
}

//! States and entries by number, and the tables that find them again.
//!
//! Records lie one behind the other; a table of their numbers, with open addressing, finds them. Contract: every byte is
//! counted, and nothing grows beyond the bytes that are allowed.

/// No number.
pub(crate) const NONE: u32 = u32::MAX;

/// The bit of a state whose activation has passed a goal.
pub(crate) const FAIR: u32 = 1 << 31;

/// A state of an activation: entry, bit and point, and the values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record<const W: usize> {
    meta: u64,
    pub(crate) key: [u64; W],
}

impl<const W: usize> Record<W> {
    #[inline(always)]
    pub(crate) fn new(entry: u32, point: u32, is_fair: bool, key: [u64; W]) -> Self {
        let fair = if is_fair { FAIR } else { 0 };
        Self { meta: u64::from(entry) << 32 | u64::from(point | fair), key }
    }

    #[inline(always)]
    pub(crate) fn entry(&self) -> u32 {
        (self.meta >> 32) as u32
    }

    #[inline(always)]
    pub(crate) fn point(&self) -> u32 {
        self.meta as u32 & !FAIR
    }

    #[inline(always)]
    pub(crate) fn is_fair(&self) -> bool {
        self.meta as u32 & FAIR != 0
    }

    #[inline(always)]
    pub(crate) fn hash(&self) -> u64 {
        hash(self.meta, &self.key)
    }
}

/// Multiplies and folds, word by word.
#[inline(always)]
pub(crate) fn hash(first: u64, words: &[u64]) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let start = fold(first ^ 0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93);
    words.iter().fold(start, |hash, word| fold(hash ^ word, 0xA076_1D64_78BD_642F))
}

/// A set of numbers, found by hash.
pub(crate) struct Table {
    slots: Vec<u32>,
    n_used: usize,
    shift: u32,
}

impl Table {
    pub(crate) fn new() -> Self {
        Self { slots: vec![NONE; 16], n_used: 0, shift: 60 }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.len() * 4
    }

    /// The number that is meant, or the slot where it would be.
    #[inline(always)]
    pub(crate) fn find(&self, hash: u64, is_meant: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> self.shift) as usize;
        loop {
            match self.slots[slot] {
                NONE => return Err(slot),
                number if is_meant(number) => return Ok(number),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Puts a number into its slot.
    #[inline(always)]
    pub(crate) fn set(&mut self, slot: usize, number: u32) {
        self.slots[slot] = number;
        self.n_used += 1;
    }

    /// The next number may make it too full.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        (self.n_used + 1) * 4 > self.slots.len() * 3
    }

    /// Doubles the number of slots.
    pub(crate) fn grow(&mut self, hash_of: impl Fn(u32) -> u64) {
        self.shift -= 1;
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![NONE; old.len() * 2];
        let mask = self.slots.len() - 1;
        for number in old.into_iter().filter(|number| *number != NONE) {
            let mut slot = (hash_of(number) >> self.shift) as usize;
            while self.slots[slot] != NONE {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = number;
        }
    }
}

/// Bytes that are in use, and how many are allowed.
pub(crate) struct Budget {
    pub(crate) used: usize,
    pub(crate) allowed: usize,
}

/// There is no room for more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Full;

impl Budget {
    /// Takes bytes, and gives some back afterwards.
    pub(crate) fn exchange(&mut self, taken: usize, given: usize) -> Result<(), Full> {
        if self.used.saturating_add(taken) > self.allowed {
            return Err(Full);
        }
        self.used = self.used + taken - given;
        Ok(())
    }

    /// Adds to a list. It grows by an eighth, for the allocator moves large lists without copying them.
    #[inline(always)]
    pub(crate) fn push<T>(&mut self, list: &mut Vec<T>, item: T) -> Result<(), Full> {
        if list.len() == list.capacity() {
            self.grow(list)?;
        }
        list.push(item);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn grow<T>(&mut self, list: &mut Vec<T>) -> Result<(), Full> {
        let capacity = list.capacity();
        let more = if capacity < 1 << 16 { capacity.max(8) } else { capacity / 8 };
        let size = size_of::<T>();
        self.exchange(more * size, 0)?;
        list.reserve_exact(more);
        self.used += (list.capacity() - capacity - more) * size;
        Ok(())
    }

    /// Makes room in a table for one more.
    #[inline(always)]
    pub(crate) fn make_room(
        &mut self,
        table: &mut Table,
        hash_of: impl Fn(u32) -> u64,
    ) -> Result<bool, Full> {
        if !table.is_full() {
            return Ok(false);
        }
        let old = table.bytes();
        self.exchange(2 * old, old)?;
        table.grow(hash_of);
        Ok(true)
    }
}

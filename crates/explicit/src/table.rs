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

/// The numbers from 0 on, found by hash.
///
/// Twelve numbers and a byte of each one's hash share a line of the cache; those that do not fit go to the next line. So a
/// number that is not there costs one miss, whatever the others are, and the record of another one is hardly ever read.
pub(crate) struct Table {
    lines: Vec<Line>,
    n_used: usize,
    shift: u32,
}

/// Numbers in the order in which they came.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line {
    /// A byte of the hash; 0 where there is no number.
    tags: [u8; LENGTH],
    numbers: [u32; LENGTH],
}

const LENGTH: usize = 12;

const EMPTY: Line = Line { tags: [0; LENGTH], numbers: [NONE; LENGTH] };

/// So many numbers take a while to be put elsewhere.
const LARGE: usize = 1 << 15;

fn tag(hash: u64) -> u8 {
    hash as u8 | 1
}

impl Table {
    pub(crate) fn new() -> Self {
        Self { lines: vec![EMPTY; 2], n_used: 0, shift: 63 }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.lines.len() * size_of::<Line>()
    }

    /// The number that is meant, or the line where it would be.
    #[inline(always)]
    pub(crate) fn find(&self, hash: u64, is_meant: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mut at = (hash >> self.shift) as usize;
        let tag = tag(hash);
        loop {
            let line = &self.lines[at];
            let mut equal = 0u32;
            for n in 0..LENGTH {
                equal |= u32::from(line.tags[n] == tag) << n;
            }
            while equal != 0 {
                let number = line.numbers[equal.trailing_zeros() as usize];
                if is_meant(number) {
                    return Ok(number);
                }
                equal &= equal - 1;
            }
            if line.tags[LENGTH - 1] == 0 {
                return Err(at);
            }
            at = (at + 1) & (self.lines.len() - 1);
        }
    }

    /// Puts a number into its line, which has room.
    #[inline(always)]
    pub(crate) fn set(&mut self, at: usize, hash: u64, number: u32) {
        let line = &mut self.lines[at];
        let n = line.tags.iter().position(|tag| *tag == 0).expect("the line has room");
        line.tags[n] = tag(hash);
        line.numbers[n] = number;
        self.n_used += 1;
    }

    /// The next number would make it too full.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        (self.n_used + 1) * 5 > self.lines.len() * LENGTH * 4
    }

    /// So many more do not make it too full; or it is small, and will be larger in no time.
    pub(crate) fn has_room_for(&self, n_more: usize) -> bool {
        self.n_used < LARGE || (self.n_used + n_more) * 5 <= self.lines.len() * LENGTH * 4
    }

    /// All but an eighth of what it has room for is there.
    pub(crate) fn is_nearly_full(&self) -> bool {
        !self.has_room_for(self.n_used / 7)
    }

    /// Doubles the number of lines. The numbers are those from 0 on, and their records are read in this order.
    #[cold]
    #[inline(never)]
    pub(crate) fn grow(&mut self, hash_of: impl Fn(u32) -> u64) {
        self.shift -= 1;
        let size = self.lines.len() * 2;
        self.lines = vec![EMPTY; size];
        for number in 0..std::mem::take(&mut self.n_used) as u32 {
            let hash = hash_of(number);
            let Err(line) = self.find(hash, |_| false) else { unreachable!("no number is meant") };
            self.set(line, hash, number);
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
    pub(crate) fn make_room(&mut self, table: &mut Table, hash_of: impl Fn(u32) -> u64) -> Result<(), Full> {
        if table.is_full() { self.enlarge(table, hash_of) } else { Ok(()) }
    }

    /// Makes a table twice as large.
    #[cold]
    #[inline(never)]
    pub(crate) fn enlarge(&mut self, table: &mut Table, hash_of: impl Fn(u32) -> u64) -> Result<(), Full> {
        let old = table.bytes();
        self.exchange(2 * old, old)?;
        table.grow(hash_of);
        Ok(())
    }
}

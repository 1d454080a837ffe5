//! The computed table: direct mapped, shared by all operations, lossy.
//!
//! A small table is quick because the processor's caches hold more of it; a table that is too small forgets results
//! that are needed again. So it starts at half the size of the store and watches itself: of one in 64 results it
//! remembers the hash for longer than the result. If too many of these are computed again, it asks to grow.
//!
//! A key is two edges and a third word: an operation's tag (top bit set) or, for `ite`, a third edge.

use crate::memory::or_less;

/// Conjunction.
pub(crate) const AND: u32 = 0x8000_0000;
/// Exclusive or.
pub(crate) const XOR: u32 = 0x8000_0001;
/// Tags from here on are handed out to registered products and substitutions.
pub(crate) const FIRST_FREE_TAG: u32 = 0x8000_0010;

const EMPTY: u32 = u32::MAX;

/// The most entries.
const LARGEST: usize = 1 << 24;

#[derive(Clone, Copy)]
struct Entry {
    f: u32,
    g: u32,
    h: u32,
    result: u32,
}

const NOTHING: Entry = Entry { f: 0, g: 0, h: EMPTY, result: 0 };

/// What is to be computed, with its hash.
#[derive(Clone, Copy)]
pub(crate) struct Key {
    f: u32,
    g: u32,
    h: u32,
    hash: u32,
}

pub(crate) struct Cache {
    entries: Vec<Entry>,
    /// Hashes of sampled results, as many as a table of four times the size would hold.
    seen: Vec<u32>,
    n_sampled: u32,
    /// How many of the sampled results had been computed before.
    n_again: u32,
}

/// Hashes below this are sampled: one in 64.
const SAMPLED: u32 = 1 << 26;

/// A hash of three words.
#[inline]
pub(crate) fn mix(a: u32, b: u32, c: u32) -> u32 {
    let x = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let y = (x ^ u64::from(c)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (y >> 32) as u32
}

impl Cache {
    pub fn new(size: usize) -> Self {
        Self { entries: vec![NOTHING; size], seen: vec![0; size / 16], n_sampled: 0, n_again: 0 }
    }

    /// The number of entries there is room for.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn bytes(&self) -> usize {
        Self::bytes_of(self.entries.len())
    }

    pub fn bytes_of(size: usize) -> usize {
        size * size_of::<Entry>() + size / 16 * size_of::<u32>()
    }

    /// The size to begin with for a store of `n_nodes`.
    pub fn size_for(&self, n_nodes: usize) -> usize {
        (n_nodes / 2).next_power_of_two().clamp(self.entries.len(), LARGEST)
    }

    /// The size that would suit better, at most that of a store of `n_nodes`; asked from time to time.
    pub fn larger_size(&mut self, n_nodes: usize) -> Option<usize> {
        if (self.n_sampled as usize) < self.entries.len() / 128 {
            return None;
        }
        // Below a quarter, computing again costs less than waiting for a larger table.
        let forgetful = self.n_again > self.n_sampled / 4;
        (self.n_sampled, self.n_again) = (0, 0);
        let size = self.entries.len() * 2;
        (forgetful && size <= n_nodes.next_power_of_two().min(LARGEST)).then_some(size)
    }

    /// The result, or the key to [`Cache::put`] it later.
    #[inline]
    pub fn get(&self, f: u32, g: u32, h: u32) -> Result<u32, Key> {
        let hash = mix(f, g, h);
        let entry = &self.entries[hash as usize & (self.entries.len() - 1)];
        if entry.f == f && entry.g == g && entry.h == h {
            Ok(entry.result)
        } else {
            Err(Key { f, g, h, hash })
        }
    }

    #[inline]
    pub fn put(&mut self, key: Key, result: u32) {
        let Key { f, g, h, hash } = key;
        let at = hash as usize & (self.entries.len() - 1);
        self.entries[at] = Entry { f, g, h, result };
        if hash < SAMPLED {
            self.sample(hash);
        }
    }

    #[cold]
    fn sample(&mut self, hash: u32) {
        let at = hash as usize & (self.seen.len() - 1);
        self.n_sampled += 1;
        self.n_again += u32::from(std::mem::replace(&mut self.seen[at], hash) == hash);
    }

    /// Enlarges the table and keeps its entries. Where the system does not grant so much, the table stays as it is.
    pub fn resize(&mut self, size: usize) {
        if size <= self.entries.len() {
            return;
        }
        let (mut entries, mut seen) = (Vec::new(), Vec::new());
        let granted =
            or_less(|| entries.try_reserve_exact(size).and_then(|()| seen.try_reserve_exact(size / 16)));
        if granted.is_err() {
            return;
        }
        entries.resize(size, NOTHING);
        seen.resize(size / 16, 0);
        let old = std::mem::replace(self, Self { entries, seen, n_sampled: 0, n_again: 0 }).entries;
        for entry in old {
            if entry.h != EMPTY {
                let Entry { f, g, h, result } = entry;
                self.put(Key { f, g, h, hash: mix(f, g, h) }, result);
            }
        }
        (self.n_sampled, self.n_again) = (0, 0);
    }

    /// Drops every entry that mentions a dead edge.
    pub fn retain(&mut self, alive: impl Fn(u32) -> bool) {
        // Hashes of dead nodes would be taken for those of the nodes that get their numbers.
        self.seen.fill(0);
        for entry in &mut self.entries {
            let third = entry.h & 0x8000_0000 != 0 || alive(entry.h);
            if entry.h != EMPTY && !(third && alive(entry.f) && alive(entry.g) && alive(entry.result)) {
                *entry = NOTHING;
            }
        }
    }
}

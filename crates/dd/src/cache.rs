//! The computed table: direct mapped, shared by all operations, lossy.
//!
//! A key is two edges and a third word: an operation's tag (top bit set) or, for `ite`, a third edge.

/// Conjunction.
pub(crate) const AND: u32 = 0x8000_0000;
/// Exclusive or.
pub(crate) const XOR: u32 = 0x8000_0001;
/// Tags from here on are handed out to registered products and substitutions.
pub(crate) const FIRST_FREE_TAG: u32 = 0x8000_0010;

const EMPTY: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Entry {
    f: u32,
    g: u32,
    h: u32,
    result: u32,
}

const NOTHING: Entry = Entry { f: 0, g: 0, h: EMPTY, result: 0 };

pub(crate) struct Cache {
    entries: Vec<Entry>,
}

/// A hash of three words.
#[inline]
pub(crate) fn mix(a: u32, b: u32, c: u32) -> u32 {
    let x = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let y = (x ^ u64::from(c)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (y >> 32) as u32
}

impl Cache {
    pub fn new(size: usize) -> Self {
        Self { entries: vec![NOTHING; size] }
    }

    pub fn bytes(&self) -> usize {
        Self::bytes_of(self.entries.len())
    }

    pub fn bytes_of(size: usize) -> usize {
        size * size_of::<Entry>()
    }

    /// The size that suits a store of `n_nodes`.
    pub fn size_for(&self, n_nodes: usize) -> usize {
        n_nodes.next_power_of_two().clamp(self.entries.len(), 1 << 24)
    }

    #[inline]
    pub fn get(&self, f: u32, g: u32, h: u32) -> Option<u32> {
        let entry = &self.entries[mix(f, g, h) as usize & (self.entries.len() - 1)];
        (entry.f == f && entry.g == g && entry.h == h).then_some(entry.result)
    }

    #[inline]
    pub fn put(&mut self, f: u32, g: u32, h: u32, result: u32) {
        let at = mix(f, g, h) as usize & (self.entries.len() - 1);
        self.entries[at] = Entry { f, g, h, result };
    }

    /// Enlarges the table and keeps its entries.
    pub fn resize(&mut self, size: usize) {
        if size <= self.entries.len() {
            return;
        }
        let old = std::mem::replace(&mut self.entries, vec![NOTHING; size]);
        for entry in old {
            if entry.h != EMPTY {
                self.put(entry.f, entry.g, entry.h, entry.result);
            }
        }
    }

    /// Drops every entry that mentions a dead edge.
    pub fn retain(&mut self, alive: impl Fn(u32) -> bool) {
        for entry in &mut self.entries {
            let third = entry.h & 0x8000_0000 != 0 || alive(entry.h);
            if entry.h != EMPTY && !(third && alive(entry.f) && alive(entry.g) && alive(entry.result)) {
                *entry = NOTHING;
            }
        }
    }
}

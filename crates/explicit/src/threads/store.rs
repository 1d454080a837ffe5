//! Configurations, packed: the numbers of the shared values and of the state of each thread, in as few bits as their tables need.
//!
//! Contract: a configuration has one position, and positions are in the order in which configurations came. When a table outgrows
//! its field, everything is packed anew.

/// Where a number is kept.
#[derive(Clone, Copy)]
struct Field {
    word: usize,
    shift: u32,
    width: u32,
}

/// A set of lists of numbers, all of one length.
pub(super) struct Store {
    fields: Vec<Field>,
    /// Words of each list.
    n_words: usize,
    words: Vec<u64>,
    n: usize,
    /// Positions plus one with the upper half of the hash above, 0 for none; open addressing.
    index: Vec<u64>,
    packed: Vec<u64>,
}

const FIRST_INDEX: usize = 1 << 10;

/// So many lists take a while to be put into another index.
const LARGE: usize = 1 << 15;

impl Store {
    /// Lists in which each number has so many bits, at most 32.
    pub(super) fn new(widths: &[u32]) -> Self {
        let (fields, n_words) = layout(widths);
        Self { fields, n_words, words: Vec::new(), n: 0, index: vec![0; FIRST_INDEX], packed: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.n
    }

    /// Words of 64 bits for each list.
    pub(super) fn n_words(&self) -> usize {
        self.n_words
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * 8 + self.index.capacity() * 8
    }

    /// Reads a list.
    pub(super) fn read(&self, position: usize, numbers: &mut Vec<u32>) {
        self.unpack(self.words(position), numbers);
    }

    /// The words of a list.
    pub(super) fn words(&self, position: usize) -> &[u64] {
        &self.words[position * self.n_words..(position + 1) * self.n_words]
    }

    /// The numbers in the words of a list.
    pub(super) fn unpack(&self, words: &[u64], numbers: &mut Vec<u32>) {
        numbers.clear();
        numbers.extend(self.fields.iter().map(|field| unpack(words, *field)));
    }

    /// Changes a number in the words of a list.
    pub(super) fn put(&self, words: &mut [u64], n: usize, number: u32) {
        let Field { word, shift, width } = self.fields[n];
        let mask = (u64::MAX >> (u64::BITS - width)) << shift;
        words[word] = words[word] & !mask | u64::from(number) << shift;
    }

    /// The position of a list, and whether it is new.
    pub(super) fn insert(&mut self, numbers: &[u32]) -> (usize, bool) {
        let mut packed = std::mem::take(&mut self.packed);
        pack(&self.fields, self.n_words, numbers, &mut packed);
        let inserted = self.insert_words(&packed);
        self.packed = packed;
        inserted
    }

    /// The same of a list that is packed already.
    pub(super) fn insert_words(&mut self, packed: &[u64]) -> (usize, bool) {
        let hash = hash(packed);
        let slot = self.slot(packed, hash);
        let known = self.index[slot] as u32;
        if known != 0 {
            return (known as usize - 1, false);
        }
        self.words.extend_from_slice(packed);
        self.n += 1;
        self.index[slot] = entry(self.n, hash);
        if !self.has_room_for(0) {
            self.rebuild(self.index.len() * 2);
        }
        (self.n - 1, true)
    }

    fn has_room_for(&self, n_more: usize) -> bool {
        (self.n + n_more) * 4 <= self.index.len() * 3
    }

    /// So many more may double an index that is large.
    pub(super) fn is_about_to_grow(&self, n_more: usize) -> bool {
        self.n >= LARGE && !self.has_room_for(n_more)
    }

    /// Doubles the index if all but an eighth of what it has room for is there.
    pub(super) fn grow_early(&mut self) {
        if self.is_about_to_grow(self.n / 7) {
            self.rebuild(self.index.len() * 2);
        }
    }

    /// There is no room for more than a few further lists.
    pub(super) fn is_full(&self) -> bool {
        self.n >= u32::MAX as usize - 1
    }

    /// Gives numbers more bits.
    pub(super) fn widen(&mut self, widths: &[u32]) {
        let (fields, n_words) = layout(widths);
        let (mut numbers, mut packed) = (Vec::new(), Vec::new());
        let mut words = Vec::with_capacity(self.n * n_words);
        for position in 0..self.n {
            self.read(position, &mut numbers);
            pack(&fields, n_words, &numbers, &mut packed);
            words.extend_from_slice(&packed);
        }
        (self.fields, self.n_words, self.words) = (fields, n_words, words);
        self.rebuild(self.index.len());
    }

    /// Where a list is in the index, or where it would be.
    fn slot(&self, packed: &[u64], hash: u64) -> usize {
        let mask = self.index.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let known = self.index[slot];
            let is_same = || self.words(known as u32 as usize - 1).iter().zip(packed).all(|(a, b)| a == b);
            if known == 0 || (known >> 32 == hash >> 32 && is_same()) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn rebuild(&mut self, length: usize) {
        self.index = vec![0; length];
        let mask = length - 1;
        for (position, packed) in self.words.chunks_exact(self.n_words).enumerate() {
            let hash = hash(packed);
            let mut slot = hash as usize & mask;
            while self.index[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.index[slot] = entry(position + 1, hash);
        }
    }
}

/// What the index says of a position plus one.
fn entry(known: usize, hash: u64) -> u64 {
    known as u64 | hash >> 32 << 32
}

/// Fields one after the other, none in two words.
fn layout(widths: &[u32]) -> (Vec<Field>, usize) {
    let (mut word, mut shift) = (0, 0);
    let mut fields = Vec::with_capacity(widths.len());
    for &width in widths {
        if shift + width > u64::BITS {
            (word, shift) = (word + 1, 0);
        }
        fields.push(Field { word, shift, width });
        shift += width;
    }
    (fields, word + 1)
}

fn unpack(words: &[u64], field: Field) -> u32 {
    (words[field.word] >> field.shift) as u32 & (u64::MAX >> (u64::BITS - field.width)) as u32
}

fn pack(fields: &[Field], n_words: usize, numbers: &[u32], packed: &mut Vec<u64>) {
    packed.clear();
    packed.resize(n_words, 0);
    for (field, number) in fields.iter().zip(numbers) {
        packed[field.word] |= u64::from(*number) << field.shift;
    }
}

fn hash(packed: &[u64]) -> u64 {
    let mix = |hash: u64, word: &u64| {
        let mixed = (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    };
    let hash = packed.iter().fold(0, mix);
    hash ^ (hash >> 29)
}

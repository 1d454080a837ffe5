//! Where each variable is kept in the words of a state.
//!
//! Contract: a field does not straddle words. Globals have the same fields in all modules, so that calls and returns move
//! them by masks. Locals use what is left of the words, each module anew; at the exit of a module its results take the
//! place of the locals. Variables that nothing reads have no field.

use rsm::{Place, Rsm, Type};
use rustc_hash::FxHashSet;

/// Some bits of one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    pub(crate) word: u32,
    pub(crate) shift: u32,
    /// The bits of a value, at the low end.
    pub(crate) mask: u64,
}

impl Field {
    #[inline(always)]
    pub(crate) fn get(self, words: &[u64]) -> u64 {
        (words[self.word as usize] >> self.shift) & self.mask
    }

    #[inline(always)]
    pub(crate) fn set(self, words: &mut [u64], value: u64) {
        let word = &mut words[self.word as usize];
        *word = (*word & !(self.mask << self.shift)) | (value << self.shift);
    }

    /// Adds the bits of the field to a mask.
    pub(crate) fn cover(self, mask: &mut [u64]) {
        mask[self.word as usize] |= self.mask << self.shift;
    }

    /// All bits of the field are in a mask.
    pub(crate) fn is_in(self, mask: &[u64]) -> bool {
        (mask[self.word as usize] >> self.shift) & self.mask == self.mask
    }
}

/// The fields of all variables.
pub(crate) struct Layout {
    pub(crate) globals: Vec<Option<Field>>,
    /// For each module its locals.
    pub(crate) locals: Vec<Vec<Option<Field>>>,
    /// For each module its results.
    pub(crate) results: Vec<Vec<Option<Field>>>,
    /// How many words a state has.
    pub(crate) n_words: usize,
    /// The bits of all globals.
    pub(crate) global_mask: Vec<u64>,
}

/// What needs a field.
pub(crate) struct Used {
    pub(crate) globals: FxHashSet<u32>,
    /// For each module its locals.
    pub(crate) locals: Vec<FxHashSet<u32>>,
    /// For each module its results.
    pub(crate) results: Vec<Vec<u32>>,
}

impl Used {
    /// A module uses a variable.
    pub(crate) fn add(&mut self, module: usize, place: Place) {
        match place {
            Place::Global(n) => self.globals.insert(n),
            Place::Local(n) => self.locals[module].insert(n),
        };
    }
}

impl Layout {
    /// Fields for everything that is used.
    pub(crate) fn new(rsm: &Rsm, used: &Used) -> Self {
        let mut room = Room::default();
        let globals =
            room.place(rsm.globals.iter().map(|variable| &variable.ty), |n| used.globals.contains(&n));
        let (mut locals, mut results) = (Vec::new(), Vec::new());
        let mut n_words = room.free.len();
        for (n, module) in rsm.modules.iter().enumerate() {
            let mut own = room.clone();
            let types = module.locals.iter().map(|variable| &variable.ty);
            locals.push(own.place(types, |local| used.locals[n].contains(&local)));
            let mut end = room.clone();
            results.push(end.place(module.results.iter(), |result| used.results[n].contains(&result)));
            n_words = n_words.max(own.free.len()).max(end.free.len());
        }
        let n_words = n_words.max(1);
        let mut global_mask = vec![0; n_words];
        globals.iter().flatten().for_each(|field: &Field| field.cover(&mut global_mask));
        Self { globals, locals, results, n_words, global_mask }
    }

    /// The field of a variable as a module sees it.
    pub(crate) fn field(&self, module: usize, place: Place) -> Option<Field> {
        match place {
            Place::Global(n) => self.globals[n as usize],
            Place::Local(n) => self.locals[module][n as usize],
        }
    }
}

/// How many bits of each word are taken.
#[derive(Clone, Default)]
struct Room {
    free: Vec<u32>,
}

impl Room {
    /// Fields for those values that are used: the widest first, each in the first word that has room.
    fn place<'t>(
        &mut self,
        types: impl Iterator<Item = &'t Type>,
        is_used: impl Fn(u32) -> bool,
    ) -> Vec<Option<Field>> {
        let bits: Vec<u32> = types.map(|ty| ty.n_bits().max(1)).collect();
        let mut fields = vec![None; bits.len()];
        let mut order: Vec<usize> = (0..bits.len()).filter(|n| is_used(*n as u32)).collect();
        order.sort_by_key(|n| std::cmp::Reverse(bits[*n]));
        for n in order {
            fields[n] = Some(self.take(bits[n]));
        }
        fields
    }

    fn take(&mut self, bits: u32) -> Field {
        let word = self.free.iter().position(|taken| taken + bits <= 64).unwrap_or_else(|| {
            self.free.push(0);
            self.free.len() - 1
        });
        let shift = self.free[word];
        self.free[word] += bits;
        Field { word: word as u32, shift, mask: u64::MAX >> (64 - bits) }
    }
}

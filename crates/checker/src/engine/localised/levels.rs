//! Where the bits of a path's states stand: globals, and the locals of each function that runs, before and after a step.
//!
//! The order is that of the program's slots; the frames at one depth share their levels, and what one function hands to the next
//! stands beside it.

use super::path::Path;
use dd::Level;
use encode::Bits;
use rsm::{ModuleId, Place, Rsm};
use rustc_hash::FxHashMap;
use symbolic::{Line, SlotBits, SlotIndex, Slots};

/// How the bits of a program are arranged, for paths of any kind.
pub struct Arrangement {
    slots: Slots,
    /// For each function which variable a local slot belongs to.
    owners: Vec<FxHashMap<u32, u32>>,
    /// The same for globals.
    globals: FxHashMap<u32, u32>,
}

/// The levels of one copy of some variables.
pub type Words = Vec<Bits>;

/// Variables before and after a step.
#[derive(Debug, Default)]
pub struct Frame {
    /// Before it.
    pub before: Words,
    /// After it.
    pub after: Words,
}

/// The levels of one path.
pub struct Levels<'a> {
    arrangement: &'a Arrangement,
    /// Where the first level of each slot of the order is, in pairs; for local slots that of the outermost frame.
    first: FxHashMap<Column, usize>,
    /// What stands at each pair.
    columns: Vec<(Column, usize)>,
}

/// A slot as a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Column {
    Local(u32),
    Global(u32),
}

impl From<SlotIndex> for Column {
    fn from(slot: SlotIndex) -> Self {
        match slot {
            SlotIndex::Local(n) => Self::Local(n),
            SlotIndex::Global(n) => Self::Global(n),
        }
    }
}

impl Arrangement {
    /// All variables of a program, as they stand on its line.
    pub fn of(rsm: &Rsm, line: &Line) -> Self {
        let slots = symbolic::slots_along(rsm, line);
        let owners = |words: &[SlotBits]| {
            let slots = (0..).zip(words).flat_map(|(n, bits)| bits.iter().map(move |slot| (*slot, n)));
            slots.collect::<FxHashMap<u32, u32>>()
        };
        let globals = owners(&slots.globals);
        let owners = slots.modules.iter().map(|module| owners(&module.locals)).collect();
        Self { slots, owners, globals }
    }
}

impl<'a> Levels<'a> {
    /// Levels for the frames of a path.
    pub fn new(arrangement: &'a Arrangement, path: &Path) -> Self {
        let deepest = path.events.iter().map(|event| event.depth).chain([path.end().1]).max().unwrap_or(0);
        let (mut first, mut columns) = (FxHashMap::default(), Vec::new());
        for slot in &arrangement.slots.order {
            let column = Column::from(*slot);
            first.insert(column, columns.len());
            let n_copies = match column {
                Column::Global(_) => 1,
                Column::Local(_) => deepest + 2,
            };
            columns.extend((0..n_copies).map(|depth| (column, depth)));
        }
        Self { arrangement, first, columns }
    }

    /// The first level that is free.
    pub fn end(&self) -> Level {
        2 * self.columns.len() as Level
    }

    /// The levels of all globals of a machine that may have fewer bits than the arrangement.
    pub fn globals(&self, rsm: &Rsm) -> Frame {
        let n_bits = |n: usize| rsm.globals[n].ty.n_bits();
        self.frame(&self.arrangement.slots.globals, n_bits, |slot| self.first[&Column::Global(slot)])
    }

    /// The levels of the locals of a function before which so many callers wait.
    pub fn locals(&self, rsm: &Rsm, module: ModuleId, depth: usize) -> Frame {
        let n_bits = |n: usize| rsm.module(module).locals[n].ty.n_bits();
        let words = &self.arrangement.slots.modules[module.index()].locals;
        self.frame(words, n_bits, |slot| self.first[&Column::Local(slot)] + depth)
    }

    fn frame(&self, words: &[SlotBits], n_bits: impl Fn(usize) -> u32, pair: impl Fn(u32) -> usize) -> Frame {
        let all = |after: Level| -> Words {
            let word = |(n, bits): (usize, &SlotBits)| {
                let bits = bits.iter().take(n_bits(n) as usize);
                bits.map(|slot| 2 * pair(*slot) as Level + after).collect()
            };
            words.iter().enumerate().map(word).collect()
        };
        Frame { before: all(0), after: all(1) }
    }

    /// Whose bit stands at a level, if these functions run: the function that has the variable, the variable, and how many callers
    /// wait below that function.
    pub fn variable(&self, level: Level, stack: &[ModuleId]) -> Option<(ModuleId, Place, usize)> {
        match *self.columns.get(level as usize / 2)? {
            (Column::Global(slot), _) => {
                Some((stack[0], Place::Global(*self.arrangement.globals.get(&slot)?), 0))
            }
            (Column::Local(slot), depth) => {
                let module = *stack.get(depth)?;
                let variable = *self.arrangement.owners[module.index()].get(&slot)?;
                Some((module, Place::Local(variable), depth))
            }
        }
    }
}

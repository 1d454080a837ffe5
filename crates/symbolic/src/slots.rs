//! Slots: where in a state the bits of variables are kept, and in which order the slots stand.
//!
//! A state has global slots, one for each bit of a global, and local slots, which the functions share. Bits are arranged on
//! one line first; it is cut at global bits and between different bits of words, and every function keeps its local bits in
//! the pieces they fall into. So each function has its own arrangement, and there are as many local slots as the fullest
//! function needs in each piece. In programs of many functions the n-th local bits of all of them share a place instead.

use crate::affinity::{Affinity, Bits, Positions};
use crate::arrange::{BUDGET, Set, arrange};
use base::Classes;
use encode::Slot;
use rsm::{Mentioned, ModuleId, Place, Reduced, Rsm};
use rustc_hash::FxHashMap;

/// One slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlotIndex {
    /// A local slot.
    Local(u32),
    /// A global slot.
    Global(u32),
}

/// A bit of a variable or a result; bit 0 is the lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Bit {
    Global {
        variable: u32,
        bit: u32,
    },
    Local {
        module: ModuleId,
        variable: u32,
        bit: u32,
    },
    Result {
        module: ModuleId,
        result: u32,
        bit: u32,
    },
    /// The n-th bit among the locals and results of any function.
    Shared(u32),
}

/// The slots of the bits of a variable, the lowest bit first.
pub type SlotBits = Box<[u32]>;

/// The slots of a function.
#[derive(Clone, Debug, Default)]
pub struct ModuleSlots {
    /// Of its locals; those that it does not mention have none.
    pub locals: Vec<SlotBits>,
    /// Of its results, at its exit.
    pub results: Vec<SlotBits>,
}

impl ModuleSlots {
    /// Takes the slots of shared positions, by the numbers of bits.
    fn take_shared(&mut self, m: ModuleId, bits: &Bits, slot_of: &FxHashMap<u32, u32>) {
        for (n, slots) in self.locals.iter_mut().enumerate() {
            let (first, _) = bits.place(m, Place::Local(n as u32));
            (first..).zip(slots.iter_mut()).for_each(|(number, slot)| *slot = slot_of[&number]);
        }
        for (n, slots) in self.results.iter_mut().enumerate() {
            let (first, _) = bits.result(m, n);
            (first..).zip(slots.iter_mut()).for_each(|(number, slot)| *slot = slot_of[&number]);
        }
    }
}

/// A line for views is arranged with so many times less work than the bits of a program that is looked at itself: most views need few of the bits.
const LESS: usize = 8;

/// All bits of a program on one line, on which bits that meet stand near each other. Views that know less of the program
/// keep the order of those bits that they have.
#[derive(Clone, Debug)]
pub struct Line {
    bits: Vec<Bit>,
    positions: Positions,
}

impl Line {
    /// Arranges all variables that are mentioned; if they are not all of them, the line is not one for views.
    pub(crate) fn of(rsm: &Rsm, reduced: &Reduced, mentioned: &Mentioned) -> Self {
        let positions = Positions::of(rsm);
        let bits = Bits::new(rsm, mentioned, positions);
        let line = arranged(&bits, reduced, BUDGET / LESS);
        let positions = if positions == Positions::Own { positions } else { Positions::OfAll };
        Self { bits: line.into_iter().map(|number| bits.all[number as usize]).collect(), positions }
    }
}

/// The slots of a program.
#[derive(Clone, Debug)]
pub struct Slots {
    /// Of the globals; those that the program does not mention have none.
    pub globals: Vec<SlotBits>,
    /// Of each function.
    pub modules: Vec<ModuleSlots>,
    /// How many local slots there are, at least 1.
    pub n_locals: u32,
    /// How many global slots there are, at least 1.
    pub n_globals: u32,
    /// The global slots of private globals, ascending; none in a sequential program, at least one otherwise.
    pub private: Vec<u32>,
    /// The other global slots, ascending, at least one.
    pub shared: Vec<u32>,
    /// All slots as they stand in the variable order.
    pub order: Vec<SlotIndex>,
}

impl Slots {
    /// Arranges the bits of a program. In a concurrent one so many globals are shared.
    pub(crate) fn new(rsm: &Rsm, reduced: &Reduced, mentioned: &Mentioned, n_shared: Option<usize>) -> Self {
        let bits = Bits::new(rsm, mentioned, Positions::of(rsm));
        let mut slots = Self::cut(&bits, &arranged(&bits, reduced, BUDGET));
        slots.divide(n_shared);
        slots
    }

    /// Puts the bits of a view of a program as they stand on the line of the program.
    pub(crate) fn along(rsm: &Rsm, mentioned: &Mentioned, line: &Line) -> Self {
        let bits = Bits::new(rsm, mentioned, line.positions);
        let numbers: FxHashMap<Bit, u32> = (0..).zip(&bits.all).map(|(number, bit)| (*bit, number)).collect();
        let has_slot = bits.with_slots();
        let numbers = line.bits.iter().filter_map(|bit| numbers.get(bit).copied());
        let line: Vec<u32> = numbers.filter(|number| has_slot[*number as usize]).collect();
        let mut slots = Self::cut(&bits, &line);
        slots.divide(None);
        slots
    }

    /// The slots of a variable or a result of a function.
    pub fn bits(&self, module: ModuleId, slot: Slot) -> &SlotBits {
        match slot {
            Slot::Place(Place::Global(n)) => &self.globals[n as usize],
            Slot::Place(Place::Local(n)) => &self.modules[module.index()].locals[n as usize],
            Slot::Result(n) => &self.modules[module.index()].results[n as usize],
        }
    }

    /// Cuts the line of bits into pieces and gives each its slots.
    fn cut(bits: &Bits, line: &[u32]) -> Self {
        let mut slots = Self::empty(bits);
        let mut slot_of: FxHashMap<u32, u32> = FxHashMap::default();
        for piece in pieces(bits, line) {
            match piece {
                Piece::Locals(run) => slots.fill(&run),
                Piece::Global { variable, bit } => {
                    slots.globals[variable as usize][bit as usize] = slots.n_globals;
                    slots.order.push(SlotIndex::Global(slots.n_globals));
                    slots.n_globals += 1;
                }
                Piece::Shared(number) => {
                    slot_of.insert(number, slots.n_locals);
                    slots.order.push(SlotIndex::Local(slots.n_locals));
                    slots.n_locals += 1;
                }
            }
        }
        if !slot_of.is_empty() {
            let modules = slots.modules.iter_mut().enumerate();
            modules.for_each(|(m, module)| module.take_shared(ModuleId::new(m), bits, &slot_of));
        }
        slots
    }

    fn empty(bits: &Bits) -> Self {
        let rsm = bits.rsm;
        let room = |n_bits: u32| vec![0; n_bits as usize].into_boxed_slice();
        let of = |m: ModuleId, places: std::ops::Range<u32>, make: fn(u32) -> Place| -> Vec<SlotBits> {
            places.map(|n| room(bits.n_bits(m, make(n)))).collect()
        };
        let modules = rsm.modules.iter().enumerate().map(|(m, module)| ModuleSlots {
            locals: of(ModuleId::new(m), 0..module.locals.len() as u32, Place::Local),
            results: module.results.iter().map(|ty| room(ty.n_bits())).collect(),
        });
        Self {
            globals: of(rsm.main, 0..rsm.globals.len() as u32, Place::Global),
            modules: modules.collect(),
            n_locals: 0,
            n_globals: 0,
            private: Vec::new(),
            shared: Vec::new(),
            order: Vec::new(),
        }
    }

    /// Gives slots to the local bits of one piece.
    fn fill(&mut self, gap: &FxHashMap<ModuleId, Vec<Bit>>) {
        let first = self.n_locals;
        for bits in gap.values() {
            for (slot, &bit) in (first..).zip(bits) {
                match bit {
                    Bit::Local { module, variable, bit } => {
                        self.modules[module.index()].locals[variable as usize][bit as usize] = slot;
                    }
                    Bit::Result { module, result, bit } => {
                        self.modules[module.index()].results[result as usize][bit as usize] = slot;
                    }
                    Bit::Global { .. } | Bit::Shared(_) => {
                        unreachable!("only bits of one function are in a gap")
                    }
                }
            }
        }
        let most = gap.values().map(Vec::len).max().unwrap_or(0) as u32;
        self.order.extend((first..first + most).map(SlotIndex::Local));
        self.n_locals += most;
    }

    /// Tells shared from private slots. Classes of the calculus have at least one member.
    fn divide(&mut self, n_shared: Option<usize>) {
        if self.n_locals == 0 {
            self.order.push(SlotIndex::Local(0));
            self.n_locals = 1;
        }
        let is_concurrent = n_shared.is_some();
        let n_shared = n_shared.unwrap_or(self.globals.len());
        let slots = |globals: &[SlotBits]| {
            let mut slots: Vec<u32> = globals.iter().flat_map(|bits| bits.iter().copied()).collect();
            slots.sort_unstable();
            slots
        };
        (self.shared, self.private) = (slots(&self.globals[..n_shared]), slots(&self.globals[n_shared..]));
        for (list, is_declared) in [(&mut self.shared, true), (&mut self.private, is_concurrent)] {
            if is_declared && list.is_empty() {
                self.order.push(SlotIndex::Global(self.n_globals));
                list.push(self.n_globals);
                self.n_globals += 1;
            }
        }
    }
}

/// The numbers of bits in an order in which those that meet stand near each other.
fn arranged(bits: &Bits, reduced: &Reduced, budget: usize) -> Vec<u32> {
    let sets = Affinity::new(bits, reduced).into_sets();
    arrange(seed(bits, &sets), &sets, budget)
}

/// A piece of the line of bits.
enum Piece {
    /// A bit of a global.
    Global { variable: u32, bit: u32 },
    /// The number of a position that all functions share.
    Shared(u32),
    /// Bits of locals and results, function by function. In the order of the line they are Booleans, or all the n-th bits of
    /// words: so the bits of a word that one function hands to another are in the same piece on both sides.
    Locals(FxHashMap<ModuleId, Vec<Bit>>),
}

fn pieces(bits: &Bits, line: &[u32]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut last_column = None;
    for &number in line {
        let bit = bits.all[number as usize];
        let module = match bit {
            Bit::Global { variable, bit } => {
                pieces.push(Piece::Global { variable, bit });
                continue;
            }
            Bit::Shared(_) => {
                pieces.push(Piece::Shared(number));
                continue;
            }
            Bit::Local { module, .. } | Bit::Result { module, .. } => module,
        };
        let column = column(bits.rsm, bit);
        match pieces.last_mut() {
            Some(Piece::Locals(run)) if last_column == column => run.entry(module).or_default().push(bit),
            _ => pieces.push(Piece::Locals(FxHashMap::from_iter([(module, vec![bit])]))),
        }
        last_column = column;
    }
    pieces
}

/// Which bit of a word it is; `None` for a Boolean.
fn column(rsm: &Rsm, bit: Bit) -> Option<u32> {
    let (ty, bit) = match bit {
        Bit::Local { module, variable, bit } => (&rsm.module(module).locals[variable as usize].ty, bit),
        Bit::Result { module, result, bit } => (&rsm.module(module).results[result as usize], bit),
        Bit::Global { .. } | Bit::Shared(_) => return None,
    };
    (ty.n_bits() > 1).then_some(bit)
}

/// The order to start from: as declared, globals first, but words that meet bit by bit are interleaved.
fn seed(bits: &Bits, sets: &[Set]) -> Vec<u32> {
    let n = bits.all.len();
    let mut groups = Classes::new(n);
    let rank = |number: u32| match bits.all[number as usize] {
        Bit::Global { bit, .. } | Bit::Local { bit, .. } | Bit::Result { bit, .. } => bit,
        Bit::Shared(_) => 0,
    };
    let first = |number: u32| number - rank(number);
    let is_word = |number: u32| {
        let number = first(number) as usize;
        bits.all.get(number + 1).is_some_and(|_| rank(number as u32 + 1) == 1)
    };
    // Words that share a set at the second bit meet bit by bit: they form a group, led by the first declared.
    for (set, _) in sets.iter().filter(|(set, _)| set.iter().all(|&b| rank(b) == 1 && is_word(b))) {
        set.windows(2).for_each(|pair| _ = groups.join(first(pair[0]), first(pair[1])));
    }
    let mut order: Vec<(u32, u32, u32)> = Vec::with_capacity(n);
    for number in 0..n as u32 {
        order.push((groups.find(first(number)), rank(number), number));
    }
    order.sort_unstable();
    order.into_iter().map(|o| o.2).collect()
}

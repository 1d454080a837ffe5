//! From expressions and paths of a recursive state machine to decision diagrams.
//!
//! - In: expressions and paths of a machine, and the levels of the bits of the state before and after.
//! - Out: the diagram of what a condition allows, and of what a path relates.
//! - Never: mention what a path leaves alone: that is the caller's frame.
//!
//! Contract: given the levels of the bits of the state before and after, [`Encoder`] builds the diagram of what a condition
//! allows and of what a path of steps relates. What a path leaves alone is not in its diagram: it is the caller's
//! frame. The concrete semantics is `rsm::step`; this is the same meaning, for all states at once.

#![forbid(unsafe_code)]

mod arithmetic;
mod expression;
mod path;
mod value;

pub use path::{Path, Relation, Slot};
pub use value::{Alternative, Value};

use dd::{Bdd, Exhausted, Image, Level, Manager, Map, ProductId, SubstitutionId};
use rsm::Place;
use rustc_hash::FxHashMap;

/// The levels of a variable's bits, the lowest bit first.
pub type Bits = Box<[Level]>;

/// Where the bits of one copy of a state are, as one module sees it.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'c> {
    /// Of each global.
    pub globals: &'c [Bits],
    /// Of each local.
    pub locals: &'c [Bits],
    /// Of each result, at the module's exit.
    pub results: &'c [Bits],
}

impl<'c> Columns<'c> {
    /// The bits of a variable.
    pub fn place(&self, place: Place) -> &'c [Level] {
        match place {
            Place::Global(n) => &self.globals[n as usize],
            Place::Local(n) => &self.locals[n as usize],
        }
    }

    /// The bits of a slot.
    pub fn slot(&self, slot: Slot) -> &'c [Level] {
        match slot {
            Slot::Place(place) => self.place(place),
            Slot::Result(n) => &self.results[n as usize],
        }
    }
}

/// Builds diagrams. Levels from `scratch` on must be free for its use: they never occur in a result.
#[derive(Debug)]
pub struct Encoder {
    scratch: Level,
    /// Of products only the values in these states matter.
    care: Bdd,
    /// Products are built only where their second operand has so few bits.
    narrow: Option<usize>,
    forget: FxHashMap<Vec<Level>, ProductId>,
    moves: FxHashMap<Vec<(Level, Image)>, SubstitutionId>,
}

impl Encoder {
    /// An encoder that uses the levels from `scratch` on for intermediate values.
    pub fn new(scratch: Level) -> Self {
        let (forget, moves) = (FxHashMap::default(), FxHashMap::default());
        Self { scratch, care: Bdd::TRUE, narrow: None, forget, moves }
    }

    /// From now on products of two unknown words are built only for states in which the second one has so few bits: every diagram may lack states and
    /// steps that the program has, and has none that it lacks. The diagram of all values of a product is too large for anybody; who looks for a run needs few of them.
    pub fn narrow_products(&mut self, bits: usize) {
        self.narrow = Some(bits);
    }

    /// The product that quantifies some levels, sorted, and renames nothing.
    pub fn forgetting(&mut self, dd: &mut Manager, levels: &[Level]) -> ProductId {
        if let Some(id) = self.forget.get(levels) {
            return *id;
        }
        let id = dd.register_product(&Map::default(), &Map::default(), levels, &Map::default());
        self.forget.insert(levels.to_vec(), id);
        id
    }

    /// `∃ levels. f ∧ g`.
    pub fn and_exists(
        &mut self,
        dd: &mut Manager,
        f: Bdd,
        g: Bdd,
        mut levels: Vec<Level>,
    ) -> Result<Bdd, Exhausted> {
        if levels.is_empty() {
            return dd.and(f, g);
        }
        levels.sort_unstable();
        levels.dedup();
        let id = self.forgetting(dd, &levels);
        dd.product(f, g, id)
    }

    fn moving(&mut self, dd: &mut Manager, moves: Vec<(Level, Image)>) -> SubstitutionId {
        *self.moves.entry(moves).or_insert_with_key(|moves| dd.register_substitution(moves))
    }
}

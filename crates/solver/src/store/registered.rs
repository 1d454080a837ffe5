//! Products and substitutions that were registered with the diagrams, the same one for the same renaming.

use super::Store;
use super::table::TableId;
use crate::fault::Fault;
use calculus::system::{Term, VarId};
use dd::{Bdd, Image, Level, Map, ProductId, SubstitutionId};
use rustc_hash::FxHashMap;

/// How a row's diagram is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// As it is, or through the renaming of the product.
    Direct,
    /// After a substitution that a renaming cannot express.
    Substituted(SubstitutionId),
}

/// A bit of a variable, and the level where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub level: Level,
    pub var: VarId,
    pub bit: u32,
}

/// What was registered so far.
#[derive(Debug, Default)]
pub(crate) struct Registered {
    products: FxHashMap<(Map, Map, Vec<Level>), ProductId>,
    substitutions: FxHashMap<Vec<(Level, Image)>, SubstitutionId>,
}

impl Store<'_> {
    /// The bits of some variables, by the levels where they stand.
    pub fn places(&self, vars: impl Iterator<Item = VarId>) -> Vec<Place> {
        let bits =
            |var| (0..).zip(self.layout.levels(var)).map(move |(bit, &level)| Place { level, var, bit });
        let mut places: Vec<Place> = vars.flat_map(bits).collect();
        places.sort_unstable_by_key(|place| place.level);
        places
    }

    /// The level of the same bit of a variable.
    #[inline]
    pub fn level(&self, var: VarId, bit: u32) -> Level {
        self.layout.levels(var)[bit as usize]
    }

    /// All levels of some variables.
    pub fn levels_of(&self, vars: &[VarId]) -> Vec<Level> {
        vars.iter().flat_map(|&v| self.layout.levels(v).iter().copied()).collect()
    }

    /// A product, the same one for the same renamings and quantification.
    pub fn register(&mut self, left: Map, right: Map, mut quantified: Vec<Level>) -> ProductId {
        quantified.sort_unstable();
        *self.registered.products.entry((left, right, quantified)).or_insert_with_key(
            |(left, right, quantified)| self.dd.register_product(left, right, quantified, &Map::default()),
        )
    }

    /// Splits the terms of a relation's application into those for keys and those for bits.
    pub fn split_terms(&self, table: TableId, terms: &[Term]) -> (Vec<Term>, Vec<Term>) {
        let relation = &self.system.relations[table.index()];
        let (mut keys, mut bits) = (Vec::new(), Vec::new());
        for (&column, &term) in relation.columns.iter().zip(terms) {
            if self.layout.is_explicit(column) { keys.push(term) } else { bits.push(term) }
        }
        (keys, bits)
    }

    /// How a table's diagrams are read where terms stand for its bit columns: through an order-keeping renaming, or
    /// after a substitution.
    pub fn access(&mut self, table: TableId, terms: &[Term]) -> (Map, Access) {
        let mut moves: Vec<(Level, Level)> = Vec::new();
        for (&column, &term) in self.shape(table).bits.iter().zip(terms) {
            if let Term::Var(var) = term {
                let to = self.layout.levels(var).iter().copied();
                moves.extend(self.layout.levels(column).iter().copied().zip(to));
            }
        }
        if terms.iter().all(|term| matches!(term, Term::Var(_)))
            && let Some(map) = Map::rising(moves)
        {
            return (map, Access::Direct);
        }
        let mut images: Vec<(Level, Image)> = Vec::new();
        for (&column, &term) in self.shape(table).bits.iter().zip(terms) {
            let levels = self.layout.levels(column);
            let to = |bit: usize| match term {
                Term::Var(var) => Image::Level(self.layout.levels(var)[bit]),
                Term::Value(value) => Image::Constant(value >> (levels.len() - 1 - bit) & 1 == 1),
            };
            images.extend(levels.iter().enumerate().map(|(bit, &from)| (from, to(bit))));
        }
        let id = match self.registered.substitutions.get(&images) {
            Some(id) => *id,
            None => {
                let id = self.dd.register_substitution(&images);
                self.registered.substitutions.insert(images, id);
                id
            }
        };
        (Map::default(), Access::Substituted(id))
    }

    /// A diagram as an access wants it.
    #[inline]
    pub fn read(&mut self, diagram: Bdd, access: Access) -> Result<Bdd, Fault> {
        match access {
            Access::Direct => Ok(diagram),
            Access::Substituted(id) => Ok(self.dd.substitute(diagram, id)?),
        }
    }
}

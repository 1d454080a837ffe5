//! Diagrams with renaming: each distinct product and substitution is registered once.

use crate::layout::{Layout, Version};
use crate::modified::Modified;
use base::{Sources, Stop};
use dd::{Bdd, Exhausted, Image, Level, Manager, Map, ProductId, SubstitutionId};
use encode::{Encoder, Slot};
use rsm::{ModuleId, Place, Rsm};
use rustc_hash::FxHashMap;

/// What is known about a program before any diagram is built.
#[derive(Clone, Copy)]
pub(crate) struct Program<'p> {
    pub(crate) rsm: &'p Rsm,
    pub(crate) sources: &'p Sources,
    pub(crate) layout: &'p Layout,
    pub(crate) modified: &'p Modified,
}

/// The diagrams of one validation.
pub(crate) struct Diagrams {
    pub(crate) dd: Manager,
    pub(crate) encoder: Encoder,
    products: FxHashMap<Shape, ProductId>,
    substitutions: FxHashMap<Vec<(Level, Level)>, SubstitutionId>,
}

/// `out(∃ quantified. f ∧ right(g))`.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Shape {
    pub(crate) right: Map,
    pub(crate) quantified: Vec<Level>,
    pub(crate) out: Map,
}

impl Diagrams {
    pub(crate) fn new(layout: &Layout, stop: &Stop, memory: Option<u64>) -> Self {
        Self::bare(layout.n_levels(), stop, memory)
    }

    /// Diagrams over so many levels.
    pub(crate) fn bare(n_levels: Level, stop: &Stop, memory: Option<u64>) -> Self {
        Self {
            dd: Manager::new(stop.clone(), memory),
            encoder: Encoder::new(n_levels),
            products: FxHashMap::default(),
            substitutions: FxHashMap::default(),
        }
    }

    pub(crate) fn product(&mut self, f: Bdd, g: Bdd, mut shape: Shape) -> Result<Bdd, Exhausted> {
        shape.quantified.sort_unstable();
        shape.quantified.dedup();
        if shape == Shape::default() {
            return self.dd.and(f, g);
        }
        let dd = &mut self.dd;
        let id = *self.products.entry(shape).or_insert_with_key(|shape| {
            dd.register_product(&Map::default(), &shape.right, &shape.quantified, &shape.out)
        });
        dd.product(f, g, id)
    }

    /// Moves levels anywhere, all at once.
    pub(crate) fn substitute(&mut self, f: Bdd, mut moves: Vec<(Level, Level)>) -> Result<Bdd, Exhausted> {
        moves.retain(|(from, to)| from != to);
        moves.sort_unstable();
        if moves.is_empty() {
            return Ok(f);
        }
        let dd = &mut self.dd;
        let id = *self.substitutions.entry(moves).or_insert_with_key(|moves| {
            let images: Vec<_> = moves.iter().map(|&(from, to)| (from, Image::Level(to))).collect();
            dd.register_substitution(&images)
        });
        dd.substitute(f, id)
    }
}

impl<'p> Program<'p> {
    /// The levels of a slot.
    pub(crate) fn levels(&self, module: ModuleId, slot: Slot, version: Version) -> &'p [Level] {
        self.layout.levels(module, slot, version)
    }

    /// The levels of several slots in two copies, bit by bit.
    pub(crate) fn moves(
        &self,
        module: ModuleId,
        slots: impl IntoIterator<Item = Slot>,
        from: Version,
        to: Version,
    ) -> impl Iterator<Item = (Level, Level)> {
        let levels = slots.into_iter().map(move |slot| {
            let (from, to) = (self.levels(module, slot, from), self.levels(module, slot, to));
            assert_eq!(from.len(), to.len(), "a slot has the same bits in every copy");
            from.iter().copied().zip(to.iter().copied())
        });
        levels.flatten()
    }

    /// The levels of several slots.
    pub(crate) fn all_levels(
        &self,
        module: ModuleId,
        slots: impl IntoIterator<Item = Slot>,
        version: Version,
    ) -> Vec<Level> {
        slots.into_iter().flat_map(|slot| self.levels(module, slot, version)).copied().collect()
    }

    pub(crate) fn parameters(&self, module: ModuleId) -> impl Iterator<Item = Slot> + use<> {
        (0..self.rsm.module(module).n_params as u32).map(|n| Slot::Place(Place::Local(n)))
    }

    pub(crate) fn locals(&self, module: ModuleId) -> impl Iterator<Item = Slot> + use<> {
        (0..self.rsm.module(module).locals.len() as u32).map(|n| Slot::Place(Place::Local(n)))
    }

    pub(crate) fn results(&self, module: ModuleId) -> impl Iterator<Item = Slot> + use<> {
        (0..self.rsm.module(module).results.len() as u32).map(Slot::Result)
    }

    pub(crate) fn globals(&self) -> impl Iterator<Item = Slot> + use<> {
        (0..self.rsm.globals.len() as u32).map(|n| Slot::Place(Place::Global(n)))
    }

    /// The globals that a module may change.
    pub(crate) fn modified(&self, module: ModuleId) -> impl Iterator<Item = Slot> + use<'p> {
        self.modified.globals(module).map(|n| Slot::Place(Place::Global(n)))
    }

    /// What has an entry copy of its own: the parameters, and the globals that the module may change. The others have
    /// the value at entry for ever, so that their current copy stands for both.
    pub(crate) fn entry_slots(&self, module: ModuleId) -> impl Iterator<Item = Slot> + use<'p> {
        self.parameters(module).chain(self.modified(module))
    }
}

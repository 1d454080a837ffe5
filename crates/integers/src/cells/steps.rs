//! Steps that load and store.

use super::numbers::{NOWHERE, Numbers};
use super::{Cell, Maker, less};
use crate::expr::{Expr, Op, Relation};
use crate::memory::{Content, RegionId};
use crate::program::{EdgeId, FunctionId, Place, Step, UnknownId};

/// The different indices of loads of some regions in an expression, as they occur, each counted from the region's origin.
pub(super) fn indices(numbers: &Numbers, expr: &Expr, regions: &[(RegionId, i128)]) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    numbers.numbered(expr).fold(|op, operands: Vec<Expr>| {
        if let Op::Load(region) = op
            && let Some((_, origin)) = regions.iter().find(|(known, _)| *known == region)
        {
            let index = less(&operands[0], *origin);
            if !found.contains(&index) {
                found.push(index);
            }
        }
        Expr::of(op, &operands)
    });
    found
}

/// A load of a step.
struct Loaded {
    region: RegionId,
    index: Expr,
    /// The number that stands for it where it is not one of the cells that are followed.
    unknown: Expr,
    /// What it gives.
    value: Expr,
}

/// A step under construction.
pub(super) struct Making<'a> {
    maker: &'a Maker<'a>,
    loaded: Vec<Loaded>,
    pub(super) unknowns: Vec<UnknownId>,
    /// What is true of every run, and what is chosen.
    pub(super) assumed: Expr,
    /// The edge, if its loads may be watched.
    watching: Option<(FunctionId, EdgeId)>,
    /// The indices that are watched, for regions that have the same cells: the first of them by the first cell.
    watched: Vec<(RegionId, Expr)>,
}

impl Maker<'_> {
    /// A step without memory.
    pub(super) fn step(&self, step: &Step, watching: Option<(FunctionId, EdgeId)>) -> Step {
        let mut making = self.making(step.unknowns.clone(), watching);
        let guard = making.expr(&step.guard);
        // What comes behind the guard does not decide.
        making.watching = None;
        let mut updates: Vec<(Place, Expr)> =
            step.updates.iter().map(|(place, value)| (*place, making.expr(value))).collect();
        for (region, pointer, value) in &step.stores {
            let (index, value) = (making.expr(pointer), making.expr(value));
            making.followed(&index);
            for cell in &self.seen[region.index()].cells {
                let is_here = self.is_at(*region, *cell, &index);
                replace(&mut updates, *cell, |before| Expr::choose(is_here, value.clone(), before));
            }
        }
        making.agree();
        updates.sort_by_key(|(place, _)| *place);
        let Making { unknowns, assumed, .. } = making;
        Step { guard: guard.and(assumed), updates, stores: Vec::new(), inputs: step.inputs.clone(), unknowns }
    }

    /// A step under construction.
    pub(super) fn making(
        &self,
        unknowns: Vec<UnknownId>,
        watching: Option<(FunctionId, EdgeId)>,
    ) -> Making<'_> {
        Making {
            maker: self,
            loaded: Vec::new(),
            unknowns,
            assumed: Expr::truth(true),
            watching,
            watched: Vec::new(),
        }
    }
}

/// Changes what a step stores in a cell.
pub(super) fn replace(updates: &mut Vec<(Place, Expr)>, cell: Cell, change: impl FnOnce(Expr) -> Expr) {
    match updates.iter_mut().find(|(place, _)| *place == cell.content) {
        Some((_, value)) => *value = change(value.clone()),
        None => updates.push((cell.content, change(Expr::read(cell.content)))),
    }
}

impl Making<'_> {
    /// A number of a region that nobody knows.
    pub(super) fn unknown(&mut self, region: RegionId) -> Expr {
        self.unknowns.push(self.maker.seen[region.index()].unknown);
        Expr::leaf(Op::Unknown(self.unknowns.len() as u32 - 1))
    }

    /// An expression without memory.
    pub(super) fn expr(&mut self, expr: &Expr) -> Expr {
        let numbered = self.maker.numbers.numbered(expr);
        numbered.fold(|op, mut operands: Vec<Expr>| match op {
            Op::Load(region) => self.load(region, operands.swap_remove(0)),
            // Where memory is misused the run does not count.
            Op::Misuse(_) => {
                self.unknowns.push(self.maker.anything());
                Expr::leaf(Op::Unknown(self.unknowns.len() as u32 - 1))
            }
            _ => Expr::of(op, &operands),
        })
    }

    fn load(&mut self, region: RegionId, index: Expr) -> Expr {
        let is_same = |loaded: &&Loaded| loaded.region == region && loaded.index == index;
        if let Some(loaded) = self.loaded.iter().find(is_same) {
            return loaded.value.clone();
        }
        let seen = &self.maker.seen[region.index()];
        let is_watched = self.watching.is_some_and(|edge| seen.watched.contains(&edge));
        let watcher = if is_watched && is_total(&index) { self.watcher(region, &index) } else { None };
        let unknown = self.unknown(region);
        let value = match watcher.and_then(|n| seen.cells.get(n)) {
            Some(cell) => {
                self.assume(self.maker.is_at(region, *cell, &index));
                Expr::read(cell.content)
            }
            None => seen.cells.iter().rev().fold(unknown.clone(), |other, cell| {
                let is_here = self.maker.is_at(region, *cell, &index);
                Expr::choose(is_here, Expr::read(cell.content), other)
            }),
        };
        if is_total(&index) {
            self.bounded(region, &value);
            self.followed(&index);
        }
        self.loaded.push(Loaded { region, index, unknown, value: value.clone() });
        value
    }

    /// Which cell of a region watches an index.
    fn watcher(&mut self, region: RegionId, index: &Expr) -> Option<usize> {
        let seen = &self.maker.seen[region.index()];
        let key = (seen.leader, less(index, seen.origin));
        if !self.watched.contains(&key) {
            self.watched.push(key.clone());
        }
        self.watched.iter().filter(|(leader, _)| *leader == key.0).position(|known| *known == key)
    }

    /// What is true of everything in a region.
    pub(super) fn bounded(&mut self, region: RegionId, value: &Expr) {
        let memory = &self.maker.lines.memory;
        let (least, limit) = match memory.regions[region.index()].content {
            Content::Integer(ty) if !ty.signed => (ty.min(), Expr::constant(ty.max() + 1)),
            Content::Pointer(class) if self.maker.pointers_are_known => {
                let Some(limit) = self.maker.numbers.limit(memory, class) else { return };
                (NOWHERE, limit)
            }
            Content::Function => (0, Expr::constant(self.maker.lines.functions.len() as i128 + 1)),
            _ => return,
        };
        self.assume(value.clone().compare(Relation::GreaterEqual, Expr::constant(least)));
        self.assume(value.clone().compare(Relation::Less, limit));
    }

    /// A pointer that is followed is neither null nor wild.
    fn followed(&mut self, index: &Expr) {
        if matches!(index.root(), Op::Read(_) | Op::Unknown(_) | Op::Choose) {
            self.assume(index.clone().compare(Relation::Greater, Expr::constant(0)));
        }
    }

    pub(super) fn assume(&mut self, formula: Expr) {
        let before = std::mem::replace(&mut self.assumed, Expr::truth(true));
        self.assumed = before.and(formula);
    }

    /// Loads at the same index give the same.
    fn agree(&mut self) {
        for n in 0..self.loaded.len() {
            for other in 0..n {
                let (one, other) = (&self.loaded[n], &self.loaded[other]);
                if one.region != other.region || !is_total(&one.index) || !is_total(&other.index) {
                    continue;
                }
                let apart = one.index.clone().compare(Relation::NotEqual, other.index.clone());
                let same = one.unknown.clone().compare(Relation::Equal, other.unknown.clone());
                self.assume(apart.binary(Op::Or, same));
            }
        }
    }
}

/// Whether there is always a value.
fn is_total(expr: &Expr) -> bool {
    expr.defined().as_truth() == Some(true)
}

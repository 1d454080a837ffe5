//! What is done to objects, as steps.

use super::Maker;
use super::numbers::{stride, times};
use super::steps::{Making, replace};
use crate::expr::{Expr, Op, Relation};
use crate::memory::{ClassId, Content, Manage, RegionId};
use crate::program::{Place, Step, UnknownId};

/// What is in cells from now on.
enum Becomes {
    /// Nothing that may be read: anything, or null.
    Open,
    /// What was elsewhere: anything.
    Moved,
    /// A number.
    Number(Expr),
    /// What is in the cells from another element on.
    Copied(Expr),
}

/// A step under construction, and what it stores.
struct Managing<'a> {
    making: Making<'a>,
    updates: Vec<(Place, Expr)>,
}

impl Maker<'_> {
    /// A step that does the same.
    pub(super) fn manage(&self, manage: &Manage) -> Step {
        let mut managing = Managing { making: self.making(Vec::new(), None), updates: Vec::new() };
        let number = |expr: &Expr| self.numbers.numbered(expr);
        match manage {
            Manage::Begin(object) => {
                let class = self.lines.memory.objects[object.index()].class;
                let first = Expr::constant(self.numbers.first(*object));
                let count = Expr::constant(self.lines.memory.objects[object.index()].count.into());
                self.become_(&mut managing, class, &first, &count, &Becomes::Open);
            }
            Manage::End(_) | Manage::Release { .. } => {}
            Manage::Allocate { class, count, is_zeroed, result, .. } => {
                let (first, count) = self.allocate(&mut managing, *class, &number(count), *result);
                // What is not zeroed has been anything from the start.
                if *is_zeroed {
                    let zero = Becomes::Number(Expr::constant(0));
                    self.become_(&mut managing, *class, &first, &count, &zero);
                }
            }
            Manage::Reallocate { class, count, result, .. } => {
                let (first, count) = self.allocate(&mut managing, *class, &number(count), *result);
                self.become_(&mut managing, *class, &first, &count, &Becomes::Moved);
            }
            Manage::Fill { class, pointer, count, value } => {
                let value = Becomes::Number(number(value));
                self.become_(&mut managing, *class, &number(pointer), &number(count), &value);
            }
            Manage::Copy { class, to, from, count } => {
                let copied = Becomes::Copied(number(from));
                self.become_(&mut managing, *class, &number(to), &number(count), &copied);
            }
        }
        let Managing { making, mut updates } = managing;
        updates.sort_by_key(|(place, _)| *place);
        Step {
            guard: making.assumed,
            updates,
            stores: Vec::new(),
            inputs: Vec::new(),
            unknowns: making.unknowns,
        }
    }

    /// Takes the next numbers: the first of them, and how many there are.
    fn allocate(
        &self,
        managing: &mut Managing<'_>,
        class: ClassId,
        count: &Expr,
        result: Place,
    ) -> (Expr, Expr) {
        let (counter, behind) = self.numbers.allocate(class, count);
        let first = Expr::read(counter);
        managing.making.assume(count.clone().compare(Relation::GreaterEqual, Expr::constant(0)));
        managing.updates.push((counter, behind));
        managing.updates.push((result, first.clone()));
        (first, count.clone())
    }

    /// All cells of some elements hold something else.
    fn become_(
        &self,
        managing: &mut Managing<'_>,
        class: ClassId,
        first: &Expr,
        count: &Expr,
        becomes: &Becomes,
    ) {
        let class = &self.lines.memory.classes[class.index()];
        let mut regions: Vec<RegionId> = class.fields.iter().map(|field| field.region).collect();
        regions.sort_unstable();
        regions.dedup();
        for region in regions {
            let by = stride(class, region).unwrap_or(1);
            let from = self.numbers.part(first.clone(), by, 0);
            let to = from.clone().binary(Op::Add, times(count.clone(), by.into()));
            for n in 0..self.seen[region.index()].cells.len() {
                let cell = self.seen[region.index()].cells[n];
                let within = self.is_between(region, cell, &from, &to);
                let value = match becomes {
                    Becomes::Open => self.open(managing, region),
                    Becomes::Moved => {
                        let unknown = managing.making.unknown(region);
                        managing.making.bounded(region, &unknown);
                        unknown
                    }
                    Becomes::Number(value) => value.clone(),
                    Becomes::Copied(source) => {
                        let source = self.numbers.part(source.clone(), by, 0);
                        let index = Expr::read(cell.index)
                            .binary(Op::Add, Expr::constant(self.seen[region.index()].origin))
                            .binary(Op::Subtract, from.clone())
                            .binary(Op::Add, source);
                        self.copied(managing, region, &index)
                    }
                };
                replace(&mut managing.updates, cell, |before| Expr::choose(within, value, before));
            }
        }
    }

    /// Anything; a pointer is null, since nobody may read it.
    fn open(&self, managing: &mut Managing<'_>, region: RegionId) -> Expr {
        match self.lines.memory.regions[region.index()].content {
            Content::Integer(_) => {
                let unknown = managing.making.unknown(region);
                managing.making.bounded(region, &unknown);
                unknown
            }
            Content::Pointer(_) | Content::Function => Expr::constant(0),
        }
    }

    /// What is in the cell of an index.
    fn copied(&self, managing: &mut Managing<'_>, region: RegionId, index: &Expr) -> Expr {
        let unknown = managing.making.unknown(region);
        let cells = &self.seen[region.index()].cells;
        let value = cells.iter().rev().fold(unknown, |other, cell| {
            let is_here = self.is_at(region, *cell, index);
            Expr::choose(is_here, Expr::read(cell.content), other)
        });
        managing.making.bounded(region, &value);
        value
    }

    /// Something of which nothing is known.
    pub(super) fn anything(&self) -> UnknownId {
        self.seen.first().map_or(UnknownId(0), |seen| seen.unknown)
    }
}

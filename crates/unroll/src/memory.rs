//! Objects in many runs at once: reading, writing, and what is done to objects. It agrees with [`integers::objects`].

use crate::evaluate::Undefineds;
use crate::machine::Machine;
use crate::state::{Cell, Object, State, chosen};
use crate::terms::{Bool, Int, NO, YES};
use crate::value::{Alternative, Beyond, Value};
use integers::memory::{ClassId, Field, Manage, RegionId, Storage};
use integers::{EdgeId, FunctionId, Misuse, Place, Undefined};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is done with a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// A cell that some runs mean.
struct Meant {
    guard: Bool,
    object: i64,
    offset: i64,
}

/// More cells are not told apart.
const MOST_CELLS: i128 = 2048;

/// A misuse in the runs of this guard, if there are any.
fn misused(undefined: &mut Undefineds, misuse: Misuse, guard: Bool) {
    if guard != NO {
        undefined.push((Undefined::Memory(misuse), guard));
    }
}

/// The object that a pointer means in the runs of this guard. A pointer without one is a misuse, and null is the one that is given.
fn pointed(
    state: &State,
    (object, guard): (i64, Bool),
    (at_null, null_guard): (Misuse, Bool),
    undefined: &mut Undefineds,
) -> Option<Rc<Object>> {
    match object {
        0 => misused(undefined, at_null, null_guard),
        ..0 => misused(undefined, Misuse::Uninitialised, guard),
        // Nobody has a pointer to what was not allocated.
        _ => return state.objects.get(&object).cloned(),
    }
    None
}

impl Machine<'_> {
    /// The cells that a pointer may mean; what is wrong with it is noted.
    fn meant(
        &mut self,
        state: &State,
        region: RegionId,
        pointer: &Value,
        access: Access,
        undefined: &mut Undefineds,
    ) -> Result<Vec<Meant>, Beyond> {
        let mut cells = Vec::new();
        for &Alternative { guard, object, offset } in pointer.alternatives(&self.terms)?.iter() {
            let Some(found) = pointed(state, (object, guard), (Misuse::Null, guard), undefined) else {
                continue;
            };
            let mut wrong = |misuse, guard| misused(undefined, misuse, guard);
            let gone = self.terms.not(found.is_alive);
            let gone = self.terms.and(guard, gone);
            wrong(Misuse::Freed, gone);
            let here = self.terms.and(guard, found.is_alive);
            let (inside, offsets) = self.inside(region, &found, offset)?;
            let outside = self.terms.not(inside);
            let outside = self.terms.and(here, outside);
            wrong(Misuse::Bounds, outside);
            if access == Access::Write && found.is_constant {
                let constant = self.terms.and(here, inside);
                wrong(Misuse::Constant, constant);
                continue;
            }
            for (offset, is_meant) in offsets {
                let guard = self.terms.and(here, is_meant);
                if guard != NO {
                    cells.push(Meant { guard, object, offset });
                }
            }
        }
        Ok(cells)
    }

    /// Whether an offset is that of a cell, and which cells it may be, with the conditions.
    fn inside(
        &mut self,
        region: RegionId,
        object: &Object,
        offset: Int,
    ) -> Result<(Bool, Vec<(i64, Bool)>), Beyond> {
        let program = self.program;
        let fields = &program.memory.classes[object.class.index()].fields;
        let fields: Vec<&Field> = fields.iter().filter(|field| field.region == region).collect();
        let (least, most) = self.terms.limits(offset);
        if let Some(number) = self.terms.known(offset) {
            let mut inside = NO;
            let small = i64::try_from(number).ok();
            for field in fields {
                let Some((element, _)) = small.and_then(|offset| field.cell(offset)) else { continue };
                let element = self.terms.constant(element.into());
                let is_there = self.terms.less(element, object.count);
                inside = self.terms.or(inside, is_there);
            }
            let cells = if inside == NO { Vec::new() } else { vec![(number as i64, inside)] };
            return Ok((inside, cells));
        }
        let count = self.terms.limits(object.count).1;
        let mut inside = NO;
        let mut cells = Vec::new();
        for field in fields {
            let stride = i128::from(field.stride);
            let first = (least / stride - 1).clamp(0, count);
            let last = (most / stride + 1).clamp(0, count);
            if (last - first).saturating_mul(field.n_cells().into()) > MOST_CELLS {
                return Err(Beyond("a large object is used at an index that is not known"));
            }
            for element in first..last {
                for position in 0..field.n_cells() {
                    let cell = field.offset(element as u64, position);
                    let (number, element) = (self.terms.constant(cell.into()), self.terms.constant(element));
                    let is_cell = self.terms.equal(offset, number);
                    let is_there = self.terms.less(element, object.count);
                    let is_meant = self.terms.and(is_cell, is_there);
                    if is_meant != NO {
                        cells.push((cell, is_meant));
                    }
                }
            }
            let is_dense = field.dimensions.is_empty() && field.stride == 1 && field.start == 0;
            let here = if is_dense {
                let zero = self.terms.constant(0);
                let below = self.terms.less(offset, zero);
                let natural = self.terms.not(below);
                let is_there = self.terms.less(offset, object.count);
                self.terms.and(natural, is_there)
            } else {
                cells.iter().fold(NO, |any, (_, is_meant)| self.terms.or(any, *is_meant))
            };
            inside = self.terms.or(inside, here);
        }
        Ok((inside, cells))
    }

    /// What a pointer points to. A cell that nothing was stored in is an input from now on, but not in runs that have misused memory.
    pub(crate) fn loaded(
        &mut self,
        state: &mut State,
        region: RegionId,
        pointer: &Value,
        misused: Bool,
    ) -> Result<(Value, Undefineds), Beyond> {
        let mut undefined = Vec::new();
        let cells = self.meant(state, region, pointer, Access::Read, &mut undefined)?;
        let mut empty = NO;
        for Meant { guard, object, offset } in &cells {
            let cell = state.objects[object].clone().cell(&mut self.terms, region, *offset);
            let is_empty = self.terms.not(cell.is_stored);
            let is_empty = self.terms.and(*guard, is_empty);
            empty = self.terms.or(empty, is_empty);
        }
        if empty != NO {
            let right = self.terms.not(misused);
            let drawing = self.terms.and(right, empty);
            match self.program.memory.regions[region.index()].uninitialised {
                None => undefined.push((Undefined::Memory(Misuse::Uninitialised), empty)),
                Some(input) => {
                    let guard = self.terms.and(state.path, drawing);
                    let drawn = Value::Number(self.drawn(self.program.input(input).ty, guard)?);
                    self.drawn_cells(state, region, &cells, &drawn)?;
                }
            }
        }
        let mut value: Option<Value> = None;
        for Meant { guard, object, offset } in &cells {
            let cell = state.objects[object].clone().cell(&mut self.terms, region, *offset);
            if cell.is_stored == NO {
                continue;
            }
            value = Some(match value {
                None => cell.value,
                Some(other) => Value::choose(&mut self.terms, *guard, &cell.value, &other)?,
            });
        }
        let nothing = Value::Number(self.terms.constant(0));
        Ok((value.unwrap_or(nothing), undefined))
    }

    /// Cells that nothing was stored in hold what was drawn, where they are meant.
    fn drawn_cells(
        &mut self,
        state: &mut State,
        region: RegionId,
        cells: &[Meant],
        drawn: &Value,
    ) -> Result<(), Beyond> {
        for Meant { guard, object, offset } in cells {
            let cell = state.objects[object].clone().cell(&mut self.terms, region, *offset);
            if cell.is_stored == YES {
                continue;
            }
            let value = Value::choose(&mut self.terms, cell.is_stored, &cell.value, drawn)?;
            let is_stored = self.terms.or(cell.is_stored, *guard);
            state.object_mut(*object).cells.insert((region, *offset), Cell { value, is_stored });
        }
        Ok(())
    }

    /// Stores something where a pointer points to. What is wrong is noted.
    pub(crate) fn stored(
        &mut self,
        state: &mut State,
        region: RegionId,
        pointer: &Value,
        cell: &Cell,
        undefined: &mut Undefineds,
    ) -> Result<(), Beyond> {
        for Meant { guard, object, offset } in self.meant(state, region, pointer, Access::Write, undefined)? {
            let old = state.objects[&object].clone().cell(&mut self.terms, region, offset);
            let new = chosen(&mut self.terms, guard, cell.clone(), old)?;
            state.object_mut(object).cells.insert((region, offset), new);
        }
        Ok(())
    }

    /// What cells hold that are copied. A number that nothing was stored in is an input from now on; a wild pointer stays one.
    fn copied(
        &mut self,
        state: &mut State,
        region: RegionId,
        pointer: &Value,
        undefined: &mut Undefineds,
    ) -> Result<Cell, Beyond> {
        if self.program.memory.regions[region.index()].uninitialised.is_some() {
            let misused = self.any(undefined);
            let (value, more) = self.loaded(state, region, pointer, misused)?;
            undefined.extend(more);
            return Ok(Cell { value, is_stored: YES });
        }
        let nothing = Cell { value: Value::Number(self.terms.constant(0)), is_stored: NO };
        let mut copied = nothing;
        for Meant { guard, object, offset } in self.meant(state, region, pointer, Access::Read, undefined)? {
            let cell = state.objects[&object].clone().cell(&mut self.terms, region, offset);
            copied = chosen(&mut self.terms, guard, cell, copied)?;
        }
        Ok(copied)
    }

    /// Does something to objects; what is wrong is noted.
    pub(crate) fn manage(
        &mut self,
        state: &mut State,
        manage: &Manage,
        operands: &[Value],
        site: (FunctionId, EdgeId),
        undefined: &mut Undefineds,
    ) -> Result<(), Beyond> {
        match manage {
            Manage::Begin(object) => {
                let number = i64::from(object.0) + 1;
                state.end(number);
                state.object_mut(number).is_alive = YES;
            }
            Manage::End(object) => state.end(i64::from(object.0) + 1),
            Manage::Allocate { class, is_zeroed, storage, result, .. } => {
                let count = self.size(&operands[0], undefined)?;
                let number = self.allocated(state, *class, count, *storage, site);
                state.object_mut(number).is_zeroed = *is_zeroed;
                if *storage == Storage::Frame {
                    state.running_mut().objects.push(number);
                }
                self.result(state, *result, number);
            }
            Manage::Reallocate { class, result, .. } => {
                let count = self.size(&operands[1], undefined)?;
                let old = self.released(state, &operands[0], Storage::Heap, undefined)?;
                let number = self.allocated(state, *class, count, Storage::Heap, site);
                self.reallocated(state, *class, number, &old)?;
                self.result(state, *result, number);
            }
            Manage::Release { storage, .. } => {
                self.released(state, &operands[0], *storage, undefined)?;
            }
            Manage::Fill { class, .. } => {
                let count = self.known_size(&operands[1], undefined)?;
                let cell = Cell { value: operands[2].clone(), is_stored: YES };
                let to = self.elements(*class, &operands[0], count)?;
                for (region, pointer) in to {
                    self.stored(state, region, &pointer, &cell, undefined)?;
                }
            }
            Manage::Copy { class, .. } => {
                let count = self.known_size(&operands[2], undefined)?;
                let to = self.elements(*class, &operands[0], count)?;
                let from = self.elements(*class, &operands[1], count)?;
                let mut copied = Vec::new();
                for (region, pointer) in from {
                    copied.push(self.copied(state, region, &pointer, undefined)?);
                }
                for ((region, pointer), cell) in to.into_iter().zip(copied) {
                    self.stored(state, region, &pointer, &cell, undefined)?;
                }
            }
        }
        Ok(())
    }

    fn result(&mut self, state: &mut State, place: Place, number: i64) {
        let first = self.terms.constant(0);
        state.store(place, Value::pointer(number, first));
    }

    /// A number of elements; one that is not possible is noted.
    fn size(&mut self, count: &Value, undefined: &mut Undefineds) -> Result<Int, Beyond> {
        let Value::Number(count) = *count else { return Err(Beyond("an unknown number of elements")) };
        let (zero, most) = (self.terms.constant(0), self.terms.constant(integers::memory::MOST));
        let (below, above) = (self.terms.less(count, zero), self.terms.less(most, count));
        let outside = self.terms.or(below, above);
        if outside != NO {
            undefined.push((Undefined::Memory(Misuse::Size), outside));
        }
        Ok(count)
    }

    fn known_size(&mut self, count: &Value, undefined: &mut Undefineds) -> Result<i128, Beyond> {
        let count = self.size(count, undefined)?;
        match self.terms.known(count) {
            Some(count @ 0..=MOST_CELLS) => Ok(count),
            // That it is not possible has been noted.
            Some(..0) => Ok(0),
            _ => Err(Beyond(
                "many elements are filled or copied at once, or a number of them that is not known",
            )),
        }
    }

    /// A new object.
    fn allocated(
        &mut self,
        state: &mut State,
        class: ClassId,
        count: Int,
        storage: Storage,
        site: (FunctionId, EdgeId),
    ) -> i64 {
        let number = self.new_object();
        let object = Object {
            class,
            count,
            storage: Some(storage),
            site: Some(site),
            is_alive: YES,
            is_zeroed: false,
            is_constant: false,
            cells: BTreeMap::new(),
        };
        state.objects.insert(number, Rc::new(object));
        number
    }

    /// The objects that a pointer may mean end; what they were.
    fn released(
        &mut self,
        state: &mut State,
        pointer: &Value,
        storage: Storage,
        undefined: &mut Undefineds,
    ) -> Result<Vec<(Bool, Rc<Object>)>, Beyond> {
        let mut old = Vec::new();
        for &Alternative { guard, object, offset } in pointer.alternatives(&self.terms)?.iter() {
            let zero = self.terms.constant(0);
            let is_first = self.terms.equal(offset, zero);
            let is_inner = self.terms.not(is_first);
            let inner = self.terms.and(guard, is_inner);
            // Null itself is nothing to release.
            let Some(found) = pointed(state, (object, guard), (Misuse::BadFree, inner), undefined) else {
                continue;
            };
            let mut wrong = |misuse, guard| misused(undefined, misuse, guard);
            if found.storage != Some(storage) {
                wrong(Misuse::BadFree, guard);
                continue;
            }
            let gone = self.terms.not(found.is_alive);
            let gone = self.terms.and(guard, gone);
            wrong(Misuse::DoubleFree, gone);
            let inner = self.terms.and(inner, found.is_alive);
            wrong(Misuse::BadFree, inner);
            let kept = self.terms.not(guard);
            let is_alive = self.terms.and(found.is_alive, kept);
            state.object_mut(object).is_alive = is_alive;
            old.push((guard, found));
        }
        Ok(old)
    }

    /// A new object has the cells of others, in the runs that say so.
    fn reallocated(
        &mut self,
        state: &mut State,
        class: ClassId,
        number: i64,
        old: &[(Bool, Rc<Object>)],
    ) -> Result<(), Beyond> {
        let count = state.objects[&number].count;
        for (guard, object) in old {
            for (&(region, offset), cell) in &object.cells {
                let fields = &self.program.memory.classes[class.index()].fields;
                let field = fields.iter().find_map(|field| {
                    let (element, _) = field.cell(offset).filter(|_| field.region == region)?;
                    Some(element)
                });
                let Some(element) = field.filter(|_| object.class == class) else { continue };
                let element = self.terms.constant(element.into());
                let is_there = self.terms.less(element, count);
                let was_there = self.terms.less(element, object.count);
                let both = self.terms.and(is_there, was_there);
                let guard = self.terms.and(*guard, both);
                let before = state.objects[&number].clone().cell(&mut self.terms, region, offset);
                let new = chosen(&mut self.terms, guard, cell.clone(), before)?;
                state.object_mut(number).cells.insert((region, offset), new);
            }
            if object.is_zeroed {
                return Err(Beyond("an object that was cleared is reallocated"));
            }
        }
        Ok(())
    }

    /// The cells of so many elements of a class, from a pointer on.
    fn elements(
        &mut self,
        class: ClassId,
        pointer: &Value,
        count: i128,
    ) -> Result<Vec<(RegionId, Value)>, Beyond> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let program = self.program;
        let alternatives = pointer.alternatives(&self.terms)?;
        let mut cells = Vec::new();
        for n in 0..count {
            for field in &program.memory.classes[class.index()].fields {
                for position in 0..field.n_cells() {
                    let within = i128::from(field.offset(0, position)) + n * i128::from(field.stride);
                    let mut moved = Vec::new();
                    for alternative in alternatives.iter() {
                        let stride = self.terms.constant(field.stride.into());
                        let within = self.terms.constant(within);
                        let first = self.terms.multiply(alternative.offset, stride)?;
                        let offset = self.terms.add(first, within)?;
                        moved.push(Alternative { offset, ..*alternative });
                    }
                    cells.push((field.region, Value::Pointer(moved.into())));
                }
            }
            if cells.len() as i128 > MOST_CELLS {
                return Err(Beyond("many elements are filled or copied at once"));
            }
        }
        Ok(cells)
    }
}

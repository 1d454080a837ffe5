//! The objects of a run: what memory means, slow and simple.
//!
//! A table has the objects in the order of their numbers; nothing leaves it, an object that has ended stays as one that is no longer there. Each operation looks at the
//! object that the pointer names: is it there, is the offset a cell of it. What is wrong is a [`Misuse`], and changes nothing.

use crate::evaluate::Value;
use crate::memory::{
    ClassId, Field, Initial, Lifetime, MOST, Memory, Misuse, ObjectId, RegionId, Storage, first, pack,
};
use crate::program::{EdgeId, FunctionId};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// An object of a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    /// What it is made of.
    pub class: ClassId,
    /// How many elements it has.
    pub count: u64,
    /// Where it was allocated; a static object is nowhere.
    pub storage: Option<Storage>,
    /// The edge that allocated it.
    pub site: Option<(FunctionId, EdgeId)>,
    /// Whether it is there.
    pub is_alive: bool,
    /// Whether cells hold 0 that are not mentioned; otherwise they are uninitialised.
    is_zeroed: bool,
    is_constant: bool,
    /// What cells hold; `None` for one that is uninitialised again.
    cells: BTreeMap<(RegionId, i64), Option<Value>>,
}

impl Object {
    /// What a cell holds; nothing if it is uninitialised. It must be one.
    pub fn read(&self, region: RegionId, offset: i64) -> Option<Value> {
        match self.cells.get(&(region, offset)) {
            Some(value) => *value,
            None => self.is_zeroed.then_some(Value::Number(0)),
        }
    }

    fn write(&mut self, region: RegionId, offset: i64, value: Option<Value>) {
        if value.is_none() && !self.is_zeroed {
            self.cells.remove(&(region, offset));
        } else {
            self.cells.insert((region, offset), value);
        }
    }

    fn end(&mut self) {
        self.is_alive = false;
        self.cells.clear();
    }

    /// Whether the offset is that of a cell.
    fn has(&self, memory: &Memory, region: RegionId, offset: i64) -> bool {
        let fields = &memory.classes[self.class.index()].fields;
        let is_cell = |field: &Field| field.cell(offset).is_some_and(|(element, _)| element < self.count);
        fields.iter().any(|field| field.region == region && is_cell(field))
    }
}

/// The objects of a run.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    /// Object `n + 1` at position `n`.
    objects: Vec<Object>,
    /// How many changes there were. It is no part of what memory is: tables are equal if their objects are.
    version: u64,
    /// When objects were changed for the last time; those that are not mentioned were not.
    changed: BTreeMap<usize, u64>,
    /// What was changed since somebody asked, if somebody does; no part of what memory is, either.
    touched: Option<Vec<Touch>>,
}

/// A change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The number of the object.
    pub number: i64,
    /// The cell, by region and offset; nothing if the object changed as a whole.
    pub cell: Option<(RegionId, i64)>,
}

impl PartialEq for Objects {
    fn eq(&self, other: &Self) -> bool {
        self.objects == other.objects
    }
}

impl Eq for Objects {}

impl Hash for Objects {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.objects.hash(state);
    }
}

/// Where a cell is: a position in the table, and the offset in its region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    object: usize,
    offset: i64,
}

impl Cell {
    /// The pointer to it.
    pub fn pointer(self) -> i128 {
        pack(self.object as i64 + 1, self.offset)
    }
}

/// A cell that is copied.
#[derive(Clone, Copy, Debug)]
pub struct Copied {
    /// The region of both.
    pub region: RegionId,
    /// Where it is copied to.
    pub to: Cell,
    /// Where it is copied from.
    pub from: Cell,
    /// What it holds; nothing if it is uninitialised.
    pub value: Option<Value>,
}

impl Objects {
    /// Those that are there when a run starts.
    pub fn start(memory: &Memory) -> Self {
        let objects = memory.objects.iter().map(|object| {
            let value = |initial: Initial| match initial {
                Initial::Number(number) => Value::Number(number),
                Initial::Pointer(object, offset) => Value::Number(first(object) + i128::from(offset)),
            };
            let is_static = object.lifetime == Lifetime::Static;
            let cells = object
                .cells
                .iter()
                .map(|(region, offset, initial)| ((*region, *offset), Some(value(*initial))));
            Object {
                class: object.class,
                count: object.count,
                storage: None,
                site: None,
                is_alive: is_static,
                is_zeroed: is_static,
                is_constant: object.is_constant,
                cells: cells.collect(),
            }
        });
        Self { objects: objects.collect(), version: 0, changed: BTreeMap::new(), touched: None }
    }

    /// Changes are remembered from now on.
    pub fn watch(&mut self) {
        self.touched = Some(Vec::new());
    }

    /// What was changed since the last time that somebody asked, if changes are remembered.
    pub fn touched(&mut self) -> Vec<Touch> {
        self.touched.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// How many changes there were: as long as it is the same, nothing has changed.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The object with a number, which is what [`crate::memory::unpack`] gives; nothing for numbers of none.
    pub fn get(&self, number: i64) -> Option<&Object> {
        usize::try_from(number).ok()?.checked_sub(1).and_then(|n| self.objects.get(n))
    }

    /// All objects with their numbers.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (i64, &Object)> {
        self.objects.iter().enumerate().map(|(n, object)| (n as i64 + 1, object))
    }

    /// The numbers of the objects that were changed, the last one first.
    pub fn changed(&self) -> Vec<i64> {
        let mut changed: Vec<(u64, usize)> =
            self.changed.iter().map(|(object, when)| (*when, *object)).collect();
        changed.sort_unstable_by(|one, other| other.cmp(one));
        changed.into_iter().map(|(_, object)| object as i64 + 1).collect()
    }

    /// The cell that a pointer points to.
    pub fn locate(&self, memory: &Memory, region: RegionId, pointer: i128) -> Result<Cell, Misuse> {
        let (object, offset) = parts(pointer).ok_or(Misuse::Bounds)?;
        let object = position(object)?;
        let found = self.objects.get(object).ok_or(Misuse::Bounds)?;
        match found {
            _ if !found.is_alive => Err(Misuse::Freed),
            _ if !found.has(memory, region, offset) => Err(Misuse::Bounds),
            _ => Ok(Cell { object, offset }),
        }
    }

    /// What a cell holds; nothing if it is uninitialised.
    pub fn read(&self, region: RegionId, cell: Cell) -> Option<Value> {
        self.objects[cell.object].read(region, cell.offset)
    }

    /// A cell holds something from now on.
    pub fn write(&mut self, region: RegionId, cell: Cell, value: Value) {
        self.change(cell.object, Some((region, cell.offset))).write(region, cell.offset, Some(value));
    }

    /// The cell that a pointer points to, if something may be stored there.
    pub fn locate_store(&self, memory: &Memory, region: RegionId, pointer: i128) -> Result<Cell, Misuse> {
        let cell = self.locate(memory, region, pointer)?;
        if self.objects[cell.object].is_constant { Err(Misuse::Constant) } else { Ok(cell) }
    }

    /// A local object begins: its cells are uninitialised.
    pub fn begin(&mut self, object: ObjectId) {
        let object = self.change(object.index(), None);
        object.end();
        object.is_alive = true;
    }

    /// A local object ends.
    pub fn finish(&mut self, object: ObjectId) {
        self.change(object.index(), None).end();
    }

    /// The object with this number ends.
    pub fn drop(&mut self, number: i64) {
        self.change(number as usize - 1, None).end();
    }

    /// A new object; its number.
    pub fn allocate(
        &mut self,
        class: ClassId,
        count: i128,
        is_zeroed: bool,
        storage: Storage,
        site: (FunctionId, EdgeId),
    ) -> Result<i64, Misuse> {
        let count = size(count)?;
        self.note(self.objects.len(), None);
        self.objects.push(Object {
            class,
            count,
            storage: Some(storage),
            site: Some(site),
            is_alive: true,
            is_zeroed,
            is_constant: false,
            cells: BTreeMap::new(),
        });
        Ok(self.objects.len() as i64)
    }

    /// A new object with the cells of another, which ends; its number.
    pub fn reallocate(
        &mut self,
        memory: &Memory,
        class: ClassId,
        pointer: i128,
        count: i128,
        site: (FunctionId, EdgeId),
    ) -> Result<i64, Misuse> {
        let old = self.releasable(pointer, Storage::Heap)?;
        size(count)?;
        let new = self.allocate(class, count, false, Storage::Heap, site)?;
        let Some(old) = old else { return Ok(new) };
        let Object { count: old_count, class: old_class, .. } = self.objects[old];
        for field in &memory.classes[class.index()].fields {
            for offset in cells(field, 0, (count as u64).min(old_count).into()) {
                let offset = offset as i64;
                if old_class == class {
                    let value = self.objects[old].read(field.region, offset);
                    self.objects[new as usize - 1].write(field.region, offset, value);
                }
            }
        }
        self.change(old, None).end();
        Ok(new)
    }

    /// An object ends.
    pub fn release(&mut self, pointer: i128, storage: Storage) -> Result<(), Misuse> {
        if let Some(object) = self.releasable(pointer, storage)? {
            self.change(object, None).end();
        }
        Ok(())
    }

    /// An object, to be changed: in a cell, or as a whole.
    fn change(&mut self, object: usize, cell: Option<(RegionId, i64)>) -> &mut Object {
        self.note(object, cell);
        &mut self.objects[object]
    }

    fn note(&mut self, object: usize, cell: Option<(RegionId, i64)>) {
        self.version += 1;
        self.changed.insert(object, self.version);
        if let Some(touched) = &mut self.touched {
            touched.push(Touch { number: object as i64 + 1, cell });
        }
    }

    /// Which object can be released with a pointer; none with null.
    fn releasable(&self, pointer: i128, storage: Storage) -> Result<Option<usize>, Misuse> {
        if pointer == 0 {
            return Ok(None);
        }
        let (object, offset) = parts(pointer).ok_or(Misuse::BadFree)?;
        let object = position(object).map_err(|misuse| match misuse {
            Misuse::Null => Misuse::BadFree,
            other => other,
        })?;
        let found = self.objects.get(object).ok_or(Misuse::BadFree)?;
        match found {
            _ if found.storage != Some(storage) => Err(Misuse::BadFree),
            _ if !found.is_alive => Err(Misuse::DoubleFree),
            _ if offset != 0 => Err(Misuse::BadFree),
            _ => Ok(Some(object)),
        }
    }

    /// All cells of so many elements hold a value.
    pub fn fill(
        &mut self,
        memory: &Memory,
        class: ClassId,
        pointer: i128,
        count: i128,
        value: Value,
    ) -> Result<(), Misuse> {
        let mut found = Vec::new();
        for (region, pointer) in elements(memory, class, pointer, size(count)?) {
            found.push((region, self.locate_store(memory, region, pointer)?));
        }
        for (region, cell) in found {
            self.write(region, cell, value);
        }
        Ok(())
    }

    /// All cells of so many elements that are to be copied.
    pub fn copied(
        &self,
        memory: &Memory,
        class: ClassId,
        to: i128,
        from: i128,
        count: i128,
    ) -> Result<Vec<Copied>, Misuse> {
        let count = size(count)?;
        let mut copied = Vec::new();
        for ((region, to), (_, from)) in
            elements(memory, class, to, count).zip(elements(memory, class, from, count))
        {
            let to = self.locate_store(memory, region, to)?;
            let from = self.locate(memory, region, from)?;
            copied.push(Copied { region, to, from, value: self.read(region, from) });
        }
        Ok(copied)
    }

    /// A cell is as another one was: a wild pointer stays one.
    pub fn copy(&mut self, Copied { region, to, value, .. }: &Copied) {
        self.change(to.object, Some((*region, to.offset))).write(*region, to.offset, *value);
    }

    /// The numbers of the objects on the heap that are there.
    pub fn heap(&self) -> Vec<i64> {
        let is_heap = |object: &Object| object.is_alive && object.storage == Some(Storage::Heap);
        self.iter().filter(|(_, object)| is_heap(object)).map(|(n, _)| n).collect()
    }

    /// The objects on the heap that are there and that no pointer leads to: from these values, from static objects, or from others that are found so.
    pub fn lost(&self, memory: &Memory, roots: impl Iterator<Item = Value>) -> Vec<i64> {
        let mut is_found = vec![false; self.objects.len() + 1];
        let named = |value: Value| match value {
            Value::Number(number) => parts(number).map(|(object, _)| object),
            _ => None,
        };
        let lasting =
            self.iter().filter(|(_, object)| object.is_alive && object.storage != Some(Storage::Heap));
        let mut pending: Vec<i64> = lasting.map(|(n, _)| n).chain(roots.filter_map(named)).collect();
        while let Some(number) = pending.pop() {
            let Some(object) = self.get(number).filter(|object| object.is_alive) else { continue };
            if std::mem::replace(&mut is_found[number as usize], true) {
                continue;
            }
            let is_pointer = |region: &RegionId| {
                matches!(memory.regions[region.index()].content, crate::Content::Pointer(_))
            };
            let pointers = object.cells.iter().filter(|((region, _), _)| is_pointer(region));
            pending.extend(pointers.filter_map(|(_, value)| value.and_then(named)));
        }
        self.heap().into_iter().filter(|n| !is_found[*n as usize]).collect()
    }
}

/// The pointer to the first element of an object with this number.
pub fn to_first(number: i64) -> i128 {
    pack(number, 0)
}

/// The object and the offset of a pointer, if it is one.
fn parts(pointer: i128) -> Option<(i64, i64)> {
    let object = pointer.checked_add(1 << 63)? >> 64;
    let offset = pointer - (object << 64);
    Some((i64::try_from(object).ok()?, i64::try_from(offset).ok()?))
}

/// The position of the object with a number.
fn position(number: i64) -> Result<usize, Misuse> {
    match number {
        0 => Err(Misuse::Null),
        ..0 => Err(Misuse::Uninitialised),
        _ => usize::try_from(number - 1).map_err(|_| Misuse::Bounds),
    }
}

/// A number of elements.
fn size(count: i128) -> Result<u64, Misuse> {
    if (0..=MOST).contains(&count) { Ok(count as u64) } else { Err(Misuse::Size) }
}

/// The cells of so many elements of a class, from a pointer on: element by element, so that whoever looks for the first that is not there finds it.
fn elements(
    memory: &Memory,
    class: ClassId,
    pointer: i128,
    count: u64,
) -> impl Iterator<Item = (RegionId, i128)> {
    let object = pointer.saturating_add(1 << 63) >> 64;
    let element = pointer - (object << 64);
    let fields = &memory.classes[class.index()].fields;
    (0..i128::from(count)).flat_map(move |n| {
        fields.iter().flat_map(move |field| {
            cells(field, element + n, 1).map(move |offset| (field.region, (object << 64) + offset))
        })
    })
}

/// The offsets of a field in so many elements.
fn cells(field: &Field, element: i128, count: i128) -> impl Iterator<Item = i128> {
    (element..element + count).flat_map(move |element| {
        let start = i128::from(field.start) + element * i128::from(field.stride);
        (0..field.n_cells()).map(move |position| start + i128::from(within(field, position)))
    })
}

/// How far a cell is from the first of its element.
fn within(field: &Field, mut position: u64) -> u64 {
    let mut offset = 0;
    for dimension in field.dimensions.iter().rev() {
        offset += position % dimension.count * dimension.stride;
        position /= dimension.count;
    }
    offset
}

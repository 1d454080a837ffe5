//! The objects of a run, fast: cells in lists, and a table that says where in them a field is. The textbook twin is [`crate::objects`].

use crate::explore::cells::{Cells, Full, Held};
use crate::memory::{
    ClassId, Content, Field, Initial, Lifetime, MOST, Memory, Misuse, RegionId, Storage, first,
};
use crate::program::{EdgeId, FunctionId};

/// Where something is stored at first behind so many cells, no run has room for it.
const MOST_AT_FIRST: usize = 1 << 25;

/// Where the cells of objects of each class are.
#[derive(Debug)]
pub(crate) struct Layouts {
    n_regions: usize,
    /// For each class and region.
    slots: Vec<Slot>,
    /// For each class: how many cells an element has.
    n_cells: Vec<u64>,
    /// Fields that are not plain, with how many cells of an element are before theirs.
    fields: Vec<Vec<(Field, u64)>>,
    /// For each class, its fields with the same.
    classes: Vec<Vec<(Field, u64)>>,
    /// For each region, whether it has pointers.
    is_pointer: Vec<bool>,
    /// What a run starts with.
    start: Vec<Object>,
    /// Whether that is more than any run has room for.
    pub(crate) is_too_large: bool,
}

/// Where a class has the cells of a region.
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// Nowhere.
    Nowhere,
    /// One in each element, which is its number; so many cells of an element are before it.
    Plain(u64),
    /// In several places, or in arrays: a position in [`Layouts::fields`].
    Fields(u32),
}

impl Layouts {
    pub(crate) fn new(memory: &Memory, has_unknowns: bool) -> Self {
        let n_regions = memory.regions.len();
        let mut layouts = Self {
            n_regions,
            slots: vec![Slot::Nowhere; n_regions * memory.classes.len()],
            n_cells: Vec::new(),
            fields: Vec::new(),
            classes: Vec::new(),
            is_pointer: memory
                .regions
                .iter()
                .map(|region| matches!(region.content, Content::Pointer(_)))
                .collect(),
            start: Vec::new(),
            is_too_large: false,
        };
        for (class, description) in memory.classes.iter().enumerate() {
            let mut before = 0;
            let mut placed = Vec::new();
            for field in &description.fields {
                placed.push((field.clone(), before));
                before += field.n_cells();
            }
            for region in 0..n_regions {
                let mine: Vec<(Field, u64)> =
                    placed.iter().filter(|(field, _)| field.region.index() == region).cloned().collect();
                layouts.slots[class * n_regions + region] = layouts.slot(mine);
            }
            layouts.n_cells.push(before);
            layouts.classes.push(placed);
        }
        let start: Option<Vec<Object>> =
            memory.objects.iter().map(|object| layouts.initial(object, has_unknowns)).collect();
        layouts.is_too_large = start.is_none();
        layouts.start = start.unwrap_or_default();
        layouts
    }

    fn slot(&mut self, fields: Vec<(Field, u64)>) -> Slot {
        match &fields[..] {
            [] => Slot::Nowhere,
            [(field, before)] if field.start == 0 && field.stride == 1 && field.dimensions.is_empty() => {
                Slot::Plain(*before)
            }
            _ => {
                self.fields.push(fields);
                Slot::Fields(self.fields.len() as u32 - 1)
            }
        }
    }

    /// A static object when a run starts, if there is room for it.
    fn initial(&self, described: &crate::memory::Object, has_unknowns: bool) -> Option<Object> {
        let is_static = described.lifetime == Lifetime::Static;
        let mut object = Object {
            class: described.class,
            count: described.count,
            is_alive: is_static,
            is_constant: described.is_constant,
            storage: None,
            site: None,
            cells: Cells::default(),
        };
        if is_static {
            object.cells = Cells::new(self.n_cells(&object), true, has_unknowns);
            for (region, offset, initial) in &described.cells {
                let at = self
                    .index(&object, *region, *offset)
                    .expect("what a cell holds at first is about a cell");
                let number = match initial {
                    Initial::Number(number) => *number,
                    Initial::Pointer(object, offset) => first(*object) + i128::from(*offset),
                };
                object.cells.write(at, (number, 0), MOST_AT_FIRST).ok()?;
            }
        }
        Some(object)
    }

    fn n_cells(&self, object: &Object) -> usize {
        self.n_cells[object.class.index()].saturating_mul(object.count) as usize
    }

    /// Which cell of an object an offset in a region is.
    #[inline]
    fn index(&self, object: &Object, region: RegionId, offset: i64) -> Option<usize> {
        match self.slots[object.class.index() * self.n_regions + region.index()] {
            Slot::Plain(before) => {
                ((offset as u64) < object.count).then(|| (before * object.count) as usize + offset as usize)
            }
            Slot::Nowhere => None,
            Slot::Fields(fields) => self.fields[fields as usize].iter().find_map(|(field, before)| {
                let (element, position) = field.cell(offset)?;
                let at = before * object.count + element * field.n_cells() + position;
                (element < object.count).then_some(at as usize)
            }),
        }
    }
}

/// An object of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    class: ClassId,
    count: u64,
    is_alive: bool,
    is_constant: bool,
    storage: Option<Storage>,
    site: Option<(FunctionId, EdgeId)>,
    cells: Cells,
}

impl Object {
    fn end(&mut self) -> usize {
        self.is_alive = false;
        std::mem::take(&mut self.cells).n_made()
    }
}

/// A cell: a position in the table, and one in the object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    object: usize,
    at: usize,
}

/// The objects of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    objects: Vec<Object>,
    has_unknowns: bool,
    /// How many cells have been made.
    pub(crate) n_cells: usize,
    /// How many cells were made since the run began because something was stored behind those that there were.
    pub(crate) n_grown: u64,
    /// The most cells that there may be.
    most: usize,
    /// How many changes there were: as long as it is the same, nothing has changed.
    pub(crate) version: u64,
    /// The objects in frames, with the depth of the frame.
    frames: Vec<(usize, usize)>,
}

impl PartialEq for Heap {
    fn eq(&self, other: &Self) -> bool {
        self.objects == other.objects && self.frames == other.frames
    }
}

/// What is allocated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) class: ClassId,
    pub(crate) count: i128,
    pub(crate) is_zeroed: bool,
    pub(crate) storage: Storage,
    pub(crate) site: (FunctionId, EdgeId),
    /// How many functions wait for the running one.
    pub(crate) depth: usize,
}

/// Why something cannot be done.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Trouble {
    Misuse(Misuse),
    /// There would be more cells than allowed.
    Full,
}

impl From<Misuse> for Trouble {
    fn from(misuse: Misuse) -> Self {
        Trouble::Misuse(misuse)
    }
}

impl From<Full> for Trouble {
    fn from(_: Full) -> Self {
        Trouble::Full
    }
}

/// A cell that is copied.
pub(crate) struct Copied {
    /// The region of both.
    pub(crate) region: RegionId,
    to: Spot,
    /// Where it is copied from.
    pub(crate) from: Spot,
    /// What it holds, if anything was stored in it.
    pub(crate) held: Option<Held>,
}

impl Heap {
    pub(crate) fn new(layouts: &Layouts, has_unknowns: bool) -> Self {
        let objects = layouts.start.clone();
        let n_cells = objects.iter().map(|object| object.cells.n_made()).sum();
        Self { objects, has_unknowns, n_cells, n_grown: 0, most: usize::MAX, version: 0, frames: Vec::new() }
    }

    /// There may be so many cells from now on.
    pub(crate) fn limit(&mut self, most: usize) -> Result<(), Full> {
        self.most = most;
        if self.n_cells > most { Err(Full) } else { Ok(()) }
    }

    fn room(&self) -> usize {
        self.most.saturating_sub(self.n_cells)
    }

    /// The cell that a pointer points to.
    #[inline]
    pub(crate) fn locate(&self, layouts: &Layouts, region: RegionId, pointer: i128) -> Result<Spot, Misuse> {
        let (number, offset) = split(pointer);
        let position = (number as u64).wrapping_sub(1) as usize;
        if let Some(object) = self.objects.get(position)
            && object.is_alive
            && let Some(at) = layouts.index(object, region, offset)
        {
            return Ok(Spot { object: position, at });
        }
        Err(self.misuse(number))
    }

    /// What is wrong with an access to this object.
    #[cold]
    fn misuse(&self, number: i64) -> Misuse {
        match number {
            0 => Misuse::Null,
            ..0 => Misuse::Uninitialised,
            _ if self.objects.get(number as usize - 1).is_some_and(|object| !object.is_alive) => {
                Misuse::Freed
            }
            _ => Misuse::Bounds,
        }
    }

    /// What a cell holds, if anything was stored there.
    #[inline]
    pub(crate) fn read(&self, spot: Spot) -> Option<Held> {
        self.objects[spot.object].cells.read(spot.at)
    }

    /// A cell holds something from now on.
    #[inline]
    pub(crate) fn write(&mut self, spot: Spot, held: Held) -> Result<(), Full> {
        self.version += 1;
        let room = self.room();
        let more = self.objects[spot.object].cells.write(spot.at, held, room)?;
        self.n_cells += more;
        self.n_grown += more as u64;
        Ok(())
    }

    /// The cell that a pointer points to, if something may be stored there.
    #[inline]
    pub(crate) fn locate_store(
        &self,
        layouts: &Layouts,
        region: RegionId,
        pointer: i128,
    ) -> Result<Spot, Misuse> {
        let spot = self.locate(layouts, region, pointer)?;
        if self.objects[spot.object].is_constant { Err(Misuse::Constant) } else { Ok(spot) }
    }

    fn forget(&mut self, spot: Spot) -> Result<(), Full> {
        let room = self.room();
        self.n_cells += self.objects[spot.object].cells.forget(spot.at, room)?;
        Ok(())
    }

    /// An object with uninitialised cells is there.
    fn begin_at(&mut self, layouts: &Layouts, position: usize) -> Result<(), Trouble> {
        self.end_at(position);
        let (room, has_unknowns) = (self.room(), self.has_unknowns);
        let object = &mut self.objects[position];
        let cells = Cells::new(layouts.n_cells(object), false, has_unknowns);
        if cells.n_made() > room {
            return Err(Trouble::Full);
        }
        self.n_cells += cells.n_made();
        object.is_alive = true;
        object.cells = cells;
        Ok(())
    }

    fn end_at(&mut self, position: usize) {
        self.version += 1;
        self.n_cells -= self.objects[position].end();
    }

    /// A local object begins.
    pub(crate) fn begin(&mut self, layouts: &Layouts, position: usize) -> Result<(), Trouble> {
        self.begin_at(layouts, position)
    }

    /// A local object ends.
    pub(crate) fn end(&mut self, position: usize) {
        self.end_at(position);
    }

    /// The function that so many others wait for returns: the objects in its frame end.
    pub(crate) fn leave(&mut self, depth: usize) {
        while let Some(&(of, position)) = self.frames.last()
            && of >= depth
        {
            self.frames.pop();
            self.end_at(position);
        }
    }

    /// A new object; its number.
    pub(crate) fn allocate(&mut self, layouts: &Layouts, wanted: Wanted) -> Result<i64, Trouble> {
        let count = size(wanted.count)?;
        let position = self.objects.len();
        self.objects.push(Object {
            class: wanted.class,
            count,
            is_alive: false,
            is_constant: false,
            storage: Some(wanted.storage),
            site: Some(wanted.site),
            cells: Cells::default(),
        });
        self.begin_at(layouts, position)?;
        if wanted.is_zeroed {
            self.objects[position].cells.zero();
        }
        if wanted.storage == Storage::Frame {
            self.frames.push((wanted.depth, position));
        }
        Ok(position as i64 + 1)
    }

    /// A new object with the cells of another, which ends; its number.
    pub(crate) fn reallocate(
        &mut self,
        layouts: &Layouts,
        pointer: i128,
        wanted: Wanted,
    ) -> Result<i64, Trouble> {
        let old = self.releasable(pointer, Storage::Heap)?;
        let new = self.allocate(layouts, wanted)?;
        let Some(old) = old else { return Ok(new) };
        let count = (wanted.count as u64).min(self.objects[old].count);
        if self.objects[old].class == wanted.class {
            for (field, before) in &layouts.classes[wanted.class.index()] {
                let (n, position) = (field.n_cells(), new as usize - 1);
                let starts = [old, position].map(|object| (before * self.objects[object].count) as usize);
                for cell in 0..(count * n) as usize {
                    if let Some(held) = self.read(Spot { object: old, at: starts[0] + cell }) {
                        self.write(Spot { object: position, at: starts[1] + cell }, held)?;
                    }
                }
            }
        }
        self.end_at(old);
        Ok(new)
    }

    /// An object ends.
    pub(crate) fn release(&mut self, pointer: i128, storage: Storage) -> Result<(), Misuse> {
        if let Some(position) = self.releasable(pointer, storage)? {
            self.end_at(position);
        }
        Ok(())
    }

    fn releasable(&self, pointer: i128, storage: Storage) -> Result<Option<usize>, Misuse> {
        if pointer == 0 {
            return Ok(None);
        }
        let (number, offset) = split(pointer);
        if number < 0 {
            return Err(Misuse::Uninitialised);
        }
        let position = (number as u64).wrapping_sub(1) as usize;
        match self.objects.get(position) {
            Some(object) if object.storage != Some(storage) => Err(Misuse::BadFree),
            Some(object) if !object.is_alive => Err(Misuse::DoubleFree),
            Some(_) if offset == 0 => Ok(Some(position)),
            _ => Err(Misuse::BadFree),
        }
    }

    /// A number of elements, if there may be so many.
    fn within_limits(&self, count: i128) -> Result<i128, Trouble> {
        let count = size(count)?;
        if count > self.most as u64 { Err(Trouble::Full) } else { Ok(count.into()) }
    }

    /// All cells of so many elements hold a value.
    pub(crate) fn fill(
        &mut self,
        layouts: &Layouts,
        class: ClassId,
        (pointer, count): (i128, i128),
        held: Held,
    ) -> Result<u64, Trouble> {
        let mut spots = Vec::new();
        for n in 0..self.within_limits(count)? {
            layouts.element(class, pointer, n, &mut |region, pointer| {
                spots.push(self.locate_store(layouts, region, pointer)?);
                Ok(())
            })?;
        }
        for spot in &spots {
            self.write(*spot, held)?;
        }
        Ok(spots.len() as u64)
    }

    /// All cells of so many elements that are to be copied.
    pub(crate) fn copied(
        &self,
        layouts: &Layouts,
        class: ClassId,
        (to, from): (i128, i128),
        count: i128,
    ) -> Result<Vec<Copied>, Trouble> {
        let mut spots = Vec::new();
        for n in 0..self.within_limits(count)? {
            let mut sources = Vec::new();
            layouts.element(class, from, n, &mut |_, pointer| {
                sources.push(pointer);
                Ok(())
            })?;
            let mut sources = sources.into_iter();
            layouts.element(class, to, n, &mut |region, pointer| {
                let to = self.locate_store(layouts, region, pointer)?;
                let from = self.locate(layouts, region, sources.next().expect("both have as many cells"))?;
                spots.push(Copied { region, to, from, held: self.read(from) });
                Ok(())
            })?;
        }
        Ok(spots)
    }

    /// Cells are as others were.
    pub(crate) fn copy(&mut self, copied: &[Copied]) -> Result<(), Full> {
        for Copied { to, held, .. } in copied {
            match held {
                Some(held) => self.write(*to, *held)?,
                None => self.forget(*to)?,
            }
        }
        self.version += 1;
        Ok(())
    }

    /// Where the first object on the heap was allocated that is still there.
    pub(crate) fn unfreed(&self) -> Option<(FunctionId, EdgeId)> {
        self.objects.iter().find(|object| object.is_heap()).and_then(|object| object.site)
    }

    /// Where the first object on the heap was allocated that is still there, and that no pointer leads to.
    pub(crate) fn lost(
        &self,
        layouts: &Layouts,
        roots: impl Iterator<Item = i128>,
    ) -> Option<(FunctionId, EdgeId)> {
        let mut is_found = vec![false; self.objects.len()];
        let lasting =
            (0..self.objects.len()).filter(|&n| self.objects[n].is_alive && !self.objects[n].is_heap());
        let named = |pointer: i128| usize::try_from(split(pointer).0.wrapping_sub(1)).ok();
        let mut pending: Vec<usize> = lasting.chain(roots.filter_map(named)).collect();
        while let Some(position) = pending.pop() {
            let Some(object) = self.objects.get(position).filter(|object| object.is_alive) else { continue };
            if std::mem::replace(&mut is_found[position], true) {
                continue;
            }
            for (field, before) in &layouts.classes[object.class.index()] {
                if !layouts.is_pointer[field.region.index()] {
                    continue;
                }
                let start = (before * object.count) as usize;
                let end = start + (field.n_cells() * object.count) as usize;
                pending.extend(object.cells.numbers(start, end).filter_map(named));
            }
        }
        let mut objects = self.objects.iter().zip(&is_found);
        objects.find(|(object, is_found)| object.is_heap() && !**is_found).and_then(|(object, _)| object.site)
    }
}

impl Object {
    fn is_heap(&self) -> bool {
        self.is_alive && self.storage == Some(Storage::Heap)
    }
}

impl Layouts {
    /// The cells of an element of a class, so many behind the one that a pointer points to.
    fn element(
        &self,
        class: ClassId,
        pointer: i128,
        n: i128,
        tell: &mut dyn FnMut(RegionId, i128) -> Result<(), Misuse>,
    ) -> Result<(), Misuse> {
        let (object, offset) = split(pointer);
        for (field, _) in &self.classes[class.index()] {
            let start = i128::from(field.start) + (i128::from(offset) + n) * i128::from(field.stride);
            for position in 0..field.n_cells() {
                let (mut rest, mut within) = (position, 0);
                for dimension in field.dimensions.iter().rev() {
                    within += rest % dimension.count * dimension.stride;
                    rest /= dimension.count;
                }
                let Ok(offset) = i64::try_from(start + i128::from(within)) else {
                    return Err(Misuse::Bounds);
                };
                tell(field.region, crate::memory::pack(object, offset))?;
            }
        }
        Ok(())
    }
}

/// The object and the offset of a pointer.
#[inline]
fn split(pointer: i128) -> (i64, i64) {
    let offset = pointer as i64;
    ((pointer.wrapping_sub(offset.into()) >> 64) as i64, offset)
}

fn size(count: i128) -> Result<u64, Misuse> {
    if (0..=MOST).contains(&count) { Ok(count as u64) } else { Err(Misuse::Size) }
}

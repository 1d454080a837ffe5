//! The states of many runs that are at the same place: variables and objects, and which runs these are.

use crate::order::Rounds;
use crate::terms::{Bool, Int, NO, Terms, YES};
use crate::value::{Beyond, Value};
use integers::memory::{ClassId, Lifetime, Memory, RegionId, Storage};
use integers::{EdgeId, FunctionId, NodeId, Place, Program, Start};
use std::collections::BTreeMap;
use std::rc::Rc;

/// One activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// Where it is.
    pub node: NodeId,
    /// In which rounds.
    pub place: Rounds,
    /// The call that it waits for.
    pub calling: Option<EdgeId>,
    /// Its variables.
    pub locals: Vec<Value>,
    /// The objects that were allocated in it.
    pub objects: Vec<i64>,
}

/// What a cell holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// In runs in which something was stored in it.
    pub value: Value,
    /// Which runs these are.
    pub is_stored: Bool,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it is made of.
    pub class: ClassId,
    /// How many elements it has.
    pub count: Int,
    /// Where it was allocated; a static object is nowhere.
    pub storage: Option<Storage>,
    /// The edge that allocated it.
    pub site: Option<(FunctionId, EdgeId)>,
    /// The runs in which it is there.
    pub is_alive: Bool,
    /// Cells that are not mentioned hold 0; otherwise nothing was stored in them.
    pub is_zeroed: bool,
    /// Nothing may be stored in it.
    pub is_constant: bool,
    /// What cells hold.
    pub cells: BTreeMap<(RegionId, i64), Cell>,
}

impl Object {
    /// What a cell holds.
    pub fn cell(&self, terms: &mut Terms, region: RegionId, offset: i64) -> Cell {
        self.cells.get(&(region, offset)).cloned().unwrap_or_else(|| {
            let value = Value::Number(terms.constant(0));
            Cell { value, is_stored: if self.is_zeroed { YES } else { NO } }
        })
    }
}

/// Runs at a place.
#[derive(Clone, Debug)]
pub struct State {
    /// Which runs.
    pub path: Bool,
    /// The global variables.
    pub globals: Vec<Value>,
    /// The activations, the running one last.
    pub frames: Vec<Frame>,
    /// The objects by their numbers; one that is not mentioned has not been allocated.
    pub objects: BTreeMap<i64, Rc<Object>>,
}

impl State {
    /// Where all runs start.
    pub fn start(terms: &mut Terms, program: &Program, frame: Frame) -> Self {
        let globals = program.globals.iter().map(|global| match global.start {
            Start::Unknown(_) => Value::Unknown,
            start => Value::constant(terms, start.number().expect("it is known")),
        });
        let globals = globals.collect();
        let objects = (1..).zip(&program.memory.objects).map(|(number, object)| {
            let is_static = object.lifetime == Lifetime::Static;
            let cells = object.cells.iter().map(|(region, offset, initial)| {
                let number = match initial {
                    integers::memory::Initial::Number(number) => *number,
                    integers::memory::Initial::Pointer(object, offset) => {
                        integers::memory::first(*object) + i128::from(*offset)
                    }
                };
                ((*region, *offset), Cell { value: Value::constant(terms, number), is_stored: YES })
            });
            let cells = cells.collect();
            let count = terms.constant(object.count.into());
            let is_alive = if is_static { YES } else { NO };
            let object = Object {
                class: object.class,
                count,
                storage: None,
                site: None,
                is_alive,
                is_zeroed: is_static,
                is_constant: object.is_constant,
                cells,
            };
            (number, Rc::new(object))
        });
        let objects = objects.collect();
        Self { path: YES, globals, frames: vec![frame], objects }
    }

    /// The running function.
    pub fn running(&self) -> &Frame {
        self.frames.last().expect("somebody is running")
    }

    /// The same, to be changed.
    pub fn running_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("somebody is running")
    }

    /// A variable holds something from now on.
    pub fn store(&mut self, place: Place, value: Value) {
        match place {
            Place::Global(n) => self.globals[n as usize] = value,
            Place::Local(n) => self.running_mut().locals[n as usize] = value,
        }
    }

    /// The place of these runs in the unrolled program.
    pub fn place(&self) -> Rounds {
        self.frames.iter().flat_map(|frame| frame.place.iter().copied()).collect()
    }

    /// An object, to be changed.
    pub fn object_mut(&mut self, number: i64) -> &mut Object {
        Rc::make_mut(self.objects.get_mut(&number).expect("it has been allocated"))
    }

    /// An object ends.
    pub fn end(&mut self, number: i64) {
        if self.objects.contains_key(&number) {
            let object = self.object_mut(number);
            object.is_alive = NO;
            object.cells.clear();
        }
    }

    /// The objects end that belong to an activation of a function.
    pub fn leave(&mut self, memory: &Memory, frame: &Frame) {
        for (number, object) in (1..).zip(&memory.objects) {
            if object.lifetime == Lifetime::Local(frame.function) {
                self.end(number);
            }
        }
        frame.objects.iter().for_each(|object| self.end(*object));
    }

    /// These runs and others that are at the same place.
    pub fn join(self, terms: &mut Terms, other: State) -> Result<State, Beyond> {
        let condition = terms.parted(self.path, other.path).map_or(self.path, |(_, condition)| condition);
        let path = terms.or(self.path, other.path);
        let mut join = |one: &[Value], two: &[Value]| {
            let pairs = one.iter().zip(two);
            pairs.map(|(one, two)| Value::choose(terms, condition, one, two)).collect::<Result<Vec<_>, _>>()
        };
        let globals = join(&self.globals, &other.globals)?;
        let mut frames = Vec::with_capacity(self.frames.len());
        for (one, two) in self.frames.into_iter().zip(other.frames) {
            let locals = join(&one.locals, &two.locals)?;
            let mut objects = one.objects;
            objects.extend(
                two.objects.into_iter().filter(|object| !objects.contains(object)).collect::<Vec<_>>(),
            );
            frames.push(Frame { locals, objects, ..one });
        }
        let mut objects = self.objects;
        // What others have not allocated is not there in their runs.
        let only: Vec<i64> =
            objects.keys().filter(|number| !other.objects.contains_key(number)).copied().collect();
        for number in only {
            let object = Rc::make_mut(objects.get_mut(&number).expect("it is there"));
            object.is_alive = terms.and(condition, object.is_alive);
        }
        for (number, two) in other.objects {
            let joined = match objects.get(&number) {
                Some(one) if Rc::ptr_eq(one, &two) => continue,
                Some(one) => joined(terms, condition, one, &two)?,
                None => {
                    let other = terms.not(condition);
                    let is_alive = terms.and(other, two.is_alive);
                    Object { is_alive, ..(*two).clone() }
                }
            };
            objects.insert(number, Rc::new(joined));
        }
        Ok(State { path, globals, frames, objects })
    }
}

/// An object in runs for which a condition holds, and in others.
fn joined(terms: &mut Terms, condition: Bool, one: &Object, two: &Object) -> Result<Object, Beyond> {
    let is_alive = terms.either(condition, one.is_alive, two.is_alive);
    let count = terms.choose(condition, one.count, two.count);
    let mut keys: Vec<(RegionId, i64)> = one.cells.keys().chain(two.cells.keys()).copied().collect();
    keys.sort_unstable();
    keys.dedup();
    let mut cells = BTreeMap::new();
    for (region, offset) in keys {
        let (first, second) = (one.cell(terms, region, offset), two.cell(terms, region, offset));
        let joined = if first == second { first } else { chosen(terms, condition, first, second)? };
        cells.insert((region, offset), joined);
    }
    Ok(Object { is_alive, count, cells, ..one.clone() })
}

/// What a cell holds in runs for which a condition holds, and in others.
pub fn chosen(terms: &mut Terms, condition: Bool, one: Cell, two: Cell) -> Result<Cell, Beyond> {
    let is_stored = terms.either(condition, one.is_stored, two.is_stored);
    // What a cell holds that nothing was stored in is never looked at.
    let value = match (one.is_stored, two.is_stored) {
        (NO, _) => two.value,
        (_, NO) => one.value,
        _ => Value::choose(terms, condition, &one.value, &two.value)?,
    };
    Ok(Cell { value, is_stored })
}

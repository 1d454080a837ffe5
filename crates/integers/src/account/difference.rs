//! What a part of a run makes different: globals, and objects in memory.
//!
//! Contract: whoever applies the differences of all parts, one after the other, to what is there at first has after each part what the semantics has then, as far as it is told: of an object that
//! changes as a whole the first cells are, and of very many objects and cells that change in steps that are left out some are not. What is not told is not there, rather than wrong.

use crate::evaluate::Value;
use crate::memory::{Memory, RegionId};
use crate::objects::{Object, Touch};
use crate::program::{Action, EdgeId, FunctionId, Place, Program};
use crate::step::Configuration;
use crate::trace::{Event, TraceStep};
use std::collections::{BTreeMap, BTreeSet};

/// So many cells of an object that changes as a whole are told.
pub const TOLD_CELLS: usize = 64;

/// So many cells of an object, and new objects, are told of steps that are left out.
const MOST: usize = 1000;

/// What holds after a part of a run, as far as it is not what held before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Difference {
    /// The globals that were stored.
    pub globals: BTreeMap<u32, Value>,
    /// The objects that changed, by their numbers.
    pub objects: BTreeMap<i64, Became>,
}

/// What became of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Became {
    /// It was not there before.
    pub is_new: bool,
    /// Its cells hold what is told here, and the others are not told; otherwise they hold what they did.
    pub is_whole: bool,
    /// It is there.
    pub is_alive: bool,
    /// What cells hold, by region and offset; nothing in one that is uninitialised.
    pub cells: BTreeMap<(RegionId, i64), Option<Value>>,
}

/// An object with its first cells.
pub fn whole(memory: &Memory, object: &Object) -> Became {
    let class = &memory.classes[object.class.index()];
    let elements = 0..if object.is_alive { object.count } else { 0 };
    let fields = elements.flat_map(|element| class.fields.iter().map(move |field| (element, field)));
    let places = fields.flat_map(|(element, field)| {
        (0..field.n_cells()).map(move |position| (field.region, field.offset(element, position)))
    });
    let cells =
        places.take(TOLD_CELLS).map(|(region, offset)| ((region, offset), object.read(region, offset)));
    Became { is_new: false, is_whole: true, is_alive: object.is_alive, cells: cells.collect() }
}

impl Difference {
    /// This one, and then another.
    pub fn then(&mut self, next: Difference) {
        self.globals.extend(next.globals);
        for (number, became) in next.objects {
            let is_known = self.objects.contains_key(&number);
            if !is_known && became.is_new && self.objects.len() >= MOST {
                continue;
            }
            let Became { is_new, is_whole, is_alive, cells } = became;
            let own = self.objects.entry(number).or_insert_with(|| Became {
                is_new,
                is_whole,
                is_alive,
                cells: BTreeMap::new(),
            });
            own.is_alive = is_alive;
            if is_whole {
                own.is_whole = true;
                own.cells.clear();
            }
            own.cells.extend(cells);
            if own.cells.len() > MOST {
                own.is_whole = true;
                own.cells = std::mem::take(&mut own.cells).into_iter().take(TOLD_CELLS).collect();
            }
            if own.is_new && !is_alive {
                self.objects.remove(&number);
            }
        }
    }
}

/// What has changed since the last part that was told.
#[derive(Default)]
pub struct Pending {
    globals: BTreeSet<u32>,
    /// The cells; nothing if the object changed as a whole.
    objects: BTreeMap<i64, Option<BTreeSet<(RegionId, i64)>>>,
    /// The objects with larger numbers are new.
    n_known: i64,
}

impl Pending {
    /// Before the first step.
    pub fn new(start: &Configuration) -> Self {
        Self { n_known: start.objects.iter().count() as i64, ..Self::default() }
    }

    /// Takes a step.
    pub fn tell(&mut self, step: &TraceStep, touched: Vec<Touch>) {
        self.globals.extend(step.stored.iter().filter_map(|(place, _)| match place {
            Place::Global(n) => Some(*n),
            Place::Local(_) => None,
        }));
        for Touch { number, cell } in touched {
            let cells = self.objects.entry(number).or_insert_with(|| Some(BTreeSet::new()));
            match (cells.as_mut(), cell) {
                (Some(cells), Some(cell)) => drop(cells.insert(cell)),
                _ => *cells = None,
            }
        }
    }

    /// What is different by now.
    pub fn take(&mut self, memory: &Memory, now: &Configuration) -> Difference {
        let globals = std::mem::take(&mut self.globals);
        let objects = std::mem::take(&mut self.objects);
        let became = |(number, cells): (i64, Option<BTreeSet<(RegionId, i64)>>)| {
            let object = now.objects.get(number)?;
            let mut became = match cells {
                None => whole(memory, object),
                Some(cells) => {
                    let read = |(region, offset)| ((region, offset), object.read(region, offset));
                    let cells = cells.into_iter().map(read).collect();
                    Became { is_new: false, is_whole: false, is_alive: object.is_alive, cells }
                }
            };
            became.is_new = number > self.n_known;
            Some((number, became))
        };
        let objects = objects.into_iter().filter_map(became).collect();
        self.n_known = now.objects.iter().count() as i64;
        Difference { globals: globals.into_iter().map(|n| (n, now.globals[n as usize])).collect(), objects }
    }
}

/// An activation of a function: what is told of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The function.
    pub function: FunctionId,
    /// The edge that it took last.
    pub edge: Option<EdgeId>,
    /// What was stored in its variables.
    pub locals: BTreeMap<u32, Value>,
}

/// The activations, the running one last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stack(pub Vec<Standing>);

impl Stack {
    /// That of a run that has not begun.
    pub fn new(program: &Program) -> Self {
        Self(vec![Standing { function: program.main, edge: None, locals: BTreeMap::new() }])
    }

    /// A step that is told, or the return of a call of which nothing else is.
    pub fn follow(&mut self, program: &Program, step: &TraceStep) {
        match step.event {
            Event::Returned => drop(self.0.pop()),
            Event::Taken(id) => {
                let Some(top) = self.0.last_mut() else { return };
                top.edge = Some(id);
                if let Action::Call { callee, .. } = program.function(step.function).edge(id).action {
                    self.0.push(Standing { function: callee, edge: None, locals: BTreeMap::new() });
                }
            }
        }
        let Some(top) = self.0.last_mut() else { return };
        top.locals.extend(step.stored.iter().filter_map(|(place, value)| match place {
            Place::Local(n) => Some((*n, *value)),
            Place::Global(_) => None,
        }));
    }
}

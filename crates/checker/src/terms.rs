//! Tuples in terms of the program: a state is a function, a line and the values of variables, and functions, variables and threads have their
//! names.
//!
//! A state says nothing of variables that do not matter at its place, and of those that may have any value.

use crate::reasons::Tell;
use calculus::listing::Row;
use calculus::system::{BinderId, RelationId, System, VarId};
use encode::Slot;
use rsm::{ModuleId, NodeId, Place, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Columns, Relevance, Shown};
use std::fmt;
use std::rc::Rc;
use symbolic::Point;
use templates::{Templates, Vocabulary};

/// A part of a tuple that is told as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell {
    /// Any value.
    Any,
    /// A value of a sort.
    Value(String),
    /// A state, or the values of globals.
    State(Situation),
}

/// Where a state is, and what variables are worth.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Situation {
    /// The place, if it is known; the values of globals have none.
    pub place: Option<Spot>,
    /// The place as it is told.
    pub at: String,
    /// It is the entry of a function, before its first step.
    is_entry: bool,
    /// Variables and their values.
    pub values: Vec<(String, String)>,
}

/// A place in the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The function.
    pub function: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl fmt::Display for Cell {
    /// `*`, `gate`, or `main, line 7: x = T`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::Value(value) => f.write_str(value),
            Self::State(Situation { at, values, .. }) => {
                let values: Vec<String> =
                    values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                match (at.is_empty(), values.is_empty()) {
                    (true, true) => f.write_str("*"),
                    (true, false) => write!(f, "{}", values.join(", ")),
                    (false, true) => f.write_str(at),
                    (false, false) => write!(f, "{at}: {}", values.join(", ")),
                }
            }
        }
    }
}

impl Cell {
    fn mark_entry(&mut self) {
        if let Self::State(Situation { at, is_entry: true, .. }) = self {
            at.push_str(" (entry)");
        }
    }
}

/// What a part of a parameter stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    State,
    Shared,
    Private,
    Module,
    Variable,
    Thread,
    Plain,
}

/// Some leaves of a parameter that are told as one.
struct Part {
    name: String,
    kind: Kind,
    leaves: Vec<VarId>,
}

/// A variable, or a result, and where its bits are among the columns of a part.
struct Shape {
    name: String,
    ty: Type,
    bits: Vec<usize>,
}

/// Knows the formula, the program and its text.
pub(crate) struct Terms<'a> {
    pub system: &'a System,
    pub templates: &'a Templates<'a>,
    pub words: &'a Vocabulary,
    pub sources: &'a base::Sources,
}

impl Tell for Terms<'_> {
    fn system(&self) -> &System {
        self.system
    }

    /// `Safe(main, line 7: x = T; lock)`.
    fn tuple(&self, relation: RelationId, tuple: &[u32]) -> String {
        let row: Row = tuple.iter().map(|value| Some(*value)).collect();
        let cells: Vec<String> = self.row(relation, &row).iter().map(Cell::to_string).collect();
        format!("{}({})", self.system.relation(relation).name, cells.join("; "))
    }

    /// Values of variables of a clause, told binder by binder.
    fn valuation(&self, values: &[(VarId, u32)]) -> Vec<(String, Cell)> {
        let mut binders: Vec<BinderId> = Vec::new();
        for (var, _) in values {
            let binder = self.system.vars[var.index()].binder;
            // The user has no name for what stands for a formula in an argument.
            let is_internal = self.system.binders[binder.index()].name.starts_with('$');
            if !is_internal && !binders.contains(&binder) {
                binders.push(binder);
            }
        }
        let value = |leaf: &VarId| values.iter().find(|known| known.0 == *leaf).map(|known| known.1);
        let told = |part: Part| {
            let values: Row = part.leaves.iter().map(value).collect();
            let is_known = values.iter().any(Option::is_some);
            is_known.then(|| (part.name.clone(), self.cell(&part, &values)))
        };
        binders.into_iter().flat_map(|binder| self.parts(binder)).filter_map(told).collect()
    }

    fn is_given(&self, relation: RelationId) -> bool {
        self.words.of_relation(relation).is_some()
    }
}

impl Terms<'_> {
    /// The cells of a row.
    pub fn row(&self, relation: RelationId, row: &[Option<u32>]) -> Vec<Cell> {
        let mut rest = row;
        let parts = self.parts_of(relation);
        let cell = |part: Part| self.cell(&part, rest.split_off(..part.leaves.len()).unwrap_or_default());
        parts.into_iter().map(cell).collect()
    }

    /// The cells of rows. Those that would look alike say where they are at the entry of a function.
    pub fn rows(&self, relation: RelationId, rows: &[Row]) -> Vec<Vec<Cell>> {
        let mut told: Vec<Vec<Cell>> = rows.iter().map(|row| self.row(relation, row)).collect();
        let mut numbers: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (n, row) in told.iter().enumerate() {
            let text: Vec<String> = row.iter().map(Cell::to_string).collect();
            numbers.entry(text.join("  ")).or_default().push(n);
        }
        for n in numbers.into_values().filter(|alike| alike.len() > 1).flatten() {
            told[n].iter_mut().for_each(Cell::mark_entry);
        }
        told
    }

    /// The names of the columns of a table of a relation.
    pub fn head(&self, relation: RelationId) -> Vec<String> {
        self.parts_of(relation).into_iter().map(|part| part.name).collect()
    }

    /// How a list of a relation takes the columns from a position on.
    pub fn columns(&self, relation: RelationId, from: usize, row: &[Option<u32>]) -> Vec<Columns> {
        let alone = |at: usize| Columns { at: vec![at], shown: Shown::Value };
        let each = |at: usize| Columns { at: vec![at], shown: Shown::Each };
        let mut first = 0;
        for part in self.parts_of(relation) {
            let end = first + part.leaves.len();
            if from >= end {
                first = end;
                continue;
            }
            let shapes = match part.kind {
                // What the bits of a state are depends on where it is.
                Kind::State if from < first + 2 => return vec![each(from)],
                Kind::State => match (row[first], row[first + 1]) {
                    (Some(module), Some(counter)) => self.shapes(module, counter),
                    _ => return vec![alone(from)],
                },
                Kind::Shared | Kind::Private if from == first => self.globals(part.kind),
                _ => return vec![alone(from)],
            };
            let shown = shapes.into_iter().map(|shape| Columns {
                at: shape.bits.iter().map(|bit| first + bit).collect(),
                shown: Shown::UpTo(shape.ty.max()),
            });
            let shown: Vec<Columns> = shown.collect();
            let is_told = |at: &usize| shown.iter().any(|columns| columns.at.contains(at));
            let others: Vec<usize> = (from..end).filter(|at| !is_told(at)).collect();
            let others =
                Some(Columns { at: others, shown: Shown::Not }).filter(|others| !others.at.is_empty());
            return others.into_iter().chain(shown).collect();
        }
        Vec::new()
    }

    /// What matters of values that are chosen: of a state its place, and the variables that matter there.
    pub fn relevance(&self) -> Relevance {
        let binders = (0..self.system.binders.len()).map(BinderId::new);
        let states = binders.flat_map(|binder| self.parts(binder)).filter(|part| part.kind == Kind::State);
        let first: FxHashSet<VarId> = states.map(|part| part.leaves[0]).collect();
        let n_bits = (self.templates.slots.n_locals + self.templates.slots.n_globals) as usize;
        let mut told: FxHashMap<(u32, u32), Vec<Vec<usize>>> = FxHashMap::default();
        for module in self.templates.modules() {
            for (counter, _) in self.templates.counters(module) {
                let shapes = self.shapes(module.0, counter).into_iter();
                told.insert((module.0, counter), shapes.map(|shape| shape.bits).collect());
            }
        }
        Rc::new(move |vars, at, row| {
            let each = |at: Vec<usize>| Columns { at, shown: Shown::Each };
            let is_whole = |at: usize| {
                let last = vars.get(at + 1 + n_bits).map(|last| last.index());
                first.contains(&vars[at]) && last == Some(vars[at].index() + 1 + n_bits)
            };
            let place = |at: usize| Some((is_whole(at), row[at]?, row[at + 1]?));
            // The bits of a state stand behind its place.
            match at.checked_sub(2).and_then(place) {
                Some((true, module, counter)) => {
                    let state = at - 2;
                    let shown = told.get(&(module, counter)).into_iter().flatten();
                    let shown: Vec<Columns> =
                        shown.map(|bits| each(bits.iter().map(|bit| state + bit).collect())).collect();
                    let is_told = |at: &usize| shown.iter().any(|columns| columns.at.contains(at));
                    let others: Vec<usize> = (at..at + n_bits).filter(|at| !is_told(at)).collect();
                    let others = Columns { at: others, shown: Shown::Not };
                    std::iter::once(others).filter(|others| !others.at.is_empty()).chain(shown).collect()
                }
                _ => vec![each(vec![at])],
            }
        })
    }

    fn parts_of(&self, relation: RelationId) -> Vec<Part> {
        self.system.relation(relation).params.iter().flat_map(|binder| self.parts(*binder)).collect()
    }

    /// The parts of a parameter or a quantified name: states that it contains, and everything else by itself.
    fn parts(&self, binder: BinderId) -> Vec<Part> {
        let of = &self.system.binders[binder.index()];
        let slots = &self.templates.slots;
        let n_bits = slots.n_locals as usize + slots.n_globals as usize;
        let base = of.type_name.split('[').next().unwrap_or_default();
        let (mut rest, mut parts) = (&of.leaves[..], Vec::new());
        while let Some(first) = rest.first() {
            let path = &self.system.vars[first.index()].path;
            let (kind, width, suffix) = match (self.system.sort_of(*first).name.as_str(), base) {
                ("Module", _) if path.ends_with(".mod") && rest.len() >= 2 + n_bits => {
                    (Kind::State, 2 + n_bits, ".mod".to_owned())
                }
                (_, "Global") => (Kind::Shared, slots.shared.len(), format!(".g{}", slots.shared[0])),
                (_, "Private") if self.templates.threads.is_some() => {
                    (Kind::Private, slots.private.len(), format!(".g{}", slots.private[0]))
                }
                ("Module", _) => (Kind::Module, 1, String::new()),
                ("Variable", _) if self.templates.has_variables() => (Kind::Variable, 1, String::new()),
                ("Thread" | "Turn", _) if self.templates.threads.is_some() => {
                    (Kind::Thread, 1, String::new())
                }
                _ => (Kind::Plain, 1, String::new()),
            };
            let name = format!("{}{}", of.name, path.strip_suffix(&suffix).unwrap_or(path));
            let leaves = rest.split_off(..width.clamp(1, rest.len())).unwrap_or_default();
            parts.push(Part { name, kind, leaves: leaves.to_vec() });
        }
        parts
    }

    fn cell(&self, part: &Part, values: &[Option<u32>]) -> Cell {
        let known = |of: &dyn Fn(u32) -> String| match values[0] {
            Some(value) => Cell::Value(of(value)),
            None => Cell::Any,
        };
        match part.kind {
            Kind::State => Cell::State(self.state(part, values)),
            Kind::Shared | Kind::Private => {
                let values = told(&self.globals(part.kind), values);
                Cell::State(Situation { values, ..Situation::default() })
            }
            Kind::Module => known(&|value| self.function(value)),
            Kind::Variable => known(&|value| self.templates.variable_name(value)),
            Kind::Thread => {
                known(&|value| self.templates.thread_name(value).unwrap_or_else(|| value.to_string()))
            }
            Kind::Plain => known(&|value| self.system.sort_of(part.leaves[0]).value_name(value)),
        }
    }

    fn function(&self, module: u32) -> String {
        self.templates
            .rsm
            .modules
            .get(module as usize)
            .map_or_else(|| module.to_string(), |of| of.name.clone())
    }

    fn state(&self, part: &Part, values: &[Option<u32>]) -> Situation {
        let (module, counter) = match (values[0], values[1]) {
            (Some(module), Some(counter)) => (module, counter),
            (module, _) => {
                let function = module.map_or_else(|| "anywhere".to_owned(), |module| self.function(module));
                return Situation { at: function, values: self.raw(part, values), ..Situation::default() };
            }
        };
        let function = self.function(module);
        let node = self.templates.node(ModuleId(module), counter);
        let Some(node) = node else {
            let at = format!("{function}, no point {counter}");
            return Situation { at, values: self.raw(part, values), ..Situation::default() };
        };
        let (line, column) = self.line_column(ModuleId(module), node);
        let at = format!("{function}, {}", self.place(ModuleId(module), counter, node));
        let values = told(&self.shapes(module, counter), values);
        Situation { place: Some(Spot { function, line, column }), at, is_entry: counter == 0, values }
    }

    /// `line 7`, or `line 7:3` if the line has other points; with `(exit)` or `(after line 6)` where that is not enough.
    fn place(&self, module: ModuleId, counter: u32, node: NodeId) -> String {
        let (line, column) = self.line_column(module, node);
        let others = self.templates.counters(module).filter(|other| other.0 != counter);
        let others: Vec<(usize, usize)> = others
            .map(|(_, other)| self.line_column(module, other))
            .filter(|place| place.0 == line)
            .collect();
        let place = match others.iter().any(|place| place.1 != column) {
            true => format!("line {line}:{column}"),
            false => format!("line {line}"),
        };
        let body = self.templates.rsm.module(module);
        match self.templates.points.point(module, counter) {
            Some(Point::After(call)) => {
                format!("{place} (after line {})", self.sources.line_column(body.edge(call).span).0)
            }
            Some(Point::Node(node)) if node == body.exit && others.contains(&(line, column)) => {
                format!("{place} (exit)")
            }
            _ => place,
        }
    }

    fn line_column(&self, module: ModuleId, node: NodeId) -> (usize, usize) {
        self.sources.line_column(self.templates.rsm.module(module).node(node).span)
    }

    /// Bits by the names that the formula has for them, where nobody knows which variables they are.
    fn raw(&self, part: &Part, values: &[Option<u32>]) -> Vec<(String, String)> {
        let bits = part.leaves.iter().zip(values).skip(2);
        let known = bits.filter_map(|(leaf, value)| Some((leaf, (*value)?)));
        let name = |leaf: &VarId| {
            let path = &self.system.vars[leaf.index()].path;
            path.rsplit('.').take(2).collect::<Vec<&str>>().into_iter().rev().collect::<Vec<&str>>().join(".")
        };
        known.map(|(leaf, value)| (name(leaf), self.system.sort_of(*leaf).value_name(value))).collect()
    }

    /// The variables that matter at a point of the program, and the results at an exit.
    fn shapes(&self, module: u32, counter: u32) -> Vec<Shape> {
        let (templates, m) = (self.templates, ModuleId(module));
        let Some(node) = templates.rsm.modules.get(module as usize).and_then(|_| templates.node(m, counter))
        else {
            return Vec::new();
        };
        let body = templates.rsm.module(m);
        let is_exit = node == body.exit && templates.points.point(m, counter) != Some(Point::Entry);
        let places: Vec<Place> = match counter {
            0 => templates.given(m).collect(),
            _ => templates.tracked(m, node).collect(),
        };
        let places = places.into_iter().filter(|place| !is_exit || matches!(place, Place::Global(_)));
        let mut shapes: Vec<Shape> = places
            .map(|place| {
                let variable = templates.rsm.variable(m, place);
                self.shape(m, Slot::Place(place), variable.name.clone(), variable.ty.clone())
            })
            .collect();
        if is_exit {
            let name = |n: usize| match body.results.len() {
                1 => "result".to_owned(),
                _ => format!("result {}", n + 1),
            };
            let results = body.results.iter().enumerate();
            shapes.extend(results.map(|(n, ty)| self.shape(m, Slot::Result(n as u32), name(n), ty.clone())));
        }
        shapes.retain(|shape| !shape.bits.is_empty() && !shape.name.starts_with('$'));
        shapes
    }

    /// The globals that are shared, or those that are not.
    fn globals(&self, kind: Kind) -> Vec<Shape> {
        let slots = &self.templates.slots;
        let own = if kind == Kind::Shared { &slots.shared } else { &slots.private };
        let globals = self.templates.rsm.globals.iter().zip(&slots.globals);
        let shape = |(variable, bits): (&rsm::Variable, &symbolic::SlotBits)| {
            let bits: Option<Vec<usize>> = bits.iter().map(|slot| own.binary_search(slot).ok()).collect();
            let bits = bits.filter(|bits| !bits.is_empty() && !variable.name.starts_with('$'))?;
            Some(Shape { name: variable.name.clone(), ty: variable.ty.clone(), bits })
        };
        globals.filter_map(shape).collect()
    }

    /// Where the bits of a variable or a result are among the columns of a state.
    fn shape(&self, module: ModuleId, slot: Slot, name: String, ty: Type) -> Shape {
        let slots = &self.templates.slots;
        let bits = slots.bits(module, slot);
        let bits = bits.iter().map(|bit| match slot {
            Slot::Place(Place::Global(_)) => {
                let at = slots.private.iter().chain(&slots.shared).position(|slot| slot == bit);
                2 + slots.n_locals as usize + at.expect("each global slot is private or shared")
            }
            _ => 2 + *bit as usize,
        });
        Shape { name, ty, bits: bits.collect() }
    }
}

/// The values of those variables all of whose bits are known.
fn told(shapes: &[Shape], values: &[Option<u32>]) -> Vec<(String, String)> {
    let value = |shape: &Shape| {
        let bits = shape.bits.iter().enumerate();
        let value = bits.map(|(n, at)| Some(u64::from(values[*at]?) << n)).sum::<Option<u64>>()?;
        Some((shape.name.clone(), shape.ty.value_name(value.min(shape.ty.max()))))
    };
    shapes.iter().filter_map(value).collect()
}

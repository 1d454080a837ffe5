//! Memory as variables, for proofs: of each region one arbitrary cell is followed, and nothing is known of the others.
//!
//! For each cell that is followed there is a ghost `a$k`, the number of its element, which is unknown and never changes, and a variable `a[a$k]`, what it holds. Other regions may be followed at the
//! same number: `b[a$k]`.
//!
//! ```text
//! a[i] = v      a[a$k]' = (a$k == i) ? v : a[a$k]
//! x = a[i]      x = (a$k == i) ? a[a$k] : unknown
//! target        reached only with a$k == i, if the last step loads a[i] to decide that it is taken, and this load is watched
//! ```
//!
//! # Why that is sound
//! Take a run of the program that misuses no memory and reaches a target, and choose `a$k` as the index of the watched load in its last step. (Loads of that step at two different indices are
//! watched by two cells; of a load for which there is no cell nothing is asked.) The result has the same run: `a[a$k]` holds what the cell holds, by induction over the stores; a load at another index is
//! unknown, so it may be what it was; what the result asks beside is true of every run: loads of a step at the same index
//! give the same, a pointer that is in memory is null, wild or the number of something that has been allocated, one that is followed is neither of the first two, an unsigned number is one of its type, and `a$k` is the index of the watched load by choice. Pointers are numbers of elements (`numbers`), which keep apart what
//! is different. A local array that begins anew, or what is allocated, holds anything (pointers: null, since nobody may read them).
//! So *no run reaches a target* and *every run ends* carry over to runs that misuse no memory. The converse does not: the result has runs that are none of the program. It is not to be executed.
//!
//! Before, calls are replaced by what is called and straight lines are joined, so that a load and what is decided by it are in one step.

mod counted;
mod manage;
mod numbers;
mod prepare;
mod steps;

use crate::expr::{Expr, Op, Relation};
use crate::memory::{Content, Initial, Lifetime, Manage, ObjectId, RegionId};
use crate::number::Type;
use crate::program::{
    Action, Edge, EdgeId, FunctionId, Global, Node, NodeId, Place, Program, Role, Start, Step, Unknown,
    UnknownId, Variable,
};
pub(crate) use counted::{Pointed, counted as counted_classes};
use numbers::{Numbers, stride};
use prepare::prepared;
use rustc_hash::FxHashMap;

/// Which cells are followed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// The regions, each once; of others nothing is known.
    pub tracked: Vec<Tracked>,
}

/// Cells of a region that are followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tracked {
    /// The region.
    pub region: RegionId,
    /// How many cells.
    pub n_cells: usize,
    /// Its cells are those of another region, which goes before it: the elements of the same numbers.
    pub at: Option<RegionId>,
    /// The edges into targets whose loads of this region are watched: positions in the program that [`lines`] shows. The first index of a load that decides whether the edge is taken is watched by
    /// the first cell, and so on; regions that have the same cells watch together.
    pub watched: Vec<(FunctionId, EdgeId)>,
}

/// More cells of a region are not followed.
pub const MOST_CELLS: usize = 3;

/// The program whose edges a [`Choice`] names: calls are replaced, straight lines joined.
pub fn lines(program: &Program) -> Program {
    prepared(program)
}

impl Choice {
    /// All loads that decide whether a target is reached are watched, and all regions that are loaded from are followed at the elements where these loads are. Of elements elsewhere nothing is to be
    /// known: a claim would hold for those that no run uses as well. So where nothing is watched nothing is followed.
    pub fn natural(program: &Program) -> Self {
        if !has_memory(program) {
            return Self::default();
        }
        let lines = prepared(program);
        if !has_memory(&lines) {
            return Self::default();
        }
        let numbers = Numbers::new(&lines);
        let edges = || lines.functions.iter().flat_map(|function| &function.edges);
        let is_loaded = |region: &RegionId| {
            edges().any(|edge| match &edge.action {
                Action::Step(step) => step.exprs().any(|expr| expr.code().contains(&Op::Load(*region))),
                // What is copied elsewhere is read.
                Action::Manage(Manage::Copy { class, .. }) => {
                    stride(&lines.memory.classes[class.index()], *region).is_some()
                }
                _ => false,
            })
        };
        let regions = (0..lines.memory.regions.len()).map(RegionId::new);
        let loaded: Vec<(RegionId, i128)> =
            regions.filter(is_loaded).map(|region| (region, origin(&lines, &numbers, region))).collect();
        let n_cells = edges().map(|edge| match &edge.action {
            Action::Step(step) => steps::indices(&numbers, &step.guard, &loaded).len(),
            _ => 0,
        });
        let is_watched = |region: RegionId| !watchable(&lines, region).is_empty();
        let n_cells = n_cells.max().unwrap_or(0).min(MOST_CELLS);
        if !loaded.iter().any(|(region, _)| is_watched(*region)) {
            return Self::default();
        }
        let track = |(n, (region, _)): (usize, &(RegionId, i128))| {
            let at = (n > 0).then_some(loaded[0].0);
            Tracked { region: *region, n_cells, at, watched: watchable(&lines, *region) }
        };
        Self { tracked: loaded.iter().enumerate().map(track).collect() }
    }
}

/// The names of regions, each another one: letters, digits, `_` and dots.
pub fn region_names(program: &Program) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for region in &program.memory.regions {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let parts = region.name.split(|c| !is_part(c)).filter(|part| !part.is_empty());
        let mut name = parts.collect::<Vec<&str>>().join(".");
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            name.insert(0, '_');
        }
        let plain = name.clone();
        for n in 2.. {
            if !names.contains(&name) {
                break;
            }
            name = format!("{plain}.{n}");
        }
        names.push(name);
    }
    names
}

/// The edges into targets of the program that [`lines`] shows whose loads of a region can be watched.
pub fn watchable(lines: &Program, region: RegionId) -> Vec<(FunctionId, EdgeId)> {
    let mut found = Vec::new();
    for (n, function) in lines.functions.iter().enumerate() {
        for (at, edge) in function.edges.iter().enumerate() {
            let Action::Step(step) = &edge.action else { continue };
            let is_target = matches!(function.node(edge.to).role, Role::Target(_));
            if is_target && step.guard.code().contains(&Op::Load(region)) {
                found.push((FunctionId::new(n), EdgeId::new(at)));
            }
        }
    }
    found
}

/// A cell that is followed.
#[derive(Clone, Copy)]
struct Cell {
    /// The number of its element, less the origin.
    index: Place,
    /// What it holds.
    content: Place,
}

/// A region, as the result sees it.
struct Seen {
    /// The region whose cells have the same numbers, which may be itself.
    leader: RegionId,
    cells: Vec<Cell>,
    /// Elements are counted from here: where the only array begins.
    origin: i128,
    watched: Vec<(FunctionId, EdgeId)>,
    /// What is not known of it.
    unknown: UnknownId,
}

/// A program under construction.
struct Maker<'a> {
    /// The program with memory.
    lines: &'a Program,
    numbers: Numbers,
    seen: Vec<Seen>,
    /// Pointers in memory are null or numbers of what has been allocated.
    pointers_are_known: bool,
}

/// Makes variables of memory. A program without memory stays as it is.
pub fn cells(program: &Program, choice: &Choice) -> Program {
    if !has_memory(program) {
        return program.clone();
    }
    let lines = prepared(program);
    if !has_memory(&lines) {
        return lines;
    }
    let mut result = lines.clone();
    let mut numbers = Numbers::new(&lines);
    counters(&mut result, &mut numbers);
    let begins = !is_called(&lines);
    let seen = declare(&lines, &mut result, &numbers, choice, begins);
    let pointers_are_known = begins && !stores_unknown_pointers(&lines);
    let maker = Maker { lines: &lines, numbers, seen, pointers_are_known };
    for (n, function) in result.functions.iter_mut().enumerate() {
        let id = FunctionId::new(n);
        for local in &mut function.locals {
            local.ty = plain(local.ty);
        }
        for (at, edge) in function.edges.iter_mut().enumerate() {
            let is_target = matches!(function.nodes[edge.to.index()].role, Role::Target(_));
            let watching = is_target.then_some((id, EdgeId::new(at)));
            edge.action = match &edge.action {
                Action::Step(step) => Action::Step(maker.step(step, watching)),
                Action::Manage(manage) => Action::Step(maker.manage(manage)),
                Action::Call { callee, args, result } => {
                    let args = args.iter().map(|arg| maker.numbers.numbered(arg)).collect();
                    Action::Call { callee: *callee, args, result: *result }
                }
            };
        }
    }
    for global in &mut result.globals {
        if global.variable.ty == Type::POINTER
            && let Some(number) = global.start.number()
        {
            let pointer = maker.numbers.pointer(&lines.memory, number, None);
            global.start = Start::Number(pointer.expect("pointers that are there at first have numbers"));
        }
        global.variable.ty = plain(global.variable.ty);
    }
    if begins {
        maker.begin(&mut result);
    }
    result.memory = crate::memory::Memory::default();
    result
}

/// Whether there is anything that is not a variable, or a pointer.
pub fn has_memory(program: &Program) -> bool {
    program.uses_memory() || !program.memory.objects.is_empty() || !program.memory.regions.is_empty()
}

/// Whether `main` is called, so that it is not known when the program begins.
fn is_called(program: &Program) -> bool {
    let calls = |edge: &Edge| matches!(edge.action, Action::Call { callee, .. } if callee == program.main);
    program.functions.iter().flat_map(|function| &function.edges).any(calls)
}

/// Whether there are pointers that nobody knows.
fn stores_unknown_pointers(program: &Program) -> bool {
    let is_open = |value: &Expr| value.code().iter().any(|op| matches!(op, Op::Unknown(_) | Op::Input(_)));
    let is_pointer = |id: FunctionId, place: Place| program.variable(id, place).ty == Type::POINTER;
    let holds_pointers =
        |region: RegionId| matches!(program.memory.regions[region.index()].content, Content::Pointer(_));
    let in_step = |id: FunctionId, step: &Step| {
        let mut variables = step.updates.iter().filter(|(place, _)| is_pointer(id, *place));
        let mut cells = step.stores.iter().filter(|(region, ..)| holds_pointers(*region));
        variables.any(|(_, value)| is_open(value)) || cells.any(|(.., value)| is_open(value))
    };
    let at_first = program
        .globals
        .iter()
        .any(|global| global.variable.ty == Type::POINTER && matches!(global.start, Start::Unknown(_)));
    at_first
        || program.functions.iter().enumerate().any(|(n, function)| {
            function.edges.iter().any(|edge| match &edge.action {
                Action::Step(step) => in_step(FunctionId::new(n), step),
                _ => false,
            })
        })
}

/// Pointers are numbers like others now.
fn plain(ty: Type) -> Type {
    if ty == Type::POINTER { Type::signed(64) } else { ty }
}

/// The counters of what is allocated.
fn counters(result: &mut Program, numbers: &mut Numbers) {
    let span = result.function(result.main).span;
    let mut n_counters = 0;
    for group in numbers.groups_mut().iter_mut().filter(|group| group.grows) {
        n_counters += 1;
        let name = if n_counters == 1 { "$next".to_owned() } else { format!("$next{n_counters}") };
        group.counter = Some(Place::Global(result.globals.len() as u32));
        let variable = Variable { name, ty: Type::signed(64), span };
        result.globals.push(Global { variable, start: Start::Number(group.end) });
    }
}

/// The variables of the cells.
fn declare(
    lines: &Program,
    result: &mut Program,
    numbers: &Numbers,
    choice: &Choice,
    begins: bool,
) -> Vec<Seen> {
    let mut seen = Vec::new();
    // The numbers of cells, by the region that they are called after.
    let mut indices: FxHashMap<(RegionId, usize), Place> = FxHashMap::default();
    let names = region_names(lines);
    for (n, region) in lines.memory.regions.iter().enumerate() {
        let id = RegionId::new(n);
        let unknown = UnknownId::new(result.unknowns.len());
        let construct = format!("an element of `{}`", region.name);
        result.unknowns.push(Unknown { construct, span: region.span });
        let tracked = choice.tracked.iter().find(|tracked| tracked.region == id);
        let n_cells = tracked.map_or(0, |tracked| tracked.n_cells);
        let leader = tracked.and_then(|tracked| tracked.at).unwrap_or(id);
        let mut variable = |name: String, ty: Type, start: Start| {
            let variable = Variable { name, ty, span: region.span };
            result.globals.push(Global { variable, start });
            Place::Global(result.globals.len() as u32 - 1)
        };
        let start = match region.content {
            Content::Integer(_) => Start::Unknown(unknown),
            Content::Pointer(_) | Content::Function if begins => Start::Number(0),
            Content::Pointer(_) | Content::Function => Start::Unknown(unknown),
        };
        let cells = (0..n_cells).map(|at| {
            let mark = if at == 0 { "$k".to_owned() } else { format!("$k{}", at + 1) };
            let number = format!("{}{mark}", names[leader.index()]);
            let index = match indices.get(&(leader, at)) {
                Some(index) => *index,
                None => variable(number.clone(), Type::signed(64), Start::Unknown(unknown)),
            };
            indices.insert((leader, at), index);
            let content = variable(format!("{}[{number}]", names[n]), plain(region.content.ty()), start);
            Cell { index, content }
        });
        let cells = cells.collect();
        let watched = tracked.map(|tracked| tracked.watched.clone()).unwrap_or_default();
        seen.push(Seen { leader, cells, origin: origin(lines, numbers, id), watched, unknown });
    }
    seen
}

/// Where the elements of a region begin, if there is one object only.
fn origin(lines: &Program, numbers: &Numbers, region: RegionId) -> i128 {
    let memory = &lines.memory;
    let with = |n: &usize| stride(&memory.classes[memory.objects[*n].class.index()], region).is_some();
    let objects: Vec<usize> = (0..memory.objects.len()).filter(with).collect();
    match objects[..] {
        [only] => {
            let class = memory.objects[only].class;
            let by = stride(&memory.classes[class.index()], region).unwrap_or(1);
            let first = Expr::constant(numbers.first(ObjectId::new(only)));
            let first = numbers.part(first, by, 0).as_constant();
            first.filter(|_| numbers.is_static(class)).unwrap_or(0)
        }
        _ => 0,
    }
}

impl Maker<'_> {
    /// Whether a cell is the element of an index.
    fn is_at(&self, region: RegionId, cell: Cell, index: &Expr) -> Expr {
        let index = less(index, self.seen[region.index()].origin);
        Expr::read(cell.index).compare(Relation::Equal, index)
    }

    /// Whether a cell is one of those from one index up to another.
    fn is_between(&self, region: RegionId, cell: Cell, from: &Expr, to: &Expr) -> Expr {
        let origin = self.seen[region.index()].origin;
        let low = Expr::read(cell.index).compare(Relation::GreaterEqual, less(from, origin));
        low.and(Expr::read(cell.index).compare(Relation::Less, less(to, origin)))
    }

    /// What cells hold at first is stored when the program begins.
    fn begin(&self, result: &mut Program) {
        let mut step = Step::new(Expr::truth(true), Vec::new());
        for (n, seen) in self.seen.iter().enumerate() {
            for cell in &seen.cells {
                self.begin_cell(RegionId::new(n), *cell, &mut step);
            }
        }
        if step.updates.is_empty() {
            return;
        }
        let function = &mut result.functions[result.main.index()];
        let span = function.span;
        let (from, to) = (NodeId::new(function.nodes.len()), function.entry);
        function.nodes.push(Node { role: Role::Plain, span });
        function.entry = from;
        function.edges.push(Edge { from, to, action: Action::Step(step), span });
        function.sort_edges();
    }

    /// What a cell holds at first, if that is not what its variable holds anyway.
    fn begin_cell(&self, region: RegionId, cell: Cell, step: &mut Step) {
        let memory = &self.lines.memory;
        let seen = &self.seen[region.index()];
        let unknown = match memory.regions[region.index()].content {
            Content::Integer(_) => Expr::leaf(Op::Unknown(step.unknowns.len() as u32)),
            Content::Pointer(_) | Content::Function => Expr::constant(0),
        };
        let mut value = unknown.clone();
        let mut is_known = false;
        for (n, object) in memory.objects.iter().enumerate() {
            let class = &memory.classes[object.class.index()];
            let Some(by) = stride(class, region).filter(|_| object.lifetime == Lifetime::Static) else {
                continue;
            };
            is_known = true;
            let first = Expr::constant(self.numbers.first(ObjectId::new(n)));
            let from = self.numbers.part(first, by, 0);
            let size = i128::from(object.count) * i128::from(by);
            let to = from.clone().binary(Op::Add, Expr::constant(size));
            let within = self.is_between(region, cell, &from, &to);
            let told: Vec<(i64, Initial)> = object
                .cells
                .iter()
                .filter(|(other, ..)| *other == region)
                .map(|(_, offset, initial)| (*offset, *initial))
                .collect();
            let inside = match self.told(region, cell, &from, &told) {
                Some(inside) => inside,
                None => unknown.clone(),
            };
            value = Expr::choose(within, inside, value);
        }
        if is_known {
            step.unknowns.push(seen.unknown);
            step.updates.push((cell.content, value));
        }
    }

    /// What cells of an object hold at first, unless there are too many.
    fn told(&self, region: RegionId, cell: Cell, from: &Expr, told: &[(i64, Initial)]) -> Option<Expr> {
        if told.len() > MOST_TOLD {
            return None;
        }
        let mut value = Expr::constant(0);
        for (offset, initial) in told.iter().rev() {
            let number = match initial {
                Initial::Number(number) => *number,
                Initial::Pointer(object, offset) => {
                    let packed = crate::memory::first(*object) + i128::from(*offset);
                    self.numbers.pointer(&self.lines.memory, packed, Some(region))?
                }
            };
            let at = from.clone().binary(Op::Add, Expr::constant((*offset).into()));
            let is_here = self.is_at(region, cell, &at);
            value = Expr::choose(is_here, Expr::constant(number), value);
        }
        Some(value)
    }
}

/// So many cells of an object that do not hold 0 at first are told.
const MOST_TOLD: usize = 32;

/// An index, counted from somewhere else.
fn less(index: &Expr, origin: i128) -> Expr {
    if origin == 0 {
        return index.clone();
    }
    let shifted = |constant: i128, rest: Expr| match constant - origin {
        0 => rest,
        left => Expr::constant(left).binary(Op::Add, rest),
    };
    match (index.root(), &index.operands()[..]) {
        (Op::Add, [left, right]) if left.as_constant().is_some() => {
            shifted(left.as_constant().unwrap_or_default(), right.clone())
        }
        (Op::Add, [left, right]) if right.as_constant().is_some() => {
            shifted(right.as_constant().unwrap_or_default(), left.clone())
        }
        _ => index.clone().binary(Op::Subtract, Expr::constant(origin)),
    }
}

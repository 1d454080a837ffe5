//! For pointers that a program counts with, where the object begins that they point to, and how many elements it has: two variables beside each variable that holds one.
//!
//! Contract: the same runs; the two variables follow the pointer wherever it is stored in a variable. Of a pointer that comes out of memory, or out of a function that is not part of its caller, they hold
//! something unknown. A pointer that points to nothing has no elements.

use crate::expr::{Expr, Op};
use crate::memory::{self, Manage, ObjectId, WILD};
use crate::number::Type;
use crate::program::{
    Action, Edge, Function, FunctionId, Global, Node, NodeId, Place, Program, Role, Start, Step, Unknown,
    UnknownId, Variable,
};
use rustc_hash::FxHashMap;

/// The object that a pointer points into.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    /// A pointer to its first element.
    pub(super) base: Expr,
    /// How many elements it has.
    pub(super) size: Expr,
}

/// The variables beside pointers: where the object begins, and its size.
#[derive(Default)]
pub(super) struct Bases {
    of: FxHashMap<(Option<FunctionId>, Place), (Place, Place)>,
    counts: Vec<u64>,
}

fn key(id: FunctionId, place: Place) -> (Option<FunctionId>, Place) {
    match place {
        Place::Global(_) => (None, place),
        Place::Local(_) => (Some(id), place),
    }
}

impl Bases {
    /// What is known of the object that a pointer points into.
    pub(super) fn extent(&self, id: FunctionId, pointer: &Expr) -> Option<Extent> {
        let operands = pointer.operands();
        match pointer.root() {
            Op::Read(place) => {
                let (base, size) = self.of.get(&key(id, place))?;
                Some(Extent { base: Expr::read(*base), size: Expr::read(*size) })
            }
            Op::Object(object) => {
                let count = self.counts[object.index()];
                Some(Extent { base: pointer.clone(), size: Expr::constant(count.into()) })
            }
            Op::Constant(0 | WILD) => Some(Extent { base: pointer.clone(), size: Expr::constant(0) }),
            Op::Add | Op::Subtract | Op::Initialised | Op::Member(1, 0) => self.extent(id, &operands[0]),
            Op::Choose => {
                let (one, other) = (self.extent(id, &operands[1])?, self.extent(id, &operands[2])?);
                let either = |one, other| Expr::choose(operands[0].clone(), one, other);
                Some(Extent { base: either(one.base, other.base), size: either(one.size, other.size) })
            }
            _ => None,
        }
    }
}

/// Adds the variables beside the pointers for which this holds.
pub(super) fn based(program: &mut Program, is_wanted: &dyn Fn(FunctionId, Place) -> bool) -> Bases {
    let counts = program.memory.objects.iter().map(|object| object.count).collect();
    let mut bases = Bases { counts, ..Bases::default() };
    let is_pointer = |variable: &Variable| variable.ty == Type::POINTER;
    for n in 0..program.globals.len() {
        let variable = program.globals[n].variable.clone();
        let place = Place::Global(n as u32);
        if is_pointer(&variable) && is_wanted(program.main, place) {
            let first = program.globals.len() as u32;
            let starts = starts(program, program.globals[n].start);
            let both = beside(&variable).into_iter().zip(starts);
            program.globals.extend(both.map(|(variable, start)| Global { variable, start }));
            bases.of.insert((None, place), (Place::Global(first), Place::Global(first + 1)));
        }
    }
    for (n, function) in program.functions.iter_mut().enumerate() {
        let id = FunctionId::new(n);
        for local in 0..function.locals.len() {
            let variable = function.locals[local].clone();
            let place = Place::Local(local as u32);
            if is_pointer(&variable) && is_wanted(id, place) {
                let first = function.locals.len() as u32;
                function.locals.extend(beside(&variable));
                bases.of.insert((Some(id), place), (Place::Local(first), Place::Local(first + 1)));
            }
        }
    }
    if bases.of.is_empty() {
        return bases;
    }
    let unknown = UnknownId::new(program.unknowns.len());
    let span = program.function(program.main).span;
    program.unknowns.push(Unknown { construct: "the object that a pointer points to".to_owned(), span });
    for (n, function) in program.functions.iter_mut().enumerate() {
        follow(&bases, FunctionId::new(n), function, unknown);
    }
    bases
}

/// What the variables beside a global pointer hold at first.
fn starts(program: &Program, start: Start) -> [Start; 2] {
    let object = start.number().and_then(|number| usize::try_from(memory::unpack(number).0 - 1).ok());
    match object.and_then(|n| Some((n, program.memory.objects.get(n)?))) {
        Some((n, object)) => {
            [Start::Number(memory::first(ObjectId::new(n))), Start::Number(object.count.into())]
        }
        None => [Start::Number(0), Start::Number(0)],
    }
}

/// The variables beside a pointer.
fn beside(pointer: &Variable) -> [Variable; 2] {
    let name = |what: &str| format!("{}${what}", pointer.name);
    let of = |what: &str, ty: Type| Variable { name: name(what), ty, span: pointer.span };
    [of("base", Type::POINTER), of("size", Type::signed(64))]
}

/// Stores in the variables whatever is stored in their pointers.
fn follow(bases: &Bases, id: FunctionId, function: &mut Function, unknown: UnknownId) {
    let of = |place: &Place| bases.of.get(&key(id, *place)).copied();
    for n in 0..function.edges.len() {
        match &mut function.edges[n].action {
            Action::Step(step) => {
                let pointers: Vec<_> = step
                    .updates
                    .iter()
                    .filter_map(|(place, value)| Some((of(place)?, bases.extent(id, value))))
                    .collect();
                pointers.into_iter().for_each(|(places, extent)| tell(step, places, extent, unknown));
                step.updates.sort_by_key(|(place, _)| *place);
            }
            Action::Manage(
                Manage::Allocate { result, count, .. } | Manage::Reallocate { result, count, .. },
            ) => {
                if let Some(places) = of(result) {
                    let extent = Extent { base: Expr::read(*result), size: count.clone() };
                    let mut step = Step::new(Expr::truth(true), Vec::new());
                    tell(&mut step, places, Some(extent), unknown);
                    behind(function, n, step);
                }
            }
            Action::Call { result: Some(result), .. } => {
                if let Some(places) = of(result) {
                    let mut step = Step::new(Expr::truth(true), Vec::new());
                    tell(&mut step, places, None, unknown);
                    behind(function, n, step);
                }
            }
            Action::Manage(_) | Action::Call { .. } => {}
        }
    }
    function.sort_edges();
}

/// Stores an object in the variables beside a pointer; something unknown, if it is not known.
fn tell(step: &mut Step, (base, size): (Place, Place), extent: Option<Extent>, unknown: UnknownId) {
    let mut anything = || {
        step.unknowns.push(unknown);
        Expr::leaf(Op::Unknown(step.unknowns.len() as u32 - 1))
    };
    let Extent { base: first, size: count } =
        extent.unwrap_or_else(|| Extent { base: anything(), size: anything() });
    step.updates.push((base, first));
    step.updates.push((size, count));
}

/// A step behind an edge.
pub(super) fn behind(function: &mut Function, at: usize, step: Step) {
    let Edge { to, span, .. } = function.edges[at];
    let middle = NodeId::new(function.nodes.len());
    function.nodes.push(Node { role: Role::Plain, span });
    function.edges[at].to = middle;
    function.edges.push(Edge { from: middle, to, action: Action::Step(step), span });
}

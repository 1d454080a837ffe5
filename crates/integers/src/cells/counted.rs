//! Which pointers a program counts with: those that something is added to.
//!
//! Only these can be outside their objects. What variables point to is found by following assignments until nothing changes.

use crate::expr::{Expr, Op};
use crate::memory::{ClassId, Content};
use crate::number::Type;
use crate::program::{Action, FunctionId, Place, Program, Start};
use rustc_hash::FxHashMap;

/// What a number may point to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing: it is a number, or null.
    Nothing,
    /// Elements of a class.
    Class(ClassId),
    /// Who knows.
    Anything,
}

impl Kind {
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Kind::Nothing, kind) | (kind, Kind::Nothing) => kind,
            (one, other) if one == other => one,
            _ => Kind::Anything,
        }
    }
}

/// What variables point to; globals belong to no function.
type Kinds = FxHashMap<(Option<FunctionId>, Place), Kind>;

fn key(id: FunctionId, place: Place) -> (Option<FunctionId>, Place) {
    match place {
        Place::Global(_) => (None, place),
        Place::Local(_) => (Some(id), place),
    }
}

/// What the pointers of a program may point to.
pub(crate) struct Pointed(Kinds);

impl Pointed {
    /// Follows the assignments of a program.
    pub(crate) fn new(program: &Program) -> Self {
        Self(followed(program))
    }

    /// Whether a variable may point to an element of a class for which this holds.
    pub(crate) fn may_be(&self, id: FunctionId, place: Place, holds: impl Fn(ClassId) -> bool) -> bool {
        match self.0.get(&key(id, place)) {
            None | Some(Kind::Nothing) => false,
            Some(Kind::Class(class)) => holds(*class),
            Some(Kind::Anything) => true,
        }
    }

    /// The class of what an expression points to, if it is known.
    pub(crate) fn class(&self, program: &Program, id: FunctionId, expr: &Expr) -> Option<ClassId> {
        match kind(program, &self.0, id, expr, &mut |_| {}) {
            Kind::Class(class) => Some(class),
            Kind::Nothing | Kind::Anything => None,
        }
    }
}

/// Follows all assignments.
fn followed(program: &Program) -> Kinds {
    let mut kinds = Kinds::default();
    for (n, global) in (0..).zip(&program.globals) {
        let is_pointer = global.variable.ty == Type::POINTER && global.start != Start::Number(0);
        if is_pointer {
            kinds.insert((None, Place::Global(n)), Kind::Anything);
        }
    }
    while assigned(program, &mut kinds) {}
    kinds
}

/// The classes whose pointers are added to; all of them, where that is not known.
pub(crate) fn counted(program: &Program) -> Vec<ClassId> {
    let kinds = followed(program);
    let mut counted = Vec::new();
    let mut is_known = true;
    each_expr(program, |id, expr| {
        kind(program, &kinds, id, expr, &mut |kind| match kind {
            Kind::Nothing => {}
            Kind::Class(class) => counted.push(class),
            Kind::Anything => is_known = false,
        });
    });
    if is_known { counted } else { (0..program.memory.classes.len()).map(ClassId::new).collect() }
}

/// Follows all assignments once; whether something is new.
fn assigned(program: &Program, kinds: &mut Kinds) -> bool {
    let mut is_new = false;
    for (n, function) in program.functions.iter().enumerate() {
        let id = FunctionId::new(n);
        for edge in &function.edges {
            let mut found: Vec<((Option<FunctionId>, Place), Kind)> = Vec::new();
            let of = |expr: &Expr| kind(program, kinds, id, expr, &mut |_| {});
            match &edge.action {
                Action::Step(step) => {
                    found.extend(step.updates.iter().map(|(place, value)| (key(id, *place), of(value))));
                }
                Action::Call { callee, args, result } => {
                    let params = (0..).map(|n| (Some(*callee), Place::Local(n)));
                    found.extend(params.zip(args.iter().map(of)));
                    if let (Some(place), Some(returned)) = (result, program.function(*callee).result) {
                        let told = kinds.get(&(Some(*callee), Place::Local(returned)));
                        found.push((key(id, *place), told.copied().unwrap_or(Kind::Nothing)));
                    }
                }
                Action::Manage(manage) => {
                    let class = match manage {
                        crate::memory::Manage::Allocate { class, .. }
                        | crate::memory::Manage::Reallocate { class, .. } => Kind::Class(*class),
                        _ => Kind::Nothing,
                    };
                    found.extend(manage.result().map(|place| (key(id, place), class)));
                }
            }
            for (place, kind) in found {
                let known = kinds.entry(place).or_insert(Kind::Nothing);
                let both = known.or(kind);
                is_new |= both != *known;
                *known = both;
            }
        }
    }
    is_new
}

fn each_expr(program: &Program, mut visit: impl FnMut(FunctionId, &Expr)) {
    for (n, function) in program.functions.iter().enumerate() {
        for edge in &function.edges {
            let exprs: Vec<&Expr> = match &edge.action {
                Action::Step(step) => step.exprs().collect(),
                Action::Call { args, .. } => args.iter().collect(),
                Action::Manage(manage) => manage.exprs(),
            };
            exprs.into_iter().for_each(|expr| visit(FunctionId::new(n), expr));
        }
    }
}

/// What an expression points to; calls `count` with what is added to.
fn kind(program: &Program, kinds: &Kinds, id: FunctionId, expr: &Expr, count: &mut dyn FnMut(Kind)) -> Kind {
    let memory = &program.memory;
    expr.fold(|op, operands: Vec<Kind>| match op {
        Op::Object(object) => Kind::Class(memory.objects[object.index()].class),
        Op::Read(place) => kinds.get(&key(id, place)).copied().unwrap_or(Kind::Nothing),
        Op::Load(region) => match memory.regions[region.index()].content {
            Content::Pointer(class) => Kind::Class(class),
            _ => Kind::Nothing,
        },
        Op::Unknown(_) => Kind::Anything,
        // A part of stride 1 has the number of the whole.
        Op::Member(1, 0) | Op::Initialised => operands[0],
        Op::Choose => operands[1].or(operands[2]),
        Op::Add | Op::Subtract => {
            let both = operands[0].or(operands[1]);
            count(both);
            both
        }
        _ => Kind::Nothing,
    })
}

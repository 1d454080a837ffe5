//! All cells of a program whose objects are static.

use crate::expr::Op;
use crate::memory::{Field, Lifetime, Manage, ObjectId, RegionId};
use crate::program::{Action, FunctionId, Program};

/// A cell of a static object.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) object: ObjectId,
    pub(super) region: RegionId,
    pub(super) offset: i64,
    /// The same offset in parts: which element of the object it is in, how the field lies in elements, and how far from its beginning the cell is.
    pub(super) element: u64,
    pub(super) scale: (u64, u64),
    pub(super) rest: u64,
    /// Much as C writes it: `a.3`, `s.x`.
    pub(super) name: String,
}

/// The cells, and who uses their objects.
pub(super) struct Cells {
    pub(super) all: Vec<Cell>,
    /// For each object the function that it belongs to, if no other names it and no pointer to it is made.
    owners: Vec<Option<FunctionId>>,
}

/// So many cells are made variables at most.
const MOST: usize = 256;

impl Cells {
    /// The cells of a program, if there are few, and none is allocated.
    pub(super) fn of(program: &Program) -> Option<Self> {
        let edges = || program.functions.iter().flat_map(|function| &function.edges);
        let allocates = edges().any(|edge| {
            matches!(edge.action, Action::Manage(Manage::Allocate { .. } | Manage::Reallocate { .. }))
        });
        if allocates {
            return None;
        }
        let all = Self::listed(program, MOST, &|_| true)?;
        let owners = owners(program);
        Some(Self { all, owners })
    }

    /// All cells of static objects in some regions, if there are not more than so many.
    pub(super) fn listed(
        program: &Program,
        most: usize,
        is_wanted: &dyn Fn(RegionId) -> bool,
    ) -> Option<Vec<Cell>> {
        let mut all = Vec::new();
        for (n, object) in program.memory.objects.iter().enumerate() {
            let class = &program.memory.classes[object.class.index()];
            let fields: Vec<&Field> = class.fields.iter().filter(|field| is_wanted(field.region)).collect();
            for element in 0..if fields.is_empty() { 0 } else { object.count } {
                for field in &fields {
                    for (position, offset) in offsets(field, element).into_iter().enumerate() {
                        let mut name = named(&object.name, n);
                        if object.count > 1 {
                            name.push_str(&format!(".{element}"));
                        }
                        name.push_str(&field.path);
                        if !field.dimensions.is_empty() {
                            name.push_str(&format!(".{position}"));
                        }
                        let scale = (field.stride, field.start);
                        let rest = offset as u64 - element * field.stride - field.start;
                        let (object, region) = (ObjectId::new(n), field.region);
                        all.push(Cell { object, region, offset, element, scale, rest, name });
                        if all.len() > most {
                            return None;
                        }
                    }
                }
            }
        }
        Some(all)
    }

    /// The objects.
    pub(super) fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        (0..self.owners.len()).map(ObjectId::new)
    }

    /// The function whose variables the cells of an object can be.
    pub(super) fn owner(&self, object: ObjectId) -> Option<FunctionId> {
        self.owners[object.index()]
    }
}

/// A name that formulas can speak of.
fn named(name: &str, n: usize) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
    if name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(is_plain) {
        return name.to_owned();
    }
    format!("$object{}", n + 1)
}

/// The cells of an element that a field names, in order.
pub(super) fn offsets(field: &Field, element: u64) -> Vec<i64> {
    let mut offsets = vec![field.start + element * field.stride];
    for dimension in &field.dimensions {
        let along = |offset: u64| (0..dimension.count).map(move |n| offset + n * dimension.stride);
        offsets = offsets.into_iter().flat_map(along).collect();
    }
    offsets.into_iter().filter_map(|offset| i64::try_from(offset).ok()).collect()
}

/// A local object whose address is used at once, and only in its own function, can be a local variable.
fn owners(program: &Program) -> Vec<Option<FunctionId>> {
    let lifetime = |object: &crate::memory::Object| match object.lifetime {
        Lifetime::Static => None,
        Lifetime::Local(function) => Some(function),
    };
    let mut owners: Vec<Option<FunctionId>> = program.memory.objects.iter().map(lifetime).collect();
    for (n, function) in program.functions.iter().enumerate() {
        let id = FunctionId::new(n);
        for edge in &function.edges {
            let mut named = Vec::new();
            let mut escaping = Vec::new();
            match &edge.action {
                Action::Step(step) => {
                    escaping.extend(step.updates.iter().map(|(_, value)| value));
                    escaping.extend(step.stores.iter().map(|(.., value)| value));
                    named.push(&step.guard);
                    named.extend(step.stores.iter().map(|(_, pointer, _)| pointer));
                }
                Action::Call { args, .. } => escaping.extend(args),
                Action::Manage(manage) => named.extend(manage.exprs()),
            }
            for expr in named.iter().chain(&escaping) {
                for object in objects(expr) {
                    if owners[object.index()] != Some(id) {
                        owners[object.index()] = None;
                    }
                }
            }
            for expr in escaping {
                loose(expr).into_iter().for_each(|object| owners[object.index()] = None);
            }
        }
    }
    owners
}

fn objects(expr: &crate::expr::Expr) -> Vec<ObjectId> {
    let object = |op: &Op| match op {
        Op::Object(object) => Some(*object),
        _ => None,
    };
    expr.code().iter().filter_map(object).collect()
}

/// The objects whose addresses are part of the value itself, and not just loaded from.
fn loose(expr: &crate::expr::Expr) -> Vec<ObjectId> {
    expr.fold(|op, operands: Vec<Vec<ObjectId>>| match op {
        Op::Object(object) => vec![object],
        Op::Load(_) | Op::Compare(_) | Op::Difference => Vec::new(),
        _ => operands.into_iter().flatten().collect(),
    })
}

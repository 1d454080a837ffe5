//! Pointers as numbers of elements, which proofs understand better than objects and offsets.
//!
//! A class has its own numbers: null is 0, what nothing was stored in is -1, static objects come one behind the other, and what is allocated takes the next numbers from a counter. A pointer to
//! the element behind another is the next number; a part of an element is the number times the stride of the part. So `p->next` of a list is element `p`, and the third node is 3.
//!
//! Contract: two pointers that a run without misuse can compare or follow, and that are different, have different numbers. Classes that share a region share
//! their numbers. Where a part of one class could meet elements of another, all pointers stay what they are for [`crate::memory`], the object and the offset in
//! one number. A pointer may be one element outside its object, not more: C
//! leaves undefined what others are, and so does this; the gap between objects keeps these apart.

use super::counted::counted;
use crate::expr::{Expr, Op};
use crate::memory::{self, Class, ClassId, Content, Initial, Manage, Memory, ObjectId, RegionId, WILD};
use crate::number::Type;
use crate::program::{Action, Place, Program};

/// The numbers of elements.
pub(super) struct Numbers {
    /// The number of the first element of each static object.
    first: Vec<i128>,
    /// For each class, which classes share its numbers.
    group: Vec<usize>,
    groups: Vec<Group>,
    /// Pointers are what they are for [`crate::memory`].
    is_packed: bool,
}

/// Classes that share their numbers.
#[derive(Clone, Default)]
pub(super) struct Group {
    /// The static objects.
    objects: Vec<ObjectId>,
    /// Whether more is allocated.
    pub(super) grows: bool,
    /// How many numbers are left out behind an object.
    gap: i128,
    /// The first number behind all static objects.
    pub(super) end: i128,
    /// Where the next number is kept, if it grows.
    pub(super) counter: Option<Place>,
}

/// Between objects whose pointers are counted with.
const GAP: i128 = 2;

/// The number of pointers that nothing was stored in.
pub(super) const NOWHERE: i128 = -1;

/// From one object to the next, where pointers stay what they are.
const OBJECT: i128 = 1 << 64;

impl Numbers {
    /// Numbers the elements of a program.
    pub(super) fn new(program: &Program) -> Self {
        Self::of_elements(program).unwrap_or_else(|| Self::packed(program))
    }

    /// Numbers of elements, if they keep apart what is different.
    fn of_elements(program: &Program) -> Option<Self> {
        let memory = &program.memory;
        let group = sharing(program)?;
        let mut groups = vec![Group::default(); memory.classes.len()];
        for (n, object) in memory.objects.iter().enumerate() {
            groups[group[object.class.index()]].objects.push(ObjectId::new(n));
        }
        allocated(program, |class, is_single| {
            let group = &mut groups[group[class.index()]];
            group.grows = true;
            if !is_single {
                group.gap = GAP;
            }
        });
        for class in counted(program) {
            groups[group[class.index()]].gap = GAP;
        }
        let mut first = vec![0; memory.objects.len()];
        for group in &mut groups {
            let mut next = group.gap.max(1);
            for object in &group.objects {
                first[object.index()] = next;
                next += i128::from(memory.objects[object.index()].count) + group.gap;
            }
            group.end = next;
        }
        let numbers = Self { first, group, groups, is_packed: false };
        numbers.knows_pointers(program).then_some(numbers)
    }

    /// Objects and offsets.
    fn packed(program: &Program) -> Self {
        let memory = &program.memory;
        let n_objects = memory.objects.len();
        let first: Vec<i128> = (0..n_objects).map(|n| memory::first(ObjectId::new(n))).collect();
        let objects = (0..n_objects).map(ObjectId::new).collect();
        let end = memory::first(ObjectId::new(n_objects));
        let mut group = Group { objects, end, ..Group::default() };
        allocated(program, |_, _| group.grows = true);
        Self { first, group: vec![0; memory.classes.len()], groups: vec![group], is_packed: true }
    }

    /// Every pointer that is there at first has a number.
    fn knows_pointers(&self, program: &Program) -> bool {
        let in_variable = |global: &crate::program::Global| match global.start.number() {
            Some(pointer) if global.variable.ty == Type::POINTER => {
                self.pointer(&program.memory, pointer, None).is_some()
            }
            _ => true,
        };
        let in_memory = |&(region, _, initial): &(RegionId, i64, Initial)| match initial {
            Initial::Number(_) => true,
            Initial::Pointer(object, offset) => {
                let packed = memory::first(object) + i128::from(offset);
                self.pointer(&program.memory, packed, Some(region)).is_some()
            }
        };
        program.globals.iter().all(in_variable)
            && program.memory.objects.iter().all(|object| object.cells.iter().all(in_memory))
    }

    /// The groups, to be given counters.
    pub(super) fn groups_mut(&mut self) -> &mut [Group] {
        &mut self.groups
    }

    /// Whether a class has static objects only.
    pub(super) fn is_static(&self, class: ClassId) -> bool {
        !self.groups[self.group[class.index()]].grows
    }

    /// The number of the first element of a static object.
    pub(super) fn first(&self, object: ObjectId) -> i128 {
        self.first[object.index()]
    }

    /// The counter of a class that objects are allocated of, and the number behind a new object of so many elements.
    pub(super) fn allocate(&self, class: ClassId, count: &Expr) -> (Place, Expr) {
        let group = &self.groups[self.group[class.index()]];
        let counter = group.counter.expect("what is allocated has a counter");
        let size = match (self.is_packed, group.gap) {
            (true, _) => Expr::constant(OBJECT),
            (false, 0) => count.clone(),
            (false, gap) => count.clone().binary(Op::Add, Expr::constant(gap)),
        };
        (counter, Expr::read(counter).binary(Op::Add, size))
    }

    /// The numbers of all pointers to elements of a class are below this term, and not below [`NOWHERE`].
    pub(super) fn limit(&self, memory: &Memory, class: ClassId) -> Option<Expr> {
        if self.is_packed {
            return Some(self.end(&self.groups[0]));
        }
        let field = memory.classes[class.index()].fields.first()?;
        // The objects that have such elements, as such or as parts.
        let mut found: Option<(usize, u64)> = None;
        for (n, owner) in memory.classes.iter().enumerate() {
            let group = &self.groups[self.group[n]];
            let owns = group.grows || !group.objects.is_empty();
            if let Some(whole) = stride(owner, field.region).filter(|_| owns) {
                let scale = (whole % field.stride == 0).then_some(whole / field.stride)?;
                if found.is_some_and(|known| known != (self.group[n], scale)) {
                    return None;
                }
                found = Some((self.group[n], scale));
            }
        }
        let (group, scale) = found?;
        Some(times(self.end(&self.groups[group]), scale.into()))
    }

    /// The first number of a group that is not used yet.
    fn end(&self, group: &Group) -> Expr {
        match group.counter {
            Some(counter) => Expr::read(counter),
            None => Expr::constant(group.end),
        }
    }

    /// The number that a pointer to a static object has, which may be in a region.
    pub(super) fn pointer(&self, memory: &Memory, pointer: i128, from: Option<RegionId>) -> Option<i128> {
        if pointer == 0 {
            return Some(0);
        }
        if pointer == WILD {
            return Some(NOWHERE);
        }
        if self.is_packed {
            return Some(pointer);
        }
        let (object, offset) = memory::unpack(pointer);
        let object = usize::try_from(object - 1).ok().filter(|n| *n < memory.objects.len())?;
        let class = memory.objects[object].class;
        let is_plain = memory.classes[class.index()].fields.iter().all(|field| field.stride == 1);
        let is_whole =
            from.is_some_and(|region| memory.regions[region.index()].content == Content::Pointer(class));
        (is_plain || is_whole).then(|| self.first[object] + i128::from(offset))
    }

    /// The part of an element.
    pub(super) fn part(&self, pointer: Expr, stride: u64, start: u64) -> Expr {
        let by = i128::from(stride);
        let scaled = match by {
            1 => pointer,
            _ if !self.is_packed => times(pointer, by),
            _ => {
                // What is behind the object is multiplied.
                let half = Expr::constant(OBJECT / 2);
                let object = pointer.clone().binary(Op::Add, half).binary(Op::Divide, Expr::constant(OBJECT));
                let whole = object.binary(Op::Multiply, Expr::constant(OBJECT));
                let offset = pointer.binary(Op::Subtract, whole.clone());
                whole.binary(Op::Add, times(offset, by))
            }
        };
        match start {
            0 => scaled,
            start => scaled.binary(Op::Add, Expr::constant(start.into())),
        }
    }

    /// An expression in terms of these numbers; loads are left.
    pub(super) fn numbered(&self, expr: &Expr) -> Expr {
        expr.fold(|op, mut operands: Vec<Expr>| match op {
            Op::Constant(WILD) => Expr::constant(NOWHERE),
            Op::Object(object) => Expr::constant(self.first(object)),
            Op::Member(stride, start) => self.part(operands.swap_remove(0), stride, start),
            Op::Initialised => operands.swap_remove(0),
            Op::Difference => Expr::of(Op::Subtract, &operands),
            _ => Expr::of(op, &operands),
        })
    }
}

/// A product with a number.
pub(super) fn times(number: Expr, by: i128) -> Expr {
    if by == 1 { number } else { number.binary(Op::Multiply, Expr::constant(by)) }
}

/// How far the cells of one element are from those of the next, in a region.
pub(super) fn stride(class: &Class, region: RegionId) -> Option<u64> {
    class.fields.iter().find(|field| field.region == region).map(|field| field.stride)
}

/// For each class the least one that it shares numbers with; nothing, if parts of one could meet elements of another.
fn sharing(program: &Program) -> Option<Vec<usize>> {
    let memory = &program.memory;
    let mut owners: Vec<usize> = memory.objects.iter().map(|object| object.class.index()).collect();
    allocated(program, |class, _| owners.push(class.index()));
    owners.sort_unstable();
    owners.dedup();
    let mut group: Vec<usize> = (0..memory.classes.len()).collect();
    let mut unite = |one: usize, other: usize| {
        let (from, to) = (group[one].max(group[other]), group[one].min(group[other]));
        group.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
    };
    for region in (0..memory.regions.len()).map(RegionId::new) {
        let strides = owners.iter().map(|class| (*class, stride(&memory.classes[*class], region)));
        let sharing: Vec<(usize, u64)> =
            strides.filter_map(|(class, stride)| Some((class, stride?))).collect();
        if sharing.len() > 1 && sharing.iter().any(|(_, stride)| *stride != 1) {
            return None;
        }
        sharing.windows(2).for_each(|pair| unite(pair[0].0, pair[1].0));
    }
    // Of classes without cells nothing is known, not even what meets what.
    let bare: Vec<usize> =
        (0..memory.classes.len()).filter(|n| memory.classes[*n].fields.is_empty()).collect();
    bare.windows(2).for_each(|pair| unite(pair[0], pair[1]));
    Some(group)
}

/// The classes that objects are allocated of, and whether it is a single element each time.
fn allocated(program: &Program, mut visit: impl FnMut(ClassId, bool)) {
    for edge in program.functions.iter().flat_map(|function| &function.edges) {
        match &edge.action {
            Action::Manage(Manage::Allocate { class, count, .. }) => {
                visit(*class, count.as_constant() == Some(1));
            }
            Action::Manage(Manage::Reallocate { class, .. }) => visit(*class, false),
            _ => {}
        }
    }
}

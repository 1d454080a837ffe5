//! What is known of the objects of each class: whether they are allocated one by one, and whether they may end.

use crate::cells::{Pointed, counted_classes};
use crate::expr::Expr;
use crate::memory::{Class, ClassId, Content, Field, Manage, Region, RegionId, Storage};
use crate::number::Type;
use crate::program::{Action, FunctionId, Place, Program};

/// What is known of classes.
pub(super) struct Classes {
    /// Those whose objects are allocated one by one on the heap and nowhere else, each a single element, and whose pointers nobody counts with.
    is_single: Vec<bool>,
    is_allocated: Vec<bool>,
    has_objects: Vec<bool>,
    /// Objects may end before the run does.
    ends: Vec<bool>,
    /// The region that tells what is there.
    told: Vec<Option<RegionId>>,
    /// For each region whose pointers can be judged one by one the region that tells what is there; none, if nothing is released.
    heap: Vec<Option<Option<RegionId>>>,
    pointed: Pointed,
}

impl Classes {
    /// Looks at a program.
    pub(super) fn new(program: &Program) -> Self {
        let n = program.memory.classes.len();
        let (mut is_single, mut is_allocated, mut ends) = (vec![true; n], vec![false; n], vec![false; n]);
        let mut has_objects = vec![false; n];
        for class in counted_classes(program) {
            is_single[class.index()] = false;
        }
        for object in &program.memory.objects {
            is_single[object.class.index()] = false;
            has_objects[object.class.index()] = true;
        }
        let releases = [Storage::Heap, Storage::Frame].map(|storage| {
            manages(program)
                .any(|manage| matches!(manage, Manage::Release { storage: of, .. } if *of == storage))
        });
        for manage in manages(program) {
            match manage {
                Manage::Allocate { class, count, storage, .. } => {
                    is_allocated[class.index()] = true;
                    is_single[class.index()] &= count.as_constant() == Some(1) && *storage == Storage::Heap;
                    ends[class.index()] |= releases[usize::from(*storage == Storage::Frame)];
                }
                Manage::Reallocate { class, .. } => {
                    is_allocated[class.index()] = true;
                    is_single[class.index()] = false;
                    ends[class.index()] = true;
                }
                _ => {}
            }
        }
        for (is_single, class) in is_single.iter_mut().zip(&program.memory.classes) {
            *is_single &= is_plain(class);
        }
        let (told, heap) = (vec![None; n], vec![None; program.memory.regions.len()]);
        let pointed = Pointed::new(program);
        let mut classes = Self { is_single, is_allocated, has_objects, ends, told, heap, pointed };
        classes.judge_one_by_one(program);
        classes
    }

    /// A region is judged by its only owner.
    fn judge_one_by_one(&mut self, program: &Program) {
        for region in (0..self.heap.len()).map(RegionId::new) {
            self.heap[region.index()] = match self.owners(program, region)[..] {
                [only] if self.is_single[only.index()] => Some(self.told[only.index()]),
                _ => None,
            };
        }
    }

    /// Adds the regions that tell what is there; nothing, if that cannot be told of some class.
    pub(super) fn tell(&mut self, program: &mut Program) -> Option<()> {
        for n in 0..program.memory.classes.len() {
            if !self.ends[n] {
                continue;
            }
            if !is_plain(&program.memory.classes[n]) {
                return None;
            }
            let region = RegionId::new(program.memory.regions.len());
            let class = &mut program.memory.classes[n];
            let name = format!("{}.is_there", class.name);
            let span = program.functions[program.main.index()].span;
            let content = Content::Integer(Type::unsigned(1));
            program.memory.regions.push(Region { name, content, uninitialised: None, span });
            let (path, dimensions) = (".is_there".to_owned(), Vec::new());
            class.fields.push(Field { path, region, start: 0, stride: 1, dimensions });
            self.told[n] = Some(region);
        }
        self.heap.resize(program.memory.regions.len(), None);
        self.judge_one_by_one(program);
        Some(())
    }

    /// How pointers to a region are judged that nobody counts with, if that is enough.
    pub(super) fn heap(&self, region: RegionId) -> Option<Option<RegionId>> {
        self.heap.get(region.index()).copied().flatten()
    }

    /// The region that tells which objects of a class are there.
    pub(super) fn told(&self, class: ClassId) -> Option<RegionId> {
        self.told[class.index()]
    }

    /// Whether what is allocated of a class may end before the run.
    pub(super) fn ends(&self, class: ClassId) -> bool {
        self.ends[class.index()]
    }

    /// Whether objects of a class are judged one by one.
    pub(super) fn is_single(&self, class: ClassId) -> bool {
        self.is_single[class.index()]
    }

    /// The class of what a pointer points to.
    pub(super) fn class(&self, program: &Program, id: FunctionId, pointer: &Expr) -> Option<ClassId> {
        self.pointed.class(program, id, pointer)
    }

    /// Whether it has to be known of a pointer where its object begins.
    pub(super) fn needs_base(&self, id: FunctionId, place: Place) -> bool {
        self.pointed.may_be(id, place, |class| !self.is_single[class.index()])
    }

    /// The classes that have objects with cells in a region.
    pub(super) fn owners(&self, program: &Program, region: RegionId) -> Vec<ClassId> {
        let has = |n: &usize| {
            let mut fields = program.memory.classes[*n].fields.iter();
            fields.any(|field| field.region == region) && (self.is_allocated[*n] || self.has_objects[*n])
        };
        (0..program.memory.classes.len()).filter(has).map(ClassId::new).collect()
    }
}

fn manages(program: &Program) -> impl Iterator<Item = &Manage> {
    let edges = program.functions.iter().flat_map(|function| &function.edges);
    edges.filter_map(|edge| match &edge.action {
        Action::Manage(manage) => Some(manage),
        _ => None,
    })
}

/// Whether something is allocated on the heap.
pub(super) fn allocates(program: &Program) -> bool {
    manages(program).any(|manage| {
        matches!(manage, Manage::Allocate { storage: Storage::Heap, .. } | Manage::Reallocate { .. })
    })
}

/// Every field is one cell of each element.
fn is_plain(class: &Class) -> bool {
    let is_plain = |field: &Field| (field.stride, field.start) == (1, 0) && field.dimensions.is_empty();
    class.fields.iter().all(is_plain)
}

/// Whether a pointer to what was allocated in the frame of a function may be left when the function has returned.
pub(super) fn leaves_frames(program: &Program) -> bool {
    let in_globals = program.globals.iter().any(|global| global.variable.ty == Type::POINTER);
    let in_cells = |class: ClassId| {
        let own = &program.memory.classes[class.index()].fields;
        program.memory.regions.iter().any(|region| match region.content {
            Content::Pointer(to) => {
                let fields = &program.memory.classes[to.index()].fields;
                fields.iter().any(|field| own.iter().any(|own| own.region == field.region))
            }
            _ => false,
        })
    };
    program.functions.iter().enumerate().any(|(n, function)| {
        let result = function.result.map(|local| function.locals[local as usize].ty);
        let is_left = |class| in_globals || result == Some(Type::POINTER) || in_cells(class);
        n != program.main.index()
            && function.edges.iter().any(|edge| match &edge.action {
                Action::Manage(Manage::Allocate { class, storage: Storage::Frame, .. }) => is_left(*class),
                _ => false,
            })
    })
}

//! What random programs do with memory: arrays, a constant one, nodes of a list, structures with an array and with a number that others point to, on the heap, in frames, static and
//! local; pointers that are moved, compared, subtracted, lost and misused.

use super::{Body, INT, RELATIONS};
use crate::expr::{Expr, Op, Relation};
use crate::memory::{
    Class, ClassId, Content, Dimension, Field, Initial, Lifetime, Manage, Memory, Object, ObjectId, Region,
    RegionId, Storage, WILD,
};
use crate::number::Type;
use crate::program::{
    Action, FunctionId, Input, InputId, InputKind, NodeId, Place, Program, Role, Step, Variable,
};
use base::{Random, Span};

const NUMBERS: RegionId = RegionId(0);
const VALUE: RegionId = RegionId(1);
const NEXT: RegionId = RegionId(2);
const BUFFER: RegionId = RegionId(3);

const ARRAY: ClassId = ClassId(0);
const NODE: ClassId = ClassId(1);
const PACKET: ClassId = ClassId(2);

/// How far the buffers of packets are from each other; each has three cells.
const STRIDE: u64 = 8;

/// The object that begins and ends in `main`.
const LOCAL: ObjectId = ObjectId(3);

/// The pointers of each function, behind its other variables: two to numbers, two to nodes, one to packets.
const POINTERS: [&str; 5] = ["p", "q", "n", "m", "k"];

/// Memory for a program, and the inputs of uninitialised cells.
pub(super) fn memory(random: &mut Random, program: &mut Program, span: Span) {
    let mut input = |name: &str| {
        program.inputs.push(Input {
            name: name.to_owned(),
            ty: Type::signed(2),
            kind: InputKind::Uninitialised,
            span,
        });
        InputId::new(program.inputs.len() - 1)
    };
    let mut region = |name: &str, content: Content| {
        let uninitialised = matches!(content, Content::Integer(_)).then(|| input(name));
        Region { name: name.to_owned(), content, uninitialised, span }
    };
    let number = Content::Integer(INT);
    let regions = vec![
        region("numbers", number),
        region("node.value", number),
        region("node.next", Content::Pointer(NODE)),
        region("packet.buffer", number),
    ];
    let field = |path: &str, region, stride, dimensions| Field {
        path: path.to_owned(),
        region,
        start: 0,
        stride,
        dimensions,
    };
    let class = |name: &str, fields| Class { name: name.to_owned(), fields };
    let classes = vec![
        class("int", vec![field("", NUMBERS, 1, Vec::new())]),
        class("node", vec![field(".value", VALUE, 1, Vec::new()), field(".next", NEXT, 1, Vec::new())]),
        class(
            "packet",
            vec![
                field(".buffer", BUFFER, STRIDE, vec![Dimension { count: 3, stride: 1 }]),
                field(".size", NUMBERS, 1, Vec::new()),
            ],
        ),
    ];
    let object = |name: &str, class, count, lifetime| Object {
        name: name.to_owned(),
        class,
        count,
        lifetime,
        cells: Vec::new(),
        is_constant: false,
        span,
    };
    let mut array = object("a", ARRAY, 2 + random.below(2), Lifetime::Static);
    array.cells.push((NUMBERS, 1, Initial::Number(2)));
    let mut table = object("table", ARRAY, 2, Lifetime::Static);
    table.is_constant = true;
    table.cells.push((NUMBERS, 0, Initial::Number(-1)));
    let packets = object("packets", PACKET, 2, Lifetime::Static);
    let local = object("local", ARRAY, 2, Lifetime::Local(FunctionId::new(2)));
    let mut first = object("first", NODE, 1, Lifetime::Static);
    first.cells.push((NEXT, 0, Initial::Pointer(ObjectId(4), 0)));
    program.memory = Memory {
        regions,
        classes,
        objects: vec![array, table, packets, local, first],
        unchecked: Vec::new(),
    };
}

/// The pointers of a function.
pub(super) fn pointers(span: Span) -> impl Iterator<Item = Variable> {
    POINTERS.into_iter().map(move |name| Variable { name: name.to_owned(), ty: Type::POINTER, span })
}

impl Body<'_> {
    fn pointer(&mut self, kind: ClassId) -> Place {
        let first = self.result + 1;
        Place::Local(match kind {
            ARRAY => first + self.random.index(2) as u32,
            NODE => first + 2 + self.random.index(2) as u32,
            _ => first + 4,
        })
    }

    fn kind(&mut self) -> ClassId {
        *self.random.pick(&[ARRAY, ARRAY, ARRAY, NODE, NODE, PACKET])
    }

    fn follow(&mut self, kind: ClassId) -> Expr {
        Expr::read(self.pointer(kind))
    }

    /// A pointer to a cell of numbers, with its region.
    fn address(&mut self) -> (RegionId, Expr) {
        match self.random.index(8) {
            0 | 1 => (VALUE, self.follow(NODE)),
            2 => {
                let start = self.follow(PACKET).unary(Op::Member(STRIDE, 0));
                let index = self.index();
                (BUFFER, start.binary(Op::Add, index))
            }
            3 => (NUMBERS, self.follow(PACKET).unary(Op::Member(1, 0))),
            4 => {
                let index = self.index();
                (NUMBERS, Expr::leaf(Op::Object(ObjectId(0))).binary(Op::Add, index))
            }
            _ => {
                let (start, index) = (self.follow(ARRAY), self.index());
                (NUMBERS, start.binary(Op::Add, index))
            }
        }
    }

    fn index(&mut self) -> Expr {
        if self.random.chance(30) {
            return Expr::read(self.place());
        }
        Expr::constant(*self.random.pick(&[0, 0, 0, 1, 1, 2, 3, -1]))
    }

    /// A step or an operation, and where it leads.
    fn then(&mut self, at: NodeId, action: Action) -> NodeId {
        let next = self.node(Role::Plain);
        self.edge(at, next, action);
        next
    }

    fn update(&mut self, at: NodeId, place: Place, value: Expr) -> NodeId {
        self.then(at, Action::Step(Step::new(Expr::truth(true), vec![(place, value)])))
    }

    /// Most pointers of the function point to something at first.
    pub(super) fn set_pointers(&mut self, mut at: NodeId) -> NodeId {
        for (n, kind) in [ARRAY, ARRAY, NODE, NODE, PACKET].into_iter().enumerate() {
            let result = Place::Local(self.result + 1 + n as u32);
            let object = *self.random.pick(match kind {
                ARRAY => &[ObjectId(0), ObjectId(0), ObjectId(1)],
                NODE => &[ObjectId(4); 3],
                _ => &[ObjectId(2); 3],
            });
            at = match self.random.index(10) {
                0 => at,
                1 => self.update(at, result, Expr::constant(WILD)),
                2..6 => {
                    let (is_zeroed, count) = (self.random.chance(40), Expr::constant(2));
                    let storage = if self.random.chance(80) { Storage::Heap } else { Storage::Frame };
                    let class = kind;
                    self.then(
                        at,
                        Action::Manage(Manage::Allocate { class, count, is_zeroed, storage, result }),
                    )
                }
                _ => self.update(at, result, Expr::leaf(Op::Object(object))),
            };
        }
        at
    }

    /// Something with memory.
    pub(super) fn use_memory(&mut self, at: NodeId) -> NodeId {
        match self.random.index(12) {
            0 | 1 => self.load(at),
            2 | 3 => self.store(at),
            4 | 5 => self.point(at),
            6 | 7 => self.allocate(at),
            8 => self.release(at),
            9 => self.link(at),
            10 => self.in_bulk(at),
            _ => self.compare(at),
        }
    }

    /// Something is freed that was allocated just now, or anything; sometimes it is used once more.
    fn release(&mut self, at: NodeId) -> NodeId {
        let kind = self.kind();
        let result = self.pointer(kind);
        let storage = if self.random.chance(90) { Storage::Heap } else { Storage::Frame };
        let mut at = at;
        if self.random.chance(60) {
            let (count, is_zeroed) = (Expr::constant(2), true);
            at = self.then(
                at,
                Action::Manage(Manage::Allocate { class: kind, count, is_zeroed, storage, result }),
            );
        }
        let mut pointer = Expr::read(result);
        if self.random.chance(10) {
            pointer = pointer.binary(Op::Add, Expr::constant(1));
        }
        at = self.then(at, Action::Manage(Manage::Release { pointer, storage }));
        match self.random.index(6) {
            0 => {
                let region = if kind == NODE { VALUE } else { NUMBERS };
                let place = self.place();
                self.update(at, place, Expr::read(result).unary(Op::Load(region)))
            }
            1 => self.then(at, Action::Manage(Manage::Release { pointer: Expr::read(result), storage })),
            _ => at,
        }
    }

    fn load(&mut self, at: NodeId) -> NodeId {
        let place = self.place();
        let (region, pointer) = self.address();
        let mut value = pointer.unary(Op::Load(region));
        if self.random.chance(15) {
            // What is read says where to read next.
            let start = self.follow(ARRAY);
            value = start.binary(Op::Add, value).unary(Op::Load(NUMBERS));
        }
        if self.random.chance(20) {
            let (region, pointer) = self.address();
            value = value.binary(Op::Add, pointer.unary(Op::Load(region)));
        }
        self.update(at, place, value)
    }

    fn store(&mut self, at: NodeId) -> NodeId {
        let mut step = Step::new(Expr::truth(true), Vec::new());
        for _ in 0..1 + self.random.index(2) {
            let (region, pointer) = self.address();
            let value = self.term();
            step.stores.push((region, pointer, value));
        }
        if self.random.chance(30) {
            let (place, value) = (self.place(), self.term());
            step.updates.push((place, value));
        }
        self.then(at, Action::Step(step))
    }

    /// A pointer gets a value.
    fn point(&mut self, at: NodeId) -> NodeId {
        let kind = self.kind();
        let place = self.pointer(kind);
        let object = match kind {
            ARRAY => *self.random.pick(&[ObjectId(0), ObjectId(1), LOCAL]),
            NODE => ObjectId(4),
            _ => ObjectId(2),
        };
        let address = Expr::leaf(Op::Object(object));
        let value = match self.random.index(10) {
            0 => Expr::constant(0),
            1 => Expr::constant(WILD),
            2 | 3 => {
                let (pointer, index) = (self.follow(kind), self.index());
                pointer.binary(Op::Add, index)
            }
            4 => self.follow(kind).unary(Op::Initialised),
            5 if kind == ARRAY => self.follow(PACKET).unary(Op::Member(1, 0)),
            6 | 7 => {
                let index = self.index();
                address.binary(Op::Add, index)
            }
            _ => address,
        };
        let at = match object {
            LOCAL if self.function.name == "main" && self.random.chance(80) => {
                self.then(at, Action::Manage(Manage::Begin(LOCAL)))
            }
            LOCAL => self.then(at, Action::Manage(Manage::End(LOCAL))),
            _ => at,
        };
        self.update(at, place, value)
    }

    fn allocate(&mut self, at: NodeId) -> NodeId {
        let kind = self.kind();
        let result = self.pointer(kind);
        let count = match self.random.index(6) {
            0 => Expr::read(self.place()),
            n => Expr::constant([2, 1, 1, 3, 0][n - 1]),
        };
        if self.random.chance(20) {
            let pointer = self.follow(kind);
            return self.then(at, Action::Manage(Manage::Reallocate { class: kind, pointer, count, result }));
        }
        let storage = if self.random.chance(70) { Storage::Heap } else { Storage::Frame };
        let is_zeroed = self.random.chance(40);
        self.then(at, Action::Manage(Manage::Allocate { class: kind, count, is_zeroed, storage, result }))
    }

    /// Nodes are put in front of each other, and walked along.
    fn link(&mut self, at: NodeId) -> NodeId {
        let (node, other) = (self.follow(NODE), self.pointer(NODE));
        if self.random.chance(50) {
            return self.update(at, other, node.unary(Op::Load(NEXT)));
        }
        let mut step = Step::new(Expr::truth(true), Vec::new());
        step.stores.push((NEXT, node, Expr::read(other)));
        self.then(at, Action::Step(step))
    }

    fn in_bulk(&mut self, at: NodeId) -> NodeId {
        let kind = self.kind();
        let (pointer, count) = (self.follow(kind), Expr::constant(self.random.below(3).into()));
        if self.random.chance(50) {
            let value = if self.random.chance(50) { Expr::constant(0) } else { self.term() };
            let value = if kind == NODE { Expr::constant(0) } else { value };
            return self.then(at, Action::Manage(Manage::Fill { class: kind, pointer, count, value }));
        }
        let from = self.follow(kind);
        self.then(at, Action::Manage(Manage::Copy { class: kind, to: pointer, from, count }))
    }

    /// A number gets what a comparison of pointers says.
    fn compare(&mut self, at: NodeId) -> NodeId {
        let kind = self.kind();
        let (left, right, place) = (self.follow(kind), self.follow(kind), self.place());
        let value = match self.random.index(3) {
            0 => left.compare(Relation::Equal, right).unary(Op::Number),
            1 => {
                let relation = *self.random.pick(&RELATIONS);
                left.binary(Op::Difference, right).compare(relation, Expr::constant(0)).unary(Op::Number)
            }
            _ => left.binary(Op::Difference, right),
        };
        self.update(at, place, value)
    }
}

//! Random programs with memory: two arrays that may be one region, a list, structures with arrays inside, an array in the same region as those; pointers that are counted with, and may be misused.
//!
//! Loads are in steps of their own, as front ends make them. Numbers stay small. Arrays have too many elements to become variables, of which the first ones are used.

use crate::expr::{Expr, Op, Relation};
use crate::memory::{
    Class, ClassId, Content, Dimension, Field, Initial, Lifetime, Manage, Memory, Object, ObjectId, Region,
    RegionId, Storage, WILD,
};
use crate::number::Type;
use crate::program::{
    Action, Edge, Function, FunctionId, Global, Input, InputId, InputKind, Node, NodeId, Place, Program,
    Role, Start, Step, Target, TargetId, TargetKind, Variable,
};
use base::{FileId, Random, Span};

/// Numbers in variables and memory.
const SMALL: Type = Type::signed(2);

/// What a program uses memory for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Two arrays of one class.
    OneRegion,
    /// Two arrays of two classes.
    TwoRegions,
    /// A list.
    List,
    /// Structures with arrays inside.
    Nested,
    /// Structures with arrays inside, and an array in the same region.
    Shared,
}

/// The shapes.
pub const SHAPES: [Shape; 5] =
    [Shape::OneRegion, Shape::TwoRegions, Shape::List, Shape::Nested, Shape::Shared];

/// The locals: two numbers, an index, two pointers.
const X: Place = Place::Local(0);
const Y: Place = Place::Local(1);
const I: Place = Place::Local(2);
const P: Place = Place::Local(3);
const Q: Place = Place::Local(4);

/// A program.
pub fn program(random: &mut Random, shape: Shape) -> Program {
    let span = Span::new(FileId(0), 0..0);
    let variable = |name: &str, ty: Type| Variable { name: name.to_owned(), ty, span };
    let locals = vec![
        variable("x", Type::signed(32)),
        variable("y", Type::signed(32)),
        variable("i", Type::signed(32)),
        variable("p", Type::POINTER),
        variable("q", Type::POINTER),
    ];
    let input = |kind| Input { name: "input".to_owned(), ty: SMALL, kind, span };
    let program = Program {
        globals: vec![Global { variable: variable("g", Type::signed(32)), start: Start::Number(0) }],
        functions: Vec::new(),
        main: FunctionId::new(1),
        inputs: vec![input(InputKind::Read), input(InputKind::Uninitialised)],
        unknowns: Vec::new(),
        targets: Vec::new(),
        memory: memory(random, shape, span),
    };
    let mut builder = Builder { random, program, shape, span, left: 0 };
    builder.function("get", locals.clone(), 2);
    builder.function("main", locals, 6);
    builder.program
}

fn memory(random: &mut Random, shape: Shape, span: Span) -> Memory {
    let region = |name: &str, content: Content| Region {
        name: name.to_owned(),
        content,
        uninitialised: matches!(content, Content::Integer(_)).then_some(InputId(1)),
        span,
    };
    let number = Content::Integer(Type::signed(32));
    // Two elements become variables, beside those that do not.
    let few = if shape == Shape::TwoRegions && random.chance(50) { 2 } else { 9 };
    let field = |path: &str, region: u32, stride: u64, count: u64| Field {
        path: path.to_owned(),
        region: RegionId(region),
        start: 0,
        stride,
        dimensions: if stride > 1 { vec![Dimension { count, stride: 1 }] } else { Vec::new() },
    };
    let class = |name: &str, fields: Vec<Field>| Class { name: name.to_owned(), fields };
    let mut object = |name: &str, class: u32, count: u64, told: &[RegionId]| {
        let lifetime = match random.chance(50) {
            true => Lifetime::Static,
            false => Lifetime::Local(FunctionId::new(1)),
        };
        let mut cells = Vec::new();
        for region in told {
            if lifetime == Lifetime::Static && random.chance(40) {
                cells.push((*region, random.below(count.min(2)) as i64, Initial::Number(1)));
            }
        }
        let class = ClassId(class);
        Object { name: name.to_owned(), class, count, lifetime, cells, is_constant: false, span }
    };
    let a = RegionId(0);
    match shape {
        Shape::OneRegion => Memory {
            regions: vec![region("a", number)],
            classes: vec![class("int", vec![field("", 0, 1, 1)])],
            objects: vec![object("a", 0, 9, &[a]), object("b", 0, 2, &[a])],
            unchecked: Vec::new(),
        },
        Shape::TwoRegions => Memory {
            regions: vec![region("a", number), region("b", number)],
            classes: vec![class("int a", vec![field("", 0, 1, 1)]), class("int b", vec![field("", 1, 1, 1)])],
            objects: vec![object("a", 0, 9, &[a]), object("b", 1, few, &[RegionId(1)])],
            unchecked: Vec::new(),
        },
        Shape::List => Memory {
            regions: vec![region("value", number), region("next", Content::Pointer(ClassId(0)))],
            classes: vec![class("node", vec![field(".value", 0, 1, 1), field(".next", 1, 1, 1)])],
            objects: Vec::new(),
            unchecked: Vec::new(),
        },
        Shape::Nested => Memory {
            regions: vec![region("buffer", number)],
            classes: vec![
                class("queue", vec![field(".buffer", 0, 4, 2)]),
                class("int", vec![field("", 0, 1, 1)]),
            ],
            objects: vec![object("s", 0, 5, &[a])],
            unchecked: Vec::new(),
        },
        Shape::Shared => Memory {
            regions: vec![region("buffer", number)],
            classes: vec![
                class("queue", vec![field(".buffer", 0, 4, 2)]),
                class("int", vec![field("", 0, 1, 1)]),
            ],
            objects: vec![object("s", 0, 3, &[a]), object("a", 1, 4, &[a])],
            unchecked: Vec::new(),
        },
    }
}

struct Builder<'a> {
    random: &'a mut Random,
    program: Program,
    shape: Shape,
    span: Span,
    /// How many statements may still come.
    left: usize,
}

/// A function under construction.
struct Body {
    function: Function,
    at: NodeId,
}

impl Body {
    fn node(&mut self, role: Role, span: Span) -> NodeId {
        self.function.nodes.push(Node { role, span });
        NodeId::new(self.function.nodes.len() - 1)
    }

    fn edge(&mut self, from: NodeId, to: NodeId, action: Action, span: Span) {
        self.function.edges.push(Edge { from, to, action, span });
    }

    /// Goes on.
    fn next(&mut self, action: Action, span: Span) {
        let to = self.node(Role::Plain, span);
        self.edge(self.at, to, action, span);
        self.at = to;
    }
}

fn step(guard: Expr, updates: Vec<(Place, Expr)>) -> Action {
    Action::Step(Step::new(guard, updates))
}

fn always(updates: Vec<(Place, Expr)>) -> Action {
    step(Expr::truth(true), updates)
}

fn plus(left: Expr, number: i128) -> Expr {
    left.binary(Op::Add, Expr::constant(number))
}

impl Builder<'_> {
    fn function(&mut self, name: &str, locals: Vec<Variable>, n_statements: usize) {
        let (span, is_main) = (self.span, name == "main");
        let node = || Node { role: Role::Plain, span };
        let function = Function {
            name: name.to_owned(),
            span,
            locals,
            n_params: if is_main { 0 } else { 1 },
            result: (!is_main).then_some(1),
            nodes: vec![node(), node()],
            edges: Vec::new(),
            entry: NodeId(0),
            exit: NodeId(1),
        };
        let mut body = Body { at: function.entry, function };
        body.next(always(vec![(P, Expr::constant(WILD)), (Q, Expr::constant(WILD))]), span);
        if is_main {
            for n in 0..self.program.memory.objects.len() {
                if self.program.memory.objects[n].lifetime != Lifetime::Static {
                    body.next(Action::Manage(Manage::Begin(ObjectId::new(n))), span);
                }
            }
            if self.shape == Shape::List {
                self.list(&mut body);
            } else {
                body.next(always(vec![(P, self.fresh())]), span);
                body.next(always(vec![(Q, Expr::read(P))]), span);
            }
        }
        self.left = n_statements;
        while self.left > 0 {
            self.statement(&mut body, is_main);
        }
        if is_main {
            self.target(&mut body);
        }
        body.edge(body.at, body.function.exit, always(Vec::new()), span);
        body.function.sort_edges();
        self.program.functions.push(body.function);
    }

    fn statement(&mut self, body: &mut Body, is_main: bool) {
        self.left = self.left.saturating_sub(1);
        match self.random.index(12) {
            0 => self.number(body),
            1 | 2 => self.load(body),
            3 | 4 => self.store(body),
            5 => self.pointer(body),
            6 | 7 if self.left > 1 => self.branch(body, is_main),
            8 | 9 if self.left > 1 => self.repeat(body, is_main),
            10 if is_main => {
                let args = vec![Expr::read(X)];
                let action = Action::Call { callee: FunctionId::new(0), args, result: Some(Y) };
                body.next(action, self.span);
            }
            11 if is_main => self.manage(body),
            _ => self.load(body),
        }
    }

    /// A number or an index.
    fn number(&mut self, body: &mut Body) {
        let mut updates = Vec::new();
        let mut inputs = Vec::new();
        match self.random.index(4) {
            0 => {
                inputs.push(InputId(0));
                updates.push((X, Expr::leaf(Op::Input(0))));
            }
            1 => updates.push((I, Expr::constant(self.random.below(3) as i128))),
            2 => updates.push((Y, Expr::read(X))),
            _ => updates.push((X, Expr::constant(self.random.below(3) as i128 - 1))),
        }
        let step = Step { inputs, ..Step::new(Expr::truth(true), updates) };
        body.next(Action::Step(step), self.span);
    }

    /// A pointer to some element, as the shape has them.
    fn fresh(&mut self) -> Expr {
        let object = |random: &mut Random, n: u64| Expr::leaf(Op::Object(ObjectId(random.below(n) as u32)));
        match self.shape {
            Shape::OneRegion => plus(object(self.random, 2), self.random.below(2) as i128),
            Shape::TwoRegions => object(self.random, 1),
            Shape::List => Expr::constant(0),
            Shape::Shared if self.random.chance(50) => {
                plus(Expr::leaf(Op::Object(ObjectId(1))), self.random.below(4) as i128)
            }
            Shape::Nested | Shape::Shared => {
                let element = plus(object(self.random, 1), self.random.below(2) as i128);
                plus(element.unary(Op::Member(4, 0)), self.random.below(2) as i128)
            }
        }
    }

    /// What is loaded or stored: a region of numbers, and a pointer.
    fn place(&mut self) -> (RegionId, Expr) {
        let pointer = Expr::read(*self.random.pick(&[P, Q])).unary(Op::Initialised);
        let element = |n: u32| Expr::leaf(Op::Object(ObjectId(n))).binary(Op::Add, Expr::read(I));
        match (self.shape, self.random.index(3)) {
            (Shape::OneRegion, 0) => (RegionId(0), element(0)),
            (Shape::OneRegion, 1) => (RegionId(0), element(1)),
            (Shape::TwoRegions, 0) => (RegionId(0), element(0)),
            (Shape::TwoRegions, 1) => (RegionId(1), element(1)),
            (Shape::Nested | Shape::Shared, 0) => {
                let part = Expr::leaf(Op::Object(ObjectId(0))).binary(Op::Add, Expr::constant(1));
                (RegionId(0), part.unary(Op::Member(4, 0)).binary(Op::Add, Expr::read(I)))
            }
            // From the element before the one that is meant.
            (Shape::Shared, 1) => {
                let before = plus(element(0), -1).unary(Op::Member(4, 0));
                (RegionId(0), plus(before, 4))
            }
            _ => (RegionId(0), pointer),
        }
    }

    fn load(&mut self, body: &mut Body) {
        if self.shape == Shape::List && self.random.chance(40) {
            let pointer = *self.random.pick(&[P, Q]);
            let next = Expr::read(pointer).unary(Op::Initialised).unary(Op::Load(RegionId(1)));
            return body.next(always(vec![(pointer, next)]), self.span);
        }
        let (region, pointer) = self.place();
        let to = *self.random.pick(&[X, Y]);
        body.next(always(vec![(to, pointer.unary(Op::Load(region)))]), self.span);
    }

    fn store(&mut self, body: &mut Body) {
        let mut step = Step::new(Expr::truth(true), Vec::new());
        if self.shape == Shape::List && self.random.chance(40) {
            let pointer = Expr::read(P).unary(Op::Initialised);
            step.stores.push((RegionId(1), pointer, Expr::read(Q)));
        } else {
            let (region, pointer) = self.place();
            let value = match self.random.index(3) {
                0 => Expr::read(X),
                1 => Expr::read(Y),
                _ => Expr::constant(self.random.below(3) as i128 - 1),
            };
            step.stores.push((region, pointer, value));
        }
        body.next(Action::Step(step), self.span);
    }

    fn pointer(&mut self, body: &mut Body) {
        let update = match self.random.index(4) {
            0 => (Q, Expr::read(P)),
            1 if self.shape != Shape::List => (P, plus(Expr::read(P).unary(Op::Initialised), 1)),
            2 => (P, Expr::read(Q)),
            _ => (P, self.fresh()),
        };
        body.next(always(vec![update]), self.span);
    }

    fn manage(&mut self, body: &mut Body) {
        let locals: Vec<ObjectId> = (0..self.program.memory.objects.len())
            .filter(|n| self.program.memory.objects[*n].lifetime != Lifetime::Static)
            .map(ObjectId::new)
            .collect();
        let first = Expr::leaf(Op::Object(ObjectId(0)));
        let class = ClassId(0);
        let action = match (self.shape, self.random.index(3)) {
            (Shape::List, _) => self.node(P),
            (_, 0) => {
                let value = Expr::constant(self.random.below(2) as i128);
                Manage::Fill { class, pointer: first, count: Expr::read(I), value }
            }
            (Shape::OneRegion, 1) => {
                let from = Expr::leaf(Op::Object(ObjectId(1)));
                Manage::Copy { class, to: first, from, count: Expr::read(I) }
            }
            (..) if !locals.is_empty() => Manage::Begin(*self.random.pick(&locals)),
            _ => return,
        };
        body.next(Action::Manage(action), self.span);
    }

    /// Two nodes, one behind the other, made in a loop.
    fn list(&mut self, body: &mut Body) {
        let span = self.span;
        body.next(always(vec![(P, Expr::constant(0)), (I, Expr::constant(0))]), span);
        let (head, first, behind) = (body.at, body.node(Role::Plain, span), body.node(Role::Plain, span));
        let goes_on = Expr::read(I).compare(Relation::Less, Expr::constant(2));
        body.edge(head, first, step(goes_on.clone(), Vec::new()), span);
        body.edge(head, behind, step(goes_on.not(), Vec::new()), span);
        body.at = first;
        body.next(always(vec![(Q, Expr::read(P))]), span);
        let node = self.node(P);
        body.next(Action::Manage(node), span);
        let next = (RegionId(1), Expr::read(P), Expr::read(Q));
        let step = Step { stores: vec![next], ..Step::new(Expr::truth(true), Vec::new()) };
        body.next(Action::Step(step), span);
        body.edge(body.at, head, always(vec![(I, plus(Expr::read(I), 1))]), span);
        body.at = behind;
    }

    /// A new node of the list.
    fn node(&mut self, result: Place) -> Manage {
        let (count, is_zeroed) = (Expr::constant(1), self.random.chance(50));
        Manage::Allocate { class: ClassId(0), count, is_zeroed, storage: Storage::Heap, result }
    }

    fn condition(&mut self) -> Expr {
        let relation =
            *self.random.pick(&[Relation::Equal, Relation::NotEqual, Relation::Less, Relation::GreaterEqual]);
        match self.random.index(5) {
            0 => Expr::read(X).compare(relation, Expr::read(Y)),
            1 => {
                let [p, q] = [P, Q].map(|place| Expr::read(place).unary(Op::Initialised));
                p.compare(*self.random.pick(&[Relation::Equal, Relation::NotEqual]), q)
            }
            2 => {
                let p = Expr::read(P).unary(Op::Initialised);
                p.compare(*self.random.pick(&[Relation::Equal, Relation::NotEqual]), Expr::constant(0))
            }
            _ => Expr::read(*self.random.pick(&[X, Y, I]))
                .compare(relation, Expr::constant(self.random.below(3) as i128 - 1)),
        }
    }

    fn branch(&mut self, body: &mut Body, is_main: bool) {
        let condition = self.condition();
        let start = body.at;
        let join = body.node(Role::Plain, self.span);
        for guard in [condition.clone(), condition.not()] {
            let first = body.node(Role::Plain, self.span);
            body.edge(start, first, step(guard, Vec::new()), self.span);
            body.at = first;
            self.statement(body, is_main);
            body.edge(body.at, join, always(Vec::new()), self.span);
        }
        body.at = join;
    }

    /// Counts to 2.
    fn repeat(&mut self, body: &mut Body, is_main: bool) {
        if self.random.chance(70) {
            body.next(always(vec![(I, Expr::constant(0))]), self.span);
        }
        let (head, first, behind) =
            (body.at, body.node(Role::Plain, self.span), body.node(Role::Plain, self.span));
        let goes_on = Expr::read(I).compare(Relation::Less, Expr::constant(2));
        body.edge(head, first, step(goes_on.clone(), Vec::new()), self.span);
        body.edge(head, behind, step(goes_on.not(), Vec::new()), self.span);
        body.at = first;
        self.statement(body, is_main);
        body.edge(body.at, head, always(vec![(I, plus(Expr::read(I), 1))]), self.span);
        body.at = behind;
    }

    fn target(&mut self, body: &mut Body) {
        for _ in 0..1 + self.random.index(2) {
            self.load(body);
        }
        let condition = self.condition();
        let target = TargetId::new(self.program.targets.len());
        self.program.targets.push(Target {
            kind: TargetKind::Call,
            name: "error".to_owned(),
            function: "main".to_owned(),
            span: self.span,
        });
        let (from, to) = (body.at, body.node(Role::Target(target), self.span));
        body.edge(from, to, step(condition.clone(), Vec::new()), self.span);
        body.next(step(condition.not(), Vec::new()), self.span);
    }
}

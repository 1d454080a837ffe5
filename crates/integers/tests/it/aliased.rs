//! Random programs in which pointers to a few arrays are passed on in every way there is: assigned, chosen, compared, given to functions and back, kept in globals and in tables, copied and moved with them.
//!
//! They are straight lines, and nothing in them misuses memory; so whoever loses sight of where a pointer came from makes a misuse of an access.

use super::directed::{A, B, NUMBER, bit, field, is, load, memory, object, plus, read, set, span, store};
use base::Random;
use integers::enumerate::{Bounds, enumerate};
use integers::memory::{Initial, ObjectId, Storage};
use integers::{
    Action, ClassId, Content, Edge, Expr, Function, FunctionId, Global, InputId, Manage, Node, NodeId, Op,
    Place, Program, Role, Start, Step, Target, TargetId, TargetKind, Type, Unknown, UnknownId, Variable,
};
use testing::Counts;

const BOUNDS: Bounds = Bounds { number: 40, states: 3_000 };

/// The locals of both functions: three pointers to numbers, of which a function is given the first and gives back the second; two pointers to pointers; a number.
const LOCALS: [&str; 6] = ["p", "q", "r", "s", "t", "x"];
const P: Place = Place::Local(0);
const Q: Place = Place::Local(1);
const POINTERS: [Place; 4] = [P, Q, Place::Local(2), Place::Global(0)];
const TABLES: [Place; 3] = [Place::Local(3), Place::Local(4), Place::Global(1)];
const X: Place = Place::Local(5);

/// Arrays come before tables.
const N_ARRAYS: u64 = 4;
const N_TABLES: u64 = 3;
const COUNT: u64 = 2;
const ARRAY: ClassId = ClassId(0);
const TABLE: ClassId = ClassId(1);

/// A program, and what was done with pointers in it.
pub(super) struct Made {
    pub(super) program: Program,
    pub(super) ways: Counts,
}

/// What is counted.
pub(super) const WAYS: [&str; 15] = [
    "addresses of tables",
    "allocations",
    "assignments",
    "calls",
    "choices",
    "comparisons",
    "copies",
    "fills",
    "loads of numbers",
    "loads of pointers",
    "new addresses",
    "reallocations",
    "stores of numbers",
    "stores of pointers",
    "tables in turn",
];

pub(super) fn program(random: &mut Random) -> Made {
    let mut maker = Maker { random };
    let mut memory = memory(
        &[NUMBER, Content::Pointer(ARRAY)],
        vec![vec![field(A, 1, 1)], vec![field(B, 1, 1)]],
        &[vec![(0, COUNT); N_ARRAYS as usize], vec![(1, COUNT); N_TABLES as usize]].concat(),
    );
    let mut ways = Counts::default();
    for table in &mut memory.objects[N_ARRAYS as usize..] {
        let is_empty = maker.random.chance(40);
        for cell in 0..COUNT as i64 {
            if !is_empty && maker.random.chance(70) {
                let target = ObjectId(maker.random.below(N_ARRAYS) as u32);
                table.cells.push((B, cell, Initial::Pointer(target, maker.random.below(2) as i64)));
            }
        }
    }
    let starts = [maker.random.below(N_ARRAYS), N_ARRAYS + maker.random.below(N_TABLES)];
    let global = |(name, n): (&str, u64)| Global {
        variable: Variable { name: name.to_owned(), ty: Type::POINTER, span: span() },
        start: Start::Pointer(ObjectId(n as u32), 0),
    };
    let mut program = Program {
        globals: ["g", "h"].into_iter().zip(starts).map(global).collect(),
        functions: vec![function("get", &[]), function("main", &[])],
        main: FunctionId(1),
        inputs: vec![bit()],
        unknowns: Vec::new(),
        targets: vec![Target {
            kind: TargetKind::Call,
            name: "error".to_owned(),
            function: "main".to_owned(),
            span: span(),
        }],
        memory,
    };
    maker.callee(&mut program);
    maker.main(&mut program, &mut ways);
    Made { program, ways }
}

/// A function of these actions, one behind the other; at the end of `main` is the target, if its number is 1.
fn function(name: &str, actions: &[Action]) -> Function {
    let is_main = name == "main";
    let node = |role| Node { role, span: span() };
    let ty = |name: &str| if name == "x" { Type::signed(32) } else { Type::POINTER };
    let local = |name: &str| Variable { name: name.to_owned(), ty: ty(name), span: span() };
    let mut nodes = vec![node(Role::Plain); actions.len() + 1];
    let edge = |from: usize, to: usize, action: Action| {
        let (from, to) = (NodeId::new(from), NodeId::new(to));
        Edge { from, to, action, span: span() }
    };
    let mut edges: Vec<Edge> =
        actions.iter().enumerate().map(|(n, action)| edge(n, n + 1, action.clone())).collect();
    if is_main {
        nodes.push(node(Role::Target(TargetId(0))));
        let reached = Step::new(is(read(X), Expr::constant(1)), Vec::new());
        edges.push(edge(actions.len(), actions.len() + 1, Action::Step(reached)));
    }
    let mut function = Function {
        name: name.to_owned(),
        span: span(),
        locals: LOCALS.into_iter().map(local).collect(),
        n_params: usize::from(!is_main),
        result: (!is_main).then_some(1),
        nodes,
        edges,
        entry: NodeId(0),
        exit: NodeId::new(actions.len()),
    };
    function.sort_edges();
    function
}

/// The same, and at its end something is followed of which nobody knows what it points to: a global that is unknown at first, or a pointer that a step does not know; it is followed before or behind that, and in every way.
pub(super) fn with_unknown_pointers(program: &Program) -> Vec<Program> {
    let mut program = program.clone();
    let unknown = UnknownId::new(program.unknowns.len());
    program.unknowns.push(Unknown { construct: "something".to_owned(), span: span() });
    let variable = Variable { name: "u".to_owned(), ty: Type::POINTER, span: span() };
    program.globals.push(Global { variable, start: Start::Number(0) });
    let place = Place::Global(program.globals.len() as u32 - 1);

    let step = Step::new(Expr::truth(true), vec![(Q, Expr::leaf(Op::Unknown(0)))]);
    let lost = Action::Step(Step { unknowns: vec![unknown], ..step });
    let (class, pointer) = (ARRAY, read(Q));
    let [count, value] = [1, 0].map(Expr::constant);
    let ways = [
        store(A, read(Q), Expr::constant(1)),
        set(X, load(A, read(Q))),
        Action::Manage(Manage::Fill { class, pointer, count, value }),
    ];
    let mut programs = Vec::new();
    for way in ways {
        let followed_behind = vec![lost.clone(), way.clone()];
        let followed_before = vec![set(Q, object(0)), way, lost.clone()];
        programs.extend([followed_behind, followed_before].map(|more| {
            let mut program = program.clone();
            behind(&mut program, more);
            program
        }));
    }
    program.globals.last_mut().expect("there is one").start = Start::Unknown(unknown);
    let followed = vec![set(place, object(0)), set(P, read(place)), store(A, read(P), Expr::constant(1))];
    behind(&mut program, followed);
    programs.push(program);
    programs
}

/// More is done at the end of `main`.
fn behind(program: &mut Program, more: Vec<Action>) {
    let function = &mut program.functions[1];
    for action in more {
        function.nodes.push(Node { role: Role::Plain, span: span() });
        let to = NodeId::new(function.nodes.len() - 1);
        function.edges.push(Edge { from: function.exit, to, action, span: span() });
        function.exit = to;
    }
    function.sort_edges();
}

struct Maker<'a> {
    random: &'a mut Random,
}

impl Maker<'_> {
    /// A function that gives back what it is given, or something else, and may keep it somewhere.
    fn callee(&mut self, program: &mut Program) {
        let mut actions = vec![match self.random.index(3) {
            0 => set(Q, self.array()),
            1 => set(Q, read(Place::Global(0))),
            _ => set(Q, read(P)),
        }];
        match self.random.index(4) {
            0 => actions.push(store(A, read(P), Expr::constant(1))),
            1 => actions.push(set(Place::Global(0), read(P))),
            2 => actions.push(store(B, self.table(), read(P))),
            _ => {}
        }
        program.functions[0] = function("get", &actions);
    }

    fn main(&mut self, program: &mut Program, ways: &mut Counts) {
        let mut actions = Vec::new();
        for _ in 0..60 {
            if actions.len() >= 10 {
                break;
            }
            let (way, more) = self.statement();
            let before = actions.len();
            actions.extend(more);
            program.functions[1] = function("main", &actions);
            let all = enumerate(program, BOUNDS);
            if all.misuses || !all.is_complete {
                actions.truncate(before);
            } else {
                ways.count(way);
            }
        }
        program.functions[1] = function("main", &actions);
    }

    fn array(&mut self) -> Expr {
        plus(object(self.random.below(N_ARRAYS) as u32), self.random.below(COUNT) as i128)
    }

    fn table(&mut self) -> Expr {
        object((N_ARRAYS + self.random.below(N_TABLES)) as u32)
    }

    /// A pointer to a number.
    fn pointer(&mut self) -> Expr {
        if self.random.chance(30) { self.array() } else { read(*self.random.pick(&POINTERS)) }
    }

    /// A pointer to a pointer.
    fn cell(&mut self) -> Expr {
        match self.random.index(4) {
            0 => read(*self.random.pick(&TABLES)),
            _ => plus(self.table(), self.random.below(COUNT) as i128),
        }
    }

    fn statement(&mut self) -> (&'static str, Vec<Action>) {
        let pointer = *self.random.pick(&POINTERS);
        let table = *self.random.pick(&TABLES);
        let (way, action) = match self.random.index(18) {
            0..3 => ("loads of numbers", set(X, load(A, self.pointer()))),
            3..5 => {
                let number = Expr::constant(self.random.below(2) as i128);
                ("stores of numbers", store(A, self.pointer(), number))
            }
            5 => ("assignments", set(pointer, read(*self.random.pick(&POINTERS)))),
            6 => ("new addresses", set(pointer, self.array())),
            7 => match self.random.index(2) {
                0 => ("addresses of tables", set(table, self.table())),
                _ => ("assignments", set(table, read(*self.random.pick(&TABLES)))),
            },
            8 => ("loads of pointers", set(pointer, load(B, self.cell()))),
            9 => ("stores of pointers", store(B, self.cell(), self.pointer())),
            10 => ("choices", self.choice(pointer)),
            11 => {
                let is_same = is(self.pointer(), self.pointer());
                ("comparisons", set(X, Expr::choose(is_same, Expr::constant(1), Expr::constant(0))))
            }
            12 => {
                let args = vec![self.pointer()];
                ("calls", Action::Call { callee: FunctionId(0), args, result: Some(pointer) })
            }
            13 => ("copies", Action::Manage(self.copy())),
            14 => {
                let (class, count) = (TABLE, Expr::constant(1));
                (
                    "fills",
                    Action::Manage(Manage::Fill {
                        class,
                        pointer: self.cell(),
                        count,
                        value: self.pointer(),
                    }),
                )
            }
            15 => return ("tables in turn", self.turn(table, pointer)),
            16 => ("allocations", self.allocation(pointer, table)),
            _ => return ("reallocations", self.growth(table, pointer)),
        };
        (way, vec![action])
    }

    fn choice(&mut self, pointer: Place) -> Action {
        let is_one = is(Expr::leaf(Op::Input(0)), Expr::constant(1));
        let chosen = Expr::choose(is_one, self.pointer(), self.pointer());
        let step = Step::new(Expr::truth(true), vec![(pointer, chosen)]);
        Action::Step(Step { inputs: vec![InputId(0)], ..step })
    }

    fn copy(&mut self) -> Manage {
        let count = Expr::constant(1);
        match self.random.index(3) {
            0 => Manage::Copy { class: ARRAY, to: self.pointer(), from: self.pointer(), count },
            _ => Manage::Copy { class: TABLE, to: self.cell(), from: self.cell(), count },
        }
    }

    /// A pointer points to one table and then to another one, and what is in the first one is followed.
    fn turn(&mut self, table: Place, pointer: Place) -> Vec<Action> {
        let (one, other) = (self.table(), self.table());
        vec![
            store(B, one.clone(), self.pointer()),
            set(table, one.clone()),
            set(table, other),
            set(pointer, load(B, one)),
            set(X, load(A, read(pointer))),
        ]
    }

    /// A table with something in it grows, and what was in it is followed.
    fn growth(&mut self, table: Place, pointer: Place) -> Vec<Action> {
        let count = Expr::constant(COUNT.into());
        let (class, old) = (TABLE, *self.random.pick(&TABLES));
        let (is_zeroed, storage) = (true, Storage::Heap);
        vec![
            Action::Manage(Manage::Allocate {
                class,
                count: Expr::constant(1),
                is_zeroed,
                storage,
                result: old,
            }),
            store(B, read(old), self.pointer()),
            Action::Manage(Manage::Reallocate { class, pointer: read(old), count, result: table }),
            set(pointer, load(B, read(table))),
            set(X, load(A, read(pointer))),
        ]
    }

    fn allocation(&mut self, pointer: Place, table: Place) -> Action {
        let (is_zeroed, storage, count) = (true, Storage::Heap, Expr::constant(COUNT.into()));
        let (class, result) = *self.random.pick(&[(ARRAY, pointer), (TABLE, table)]);
        Action::Manage(Manage::Allocate { class, count, is_zeroed, storage, result })
    }
}

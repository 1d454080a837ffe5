//! Small programs of which each has one run to its target that a certain mistake would lose: what is prepared for proofs has it, and so has the cell program.

use super::simulated::{Lost, Twin, ghosts, some_run};
use base::{FileId, Random, Span};
use integers::cells::{Choice, Tracked, cells, lines};
use integers::enumerate::{Bounds, enumerate};
use integers::explore::{Budget, Quest, explore};
use integers::memory::{
    Class, ClassId, Dimension, Field, Initial, Lifetime, Object, ObjectId, Region, Storage, WILD,
};
use integers::{
    Action, Content, Edge, Expr, Function, FunctionId, Goal, Input, InputId, InputKind, Manage, Memory, Node,
    NodeId, Op, Place, Program, RegionId, Relation, Role, Step, Target, TargetId, TargetKind, Type, Variable,
};

/// The locals of all functions: a parameter, a result, an index, two pointers.
const X: Place = Place::Local(0);
const Y: Place = Place::Local(1);
const I: Place = Place::Local(2);
const P: Place = Place::Local(3);
const Q: Place = Place::Local(4);

/// Where the regions are.
pub(super) const A: RegionId = RegionId(0);
pub(super) const B: RegionId = RegionId(1);

/// With so many elements, an array does not become variables.
pub(super) const MANY: u64 = 18;

pub(super) fn span() -> Span {
    Span::new(FileId(0), 0..0)
}

pub(super) fn field(region: RegionId, stride: u64, count: u64) -> Field {
    let dimensions = if stride > 1 { vec![Dimension { count, stride: 1 }] } else { Vec::new() };
    Field { path: String::new(), region, start: 0, stride, dimensions }
}

/// Regions of these contents, classes of these fields, and static objects of so many elements.
pub(super) fn memory(contents: &[Content], classes: Vec<Vec<Field>>, objects: &[(u32, u64)]) -> Memory {
    let number = Content::Integer(Type::signed(32));
    let region = |(n, content): (usize, &Content)| Region {
        name: format!("r{n}"),
        content: *content,
        uninitialised: (*content == number).then_some(InputId(0)),
        span: span(),
    };
    let class = |(n, fields): (usize, Vec<Field>)| Class { name: format!("c{n}"), fields };
    let object = |(n, (class, count)): (usize, &(u32, u64))| Object {
        name: format!("o{n}"),
        class: ClassId(*class),
        count: *count,
        lifetime: Lifetime::Static,
        cells: Vec::new(),
        is_constant: false,
        span: span(),
    };
    Memory {
        regions: contents.iter().enumerate().map(region).collect(),
        classes: classes.into_iter().enumerate().map(class).collect(),
        objects: objects.iter().enumerate().map(object).collect(),
        unchecked: Vec::new(),
    }
}

pub(super) const NUMBER: Content = Content::Integer(Type::signed(32));

pub(super) fn read(place: Place) -> Expr {
    Expr::read(place)
}

pub(super) fn plus(left: Expr, number: i128) -> Expr {
    left.binary(Op::Add, Expr::constant(number))
}

pub(super) fn object(n: u32) -> Expr {
    Expr::leaf(Op::Object(ObjectId(n)))
}

/// What somebody chooses: 0 or 1.
pub(super) fn bit() -> Input {
    Input { name: "input".to_owned(), ty: Type::unsigned(1), kind: InputKind::Read, span: span() }
}

/// The element at the index.
fn indexed(n: u32) -> Expr {
    object(n).binary(Op::Add, read(I))
}

pub(super) fn load(region: RegionId, pointer: Expr) -> Expr {
    pointer.unary(Op::Load(region))
}

pub(super) fn is(left: Expr, right: Expr) -> Expr {
    left.compare(Relation::Equal, right)
}

pub(super) fn set(place: Place, value: Expr) -> Action {
    Action::Step(Step::new(Expr::truth(true), vec![(place, value)]))
}

pub(super) fn store(region: RegionId, pointer: Expr, value: Expr) -> Action {
    let stores = vec![(region, pointer, value)];
    Action::Step(Step { stores, ..Step::new(Expr::truth(true), Vec::new()) })
}

/// The index is something that somebody chooses.
fn choose_index() -> Action {
    let step = Step::new(Expr::truth(true), vec![(I, Expr::leaf(Op::Input(0)))]);
    Action::Step(Step { inputs: vec![InputId(0)], ..step })
}

fn allocate(result: Place) -> Action {
    allocate_many(result, 1)
}

fn allocate_many(result: Place, count: i128) -> Action {
    let (class, count, storage) = (ClassId(0), Expr::constant(count), Storage::Heap);
    Action::Manage(Manage::Allocate { class, count, is_zeroed: false, storage, result })
}

/// All of the second object becomes what the first one is.
fn copy() -> Action {
    let (class, count) = (ClassId(0), Expr::constant(MANY.into()));
    Action::Manage(Manage::Copy { class, to: object(1), from: object(0), count })
}

fn reallocate(pointer: Place, result: Place) -> Action {
    let (class, pointer, count) = (ClassId(0), read(pointer), Expr::constant(1));
    Action::Manage(Manage::Reallocate { class, pointer, count, result })
}

fn fill_nothing() -> Action {
    let (class, pointer, count, value) = (ClassId(0), object(0), Expr::constant(0), Expr::constant(0));
    Action::Manage(Manage::Fill { class, pointer, count, value })
}

fn call(result: Place) -> Action {
    Action::Call { callee: FunctionId(0), args: vec![read(X)], result: Some(result) }
}

/// A function of which a part is done once, the next one twice, and the last one once more; then the target, if this holds.
fn function(
    name: &str,
    result: Option<u32>,
    [before, twice, behind]: [Vec<Action>; 3],
    goal: Option<Expr>,
) -> Function {
    let node = |role| Node { role, span: span() };
    let mut function = Function {
        name: name.to_owned(),
        span: span(),
        locals: ["x", "y", "i", "p", "q"]
            .iter()
            .map(|name| {
                let ty = if matches!(*name, "p" | "q") { Type::POINTER } else { Type::signed(32) };
                Variable { name: (*name).to_owned(), ty, span: span() }
            })
            .collect(),
        n_params: u32::from(result.is_some()) as usize,
        result,
        nodes: vec![node(Role::Plain), node(Role::Plain)],
        edges: Vec::new(),
        entry: NodeId(0),
        exit: NodeId(1),
    };
    let mut at = function.entry;
    let go = |function: &mut Function, from: NodeId, action: Action| {
        function.nodes.push(node(Role::Plain));
        let to = NodeId::new(function.nodes.len() - 1);
        function.edges.push(Edge { from, to, action, span: span() });
        to
    };
    for action in before {
        at = go(&mut function, at, action);
    }
    if !twice.is_empty() {
        at = go(&mut function, at, set(I, Expr::constant(0)));
        let head = at;
        let less = read(I).compare(Relation::Less, Expr::constant(2));
        at = go(&mut function, head, Action::Step(Step::new(less.clone(), Vec::new())));
        for action in twice {
            at = go(&mut function, at, action);
        }
        let next = set(I, plus(read(I), 1));
        function.edges.push(Edge { from: at, to: head, action: next, span: span() });
        at = go(&mut function, head, Action::Step(Step::new(less.not(), Vec::new())));
    }
    for action in behind {
        at = go(&mut function, at, action);
    }
    if let Some(goal) = goal {
        function.nodes.push(node(Role::Target(TargetId(0))));
        let to = NodeId::new(function.nodes.len() - 1);
        let reached = Action::Step(Step::new(goal.clone(), Vec::new()));
        function.edges.push(Edge { from: at, to, action: reached, span: span() });
        at = go(&mut function, at, Action::Step(Step::new(goal.not(), Vec::new())));
    }
    let (to, action) = (function.exit, Action::Step(Step::new(Expr::truth(true), Vec::new())));
    function.edges.push(Edge { from: at, to, action, span: span() });
    function.sort_edges();
    function
}

fn program(memory: Memory, get: Function, parts: [Vec<Action>; 3], goal: Expr) -> Program {
    let target = TargetKind::Call;
    let (name, function_name) = ("error".to_owned(), "main".to_owned());
    Program {
        globals: Vec::new(),
        functions: vec![get, function("main", None, parts, Some(goal))],
        main: FunctionId(1),
        inputs: vec![bit()],
        unknowns: Vec::new(),
        targets: vec![Target { kind: target, name, function: function_name, span: span() }],
        memory,
    }
}

/// A function that does nothing.
fn nothing() -> Function {
    function("get", Some(1), [Vec::new(), Vec::new(), Vec::new()], None)
}

fn number(number: i128) -> Expr {
    Expr::constant(number)
}

/// Two arrays of numbers in one region.
fn two_arrays() -> Memory {
    memory(&[NUMBER], vec![vec![field(A, 1, 1)]], &[(0, MANY), (0, MANY)])
}

/// A list: values and next ones.
fn list() -> Memory {
    memory(&[NUMBER, Content::Pointer(ClassId(0))], vec![vec![field(A, 1, 1), field(B, 1, 1)]], &[])
}

/// An array of numbers, and one of pointers to them.
fn array_of_pointers() -> Memory {
    memory(
        &[NUMBER, Content::Pointer(ClassId(0))],
        vec![vec![field(A, 1, 1)], vec![field(B, 1, 1)]],
        &[(0, MANY), (1, MANY)],
    )
}

/// What a mistake would be, and the program whose run it would lose.
fn programs() -> Vec<(&'static str, Program)> {
    [about_elements(), about_contents(), about_objects(), about_allocations()].concat()
}

/// The numbers of elements.
fn about_elements() -> Vec<(&'static str, Program)> {
    let none = Vec::new;
    let shared = |strides: [u64; 2]| {
        memory(
            &[NUMBER],
            vec![vec![field(A, strides[0], 2)], vec![field(A, strides[1], 1)]],
            &[(0, MANY), (1, MANY)],
        )
    };
    let pointers = array_of_pointers();
    let member = |pointer: Expr| pointer.unary(Op::Member(4, 0));
    vec![
        (
            "a gap is left out",
            program(
                two_arrays(),
                nothing(),
                [vec![choose_index(), store(A, indexed(0), number(3))], none(), none()],
                plus(object(0), MANY.into())
                    .compare(Relation::NotEqual, object(1))
                    .and(is(load(A, indexed(0)), number(3))),
            ),
        ),
        (
            "the bound of pointers ends with the last object, though one behind it may be pointed to",
            program(
                pointers,
                nothing(),
                [
                    vec![choose_index(), store(B, indexed(1), plus(object(0), MANY.into()))],
                    none(),
                    // What is stored and what is loaded are in steps of their own.
                    vec![fill_nothing()],
                ],
                is(load(B, indexed(1)), plus(object(0), MANY.into())),
            ),
        ),
        (
            "an element before its object is an element of the object before",
            program(
                shared([4, 1]),
                nothing(),
                [
                    vec![choose_index(), store(A, plus(member(plus(indexed(0), -1)), 4), number(1))],
                    none(),
                    none(),
                ],
                is(load(A, member(indexed(0))), number(1)),
            ),
        ),
        (
            "what is copied comes from elsewhere",
            program(
                two_arrays(),
                nothing(),
                [vec![choose_index(), store(A, indexed(0), number(1)), copy()], none(), vec![fill_nothing()]],
                is(load(A, indexed(1)), number(1)),
            ),
        ),
        (
            "classes of one region have numbers of their own",
            program(
                shared([1, 1]),
                nothing(),
                [
                    vec![choose_index(), store(A, indexed(0), number(1)), store(A, indexed(1), number(2))],
                    none(),
                    none(),
                ],
                is(load(A, indexed(0)), number(1)),
            ),
        ),
    ]
}

/// What is in cells at first, and in few of them.
fn about_contents() -> Vec<(&'static str, Program)> {
    let none = Vec::new;
    let mut told = array_of_pointers();
    told.objects[1].cells.push((B, 1, Initial::Pointer(ObjectId(0), 2)));
    vec![
        (
            "what is stored in one of few cells is in others",
            program(
                memory(
                    &[NUMBER, NUMBER],
                    vec![vec![field(A, 1, 1)], vec![field(B, 1, 1)]],
                    &[(0, MANY), (1, 4)],
                ),
                nothing(),
                [
                    vec![choose_index(), store(A, indexed(0), number(3)), store(B, indexed(1), number(1))],
                    none(),
                    vec![fill_nothing()],
                ],
                is(load(A, indexed(0)), number(3))
                    .and(is(load(B, indexed(1)), number(1)))
                    .and(is(load(B, object(1)), number(0))),
            ),
        ),
        (
            "what is there at first is left out",
            program(
                told,
                nothing(),
                [vec![choose_index()], none(), vec![fill_nothing()]],
                is(load(B, indexed(1)), plus(object(0), 2)),
            ),
        ),
    ]
}

/// Pointers in memory, and what functions have of their own.
fn about_objects() -> Vec<(&'static str, Program)> {
    let none = Vec::new;
    let counts = vec![set(Y, plus(read(Y), 1))];
    let getting = |actions, result| function("get", Some(result), [actions, none(), none()], None);
    vec![
        (
            "a copy's locals are kept",
            program(
                two_arrays(),
                getting(counts, 1),
                [none(), vec![call(Y)], vec![store(A, indexed(0), number(3))]],
                is(read(Y), number(1)).and(is(load(A, indexed(0)), number(3))),
            ),
        ),
        (
            "what is compared is in regions with numbers of their own",
            program(
                two_arrays(),
                nothing(),
                [
                    vec![choose_index(), store(A, indexed(0), number(3)), store(A, indexed(1), number(4))],
                    none(),
                    none(),
                ],
                indexed(0)
                    .compare(Relation::NotEqual, indexed(1))
                    .and(is(load(A, indexed(0)), number(3)))
                    .and(is(load(A, indexed(1)), number(4))),
            ),
        ),
        (
            "the bound of pointers in memory is too small",
            program(
                list(),
                nothing(),
                [none(), vec![allocate(P), store(B, read(P), read(P)), store(A, read(P), number(1))], none()],
                is(load(A, load(B, read(P))), number(1)),
            ),
        ),
        (
            "what is wild is not in memory",
            program(
                list(),
                nothing(),
                [none(), vec![allocate(P), store(B, read(P), number(WILD))], none()],
                is(load(B, read(P)), number(WILD)),
            ),
        ),
    ]
}

/// What is allocated again and again.
fn about_allocations() -> Vec<(&'static str, Program)> {
    let none = Vec::new;
    let new = vec![allocate(P)];
    let getting = |actions, result| function("get", Some(result), [actions, none(), none()], None);
    vec![
        (
            "what is allocated takes one number",
            program(
                list(),
                nothing(),
                [
                    none(),
                    vec![
                        set(Q, read(P)),
                        allocate_many(P, 8),
                        store(A, plus(read(P), 0), read(I)),
                        store(A, plus(read(P), 3), read(I)),
                    ],
                    none(),
                ],
                is(load(A, plus(read(Q), 3)), number(0)),
            ),
        ),
        (
            "what is moved is not looked at",
            program(
                list(),
                nothing(),
                [
                    none(),
                    vec![allocate(P), store(B, read(P), read(P)), set(Q, read(P)), reallocate(Q, Q)],
                    none(),
                ],
                is(load(B, read(Q)), read(P)),
            ),
        ),
        (
            "what is allocated in a loop is one object",
            program(
                list(),
                nothing(),
                [none(), vec![set(Q, read(P)), allocate(P), store(A, read(P), read(I))], none()],
                is(load(A, read(Q)), number(0)),
            ),
        ),
        (
            "what a function allocates in two calls is one object",
            program(
                list(),
                getting(new, 3),
                [
                    vec![call(P), call(Q), store(A, read(P), number(1)), store(A, read(Q), number(2))],
                    none(),
                    none(),
                ],
                is(load(A, read(P)), number(1)),
            ),
        ),
    ]
}

#[test]
fn no_run_is_lost() {
    let bounds = Bounds { number: 40, states: 2_000 };
    for (mistake, program) in programs() {
        assert!(enumerate(&program, bounds).reaches, "{mistake}: there is a run");
        let lines = lines(&program);
        assert!(enumerate(&lines, bounds).reaches, "{mistake}\n{}", integers::show(&lines));
        if !integers::cells::has_memory(&lines) {
            continue;
        }
        let cells = cells(&program, &Choice::natural(&program));
        let twin = Twin::new(&lines, &cells);
        let random = &mut Random::new(0);
        let run = (0..200).map(|_| some_run(&lines, random)).find(|run| run.is_at_target);
        let run = run.expect("some run is at the target");
        // Whichever two cells are followed and not watched, nothing is lost. (What pointers in memory may be is not known here.)
        let track =
            |region| Tracked { region, n_cells: 2, at: (region != A).then_some(A), watched: Vec::new() };
        let both =
            Choice { tracked: (0..lines.memory.regions.len()).map(RegionId::new).map(track).collect() };
        let pairs = integers::cells::cells(&program, &both);
        let pairs = Twin::new(&lines, &pairs);
        let all = if lines.memory.regions.len() == 1 { ghosts(&pairs, random, true) } else { Vec::new() };
        for ghosts in &all {
            assert!(!matches!(pairs.follow(&run, ghosts), Err(Lost::At(_))), "{mistake}, cells {ghosts:?}");
        }
        let all = ghosts(&twin, random, true);
        let is_followed = all.iter().any(|ghosts| twin.follow(&run, ghosts).is_ok());
        assert!(is_followed, "{mistake}\n{}\n{}", integers::show(&lines), integers::show(&cells));
    }
}

/// What nothing was stored in may hold anything, but it does not change by being copied.
#[test]
fn a_copy_of_what_nothing_was_stored_in_is_equal() {
    let copied = |count: i128| {
        let (class, count) = (ClassId(0), number(count));
        Action::Manage(Manage::Copy { class, to: read(Q), from: read(P), count })
    };
    let numbers = || memory(&[NUMBER], vec![vec![field(A, 1, 1)]], &[]);
    let at = |pointer: Place| load(A, plus(read(pointer), 1));
    let differs = |count| {
        let made = vec![allocate_many(P, 3), allocate_many(Q, 3), copied(count)];
        let differ = at(P).compare(Relation::NotEqual, at(Q));
        program(numbers(), nothing(), [made, Vec::new(), Vec::new()], differ)
    };
    for (count, reaches) in [(1, true), (2, false), (3, false)] {
        let program = differs(count);
        let all = enumerate(&program, Bounds { number: 8, states: 4000 });
        assert!(all.is_complete, "{count} cells");
        assert_eq!(all.reaches, reaches, "{count} cells");
        let runs = explore(&program, Quest::Target(Goal::Any), &Budget::default());
        assert_eq!(runs.reached.is_some(), reaches, "{count} cells");
    }
}

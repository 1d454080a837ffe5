//! Bits as arithmetic: what the text of SMT-LIB says is what the operation is, and leaving out what does nothing changes nothing.

use base::{FileId, Random, Span};
use generate::random::seeds;
use integers::evaluate::{Environment, evaluate};
use integers::{
    Action, Bitwise, Edge, Expr, Function, FunctionId, Integers, Node, NodeId, Op, Place, Program, Role,
    Step, Type, UnknownId, Value, Variable, narrow, smtlib, wrapped,
};

/// What variables hold.
struct Holds<'n>(&'n [i128]);

impl Environment for Holds<'_> {
    fn read(&self, place: Place) -> Value {
        let Place::Local(n) = place else { unreachable!("there are locals only") };
        Value::Number(self.0[n as usize])
    }

    fn input(&self, _: u32) -> i128 {
        unreachable!("there is none")
    }

    fn unknown(&self, _: u32) -> UnknownId {
        unreachable!("there is none")
    }
}

/// A term or a formula of SMT-LIB over integers, as its definition says: the twin of a solver.
struct Meaning<'t> {
    words: Vec<&'t str>,
    at: usize,
    scope: Vec<(&'t str, i128)>,
}

impl<'t> Meaning<'t> {
    fn of(text: &'t str, holds: &[i128]) -> i128 {
        let names = ["a", "b", "c"];
        let spaced = text.split_inclusive(['(', ')', ' ']);
        let words = spaced.flat_map(|part| {
            let end = part.len() - usize::from(part.ends_with(['(', ')', ' ']));
            [&part[..end], part[end..].trim()]
        });
        let scope = names.into_iter().zip(holds.iter().copied()).collect();
        let mut meaning = Self { words: words.filter(|word| !word.is_empty()).collect(), at: 0, scope };
        let value = meaning.value();
        assert_eq!(meaning.at, meaning.words.len(), "all of it was read: {text}");
        value
    }

    fn next(&mut self) -> &'t str {
        self.at += 1;
        self.words[self.at - 1]
    }

    fn value(&mut self) -> i128 {
        let word = self.next();
        if word != "(" {
            let named = self.scope.iter().rev().find(|(name, _)| *name == word);
            return named.map_or_else(|| word.parse().expect("a number"), |(_, value)| *value);
        }
        let head = self.next();
        if head == "let" {
            return self.bound();
        }
        let mut operands = Vec::new();
        while self.words[self.at] != ")" {
            operands.push(self.value());
        }
        self.at += 1;
        let chain = |holds: fn(&i128, &i128) -> bool| {
            i128::from(operands.windows(2).all(|pair| holds(&pair[0], &pair[1])))
        };
        match (head, &operands[..]) {
            ("+", all) => all.iter().sum(),
            ("-", [one]) => -one,
            ("-", [left, right]) => left - right,
            ("*", [left, right]) => left * right,
            ("div", [left, right]) => left.div_euclid(*right),
            ("mod", [left, right]) => left.rem_euclid(*right),
            ("ite", [condition, yes, no]) => *if *condition != 0 { yes } else { no },
            ("=", _) => chain(|a, b| a == b),
            ("<=", _) => chain(|a, b| a <= b),
            ("and", all) => all.iter().copied().min().expect("there are operands"),
            ("or", all) => all.iter().copied().max().expect("there are operands"),
            ("xor", [left, right]) => i128::from(left != right),
            other => panic!("{other:?} is not read here"),
        }
    }

    /// `(let ((name term) …) body)`: the terms do not see each other.
    fn bound(&mut self) -> i128 {
        let mut bindings = Vec::new();
        assert_eq!(self.next(), "(");
        while self.next() == "(" {
            let name = self.next();
            bindings.push((name, self.value()));
            assert_eq!(self.next(), ")");
        }
        let outer = self.scope.len();
        self.scope.extend(bindings);
        let value = self.value();
        self.scope.truncate(outer);
        assert_eq!(self.next(), ")");
        value
    }
}

fn read(n: u32) -> Expr {
    Expr::read(Place::Local(n))
}

const BITWISE: [Bitwise; 3] = [Bitwise::And, Bitwise::Or, Bitwise::Xor];

/// The operation and its text, on some numbers.
#[track_caller]
fn compare(term: &Expr, holds: &[i128]) {
    let text = smtlib::text(term, |op| {
        let Op::Read(Place::Local(n)) = op else { unreachable!("there are locals only") };
        ["a", "b", "c"][n as usize].to_owned()
    });
    let is_defined = text.defined.is_none_or(|defined| Meaning::of(&defined, holds) != 0);
    match evaluate(term, &Holds(holds), Integers::Mathematical) {
        Value::Number(number) => {
            assert!(is_defined, "{term:?} {holds:?}");
            assert_eq!(Meaning::of(&text.text, holds), number, "{term:?} {holds:?}");
        }
        Value::Undefined(_) => assert!(!is_defined, "{term:?} {holds:?}"),
        Value::Unknown(_) => unreachable!("everything is known"),
    }
}

#[test]
fn small_numbers_are_all_compared() {
    let small = -20..=20;
    for (a, b) in small.clone().flat_map(|a| small.clone().map(move |b| (a, b))) {
        for bitwise in BITWISE {
            compare(&read(0).unary(Op::BitsWith(bitwise, b)), &[a]);
            for ty in [Type::unsigned(1), Type::signed(4), Type::unsigned(5)] {
                let result = read(0).binary(Op::Bits(bitwise, ty), read(1));
                compare(&result, &[a, b]);
                let exact = ty.wrap(bitwise.apply(a, b));
                assert_eq!(evaluate(&result, &Holds(&[a, b]), Integers::Machine), Value::Number(exact));
            }
        }
        for op in [Op::ShiftLeft(Type::signed(6)), Op::ShiftRight(Type::unsigned(6))] {
            compare(&read(0).binary(op, read(1)), &[a, b]);
            compare(&read(0).binary(op, Expr::constant(b)), &[a]);
        }
    }
}

fn wide(random: &mut Random) -> i128 {
    match random.below(4) {
        0 => i128::from(random.draw() as i64),
        1 => i128::from(random.draw() as i32),
        2 => *random.pick(&[i128::from(i64::MIN), i128::from(u64::MAX), 1 << 31, -1, 255]),
        _ => i128::from(random.below(70)) - 5,
    }
}

#[test]
fn wide_numbers_are_compared_at_random() {
    for seed in seeds(0..2000) {
        let mut random = Random::new(seed);
        let (a, b, given) = (wide(&mut random), wide(&mut random), wide(&mut random));
        let bitwise = *random.pick(&BITWISE);
        let ty = Type { bits: 1 + random.below(64) as u8, signed: random.chance(50) };
        let sum = read(0).binary(Op::Subtract, read(1));
        compare(&sum.clone().unary(Op::BitsWith(bitwise, given)), &[a, b]);
        compare(&read(1).binary(Op::Bits(bitwise, ty), sum.clone()), &[a, b]);
        compare(&sum.clone().binary(Op::ShiftRight(ty), read(1)), &[a, b]);
        compare(&read(0).unary(Op::Wrap(Type::signed(32))).binary(Op::ShiftLeft(ty), sum), &[a, b]);
    }
}

const TYPES: [Type; 6] = [
    Type::unsigned(1),
    Type::signed(8),
    Type::unsigned(8),
    Type::unsigned(32),
    Type::signed(32),
    Type::unsigned(64),
];

/// A term as lowering makes them: in any type, marked or wrapped.
fn term(random: &mut Random, depth: u32) -> Expr {
    if depth == 0 || random.chance(15) {
        return match random.below(3) {
            0 => Expr::constant(wide(random)),
            _ => read(random.below(6) as u32),
        };
    }
    let ty = *random.pick(&[TYPES[1], TYPES[2], TYPES[3], TYPES[4], Type::signed(64)]);
    let left = term(random, depth - 1);
    match random.below(10) {
        0 => left.unary(Op::BitsWith(*random.pick(&BITWISE), wide(random))),
        1 | 2 => left.binary(Op::Bits(*random.pick(&BITWISE), ty), term(random, depth - 1)),
        3 => left.binary(Op::ShiftLeft(ty), Expr::constant(random.below(8).into())).unary(Op::Within(ty)),
        4 => left.binary(Op::ShiftRight(ty), term(random, depth - 1)),
        5 => {
            let truth = |term: Expr| term.is_nonzero().unary(Op::Number);
            let right = truth(term(random, depth - 1));
            truth(left).binary(Op::Bits(*random.pick(&BITWISE), ty), right)
        }
        6 => left.unary(Op::Wrap(ty)),
        // One bit, or all others.
        9 => {
            let ty = Type::unsigned(32);
            let one = Expr::constant(1).binary(Op::ShiftLeft(ty), term(random, 1));
            let others = Expr::constant(ty.max()).binary(Op::Subtract, one.clone());
            let single = random.pick(&[one, others]).clone();
            read(3).binary(Op::Bits(*random.pick(&BITWISE), ty), single)
        }
        _ => {
            let op = *random.pick(&[Op::Add, Op::Subtract, Op::Multiply]);
            let mark = if random.chance(50) { Op::Within(ty) } else { Op::Wrap(ty) };
            left.binary(op, term(random, depth - 1)).unary(mark)
        }
    }
}

/// A program of one step, which stores the term.
fn storing(term: &Expr) -> Program {
    let span = Span::new(FileId(0), 0..0);
    let locals = TYPES.iter().map(|ty| Variable { name: "x".to_owned(), ty: *ty, span }).collect();
    let step = Step::new(Expr::truth(true), vec![(Place::Local(5), term.clone())]);
    let (entry, exit) = (NodeId::new(0), NodeId::new(1));
    let function = Function {
        name: "main".to_owned(),
        span,
        locals,
        n_params: 0,
        result: None,
        nodes: vec![Node { role: Role::Plain, span }; 2],
        edges: vec![Edge { from: entry, to: exit, action: Action::Step(step), span }],
        entry,
        exit,
    };
    Program {
        globals: Vec::new(),
        functions: vec![function],
        main: FunctionId(0),
        inputs: Vec::new(),
        unknowns: Vec::new(),
        targets: Vec::new(),
        memory: integers::memory::Memory::default(),
    }
}

fn stored(program: &Program) -> Expr {
    match &program.functions[0].edges[0].action {
        Action::Step(step) => step.updates[0].1.clone(),
        _ => unreachable!("it is a step"),
    }
}

#[test]
fn what_is_left_out_does_nothing() {
    let (mut n_narrowed, mut n_values, mut n_undefined) = (0, 0, 0);
    let chosen = seeds(0..3000);
    for seed in chosen.clone() {
        let mut random = Random::new(seed);
        let depth = 1 + random.below(4) as u32;
        let program = storing(&term(&mut random, depth));
        let mut narrowed = program.clone();
        narrow(&mut narrowed);
        n_narrowed += usize::from(stored(&program) != stored(&narrowed));
        for _ in 0..10 {
            // What is signed and wide may hold any number where nothing is done about overflows.
            let held: Vec<i128> = TYPES.iter().map(|ty| ty.wrap(wide(&mut random))).collect();
            let mut loose = held.clone();
            loose[4] = wide(&mut random);
            let meanings = [
                (stored(&program), stored(&narrowed), Integers::Mathematical, &loose),
                (stored(&program), stored(&narrowed), Integers::Machine, &held),
                (stored(&wrapped(&program)), stored(&wrapped(&narrowed)), Integers::Mathematical, &held),
            ];
            for (before, after, integers, held) in meanings {
                let value = |expr: &Expr| evaluate(expr, &Holds(held), integers);
                // Numbers that are too large to be computed may be avoided.
                let before = value(&before);
                if before == Value::Undefined(integers::Undefined::TooLarge) {
                    continue;
                }
                assert_eq!(value(&after), before, "GETAFIX_SEED={seed}: {:?}, {held:?}", stored(&program));
                match before {
                    Value::Number(_) => n_values += 1,
                    _ => n_undefined += 1,
                }
            }
        }
    }
    println!("{n_narrowed} narrowed, {n_values} values, {n_undefined} undefined");
    let is_all = chosen.end - chosen.start >= 3000;
    assert!(!is_all || n_narrowed > 1000 && n_values > 30_000 && n_undefined > 3000, "too little was met");
}

#[test]
fn what_is_there_twice_cancels_out() {
    let mut n_shorter = 0;
    for seed in seeds(0..2000) {
        let mut random = Random::new(seed);
        let ty = *random.pick(&[Type::unsigned(8), Type::signed(32), Type::unsigned(64)]);
        let xor = |left: Expr, right: Expr| left.binary(Op::Bits(Bitwise::Xor, ty), right);
        let (a, b) = (term(&mut random, 2), term(&mut random, 2));
        let shape = match random.below(3) {
            0 => xor(xor(read(10), read(11)), read(12)),
            1 => xor(read(12), xor(read(10), read(11))),
            _ => xor(read(12), xor(read(10), read(11)).unary(Op::Wrap(Type::signed(64)))),
        };
        let third = if random.chance(50) { a.clone() } else { b.clone() };
        let raw = shape.substitute(|op| match op {
            Op::Read(Place::Local(10)) => Some(a.clone()),
            Op::Read(Place::Local(11)) => Some(b.clone()),
            Op::Read(Place::Local(12)) => Some(third.clone()),
            _ => None,
        });
        let simple = raw.simplified();
        n_shorter += usize::from(simple.code().len() < raw.code().len());
        for _ in 0..10 {
            let held: Vec<i128> = TYPES.iter().map(|ty| ty.wrap(wide(&mut random))).collect();
            for integers in [Integers::Mathematical, Integers::Machine] {
                let value = |expr: &Expr| evaluate(expr, &Holds(&held), integers);
                assert_eq!(value(&simple), value(&raw), "GETAFIX_SEED={seed}: {raw:?}");
            }
        }
    }
    assert!(
        n_shorter > 0 && (generate::random::seeds(0..2000).end < 2000 || n_shorter > 500),
        "{n_shorter} became shorter"
    );
}

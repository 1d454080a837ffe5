//! Formulas that people write: what is printed is read as the same, and what is wrong is said with its place.

use base::{Random, Sources, Span};
use generate::random::seeds;
use integers::evaluate::{Environment, Integers, Value, evaluate};
use integers::read::{Reader, predicates};
use integers::{
    Bitwise, Expr, Function, FunctionId, Global, Names, NodeId, Op, Place, Program, Relation, Start, Type,
    UnknownId, Variable,
};

fn variable(name: &str) -> Variable {
    let mut sources = Sources::default();
    let span = Span::new(sources.add("", ""), 0..0);
    Variable { name: name.to_owned(), ty: Type::signed(32), span }
}

fn function(name: &str, locals: &[&str]) -> Function {
    let Variable { span, .. } = variable("");
    let node = integers::Node { role: integers::Role::Plain, span };
    Function {
        name: name.to_owned(),
        span,
        locals: locals.iter().map(|name| variable(name)).collect(),
        n_params: 0,
        result: None,
        nodes: vec![node.clone(), node],
        edges: Vec::new(),
        entry: NodeId(0),
        exit: NodeId(1),
    }
}

/// Globals `g` and `x`; `f` has a local `x`, `main` two.
fn program() -> Program {
    let global = |name| Global { variable: variable(name), start: Start::Number(0) };
    Program {
        globals: vec![global("g"), global("x")],
        functions: vec![function("f", &["x", "$ret", "x$0"]), function("main", &["x", "i", "x"])],
        main: FunctionId(1),
        inputs: Vec::new(),
        unknowns: Vec::new(),
        targets: Vec::new(),
        memory: integers::Memory::default(),
    }
}

fn read(text: &str, id: u32) -> Result<Expr, String> {
    let mut sources = Sources::default();
    let file = sources.add("p", text);
    let names = Names::new(&program(), FunctionId(id));
    let formula = || {
        let mut reader = Reader::file(&sources, file)?;
        let formula = reader.formula(&names)?;
        if reader.is_at_end() { Ok(formula) } else { Err(reader.unexpected("an operator")) }
    };
    formula().map_err(|error| base::render(&sources, &error))
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let formula = read(text, 0).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Names::new(&program(), FunctionId(0)).show(&formula), expected);
}

#[test]
fn formulas_are_those_of_c() {
    check("x = x$0 + 1", "x == x$0 + 1");
    check("a_is_no > 0 || true".replace("a_is_no", "g").as_str(), "g > 0 || true");
    check("!x", "x == 0");
    check("!(x < 3 && g)", "!(x < 3 && g != 0)");
    check("x#0 - (g - 1) * -2 >= 0x10", "x#0 - (g - 1) * -2 >= 16");
    check("x ? g > 1 : 5", "(x != 0 ? g > 1 : 5) != 0");
    check("x ? 1 : g ? 2 : 3", "(x != 0 ? 1 : g != 0 ? 2 : 3) != 0");
    check("x > 1 ? g ? 1 : 2 : 3", "(x > 1 ? (g != 0 ? 1 : 2) : 3) != 0");
    check("(x || g ? 1 : 2) + 1 > 2 * g", "(x != 0 || g != 0 ? 1 : 2) + 1 > 2 * g");
    check("-(x + 1) * 2 > !g", "-(x + 1) * 2 > (g == 0)");
    check("1 < x && x < 2 || x - 1 - g > 3", "1 < x && x < 2 || x - 1 - g > 3");
    check("1 + 2 * 3 == 7", "true");
    check("(x < g) == (g < x)", "(x < g) == (g < x)");
    check("uint8(x + 1) % 2 = 0 // comment", "uint8(x + 1) % 2 == 0");
    check("- - x > +3", "-(-x) > 3");
    check("x == 1 && g == 2 || $ret / 2 != 3", "x == 1 && g == 2 || $ret / 2 != 3");
    check("(x == 1) != g", "(x == 1) != g");
}

#[track_caller]
fn check_error(text: &str, id: u32, expected: &str) {
    assert_eq!(read(text, id).expect_err("it is wrong"), expected);
}

#[test]
fn mistakes_have_places() {
    check_error(
        "x > y1",
        0,
        "error: there is no variable `y1` here\n  --> p:1:5\n 1 | x > y1\n   |     ^^\n",
    );
    check_error("x > 0", 1, "error: `x` is one of `x#1`, `x#2`, `x#0`\n  --> p:1:1\n 1 | x > 0\n   | ^\n");
    check_error(
        "x >",
        0,
        "error: expected a variable or a number, found the end\n  --> p:1:4\n 1 | x >\n   |    ^\n",
    );
    check_error(
        "0 < x < 5",
        0,
        "error: comparisons do not chain\n  --> p:1:7\n 1 | 0 < x < 5\n   |       ^\nnote: write `a < b && b < c`, or parentheses\n",
    );
    check_error(
        "f(x) > 1",
        0,
        "error: `f` is no type, and functions are not called here\n  --> p:1:1\n 1 | f(x) > 1\n   | ^\n",
    );
    check_error("x \\ 1", 0, "error: `\\` is not part of a formula\n  --> p:1:3\n 1 | x \\ 1\n   |   ^\n");
    let unclear = "note: write parentheses, as in `(x & 1) == 0`\n";
    check_error(
        "x & 1 == 0",
        0,
        &format!(
            "error: it is not clear what is compared\n  --> p:1:7\n 1 | x & 1 == 0\n   |       ^^\n{unclear}"
        ),
    );
    check_error(
        "x == 1 | 2",
        0,
        &format!(
            "error: it is not clear what is compared\n  --> p:1:8\n 1 | x == 1 | 2\n   |        ^\n{unclear}"
        ),
    );
    check_error(
        "shl32(x) > 1",
        0,
        "error: expected `,`, found `)`\n  --> p:1:8\n 1 | shl32(x) > 1\n   |        ^\n",
    );
    check_error("x > 12a", 0, "error: `12a` is no number\n  --> p:1:5\n 1 | x > 12a\n   |     ^^^\n");
    check_error(
        "x#7 > 1",
        0,
        "error: there is no variable `x#7` here\n  --> p:1:1\n 1 | x#7 > 1\n   | ^^^\nnote: did you mean `x#0`?\n",
    );
    check_error("(x > 1", 0, "error: expected `)`, found the end\n  --> p:1:7\n 1 | (x > 1\n   |       ^\n");
    check_error("x ? 1", 0, "error: expected `:`, found the end\n  --> p:1:6\n 1 | x ? 1\n   |      ^\n");
    check_error("(x ? 1)", 0, "error: expected `:`, found `)`\n  --> p:1:7\n 1 | (x ? 1)\n   |       ^\n");
    check_error(
        "x > 0)",
        0,
        "error: expected an operator, found `)`\n  --> p:1:6\n 1 | x > 0)\n   |      ^\n",
    );
    let nested = format!("{}x > 0{}", "!(".repeat(100_000), ")".repeat(100_000));
    assert!(read(&nested, 0).is_ok());
    let long = vec!["x > 0"; 50_000].join(" && ");
    assert!(read(&long, 0).is_ok());
}

#[test]
fn predicates_belong_to_functions() {
    let read = |text: &str| {
        let mut sources = Sources::default();
        let file = sources.add("p", text);
        predicates(&program(), &sources, file)
            .map(|list| {
                let show = |(id, formula): &(FunctionId, Expr)| {
                    format!("{}: {}", id.0, Names::new(&program(), *id).show(formula))
                };
                list.iter().map(show).collect::<Vec<_>>()
            })
            .map_err(|error| base::render(&sources, &error))
    };
    let text = "# two functions\nf: x > 0, x = x$0 + 1;\nmain: i < g;\n*: g > 0, x$0 == 1;\n";
    assert_eq!(
        read(text),
        Ok(["0: x > 0", "0: x == x$0 + 1", "1: i < g", "0: g > 0", "1: g > 0", "0: x$0 == 1"]
            .map(str::to_owned)
            .to_vec())
    );
    assert_eq!(read(""), Ok(Vec::new()));
    let error =
        |text| read(text).expect_err("it is wrong").lines().next().map(str::to_owned).unwrap_or_default();
    assert_eq!(error("h: x > 0;"), "error: there is no function `h`");
    assert_eq!(error("f: x > 0"), "error: expected `;`, found the end");
    assert_eq!(error("f x > 0;"), "error: expected `:`, found `x`");
    assert_eq!(error("*: nothing > 0;"), "error: there is no variable `nothing` here");
    assert_eq!(error("f: ;"), "error: expected a variable or a number, found `;`");
}

struct Formulas<'r>(&'r mut Random);

impl Formulas<'_> {
    fn term(&mut self, depth: u32) -> Expr {
        let random = &mut *self.0;
        let places = [Place::Global(0), Place::Global(1), Place::Local(0), Place::Local(1), Place::Local(2)];
        if depth == 0 || random.chance(20) {
            return match random.below(3) {
                0 => Expr::constant(i128::from(random.below(13)) - 6),
                _ => Expr::read(*random.pick(&places)),
            };
        }
        let remainder = Op::Remainder(Type::signed(64));
        match random.below(14) {
            10 => {
                let bitwise = *random.pick(&[Bitwise::And, Bitwise::Or, Bitwise::Xor]);
                let number = i128::from(random.below(40)) - 20;
                self.term(depth - 1).unary(Op::BitsWith(bitwise, number))
            }
            11 => {
                let bitwise = *random.pick(&[Bitwise::And, Bitwise::Or, Bitwise::Xor]);
                let ty = *random.pick(&[Type::unsigned(3), Type::signed(4), Type::signed(64)]);
                self.term(depth - 1).binary(Op::Bits(bitwise, ty), self.term(depth - 1))
            }
            12 | 13 => {
                let ty = *random.pick(&[Type::signed(3), Type::signed(32), Type::signed(64)]);
                let op = *random.pick(&[Op::ShiftLeft(ty), Op::ShiftRight(ty)]);
                self.term(depth - 1).binary(op, self.term(depth - 1))
            }
            0 => self.term(depth - 1).unary(Op::Negate),
            1 => self.formula(depth - 1).unary(Op::Number),
            2 => Expr::choose(self.formula(depth - 1), self.term(depth - 1), self.term(depth - 1)),
            3 => {
                let ty = *self.0.pick(&[Type::unsigned(3), Type::signed(4)]);
                self.term(depth - 1).unary(Op::Wrap(ty))
            }
            _ => {
                let op = *self.0.pick(&[Op::Add, Op::Subtract, Op::Multiply, Op::Divide, remainder]);
                self.term(depth - 1).binary(op, self.term(depth - 1))
            }
        }
    }

    fn formula(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.0.chance(30) {
            use Relation::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
            let relation = *self.0.pick(&[Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual]);
            return self.term(depth / 2).compare(relation, self.term(depth / 2));
        }
        match self.0.below(4) {
            0 => self.formula(depth - 1).not(),
            1 => self.formula(depth - 1).binary(Op::Or, self.formula(depth - 1)),
            2 => self.formula(depth - 1).and(self.formula(depth - 1)),
            _ => self.term(depth - 1).is_nonzero(),
        }
    }
}

struct Holds([i128; 5]);

impl Environment for Holds {
    fn read(&self, place: Place) -> Value {
        Value::Number(match place {
            Place::Global(n) => self.0[n as usize],
            Place::Local(n) => self.0[2 + n as usize],
        })
    }

    fn input(&self, _: u32) -> i128 {
        unreachable!("there is none")
    }

    fn unknown(&self, _: u32) -> UnknownId {
        unreachable!("there is none")
    }
}

#[test]
fn what_is_printed_is_read_as_the_same() {
    let (mut n_true, mut n_false, mut n_undefined) = (0, 0, 0);
    for seed in seeds(0..2000) {
        let mut random = Random::new(seed);
        let id = random.below(2) as u32;
        let depth = 1 + random.below(4) as u32;
        let formula = Formulas(&mut random).formula(depth);
        let names = Names::new(&program(), FunctionId(id));
        let text = names.show(&formula);
        let again = read(&text, id).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(names.show(&again), text, "GETAFIX_SEED={seed}");
        for _ in 0..5 {
            let mut number = || i128::from(random.below(9)) - 4;
            let holds = Holds([number(), number(), number(), number(), number()]);
            let value = evaluate(&formula, &holds, Integers::Mathematical);
            assert_eq!(
                value,
                evaluate(&again, &holds, Integers::Mathematical),
                "GETAFIX_SEED={seed}: {text}"
            );
            match value {
                Value::Number(0) => n_false += 1,
                Value::Number(_) => n_true += 1,
                _ => n_undefined += 1,
            }
        }
    }
    assert!(n_true > 20 && n_false > 20 && n_undefined > 2, "{n_true} {n_false} {n_undefined}");
}

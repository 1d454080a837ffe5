//! Formulas over mathematical integers as expressions of C that have the same value: nothing in them overflows, wraps or changes its sign.
//!
//! Every part knows between which numbers it lies, given the types of its variables. Where the type in which C would compute does not hold operands
//! and result, they are cast to `long long`; where that is not enough, there is no such expression.

use integers::{Bitwise, Expr, Op, Relation, Type};

/// A part of an expression.
struct Part {
    text: String,
    /// How tightly its outermost operator binds; names and brackets bind most tightly.
    binds: u8,
    /// The type that C gives it.
    ty: Type,
    least: i128,
    most: i128,
}

const INT: Type = Type::signed(32);
const LONG: Type = Type::signed(64);

/// The text of a formula, if it has one. Each leaf that is no constant has a name and a type, or cannot be named.
pub fn express(formula: &Expr, name: &mut dyn FnMut(Op) -> Option<(String, Type)>) -> Option<String> {
    let whole = formula.fold(|op, operands: Vec<Option<Part>>| {
        let operands = operands.into_iter().collect::<Option<Vec<Part>>>()?;
        part(op, operands, name)
    });
    whole.map(|part| part.text)
}

fn part(op: Op, operands: Vec<Part>, name: &mut dyn FnMut(Op) -> Option<(String, Type)>) -> Option<Part> {
    let mut operands = operands.into_iter();
    let mut next = || operands.next().expect("the operation has this operand");
    match op {
        Op::Constant(number) => constant(number),
        Op::Truth(value) => constant(value.into()),
        Op::Read(_) => {
            let (text, ty) = name(op)?;
            Some(Part { text, binds: 12, ty, least: ty.min(), most: ty.max() })
        }
        Op::Input(_) | Op::Unknown(_) => None,
        // Nobody claims anything about memory by itself.
        Op::Object(_) | Op::Misuse(_) | Op::Load(_) | Op::Member(..) | Op::Initialised | Op::Difference => {
            None
        }
        // A truth value is a number in C.
        Op::Number | Op::Within(_) => Some(next()),
        Op::Not => {
            let operand = next();
            Some(truth(format!("!{}", bracketed(&operand, 11)), 11))
        }
        Op::And | Op::Or => {
            let (binds, sign) = if op == Op::And { (2, "&&") } else { (1, "||") };
            let (left, right) = (next(), next());
            // Compilers ask for brackets around one in the other.
            let side = |part: &Part| if part.binds == binds { part.text.clone() } else { bracketed(part, 3) };
            Some(truth(format!("{} {sign} {}", side(&left), side(&right)), binds))
        }
        Op::Compare(relation) => compare(relation, next(), next()),
        Op::Negate => arithmetic(Op::Subtract, constant(0)?, next()),
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Remainder(_) => {
            arithmetic(op, next(), next())
        }
        Op::BitsWith(bitwise, number) => bits(bitwise, next(), constant(number)?),
        // The low bits of both are those of the type, where they are numbers of it.
        Op::Bits(bitwise, ty) => bits(bitwise, wrap(ty, next())?, wrap(ty, next())?),
        Op::ShiftLeft(_) | Op::ShiftRight(_) => shift(op, next(), next()),
        Op::Wrap(ty) => wrap(ty, next()),
        Op::Choose => choose(next(), next(), next()),
    }
}

fn truth(text: String, binds: u8) -> Part {
    Part { text, binds, ty: INT, least: 0, most: 1 }
}

fn bracketed(part: &Part, least: u8) -> String {
    if part.binds >= least { part.text.clone() } else { format!("({})", part.text) }
}

fn constant(number: i128) -> Option<Part> {
    let (text, ty) = match number {
        n if n == INT.min() => ("(-2147483647 - 1)".to_owned(), INT),
        n if INT.contains(n) => (n.to_string(), INT),
        n if n == LONG.min() => ("(-9223372036854775807LL - 1)".to_owned(), LONG),
        n if LONG.contains(n) => (format!("{n}LL"), LONG),
        n if Type::unsigned(64).contains(n) => (format!("{n}ULL"), Type::unsigned(64)),
        _ => return None,
    };
    let binds = if text.starts_with('-') { 11 } else { 12 };
    Some(Part { text, binds, ty, least: number, most: number })
}

/// The type of arithmetic on two numbers.
fn usual(left: Type, right: Type) -> Type {
    let promoted = |ty: Type| if ty.bits < 32 { INT } else { ty };
    let (left, right) = (promoted(left), promoted(right));
    match left.bits.cmp(&right.bits) {
        std::cmp::Ordering::Greater => left,
        std::cmp::Ordering::Less => right,
        std::cmp::Ordering::Equal if left.signed => right,
        std::cmp::Ordering::Equal => left,
    }
}

fn holds(ty: Type, part: &Part) -> bool {
    ty.contains(part.least) && ty.contains(part.most)
}

/// The same number as a `long long`.
fn long(part: Part) -> Option<Part> {
    if !holds(LONG, &part) {
        return None;
    }
    match part.ty == LONG {
        true => Some(part),
        false => {
            Some(Part { text: format!("(long long){}", bracketed(&part, 11)), binds: 11, ty: LONG, ..part })
        }
    }
}

/// Both operands in a type in which C computes with the numbers that they are, and that type. `long long` takes them if it has to hold the result,
/// which lies between two numbers.
fn together(left: Part, right: Part, result: Option<(i128, i128)>) -> Option<(Part, Part, Type)> {
    let fits = |ty: Type| result.is_none_or(|(least, most)| ty.contains(least) && ty.contains(most));
    let ty = usual(left.ty, right.ty);
    if holds(ty, &left) && holds(ty, &right) && fits(ty) {
        return Some((left, right, ty));
    }
    // One cast is enough: the other operand is converted.
    let (left, right) = if holds(LONG, &right) { (long(left)?, right) } else { return None };
    let ty = usual(left.ty, right.ty);
    (ty == LONG && fits(LONG)).then_some((left, right, LONG))
}

fn compare(relation: Relation, left: Part, right: Part) -> Option<Part> {
    let (left, right, _) = together(left, right, None)?;
    let (binds, sign) = match relation {
        Relation::Equal => (6, "=="),
        Relation::NotEqual => (6, "!="),
        Relation::Less => (7, "<"),
        Relation::LessEqual => (7, "<="),
        Relation::Greater => (7, ">"),
        Relation::GreaterEqual => (7, ">="),
    };
    Some(truth(format!("{} {sign} {}", bracketed(&left, 8), bracketed(&right, 8)), binds))
}

fn arithmetic(op: Op, left: Part, right: Part) -> Option<Part> {
    let corners = |f: fn(i128, i128) -> Option<i128>| {
        let all = [
            (left.least, right.least),
            (left.least, right.most),
            (left.most, right.least),
            (left.most, right.most),
        ];
        let values = all.iter().map(|&(a, b)| f(a, b)).collect::<Option<Vec<i128>>>()?;
        Some((*values.iter().min()?, *values.iter().max()?))
    };
    let (least, most) = match op {
        Op::Add => corners(i128::checked_add)?,
        Op::Subtract => corners(i128::checked_sub)?,
        Op::Multiply => corners(i128::checked_mul)?,
        // The divisor is a constant that is not 0, so that the result is defined, and no larger than what is divided.
        _ if right.least != right.most || right.least == 0 => return None,
        Op::Divide => corners(i128::checked_div)?,
        _ => {
            let size = right.least.checked_abs()? - 1;
            (if left.least < 0 { -size } else { 0 }, if left.most > 0 { size } else { 0 })
        }
    };
    // C computes a remainder by way of the quotient, which has to fit as well.
    let through = match op {
        Op::Remainder(_) => {
            let (low, high) = corners(i128::checked_div)?;
            (least.min(low), most.max(high))
        }
        _ => (least, most),
    };
    let (left, right, ty) = together(left, right, Some(through))?;
    let (binds, sign) = match op {
        Op::Add => (9, "+"),
        Op::Subtract => (9, "-"),
        Op::Multiply => (10, "*"),
        Op::Divide => (10, "/"),
        _ => (10, "%"),
    };
    let text = match (op, &left.text[..]) {
        (Op::Subtract, "0") => {
            return Some(Part { text: format!("-{}", bracketed(&right, 12)), binds: 11, ty, least, most });
        }
        _ => format!("{} {sign} {}", bracketed(&left, binds), bracketed(&right, binds + 1)),
    };
    Some(Part { text, binds, ty, least, most })
}

/// Bits of two numbers, in a type that holds both.
fn bits(bitwise: Bitwise, left: Part, right: Part) -> Option<Part> {
    let (left, right, ty) = together(left, right, None)?;
    let (least, most) = bitwise.between((left.least, left.most), (right.least, right.most));
    let binds = match bitwise {
        Bitwise::Or => 3,
        Bitwise::Xor => 4,
        Bitwise::And => 5,
    };
    // Compilers ask for brackets around everything that is no name.
    let text = format!("{} {} {}", bracketed(&left, 11), bitwise.sign(), bracketed(&right, 11));
    Some(Part { text, binds, ty, least, most })
}

/// A shift by a constant: a product, or a quotient that is rounded down, as all compilers do.
fn shift(op: Op, left: Part, right: Part) -> Option<Part> {
    let distance =
        u32::try_from(right.least).ok().filter(|_| right.least == right.most && right.least < 63)?;
    if let Op::ShiftLeft(_) = op {
        return arithmetic(Op::Multiply, left, constant(1 << distance)?);
    }
    // The distance must be less than the width of what is shifted, in the type in which C shifts it.
    let left = if distance < 32 && holds(INT, &left) || left.ty.bits == 64 { left } else { long(left)? };
    let (least, most) = (left.least >> distance, left.most >> distance);
    let ty = usual(left.ty, INT);
    let text = format!("{} >> {distance}", bracketed(&left, 11));
    Some(Part { text, binds: 8, ty: if left.ty.bits < 32 { INT } else { ty }, least, most })
}

/// The low bits of a number: a cast to the type.
fn wrap(ty: Type, operand: Part) -> Option<Part> {
    if holds(ty, &operand) {
        return Some(operand);
    }
    let word = match (ty.signed, ty.bits) {
        (true, 8) => "signed char",
        (false, 8) => "unsigned char",
        (true, 16) => "short",
        (false, 16) => "unsigned short",
        (true, 32) => "int",
        (false, 32) => "unsigned int",
        (true, 64) => "long long",
        (false, 64) => "unsigned long long",
        _ => return None,
    };
    let text = format!("({word}){}", bracketed(&operand, 11));
    Some(Part { text, binds: 11, ty, least: ty.min(), most: ty.max() })
}

fn choose(condition: Part, yes: Part, no: Part) -> Option<Part> {
    let (least, most) = (yes.least.min(no.least), yes.most.max(no.most));
    let (yes, no, ty) = together(yes, no, None)?;
    let text = format!("({} ? {} : {})", bracketed(&condition, 1), bracketed(&yes, 1), bracketed(&no, 1));
    Some(Part { text, binds: 12, ty, least, most })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{FileId, Random, Span};
    use c::{DataModel, Meaning, condition};
    use integers::evaluate::{Environment, evaluate};
    use integers::{Integers, Place, UnknownId, Value};

    const VARIABLES: [(&str, Type); 7] = [
        ("c", Type::signed(8)),
        ("b", Type::unsigned(1)),
        ("s", Type::unsigned(16)),
        ("i", INT),
        ("u", Type::unsigned(32)),
        ("l", LONG),
        ("v", Type::unsigned(64)),
    ];

    fn name(op: Op) -> Option<(String, Type)> {
        let Op::Read(Place::Local(n)) = op else { return None };
        let (name, ty) = VARIABLES[n as usize];
        Some((name.to_owned(), ty))
    }

    fn term(random: &mut Random, depth: u64) -> Expr {
        let leaf = depth == 0 || random.below(3) == 0;
        match random.below(if leaf { 2 } else { 11 }) {
            0 => Expr::constant(match random.below(4) {
                0 => i128::from(random.draw() as i64),
                1 => i128::from(random.draw() as i32),
                2 => *random.pick(&[
                    INT.min(),
                    INT.max(),
                    LONG.min(),
                    LONG.max(),
                    i128::from(u64::MAX),
                    1 << 31,
                ]),
                _ => i128::from(random.below(9)) - 4,
            }),
            1 => Expr::read(Place::Local(random.below(7) as u32)),
            2 => term(random, depth - 1).unary(Op::Negate),
            3 => term(random, depth - 1).binary(Op::Add, term(random, depth - 1)),
            4 => term(random, depth - 1).binary(Op::Subtract, term(random, depth - 1)),
            5 => {
                Expr::constant(i128::from(random.below(7)) - 3).binary(Op::Multiply, term(random, depth - 1))
            }
            6 => {
                let op = *random.pick(&[Op::Divide, Op::Remainder(LONG)]);
                let divisor = *random.pick(&[-7, -1, 1, 2, 10, 0]);
                term(random, depth - 1).binary(op, Expr::constant(divisor))
            }
            7 => {
                let ty = *random.pick(&[
                    Type::signed(8),
                    Type::unsigned(16),
                    INT,
                    Type::unsigned(32),
                    LONG,
                    Type::unsigned(64),
                ]);
                term(random, depth - 1).unary(Op::Wrap(ty))
            }
            8 => {
                let bitwise = *random.pick(&[Bitwise::And, Bitwise::Or, Bitwise::Xor]);
                let number = *random.pick(&[1, 7, -8, 255, 1 << 31, -1, i128::from(u64::MAX)]);
                match random.below(2) {
                    0 => term(random, depth - 1).unary(Op::BitsWith(bitwise, number)),
                    _ => {
                        let ty = *random.pick(&[Type::unsigned(8), INT, Type::unsigned(32), LONG]);
                        term(random, depth - 1).binary(Op::Bits(bitwise, ty), term(random, depth - 1))
                    }
                }
            }
            9 => {
                let op = *random.pick(&[Op::ShiftLeft(LONG), Op::ShiftRight(LONG)]);
                let distance = *random.pick(&[0, 1, 5, 31, 32, 63]);
                term(random, depth - 1).binary(op, Expr::constant(distance))
            }
            _ => Expr::choose(formula(random, depth - 1), term(random, depth - 1), term(random, depth - 1)),
        }
    }

    fn formula(random: &mut Random, depth: u64) -> Expr {
        let relations = [
            Relation::Equal,
            Relation::NotEqual,
            Relation::Less,
            Relation::LessEqual,
            Relation::Greater,
            Relation::GreaterEqual,
        ];
        match random.below(if depth == 0 { 1 } else { 4 }) {
            1 => formula(random, depth - 1).and(formula(random, depth - 1)),
            2 => formula(random, depth - 1).binary(Op::Or, formula(random, depth - 1)),
            3 => formula(random, depth - 1).not(),
            _ => {
                let relation = *random.pick(&relations);
                term(random, depth.min(2)).compare(relation, term(random, depth.min(2)))
            }
        }
    }

    struct State([i128; 7]);

    impl Environment for State {
        fn read(&self, place: Place) -> Value {
            let Place::Local(n) = place else { unreachable!("there are locals only") };
            Value::Number(self.0[n as usize])
        }

        fn input(&self, _: u32) -> i128 {
            0
        }

        fn unknown(&self, _: u32) -> UnknownId {
            UnknownId(0)
        }
    }

    fn state(random: &mut Random) -> State {
        State(std::array::from_fn(|n| {
            let ty = VARIABLES[n].1;
            match random.below(4) {
                0 => *random.pick(&[ty.min(), ty.max()]),
                1 => ty.wrap(i128::from(random.draw())),
                _ => ty.wrap(i128::from(random.below(9)) - 4),
            }
        }))
    }

    #[test]
    fn c_computes_what_the_formula_says() {
        let (mut n_said, mut n_cast, mut n_unsaid) = (0, 0, 0);
        for seed in generate::random::seeds(0..3000) {
            let mut random = Random::new(seed);
            let formula = formula(&mut random, 3);
            let Some(text) = express(&formula, &mut name) else {
                n_unsaid += 1;
                continue;
            };
            n_said += 1;
            n_cast += usize::from(text.contains("(long long)"));
            let mut meaning = |word: &str| {
                let n = VARIABLES.iter().position(|(name, _)| *name == word).expect("a variable");
                Meaning::Variable(Place::Local(n as u32), VARIABLES[n].1)
            };
            let place = Span::new(FileId(0), 0..text.len());
            let read = condition(&text, place, DataModel::Lp64, &mut meaning)
                .unwrap_or_else(|error| panic!("GETAFIX_SEED={seed}: {text}: {}", error.message));
            for _ in 0..20 {
                let state = state(&mut random);
                let said = evaluate(&read, &state, Integers::Machine);
                let meant = evaluate(&formula, &state, Integers::Mathematical);
                assert_eq!(said, meant, "GETAFIX_SEED={seed}: {text}, {:?}", state.0);
            }
        }
        assert!(
            n_said + n_unsaid < 3000 || n_said > 800 && n_cast > 100 && n_unsaid > 100,
            "{n_said}, {n_cast}, {n_unsaid}"
        );
    }
}

//! Expressions as text of SMT-LIB.
//!
//! Division is that of the program: truncated, and undefined if the divisor is 0. Operations on bits are quotients and remainders. There is no memory. A translated expression comes with the condition
//! under which it is defined; whoever uses it requires that, too.

mod bits;

use crate::expr::{Expr, Op, Relation};

/// A translated expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The term or formula.
    pub text: String,
    /// Where it has a value, if that is not everywhere.
    pub defined: Option<String>,
}

impl Text {
    /// For a formula: that it is defined and holds.
    pub fn holds(self) -> String {
        match self.defined {
            None => self.text,
            Some(defined) => format!("(and {defined} {})", self.text),
        }
    }
}

/// Translates an expression; `leaf` names variables, inputs and unknowns.
pub fn text(expr: &Expr, mut leaf: impl FnMut(Op) -> String) -> Text {
    expr.fold(|op, operands: Vec<Text>| match op {
        Op::Constant(value) => Text { text: number(value), defined: None },
        Op::Truth(value) => Text { text: value.to_string(), defined: None },
        Op::Misuse(_) => Text { text: "0".to_owned(), defined: Some("false".to_owned()) },
        Op::Read(_) | Op::Input(_) | Op::Unknown(_) => Text { text: leaf(op), defined: None },
        _ => Text { text: operation(op, &operands), defined: definedness(op, &operands) },
    })
}

/// A number.
pub fn number(number: i128) -> String {
    if number < 0 { format!("(- {})", number.unsigned_abs()) } else { number.to_string() }
}

/// All of them hold.
pub fn conjunction(conjuncts: &[String]) -> String {
    match conjuncts {
        [] => "true".to_owned(),
        [only] => only.clone(),
        all => format!("(and {})", all.join(" ")),
    }
}

fn operation(op: Op, operands: &[Text]) -> String {
    let of = |n: usize| operands[n].text.as_str();
    match op {
        Op::Within(_) => of(0).to_owned(),
        Op::Wrap(ty) if ty.signed => {
            let (half, count) = (-ty.min(), ty.count());
            format!("(- (mod (+ {} {half}) {count}) {half})", of(0))
        }
        Op::Wrap(ty) => format!("(mod {} {})", of(0), ty.count()),
        Op::Divide | Op::Remainder(_) => division(op, of(0), of(1)),
        Op::BitsWith(bitwise, given) => bits::with(bitwise, of(0), given),
        Op::Bits(bitwise, ty) => bits::bitwise(bitwise, ty, of(0), of(1)),
        Op::ShiftLeft(ty) => bits::shift(true, ty, of(0), of(1)),
        Op::ShiftRight(ty) => bits::shift(false, ty, of(0), of(1)),
        Op::Number => format!("(ite {} 1 0)", of(0)),
        Op::Compare(Relation::NotEqual) => format!("(not (= {} {}))", of(0), of(1)),
        _ => {
            let texts: Vec<&str> = operands.iter().map(|part| part.text.as_str()).collect();
            format!("({} {})", word(op), texts.join(" "))
        }
    }
}

/// For a number that is not negative, SMT-LIB's division truncates, whatever the divisor.
fn division(op: Op, left: &str, right: &str) -> String {
    let word = if op == Op::Divide { "div" } else { "mod" };
    let divided = |left: &str, right: &str| {
        format!("(ite (>= {left} 0) ({word} {left} {right}) (- ({word} (- {left}) {right})))")
    };
    if left.starts_with('(') || right.starts_with("(") {
        // The operands are written once, so that the text stays linear.
        return format!("(let (($left {left}) ($right {right})) {})", divided("$left", "$right"));
    }
    divided(left, right)
}

fn word(op: Op) -> &'static str {
    match op {
        Op::Negate | Op::Subtract => "-",
        Op::Add => "+",
        Op::Multiply => "*",
        Op::Compare(Relation::Equal) => "=",
        Op::Compare(Relation::Less) => "<",
        Op::Compare(Relation::LessEqual) => "<=",
        Op::Compare(Relation::Greater) => ">",
        Op::Compare(Relation::GreaterEqual) => ">=",
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Choose => "ite",
        _ => unreachable!("{op:?} has a translation of its own"),
    }
}

/// When an operation is defined: where all operands are that count, no divisor is 0, and no shift goes too far.
fn definedness(op: Op, operands: &[Text]) -> Option<String> {
    let of = |n: usize| operands[n].defined.clone();
    let implied = |condition: &str, defined: Option<String>| {
        defined.map(|defined| format!("(=> {condition} {defined})"))
    };
    let negated = |n: usize| format!("(not {})", operands[n].text);
    let conditions: Vec<Option<String>> = match op {
        Op::And => vec![of(0), implied(&operands[0].text, of(1))],
        Op::Or => vec![of(0), implied(&negated(0), of(1))],
        Op::Choose => vec![of(0), implied(&operands[0].text, of(1)), implied(&negated(0), of(2))],
        Op::Divide | Op::Remainder(_) => {
            let divisor = &operands[1].text;
            let nonzero = (!is_nonzero_number(divisor)).then(|| format!("(not (= {divisor} 0))"));
            vec![of(0), of(1), nonzero]
        }
        Op::ShiftLeft(ty) | Op::ShiftRight(ty) => {
            vec![of(0), of(1), bits::is_distance(ty, &operands[1].text)]
        }
        _ => (0..operands.len()).map(of).collect(),
    };
    let conditions: Vec<String> = conditions.into_iter().flatten().collect();
    (!conditions.is_empty()).then(|| conjunction(&conditions))
}

fn is_nonzero_number(text: &str) -> bool {
    let digits = text.strip_prefix("(- ").and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    digits != "0" && !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit())
}

//! One clause, and expressions as terms of SMT-LIB.
//!
//! Division is that of the program: truncated, and a step that divides by 0 is not taken. Terms that occur twice in a translation are
//! named, so that the text stays linear.

use super::Values;
use super::predicates::symbol;
use crate::expr::{Expr, Op, Relation};
use std::fmt::Write;

/// What the symbols of a step stand for.
#[derive(Default)]
pub(super) struct Symbols {
    pub(super) inputs: Vec<String>,
    pub(super) unknowns: Vec<String>,
}

/// A clause under construction.
#[derive(Default)]
pub(super) struct Clause {
    variables: Vec<String>,
    body: Vec<String>,
}

/// A translated expression and the condition under which it is defined.
struct Part {
    text: String,
    defined: Option<String>,
}

impl Clause {
    /// A new variable, named after something.
    pub(super) fn variable(&mut self, name: &str) -> String {
        let name: String =
            name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_' || *c == '$').collect();
        let variable = symbol(&name, '~', &self.variables.len().to_string());
        self.variables.push(variable.clone());
        variable
    }

    /// Adds a conjunct to the body.
    pub(super) fn require(&mut self, conjunct: String) {
        self.body.push(conjunct);
    }

    /// Translates an expression, and requires that it is defined.
    pub(super) fn value(&mut self, expr: &Expr, values: &Values, symbols: &Symbols) -> String {
        let part = expr.fold(|op, operands| self.part(op, operands, values, symbols));
        if let Some(defined) = part.defined {
            self.require(defined);
        }
        part.text
    }

    /// Prints the clause with a head.
    pub(super) fn print(&self, head: &str, out: &mut String) {
        let ends = if self.variables.is_empty() {
            out.push_str("(assert ");
            ")\n"
        } else {
            let variables: Vec<String> = self.variables.iter().map(|name| format!("({name} Int)")).collect();
            write!(out, "(assert (forall ({})\n  ", variables.join(" ")).expect("a string takes everything");
            "))\n"
        };
        match &self.body[..] {
            [] => out.push_str(head),
            [only] => write!(out, "(=> {only} {head})").expect("a string takes everything"),
            all => write!(out, "(=> (and {}) {head})", all.join(" ")).expect("a string takes everything"),
        }
        out.push_str(ends);
    }

    fn part(&mut self, op: Op, operands: Vec<Part>, values: &Values, symbols: &Symbols) -> Part {
        if let Some(text) = self.leaf(op, values, symbols) {
            return Part { text, defined: None };
        }
        let defined = definedness(op, &operands);
        let texts: Vec<String> = operands.into_iter().map(|part| part.text).collect();
        Part { text: self.operation(op, texts), defined }
    }

    fn leaf(&mut self, op: Op, values: &Values, symbols: &Symbols) -> Option<String> {
        Some(match op {
            Op::Constant(value) => number(value),
            Op::Truth(value) => value.to_string(),
            // What is not an argument does not matter, or holds 0 since nothing was stored in it.
            Op::Read(place) => values.get(&place).cloned().unwrap_or_else(|| "0".to_owned()),
            Op::Input(n) => symbols.inputs[n as usize].clone(),
            Op::Unknown(n) => symbols.unknowns[n as usize].clone(),
            _ => return None,
        })
    }

    fn operation(&mut self, op: Op, texts: Vec<String>) -> String {
        match op {
            Op::Within(_) => texts.into_iter().next().expect("it has one operand"),
            Op::Wrap(ty) if ty.signed => {
                let (half, count) = (-ty.min(), ty.count());
                format!("(- (mod (+ {} {half}) {count}) {half})", texts[0])
            }
            Op::Wrap(ty) => format!("(mod {} {})", texts[0], ty.count()),
            Op::Divide | Op::Remainder(_) => {
                let word = if op == Op::Divide { "div" } else { "mod" };
                let (left, right) = (self.named(&texts[0]), self.named(&texts[1]));
                // For a number that is not negative, SMT-LIB's division truncates, whatever the divisor.
                format!("(ite (>= {left} 0) ({word} {left} {right}) (- ({word} (- {left}) {right})))")
            }
            Op::Number => format!("(ite {} 1 0)", texts[0]),
            Op::Compare(Relation::NotEqual) => format!("(not (= {} {}))", texts[0], texts[1]),
            _ => format!("({} {})", word(op), texts.join(" ")),
        }
    }

    /// A symbol for a term.
    fn named(&mut self, text: &str) -> String {
        if !text.starts_with('(')
            || text.starts_with("(- ") && text[3..].bytes().all(|c| c.is_ascii_digit() || c == b')')
        {
            return text.to_owned();
        }
        let name = self.variable("term");
        self.require(format!("(= {name} {text})"));
        name
    }
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

/// When an operation is defined: where all operands are that count, and no divisor is 0.
fn definedness(op: Op, operands: &[Part]) -> Option<String> {
    let of = |n: usize| operands[n].defined.clone();
    let implied = |condition: String, defined: Option<String>| {
        defined.map(|defined| format!("(=> {condition} {defined})"))
    };
    let conditions: Vec<Option<String>> = match op {
        Op::And => vec![of(0), implied(operands[0].text.clone(), of(1))],
        Op::Or => vec![of(0), implied(format!("(not {})", operands[0].text), of(1))],
        Op::Choose => vec![
            of(0),
            implied(operands[0].text.clone(), of(1)),
            implied(format!("(not {})", operands[0].text), of(2)),
        ],
        Op::Divide | Op::Remainder(_) => {
            let divisor = &operands[1].text;
            let is_number = divisor.starts_with(|c: char| c.is_ascii_digit()) || divisor.starts_with("(- ");
            let nonzero =
                if is_number && divisor != "0" && divisor[1..].bytes().all(|c| b"- )0123456789".contains(&c))
                {
                    None
                } else {
                    Some(format!("(not (= {divisor} 0))"))
                };
            vec![of(0), of(1), nonzero]
        }
        _ => (0..operands.len()).map(of).collect(),
    };
    let conditions: Vec<String> = conditions.into_iter().flatten().collect();
    match &conditions[..] {
        [] => None,
        [only] => Some(only.clone()),
        all => Some(format!("(and {})", all.join(" "))),
    }
}

/// A number as SMT-LIB writes it.
pub(super) fn number(number: i128) -> String {
    if number < 0 { format!("(- {})", number.unsigned_abs()) } else { number.to_string() }
}

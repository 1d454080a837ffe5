//! Terms as text for a solver: fixed numbers of bits, in which nothing is lost.
//!
//! A number has as many bits as its limits need, in two's complement. Where only low bits of it matter, since it is reduced to a type, only these are computed.

use crate::terms::{Bool, Int, Made, Number, Terms, Truth};
use integers::Bitwise;
use std::fmt::Write;

/// The bits that a number needs.
pub fn width(terms: &Terms, int: Int) -> u32 {
    let (least, most) = terms.limits(int);
    let bits =
        |number: i128| 129 - if number < 0 { (!number).leading_zeros() } else { number.leading_zeros() };
    bits(least).max(bits(most))
}

/// Definitions of all terms that some truth values depend on, by name: `b7` is the truth value 7, `i3` is the input 3.
pub fn definitions(terms: &Terms, roots: &[Bool]) -> String {
    let demands = Demands::of(terms, roots);
    let mut text = String::new();
    for (n, ty) in terms.inputs().iter().enumerate() {
        let _ = writeln!(text, "(declare-const i{n} (_ BitVec {}))", ty.bits);
    }
    for made in terms.made() {
        match *made {
            Made::Truth(bool) if demands.truths[bool.index()] => define_truth(&mut text, terms, bool),
            Made::Truth(_) => {}
            Made::Number(int) => {
                for &bits in &demands.numbers[int.index()] {
                    let _ = writeln!(
                        text,
                        "(define-fun n{}_{bits} () (_ BitVec {bits}) {})",
                        int.0,
                        number(terms, int, bits)
                    );
                }
            }
        }
    }
    text
}

/// What has to be defined.
struct Demands {
    /// How many low bits of each number, the fewest first.
    numbers: Vec<Vec<u32>>,
    truths: Vec<bool>,
}

impl Demands {
    fn of(terms: &Terms, roots: &[Bool]) -> Self {
        let n = terms.made().len();
        let mut demands = Self { numbers: vec![Vec::new(); n], truths: vec![false; n] };
        roots.iter().for_each(|root| demands.truths[root.index()] = true);
        for made in terms.made().iter().rev() {
            match *made {
                Made::Truth(bool) if demands.truths[bool.index()] => demands.of_truth(terms, bool),
                Made::Truth(_) => {}
                Made::Number(int) => {
                    let own = width(terms, int);
                    if demands.numbers[int.index()].iter().any(|bits| *bits > own) {
                        demands.ask(int, own);
                    }
                    let asked = demands.numbers[int.index()].clone();
                    asked
                        .into_iter()
                        .filter(|bits| *bits <= own)
                        .for_each(|bits| demands.of_number(terms, int, bits));
                }
            }
        }
        demands
    }

    fn ask(&mut self, int: Int, bits: u32) {
        let asked = &mut self.numbers[int.index()];
        if let Err(at) = asked.binary_search(&bits) {
            asked.insert(at, bits);
        }
    }

    fn of_truth(&mut self, terms: &Terms, bool: Bool) {
        match terms.truth(bool) {
            Truth::Constant(_) | Truth::Open(_) => {}
            Truth::Equal(a, b) | Truth::Less(a, b) => {
                let bits = width(terms, a).max(width(terms, b));
                self.ask(a, bits);
                self.ask(b, bits);
            }
            Truth::Not(inner) => self.truths[inner.index()] = true,
            Truth::And(a, b) | Truth::Or(a, b) => {
                self.truths[a.index()] = true;
                self.truths[b.index()] = true;
            }
        }
    }

    /// For so many low bits of a number, which has at least so many.
    fn of_number(&mut self, terms: &Terms, int: Int, bits: u32) {
        match terms.number(int) {
            Number::Constant(_) | Number::Input(_) => {}
            Number::Add(a, b) | Number::Subtract(a, b) | Number::Multiply(a, b) | Number::Bits(_, a, b) => {
                self.ask(a, bits);
                self.ask(b, bits);
            }
            Number::ShiftLeft(a, b) => {
                self.ask(a, bits);
                self.ask(b, bits.max(width(terms, b)));
            }
            Number::Divide(a, b) | Number::Remainder(a, b) | Number::ShiftRight(a, b) => {
                let bits = wide(terms, a, b);
                self.ask(a, bits);
                self.ask(b, bits);
            }
            Number::Wrap(ty, inner) => self.ask(inner, bits.min(ty.bits.into())),
            Number::Choose(condition, a, b) => {
                self.truths[condition.index()] = true;
                self.ask(a, bits);
                self.ask(b, bits);
            }
        }
    }
}

/// A width in which quotients of both are exact.
fn wide(terms: &Terms, a: Int, b: Int) -> u32 {
    width(terms, a).max(width(terms, b)) + 1
}

fn name(int: Int, bits: u32) -> String {
    format!("n{}_{bits}", int.0)
}

/// So many low bits of a number.
fn number(terms: &Terms, int: Int, bits: u32) -> String {
    let own = width(terms, int);
    if bits > own {
        return format!("((_ sign_extend {}) {})", bits - own, name(int, own));
    }
    let two = |word: &str, a: Int, b: Int, bits: u32| format!("({word} {} {})", name(a, bits), name(b, bits));
    let low = |text: String, from: u32| match from == bits {
        true => text,
        false => format!("((_ extract {} 0) {text})", bits - 1),
    };
    match terms.number(int) {
        Number::Constant(number) => {
            let low = if bits >= 128 { number as u128 } else { number as u128 & ((1 << bits) - 1) };
            format!("(_ bv{low} {bits})")
        }
        Number::Input(n) => of_type(format!("i{n}"), terms.inputs()[n as usize], bits),
        Number::Add(a, b) => two("bvadd", a, b, bits),
        Number::Subtract(a, b) => two("bvsub", a, b, bits),
        Number::Multiply(a, b) => two("bvmul", a, b, bits),
        Number::Bits(Bitwise::And, a, b) => two("bvand", a, b, bits),
        Number::Bits(Bitwise::Or, a, b) => two("bvor", a, b, bits),
        Number::Bits(Bitwise::Xor, a, b) => two("bvxor", a, b, bits),
        Number::Divide(a, b) => {
            let word = if is_natural(terms, a) && is_natural(terms, b) { "bvudiv" } else { "bvsdiv" };
            let from = wide(terms, a, b);
            low(two(word, a, b, from), from)
        }
        Number::Remainder(a, b) => {
            let word = if is_natural(terms, a) && is_natural(terms, b) { "bvurem" } else { "bvsrem" };
            let from = wide(terms, a, b);
            low(two(word, a, b, from), from)
        }
        Number::ShiftRight(a, b) => {
            let from = wide(terms, a, b);
            low(two("bvashr", a, b, from), from)
        }
        Number::ShiftLeft(a, b) => {
            let from = bits.max(width(terms, b));
            let shifted = format!("((_ zero_extend {}) {})", from - bits, name(a, bits));
            low(format!("(bvshl {shifted} {})", name(b, from)), from)
        }
        Number::Wrap(ty, inner) if bits > ty.bits.into() => of_type(name(inner, ty.bits.into()), ty, bits),
        Number::Wrap(_, inner) => name(inner, bits),
        Number::Choose(condition, a, b) => {
            format!("(ite b{} {} {})", condition.0, name(a, bits), name(b, bits))
        }
    }
}

fn is_natural(terms: &Terms, int: Int) -> bool {
    terms.limits(int).0 >= 0
}

/// Bits of a type, as so many bits of the number.
fn of_type(text: String, ty: integers::Type, bits: u32) -> String {
    let own = u32::from(ty.bits);
    match bits.cmp(&own) {
        std::cmp::Ordering::Less => format!("((_ extract {} 0) {text})", bits - 1),
        std::cmp::Ordering::Equal => text,
        std::cmp::Ordering::Greater => {
            let how = if ty.signed { "sign_extend" } else { "zero_extend" };
            format!("((_ {how} {}) {text})", bits - own)
        }
    }
}

fn define_truth(text: &mut String, terms: &Terms, bool: Bool) {
    let compared = |word: &str, a: Int, b: Int| {
        let bits = width(terms, a).max(width(terms, b));
        format!("({word} {} {})", name(a, bits), name(b, bits))
    };
    let formula = match terms.truth(bool) {
        Truth::Constant(value) => value.to_string(),
        Truth::Open(_) => {
            let _ = writeln!(text, "(declare-const b{} Bool)", bool.0);
            return;
        }
        Truth::Equal(a, b) => compared("=", a, b),
        Truth::Less(a, b) => compared("bvslt", a, b),
        Truth::Not(inner) => format!("(not b{})", inner.0),
        Truth::And(a, b) => format!("(and b{} b{})", a.0, b.0),
        Truth::Or(a, b) => format!("(or b{} b{})", a.0, b.0),
    };
    let _ = writeln!(text, "(define-fun b{} () Bool {formula})", bool.0);
}

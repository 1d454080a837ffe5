//! The value of a condition behind `#if`, whose macros have been replaced.

use super::pieces::{Kind, Piece, pieces};

/// The value; nothing, if it is no constant expression of integers.
pub(super) fn value(text: &str) -> Option<i128> {
    let words =
        pieces(text).into_iter().filter(|piece| !matches!(piece.kind, Kind::Space | Kind::Line)).collect();
    let mut reader = Reader { words, at: 0, depth: 0, is_unsigned: false, has_negative: false };
    let value = reader.conditional()?;
    // Where both meet the signs of all types would matter.
    let is_plain = !(reader.is_unsigned && reader.has_negative);
    (reader.at == reader.words.len() && is_plain).then_some(value)
}

struct Reader {
    words: Vec<Piece>,
    at: usize,
    depth: usize,
    /// Some number has an unsigned type.
    is_unsigned: bool,
    /// Some value is below 0.
    has_negative: bool,
}

/// Operators with two operands: how strongly they bind.
const BINARY: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("==", 6),
    ("!=", 6),
    ("<", 7),
    (">", 7),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

/// Brackets and operators may be nested so deeply.
const DEEPEST: usize = 200;

impl Reader {
    fn take(&mut self, sign: &str) -> bool {
        let is_it = self.words.get(self.at).is_some_and(|word| &*word.text == sign);
        self.at += usize::from(is_it);
        is_it
    }

    fn conditional(&mut self) -> Option<i128> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let condition = self.binary(1)?;
        let value = if self.take("?") {
            let yes = self.conditional()?;
            if !self.take(":") {
                return None;
            }
            let no = self.conditional()?;
            if condition != 0 { yes } else { no }
        } else {
            condition
        };
        self.depth -= 1;
        Some(value)
    }

    fn binary(&mut self, least: u8) -> Option<i128> {
        let mut left = self.unary()?;
        while let Some(word) = self.words.get(self.at) {
            let Some(&(operator, strength)) = BINARY.iter().find(|(sign, _)| *sign == &*word.text) else {
                break;
            };
            if strength < least {
                break;
            }
            self.at += 1;
            let right = self.binary(strength + 1)?;
            left = applied(operator, left, right)?;
            self.has_negative |= left < 0;
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<i128> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let value = if self.take("!") {
            i128::from(self.unary()? == 0)
        } else if self.take("-") {
            -self.unary()?
        } else if self.take("+") {
            self.unary()?
        } else if self.take("~") {
            !self.unary()?
        } else if self.take("(") {
            let value = self.conditional()?;
            self.take(")").then_some(value)?
        } else {
            let word = self.words.get(self.at)?.clone();
            self.at += 1;
            match word.kind {
                // A name that stands for nothing is 0.
                Kind::Name => 0,
                Kind::Number => {
                    let value = number(&word.text)?;
                    self.is_unsigned |= word.text.contains(['u', 'U']) || i64::try_from(value).is_err();
                    value
                }
                Kind::Quoted => character(&word.text)?,
                _ => return None,
            }
        };
        self.depth -= 1;
        self.has_negative |= value < 0;
        Some(value)
    }
}

/// The value of an operator, within 64 bits.
fn applied(operator: &str, left: i128, right: i128) -> Option<i128> {
    let value = match operator {
        "||" => i128::from(left != 0 || right != 0),
        "&&" => i128::from(left != 0 && right != 0),
        "|" => left | right,
        "^" => left ^ right,
        "&" => left & right,
        "==" => i128::from(left == right),
        "!=" => i128::from(left != right),
        "<" => i128::from(left < right),
        ">" => i128::from(left > right),
        "<=" => i128::from(left <= right),
        ">=" => i128::from(left >= right),
        "<<" | ">>" if !(0..64).contains(&right) => return None,
        "<<" => left << right,
        ">>" => left >> right,
        "+" => left + right,
        "-" => left - right,
        "*" => left * right,
        "/" => left.checked_div(right)?,
        _ => left.checked_rem(right)?,
    };
    // What does not fit depends on signs that are not looked at here.
    (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value).then_some(value)
}

fn number(text: &str) -> Option<i128> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let (digits, base) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    i128::from_str_radix(digits, base).ok().filter(|value| u64::try_from(*value).is_ok())
}

/// A letter in quotes; others are left to compilers.
fn character(text: &str) -> Option<i128> {
    match text.as_bytes() {
        [b'\'', letter, b'\''] if letter.is_ascii() && *letter != b'\\' => Some((*letter).into()),
        _ => None,
    }
}

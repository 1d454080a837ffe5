//! Words, numbers and signs of C.

use crate::types::Integer;
use rustc_hash::FxHashMap;

base::index_type! {
    /// A name: a position in [`Names`].
    Name;
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Name(Name),
    /// A number without a point: its value, whether it is written in decimal, and its suffix.
    Integer {
        value: u64,
        is_decimal: bool,
        is_unsigned: bool,
        n_long: u8,
    },
    /// A number with a point or an exponent.
    Float,
    /// The value of a character, and its type.
    Character(i64, Integer),
    /// A text; its bytes, each as the character of that number, if each element is one.
    Text(Option<Name>),
    Sign(&'static str),
    End,
}

/// A token and where it is, in bytes of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) token: Token,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// The signs, longer ones first.
pub(crate) const SIGNS: [&str; 53] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=",
    "+=", "-=", "&=", "^=", "|=", "##", "%:", "<:", ":>", "<%", "%>", "[", "]", "(", ")", "{", "}", ".", "&",
    "*", "+", "-", "~", "!", "/", "%", "<", ">", "^", "|", "?", ":", ";", "=", ",", "#",
];

/// Names, each with one number.
#[derive(Default)]
pub(crate) struct Names {
    texts: Vec<String>,
    numbers: FxHashMap<String, Name>,
}

impl Names {
    /// The number of a name.
    pub(crate) fn number(&mut self, text: &str) -> Name {
        if let Some(&name) = self.numbers.get(text) {
            return name;
        }
        let name = Name::new(self.texts.len());
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), name);
        name
    }

    /// The text of a name.
    pub(crate) fn text(&self, name: Name) -> &str {
        &self.texts[name.index()]
    }
}

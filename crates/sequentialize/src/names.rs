//! Names that a Boolean program may use, all different.
//!
//! Contract: a name that is legal and not taken stays as it is. Others are changed as little as possible, in a way that
//! depends on nothing but the names and their order.

use rustc_hash::{FxHashMap, FxHashSet};

/// The names of one kind that are taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    taken: FxHashSet<String>,
    /// For names that were asked for again, the number to try next.
    next: FxHashMap<String, u32>,
}

impl Names {
    /// The name is taken.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Takes a name without asking.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Takes a legal name near to the one wished for.
    pub(crate) fn take(&mut self, wish: &str) -> String {
        self.take_beside(wish, &Names::default())
    }

    /// The same, but the name is not among the others either.
    pub(crate) fn take_beside(&mut self, wish: &str, others: &Names) -> String {
        let wish = legal(wish);
        if !self.contains(&wish) && !others.contains(&wish) {
            self.reserve(&wish);
            return wish;
        }
        let mut number = self.next.get(&wish).copied().unwrap_or(2);
        let mut name = extended(&wish, number);
        while self.contains(&name) || others.contains(&name) {
            number += 1;
            name = extended(&wish, number);
        }
        self.reserve(&name);
        self.next.insert(wish, number + 1);
        name
    }
}

/// A name with a number behind it.
pub(crate) fn extended(name: &str, number: u32) -> String {
    joined(name, &number.to_string())
}

/// Two names as one, with a dot between them; in braces if one of them is.
pub(crate) fn joined(first: &str, second: &str) -> String {
    match (in_braces(first), in_braces(second)) {
        (None, None) => format!("{first}.{second}"),
        (a, b) => format!("{{{}.{}}}", a.unwrap_or(first), b.unwrap_or(second)),
    }
}

/// The text between the braces of a name in braces.
fn in_braces(name: &str) -> Option<&str> {
    let inner = name.strip_prefix('{')?.strip_suffix('}')?;
    let is_legal =
        !inner.is_empty() && !inner.contains(|c: char| c == '}' || c.is_ascii_whitespace() || c == '\u{b}');
    is_legal.then_some(inner)
}

/// A name with the characters that names have. A dollar at the end is a dialect's word for the other threads, and one at the
/// beginning marks what is not in the text: both become `_`. So no reserved word can come out.
fn legal(name: &str) -> String {
    if in_braces(name).is_some() {
        return name.to_owned();
    }
    let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    let mut legal: String = name.chars().map(|c| if is_inner(c) { c } else { '_' }).collect();
    if legal.ends_with('$') {
        legal.pop();
        legal.push('_');
    }
    match legal.chars().next() {
        Some('$') => legal.replace_range(..1, "_"),
        Some(first) if first.is_ascii_alphabetic() || first == '_' => {}
        _ => legal.insert(0, '_'),
    }
    if legal == "_" { "__".to_owned() } else { legal }
}

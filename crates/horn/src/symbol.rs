//! Symbols and sorts of SMT-LIB: how the names and types of a program are spelled there.
//!
//! Invariant: different names stay different, whatever characters they consist of. A predicate is `f@3` and a variable `x~3`,
//! so that neither meets the other or a word of SMT-LIB, not even where a function and a variable share a name.

use rsm::Type;

/// The symbol of a predicate.
pub(crate) fn predicate(module: &str, suffix: &str) -> String {
    symbol(module, '@', suffix)
}

/// The symbol of a variable. Numbers are unique in a clause, names need not be.
pub(crate) fn variable(name: &str, number: usize) -> String {
    symbol(name, '~', &number.to_string())
}

/// The sort that a type becomes. An `enum` is a number; [`range`] says which ones are values.
pub(crate) fn sort(ty: &Type) -> String {
    match ty {
        Type::Bool => "Bool".to_owned(),
        Type::Int(_) | Type::Enum(_) => format!("(_ BitVec {})", width(ty)),
    }
}

/// A value of a type.
pub(crate) fn constant(value: u64, ty: &Type) -> String {
    match ty {
        Type::Bool => (value != 0).to_string(),
        Type::Int(_) | Type::Enum(_) => format!("(_ bv{value} {})", width(ty)),
    }
}

/// What makes a member of the sort a value of the type, if not all of them are.
pub(crate) fn range(term: &str, ty: &Type) -> Option<String> {
    let Type::Enum(_) = ty else { return None };
    let is_full = ty.max() == Type::Int(width(ty)).max();
    (!is_full).then(|| format!("(bvule {term} {})", constant(ty.max(), ty)))
}

/// The number of bits. An `enum` of one name needs none, but SMT-LIB has no empty bit vectors.
fn width(ty: &Type) -> u8 {
    (ty.n_bits() as u8).max(1)
}

/// Joins the parts, in bars where the characters of the name need them.
fn symbol(name: &str, mark: char, suffix: &str) -> String {
    let is_simple = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '.';
    let is_plain = name.chars().all(is_simple) && !name.starts_with(|c: char| c == '.' || c.is_ascii_digit());
    if is_plain && !name.is_empty() {
        return format!("{name}{mark}{suffix}");
    }
    // A bar or a backslash cannot stand inside bars; the slash marks what replaces them, so it is doubled itself.
    let name = name.replace('/', "//").replace('|', "/b").replace('\\', "/s");
    format!("|{name}{mark}{suffix}|")
}

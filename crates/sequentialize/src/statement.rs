//! Small pieces of statements.
//!
//! Statements end with a blank, or are empty if they would do nothing, so that they can be put next to one another.

/// `a = b` of all pairs; `T` if there are none.
pub(crate) fn equal<A: AsRef<str>, B: AsRef<str>>(left: &[A], right: &[B]) -> String {
    let pairs = left.iter().zip(right);
    let pairs: Vec<String> = pairs.map(|(a, b)| format!("{} = {}", a.as_ref(), b.as_ref())).collect();
    if pairs.is_empty() { "T".to_owned() } else { pairs.join(" & ") }
}

/// Stores all values at once.
pub(crate) fn store<A: AsRef<str>, B: AsRef<str>>(targets: &[A], values: &[B]) -> String {
    if targets.is_empty() {
        return String::new();
    }
    format!("{} := {}; ", list(targets), list(values))
}

/// Forgets the values of variables.
pub(crate) fn forget<S: AsRef<str>>(names: &[S]) -> String {
    if names.is_empty() { String::new() } else { format!("dead {}; ", list(names)) }
}

/// An integer type for numbers up to this one.
pub(crate) fn integers(max: usize) -> String {
    format!("int<{}>", (usize::BITS - max.leading_zeros()).max(1))
}

fn list<S: AsRef<str>>(names: &[S]) -> String {
    names.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ")
}

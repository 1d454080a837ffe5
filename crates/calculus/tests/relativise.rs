//! Quantifiers that range over some values of a type only: what is added, and where nothing has to be.

use base::Sources;
use calculus::{check, is_relative, load, print, relativise};

/// The declarations of all files: `Good` and `Step` are from outside, and hold of values that are meant.
const HEAD: &str = "enum T { 0..3 }; bool Good(T x) false; bool Step(T x, T y) false;\n";

fn is_given(name: &str) -> bool {
    matches!(name, "Good" | "Step")
}

/// A text with its quantifiers restricted, without the declarations; and whether it was restricted before.
fn restricted(text: &str) -> (String, bool) {
    let (mut tree, errors) =
        load(&mut Sources::default(), "t.mu", format!("{HEAD}{text}"), &mut |_| unreachable!());
    assert!(errors.is_empty(), "{errors:?}");
    let is_relative = is_relative(&tree, "T", is_given);
    relativise(&mut tree, "T", "Good", is_given);
    check(&tree, &[]).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    tree.items.drain(..3);
    (print(&tree).split_whitespace().collect::<Vec<&str>>().join(" "), is_relative)
}

#[track_caller]
fn becomes(text: &str, expected: &str) {
    assert_eq!(restricted(text), (expected.to_owned(), false));
}

#[track_caller]
fn stays(text: &str) {
    assert_eq!(restricted(text), (text.to_owned(), true));
}

#[test]
fn variables_that_nothing_restricts_get_the_predicate() {
    becomes("exists T x. !Good(x);", "exists T x. Good(x) & !Good(x);");
    becomes("exists T x, T y. x != y & Good(y);", "exists T x, T y. Good(x) & x != y & Good(y);");
    becomes("forall T x. Good(x);", "forall T x. Good(x) -> Good(x);");
    becomes(
        "exists T x. Good(1) & (!Good(x) | Good(2));",
        "exists T x. Good(x) & Good(1) & (!Good(x) | Good(2));",
    );
    becomes("exists T x. Good(x) | x = 1;", "exists T x. Good(x) & (Good(x) | x = 1);");
    becomes("forall T x. exists T x. Good(x);", "forall T x. Good(x) -> (exists T x. Good(x));");
}

#[test]
fn variables_that_something_restricts_are_left_alone() {
    stays("exists T x. Good(x) & x != 1;");
    stays("exists T x, T y. Step(x, y);");
    stays("exists T x, T y. Good(x) & x = y;");
    stays("exists T x. exists T y. Step(x, y) & y != 1;");
    stays("exists T x. Good(x) & x = 1 | Step(x, x);");
    stays("forall T x. Good(x) -> x = 1;");
    stays("forall T x. x = 1 | !Good(x);");
    stays("!(exists T x. Good(x) & !Step(x, x));");
    stays("exists bool b. b;");
    // What does not mention the variable does not depend on it.
    stays("exists T x, T y. Good(x) & (Step(x, y) & Good(y) | x = 1);");
    stays("forall T x. Good(1) & (x = 1 | !Good(x));");
}

#[test]
fn relations_hold_of_what_is_meant() {
    becomes(
        "bool Not(T x) !Good(x); exists T x. Not(x);",
        "bool Not(T x) Good(x) & !Good(x); exists T x. Not(x);",
    );
    // Only the clause that needs it.
    becomes(
        "mu bool R(T x, T y) Step(x, y) | x = y; exists T x, T y. R(x, y);",
        "mu bool R(T x, T y) Step(x, y) | Good(x) & Good(y) & x = y; exists T x, T y. R(x, y);",
    );
    stays(
        "mu bool R(T x, T y) Good(x) & x = y | (exists T z. R(x, z) & Step(z, y)); exists T x, T y. R(x, y);",
    );
    // A greatest fixed point begins with everything, so it is no reason by itself.
    becomes(
        "nu bool R(T x) R(x); exists T x. R(x);",
        "nu bool R(T x) Good(x) & R(x); exists T x. Good(x) & R(x);",
    );
    stays("nu bool R(T x) exists T y. Step(x, y) & R(y); exists T x. Good(x) & R(x);");
}

//! Sums of a variable and a number: every comparison against what arithmetic says, and what is refused.

use base::{Sources, Stop, render};
use calculus::naive::Naive;
use calculus::system::{RelationId, System};

fn checked(text: &str) -> Result<System, String> {
    let mut sources = Sources::default();
    let file = sources.add("sums.mu", text);
    let (tree, errors) = calculus::parse(&sources, file);
    let checked = if errors.is_empty() { calculus::check(&tree, &[]) } else { Err(errors) };
    checked.map(|(system, _)| system).map_err(|errors| errors.iter().map(|e| render(&sources, e)).collect())
}

/// The pairs of numbers that are in the relation `R`, which stands last.
fn pairs(text: &str, low: i64) -> Vec<(i64, i64)> {
    let system = checked(text).unwrap_or_else(|errors| panic!("{text}\n{errors}"));
    let relation = RelationId::new(system.relations.len() - 1);
    let tuples = Naive::new(&system, Stop::default()).relation(relation).expect("the types are small");
    tuples.iter().map(|tuple| (low + i64::from(tuple[0]), low + i64::from(tuple[1]))).collect()
}

/// What a comparison says about two numbers.
type Holds = fn(i64, i64) -> bool;

const RELATIONALS: [(&str, Holds); 6] = [
    ("=", |a, b| a == b),
    ("!=", |a, b| a != b),
    ("<", |a, b| a < b),
    ("<=", |a, b| a <= b),
    (">", |a, b| a > b),
    (">=", |a, b| a >= b),
];

/// A sum, and none where it leaves the range.
fn sum(range: (i64, i64), number: i64, added: i64) -> Option<i64> {
    Some(number + added).filter(|sum| (range.0..=range.1).contains(sum))
}

fn written(added: i64) -> String {
    if added < 0 { format!("- {}", -added) } else { format!("+ {added}") }
}

#[test]
fn comparisons_are_those_of_arithmetic_inside_the_range() {
    let mut n_outside = 0;
    for range in [(0, 3), (2, 6), (5, 5)] {
        let (low, high) = range;
        let all = || (low..=high).flat_map(|i| (low..=high).map(move |j| (i, j)));
        for added in -6..=6 {
            for (word, holds) in RELATIONALS {
                let head = format!("enum N {{ {low}..{high} }}; bool R(N i, N j)");
                let right = pairs(&format!("{head} i {word} j {};", written(added)), low);
                let is_right = |&(i, j): &(i64, i64)| sum(range, j, added).is_some_and(|sum| holds(i, sum));
                assert_eq!(right, all().filter(is_right).collect::<Vec<_>>(), "{head} i {word} j + {added}");
                let left = pairs(&format!("{head} i {} {word} j;", written(added)), low);
                let is_left = |&(i, j): &(i64, i64)| sum(range, i, added).is_some_and(|sum| holds(sum, j));
                assert_eq!(left, all().filter(is_left).collect::<Vec<_>>(), "{head} i + {added} {word} j");
                let both = pairs(&format!("{head} i {} {word} j - 1;", written(added)), low);
                let is_both = |&(i, j): &(i64, i64)| {
                    let sums = sum(range, i, added).zip(sum(range, j, -1));
                    sums.is_some_and(|(i, j)| holds(i, j))
                };
                assert_eq!(
                    both,
                    all().filter(is_both).collect::<Vec<_>>(),
                    "{head} i + {added} {word} j - 1"
                );
                n_outside += all().filter(|(_, j)| sum(range, *j, added).is_none()).count();
            }
        }
    }
    assert!(n_outside > 100, "{n_outside} sums are outside");
}

#[test]
fn sums_are_arguments_and_parts_of_records_have_them() {
    let head = "enum N { 0..3 }; bool E(N i) i = 1 | i = 3;";
    assert_eq!(pairs(&format!("{head} bool R(N i, N j) E(i + 1) & i = j;"), 0), [(0, 0), (2, 2)]);
    assert_eq!(pairs(&format!("{head} bool R(N i, N j) !E(i - 1) & i = j;"), 0), [(0, 0), (1, 1), (3, 3)]);
    let record =
        "enum N { 0..3 }; class C { N at[2]; }; bool R(N i, N j) exists C c. c.at[1] - 2 = i & c.at[1] = j;";
    assert_eq!(pairs(record, 0), [(0, 2), (1, 3)]);
    let positions = "enum N { 0..3 }; bool R(N i, N j) exists p in 0..3. i = p + 1 & j = p;";
    assert_eq!(pairs(positions, 0), [(1, 0), (2, 1), (3, 2)]);
    let params = "#param k = 2; enum N { 0..3 }; bool R(N i, N j) i = k + 1 & j = k - 1;";
    assert_eq!(pairs(params, 0), [(3, 1)]);
}

#[test]
fn fixed_points_count() {
    let even = "enum N { 0..7 }; mu bool E(N i) i = 0 | (exists N j. E(j) & i = j + 2); bool R(N i, N j) E(i) & j = 0;";
    assert_eq!(pairs(even, 0), [(0, 0), (2, 0), (4, 0), (6, 0)]);
}

#[test]
fn what_is_no_number_has_no_sum() {
    let refused = |text: &str, message: &str| {
        let errors = checked(text).expect_err(text);
        assert!(errors.starts_with(&format!("error: {message}\n")), "{errors}");
        assert_eq!(errors.matches("error:").count(), 1, "{errors}");
    };
    refused(
        "enum E { a, b }; exists E e. e + 1 = b;",
        "expected a number or a variable of range type, found `E`",
    );
    refused(
        "enum E { a, b }; exists E e. e = a + 1;",
        "expected a number or a variable of range type, found `a` of `E`",
    );
    refused("exists bool b. b + 1 = b;", "expected a number or a variable of range type, found `bool`");
    refused("enum N { 0..3 }; exists N n. n + 1;", "expected `bool`, found `N`");
    let other = "enum N { 0..3 }; enum M { 0..3 }; bool P(M m) m = 0;";
    refused(&format!("{other} exists N n. P(n + 1);"), "expected `M`, found `N`");
    refused(&format!("{other} exists N n, M m. m = n + 1;"), "expected `M`, found `N`");
    let sums = "cannot compare `M` with `N`: expected the same type on both sides";
    refused(&format!("{other} exists N n, M m. m + 1 = n + 1;"), sums);
    refused("enum N { 0..3 }; exists N n. n = 3 + 1;", "the number 4 is outside `N`, which is 0..3");
    refused("enum N { 0..3 }; exists N n. n + 1 + 1 = 3;", "expected `;`, found `+`");
    refused("enum N { 0..3 }; exists N n, N m. n = n + m;", "expected a number, found `m`");
}

#[test]
fn sums_are_printed_as_they_are_read() {
    let text = "enum N { 0..3 };\nbool R(N i, N j)\n  i + 1 = j - 2 | R(i - 1, 0 + 1);\n";
    let mut sources = Sources::default();
    let file = sources.add("sums.mu", text);
    let (tree, errors) = calculus::parse(&sources, file);
    assert_eq!(errors, []);
    assert_eq!(calculus::print(&tree), text);
}

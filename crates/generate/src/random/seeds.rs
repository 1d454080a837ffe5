//! The seeds of a random test: those that the environment names, or the usual ones.

use std::ops::Range;

/// `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` in the environment, or these.
///
/// # Panics
/// If the environment names something else.
pub fn seeds(usual: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var("GETAFIX_SEED") else { return usual };
    let number = |text: &str| text.parse().expect("GETAFIX_SEED is a number or a range a..b");
    match text.split_once("..") {
        Some((from, to)) => number(from)..number(to),
        None => number(&text)..number(&text) + 1,
    }
}

//! A ring of beads: turn the ring either way, swap two neighbours, reverse four in a row.
//!
//! A full turn and one swap already generate every order of the beads, so the answer is n!.

use super::permutation::{Puzzle, text as puzzle_text};

/// The ring of `n` beads, at least 4.
pub fn text(n: usize) -> String {
    let n = n.max(4);
    let factorial: u128 = (1..=n as u128).product();
    puzzle_text(&puzzle(n), &factorial.to_string())
}

pub(super) fn puzzle(n: usize) -> Puzzle {
    let mut swap: Vec<usize> = (0..n).collect();
    swap.swap(0, 1);
    let mut reverse: Vec<usize> = (0..n).collect();
    reverse[..4].reverse();
    Puzzle {
        title: format!("A ring of {n} beads, turned, swapped and reversed; every order is reachable."),
        moves: vec![
            ("Left".to_owned(), (0..n).map(|p| (p + 1) % n).collect()),
            ("Right".to_owned(), (0..n).map(|p| (p + n - 1) % n).collect()),
            ("Swap".to_owned(), swap),
            ("Reverse".to_owned(), reverse),
        ],
    }
}

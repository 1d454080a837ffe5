//! The corners of the 2x2x2 cube, without their twist, under quarter turns of some faces.
//!
//! A corner is a point of {0,1}^3 and its number has the coordinates as bits. A face is an axis and a
//! side; its quarter turn rotates the two other coordinates of the corners on that side. Two adjacent faces
//! generate only 120 arrangements of six corners, three 5040, four and more all 40320.

use super::count;
use super::permutation::{Puzzle, order, text as puzzle_text};

/// Faces in the order they join: the first three meet in a corner.
const FACES: [(&str, usize, usize); 6] =
    [("Up", 1, 1), ("Right", 0, 1), ("Front", 2, 1), ("Down", 1, 0), ("Left", 0, 0), ("Back", 2, 0)];

/// The cube with the first `n` faces turning, 1 to 6.
pub fn text(n: usize) -> String {
    let puzzle = puzzle(n.clamp(1, FACES.len()));
    puzzle_text(&puzzle, &count(order(&puzzle)))
}

pub(super) fn puzzle(n: usize) -> Puzzle {
    let moves = FACES[..n].iter().map(|&(name, axis, side)| (name.to_owned(), quarter_turn(axis, side)));
    Puzzle {
        title: format!("The corners of the 2x2x2 cube under quarter turns of {n} of its faces."),
        moves: moves.collect(),
    }
}

/// For each corner, the corner whose piece comes to it.
fn quarter_turn(axis: usize, side: usize) -> Vec<usize> {
    let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
    let source = |corner: usize| {
        let bit = |axis: usize| corner >> axis & 1;
        if bit(axis) != side {
            return corner;
        }
        // (a, b) -> (1 - b, a) is a quarter turn of the unit square about its centre.
        side << axis | (1 - bit(b)) << a | bit(a) << b
    };
    (0..8).map(source).collect()
}

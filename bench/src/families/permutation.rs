//! Permutation puzzles: pieces on positions, and moves that permute the positions.
//!
//! The text asks for the number of arrangements that the moves make from the sorted one: the order of
//! the group they generate.

use super::{each, file};

/// A puzzle.
pub struct Puzzle {
    /// What it is, for the head of the file.
    pub title: String,
    /// The moves: a name, and for every position the position its next piece comes from.
    pub moves: Vec<(String, Vec<usize>)>,
}

/// The system of a puzzle whose group has the given order, `?` if nobody knows.
pub fn text(puzzle: &Puzzle, order: &str) -> String {
    let n = puzzle.moves[0].1.len();
    let mut body = format!("enum Piece {{ 0 .. {} }};\n\n", n - 1);
    for (name, sources) in &puzzle.moves {
        let equations = each(n, " & ", |p| format!("t[{p}] = s[{}]", sources[p]));
        body.push_str(&format!("bool {name}(Piece s[{n}], Piece t[{n}]) s ~+ t\n  {equations};\n\n"));
    }
    let sorted = each(n, " & ", |p| format!("s[{p}] = {p}"));
    let any = each(puzzle.moves.len(), " | ", |m| format!("{}(r, s)", puzzle.moves[m].0));
    body.push_str(&format!(
        "bool Sorted(Piece s[{n}])\n  {sorted};\n\n\
         bool Turn(Piece r[{n}], Piece s[{n}]) r ~+ s\n  {any};\n\n\
         mu bool Reachable(Piece s[{n}])\n  \
         Sorted(s) |\n  (exists Piece r[{n}]. Reachable(r) & Turn(r, s));\n\n\
         #ons Reachable;\n"
    ));
    file(&puzzle.title, &[order.to_owned()], &body)
}

/// The order of the group, by search; four bits hold a piece. `None` if the search gave up.
pub fn order(puzzle: &Puzzle) -> Option<usize> {
    let n = puzzle.moves[0].1.len();
    if n > 16 {
        return None;
    }
    let sorted = (0..n).fold(0, |word, p| word | (p as u64) << (4 * p));
    let arrangements = crate::explore::reachable(sorted, |word, next| {
        for (_, sources) in &puzzle.moves {
            next.push((0..n).fold(0, |moved, p| moved | (word >> (4 * sources[p]) & 15) << (4 * p)));
        }
    });
    arrangements.map(|set| set.len())
}

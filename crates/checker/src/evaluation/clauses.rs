//! What the clauses of a formula have cost, with their places and their words.
//!
//! Contract: plain values, since whoever reads them has not the texts of whoever evaluated.

use base::Sources;
use solver::Statistics;

/// Of a clause no more letters than these are told.
const MOST_LETTERS: usize = 160;

/// What a clause has cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClauseFigures {
    /// The relation that it makes tuples of; none of a query, or of a part that is computed apart.
    pub relation: Option<String>,
    /// The file, the line and the column where it begins.
    pub place: (String, usize, usize),
    /// Its words, on one line.
    pub text: String,
    /// How often it was run, mostly on the new tuples of a row.
    pub runs: u64,
    /// Units of work: runs, nodes of diagrams that were made, and results that were computed.
    pub work: u64,
}

/// What the clauses have cost that were run, in the order of the text.
pub fn clauses(statistics: &Statistics, sources: &Sources) -> Vec<ClauseFigures> {
    let told = |of: &solver::ClauseStatistics| {
        let (line, column) = sources.line_column(of.span);
        let words: Vec<&str> = sources.text(of.span).split_whitespace().collect();
        let text = words.join(" ");
        let end = text.char_indices().nth(MOST_LETTERS).map(|(end, _)| end);
        ClauseFigures {
            relation: of.relation.clone(),
            place: (sources.file(of.span.file).name.clone(), line, column),
            text: end.map_or(text.clone(), |end| format!("{} …", &text[..end])),
            runs: of.runs,
            work: of.work,
        }
    };
    statistics.clauses.iter().map(told).collect()
}

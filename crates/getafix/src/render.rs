//! Words for what the engines answer: reasons, derivations, statistics.

use crate::answer::Step;
use crate::json::dealt;
use base::{Sources, Span};
use calculus::listing::Listing;
use calculus::system::{RelationId, System, VarId};
use checker::{Cell, ClauseFigures, List, LocalisedFigures, Reason, SearchFigures, Sharing};
use present::units;
use solver::{Statistics, Valuation};
use std::fmt::Write;

/// A derivation with the places of clauses.
pub fn reasons(sources: &Sources, reasons: &[Reason]) -> Vec<Step> {
    let step = |reason: &Reason| Step {
        fact: reason.fact.clone(),
        clause: reason.clause.map(|(clause, span)| (clause, place(sources, span))),
        choice: reason.choice.clone(),
        basis: reason.basis.clone(),
    };
    reasons.iter().map(step).collect()
}

/// `reach.mu:9:3`.
fn place(sources: &Sources, span: Span) -> String {
    let (line, column) = sources.line_column(span);
    format!("{}:{line}:{column}", sources.file(span.file).name)
}

/// Names and values as cells.
pub fn valuation(values: Valuation) -> Vec<(String, Cell)> {
    values.into_iter().map(|(name, value)| (name, Cell::Value(value))).collect()
}

/// More values of a column than this are not told one by one.
const MOST_VALUES: u32 = 1 << 10;

/// The rows of a relation, a cell for each scalar column.
pub fn list(system: &System, relation: RelationId, found: &Listing, n_tuples: String) -> List {
    let columns = &system.relation(relation).columns;
    let cell = |(column, value): (&VarId, &Option<u32>)| match value {
        Some(value) => Cell::Value(system.sort_of(*column).value_name(*value)),
        None => Cell::Any,
    };
    let values = |(n, column): (usize, &VarId)| {
        let sort = system.sort_of(*column);
        let is_any = found.rows.iter().any(|row| row[n].is_none());
        let size = u32::try_from(sort.size()).ok().filter(|size| is_any && *size <= MOST_VALUES)?;
        Some((0..size).map(|value| sort.value_name(value)).collect())
    };
    List {
        values: columns.iter().enumerate().map(values).collect(),
        head: columns.iter().map(|column| system.var_name(*column)).collect(),
        rows: found.rows.iter().map(|row| columns.iter().zip(row).map(cell).collect()).collect(),
        is_cut: found.is_cut,
        n_tuples,
    }
}

/// The figures of `#print statistics`: only what two runs share.
pub fn figures(statistics: &Statistics) -> String {
    let mut out = String::new();
    for relation in &statistics.relations {
        let _ = writeln!(
            out,
            "{}: rounds {}, keys {}, nodes {}",
            relation.relation, relation.rounds, relation.keys, relation.nodes
        );
    }
    let _ = writeln!(
        out,
        "total: variables {}, nodes {}, peak {}",
        statistics.variables, statistics.nodes, statistics.peak_nodes
    );
    out
}

/// Whose answer it is, if a view that knows less of the program has it.
pub fn localised(figures: &LocalisedFigures) -> String {
    let LocalisedFigures { formula, n_rounds, n_kept, n_variables, bits, widest } = figures;
    let bits = match bits < widest {
        true => format!(", {bits} of {widest} bits"),
        false => String::new(),
    };
    let rounds = if *n_rounds == 1 { "1 round".to_owned() } else { format!("{n_rounds} rounds") };
    format!("the answer is that of {formula}, with {n_kept} of {n_variables} variables{bits}, after {rounds}")
}

/// The figures of a search of states, for `--stats`.
pub fn searched(search: &SearchFigures) -> String {
    let figures = &search.figures;
    let mut parts =
        vec![present::reason::searched(&figures.searched()), format!("{:.3}s", search.time.as_secs_f64())];
    parts.extend(search.states_per_second().map(|rate| format!("{rate:.0} states/s")));
    parts.push(format!("{:.1} bytes/state", search.bytes_per_state()));
    if figures.checks > 0 {
        parts.push(format!("{} edges, looked through {} times", figures.edges, figures.checks));
    }
    parts.extend(figures.sharing.as_ref().map(shared));
    parts.join(", ") + "\n"
}

/// How a search was shared.
fn shared(sharing: &Sharing) -> String {
    let Some(by) = dealt(sharing) else {
        return "one worker alone, before there was work to share".to_owned();
    };
    let faster = match sharing.side_by_side {
        0 => String::new(),
        _ => format!(", at most {:.2} times as fast as one", sharing.at_most()),
    };
    format!(
        "{} shares by {by}, {} rounds, {} of them side by side, {} letters{faster}",
        sharing.workers, sharing.rounds, sharing.side_by_side, sharing.letters,
    )
}

/// So many clauses are told, those with the most work first.
const MOST_CLAUSES: usize = 20;

fn clauses(all: &[ClauseFigures]) -> String {
    let place = |of: &ClauseFigures| format!("{}:{}", of.place.0, of.place.1);
    let mut rows: Vec<&ClauseFigures> = all.iter().collect();
    rows.sort_by_key(|of| std::cmp::Reverse((of.work, of.runs)));
    let n_left_out = rows.len().saturating_sub(MOST_CLAUSES);
    rows.truncate(MOST_CLAUSES);
    let Some(width) = rows.iter().map(|of| place(of).chars().count()).max() else { return String::new() };
    let width = width.max("clause".len());
    let mut out = format!("{:width$} {:>10} {:>10}\n", "clause", "runs", "work");
    for row in rows {
        let _ = writeln!(out, "{:width$} {:>10} {:>10}  {}", place(row), row.runs, row.work, row.text);
    }
    if n_left_out > 0 {
        let _ = writeln!(out, "and {n_left_out} more clauses with less work");
    }
    out
}

/// The tables of `--stats`: relation by relation, and clause by clause.
pub fn table(statistics: &Statistics, of_clauses: &[ClauseFigures]) -> String {
    let rows = &statistics.relations;
    let name = rows.iter().map(|row| row.relation.chars().count()).max().unwrap_or(0).max("relation".len());
    let mut out =
        format!("{:name$} {:>10} {:>10} {:>10} {:>10}\n", "relation", "rounds", "keys", "nodes", "time");
    for row in rows {
        let time = format!("{:.3}s", row.time.as_secs_f64());
        let _ = writeln!(
            out,
            "{:name$} {:>10} {:>10} {:>10} {:>10}",
            row.relation, row.rounds, row.keys, row.nodes, time
        );
    }
    out.push_str(&clauses(of_clauses));
    let _ = writeln!(
        out,
        "{} variables, {} nodes, at most {}, {}, {} collections",
        statistics.variables,
        statistics.nodes,
        statistics.peak_nodes,
        units::bytes(statistics.bytes),
        statistics.collections
    );
    out
}

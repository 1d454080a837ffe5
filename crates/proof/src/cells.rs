//! Which cells of memory a claim follows, in words: `cells a watched 14, b at a, v 2 watched 31 40;`.
//!
//! A region goes by its name; behind it stands how many cells of it are followed, if it is not one, another region, if the elements with the numbers of its cells are followed, and the lines of the
//! steps into targets whose loads are watched.

use base::{Diagnostic, Sources, Span};
use integers::Program;
use integers::cells::{Choice, MOST_CELLS, Tracked, lines, region_names, watchable};
use integers::read::Reader;
use std::fmt;

/// Cells of a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellsOf {
    /// The region.
    pub region: String,
    /// How many are followed.
    pub n_cells: usize,
    /// The region whose cells have the same numbers, if they are not its own.
    pub at: Option<String>,
    /// The lines of the loads that are watched, in order.
    pub watched: Vec<usize>,
    /// Where it stands, if it was read.
    pub span: Option<Span>,
}

impl fmt::Display for CellsOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.region)?;
        if self.n_cells != 1 {
            write!(f, " {}", self.n_cells)?;
        }
        if let Some(at) = &self.at {
            write!(f, " at {at}")?;
        }
        if !self.watched.is_empty() {
            write!(f, " watched")?;
        }
        self.watched.iter().try_for_each(|line| write!(f, " {line}"))
    }
}

/// A choice in words. The program is the one that [`crate::asked`] gives.
pub fn told(program: &Program, choice: &Choice, sources: &Sources) -> Vec<CellsOf> {
    let (lines, names) = (lines(program), region_names(program));
    let of = |tracked: &Tracked| {
        let line = |(id, edge): &(integers::FunctionId, integers::EdgeId)| {
            sources.line_column(lines.function(*id).edge(*edge).span).0
        };
        let mut watched: Vec<usize> = tracked.watched.iter().map(line).collect();
        watched.sort_unstable();
        watched.dedup();
        let region = names[tracked.region.index()].clone();
        let at = tracked.at.map(|at| names[at.index()].clone());
        CellsOf { region, n_cells: tracked.n_cells, at, watched, span: None }
    };
    choice.tracked.iter().map(of).collect()
}

/// The choice that words are for, about a program that [`crate::asked`] gives.
pub fn chosen(program: &Program, told: &[CellsOf], sources: &Sources) -> Result<Choice, Diagnostic> {
    let (lines, names) = (lines(program), region_names(program));
    let mut tracked: Vec<Tracked> = Vec::new();
    for CellsOf { region, n_cells, at, watched, span } in told {
        let span = span.unwrap_or(program.function(program.main).span);
        let wrong = |what: String| Err(Diagnostic::error(span, what));
        let Some(id) = names.iter().position(|name| name == region) else {
            return wrong(format!("the program has no memory called `{region}`"));
        };
        let id = integers::RegionId::new(id);
        if tracked.iter().any(|tracked| tracked.region == id) {
            return wrong(format!("the cells of `{region}` are chosen twice"));
        }
        if !(1..=MOST_CELLS).contains(n_cells) {
            return wrong(format!("from 1 to {MOST_CELLS} cells of `{region}` can be followed"));
        }
        let at = match at {
            None => None,
            Some(at) => {
                let is_it = |tracked: &&Tracked| names[tracked.region.index()] == *at;
                let Some(leader) = tracked.iter().find(is_it).filter(|leader| leader.at.is_none()) else {
                    return wrong(format!("`{at}` is no region before it that has cells of its own"));
                };
                if leader.n_cells < *n_cells {
                    return wrong(format!("`{at}` has fewer cells than are to be followed of `{region}`"));
                }
                Some(leader.region)
            }
        };
        let line = |(id, edge): &(integers::FunctionId, integers::EdgeId)| {
            sources.line_column(lines.function(*id).edge(*edge).span).0
        };
        let all = watchable(&lines, id);
        if let Some(none) = watched.iter().find(|wanted| !all.iter().any(|edge| line(edge) == **wanted)) {
            return wrong(format!(
                "no load of `{region}` on line {none} decides whether a target is reached"
            ));
        }
        let watched = all.into_iter().filter(|edge| watched.contains(&line(edge))).collect();
        tracked.push(Tracked { region: id, n_cells: *n_cells, at, watched });
    }
    Ok(Choice { tracked })
}

/// Reads what stands behind `cells`, up to `;`.
pub(crate) fn read(reader: &mut Reader) -> Result<Vec<CellsOf>, Diagnostic> {
    let mut all = Vec::new();
    loop {
        let (region, span) = reader.name()?;
        let n_cells = if reader.is_at_number() { small(reader)? } else { 1 };
        let at = if reader.accept_name("at") { Some(reader.name()?.0) } else { None };
        let mut watched = Vec::new();
        if reader.accept_name("watched") {
            watched.push(small(reader)?);
            while reader.is_at_number() {
                watched.push(small(reader)?);
            }
        }
        all.push(CellsOf { region, n_cells, at, watched, span: Some(span) });
        if !reader.accept(",") {
            break;
        }
    }
    reader.expect(";")?;
    Ok(all)
}

fn small(reader: &mut Reader) -> Result<usize, Diagnostic> {
    let span = reader.span();
    let number = reader.number()?;
    usize::try_from(number).map_err(|_| Diagnostic::error(span, "the number is too large"))
}

//! Lists: the tuples of a relation row by row, where a row may stand for many.
//!
//! Columns are taken from left to right. Where what is left of the relation is the same for every value of a column, that column of the row
//! has any value; otherwise there are rows for each value that occurs, in ascending order. So each tuple is in exactly one row, and the rows
//! depend on nothing but the tuples. This is the textbook version, on a set of tuples; the solver has one on diagrams.

use crate::naive::Tuples;
use crate::system::{RelationId, System};
use std::collections::BTreeMap;

/// A row: for each column its value, or none if it has any.
pub type Row = Vec<Option<u32>>;

/// The first rows of a list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    /// The rows, in order.
    pub rows: Vec<Row>,
    /// There are more.
    pub is_cut: bool,
}

/// The first rows of a relation with these tuples.
pub fn list(system: &System, relation: RelationId, tuples: &Tuples, most: usize) -> Listing {
    let sizes = system.relation(relation).columns.iter().map(|column| system.sort_of(*column).size());
    let mut lister = Lister { sizes: sizes.collect(), most, row: Row::new(), found: Listing::default() };
    let tuples: Vec<&[u32]> = tuples.iter().map(Vec::as_slice).collect();
    lister.rest(&tuples);
    lister.found
}

struct Lister {
    sizes: Vec<u64>,
    most: usize,
    row: Row,
    found: Listing,
}

impl Lister {
    /// The rows for what is left of some tuples behind the columns that have been taken.
    fn rest(&mut self, tuples: &[&[u32]]) {
        if tuples.is_empty() || self.found.is_cut {
            return;
        }
        let Some(&size) = self.sizes.get(self.row.len()) else {
            match self.found.rows.len() < self.most {
                true => self.found.rows.push(self.row.clone()),
                false => self.found.is_cut = true,
            }
            return;
        };
        let mut parts: BTreeMap<u32, Vec<&[u32]>> = BTreeMap::new();
        for tuple in tuples {
            parts.entry(tuple[0]).or_default().push(&tuple[1..]);
        }
        let first = parts.values().next().cloned().unwrap_or_default();
        if size > 1 && parts.len() as u64 == size && parts.values().all(|part| *part == first) {
            self.taking(None, &first);
            return;
        }
        parts.iter().for_each(|(value, part)| self.taking(Some(*value), part));
    }

    fn taking(&mut self, value: Option<u32>, rest: &[&[u32]]) {
        self.row.push(value);
        self.rest(rest);
        self.row.pop();
    }
}

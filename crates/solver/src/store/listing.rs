//! Lists: the tuples of a table row by row, as `calculus::listing` defines them, from diagrams and without enumerating more than is wanted.
//!
//! Whoever asks may have columns taken together, such as the bits of a number, and others left out: what a row says then holds for some values of those.

use super::Store;
use super::table::TableId;
use crate::fault::Fault;
use calculus::listing::{Listing, Row};
use calculus::system::VarId;
use dd::{Bdd, Level, Map};
use std::collections::BTreeMap;

/// Columns of a relation that a list takes together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Their positions; of a number its bits, the lowest first.
    pub at: Vec<usize>,
    /// What becomes of them.
    pub shown: Shown,
}

/// What becomes of columns that are taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// They have a value, or any.
    Value,
    /// They have a value, also where it does not matter which.
    Each,
    /// They are the bits of a number that is at most this.
    UpTo(u64),
    /// They are left out.
    Not,
}

/// How the columns from a position on are taken, as far as that depends on what the row says so far. They are those from that position on.
pub type Grouping<'g> = &'g mut dyn FnMut(usize, &[Option<u32>]) -> Vec<Columns>;

/// What is left of a table: keys and diagrams, sorted by keys.
type Rest = Vec<(Vec<u32>, Bdd)>;

impl Store<'_> {
    /// The first rows of a relation's table.
    pub fn list(&mut self, table: TableId, most: usize, grouping: Grouping) -> Result<Listing, Fault> {
        let columns = self.system.relations[table.index()].columns.clone();
        let rest = self.expanded_rows(table)?;
        self.list_rows(table, columns, rest, most, grouping)
    }

    /// The first rows of some columns of a table, as far as it lies within a diagram.
    pub fn list_within(
        &mut self,
        table: TableId,
        columns: &[VarId],
        within: Bdd,
        most: usize,
        grouping: Grouping,
    ) -> Result<Listing, Fault> {
        let mut rest = self.expanded_rows(table)?;
        for row in &mut rest {
            row.1 = self.dd.and(row.1, within)?;
        }
        self.list_rows(table, columns.to_vec(), rest, most, grouping)
    }

    fn list_rows(
        &mut self,
        table: TableId,
        columns: Vec<VarId>,
        mut rest: Rest,
        most: usize,
        grouping: Grouping,
    ) -> Result<Listing, Fault> {
        let keys = self.shape(table).keys.clone();
        rest.retain(|row| row.1 != Bdd::FALSE);
        rest.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let row = vec![None; columns.len()];
        let mut lister =
            Lister { store: self, columns, keys, most, grouping, row, found: Listing::default() };
        lister.from(0, rest)?;
        Ok(lister.found)
    }
}

struct Lister<'l, 'g, 's> {
    store: &'l mut Store<'s>,
    columns: Vec<VarId>,
    keys: Vec<VarId>,
    most: usize,
    grouping: Grouping<'g>,
    row: Row,
    found: Listing,
}

impl Lister<'_, '_, '_> {
    /// The rows for what is left, with the columns from a position on to be taken.
    fn from(&mut self, position: usize, rest: Rest) -> Result<(), Fault> {
        if rest.is_empty() || self.found.is_cut {
            return Ok(());
        }
        if position == self.columns.len() {
            match self.found.rows.len() < self.most {
                true => self.found.rows.push(self.row.clone()),
                false => self.found.is_cut = true,
            }
            return Ok(());
        }
        let groups = (self.grouping)(position, &self.row);
        let n_taken: usize = groups.iter().map(|group| group.at.len()).sum();
        assert!(n_taken > 0, "a list takes all columns of a relation");
        self.groups(&groups, position + n_taken, rest)
    }

    /// The same with some groups to be taken before the columns from `next` on.
    fn groups(&mut self, groups: &[Columns], next: usize, rest: Rest) -> Result<(), Fault> {
        if rest.is_empty() || self.found.is_cut {
            return Ok(());
        }
        let Some((group, others)) = groups.split_first() else { return self.from(next, rest) };
        let of_key = |at: &usize| self.keys.iter().position(|key| *key == self.columns[*at]);
        match (&group.at[..], group.at.first().and_then(of_key)) {
            ([at], Some(key)) => self.key((*at, group.shown), key, (others, next), rest),
            _ => self.bits(group, (others, next), rest),
        }
    }

    /// Takes a column that is a key.
    fn key(
        &mut self,
        (at, shown): (usize, Shown),
        key: usize,
        then: (&[Columns], usize),
        rest: Rest,
    ) -> Result<(), Fault> {
        let size = self.store.system.sort_of(self.columns[at]).size();
        let mut parts: BTreeMap<u32, Rest> = BTreeMap::new();
        for (mut keys, diagram) in rest {
            // A key that has been taken does not matter any more.
            let value = std::mem::take(&mut keys[key]);
            parts.entry(value).or_default().push((keys, diagram));
        }
        let mut all = parts.values();
        let first = all.next().cloned().unwrap_or_default();
        let may_be_any = size > 1 && shown != Shown::Each;
        if may_be_any && parts.len() as u64 == size && all.all(|part| *part == first) {
            return self.taking(at, None, then, first);
        }
        for (value, part) in parts {
            self.taking(at, Some(value), then, part)?;
        }
        Ok(())
    }

    fn taking(
        &mut self,
        at: usize,
        value: Option<u32>,
        (others, next): (&[Columns], usize),
        rest: Rest,
    ) -> Result<(), Fault> {
        self.row[at] = value;
        self.groups(others, next, rest)?;
        self.row[at] = None;
        Ok(())
    }

    /// Takes columns that are bits of diagrams.
    fn bits(&mut self, group: &Columns, then: (&[Columns], usize), rest: Rest) -> Result<(), Fault> {
        let vars: Vec<VarId> = group.at.iter().rev().map(|at| self.columns[*at]).collect();
        let levels = self.store.levels_of(&vars);
        if group.shown == Shown::Each || levels.is_empty() {
            return self.values(group, &levels, &mut Vec::new(), then, rest);
        }
        let without = self.without(&levels, &rest)?;
        if group.shown != Shown::Not && !self.has_any(group, &vars, &rest, &without)? {
            return self.values(group, &levels, &mut Vec::new(), then, rest);
        }
        group.at.iter().for_each(|at| self.row[*at] = None);
        let (others, next) = then;
        self.groups(others, next, without)
    }

    /// What is left whatever the bits at some levels are.
    fn without(&mut self, levels: &[Level], rest: &Rest) -> Result<Rest, Fault> {
        let product = self.store.register(Map::default(), Map::default(), levels.to_vec());
        let mut out = Rest::with_capacity(rest.len());
        for (key, diagram) in rest {
            out.push((key.clone(), self.store.dd.product(*diagram, Bdd::TRUE, product)?));
        }
        Ok(out)
    }

    /// What is left is the same for every value of the columns.
    fn has_any(
        &mut self,
        group: &Columns,
        vars: &[VarId],
        rest: &Rest,
        without: &Rest,
    ) -> Result<bool, Fault> {
        let mut domains = vec![self.store.existing_values(vars)?];
        if let Shown::UpTo(most) = group.shown {
            domains.push(self.up_to(vars, most)?);
        }
        for domain in domains {
            let mut is_any = true;
            for ((_, part), (_, whole)) in rest.iter().zip(without) {
                is_any = is_any && self.store.dd.and(*whole, domain)? == *part;
            }
            if is_any {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The bits, the highest first, are a number that is at most this.
    fn up_to(&mut self, vars: &[VarId], most: u64) -> Result<Bdd, Fault> {
        let levels = self.store.levels_of(vars);
        let mut result = Bdd::TRUE;
        for (n, level) in levels.iter().rev().enumerate() {
            let bit = self.store.dd.variable(*level)?;
            let is_one = n >= 64 || most >> n & 1 == 1;
            result = match is_one {
                true => self.store.dd.or(bit.complement(), result)?,
                false => self.store.dd.difference(result, bit)?,
            };
        }
        Ok(result)
    }

    /// The rows for each value of some columns: the bits that are known, the highest first, and the levels of the others.
    fn values(
        &mut self,
        group: &Columns,
        levels: &[Level],
        known: &mut Vec<bool>,
        then: (&[Columns], usize),
        rest: Rest,
    ) -> Result<(), Fault> {
        if rest.is_empty() || self.found.is_cut {
            return Ok(());
        }
        let Some((&level, lower)) = levels.split_first() else {
            self.set(group, known);
            let (others, next) = then;
            self.groups(others, next, rest)?;
            group.at.iter().for_each(|at| self.row[*at] = None);
            return Ok(());
        };
        let bit = self.store.dd.variable(level)?;
        for (value, bit) in [(false, bit.complement()), (true, bit)] {
            let mut part = Rest::new();
            for (key, diagram) in &rest {
                let diagram = self.store.dd.and(*diagram, bit)?;
                if diagram != Bdd::FALSE {
                    part.push((key.clone(), diagram));
                }
            }
            known.push(value);
            self.values(group, lower, known, then, part)?;
            known.pop();
        }
        Ok(())
    }

    /// Writes bits into the row.
    fn set(&mut self, group: &Columns, known: &[bool]) {
        let mut known = known.iter();
        for at in group.at.iter().rev() {
            let n_bits = self.store.layout.levels(self.columns[*at]).len();
            let value = known.by_ref().take(n_bits).fold(0, |value, bit| value << 1 | u32::from(*bit));
            self.row[*at] = Some(value);
        }
    }
}

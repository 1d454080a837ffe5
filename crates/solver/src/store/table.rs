//! Tables: what a relation is while the solver works on it.
//!
//! A table maps keys, the values of a relation's explicit columns, to diagrams over its symbolic columns. Rows are
//! only ever added, so a row number is a stable name; an index lists the rows that agree on some key columns.

use calculus::system::{RelationId, VarId};
use dd::Bdd;
use rustc_hash::FxHasher;
use std::hash::Hasher;

base::index_type! {
    /// A table of the solver.
    TableId;
    /// A row of a table.
    RowId;
    /// An index of a table.
    IndexId;
}

/// Ends a chain.
const NONE: u32 = u32::MAX;

/// What is known of one key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// All tuples found so far.
    pub full: Bdd,
    /// Tuples that were not propagated yet.
    pub pending: Bdd,
    /// Column equalities that hold besides the diagram: a number of [`super::frame::Frames`].
    pub frame: u32,
    /// The row's place in the work list order.
    pub rank: u32,
    /// The row waits in the work list.
    pub queued: bool,
}

/// What a table is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The value of a relation; `given` if its rows come from outside.
    Relation { id: RelationId, given: bool },
    /// A bracketed part of a body. It lives as long as the rules that use it.
    Group,
    /// An intermediate result, given back when it has been read.
    Temporary,
}

/// The columns of a table.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub role: Role,
    /// A name for people.
    pub name: String,
    /// Key columns.
    pub keys: Vec<VarId>,
    /// Columns stored as bits.
    pub bits: Vec<VarId>,
}

/// Keys to rows.
#[derive(Debug)]
pub(crate) struct Table {
    pub shape: Shape,
    width: usize,
    keys: Vec<u32>,
    pub rows: Vec<Row>,
    /// Open addressing: row numbers by hash of the whole key.
    slots: Vec<u32>,
    /// The same by position, while no rows are added.
    positions: Option<Positions>,
    /// Nothing was added since it was tried to find rows by position.
    is_settled: bool,
    indexes: Vec<Index>,
    /// The rank of rows that are made from now on.
    pub new_rank: u32,
    /// When the table last changed, in ticks of the solver.
    pub stamp: u64,
    /// The bit patterns that stand for values of its bit columns, once somebody asked.
    pub domain: Option<Bdd>,
}

/// The rows that agree on some columns, chained in order of insertion.
#[derive(Debug)]
struct Index {
    columns: Box<[usize]>,
    /// Open addressing: numbers of groups by hash of the columns. Not in use as long as there are positions.
    slots: Vec<u32>,
    /// Numbers of groups, while no rows are added.
    positions: Option<Positions>,
    groups: Vec<Group>,
    next: Vec<u32>,
}

/// Numbers by one or two small values, without hashes: for each first value where its cells begin, a cell for each second value.
#[derive(Debug)]
struct Positions {
    begins: Vec<u32>,
    cells: Vec<u32>,
}

/// Cells that positions may take for each row, and that do not matter.
const MOST_CELLS: usize = 8;
const FEW_CELLS: usize = 1024;

#[derive(Clone, Copy, Debug)]
struct Group {
    first: u32,
    last: u32,
}

fn hash(values: impl Iterator<Item = u32>) -> usize {
    let mut hasher = FxHasher::default();
    for value in values {
        hasher.write_u32(value);
    }
    let h = hasher.finish();
    (h ^ (h >> 32)) as usize
}

impl Table {
    pub fn new(shape: Shape) -> Self {
        Self {
            width: shape.keys.len(),
            shape,
            keys: Vec::new(),
            rows: Vec::new(),
            slots: vec![NONE; 4],
            positions: None,
            is_settled: false,
            indexes: Vec::new(),
            new_rank: 0,
            stamp: 0,
            domain: None,
        }
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of keys that have tuples.
    pub fn n_used(&self) -> u64 {
        self.rows.iter().filter(|row| row.full != Bdd::FALSE).count() as u64
    }

    pub fn key(&self, row: RowId) -> &[u32] {
        &self.keys[row.index() * self.width..][..self.width]
    }

    /// Forgets all rows, keeps the shape and the indexes.
    pub fn clear(&mut self) {
        self.new_rank = 0;
        (self.positions, self.is_settled) = (None, false);
        self.keys.clear();
        self.rows.clear();
        self.slots.clear();
        self.slots.resize(4, NONE);
        for index in &mut self.indexes {
            index.clear();
        }
    }

    /// The row of a key.
    pub fn find(&self, key: &[u32]) -> Option<RowId> {
        if let Some(positions) = &self.positions {
            return positions.get(key).map(RowId);
        }
        let mask = self.slots.len() - 1;
        let mut at = hash(key.iter().copied()) & mask;
        loop {
            let row = self.slots[at];
            if row == NONE {
                return None;
            }
            if self.key(RowId(row)) == key {
                return Some(RowId(row));
            }
            at = (at + 1) & mask;
        }
    }

    /// The row of a key, made empty if it is new.
    pub fn find_or_insert(&mut self, key: &[u32]) -> RowId {
        let mask = self.slots.len() - 1;
        let mut at = hash(key.iter().copied()) & mask;
        loop {
            let row = self.slots[at];
            if row == NONE {
                break;
            }
            if self.key(RowId(row)) == key {
                return RowId(row);
            }
            at = (at + 1) & mask;
        }
        (self.positions, self.is_settled) = (None, false);
        let row = self.rows.len() as u32;
        self.slots[at] = row;
        self.keys.extend_from_slice(key);
        self.rows.push(Row {
            full: Bdd::FALSE,
            pending: Bdd::FALSE,
            frame: 0,
            rank: self.new_rank,
            queued: false,
        });
        for index in &mut self.indexes {
            index.add(row, &self.keys, self.width);
        }
        if self.rows.len() * 2 > self.slots.len() {
            self.rehash();
        }
        RowId(row)
    }

    /// Gives back room that more rows would have taken.
    pub fn shrink(&mut self) {
        self.keys.shrink_to_fit();
        self.rows.shrink_to_fit();
    }

    fn rehash(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![NONE; mask + 1];
        for row in 0..self.rows.len() as u32 {
            let mut at = hash(self.key(RowId(row)).iter().copied()) & mask;
            while slots[at] != NONE {
                at = (at + 1) & mask;
            }
            slots[at] = row;
        }
        self.slots = slots;
    }

    /// The index over these columns (sorted), built if it is not there yet.
    pub fn index(&mut self, columns: &[usize]) -> IndexId {
        if let Some(at) = self.indexes.iter().position(|index| *index.columns == *columns) {
            return IndexId::new(at);
        }
        self.indexes.push(Index::new(columns, &self.keys, self.width));
        IndexId::new(self.indexes.len() - 1)
    }

    /// The table stays as it is for a while: rows are to be found by position, where that is possible.
    pub fn settle(&mut self) {
        if std::mem::replace(&mut self.is_settled, true) {
            return;
        }
        let all: Vec<usize> = (0..self.width).collect();
        self.positions = Positions::new(&all, &self.keys, self.width);
        if let Some(positions) = &mut self.positions {
            let keys = self.keys.chunks_exact(self.width);
            (0..).zip(keys).for_each(|(row, key)| *positions.cell(key) = row);
        }
        for index in self.indexes.iter_mut().filter(|index| index.positions.is_none()) {
            index.settle(&self.keys, self.width);
        }
    }

    /// The average size of an index's groups, rounded up.
    pub fn fanout(&self, index: IndexId) -> usize {
        self.rows.len().div_ceil(self.indexes[index.index()].groups.len().max(1))
    }

    /// The first row whose indexed columns have these values.
    pub fn first(&self, index: IndexId, probe: &[u32]) -> Option<RowId> {
        let index = &self.indexes[index.index()];
        let group = index.group(probe, &self.keys, self.width)?;
        Some(RowId(index.groups[group as usize].first))
    }

    /// The next row of the same group.
    pub fn next(&self, index: IndexId, row: RowId) -> Option<RowId> {
        let next = self.indexes[index.index()].next[row.index()];
        (next != NONE).then_some(RowId(next))
    }
}

impl Positions {
    /// Empty cells for the values of one or two columns; `None` if there would be too many.
    fn new(columns: &[usize], keys: &[u32], width: usize) -> Option<Self> {
        if keys.is_empty() || columns.is_empty() || columns.len() > 2 {
            return None;
        }
        let rows = || keys.chunks_exact(width);
        let most = keys.len() / width * MOST_CELLS + FEW_CELLS;
        let n_first = rows().map(|key| key[columns[0]] as usize + 1).max()?;
        if n_first > most {
            return None;
        }
        let mut begins = vec![0u32; n_first + 1];
        for key in rows() {
            let size = &mut begins[key[columns[0]] as usize + 1];
            *size = (*size).max(columns.get(1).map_or(0, |second| key[*second]).checked_add(1)?);
        }
        let mut n_cells = 0u64;
        for begin in &mut begins {
            n_cells += u64::from(*begin);
            if n_cells > most as u64 {
                return None;
            }
            *begin = n_cells as u32;
        }
        Some(Self { begins, cells: vec![NONE; n_cells as usize] })
    }

    /// The cell of values that the table has.
    fn cell(&mut self, values: &[u32]) -> &mut u32 {
        let second = values.get(1).copied().unwrap_or(0);
        &mut self.cells[(self.begins[values[0] as usize] + second) as usize]
    }

    /// The number of some values.
    #[inline]
    fn get(&self, values: &[u32]) -> Option<u32> {
        let second = values.get(1).copied().unwrap_or(0);
        let [begin, end] = *self.begins.get(values[0] as usize..)?.first_chunk()?;
        let number = (second < end - begin).then(|| self.cells[(begin + second) as usize])?;
        (number != NONE).then_some(number)
    }
}

/// The values of one or two columns.
fn probe(columns: &[usize], key: &[u32]) -> [u32; 2] {
    [key[columns[0]], columns.get(1).map_or(0, |second| key[*second])]
}

impl Index {
    /// An index of rows that are there, by position if possible.
    fn new(columns: &[usize], keys: &[u32], width: usize) -> Self {
        let (slots, groups, next) = (vec![NONE; 4], Vec::new(), Vec::new());
        let positions = Positions::new(columns, keys, width);
        let mut this = Self { columns: columns.into(), slots, positions, groups, next };
        let n_rows = keys.len().checked_div(width).unwrap_or(0) as u32;
        match this.positions.is_some() {
            true => (0..n_rows).for_each(|row| this.place(row, keys, width)),
            false => (0..n_rows).for_each(|row| this.add(row, keys, width)),
        }
        this
    }

    /// Finds the groups that are there by position, if possible.
    fn settle(&mut self, keys: &[u32], width: usize) {
        self.positions = Positions::new(&self.columns, keys, width);
        if let Some(positions) = &mut self.positions {
            for (number, group) in (0..).zip(&self.groups) {
                *positions.cell(&probe(&self.columns, &keys[group.first as usize * width..])) = number;
            }
        }
    }

    /// Adds a row by position.
    fn place(&mut self, row: u32, keys: &[u32], width: usize) {
        let positions = self.positions.as_mut().expect("there are positions");
        let cell = positions.cell(&probe(&self.columns, &keys[row as usize * width..]));
        self.next.push(NONE);
        if *cell == NONE {
            *cell = self.groups.len() as u32;
            self.groups.push(Group { first: row, last: row });
        } else {
            let group = &mut self.groups[*cell as usize];
            self.next[group.last as usize] = row;
            group.last = row;
        }
    }

    fn clear(&mut self) {
        self.positions = None;
        self.slots.clear();
        self.slots.resize(4, NONE);
        self.groups.clear();
        self.next.clear();
    }

    /// The group of a probe.
    #[inline]
    fn group(&self, probe: &[u32], keys: &[u32], width: usize) -> Option<u32> {
        match &self.positions {
            Some(positions) => positions.get(probe),
            None => self.find(probe, keys, width).ok(),
        }
    }

    /// The group of a probe by its hash, or the slot where it belongs.
    fn find(&self, probe: &[u32], keys: &[u32], width: usize) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash(probe.iter().copied()) & mask;
        loop {
            let group = self.slots[at];
            if group == NONE {
                return Err(at);
            }
            let key = &keys[self.groups[group as usize].first as usize * width..][..width];
            if self.columns.iter().zip(probe).all(|(&column, &value)| key[column] == value) {
                return Ok(group);
            }
            at = (at + 1) & mask;
        }
    }

    fn add(&mut self, row: u32, keys: &[u32], width: usize) {
        if self.positions.take().is_some() {
            // The table grows after all: from now on by hashes.
            while self.groups.len() * 2 > self.slots.len() {
                self.slots = vec![NONE; self.slots.len() * 2];
            }
            self.rehash(keys, width);
        }
        let key = &keys[row as usize * width..][..width];
        let probe: smallvec::SmallVec<[u32; 8]> = self.columns.iter().map(|&column| key[column]).collect();
        self.next.push(NONE);
        match self.find(&probe, keys, width) {
            Ok(group) => {
                let group = &mut self.groups[group as usize];
                self.next[group.last as usize] = row;
                group.last = row;
            }
            Err(slot) => {
                self.slots[slot] = self.groups.len() as u32;
                self.groups.push(Group { first: row, last: row });
                if self.groups.len() * 2 > self.slots.len() {
                    self.rehash(keys, width);
                }
            }
        }
    }

    fn rehash(&mut self, keys: &[u32], width: usize) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![NONE; mask + 1];
        for (n, group) in self.groups.iter().enumerate() {
            let key = &keys[group.first as usize * width..][..width];
            let mut at = hash(self.columns.iter().map(|&column| key[column])) & mask;
            while slots[at] != NONE {
                at = (at + 1) & mask;
            }
            slots[at] = n as u32;
        }
        self.slots = slots;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    fn table(width: usize) -> Table {
        let keys = (0..width).map(VarId::new).collect();
        Table::new(Shape { role: Role::Temporary, name: String::new(), keys, bits: Vec::new() })
    }

    /// Compares what is found with what a look at all rows finds.
    #[track_caller]
    fn check(table: &mut Table, columns: &[usize], random: &mut Random) {
        let index = table.index(columns);
        for _ in 0..40 {
            let key: Vec<u32> = (0..table.width).map(|_| random.below(9) as u32).collect();
            let rows = || (0..table.len()).map(RowId::new);
            assert_eq!(table.find(&key), rows().find(|row| table.key(*row) == key), "{key:?}");
            let probe: Vec<u32> = columns.iter().map(|column| key[*column]).collect();
            let found = std::iter::successors(table.first(index, &probe), |row| table.next(index, *row));
            let agrees = |row: &RowId| columns.iter().all(|column| table.key(*row)[*column] == key[*column]);
            assert_eq!(found.collect::<Vec<_>>(), rows().filter(agrees).collect::<Vec<_>>(), "{probe:?}");
        }
    }

    #[test]
    fn rows_are_found_by_hash_and_by_position() {
        let mut n_positions = [0, 0];
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let width = 1 + random.index(4);
            let mut columns: Vec<usize> = (0..width).filter(|_| random.index(2) == 0).collect();
            if columns.is_empty() {
                columns.push(random.index(width));
            }
            let mut table = table(width);
            for round in 0..4 {
                for _ in 0..random.index(30) {
                    let key: Vec<u32> = (0..width).map(|_| random.below(7) as u32).collect();
                    table.find_or_insert(&key);
                }
                check(&mut table, &columns, &mut random);
                table.settle();
                n_positions[0] += u32::from(table.positions.is_some());
                n_positions[1] += u32::from(table.indexes[0].positions.is_some());
                check(&mut table, &columns, &mut random);
                if round == 2 {
                    table.clear();
                    check(&mut table, &columns, &mut random);
                }
            }
        }
        assert!(n_positions.iter().all(|n| *n > 40), "{n_positions:?}");
    }

    #[test]
    fn large_values_are_not_positions() {
        let mut table = table(2);
        table.find_or_insert(&[3, u32::MAX]);
        table.find_or_insert(&[3, 5]);
        table.settle();
        assert!(table.positions.is_none());
        assert_eq!(table.find(&[3, u32::MAX]), Some(RowId(0)));
        assert_eq!(table.find(&[3, 6]), None);
    }
}

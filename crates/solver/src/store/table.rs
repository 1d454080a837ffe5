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
    indexes: Vec<Index>,
    /// The rank of rows that are made from now on.
    pub new_rank: u32,
    /// When the table last changed, in ticks of the solver.
    pub stamp: u64,
}

/// The rows that agree on some columns, chained in order of insertion.
#[derive(Debug)]
struct Index {
    columns: Box<[usize]>,
    slots: Vec<u32>,
    groups: Vec<Group>,
    next: Vec<u32>,
}

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
            indexes: Vec::new(),
            new_rank: 0,
            stamp: 0,
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
        let mut index =
            Index { columns: columns.into(), slots: Vec::new(), groups: Vec::new(), next: Vec::new() };
        index.clear();
        for row in 0..self.rows.len() as u32 {
            index.add(row, &self.keys, self.width);
        }
        self.indexes.push(index);
        IndexId::new(self.indexes.len() - 1)
    }

    /// The average size of an index's groups, rounded up.
    pub fn fanout(&self, index: IndexId) -> usize {
        self.rows.len().div_ceil(self.indexes[index.index()].groups.len().max(1))
    }

    /// The first row whose indexed columns have these values.
    pub fn first(&self, index: IndexId, probe: &[u32]) -> Option<RowId> {
        let index = &self.indexes[index.index()];
        index.find(probe, &self.keys, self.width).ok().map(|group| RowId(index.groups[group as usize].first))
    }

    /// The next row of the same group.
    pub fn next(&self, index: IndexId, row: RowId) -> Option<RowId> {
        let next = self.indexes[index.index()].next[row.index()];
        (next != NONE).then_some(RowId(next))
    }
}

impl Index {
    fn clear(&mut self) {
        self.slots.clear();
        self.slots.resize(4, NONE);
        self.groups.clear();
        self.next.clear();
    }

    /// The group of a probe, or the slot where it belongs.
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

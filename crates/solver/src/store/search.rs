//! Looking for a tuple: the smallest of a table, or any.

use super::Store;
use super::table::{RowId, TableId};
use crate::fault::Fault;
use calculus::system::VarId;
use dd::{Bdd, Level};

/// Values of variables.
pub(crate) type Values = Vec<(VarId, u32)>;

impl Store<'_> {
    /// The diagram of the given values of bit variables.
    pub fn point(&mut self, given: &[(VarId, u32)]) -> Result<Bdd, Fault> {
        let literals: Vec<_> = given
            .iter()
            .filter(|g| !self.layout.is_explicit(g.0))
            .flat_map(|&(var, value)| self.literals(var, value))
            .collect();
        Ok(self.dd.cube(literals)?)
    }

    /// The smallest tuple of a table within `within`, in the order of `leaves`.
    pub fn smallest(
        &mut self,
        table: TableId,
        leaves: &[VarId],
        within: Bdd,
    ) -> Result<Option<Values>, Fault> {
        let keys = self.shape(table).keys.clone();
        let mut rows: Vec<(Vec<u32>, Bdd)> = Vec::new();
        for row in 0..self.tables[table.index()].len() {
            let diagram = self.expanded(table, RowId::new(row))?;
            let diagram = self.dd.and(diagram, within)?;
            if diagram != Bdd::FALSE {
                rows.push((self.tables[table.index()].key(RowId::new(row)).to_vec(), diagram));
            }
        }
        if rows.is_empty() {
            return Ok(None);
        }
        let mut values = Vec::new();
        for &leaf in leaves {
            let value = match keys.iter().position(|k| *k == leaf) {
                Some(at) => {
                    let least = rows.iter().map(|row| row.0[at]).min().expect("some row is left");
                    rows.retain(|row| row.0[at] == least);
                    least
                }
                None => self.smallest_bits(leaf, &mut rows)?,
            };
            values.push((leaf, value));
        }
        Ok(Some(values))
    }

    /// Some tuple of a table within `within`, always the same: of the smallest key, the first that its diagram has. Much
    /// cheaper than the smallest one.
    pub fn first(&mut self, table: TableId, leaves: &[VarId], within: Bdd) -> Result<Option<Values>, Fault> {
        let mut best: Option<(RowId, Bdd)> = None;
        for row in (0..self.tables[table.index()].len()).map(RowId::new) {
            let key = |row: RowId| self.tables[table.index()].key(row);
            if best.is_some_and(|(known, _)| key(known) <= key(row)) {
                continue;
            }
            let diagram = self.expanded(table, row)?;
            let diagram = self.dd.and(diagram, within)?;
            if diagram != Bdd::FALSE {
                best = Some((row, diagram));
            }
        }
        let Some((row, diagram)) = best else { return Ok(None) };
        let literals = self.dd.pick(diagram).expect("the diagram has a tuple");
        let bit = |level: &Level| literals.binary_search(&(*level, true)).is_ok();
        let keys = &self.shape(table).keys;
        let value = |leaf: &VarId| match keys.iter().position(|k| k == leaf) {
            Some(at) => self.tables[table.index()].key(row)[at],
            None => {
                self.layout.levels(*leaf).iter().fold(0, |value, level| value << 1 | u32::from(bit(level)))
            }
        };
        let mut values: Values = leaves.iter().map(|leaf| (*leaf, value(leaf))).collect();
        values.sort_unstable();
        Ok(Some(values))
    }

    fn smallest_bits(&mut self, leaf: VarId, rows: &mut Vec<(Vec<u32>, Bdd)>) -> Result<u32, Fault> {
        let mut value = 0;
        for level in self.layout.levels(leaf).to_vec() {
            let bit = self.dd.variable(level)?;
            let mut zero = Vec::new();
            for (key, diagram) in rows.iter() {
                let part = self.dd.difference(*diagram, bit)?;
                if part != Bdd::FALSE {
                    zero.push((key.clone(), part));
                }
            }
            value <<= 1;
            if zero.is_empty() {
                value |= 1;
            } else {
                *rows = zero;
            }
        }
        Ok(value)
    }
}

//! Reading finished tables: size, number of tuples, the tuples themselves.

use super::Store;
use super::table::{RowId, TableId};
use crate::fault::Fault;
use calculus::system::VarId;
use dd::Bdd;
use num_bigint::BigUint;

impl Store<'_> {
    /// Distinct nodes of all diagrams of a table.
    pub fn table_size(&mut self, table: TableId) -> Result<u64, Fault> {
        let rows = (0..self.tables[table.index()].len()).map(RowId::new);
        let diagrams = rows.map(|row| self.expanded(table, row)).collect::<Result<Vec<Bdd>, Fault>>()?;
        Ok(self.dd.count_nodes(diagrams))
    }

    /// The number of tuples of a table.
    pub fn count(&mut self, table: TableId) -> Result<BigUint, Fault> {
        let mut levels = self.levels_of(&self.shape(table).bits.clone());
        levels.sort_unstable();
        let mut total = BigUint::ZERO;
        for row in 0..self.tables[table.index()].len() {
            let diagram = self.expanded(table, RowId::new(row))?;
            total += self.dd.count(diagram, &levels);
        }
        Ok(total)
    }

    /// The tuples of a table, values in the order of the relation's columns, sorted.
    pub fn tuples(&mut self, table: TableId, limit: usize) -> Result<Vec<Vec<u32>>, Fault> {
        let count = self.count(table)?;
        if count > BigUint::from(limit) {
            let size = count.to_string().parse().unwrap_or(u128::MAX);
            return Err(Fault::TooLarge {
                what: format!("the tuples of `{}`", self.shape(table).name),
                size,
            });
        }
        let columns = self.system.relations[table.index()].columns.clone();
        let shape = self.shape(table).clone();
        let mut tuples = Vec::new();
        for row in 0..self.tables[table.index()].len() {
            let diagram = self.expanded(table, RowId::new(row))?;
            let key = self.tables[table.index()].key(RowId::new(row)).to_vec();
            let mut found = Vec::new();
            self.spread(diagram, &shape.bits, &mut Vec::new(), &mut found)?;
            for values in found {
                let value = |column: &VarId| match shape.keys.iter().position(|k| k == column) {
                    Some(at) => key[at],
                    None => {
                        values
                            [shape.bits.iter().position(|b| b == column).expect("a column is a key or bits")]
                    }
                };
                tuples.push(columns.iter().map(value).collect());
            }
        }
        tuples.sort_unstable();
        Ok(tuples)
    }

    /// All valuations of `bits` that satisfy a diagram.
    fn spread(
        &mut self,
        diagram: Bdd,
        bits: &[VarId],
        values: &mut Vec<u32>,
        found: &mut Vec<Vec<u32>>,
    ) -> Result<(), Fault> {
        if diagram == Bdd::FALSE {
            return Ok(());
        }
        let Some((&var, rest)) = bits.split_first() else {
            found.push(values.clone());
            return Ok(());
        };
        for value in 0..self.system.sort_of(var).size() as u32 {
            let cube = self.exactly(var, value)?;
            let part = self.dd.and(diagram, cube)?;
            values.push(value);
            self.spread(part, rest, values, found)?;
            values.pop();
        }
        Ok(())
    }
}

//! Framing: equalities that hold in every tuple of a row leave its diagram.
//!
//! A static relation that a component is about to use many times is searched for columns that agree, `s.x = t.x` for what a
//! transition leaves alone. They become the row's frame, so a join renames them instead of multiplying identities.

use super::Store;
use super::table::{RowId, TableId};
use crate::answer::Shortcut;
use crate::fault::Fault;
use calculus::system::VarId;
use dd::{Bdd, Map};

/// Larger tables are left as they are: their rows come from facts, which bring their frames along.
const MOST_ROWS: usize = 4096;

impl Store<'_> {
    /// Puts the equalities of rows beside their diagrams, where the table is small enough to be searched.
    pub fn frame_table(&mut self, table: TableId) -> Result<(), Fault> {
        let pairs = self.like_columns(table);
        if self.is_given(table) || pairs.is_empty() || self.tables[table.index()].len() > MOST_ROWS {
            return Ok(());
        }
        for row in (0..self.tables[table.index()].len()).map(RowId::new) {
            let content = self.tables[table.index()].rows[row.index()];
            if content.frame != 0 || content.full.is_constant() {
                continue;
            }
            let (full, frame) = self.split_frame(content.full, &pairs)?;
            let at = &mut self.tables[table.index()].rows[row.index()];
            (at.full, at.frame) = (full, frame);
            self.shortcuts.add(Shortcut::Frames, frame != 0);
        }
        Ok(())
    }

    /// Columns of different parameters that are the same part of the same type.
    fn like_columns(&self, table: TableId) -> Vec<(VarId, VarId)> {
        let bits = &self.shape(table).bits;
        let var = |v: VarId| &self.system.vars[v.index()];
        let mut pairs = Vec::new();
        for (n, &a) in bits.iter().enumerate() {
            for &b in &bits[n + 1..] {
                let alike = var(a).sort == var(b).sort
                    && var(a).path == var(b).path
                    && var(a).binder != var(b).binder;
                if alike && !self.layout.levels(a).is_empty() {
                    pairs.push((a.min(b), a.max(b)));
                }
            }
        }
        pairs
    }

    /// The diagram without the second column of each equality that holds in it, and these equalities.
    fn split_frame(&mut self, full: Bdd, pairs: &[(VarId, VarId)]) -> Result<(Bdd, u32), Fault> {
        let mut kept: Vec<(VarId, VarId)> = Vec::new();
        for &(a, b) in pairs {
            if kept.iter().any(|&(x, y)| [x, y].contains(&a) || [x, y].contains(&b)) {
                continue;
            }
            let equal = self.equal_bits(a, b)?;
            if self.dd.difference(full, equal)? == Bdd::FALSE {
                kept.push((a, b));
            }
        }
        if kept.is_empty() {
            return Ok((full, 0));
        }
        let second: Vec<VarId> = kept.iter().map(|pair| pair.1).collect();
        let levels = self.levels_of(&second);
        let forget = self.register(Map::default(), Map::default(), levels);
        let rest = self.dd.product(full, Bdd::TRUE, forget)?;
        Ok((rest, self.frames.intern(kept)))
    }
}

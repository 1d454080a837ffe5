//! Framing: equalities that hold in every tuple of a row leave its diagram.
//!
//! A static relation that a component is about to use many times is searched for columns that agree, `s.x = t.x` for what a
//! transition leaves alone. They become the row's frame, so a join renames them instead of multiplying identities.

use crate::component::RuleSet;
use crate::machine::{Fault, Machine};
use crate::plan::{Literal, Plan};
use crate::table::{RowId, TableId};
use calculus::system::{Comparison, Term, VarId};
use dd::{Bdd, Map};

/// Larger tables are left as they are: their rows come from facts, which bring their frames along.
const MOST_ROWS: usize = 4096;

impl Machine<'_> {
    /// Frames the static tables that the rules of a component read.
    pub fn frame_statics(&mut self, set: &RuleSet) -> Result<(), Fault> {
        let mut tables: Vec<TableId> = Vec::new();
        for plan in set.delta.values().flatten() {
            tables.extend(self.static_factors(plan, set));
        }
        tables.sort_unstable();
        tables.dedup();
        for table in tables {
            self.frame_table(table)?;
        }
        Ok(())
    }

    /// The tables that a plan multiplies by and that do not grow.
    fn static_factors(&self, plan: &Plan, set: &RuleSet) -> Vec<TableId> {
        let literals = &self.rules[plan.rule.index()].literals;
        let tables = literals.iter().filter_map(|literal| match literal {
            Literal::Atom { table, .. } if !set.tables.contains(table) => Some(*table),
            _ => None,
        });
        tables.collect()
    }

    fn frame_table(&mut self, table: TableId) -> Result<(), Fault> {
        let pairs = self.like_columns(table);
        let given = self.given.get(table.index()).is_some_and(|given| *given);
        if given || pairs.is_empty() || self.tables[table.index()].len() > MOST_ROWS {
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
            self.shortcuts.frames += u64::from(frame != 0);
        }
        Ok(())
    }

    /// Columns of different parameters that are the same part of the same type.
    fn like_columns(&self, table: TableId) -> Vec<(VarId, VarId)> {
        let bits = &self.shapes[table.index()].bits;
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
            let equal = self.compare_bits(Comparison::Equal, Term::Var(a), Term::Var(b))?;
            if self.dd.difference(full, equal)? == Bdd::FALSE {
                kept.push((a, b));
            }
        }
        if kept.is_empty() {
            return Ok((full, 0));
        }
        let second: Vec<VarId> = kept.iter().map(|pair| pair.1).collect();
        let levels = self.levels_of(&second);
        let forget = self.register(&Map::default(), &Map::default(), &levels);
        let rest = self.dd.product(full, Bdd::TRUE, forget)?;
        Ok((rest, self.frames.intern(kept)))
    }
}

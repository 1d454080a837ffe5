//! Groups: tables for bracketed parts of bodies, computed before the rules that use them.

use super::Run;
use super::reading::Whole;
use crate::fault::Fault;
use crate::planner::StaticGroup;
use crate::store::table::TableId;

impl<R: Whole> Run<'_, '_, R> {
    /// Computes static groups anew where something they depend on has changed.
    pub fn refresh(&mut self, statics: &[StaticGroup]) -> Result<(), Fault> {
        for group in statics {
            let tables = group.relations.iter().map(|r| TableId(r.0)).chain(group.groups.iter().copied());
            let newest = tables.map(|t| self.store.tables[t.index()].stamp).max().unwrap_or(0);
            let stamp = self.store.tables[group.table.index()].stamp;
            // Under a rank the group is what it was then, and must be made again afterwards.
            let is_past = self.reading.reads_past(&group.relations);
            if stamp != 0 && stamp >= newest && !is_past {
                continue;
            }
            // A group speaks of the variables of the formula around it, whose values are in use.
            let env = self.executor.env.clone();
            let result = self.fill_group(group);
            self.executor.env = env;
            if result.is_err() || is_past {
                self.store.tables[group.table.index()].stamp = 0;
            }
            result?;
        }
        Ok(())
    }

    fn fill_group(&mut self, group: &StaticGroup) -> Result<(), Fault> {
        self.reading.forget(group.table);
        self.store.clear(group.table);
        self.add_facts(&group.facts)?;
        group.plans.iter().try_for_each(|plan| self.run(plan))?;
        self.store.touch(group.table);
        Ok(())
    }
}

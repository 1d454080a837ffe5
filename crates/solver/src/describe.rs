//! How a relation is computed, as text for people.

use crate::fault::Fault;
use crate::fixpoint::progress::Progress;
use crate::machine::Machine;
use crate::planner::describe::PlanText;
use crate::store::table::TableId;
use calculus::dependencies;
use calculus::system::{Kind, RelationId};
use std::fmt::Write;

impl<'s> Machine<'s> {
    /// The evaluation plan of a relation.
    pub fn describe(&mut self, progress: &mut Progress, relation: RelationId) -> Result<String, Fault> {
        let component = progress.dependencies.component(relation, &[]);
        let recursive = progress.dependencies.is_recursive(&component, &[]);
        let positive = progress.dependencies.negative_use(&component).is_none();
        let system = self.store.system;
        for used in progress.dependencies.uses(relation).to_vec() {
            if !component.contains(&used.relation) {
                self.ensure(progress, used.relation)?;
            }
        }
        let mut out = String::new();
        self.plan_text().describe_columns(relation, &mut out);
        let others: Vec<&str> =
            component.iter().filter(|r| **r != relation).map(|r| system.relation(*r).name.as_str()).collect();
        if !others.is_empty() {
            let _ = writeln!(out, "  computed together with {}", others.join(", "));
        }
        let has_nu = component.iter().any(|r| system.relation(*r).kind == Kind::Nu);
        let body = system.relation(relation).body;
        if !recursive
            && !self.planner.has_keys[body.index()]
            && self.store.shape(TableId(relation.0)).keys.is_empty()
        {
            out.push_str("  evaluated once as one diagram, brackets first, left to right\n");
            return Ok(out);
        }
        if recursive && !positive {
            out.push_str("  not positive: iterated from the start value, everything it uses computed anew in each round\n");
        } else if recursive && dependencies::is_mixed(system, &component) {
            let outer = dependencies::outermost(system, &component);
            let _ = writeln!(
                out,
                "  alternating: `{}` is iterated around the others",
                system.relation(outer).name
            );
        } else if recursive && has_nu {
            out.push_str("  greatest fixed point: rounds from the full relation until nothing changes\n");
        } else if recursive {
            out.push_str("  least fixed point: a work list of keys propagates new tuples\n");
            let at = *self.sets.described.entry(component.clone()).or_insert(relation);
            if at != relation {
                let _ = writeln!(out, "  its clauses are among those of {}, above", system.relation(at).name);
                return Ok(out);
            }
            let heads: Vec<_> =
                component.iter().map(|&r| (system.relation(r).body, true, TableId(r.0))).collect();
            let set = self.rule_set(&heads, true)?;
            self.plan_text().describe_set(&set, &mut out);
            return Ok(out);
        }
        let set = self.rule_set(&[(body, true, TableId(relation.0))], false)?;
        self.plan_text().describe_set(&set, &mut out);
        Ok(out)
    }

    fn plan_text(&self) -> PlanText<'_, 's> {
        PlanText { store: &self.store, planner: &self.planner }
    }
}

//! Queries: truth values, found before all is computed where the first witness decides.

use super::progress::Progress;
use crate::answer::Shortcut;
use crate::fault::Fault;
use crate::machine::Machine;
use crate::store::table::TableId;
use calculus::dependencies::{self, Polarity};
use calculus::system::{Formula, FormulaId, Kind, RelationId};

impl Machine<'_> {
    /// The truth value of a closed formula; stops early where the first witness decides.
    pub fn truth(&mut self, progress: &mut Progress, formula: FormulaId) -> Result<bool, Fault> {
        self.store.settings.gauge.enter("query");
        // A universal formula is the negation of a search for a counterexample.
        let (mut body, mut sign) = (formula, true);
        while let Formula::Not(inner) = self.store.system.formula(body) {
            (body, sign) = (*inner, !sign);
        }
        let universal = matches!(self.store.system.formula(body), Formula::Forall(..));
        if let Some(found) = self.search(progress, body, !universal)? {
            return Ok((found != universal) == sign);
        }
        for relation in self.planner.free.relations(formula).to_vec() {
            self.ensure(progress, relation)?;
        }
        Ok((self.formula_value(body)? == dd::Bdd::TRUE) == sign)
    }

    /// Looks for a witness of `formula` (or of its negation) while the last recursive component it needs is being
    /// computed. `None` if that component's growth does not decide the formula from one side.
    fn search(
        &mut self,
        progress: &mut Progress,
        formula: FormulaId,
        positive: bool,
    ) -> Result<Option<bool>, Fault> {
        let roots = self.planner.free.relations(formula).to_vec();
        let order = progress.dependencies.order(&roots, &progress.fixed);
        let unknown = |c: &Vec<RelationId>| c.iter().any(|r| !progress.valid[r.index()]);
        let order: Vec<Vec<RelationId>> = order.into_iter().filter(unknown).collect();
        let Some(last) = order.iter().rposition(|c| progress.dependencies.is_recursive(c, &progress.fixed))
        else {
            return Ok(None);
        };
        // The definitions between the component and the query grow with it; others are computed before.
        let mut component: Vec<RelationId> = order[last].clone();
        let mut earlier: Vec<RelationId> = Vec::new();
        for definition in &order[last + 1..] {
            let uses = progress.dependencies.uses(definition[0]);
            let grows = uses.iter().any(|u| component.contains(&u.relation));
            if grows { component.push(definition[0]) } else { earlier.push(definition[0]) }
        }
        component.sort_unstable();
        let uses = dependencies::formula_uses(self.store.system, formula);
        let wanted = if positive { Polarity::Positive } else { Polarity::Negative };
        let one_sided = uses.iter().filter(|u| component.contains(&u.relation)).all(|u| u.polarity == wanted);
        let least = component.iter().all(|r| self.store.system.relation(*r).kind != Kind::Nu);
        if !one_sided
            || !least
            || progress.dependencies.negative_use(&component).is_some()
            || progress.suspended.is_some()
        {
            return Ok(None);
        }
        let used = component.iter().flat_map(|r| progress.dependencies.uses(*r)).map(|u| u.relation);
        let used: Vec<RelationId> = used.chain(roots).filter(|r| !component.contains(r)).collect();
        for relation in earlier.into_iter().chain(used) {
            self.ensure(progress, relation)?;
        }
        self.run_search(progress, component, formula, positive)
    }

    fn run_search(
        &mut self,
        progress: &mut Progress,
        component: Vec<RelationId>,
        formula: FormulaId,
        positive: bool,
    ) -> Result<Option<bool>, Fault> {
        let name = component.last().map(|r| self.store.system.relation(*r).name.clone()).unwrap_or_default();
        self.store.settings.gauge.enter(&name);
        let start = ((self.store.settings.clock)(), self.work.rounds);
        let goal = self.store.temporary("the query", Vec::new(), Vec::new());
        let mut heads: Vec<_> =
            component.iter().map(|&r| (self.store.system.relation(r).body, true, TableId(r.0))).collect();
        heads.push((formula, positive, goal));
        let set = match self.rule_set(&heads, true) {
            Ok(set) => set,
            Err(fault) => {
                self.release(goal);
                return Err(fault);
            }
        };
        if !set.volatile.is_empty() && self.has_rows(&component) {
            self.finish(&set);
            return Ok(None);
        }
        self.work.clear();
        self.work.aim(goal);
        let started = self.start(&set);
        // A goal that is reached at the start cuts the start short: there is nothing to go on from.
        let resumable = !self.work.is_over();
        let result = started.and_then(|()| self.saturate(&set));
        let found = self.work.end_aim();
        self.store.shortcuts.add(Shortcut::EarlyStops, found);
        self.work.set_active(goal, false);
        let spent = (self.store.settings.clock)().saturating_sub(start.0);
        for &relation in &component {
            *progress.rounds.entry(relation).or_default() += self.work.rounds - start.1;
            *progress.times.entry(relation).or_default() += spent;
        }
        if result.is_err() || found && !resumable {
            self.finish(&set);
        } else if found {
            progress.suspended = Some((component, set));
        } else {
            self.finish(&set);
            for relation in component {
                progress.valid[relation.index()] = true;
            }
        }
        result.map(|()| Some(found))
    }
}

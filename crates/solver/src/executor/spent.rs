//! What each clause has cost, for people who write formulas.
//!
//! Contract: counts only, the same in every run. What a run makes other clauses do on its way is theirs, and is counted once.

use crate::answer::ClauseStatistics;
use crate::planner::plan::{Head, Rule, RuleId};
use calculus::system::System;
use std::collections::BTreeMap;

/// By rule: how often it ran, and its units of work.
#[derive(Default)]
pub(crate) struct Spent {
    rules: Vec<(u64, u64)>,
    /// What has been counted already, in the run that is under way.
    counted: u64,
}

impl Spent {
    /// A run begins; what [`Spent::ends`] wants to know.
    #[inline]
    pub fn begins(&mut self) -> u64 {
        std::mem::take(&mut self.counted)
    }

    /// A run of a rule ends that has done so much work.
    #[inline]
    pub fn ends(&mut self, rule: RuleId, work: u64, outer: u64) {
        if rule.index() >= self.rules.len() {
            self.rules.resize(rule.index() + 1, (0, 0));
        }
        let (runs, own) = &mut self.rules[rule.index()];
        *runs += 1;
        // Where all is keys, runs are all the work that there is.
        *own += work - self.counted + 1;
        self.counted = outer + work;
    }

    /// The clauses that ran, in the order of the text. Rules that are made of the same clause count together.
    pub fn clauses(&self, system: &System, rules: &[Rule]) -> Vec<ClauseStatistics> {
        let mut clauses: BTreeMap<_, ClauseStatistics> = BTreeMap::new();
        for (rule, &(runs, work)) in rules.iter().zip(&self.rules).filter(|(_, (runs, _))| *runs > 0) {
            let relation = match &rule.head {
                Head::Table(table, _) => system.relations.get(table.index()),
                Head::Sum => None,
            };
            let place = (rule.span.file, rule.span.start, rule.span.end);
            let clause = clauses.entry(place).or_insert_with(|| ClauseStatistics {
                relation: None,
                span: rule.span,
                runs: 0,
                work: 0,
            });
            clause.relation = clause.relation.take().or_else(|| relation.map(|of| of.name.clone()));
            clause.runs += runs;
            clause.work += work;
        }
        clauses.into_values().collect()
    }
}

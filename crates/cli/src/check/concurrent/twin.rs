//! The question within a bound, put to the textbook twin, which tries all runs.

use super::super::ask::Verdict;
use super::ask::{Answer, Finding, Foresee, Question, disjunction};
use crate::early::Missing;
use crate::render;
use base::Reading;
use checker::Bound;
use rsm::interleave::{self, Least, Limits, ThreadId, Unfinished};
use rsm::trace::Trace;
use rsm::{Copies, ThreadGoal};

/// The most blocks of any number that may or may not take part.
const MOST_OPTIONAL: usize = 4;

impl Question<'_> {
    /// The twin looks at every world.
    pub fn twin(&self, foresee: Foresee) -> Answer {
        let findings = match self.twin_findings() {
            Ok(findings) => findings,
            Err(reason) => vec![Finding::unknown(reason); self.targets.len()],
        };
        let finding = disjunction(&findings);
        foresee(&finding, &findings);
        let trace = match finding.verdict == Verdict::Reachable && self.wants_trace() {
            true => self.twin_trace().unwrap_or_else(|reason| {
                self.job.console.lacks(Missing::Trace, &reason);
                None
            }),
            false => None,
        };
        Answer { finding, findings, every_bound: None, trace, statistics: None }
    }

    /// What the twin says about each target.
    pub fn twin_findings(&self) -> Result<Vec<Finding>, String> {
        let goals = self.goals();
        let mut least: Vec<Option<u32>> = vec![None; goals.len()];
        let mut is_cut = false;
        for counts in self.numbers()? {
            let found = self.least(&counts, &goals).map_err(|unfinished| self.unfinished(unfinished))?;
            is_cut |= found.is_cut;
            for (known, new) in least.iter_mut().zip(found.least) {
                *known = known.iter().copied().chain(new).min();
            }
        }
        let mut rest = &least[..];
        let mut findings = Vec::new();
        for target in self.targets {
            let (mine, others) = rest.split_at(target.goals.len());
            findings.push(match mine.iter().flatten().min() {
                // Where calls were left out, a smaller number may do.
                Some(least) => Finding { verdict: Verdict::Reachable, least: (!is_cut).then_some(*least) },
                None if is_cut => Finding::unknown(self.unfinished(Unfinished::Depth)),
                None => Finding { verdict: Verdict::Unreachable, least: None },
            });
            rest = others;
        }
        Ok(findings)
    }

    fn least(&self, counts: &[u32], goals: &[ThreadGoal]) -> Result<Least, Unfinished> {
        let (limits, stop) = (Limits::default(), &self.job.stop);
        match self.bound {
            Bound::Switches(k) => interleave::least_switches(self.program, counts, goals, k, limits, stop),
            Bound::Rounds(k) => {
                let order = interleave::declaration_order(counts);
                interleave::least_rounds(self.program, counts, goals, &order, k, limits, stop)
            }
        }
    }

    /// The numbers of copies of each block that have to be tried. Where any number is allowed, as many as there are contexts do
    /// everything that fewer do, except that none of them can start where `init` forbids it; then there are none.
    fn numbers(&self) -> Result<Vec<Vec<u32>>, String> {
        let mut numbers: Vec<Vec<u32>> = vec![Vec::new()];
        let mut n_optional = 0;
        for block in &self.program.blocks {
            let choices = match (block.copies, self.bound) {
                (Copies::Number(number), _) => vec![number],
                (Copies::Any, Bound::Switches(k)) if block.init.is_empty() => vec![k + 1],
                (Copies::Any, Bound::Switches(k)) => vec![k + 1, 0],
                (Copies::Any, Bound::Rounds(_)) => {
                    let reason = "the twin cannot try any number of threads; within context switches it can";
                    return Err(reason.to_owned());
                }
            };
            n_optional += choices.len() - 1;
            if n_optional > MOST_OPTIONAL {
                return Err("there are too many blocks of any number for the twin".to_owned());
            }
            let with = |number: &Vec<u32>| -> Vec<Vec<u32>> {
                choices.iter().map(|choice| [&number[..], &[*choice]].concat()).collect()
            };
            numbers = numbers.iter().flat_map(with).collect();
        }
        Ok(numbers)
    }

    fn unfinished(&self, unfinished: Unfinished) -> String {
        let limits = Limits::default();
        match unfinished {
            Unfinished::Worlds => {
                format!("the twin looks at {} states at most, and there are more", limits.max_worlds)
            }
            Unfinished::Depth => {
                format!("the twin looks at stacks of {} calls at most, and some are deeper", limits.max_depth)
            }
            Unfinished::TooLarge => "some step has too many outcomes for the twin".to_owned(),
            Unfinished::Stopped(reason) => render::stopped(reason, &Reading::default(), &self.job.options),
        }
    }

    /// A run of the twin, with as few context switches or rounds as possible.
    fn twin_trace(&self) -> Result<Option<Trace>, String> {
        let goals = self.goals();
        let mut best: Option<Trace> = None;
        for counts in self.numbers()? {
            let found = self.run(&counts, &goals).map_err(|unfinished| self.unfinished(unfinished))?;
            let Some(trace) = found else { continue };
            trace
                .replay(self.program, &goals)
                .map_err(|reason| format!("it cannot be replayed: {reason}"))?;
            if best.as_ref().is_none_or(|best| trace.n_switches() < best.n_switches()) {
                best = Some(trace);
            }
        }
        Ok(best)
    }

    fn run(&self, counts: &[u32], goals: &[ThreadGoal]) -> Result<Option<Trace>, Unfinished> {
        let order: Vec<ThreadId> = interleave::declaration_order(counts);
        let bound = match self.bound {
            Bound::Switches(k) => interleave::Bound::Switches(k),
            Bound::Rounds(rounds) => interleave::Bound::Rounds { rounds, order: &order },
        };
        interleave::find_run(self.program, counts, goals, bound, Limits::default(), &self.job.stop)
    }
}

//! What goes wrong in runs: as a question of its own, and beside others.

use super::{Asked, LONGEST, about, figures, undefined};
use crate::engine::Tell;
use crate::integer::{About, Arithmetic, ExecutionFigures, Misuses, faults};
use crate::outcome::{Finding, Outcome, Unknown, Verdict};
use integers::account::{Account, Script, account};
use integers::explore::{Exploration, Quest, Run, explore};
use integers::step::Configuration;
use integers::trace::{End, Manner, walk_from};
use integers::{Fault, Faults, Goal, Integers, Program, Type, Undefined};
use std::ops::ControlFlow;

impl Asked<'_> {
    /// Looks for a run in which something goes wrong.
    pub(super) fn fault(&self, known: &mut Tell) -> Outcome {
        let faults = faults(self.problem.targets).expect("somebody asked for it");
        let found = explore(&self.program, Quest::Fault(faults), &self.budget(1));
        let mut finding = self.finding(&found, Quest::Fault(faults));
        if let (Verdict::No, Some(why)) = (&finding.verdict, self.unchecked(faults)) {
            finding = Finding::unknown(why);
        }
        let findings = vec![finding.clone(); self.problem.targets.len()];
        let mut outcome = self.outcome(finding, findings, self.about(&found), figures(&found));
        outcome.integers.overflow = found.overflow.map(undefined);
        outcome.integers.misuses = self.misuses(&found);
        // Others tell what is sought.
        let rest = |(why, ..): &&(Undefined, _, _)| !faults.includes(*why);
        let others = found.undefined.iter().filter(rest).copied().collect();
        outcome.remarks = self.remarks(&Exploration { undefined: others, ..found.clone() });
        if let Some((fault, run)) = &found.fault {
            outcome.integers.about = about(run.overflow, self.problem.program.arithmetic);
            outcome.integers.fault = Some(*fault);
            self.tell_fault(&mut outcome, run, *fault, known);
        }
        outcome
    }

    /// The outcome of a run that somebody has found, if something goes wrong in it.
    pub(super) fn told_fault(&self, faults: Faults, inputs: &[i128], known: &mut Tell) -> Option<Outcome> {
        let (fault, n_steps) = self.walked(faults, inputs, Integers::Mathematical)?;
        let run = Run { inputs: inputs.to_vec(), overflow: None, n_steps };
        let findings = vec![Finding::new(Verdict::Yes); self.problem.targets.len()];
        let figures = ExecutionFigures { n_runs: 1, n_steps, ..ExecutionFigures::default() };
        let mut outcome = self.outcome(Finding::new(Verdict::Yes), findings, About::Nothing, figures);
        let is_machine =
            self.walked(faults, inputs, Integers::Machine).is_some_and(|(other, _)| other == fault);
        if !is_machine {
            return None;
        }
        outcome.integers.about = About::Both;
        outcome.integers.fault = Some(fault);
        self.tell_fault(&mut outcome, &run, fault, known);
        Some(outcome)
    }

    /// What goes wrong with these inputs, by the concrete semantics, and after how many steps.
    fn walked(&self, faults: Faults, inputs: &[i128], integers: Integers) -> Option<(Fault, u64)> {
        let manner = Manner { integers, goal: Goal::Never, max_steps: LONGEST };
        let (mut n_steps, mut left) = (0, inputs.iter().copied());
        let mut configuration = Configuration::start(&self.program);
        let end = walk_from(&self.program, &mut configuration, &mut |_| left.next(), manner, &mut |_, _| {
            n_steps += 1;
            ControlFlow::Continue(())
        });
        Some((shown(&self.program, faults, end, &configuration)?, n_steps))
    }

    /// Adds the run, told by the concrete semantics; which integers it is about follows from that.
    fn tell_fault(&self, outcome: &mut Outcome, run: &Run, fault: Fault, known: &mut Tell) {
        if !self.can_tell(outcome, run, known) {
            return;
        }
        let script = Script { inputs: &run.inputs, repeats_from: None };
        let tell = |integers| {
            let manner = Manner { integers, goal: Goal::Never, max_steps: 16 * run.n_steps + 1000 };
            account(&self.program, script, manner)
        };
        let faults = faults(self.problem.targets).expect("somebody asked for it");
        let is_there =
            |account: &Account| shown(&self.program, faults, account.end, &account.last) == Some(fault);
        let mut told = tell(Integers::Machine);
        if !is_there(&told) || self.problem.program.arithmetic == Arithmetic::Wrapping {
            if let End::Undefined(why, function, edge) = told.end {
                outcome.integers.about = About::Mathematics(why, function, edge);
            }
            told = tell(Integers::Mathematical);
            assert!(is_there(&told), "the run that was found ends as {:?}", told.end);
        }
        outcome.remarks.extend(self.uninitialised(&told));
        outcome.integers.account = Some(told);
    }

    /// What runs show of misuses of memory.
    pub(super) fn misuses(&self, found: &Exploration) -> Misuses {
        let met = found.undefined.iter().find(|(why, ..)| matches!(why, Undefined::Memory(_)));
        match met {
            _ if !self.program.may_misuse_memory() => Misuses::None,
            Some(&(why, function, edge)) => Misuses::Known(Fault::Undefined(why, function, edge)),
            None if found.is_complete && self.program.memory.unchecked.is_empty() => Misuses::None,
            None => Misuses::Open,
        }
    }

    /// What nobody sees, if it could be what is looked for.
    fn unchecked(&self, faults: Faults) -> Option<Unknown> {
        let unchecked = self.program.memory.unchecked.first()?;
        if !(faults.memory || faults.lost || faults.unfreed) {
            return None;
        }
        let line = self.sources.line_column(unchecked.span).0;
        Some(Unknown::because(format!("{} (line {line}) is not represented", unchecked.construct)))
    }
}

/// What went wrong in a run that ended so, of what is looked for.
fn shown(program: &Program, faults: Faults, end: End, last: &Configuration) -> Option<Fault> {
    let site = |number: Option<&i64>| last.objects.get(*number?).and_then(|object| object.site);
    match end {
        End::Undefined(why, function, edge) => {
            faults.includes(why).then_some(Fault::Undefined(why, function, edge))
        }
        End::Returned => {
            let is_pointer = |n: &usize| program.globals[*n].variable.ty == Type::POINTER;
            let roots = (0..program.globals.len()).filter(is_pointer);
            let lost = last.objects.lost(&program.memory, roots.map(|n| last.globals[n]));
            let lost = site(lost.first()).filter(|_| faults.lost);
            let unfreed = site(last.objects.heap().first()).filter(|_| faults.unfreed);
            let lost = lost.map(|(function, edge)| Fault::Lost(function, edge));
            lost.or(unfreed.map(|(function, edge)| Fault::Unfreed(function, edge)))
        }
        _ => None,
    }
}

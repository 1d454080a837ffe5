//! The engine that executes: many runs, or the only one.
//!
//! `Yes` is about a run that the concrete semantics has gone through once more, with the widths of the machine first. `No` is said only if
//! all runs were executed and nothing unknown mattered. Everything else is unknown, and says what stood in the way.

mod faults;
mod reasons;

use super::{Asker, Engine, Tell};
use crate::integer::{About, Arithmetic, ExecutionFigures, IntegerGoal, IntegerProgram, Misuses, faults};
use crate::outcome::{Finding, Missing, Outcome, Unknown, Verdict};
use crate::problem::{Failure, Limits, Problem, Question};
use crate::target::Target;
use base::Sources;
use integers::account::{Account, Script, account};
use integers::explore::{Budget, Exploration, Overflow, Quest, Run, explore};
use integers::trace::{End, Manner, walk};
use integers::{EdgeId, FunctionId, Goal, Integers, Program, TargetId, Undefined};

/// Executes programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Execution {
    /// Where random inputs begin.
    pub seed: u64,
    /// How many instructions may be executed; without a number, as many as it takes.
    pub effort: Option<u64>,
}

impl Default for Execution {
    fn default() -> Self {
        Self { seed: 0, effort: Some(1 << 28) }
    }
}

/// Longer runs are not told.
const LONGEST: u64 = 1 << 25;

/// Of what was granted, so much is spent on a further target when one has been reached.
const SHARE: u64 = 64;

impl Engine<IntegerProgram> for Execution {
    fn answer(
        &self,
        problem: &Problem<IntegerProgram>,
        limits: &Limits,
        asker: &mut Asker,
    ) -> Result<Outcome, Failure> {
        Ok(self.execute(problem, limits, asker.sources, asker.known))
    }

    fn name(&self) -> &str {
        "execution"
    }
}

impl Execution {
    /// Answers a problem within limits. `known` is told an outcome that is certain while the run to it is being told.
    pub fn execute(
        &self,
        problem: &Problem<IntegerProgram>,
        limits: &Limits,
        sources: &Sources,
        known: &mut Tell,
    ) -> Outcome {
        let begun = (limits.clock)();
        let asked = Asked { engine: self, problem, limits, sources, program: problem.program.executed() };
        let mut outcome = match problem.question {
            Question::Reach if faults(problem.targets).is_some() => asked.fault(known),
            Question::Reach => asked.reach(known),
            Question::Repeat | Question::Infinite | Question::Deadlock => asked.infinite(known),
        };
        outcome.figures.executed.time = (limits.clock)().saturating_sub(begun);
        outcome
    }
}

impl Execution {
    /// The outcome of a run to a target that somebody has found, if it is one: these inputs, one after the other. The other targets stay
    /// unknown.
    pub fn told(
        &self,
        problem: &Problem<IntegerProgram>,
        limits: &Limits,
        sources: &Sources,
        inputs: &[i128],
        known: &mut Tell,
    ) -> Option<Outcome> {
        let asked = Asked { engine: self, problem, limits, sources, program: problem.program.executed() };
        if let Some(faults) = faults(problem.targets) {
            return asked.told_fault(faults, inputs, known);
        }
        let mut program = asked.program.clone();
        program
            .select_targets(|id, _| problem.targets.iter().any(|target| target.includes(&asked.program, id)));
        let manner = Manner { integers: Integers::Mathematical, goal: Goal::Any, max_steps: LONGEST };
        let (mut n_steps, mut left) = (0, inputs.iter().copied());
        let end = walk(&program, &mut |_| left.next(), manner, &mut |_| n_steps += 1);
        let End::Target(reached) = end else { return None };
        let run = Run { inputs: inputs.to_vec(), overflow: None, n_steps };
        let finding = |target: &Target<IntegerGoal>| match target.includes(&asked.program, reached) {
            true => Finding::new(Verdict::Yes),
            false => Finding::unknown(Unknown::because("another target was reached")),
        };
        let findings = problem.targets.iter().map(finding).collect();
        let figures = ExecutionFigures { n_runs: 1, n_steps, ..ExecutionFigures::default() };
        let mut outcome = asked.outcome(Finding::new(Verdict::Yes), findings, About::Nothing, figures);
        let (account, about) = asked.replayed(&run, None, Some(reached));
        outcome.integers.about = about;
        if problem.wants_trace() {
            known(&outcome, Some(Missing::Trace));
            outcome.remarks.extend(asked.uninitialised(&account));
            outcome.integers.account = Some(account);
        }
        Some(outcome)
    }
}

/// A problem that is being answered.
pub(super) struct Asked<'a> {
    engine: &'a Execution,
    pub(super) problem: &'a Problem<'a, IntegerProgram>,
    pub(super) limits: &'a Limits,
    pub(super) sources: &'a Sources,
    /// The program that is executed.
    pub(super) program: Program,
}

impl Asked<'_> {
    fn reach(&self, known: &mut Tell) -> Outcome {
        let targets = self.problem.targets;
        if targets.iter().all(|target| target.goals == IntegerGoal::Places(Vec::new())) {
            let findings = vec![Finding::new(Verdict::No); targets.len()];
            let figures = ExecutionFigures::default();
            let mut outcome = self.outcome(Finding::new(Verdict::No), findings, About::Both, figures);
            outcome.integers.misuses = Misuses::None;
            return outcome;
        }
        let all: Vec<usize> = (0..targets.len()).collect();
        let found = self.explore(&all, self.budget(1));
        let finding = self.finding(&found, Quest::Target(Goal::Any));
        let findings = match &found.reached {
            None => vec![finding.clone(); targets.len()],
            Some((reached, run)) => all.iter().map(|n| self.each(*n, *reached, run)).collect(),
        };
        let mut outcome = self.outcome(finding, findings, self.about(&found), figures(&found));
        outcome.integers.overflow = found.overflow.map(undefined);
        outcome.integers.misuses = self.misuses(&found);
        outcome.remarks = self.remarks(&found);
        if let Some((target, run)) = &found.reached {
            outcome.integers.about = about(run.overflow, self.problem.program.arithmetic);
            self.tell(&mut outcome, run, None, Some(*target), known);
        }
        outcome
    }

    fn infinite(&self, known: &mut Tell) -> Outcome {
        let found = explore(&self.program, Quest::Infinite, &self.budget(1));
        let finding = self.finding(&found, Quest::Infinite);
        let mut outcome = self.outcome(finding, Vec::new(), self.about(&found), figures(&found));
        outcome.integers.overflow = found.overflow.map(undefined);
        outcome.integers.misuses = self.misuses(&found);
        outcome.remarks = self.remarks(&found);
        if let Some((run, from)) = &found.infinite {
            outcome.integers.about = about(run.overflow, self.problem.program.arithmetic);
            self.tell(&mut outcome, run, Some(*from), None, known);
        }
        outcome
    }

    /// What the runs show of some of the targets.
    fn explore(&self, wanted: &[usize], budget: Budget) -> Exploration {
        let mut program = self.program.clone();
        let is_wanted = |id| wanted.iter().any(|n| self.problem.targets[*n].includes(&self.program, id));
        program.select_targets(|id, _| is_wanted(id));
        explore(&program, Quest::Target(Goal::Any), &budget)
    }

    /// What is known of a target, when some target has been reached.
    fn each(&self, n: usize, reached: TargetId, run: &Run) -> Finding {
        if self.problem.targets[n].includes(&self.program, reached) || self.goes_on_to(n, run) {
            return Finding::new(Verdict::Yes);
        }
        let found = self.explore(&[n], self.budget(SHARE));
        self.finding(&found, Quest::Target(Goal::Any))
    }

    /// The run to one target, if it goes on, comes to another one.
    fn goes_on_to(&self, n: usize, run: &Run) -> bool {
        let mut program = self.program.clone();
        program.select_targets(|id, _| self.problem.targets[n].includes(&self.program, id));
        let max_steps = run.n_steps.saturating_mul(2).saturating_add(1000).min(LONGEST);
        let manner = Manner { integers: Integers::Mathematical, goal: Goal::Any, max_steps };
        let mut inputs = run.inputs.iter().copied();
        matches!(walk(&program, &mut |_| inputs.next(), manner, &mut |_| {}), End::Target(_))
    }

    /// A share of what may be used up.
    fn budget(&self, share: u64) -> Budget {
        let granted = Budget::default();
        // A cell is 16 bytes at most, and the memory may be twice as large as what is in use.
        let cells = self.limits.memory.map_or(granted.cells, |bytes| (bytes / 64) as usize);
        let (instructions, runs) = match (self.engine.effort, share) {
            (Some(effort), _) => (effort / share, granted.runs / share),
            (None, 1) => (u64::MAX, u64::MAX),
            (None, _) => (granted.instructions / share, granted.runs / share),
        };
        Budget {
            instructions,
            runs,
            cells: cells.clamp(1 << 12, 1 << 25),
            seed: self.engine.seed,
            stop: self.limits.stop.clone(),
            gauge: self.limits.gauge.clone(),
        }
    }

    /// What an exploration says.
    fn finding(&self, found: &Exploration, quest: Quest) -> Finding {
        let is_found = match quest {
            Quest::Target(_) => found.reached.is_some(),
            Quest::Infinite => found.infinite.is_some(),
            Quest::Fault(_) => found.fault.is_some(),
        };
        match found.is_complete {
            _ if is_found => Finding::new(Verdict::Yes),
            true => Finding::new(Verdict::No),
            false => Finding::unknown(self.why(found, quest)),
        }
    }

    /// Which integers the absence of something is about.
    fn about(&self, found: &Exploration) -> About {
        if !found.is_complete {
            return About::Nothing;
        }
        about(found.overflow, self.problem.program.arithmetic)
    }

    /// Adds the run, told by the concrete semantics; which integers it is about follows from that.
    fn tell(
        &self,
        outcome: &mut Outcome,
        run: &Run,
        repeats_from: Option<usize>,
        target: Option<TargetId>,
        known: &mut Tell,
    ) {
        if !self.can_tell(outcome, run, known) {
            return;
        }
        let (account, about) = self.replayed(run, repeats_from, target);
        outcome.remarks.extend(self.uninitialised(&account));
        outcome.integers.account = Some(account);
        outcome.integers.about = about;
    }

    /// Whether a run is wanted and not too long to tell; if so, what is known is said before it is told.
    fn can_tell(&self, outcome: &mut Outcome, run: &Run, known: &mut Tell) -> bool {
        if !self.problem.wants_trace() {
            return false;
        }
        if run.n_steps > LONGEST {
            let why = Unknown::because(format!("the run has {} steps, too many to tell", run.n_steps));
            outcome.unfinished.push((Missing::Trace, why));
            return false;
        }
        known(outcome, Some(Missing::Trace));
        true
    }

    /// The run by the concrete semantics, first with the widths of the machine.
    fn replayed(&self, run: &Run, repeats_from: Option<usize>, target: Option<TargetId>) -> (Account, About) {
        let script = Script { inputs: &run.inputs, repeats_from };
        // A target that only the program with overflows as targets has is an overflow.
        let place = target.filter(|target| target.index() < self.problem.program.targets.len());
        let goal = place.map_or(Goal::Never, Goal::Target);
        let tell = |program: &Program, integers| {
            // Where a state comes back, it may be noticed some rounds later.
            account(program, script, Manner { integers, goal, max_steps: 16 * run.n_steps + 1000 })
        };
        let is_there = |account: &Account| match (target, account.end) {
            (None, _) => account.cycle.is_some(),
            (Some(_), End::Target(reached)) => Some(reached) == place,
            (Some(_), End::Undefined(Undefined::Overflow(_), ..)) => place.is_none(),
            _ => false,
        };
        if self.problem.program.arithmetic == Arithmetic::Wrapping {
            let account = tell(&self.program, Integers::Mathematical);
            assert!(is_there(&account), "the run that was found ends as {:?}", account.end);
            return (account, About::Wrapping);
        }
        let machine = tell(self.problem.program, Integers::Machine);
        if is_there(&machine) {
            return (machine, About::Both);
        }
        let End::Undefined(undefined, function, edge) = machine.end else {
            panic!("the run that was found ends as {:?}", machine.end);
        };
        let account = tell(self.problem.program, Integers::Mathematical);
        assert!(is_there(&account), "the run that was found ends as {:?}", account.end);
        (account, About::Mathematics(undefined, function, edge))
    }

    fn outcome(
        &self,
        finding: Finding,
        findings: Vec<Finding>,
        about: About,
        figures: ExecutionFigures,
    ) -> Outcome {
        let mut outcome = Outcome::new(finding, findings);
        outcome.asked.words = self.problem.question.words();
        outcome.integers.about = about;
        outcome.figures.executed = figures;
        outcome
    }
}

/// Which integers runs are about of which this is the first overflow. Where overflows are errors, a run ends before it.
fn about(overflow: Option<Overflow>, arithmetic: Arithmetic) -> About {
    match (arithmetic, overflow) {
        (Arithmetic::Wrapping, _) => About::Wrapping,
        (Arithmetic::Checked, _) | (_, None) => About::Both,
        (Arithmetic::Machine | Arithmetic::Mathematical, Some(overflow)) => {
            let (why, function, edge) = undefined(overflow);
            About::Mathematics(why, function, edge)
        }
    }
}

/// What is undefined where a result overflows.
fn undefined(Overflow { ty, function, edge }: Overflow) -> (Undefined, FunctionId, EdgeId) {
    (Undefined::Overflow(ty), function, edge)
}

fn figures(found: &Exploration) -> ExecutionFigures {
    let Exploration { n_runs, n_blocked, n_steps, n_instructions, .. } = *found;
    ExecutionFigures { n_runs, n_blocked, n_steps, n_instructions, ..ExecutionFigures::default() }
}

//! Programs whose loops end soon: all runs at once, as one question about bits.
//!
//! Where every run ends within bounds, the answer is complete: whether a target is reached, a result overflows, memory is misused, with the widths of C and nothing left to assume. Where some go
//! on, a run that reaches a target is looked for among the others. A run that is found is executed before anybody believes it.

use crate::overflow::Transfer;
use crate::prover::share;
use checker::{
    About, Arithmetic, Finding, IntegerGoal, IntegerProgram, Misuses, Outcome, Problem, Question, Target,
    Tell, Unknown, Verdict, Wanted, WantedTrace, faults,
};
use integers::{Fault, Faults, Program, Undefined, wrapped};
use std::path::Path;
use unroll::{Asked, Bool, Bounds, NO, Oracle, Results, Unrolled, is_overflow, unroll};

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// How far runs are followed.
    bounds: Bounds,
    /// The solver's work for a question whether there are runs at all.
    on_the_way: u64,
    /// The solver's work for a question about all runs.
    about_all: u64,
    /// The solver's work for a question about those that end, if others go on.
    about_some: u64,
}

/// With more terms runs are long.
const LONG: usize = 10_000;

/// What is small is decided before proofs are looked for.
pub(crate) const FIRST: Extent = Extent {
    bounds: Bounds { places: 6_000, terms: 40_000, rounds: 40, fresh_rounds: 12 },
    on_the_way: 300_000,
    about_all: 8_000_000,
    about_some: 800_000,
};

/// What is larger, after that.
pub(crate) const MORE: Extent = Extent {
    bounds: Bounds { places: 60_000, terms: 500_000, rounds: 130, fresh_rounds: 130 },
    on_the_way: 2_000_000,
    about_all: 200_000_000,
    about_some: 40_000_000,
};

/// What became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bounded {
    /// The question is answered.
    Answered,
    /// It is not, and larger bounds may help.
    Open,
    /// It is not, since a loop goes on as long as somebody wants, or since something is not represented.
    Endless,
}

/// Looks at all runs at once.
pub(crate) fn bounded(
    transfer: &Transfer,
    solver: &Path,
    extent: &Extent,
    outcome: &mut Outcome,
    known: &mut Tell,
) -> Bounded {
    let Transfer { problem, limits, .. } = transfer;
    let manner = share(limits).of_horn();
    let mut oracle =
        Oracle { path: solver.to_owned(), manner, stop: limits.stop.clone(), n_asked: 0, n_given_up: 0 };
    let results = match problem.program.arithmetic {
        Arithmetic::Wrapping => Results::Wrap,
        _ => Results::EndRuns,
    };
    let program = subject(problem);
    let mut may_hold =
        |terms: &unroll::Terms, condition| oracle.may_hold(terms, condition, extent.on_the_way);
    let Ok(mut unrolled) = unroll(&program, results, &extent.bounds, &limits.stop, &mut may_hold) else {
        return Bounded::Endless;
    };
    let is_endless = unrolled.is_endless;
    let conditions = Conditions::new(problem, &program, &mut unrolled);
    let mut case = Case { transfer, extent, oracle, unrolled, conditions };
    match case.is_answered(outcome, known) {
        true => Bounded::Answered,
        false if is_endless => Bounded::Endless,
        false => Bounded::Open,
    }
}

/// The program with the targets that are asked for.
fn subject(problem: &Problem<IntegerProgram>) -> Program {
    let mut program = match problem.program.arithmetic {
        Arithmetic::Wrapping => wrapped(problem.program),
        _ => problem.program.program.clone(),
    };
    let whole = program.clone();
    program.select_targets(|id, _| problem.targets.iter().any(|target| target.includes(&whole, id)));
    program
}

/// The runs of a kind.
struct Conditions {
    /// What is asked for happens.
    wanted: Bool,
    /// A result overflows, if that is not asked for.
    overflow: Bool,
    /// Memory is misused, if that is not asked for.
    misuse: Bool,
    /// They are not followed to their end, or nobody can tell whether what is asked for happens.
    open: Bool,
}

impl Conditions {
    fn new(problem: &Problem<IntegerProgram>, program: &Program, unrolled: &mut Unrolled) -> Self {
        let faults = faults(problem.targets).unwrap_or_default();
        let asks_for_overflow = problem.targets.iter().any(|target| target.goals == IntegerGoal::Overflow);
        let ends_at_overflow = problem.program.arithmetic == Arithmetic::Checked;
        let mut conditions = Self { wanted: NO, overflow: NO, misuse: NO, open: unrolled.rest };
        if faults.memory && !program.memory.unchecked.is_empty() {
            conditions.open = unroll::YES;
        }
        let terms = &mut unrolled.terms;
        for (_, path) in &unrolled.targets {
            conditions.wanted = terms.or(conditions.wanted, *path);
        }
        for (fault, path) in &unrolled.faults {
            let kind = match fault {
                Fault::Undefined(Undefined::TooLarge, ..) => &mut conditions.open,
                _ if is_overflow(*fault) && asks_for_overflow => &mut conditions.wanted,
                _ if is_overflow(*fault) && ends_at_overflow => continue,
                _ if is_overflow(*fault) => &mut conditions.overflow,
                Fault::Undefined(what, ..) if faults.includes(*what) => &mut conditions.wanted,
                Fault::Undefined(Undefined::Memory(_), ..) => &mut conditions.misuse,
                Fault::Undefined(..) => continue,
                Fault::Unfreed(..) | Fault::Lost(..) if faults.unfreed => &mut conditions.wanted,
                // Whether somebody still points to it is not looked at.
                Fault::Unfreed(..) | Fault::Lost(..) if faults.lost => &mut conditions.open,
                Fault::Unfreed(..) | Fault::Lost(..) => continue,
            };
            *kind = terms.or(*kind, *path);
        }
        conditions
    }
}

/// A question that is being answered.
struct Case<'a> {
    transfer: &'a Transfer<'a>,
    extent: &'a Extent,
    oracle: Oracle,
    unrolled: Unrolled,
    conditions: Conditions,
}

impl Case<'_> {
    fn is_answered(&mut self, outcome: &mut Outcome, known: &mut Tell) -> bool {
        let Transfer { engine, problem, limits, sources } = self.transfer;
        let Conditions { wanted, overflow, misuse, open } = self.conditions;
        let is_whole = self.unrolled.rest == NO;
        if is_whole {
            // All is well, mostly: one question tells.
            let terms = &mut self.unrolled.terms;
            let all = [overflow, misuse, open].into_iter().fold(wanted, |all, kind| terms.or(all, kind));
            if self.ask(all) == Asked::No {
                self.conclude(About::Both, Misuses::None, outcome);
                return true;
            }
        }
        // What is hard of short runs is not easier of all that are known, if they are long.
        let is_long = self.unrolled.terms.made().len() > LONG;
        if !is_whole && is_long && self.oracle.has_given_up() {
            return false;
        }
        match self.ask(wanted) {
            Asked::Inputs(inputs) => {
                let told = engine.execution.told(problem, limits, sources, &inputs, known);
                // A run that depends on what is not represented is none.
                let Some(found) = told else { return false };
                crate::engine::replace(outcome, found);
                return true;
            }
            Asked::Unknown(_) => return false,
            Asked::No => {}
        }
        if self.ask(open) != Asked::No {
            return false;
        }
        let misuses = match self.ask(misuse) {
            Asked::No => Misuses::None,
            Asked::Inputs(inputs) => self.misused(&inputs),
            Asked::Unknown(_) => Misuses::Open,
        };
        let about = match self.ask(overflow) {
            Asked::No => About::Both,
            // What mathematical integers do in runs that overflow is not known.
            _ if !engine.assumes_defined => return false,
            _ => About::Assumed,
        };
        self.conclude(about, misuses, outcome);
        true
    }

    fn ask(&mut self, condition: Bool) -> Asked {
        let is_whole = self.unrolled.rest == NO;
        let effort = if is_whole { self.extent.about_all } else { self.extent.about_some };
        self.oracle.run(&self.unrolled, condition, effort)
    }

    /// The misuse that a run ends with.
    fn misused(&self, inputs: &[i128]) -> Misuses {
        let Transfer { engine, problem, limits, sources } = self.transfer;
        let targets = [Target::<IntegerGoal>::fault("memory", Faults { memory: true, ..Faults::default() })];
        let wanted = Wanted { trace: WantedTrace::None, certificate: false };
        let question = Problem { wanted, ..Problem::new(problem.program, Question::Reach, &targets) };
        let told = engine.execution.told(&question, limits, sources, inputs, &mut |_, _| {});
        told.and_then(|found| found.integers.fault).map_or(Misuses::Open, Misuses::Known)
    }

    /// No run does what is asked for.
    fn conclude(&self, about: About, misuses: Misuses, outcome: &mut Outcome) {
        let problem = self.transfer.problem;
        for finding in outcome.findings.iter_mut().chain([&mut outcome.finding]) {
            if finding.verdict.is_unknown() {
                *finding = Finding::new(Verdict::No);
            }
        }
        outcome.integers.about = match problem.program.arithmetic {
            Arithmetic::Wrapping => About::Wrapping,
            _ => about,
        };
        if problem.program.memory.unchecked.is_empty() {
            outcome.integers.misuses = misuses;
        }
        if outcome.integers.proof.claim.is_none() {
            let why = "all runs were followed at once, which is no claim";
            outcome.integers.proof.unproved = Some(Unknown::because(why));
        }
    }
}

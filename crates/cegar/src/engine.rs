//! The engine for programs in C: it executes, then it proves.
//!
//! Runs come first: one that reaches a target, or comes back to a state, is the best answer there is. What they do not show is looked for by proofs, each
//! of which is a claim that has been checked. Then there is time for more runs.

use crate::candidates::Candidate;
use crate::prover::{Proof, Prover, Work};
use base::Sources;
use checker::{
    About, Arithmetic, Execution, Finding, IntegerOutcome, IntegerProblem, Limits, Missing, Question,
    Unknown, Verdict,
};
use integers::{Program, checked};
use proof::{Claim, Statement};
use std::path::PathBuf;

/// Executes and proves.
#[derive(Clone, Debug)]
pub struct Cegar {
    /// How programs are executed.
    pub execution: Execution,
    /// The SMT solver's program; without one nothing is proved.
    pub solver: Option<PathBuf>,
    /// Predicates to use instead of those that are found.
    pub given: Option<Vec<Candidate>>,
    /// An answer of which there may be a proof is to come with it.
    pub wants_claim: bool,
}

/// What came out, and the proof of it.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The answer.
    pub outcome: IntegerOutcome,
    /// The proof, if the answer rests on one.
    pub claim: Option<Claim>,
    /// What was done for it.
    pub work: Work,
}

/// Instructions that are executed before proofs are looked for.
const FIRST_EFFORT: u64 = 1 << 24;

impl Cegar {
    /// Answers a problem within limits. `known` is told an outcome that is certain while the run to it is being told.
    pub fn answer(
        &self,
        problem: &IntegerProblem,
        limits: &Limits,
        sources: &Sources,
        known: &mut dyn FnMut(&IntegerOutcome, Missing),
    ) -> Solved {
        let begun = (limits.clock)();
        let first = Execution { effort: Some(FIRST_EFFORT), ..self.execution };
        let outcome = first.answer(problem, limits, sources, known);
        let mut solved = Solved { outcome, claim: None, work: Work::default() };
        if let Some(path) = self.solver.clone().filter(|_| self.is_open(&solved)) {
            let mut prover = Prover::new(path, limits);
            match problem.question {
                Question::Reach => self.prove_unreachable(problem, &mut prover, &mut solved),
                Question::Repeat | Question::Infinite => {}
            }
            solved.work = prover.work;
        }
        if solved.outcome.finding.verdict.is_unknown() && self.execution.effort != Some(FIRST_EFFORT) {
            let why = solved.outcome.finding.clone();
            solved.outcome = self.execution.answer(problem, limits, sources, known);
            if solved.outcome.finding.verdict.is_unknown() && limits.stop.requested().is_none() {
                solved.outcome.finding = why;
            }
        }
        solved.outcome.figures.time = (limits.clock)().saturating_sub(begun);
        solved
    }

    /// There is something left to prove.
    fn is_open(&self, solved: &Solved) -> bool {
        let outcome = &solved.outcome;
        let verdicts = std::iter::once(&outcome.finding).chain(&outcome.findings);
        let is_unknown = |finding: &Finding| finding.verdict.is_unknown();
        let is_bare = self.wants_claim && outcome.finding.verdict == Verdict::No;
        verdicts.into_iter().any(is_unknown) || is_bare
    }

    /// Proves that targets are not reached of which nothing is known: all together, or else one by one.
    fn prove_unreachable(&self, problem: &IntegerProblem, prover: &mut Prover, solved: &mut Solved) {
        let executed = problem.executed();
        let open: Vec<usize> =
            (0..problem.targets.len()).filter(|n| !solved.outcome.findings[*n].is_yes()).collect();
        let mut why = match self.prove(problem, &executed, &open, prover) {
            Ok(claim) => {
                for n in open {
                    solved.outcome.findings[n] = Finding::new(Verdict::No);
                }
                if !solved.outcome.finding.is_yes() {
                    solved.outcome.finding = Finding::new(Verdict::No);
                    solved.outcome.about = self.about(problem, &executed, prover);
                    solved.claim = Some(*claim);
                }
                return;
            }
            Err(why) => why,
        };
        for &n in open.iter().filter(|_| open.len() > 1) {
            match self.prove(problem, &executed, &[n], prover) {
                Ok(_) => solved.outcome.findings[n] = Finding::new(Verdict::No),
                Err(other) => why = other,
            }
        }
        if let Verdict::Unknown(executed) = &solved.outcome.finding.verdict {
            let both = vec![("execution", executed.clone()), ("proof", why)];
            solved.outcome.finding = Finding::unknown(Unknown::Each(both));
        }
    }

    /// A proof that none of these targets is reached.
    fn prove(
        &self,
        problem: &IntegerProblem,
        executed: &Program,
        wanted: &[usize],
        prover: &mut Prover,
    ) -> Result<Box<Claim>, Unknown> {
        let mut program = executed.clone();
        program.select_targets(|id, _| wanted.iter().any(|n| problem.targets[*n].includes(executed, id)));
        match prover.prove(&program, &Statement::Unreachable, self.given.as_deref()) {
            Proof::Claimed(claim) => Ok(claim),
            Proof::Unknown(unknown) => Err(unknown),
            Proof::Refuted => Err(Unknown::because("there is a run, but it was not found")),
            Proof::Open => Err(Unknown::because("the predicates do not tell")),
        }
    }

    /// Which integers a proof is about: those of the machine as well, if nothing overflows.
    fn about(&self, problem: &IntegerProblem, executed: &Program, prover: &mut Prover) -> About {
        match problem.arithmetic {
            Arithmetic::Checked => return About::Both,
            Arithmetic::Wrapping => return About::Wrapping,
            Arithmetic::Mathematical => {}
        }
        let mut program = checked(executed);
        program.select_targets(|id, _| id.index() >= executed.targets.len());
        match prover.prove(&program, &Statement::Unreachable, self.given.as_deref()) {
            Proof::Claimed(_) => About::Both,
            _ => About::Assumed,
        }
    }
}

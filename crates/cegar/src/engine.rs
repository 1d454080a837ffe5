//! The engine for programs in C: it executes, then it proves.
//!
//! Runs come first: one that reaches a target, or comes back to a state, is the best answer there is. What they do not show is looked for by proofs, each
//! of which is a claim that has been checked. Then there is time for more runs.

use crate::ahead::{Ahead, beside};
use crate::attempt::Attempt;
use crate::bounded::{Bounded, Extent, FIRST, MORE, bounded};
use crate::candidates::Candidate;
use crate::endless;
use crate::misuse;
use crate::overflow::Transfer;
use crate::prover::{Proof, Prover};
use crate::termination::{Ending, prove_ending};
use base::Sources;
use checker::{
    About, Arithmetic, Asker, Engine, Execution, Failure, Finding, IntegerProgram, Limits, Outcome, Problem,
    Question, Tell, Unknown, Verdict, Words, faults,
};
use integers::cells::has_memory;
use integers::{Action, Expr, Op, Program, TargetKind, checked};
use proof::Statement;
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
    /// How many stages a proof may have: at most [`crate::STAGES`].
    pub stages: usize,
    /// Whether nothing undefined is assumed to happen: no overflow, no misuse of memory.
    pub assumes_defined: bool,
    /// How many stages may run side by side that do not wait for each other. The answer is the same.
    pub jobs: usize,
}

/// Whose reasons there are.
const EXECUTION: &str = "execution";
const PROOF: &str = "proof";

/// Instructions that are executed before proofs are looked for: where memory is gone through, runs are longer.
const FIRST_EFFORT: u64 = 1 << 24;
const FIRST_EFFORT_WITH_MEMORY: u64 = 1 << 26;

/// Instructions for a run that has read nothing when those are used up, so that it may be the only one: before proofs are looked for, and between them.
const ONLY_RUN: u64 = 1 << 27;
const MORE_OF_ONLY_RUN: Option<u64> = Some(1 << 30);

/// Instructions that are executed between proofs.
const MORE_EFFORT: Option<u64> = Some(1 << 28);

/// Stages of a proof that are tried before more is executed.
pub(crate) const FIRST_STAGES: usize = 2;

impl Engine<IntegerProgram> for Cegar {
    fn answer(
        &self,
        problem: &Problem<IntegerProgram>,
        limits: &Limits,
        asker: &mut Asker,
    ) -> Result<Outcome, Failure> {
        let mut outcome = self.solve(problem, limits, asker.sources, asker.known);
        if problem.wanted.certificate {
            outcome.certificate = outcome.integers.proof.certificate(problem, asker.sources);
        }
        Ok(outcome)
    }

    fn name(&self) -> &str {
        "cegar"
    }
}

impl Cegar {
    fn solve(
        &self,
        problem: &Problem<IntegerProgram>,
        limits: &Limits,
        sources: &Sources,
        known: &mut Tell,
    ) -> Outcome {
        let begun = (limits.clock)();
        let transfer = Transfer { engine: self, problem, limits, sources };
        let mut outcome = self.first_runs(&transfer, known);
        outcome.integers.proof.arithmetic = match problem.program.arithmetic {
            Arithmetic::Machine => Arithmetic::Mathematical,
            other => other,
        };
        let mut prover = self.prover(limits);
        let mut followed = Bounded::Open;
        if is_hard(problem.program) {
            followed = self.bounded(&transfer, &FIRST, &mut outcome, known);
        }
        let is_provable = misuse::is_provable(problem);
        if let Some(prover) = prover.as_mut().filter(|_| is_provable && is_open(problem, &outcome)) {
            beside(self.ahead(problem, &outcome), &transfer, |ahead| match problem.question {
                Question::Reach => {
                    let mut goals = Goals::new(&transfer, &outcome);
                    let mut tell =
                        |inputs: &[i128]| self.execution.told(problem, limits, sources, inputs, known);
                    // When a target is reached, not much is spent on the others.
                    let stages = if outcome.finding.is_yes() { 1 } else { FIRST_STAGES };
                    goals.prove(self.stages.min(stages), prover, &mut outcome, &mut tell);
                    if outcome.finding.verdict.is_unknown() && !is_hard(problem.program) {
                        followed = self.bounded(&transfer, &FIRST, &mut outcome, known);
                    }
                    // To wait a little more for a proof costs less than many runs; the only one is worth more.
                    if outcome.finding.verdict.is_unknown() && !is_only_run(&outcome) {
                        goals.prove(self.stages.min(FIRST_STAGES + 1), prover, &mut outcome, &mut |inputs| {
                            self.execution.told(problem, limits, sources, inputs, known)
                        });
                    }
                    if outcome.finding.verdict.is_unknown() {
                        self.execute(more_effort(&outcome), &transfer, ahead, known, &mut outcome);
                    }
                    if outcome.finding.verdict.is_unknown() {
                        self.bounded(&transfer, &MORE, &mut outcome, known);
                        followed = Bounded::Endless;
                    }
                    if !outcome.finding.is_yes() && is_open(problem, &outcome) {
                        let mut tell =
                            |inputs: &[i128]| self.execution.told(problem, limits, sources, inputs, known);
                        goals.prove(self.stages, prover, &mut outcome, &mut tell);
                    }
                }
                Question::Repeat => {}
                Question::Infinite => self.infinite(&transfer, prover, ahead, &mut outcome, known),
                // There are no threads in a program with integers.
                Question::Deadlock => {}
            });
        }
        // More runs of the same kind do not tell what is not represented.
        let is_blocked = outcome.figures.executed.is_blocked();
        let (more, goes_on) = match self.execution.effort {
            None if is_blocked => (MORE_EFFORT, prover.is_none()),
            None => (None, true),
            Some(_) => (None, prover.is_none()),
        };
        if outcome.finding.verdict.is_unknown() && goes_on {
            self.execute(more, &transfer, &mut Ahead::default(), known, &mut outcome);
        }
        stopped(&mut outcome, limits);
        let doubts = outcome.finding.verdict == Verdict::No && outcome.integers.about == About::Assumed;
        // A loop that goes on as long as somebody wants is not followed again.
        if doubts && followed == Bounded::Open && is_hard(problem.program) && !self.assumes_defined {
            self.bounded(&transfer, &MORE, &mut outcome, known);
        }
        self.settle(problem, limits, sources, prover.as_mut(), &mut outcome, known);
        outcome.figures.proving = prover.map(|prover| prover.work).unwrap_or_default();
        outcome.figures.executed.time = (limits.clock)().saturating_sub(begun);
        outcome
    }

    /// Short runs; or the only one, for longer.
    fn first_runs(&self, transfer: &Transfer, known: &mut Tell) -> Outcome {
        let Transfer { problem, limits, sources, .. } = *transfer;
        let first = match problem.program.uses_memory() {
            true => FIRST_EFFORT_WITH_MEMORY,
            false => FIRST_EFFORT,
        };
        let first = self.execution.effort.map_or(first, |effort| effort.min(first));
        let first = Execution { effort: Some(first), ..self.execution };
        let mut outcome = first.execute(problem, limits, sources, known);
        if is_only_run(&outcome) {
            self.execute(Some(ONLY_RUN), transfer, &mut Ahead::default(), known, &mut outcome);
        }
        outcome
    }

    /// Whether some run never ends.
    fn infinite(
        &self,
        transfer: &Transfer,
        prover: &mut Prover,
        ahead: &mut Ahead,
        outcome: &mut Outcome,
        known: &mut Tell,
    ) {
        let problem = transfer.problem;
        // What is decided quickly comes first, either way.
        if is_open(problem, outcome) && !outcome.finding.is_yes() {
            self.prove_finite(problem, self.stages.min(1), prover, outcome);
        }
        if is_open(problem, outcome) && outcome.finding.verdict != Verdict::No {
            self.prove_infinite(problem, self.stages.min(FIRST_STAGES), prover, outcome);
        }
        if is_open(problem, outcome) && !outcome.finding.is_yes() {
            self.prove_finite(problem, self.stages, prover, outcome);
        }
        if outcome.finding.verdict.is_unknown() {
            self.execute(MORE_EFFORT, transfer, ahead, known, outcome);
        }
        if outcome.finding.verdict.is_unknown() {
            self.prove_infinite(problem, self.stages, prover, outcome);
        }
    }

    /// Looks at all runs at once, if there is a solver, and the question is open or in doubt. Whoever wants a claim gets none in this way, and whoever gives predicates asks for their proof.
    fn bounded(
        &self,
        transfer: &Transfer,
        extent: &Extent,
        outcome: &mut Outcome,
        known: &mut Tell,
    ) -> Bounded {
        let Transfer { problem, limits, .. } = transfer;
        let is_asked = problem.question == Question::Reach && !outcome.finding.is_yes();
        let is_wanted = self.given.is_none() && !problem.wanted.certificate;
        let is_known = outcome.finding.verdict == Verdict::No && outcome.integers.about != About::Assumed;
        let can_start = !cfg!(target_family = "wasm") && limits.stop.requested().is_none();
        match self.solver.as_deref() {
            Some(solver) if is_asked && is_wanted && !is_known && can_start => {
                bounded(transfer, solver, extent, outcome, known)
            }
            _ => Bounded::Endless,
        }
    }

    /// Who proves, if there is a solver.
    fn prover<'l>(&self, limits: &'l Limits) -> Option<Prover<'l>> {
        // Where no process can be started, what proves need not even be there.
        if cfg!(target_family = "wasm") {
            return None;
        }
        self.solver.clone().map(|path| Prover::new(path, limits))
    }

    /// Says what of an outcome counts in C: there a result may overflow, and memory may be misused.
    fn settle(
        &self,
        problem: &Problem<IntegerProgram>,
        limits: &Limits,
        sources: &Sources,
        mut prover: Option<&mut Prover>,
        outcome: &mut Outcome,
        known: &mut Tell,
    ) {
        let asks_for_faults = faults(problem.targets).is_some();
        let asks_for_misuses = faults(problem.targets).is_some_and(|faults| faults.memory);
        if self.assumes_defined {
            misuse::assumed(outcome);
        } else {
            let transfer = Transfer { engine: self, problem, limits, sources };
            match problem.program.arithmetic {
                Arithmetic::Machine if asks_for_faults => {
                    misuse::settle(&transfer, prover.as_deref_mut(), outcome);
                }
                Arithmetic::Machine => transfer.carry_over(prover.as_deref_mut(), outcome, known),
                _ => {}
            }
            if !asks_for_misuses {
                misuse::carry_over(&transfer, prover, outcome, known);
            }
        }
        if asks_for_faults {
            misuse::without_claim(outcome);
        }
    }

    /// Executes with so much effort, as far as it is granted, if that is more than before.
    fn execute(
        &self,
        effort: Option<u64>,
        transfer: &Transfer,
        ahead: &mut Ahead,
        known: &mut Tell,
        outcome: &mut Outcome,
    ) {
        let Some(execution) = self.with_effort(effort) else { return };
        if transfer.limits.stop.requested().is_some() {
            return;
        }
        let found = ahead.execute(execution, transfer, known);
        if found.finding.verdict.is_unknown() {
            outcome.figures = found.figures;
            return;
        }
        // What has been proved of single targets stands.
        let before = replace(outcome, found);
        for (finding, before) in outcome.findings.iter_mut().zip(before.findings) {
            if finding.verdict.is_unknown() {
                *finding = before;
            }
        }
    }

    /// So much effort, as far as it is granted, if that is more than before.
    fn with_effort(&self, effort: Option<u64>) -> Option<Execution> {
        let effort = [effort, self.execution.effort].into_iter().flatten().min();
        let is_more = effort.is_none_or(|effort| effort > FIRST_EFFORT_WITH_MEMORY);
        is_more.then_some(Execution { effort, ..self.execution })
    }

    /// What will be executed if proofs do not tell the answer, where there is a core for it.
    fn ahead(&self, problem: &Problem<IntegerProgram>, outcome: &Outcome) -> Option<Execution> {
        let more = match problem.question {
            Question::Reach => more_effort(outcome),
            _ => MORE_EFFORT,
        };
        self.with_effort(more).filter(|_| self.jobs > 1 && outcome.finding.verdict.is_unknown())
    }

    /// Proves that some run has no end.
    fn prove_infinite(
        &self,
        problem: &Problem<IntegerProgram>,
        stages: usize,
        prover: &mut Prover,
        outcome: &mut Outcome,
    ) {
        let program = problem.program.executed();
        if has_memory(&program) {
            // Where memory is misused a run ends, and no claim looks for that.
            return;
        }
        match endless::prove(&program, self.given.as_deref(), stages, prover) {
            Ok(claim) if outcome.finding.is_yes() => outcome.integers.proof.claim = Some(*claim),
            Ok(claim) => {
                outcome.finding = Finding::new(Verdict::Yes);
                outcome.integers.about = match problem.program.arithmetic {
                    Arithmetic::Machine | Arithmetic::Mathematical => About::Assumed,
                    Arithmetic::Checked => About::Both,
                    Arithmetic::Wrapping => About::Wrapping,
                };
                outcome.integers.proof.claim = Some(*claim);
            }
            Err(why) => both(outcome, why),
        }
    }

    /// Proves that every run ends.
    fn prove_finite(
        &self,
        problem: &Problem<IntegerProgram>,
        stages: usize,
        prover: &mut Prover,
        outcome: &mut Outcome,
    ) {
        let proved = prove_ending(&problem.program.executed(), self.given.as_deref(), stages, prover);
        match proved {
            Ok(ending) => {
                if outcome.finding.verdict.is_unknown() {
                    outcome.finding = Finding::new(Verdict::No);
                    outcome.integers.about = match problem.program.arithmetic {
                        Arithmetic::Wrapping => About::Wrapping,
                        // A run that overflows ends there in one of them, and nobody knows whether one does.
                        _ => About::Assumed,
                    };
                }
                match ending {
                    Ending::Claimed(claim) => outcome.integers.proof.claim = Some(*claim),
                    Ending::Abstraction => {
                        let why = "an abstraction has no run without end, which is no claim";
                        outcome.integers.proof.unproved = Some(Unknown::because(why));
                    }
                }
            }
            Err(why) => both(outcome, why),
        }
    }
}

/// How much more is executed between proofs.
fn more_effort(outcome: &Outcome) -> Option<u64> {
    if is_only_run(outcome) { MORE_OF_ONLY_RUN } else { MORE_EFFORT }
}

/// Nothing was read when a run came to its limit: it may be the only one.
fn is_only_run(outcome: &Outcome) -> bool {
    let executed = &outcome.figures.executed;
    outcome.finding.verdict.is_unknown() && executed.n_runs == 1 && executed.n_blocked == 0
}

/// Proofs are about variables and linear: memory, and bits of two terms, are hard for them.
fn is_hard(program: &Program) -> bool {
    let has_bits = |expr: &Expr| {
        expr.code().iter().any(|op| matches!(op, Op::Bits(..) | Op::ShiftLeft(_) | Op::ShiftRight(_)))
    };
    let edges = program.functions.iter().flat_map(|function| &function.edges);
    program.uses_memory()
        || edges.into_iter().any(|edge| match &edge.action {
            Action::Step(step) => step.exprs().any(has_bits),
            Action::Call { args, .. } => args.iter().any(has_bits),
            Action::Manage(_) => true,
        })
}

/// There is something left to prove.
fn is_open(problem: &Problem<IntegerProgram>, outcome: &Outcome) -> bool {
    let verdicts = std::iter::once(&outcome.finding).chain(&outcome.findings);
    let is_unknown = |finding: &Finding| finding.verdict.is_unknown();
    // Of a target that is reached the run is the proof, and of one that is not in the program there is none.
    let has_proof = (outcome.asked.words == Words::InfiniteRun || !outcome.finding.is_yes())
        && outcome.figures.executed.n_runs > 0;
    let is_bare = problem.wanted.certificate && has_proof && outcome.integers.proof.claim.is_none();
    verdicts.into_iter().any(is_unknown) || is_bare
}

/// Puts what was found in the place of an outcome; what is known of a proof stays. Returns the one before.
pub(crate) fn replace(outcome: &mut Outcome, mut found: Outcome) -> Outcome {
    found.integers.proof = std::mem::take(&mut outcome.integers.proof);
    std::mem::replace(outcome, found)
}

/// The targets of which nothing is known, and attempts to prove that they are not reached.
struct Goals<'a> {
    transfer: &'a Transfer<'a>,
    executed: Program,
    /// All that are not reached as far as is known.
    open: Vec<usize>,
    together: Attempt,
    alone: Vec<(usize, Attempt)>,
}

impl<'a> Goals<'a> {
    fn new(transfer: &'a Transfer<'a>, outcome: &Outcome) -> Self {
        let Transfer { engine, problem, .. } = transfer;
        let executed = misuse::asked(problem);
        let open: Vec<usize> =
            (0..problem.targets.len()).filter(|n| !outcome.findings[*n].is_yes()).collect();
        let attempt = |wanted: &[usize]| {
            let mut program = executed.clone();
            program
                .select_targets(|id, _| wanted.iter().any(|n| problem.targets[*n].includes(&executed, id)));
            Attempt::new(program, Statement::Unreachable, engine.given.as_deref())
        };
        let together = attempt(&open);
        let alone = open.iter().filter(|_| open.len() > 1).map(|n| (*n, attempt(&[*n]))).collect();
        Self { transfer, together, alone, executed, open }
    }

    /// Proves what can be proved within some stages: that no target is reached, or else that single ones are not.
    fn prove(
        &mut self,
        up_to: usize,
        prover: &mut Prover,
        outcome: &mut Outcome,
        tell: &mut dyn FnMut(&[i128]) -> Option<Outcome>,
    ) {
        let mut why = match self.together.advance(up_to, prover) {
            Proof::Claimed(claim) => {
                let claim = (**claim).clone();
                for &n in &self.open {
                    outcome.findings[n] = Finding::new(Verdict::No);
                }
                if !outcome.finding.is_yes() {
                    outcome.finding = Finding::new(Verdict::No);
                    outcome.integers.about = self.about(outcome, prover);
                    outcome.integers.proof.claim = Some(claim);
                }
                return;
            }
            Proof::Run(inputs) if !outcome.finding.is_yes() => match tell(inputs) {
                Some(found) => {
                    replace(outcome, found);
                    return;
                }
                // Runs say what it depends on.
                None if !self.executed.unknowns.is_empty() => return,
                None => reason(&Proof::Refuted),
            },
            Proof::Depends if self.alone.is_empty() => return,
            proof => reason(proof),
        };
        for (n, attempt) in &mut self.alone {
            match attempt.advance(up_to, prover) {
                Proof::Claimed(_) => outcome.findings[*n] = Finding::new(Verdict::No),
                proof => why = reason(proof),
            }
        }
        both(outcome, why);
    }

    /// Which integers a proof is about: those of the machine as well, if nothing overflows.
    fn about(&self, outcome: &Outcome, prover: &mut Prover) -> About {
        match self.transfer.problem.program.arithmetic {
            Arithmetic::Checked => return About::Both,
            Arithmetic::Wrapping => return About::Wrapping,
            // Others look at it.
            Arithmetic::Machine => return About::Assumed,
            Arithmetic::Mathematical => {}
        }
        if let Some(about) = self.transfer.about(outcome) {
            return about;
        }
        let mut program = checked(&self.executed);
        program.select_targets(|_, target| target.kind == TargetKind::Overflow);
        let mut attempt = Attempt::new(program, Statement::Unreachable, None);
        match attempt.advance(FIRST_STAGES, prover) {
            Proof::Claimed(_) => About::Both,
            _ => About::Assumed,
        }
    }
}

/// Says of an outcome that is unknown why runs did not tell, and why there is no proof.
fn both(outcome: &mut Outcome, why: Unknown) {
    outcome.integers.proof.unproved = Some(why.clone());
    // Whoever was stopped says so in the end; what was found out before that is not lost.
    if let (Unknown::Stopped(..), _) | (_, Verdict::Unknown(Unknown::Stopped(..))) =
        (&why, &outcome.finding.verdict)
    {
        return;
    }
    if let Verdict::Unknown(executed) = &outcome.finding.verdict {
        let executed = match executed {
            Unknown::Each(reasons) => reasons[0].1.clone(),
            other => other.clone(),
        };
        let both = vec![(EXECUTION, executed), (PROOF, why)];
        outcome.finding = Finding::unknown(Unknown::Each(both));
    }
}

/// Says of everything that is unknown that the work was stopped, if it was, and what had been found to be in the way before.
fn stopped(outcome: &mut Outcome, limits: &Limits) {
    let Some(reason) = limits.stop.requested() else { return };
    for finding in std::iter::once(&mut outcome.finding).chain(&mut outcome.findings) {
        let Verdict::Unknown(why) = &finding.verdict else { continue };
        let stopped = Unknown::Stopped(reason, limits.gauge.read());
        *finding = Finding::unknown(match obstacle(limits.gauge.obstacle(), why) {
            Some(obstacle) => Unknown::Hindered(obstacle, Box::new(stopped)),
            None => stopped,
        });
    }
}

/// What was in the way of runs and of a proof, as far as it was found out.
fn obstacle(of_runs: Option<String>, why: &Unknown) -> Option<String> {
    let reasons = if let Unknown::Each(reasons) = why { &reasons[..] } else { &[] };
    let of_proof = reasons.iter().find_map(|(who, why)| match why {
        Unknown::Because(words) if *who == PROOF => Some(words),
        _ => None,
    });
    match (of_runs, of_proof) {
        (Some(runs), Some(proof)) => Some(format!("{EXECUTION}: {runs}; {PROOF}: {proof}")),
        (None, Some(proof)) => Some(format!("{PROOF}: {proof}")),
        (runs, None) => runs,
    }
}

/// Why there is no proof.
pub(crate) fn reason(proof: &Proof) -> Unknown {
    match proof {
        Proof::Unknown(unknown) => unknown.clone(),
        Proof::Refuted | Proof::Run(_) => Unknown::because("there is a run, but it was not found"),
        Proof::Depends => Unknown::because("it depends on what is not represented"),
        Proof::Open | Proof::Claimed(_) => Unknown::because("the predicates do not tell"),
    }
}

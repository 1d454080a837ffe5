//! From mathematical integers to those of the machine: what no run does over the former counts for the latter if no result overflows in any run, or if it is
//! not done when results wrap either.
//!
//! Input: an outcome about mathematical integers. Output: the same about those of the machine, with a claim about the program whose overflows are targets, or
//! wrap; or *unknown*, since a result may overflow, with what is known of that. What was found out before is kept in every case.

use crate::attempt::Attempt;
use crate::candidates::Candidate;
use crate::engine::{Cegar, FIRST_STAGES, reason};
use crate::prover::{Proof, Prover};
use crate::termination::{Ending, prove_ending};
use base::Sources;
use checker::{
    About, Arithmetic, Execution, Finding, IntegerGoal, IntegerProgram, Limits, Missing, Outcome, Problem,
    Proved, Question, Target, Tell, Unknown, Verdict, Wanted, WantedTrace,
};
use integers::trace::End;
use integers::{EdgeId, FunctionId, Program, TargetKind, Undefined};
use proof::{Claim, Statement};

/// Instructions that are executed to find a run that overflows, or one with results that wrap.
const EFFORT: u64 = 1 << 22;

/// A result that overflows, and where.
type Known = (Undefined, FunctionId, EdgeId);

/// An outcome that is carried over.
pub(crate) struct Transfer<'a> {
    pub(crate) engine: &'a Cegar,
    pub(crate) problem: &'a Problem<'a, IntegerProgram>,
    pub(crate) limits: &'a Limits,
    pub(crate) sources: &'a Sources,
}

/// What is known of overflows.
pub(crate) enum Overflows {
    /// There are none, by all runs, or by a claim.
    None,
    /// There is one.
    Known(Known),
    /// There is one, but nobody knows where.
    Some,
    /// Nobody knows.
    Open(Unknown),
}

impl Overflows {
    fn known(&self) -> Option<Known> {
        match self {
            Overflows::Known(known) => Some(*known),
            Overflows::None | Overflows::Some | Overflows::Open(_) => None,
        }
    }
}

impl Transfer<'_> {
    /// Makes an outcome about mathematical integers one about those of the machine.
    pub(crate) fn carry_over(&self, prover: Option<&mut Prover>, outcome: &mut Outcome, known: &mut Tell) {
        let is_no = outcome.finding.verdict == Verdict::No;
        let is_part = outcome.findings.iter().any(|finding| finding.verdict == Verdict::No);
        if is_no && outcome.integers.about == About::Both || !is_no && !is_part {
            return;
        }
        let mut early = outcome.clone();
        early.integers.proof = Proved::default();
        doubted(&mut early, Unknown::because("it was being looked at"));
        known(&early, Some(Missing::Overflow));
        let doubt = match self.problem.question {
            Question::Reach => self.unreachable(prover, outcome),
            _ => self.ends(prover, outcome),
        };
        if let Some(doubt) = doubt {
            doubted(outcome, doubt);
        }
    }

    /// Targets that no run reaches; what is in the way, if something is.
    fn unreachable(&self, mut prover: Option<&mut Prover>, outcome: &mut Outcome) -> Option<Unknown> {
        let is_whole = outcome.finding.verdict == Verdict::No;
        let shown = self.problem.targets.iter().zip(&outcome.findings);
        let shown = shown.filter(|(_, finding)| finding.verdict == Verdict::No);
        let shown: Vec<Target<IntegerGoal>> = shown.map(|(target, _)| target.clone()).collect();
        let ideas: Vec<Candidate> =
            outcome.integers.proof.claim.as_ref().map(refine::atoms).unwrap_or_default();
        let mut overflows = self.executed(outcome);
        let mut wraps = None;
        for stages in self.rounds(is_whole) {
            if let (Overflows::Open(_), Some(prover)) = (&overflows, prover.as_deref_mut()) {
                overflows = match self.without_overflow(stages, prover) {
                    Err(open) => open,
                    Ok(claim) => {
                        // One claim about both is only made for those who want to have it.
                        if self.problem.wanted.certificate && is_whole {
                            let more = [ideas.clone(), refine::atoms(&claim)].concat();
                            let program = self.with_targets(Arithmetic::Checked, &shown);
                            let mut both = Attempt::with_ideas(program, Statement::Unreachable, more);
                            if let Proof::Claimed(claim) = both.advance(stages, prover) {
                                rest(outcome, (**claim).clone(), Arithmetic::Checked);
                            }
                        }
                        Overflows::None
                    }
                };
            }
            if let Overflows::None = overflows {
                if is_whole {
                    outcome.integers.about = About::Both;
                }
                return None;
            }
            let wraps = wraps.get_or_insert_with(|| self.ask(&shown, Arithmetic::Wrapping));
            if wraps.finding.is_yes() {
                let remark = "with results that wrap it is reached; `--int wrap` shows the run";
                outcome.remarks.push(remark.to_owned());
                break;
            }
            if self.is_harmless(&shown, &ideas, stages, wraps, prover.as_deref_mut(), outcome) {
                outcome.integers.overflow = overflows.known();
                return None;
            }
        }
        Some(self.doubt(overflows, outcome))
    }

    /// Whether targets are not reached with results that wrap either, which runs with these may have shown; the answer rests on that then.
    fn is_harmless(
        &self,
        shown: &[Target<IntegerGoal>],
        ideas: &[Candidate],
        stages: usize,
        wraps: &Outcome,
        prover: Option<&mut Prover>,
        outcome: &mut Outcome,
    ) -> bool {
        let is_whole = outcome.finding.verdict == Verdict::No;
        let is_known = wraps.finding.verdict == Verdict::No;
        let mut proved = None;
        if let Some(prover) = prover.filter(|_| !is_known || self.problem.wanted.certificate) {
            let program = self.with_targets(Arithmetic::Wrapping, shown);
            let attempt = Attempt::with_ideas(program, Statement::Unreachable, ideas.to_vec());
            match attempt.knowing_types().advance(stages, prover) {
                Proof::Claimed(claim) => proved = Some((**claim).clone()),
                proof => outcome.integers.proof.unproved = Some(reason(proof)),
            }
        }
        if !is_known && proved.is_none() {
            return false;
        }
        match proved {
            Some(claim) if is_whole => rest(outcome, claim, Arithmetic::Wrapping),
            Some(_) => {}
            // What holds for mathematical integers need not hold for these.
            None => outcome.integers.proof.claim = None,
        }
        if is_whole {
            outcome.integers.about = About::Either;
        }
        true
    }

    /// Runs all of which end.
    fn ends(&self, mut prover: Option<&mut Prover>, outcome: &mut Outcome) -> Option<Unknown> {
        let mut overflows = self.executed(outcome);
        let wrapped = Arithmetic::Wrapping.program(self.problem.program);
        for stages in self.rounds(true) {
            if let (Overflows::Open(_), Some(prover)) = (&overflows, prover.as_deref_mut()) {
                let proved = self.without_overflow(stages, prover);
                overflows = proved.map_or_else(|open| open, |_| Overflows::None);
            }
            if let Overflows::None = overflows {
                outcome.integers.about = About::Both;
                return None;
            }
            let ending = prover.as_deref_mut().map(|prover| prove_ending(&wrapped, None, stages, prover));
            if let Some(Ok(ending)) = ending {
                outcome.integers.about = About::Either;
                outcome.integers.overflow = overflows.known();
                outcome.integers.proof.claim = None;
                if let Ending::Claimed(claim) = ending {
                    rest(outcome, *claim, Arithmetic::Wrapping);
                }
                return None;
            }
        }
        Some(self.doubt(overflows, outcome))
    }

    /// A claim that nothing overflows; or what is known.
    pub(crate) fn without_overflow(&self, stages: usize, prover: &mut Prover) -> Result<Claim, Overflows> {
        let program = self.with_targets(Arithmetic::Checked, &[]);
        let mut first = Attempt::new(program.clone(), Statement::Unreachable, None).about_numbers();
        let open = match first.advance(stages, prover) {
            Proof::Claimed(claim) => return Ok((**claim).clone()),
            proof => self.learnt(proof),
        };
        if let Overflows::Open(_) = open {
            // Types bound what variables hold. Clauses are harder to solve with them, predicates are not.
            let again = Attempt::with_ideas(program, Statement::Unreachable, Vec::new());
            if let Proof::Claimed(claim) = again.knowing_types().advance(1, prover) {
                return Ok((**claim).clone());
            }
        }
        Err(open)
    }

    /// How many stages attempts have, round by round: what is cheap is tried of everything before anything is tried hard. Where only some targets are not
    /// reached, not much is spent; whoever sets a limit of time wants it to be used.
    pub(crate) fn rounds(&self, is_whole: bool) -> Vec<usize> {
        let rounds: &[usize] = match (is_whole, self.engine.execution.effort) {
            (false, _) => &[1],
            (true, Some(_)) => &[FIRST_STAGES],
            (true, None) => &[FIRST_STAGES, FIRST_STAGES + 1],
        };
        let mut rounds: Vec<usize> = rounds.iter().map(|stages| (*stages).min(self.engine.stages)).collect();
        rounds.dedup();
        rounds
    }

    /// The program with these integers, whose targets are those that are not to be reached, and overflows.
    fn with_targets(&self, arithmetic: Arithmetic, shown: &[Target<IntegerGoal>]) -> Program {
        let program = arithmetic.program(self.problem.program);
        let mut wanted = program.clone();
        wanted.select_targets(|id, target| {
            target.kind == TargetKind::Overflow || shown.iter().any(|shown| shown.includes(&program, id))
        });
        wanted
    }

    /// Which integers an answer about mathematical ones is about, as far as runs show it.
    pub(crate) fn about(&self, outcome: &Outcome) -> Option<About> {
        match self.executed(outcome) {
            Overflows::None => Some(About::Both),
            Overflows::Known(_) | Overflows::Some => Some(About::Assumed),
            Overflows::Open(_) => None,
        }
    }

    /// What runs show of overflows.
    fn executed(&self, outcome: &Outcome) -> Overflows {
        if let Some(known) = outcome.integers.overflow {
            return Overflows::Known(known);
        }
        let outcome = self.ask(&[Target::overflow()], Arithmetic::Checked);
        match (&outcome.finding.verdict, overflow(&outcome)) {
            (Verdict::Yes, Some(known)) => Overflows::Known(known),
            (Verdict::Yes, None) => Overflows::Some,
            (Verdict::No, _) => Overflows::None,
            (Verdict::Unknown(why), _) => Overflows::Open(why.clone()),
        }
    }

    /// Runs with some integers.
    fn ask(&self, targets: &[Target<IntegerGoal>], arithmetic: Arithmetic) -> Outcome {
        let effort = Some(self.engine.execution.effort.map_or(EFFORT, |effort| effort.min(EFFORT)));
        let execution = Execution { effort, ..self.engine.execution };
        let program = self.subject(arithmetic);
        execution.execute(&asked(&program, targets), self.limits, self.sources, &mut |_, _| {})
    }

    /// The program with other integers.
    fn subject(&self, arithmetic: Arithmetic) -> IntegerProgram {
        IntegerProgram { arithmetic, ..self.problem.program.clone() }
    }

    /// What an attempt to prove that there are no overflows says of them.
    fn learnt(&self, proof: &Proof) -> Overflows {
        let targets = [Target::overflow()];
        match proof {
            Proof::Run(inputs) => {
                let program = self.subject(Arithmetic::Checked);
                let problem = asked(&program, &targets);
                let execution = &self.engine.execution;
                let told = execution.told(&problem, self.limits, self.sources, inputs, &mut |_, _| {});
                told.as_ref().and_then(overflow).map_or(Overflows::Some, Overflows::Known)
            }
            Proof::Refuted => Overflows::Some,
            proof => Overflows::Open(reason(proof)),
        }
    }

    /// Why it may be otherwise on the machine.
    fn doubt(&self, overflows: Overflows, outcome: &mut Outcome) -> Unknown {
        match (overflows, self.limits.stop.requested()) {
            (Overflows::Known(known), _) => {
                outcome.integers.overflow = Some(known);
                Unknown::because("a result overflows in some run")
            }
            (Overflows::Some | Overflows::None, _) => {
                Unknown::because("the SMT solver says that some run does, and it was not found")
            }
            (Overflows::Open(_), Some(stop)) => Unknown::Stopped(stop, self.limits.gauge.read()),
            (Overflows::Open(why), None) => why,
        }
    }
}

/// Whether these targets are reached.
fn asked<'p>(program: &'p IntegerProgram, targets: &'p [Target<IntegerGoal>]) -> Problem<'p, IntegerProgram> {
    let wanted = Wanted { trace: WantedTrace::Any, certificate: false };
    Problem { wanted, ..Problem::new(program, Question::Reach, targets) }
}

/// Rests the answer on a claim about these integers.
fn rest(outcome: &mut Outcome, claim: Claim, arithmetic: Arithmetic) {
    let proof = &mut outcome.integers.proof;
    let before = proof.claim.replace(claim);
    proof.part = before.filter(|_| arithmetic == Arithmetic::Checked);
    proof.arithmetic = arithmetic;
}

/// What no run does over mathematical integers is unknown, for this reason.
pub(crate) fn doubted(outcome: &mut Outcome, why: Unknown) {
    let doubtful = Finding::unknown(Unknown::UnlessOverflow(Box::new(why)));
    if outcome.finding.verdict == Verdict::No {
        outcome.integers.about = About::Assumed;
    }
    let all = std::iter::once(&mut outcome.finding).chain(&mut outcome.findings);
    all.filter(|finding| finding.verdict == Verdict::No).for_each(|finding| *finding = doubtful.clone());
}

/// The overflow that a run ends with.
fn overflow(outcome: &Outcome) -> Option<Known> {
    match outcome.integers.account.as_ref()?.end {
        End::Undefined(why @ Undefined::Overflow(_), function, edge) => Some((why, function, edge)),
        _ => None,
    }
}

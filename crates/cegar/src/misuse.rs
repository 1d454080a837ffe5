//! From runs that use memory rightly to all runs: what none of them does counts if no run misuses memory; and questions about what goes wrong.
//!
//! Input: an outcome. Output: the same, or *unknown*, since memory may be misused, with what is known of that. Whether it is, runs show, all of them or one; where memory has become
//! variables it is proved like anything else.

use crate::attempt::Attempt;
use crate::engine::reason;
use crate::overflow::{Transfer, doubted};
use crate::prover::{Proof, Prover};
use checker::{
    About, Arithmetic, Execution, Finding, IntegerGoal, IntegerProgram, Missing, Misuses, Outcome, Problem,
    Question, Target, Tell, Unknown, Verdict, Wanted, WantedTrace, faults,
};
use integers::cells::has_memory;
use integers::memory::Storage;
use integers::{Action, Edge, Expr, Faults, Manage, Op, Program, TargetKind, accesses, guarded, promote};
use proof::Statement;

/// Instructions that are executed to find a run that misuses memory.
const EFFORT: u64 = 1 << 22;

const MEMORY: Faults = Faults { memory: true, arithmetic: false, lost: false, unfreed: false };

/// The program in which what is asked for is a place.
pub(crate) fn asked(problem: &Problem<IntegerProgram>) -> Program {
    let executed = problem.program.executed();
    match faults(problem.targets) {
        Some(faults) => judged(&executed, faults).unwrap_or_else(|| guarded(&executed, faults)),
        None => executed,
    }
}

/// The program in which everything that goes wrong is a place, if proofs can tell all of it: of some pointers they do not. Where objects may be lost, that nothing is left is more than is asked.
fn judged(program: &Program, faults: Faults) -> Option<Program> {
    let is_freed = (faults.lost || faults.unfreed) && allocates(program);
    if !is_freed {
        if let Some(plain) = plain(program) {
            return Some(guarded(&plain, faults));
        }
        if !faults.memory {
            return Some(guarded(program, faults));
        }
    }
    // What is not freed is told of runs that misuse nothing.
    let judged = accesses(program, TargetKind::Undefined, is_freed)?;
    Some(if faults.arithmetic { guarded(&judged, Faults { memory: false, ..faults }) } else { judged })
}

/// Whether proofs know what is asked for: of some things that go wrong with objects only runs tell.
pub(crate) fn is_provable(problem: &Problem<IntegerProgram>) -> bool {
    faults(problem.targets).is_none_or(|faults| judged(&problem.program.executed(), faults).is_some())
}

/// Whether something is allocated on the heap.
fn allocates(program: &Program) -> bool {
    let edges = program.functions.iter().flat_map(|function| &function.edges);
    let is_new = |manage: &Manage| match manage {
        Manage::Allocate { storage, .. } => *storage == Storage::Heap,
        Manage::Reallocate { .. } => true,
        _ => false,
    };
    edges.into_iter().any(|edge| matches!(&edge.action, Action::Manage(manage) if is_new(manage)))
}

/// The same program with variables in the place of memory, if all that may be misused is in expressions there.
fn plain(program: &Program) -> Option<Program> {
    if !program.memory.unchecked.is_empty() {
        return None;
    }
    let plain = if has_memory(program) { promote(program)? } else { program.clone() };
    let subtracts = |expr: &Expr| expr.code().contains(&Op::Difference);
    let is_plain = |edge: &Edge| match &edge.action {
        Action::Step(step) => !step.exprs().any(subtracts),
        Action::Call { args, .. } => !args.iter().any(subtracts),
        Action::Manage(_) => false,
    };
    plain.functions.iter().flat_map(|function| &function.edges).all(is_plain).then_some(plain)
}

/// An answer about what goes wrong: which integers it is about, if nothing does.
pub(crate) fn settle(transfer: &Transfer, mut prover: Option<&mut Prover>, outcome: &mut Outcome) {
    if outcome.finding.verdict != Verdict::No || outcome.integers.about == About::Both {
        return;
    }
    let known = transfer.about(outcome);
    if known == Some(About::Both) {
        outcome.integers.about = About::Both;
        return;
    }
    for stages in transfer.rounds(true) {
        let Some(prover) = prover.as_deref_mut() else { break };
        if known.is_none() && transfer.without_overflow(stages, prover).is_ok() {
            outcome.integers.about = About::Both;
            return;
        }
        if is_right_with_wrapping(transfer.problem, stages, prover) {
            outcome.integers.about = About::Either;
            return;
        }
    }
    doubted(outcome, Unknown::because("whether a result overflows is not known"));
}

/// Whether what is asked for does not go wrong with results that wrap.
fn is_right_with_wrapping(problem: &Problem<IntegerProgram>, stages: usize, prover: &mut Prover) -> bool {
    let Some(faults) = faults(problem.targets) else { return false };
    let program = Arithmetic::Wrapping.program(problem.program);
    let Some(mut program) = judged(&program, faults) else { return false };
    let whole = program.clone();
    program.select_targets(|id, _| problem.targets.iter().any(|target| target.includes(&whole, id)));
    let mut attempt = Attempt::new(program, Statement::Unreachable, None);
    matches!(attempt.advance(stages, prover), Proof::Claimed(_))
}

/// Claims say what they are about by names of places: there is none about what goes wrong.
pub(crate) fn without_claim(outcome: &mut Outcome) {
    if outcome.integers.proof.claim.take().is_some() {
        let why = "it was proved of places that the program itself does not have";
        outcome.integers.proof.unproved = Some(Unknown::because(why));
    }
}

/// Nothing undefined happens, somebody says.
pub(crate) fn assumed(outcome: &mut Outcome) {
    let is_no = |finding: &Finding| finding.verdict == Verdict::No;
    let about = outcome.integers.about;
    // Where the only run overflows, there is nothing to assume.
    let is_bare = about == About::Assumed;
    let is_open = about == About::Both && outcome.integers.misuses != Misuses::None;
    if is_no(&outcome.finding) && (is_bare || is_open) {
        outcome.integers.about = About::Defined;
    }
}

/// Makes an outcome about runs that use memory rightly one about all runs.
pub(crate) fn carry_over(
    transfer: &Transfer,
    prover: Option<&mut Prover>,
    outcome: &mut Outcome,
    known: &mut Tell,
) {
    let program = &transfer.problem.program.program;
    let is_shown = |finding: &Finding| {
        matches!(finding.verdict, Verdict::No | Verdict::Unknown(Unknown::UnlessOverflow(_)))
    };
    let is_part = std::iter::once(&outcome.finding).chain(&outcome.findings).any(is_shown);
    if !is_part || !program.may_misuse_memory() || outcome.integers.misuses == Misuses::None {
        return;
    }
    let mut early = outcome.clone();
    early.integers.proof = checker::Proved::default();
    misused(&mut early, &Unknown::because("it was being looked at"));
    known(&early, Some(Missing::Misuse));
    let why = match outcome.integers.misuses {
        Misuses::Known(_) => Some(Unknown::because("memory is misused in some run")),
        _ => searched(transfer, prover, outcome),
    };
    if let Some(why) = why {
        misused(outcome, &why);
    }
}

/// Looks for misuses, by runs and by a proof; why there may be some.
fn searched(transfer: &Transfer, prover: Option<&mut Prover>, outcome: &mut Outcome) -> Option<Unknown> {
    let Transfer { engine, problem, limits, sources } = transfer;
    let effort = Some(engine.execution.effort.map_or(EFFORT, |effort| effort.min(EFFORT)));
    let execution = Execution { effort, ..engine.execution };
    let targets = [Target::<IntegerGoal>::fault("memory", MEMORY)];
    let wanted = Wanted { trace: WantedTrace::None, certificate: false };
    let question = Problem { wanted, ..Problem::new(problem.program, Question::Reach, &targets) };
    let found = execution.execute(&question, limits, sources, &mut |_, _| {});
    let open = match &found.finding.verdict {
        Verdict::Yes => {
            outcome.integers.misuses = found.integers.misuses;
            return Some(Unknown::because("memory is misused in some run"));
        }
        Verdict::No => {
            outcome.integers.misuses = Misuses::None;
            return None;
        }
        Verdict::Unknown(why) => why.clone(),
    };
    if let (Some(mut program), Some(prover)) = (judged(&problem.program.executed(), MEMORY), prover) {
        program.select_targets(|_, target| target.kind == TargetKind::Undefined);
        let stages = transfer.rounds(true).into_iter().max().unwrap_or_default();
        match Attempt::new(program, Statement::Unreachable, None).advance(stages, prover) {
            Proof::Claimed(_) => {
                outcome.integers.misuses = Misuses::None;
                return None;
            }
            proof => return Some(reason(proof)),
        }
    }
    Some(open)
}

/// What no run does that uses memory rightly is unknown, for this reason.
fn misused(outcome: &mut Outcome, why: &Unknown) {
    for finding in std::iter::once(&mut outcome.finding).chain(&mut outcome.findings) {
        let inner = match &finding.verdict {
            Verdict::No => why.clone(),
            Verdict::Unknown(both @ Unknown::UnlessOverflow(_)) => both.clone(),
            _ => continue,
        };
        *finding = Finding::unknown(Unknown::UnlessMisused(Box::new(inner)));
    }
}

//! Runs without end: inputs are fixed, the program is run, and it is proved that it cannot stop.
//!
//! First a few numbers for all inputs are tried: a run that is still going after many steps is worth a proof. Then formulas say whether an abstraction
//! surely goes on for ever, if inputs are chosen well, and the inputs are found along such a run.

use crate::attempt::Attempt;
use crate::candidates::{Candidate, changes, preconditions, renamings};
use crate::prover::{Proof, Prover, add};
use crate::strategy::Player;
use abstraction::Predicates;
use base::Random;
use checker::Unknown;
use integers::compose::compose;
use integers::ghosts::Ghosted;
use integers::trace::{End, Manner, walk};
use integers::{Action, FunctionId, Goal, Input, InputId, Integers, Op, Program};
use proof::{Claim, Statement};

/// A run that is going on after so many steps may go on for ever.
const MANY_STEPS: u64 = 20_000;

/// So many choices of numbers are run.
const MOST_RUNS: usize = 40;

/// So many runs are worth a proof.
const MOST_PROOFS: usize = 6;

/// Rounds of predicates for a strategy.
const ROUNDS: usize = 4;

/// So many steps of a run along a strategy find its inputs.
const PLAYED: usize = 2_000;

/// Looks for a run without end, with effort up to a stage: inputs, and a claim that with these no run stops.
pub(crate) fn prove(
    program: &Program,
    given: Option<&[Candidate]>,
    stage: usize,
    prover: &mut Prover,
) -> Result<Box<Claim>, Unknown> {
    if given.is_none()
        && let Some(claim) = by_running(program, stage, prover)
    {
        return Ok(claim);
    }
    by_strategy(program, given, stage, prover)
}

/// Fixes inputs to numbers with which the program runs for long.
fn by_running(program: &Program, stage: usize, prover: &mut Prover) -> Option<Box<Claim>> {
    let mut n_proofs = 0;
    for inputs in choices(program) {
        if n_proofs == MOST_PROOFS || prover.limits.stop.requested().is_some() {
            break;
        }
        if !runs_for_long(program, &inputs) {
            continue;
        }
        n_proofs += 1;
        let statement = Statement::Endless(inputs);
        if let Proof::Claimed(claim) = Attempt::new(program.clone(), statement, None).advance(stage, prover) {
            return Some(claim.clone());
        }
    }
    None
}

/// Numbers for all inputs: the same for all at first, then random ones.
fn choices(program: &Program) -> Vec<Vec<(InputId, i128)>> {
    let ids = || (0..program.inputs.len()).map(InputId::new);
    let fit = |id: InputId, number: i128| (id, program.input(id).ty.wrap(number));
    let same = [1, 0, -1, 2, 3, 10, -10, 5];
    let mut all: Vec<Vec<(InputId, i128)>> =
        same.iter().map(|number| ids().map(|id| fit(id, *number)).collect()).collect();
    let constants = constants(program);
    let mut random = Random::new(0);
    while all.len() < MOST_RUNS {
        let mut number = || match random.below(10) {
            0..5 if !constants.is_empty() => *random.pick(&constants) + random.below(3) as i128 - 1,
            5..8 => random.below(36) as i128 - 5,
            _ => random.below(2001) as i128 - 1000,
        };
        all.push(ids().map(|id| fit(id, number())).collect());
    }
    all.dedup();
    if program.inputs.is_empty() {
        all.truncate(1);
    }
    all
}

/// The numbers in the text of the program.
fn constants(program: &Program) -> Vec<i128> {
    let mut found = Vec::new();
    for edge in program.functions.iter().flat_map(|function| &function.edges) {
        let exprs: Vec<_> = match &edge.action {
            Action::Manage(_) => unreachable!("the program has variables only"),
            Action::Step(step) => step.exprs().collect(),
            Action::Call { args, .. } => args.iter().collect(),
        };
        for op in exprs.into_iter().flat_map(|expr| expr.code()) {
            if let Op::Constant(number) = op
                && number.abs() < 1 << 40
            {
                found.push(*number);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn runs_for_long(program: &Program, inputs: &[(InputId, i128)]) -> bool {
    let manner = Manner { integers: Integers::Mathematical, goal: Goal::Never, max_steps: MANY_STEPS };
    let mut choose = |asked: &Input| {
        let same = |(id, _): &&(InputId, i128)| std::ptr::eq(program.input(*id), asked);
        inputs.iter().find(same).map(|(_, number)| *number)
    };
    walk(program, &mut choose, manner, &mut |_| {}) == End::StepLimit
}

/// Asks an abstraction, and fixes the inputs along a run of its strategy.
fn by_strategy(
    program: &Program,
    given: Option<&[Candidate]>,
    stage: usize,
    prover: &mut Prover,
) -> Result<Box<Claim>, Unknown> {
    let ghosted = Ghosted::new(&compose(program).program);
    let mut predicates = match given {
        Some(given) => {
            let mut predicates = Predicates::new(&ghosted);
            add(&mut predicates, &ghosted, given.to_vec());
            predicates
        }
        None => Predicates::of_guards(&ghosted),
    };
    for round in 0..ROUNDS {
        if let Some(reason) = prover.limits.stop.requested() {
            return Err(Unknown::Stopped(reason, prover.limits.gauge.read()));
        }
        let analysis = prover.analysis(&ghosted, &predicates, true);
        let (goes_on, regions) = analysis.runs_for_ever(prover.limits)?;
        if goes_on {
            let mut player = Player::new(&ghosted, &predicates, &analysis, &regions, &mut prover.solver);
            player.play(PLAYED);
            let mut inputs = std::mem::take(&mut player.fixed);
            inputs.sort_unstable();
            return fixed(program, &predicates, inputs, stage, prover);
        }
        if given.is_some() {
            break;
        }
        let candidates = match round {
            0 => renamings(&ghosted, &predicates),
            1 => changes(&ghosted, &predicates),
            _ => preconditions(&ghosted, &predicates),
        };
        let candidates =
            [candidates, if round == 0 { preconditions(&ghosted, &predicates) } else { Vec::new() }].concat();
        if !add(&mut predicates, &ghosted, candidates) {
            break;
        }
    }
    Err(Unknown::because("no strategy is known by which a run goes on for ever"))
}

/// With these inputs the run does not stop: a claim from the same predicates, or from others.
fn fixed(
    program: &Program,
    predicates: &Predicates,
    inputs: Vec<(InputId, i128)>,
    stage: usize,
    prover: &mut Prover,
) -> Result<Box<Claim>, Unknown> {
    let statement = Statement::Endless(inputs);
    let mut same: Vec<Candidate> = Vec::new();
    for n in 0..program.functions.len() {
        let function = FunctionId::new(n);
        same.extend(predicates.of(function).iter().map(|predicate| (function, predicate.formula.clone())));
    }
    for given in [Some(&same[..]), None] {
        if let Proof::Claimed(claim) =
            Attempt::new(program.clone(), statement.clone(), given).advance(stage, prover)
        {
            return Ok(claim.clone());
        }
    }
    Err(Unknown::because(
        "there is a strategy by which a run goes on for ever, but none with the same inputs each time was proved",
    ))
}

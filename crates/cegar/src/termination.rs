//! Proofs that every run ends: measures that decrease, under what an abstraction says holds where, or an abstraction without a cycle.

use crate::candidates::{Candidate, changes, preconditions, renamings};
use crate::invariants::{Detail, invariants};
use crate::prover::{EFFORTS, Proof, Prover, add};
use crate::ranking::measures;
use crate::strengthen::strengthened;
use abstraction::Predicates;
use checker::Unknown;
use integers::ghosts::Ghosted;
use integers::{Bounds, Expr, FunctionId, NodeId, Place, Program, Relation};
use proof::{Claim, Rules, Statement, subject};

/// Why every run ends.
#[derive(Clone, Debug)]
pub enum Ending {
    /// A claim that has been checked.
    Claimed(Box<Claim>),
    /// An abstraction has no infinite run.
    Abstraction,
}

/// For each stage how much work the solver's engine may do each time it is asked for more. From the third on there are more predicates.
const ROUNDS: [Option<u64>; 4] = [None, Some(EFFORTS[0]), Some(EFFORTS[0]), Some(EFFORTS[1])];

/// So many times more formulas are asked for.
const MOST_MORE: usize = 6;

/// Looks for a proof that every run of the program ends; in the first stages with little effort.
pub fn prove_ending(
    program: &Program,
    given: Option<&[Candidate]>,
    stage: usize,
    prover: &mut Prover,
) -> Result<Ending, Unknown> {
    let subject = subject(program, &Statement::Terminating(Vec::new()));
    let bounds = Bounds::new(&subject);
    let everywhere = |(n, function): (usize, &integers::Function)| {
        let at = |node| match &bounds {
            Some(bounds) => bounds.formula(FunctionId::new(n), NodeId::new(node)),
            None => Expr::truth(true),
        };
        (0..function.nodes.len()).map(at).collect()
    };
    let formulas = subject.program.functions.iter().enumerate().map(everywhere).collect();
    let mut why = match measured(program, &subject, formulas, None, prover) {
        Ok(ending) => return Ok(ending),
        Err(why) => why,
    };
    let mut predicates = Predicates::of_guards(&subject);
    match given {
        Some(given) => {
            predicates = Predicates::new(&subject);
            add(&mut predicates, &subject, given.to_vec());
        }
        None => _ = add(&mut predicates, &subject, unchanged(&subject)),
    }
    let mut formulas = None;
    for (round, effort) in ROUNDS.into_iter().take(stage).enumerate() {
        if let Some(reason) = prover.limits.stop.requested() {
            return Err(Unknown::Stopped(reason, prover.limits.gauge.read()));
        }
        let is_new = match round {
            0 => true,
            1 => false,
            _ => {
                let candidates = more(&subject, &predicates, round);
                given.is_none() && add(&mut predicates, &subject, candidates)
            }
        };
        if is_new {
            let analysis = prover.analysis(&subject, &predicates, false);
            let (_, regions) = analysis.may_reach(prover.limits)?;
            formulas = invariants(&subject, &predicates, &analysis.abstraction, &regions, Detail::All);
            if let Some(formulas) = formulas.clone()
                && let Ok(ending) = measured(program, &subject, formulas, None, prover)
            {
                return Ok(ending);
            }
            if !analysis.may_run_for_ever(prover.limits)? {
                return Ok(Ending::Abstraction);
            }
        }
        if let (Some(formulas), Some(_)) = (formulas.clone(), effort) {
            match measured(program, &subject, formulas, effort, prover) {
                Ok(ending) => return Ok(ending),
                Err(reason) => why = reason,
            }
        }
    }
    Err(why)
}

/// More predicates.
fn more(subject: &Ghosted, predicates: &Predicates, round: usize) -> Vec<Candidate> {
    let mut candidates = changes(subject, predicates);
    candidates.extend(renamings(subject, predicates));
    if round > 2 {
        candidates.extend(preconditions(subject, predicates));
    }
    candidates
}

/// For each ghost, that its variable holds the same.
fn unchanged(subject: &Ghosted) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (f, ghosts) in subject.ghosts.iter().enumerate() {
        for ghost in ghosts {
            let (now, then) = (Expr::read(ghost.of), Expr::read(Place::Local(ghost.local)));
            found.push((FunctionId::new(f), now.compare(Relation::Equal, then)));
        }
    }
    found
}

/// Looks for measures under formulas, and checks what comes out. With some effort it is asked what would have to hold so that there are more, and whether it does.
fn measured(
    program: &Program,
    subject: &Ghosted,
    mut formulas: Vec<Vec<Expr>>,
    effort: Option<u64>,
    prover: &mut Prover,
) -> Result<Ending, Unknown> {
    let stop = prover.limits.stop.clone();
    for n_more in (0..=MOST_MORE).rev() {
        let rules = Rules { subject, formulas: &formulas };
        let open = match measures(&rules, &mut prover.quick, &|| stop.requested().is_some()) {
            Ok(measures) => {
                let claim = Claim { statement: Statement::Terminating(measures), formulas };
                return checked(program, claim, prover);
            }
            Err(open) => open,
        };
        let name = &subject.program.function(open.ways[0].0).name;
        let why = Unknown::because(format!("nothing was found that decreases on each cycle of `{name}`"));
        let Some(effort) = effort.filter(|_| n_more > 0) else { return Err(why) };
        formulas = strengthened(&rules, &open, effort, prover).ok_or(why)?;
    }
    unreachable!("the last time no more is asked for")
}

fn checked(program: &Program, claim: Claim, prover: &mut Prover) -> Result<Ending, Unknown> {
    match prover.checked(program, claim) {
        Proof::Claimed(claim) => Ok(Ending::Claimed(claim)),
        Proof::Unknown(why) => Err(why),
        Proof::Open | Proof::Run(_) | Proof::Refuted | Proof::Depends => {
            unreachable!("a check is passed or not")
        }
    }
}

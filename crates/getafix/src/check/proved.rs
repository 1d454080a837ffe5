//! What a page shows of an answer that rests on no run: what holds before each line, and why that is an answer.
//!
//! Contract: it comes from a certificate that the validator has accepted here and now, whoever found it. Where there is none, or where it takes too much to be shown,
//! nothing is said; the verdict does not depend on it.

use super::Asked;
use super::engines::Engines;
use crate::formula;
use crate::job::Job;
use base::Sources;
use certificate::{Claim, Holds, Outcome as Judged, ranked, threads};
use checker::{
    Asker, Bound, Engine, Explicit, Missing, Outcome, Problem, Question, Verdict, Wanted, WantedTrace,
};
use present::html::{Invariant, Proof};
use rsm::Rsm;

/// The most states that are looked at again, for the sake of the page.
const MOST_STATES: u64 = 1 << 16;

/// What is shown of a proof; none if there is no such answer or no proof that can be shown.
pub(super) fn shown(
    asked: &Asked,
    outcome: &Outcome,
    engines: Engines,
    sources: &Sources,
    job: &Job,
) -> Option<Proof> {
    if outcome.finding.verdict != Verdict::No {
        return None;
    }
    if !asked.program.is_sequential()
        && (asked.question, asked.bound) != (Question::Reach, Some(Bound::Every))
    {
        return whatever_the_schedule(asked, engines, sources, job);
    }
    if asked.observed.is_some() {
        return None;
    }
    let machine = &asked.program.machine;
    match (asked.question, asked.bound) {
        (Question::Reach, None) => {
            let text =
                outcome.certificate.clone().or_else(|| found(asked, engines.symbolic, sources, job))?;
            of_summaries(machine, sources, &asked.problem().places(), &text, job)
        }
        (Question::Repeat | Question::Infinite, None) => {
            let explicit = Explicit { max_states: MOST_STATES, ..engines.explicit };
            let text = outcome.certificate.clone().or_else(|| found(asked, &explicit, sources, job))?;
            let goals = (asked.question == Question::Repeat).then(|| asked.problem().places());
            of_numbers(machine, sources, goals.as_deref(), &text, job)
        }
        (Question::Reach, Some(Bound::Every)) => {
            let explicit = Explicit { max_states: MOST_STATES, visibility: false, ..engines.explicit };
            let text = found(asked, &explicit, sources, job)?;
            of_threads(asked, sources, &text, job)
        }
        _ => None,
    }
}

/// What holds in all runs of threads, where the question has no certificate that says so: about fewer schedules, or about infinite runs.
fn whatever_the_schedule(asked: &Asked, engines: Engines, sources: &Sources, job: &Job) -> Option<Proof> {
    let explicit = Explicit { max_states: MOST_STATES, visibility: false, ..engines.explicit };
    let is_reach = asked.question == Question::Reach;
    let targets = if is_reach { &asked.targets[..] } else { &[] };
    let problem = Problem {
        program: &*asked.program,
        question: Question::Reach,
        targets,
        bound: Some(Bound::Every),
        watch: Default::default(),
        wanted: Wanted { trace: WantedTrace::None, certificate: true },
    };
    let mut asker = Asker { sources: &mut sources.clone(), known: &mut |_: &Outcome, _: Option<Missing>| {} };
    let text = explicit.answer(&problem, &formula::limits(job), &mut asker).ok()?.certificate?;
    let read = threads::read(&asked.program, &text).ok()?;
    let mut proof = of_closed(&asked.program, &problem.goals(), &read, sources, job)?;
    if !is_reach {
        let why = "What stands at the end of a line holds before it in every run, whatever the schedule. The answer says more than that: `--certificate FILE` writes why it is so, where there is a certificate.";
        proof.why = vec![why.to_owned()];
    }
    Some(proof)
}

/// A certificate that an engine finds.
fn found(asked: &Asked, engine: &dyn Engine, sources: &Sources, job: &Job) -> Option<String> {
    let wanted = Wanted { trace: WantedTrace::None, certificate: true };
    let problem = Problem { wanted, ..asked.problem() };
    let mut asker = Asker { sources: &mut sources.clone(), known: &mut |_: &Outcome, _: Option<Missing>| {} };
    engine.answer(&problem, &formula::limits(job), &mut asker).ok()?.certificate
}

/// Of summaries of a sequential program.
pub fn of_summaries(
    rsm: &Rsm,
    sources: &Sources,
    goals: &[rsm::Goal],
    text: &str,
    job: &Job,
) -> Option<Proof> {
    let read = certificate::read(text).ok()?;
    let memory = job.memory_of_diagrams();
    let judged = certificate::explain(rsm, sources, goals, &read, &job.stop, memory);
    let Ok(Judged::Accepted(holds)) = judged else { return None };
    let why = "Every run starts in a state that satisfies what holds before its line, every step leads from such states to such states, and no target is among them.";
    Some(proof(rsm, sources, &holds, why.to_owned()))
}

/// Of numbers that shrink.
pub fn of_numbers(
    rsm: &Rsm,
    sources: &Sources,
    goals: Option<&[rsm::Goal]>,
    text: &str,
    job: &Job,
) -> Option<Proof> {
    let read = ranked::read(rsm, text).ok()?;
    let judged = ranked::validate(rsm, sources, goals, &read, &job.stop);
    let Ok(ranked::Outcome::Accepted(_)) = judged else { return None };
    let holds = certificate::of_ranked(rsm, &read, &job.stop).ok()?;
    let largest = read.states.iter().map(|state| state.number).max().unwrap_or(0);
    let (n_states, n_entries) = (read.states.len(), read.entries.len());
    let shrinks = match (&read.claim, goals) {
        (Claim::Nonterm, _) | (_, None) => "every step leads to a smaller number, so no run goes on for ever",
        (Claim::Ltl(_), _) => {
            "no step leads to a larger number, and each that passes what would violate the formula leads to a smaller one, so no infinite run does that again and again"
        }
        _ => {
            "no step leads to a larger number, and each that leaves a target leads to a smaller one, so no run passes targets again and again"
        }
    };
    let why = format!(
        "Runs get to {} of {}. Each has a number from 0 to {largest}: {shrinks}.",
        amount(n_states, "state"),
        amount(n_entries, "activation")
    );
    Some(proof(rsm, sources, &holds, why))
}

/// Of a closed set of threads.
fn of_threads(asked: &Asked, sources: &Sources, text: &str, job: &Job) -> Option<Proof> {
    let read = threads::read(&asked.program, text).ok()?;
    of_closed(&asked.program, &asked.problem().goals(), &read, sources, job)
}

/// The same of a set that was read.
pub fn of_closed(
    program: &rsm::Concurrent,
    goals: &[rsm::ThreadGoal],
    closed: &threads::ClosedSet,
    sources: &Sources,
    job: &Job,
) -> Option<Proof> {
    let judged = threads::validate(program, goals, closed, &job.stop);
    let Ok(Judged::Accepted(_)) = judged else { return None };
    let holds = certificate::of_threads(program, closed, &job.stop).ok()?;
    let n = closed.configurations.len();
    let why = format!(
        "There is a set of {}: every run starts in it, no step of a thread leads out of it, and none meets a target, whatever the schedule.",
        amount(n, "configuration")
    );
    Some(proof(&program.machine, sources, &holds, why))
}

fn proof(rsm: &Rsm, sources: &Sources, holds: &[Holds], why: String) -> Proof {
    let invariant = |holds: &Holds| {
        let (line, column) = sources.line_column(holds.span);
        Invariant {
            line,
            column,
            function: rsm.module(holds.module).name.clone(),
            is_end: holds.is_end,
            clauses: holds.clauses.clone(),
            is_whole: holds.is_whole,
        }
    };
    Proof { why: vec![why], invariants: holds.iter().map(invariant).collect() }
}

fn amount(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

//! Certificates about infinite runs: the claim is put to the program again, and the evidence is checked.

use super::{concluded, refuse};
use crate::answer::Value;
use crate::check::proved as shown;
use crate::job::Job;
use crate::options::ValidateOptions;
use crate::program::Program;
use crate::status::Status;
use base::Diagnostic;
use bp::{Concurrency, ThreadOptions};
use certificate::threads::Problem;
use certificate::threads::forever::{Endless, Outcome, parts, read, validate};
use certificate::{Claim, ranked};
use present::answer::Conclusion;
use rsm::interleave::Scheduler;
use rsm::observe::Observer;
use rsm::{Concurrent, Goal, Rsm};
use serde_json::json;

/// What there is of threads that are started at run time does not matter: no certificate speaks of them.
const OPTIONS: ThreadOptions = ThreadOptions { slots: 1, async_labels: false };

/// How a formula or a monitor is called where its mistakes are shown.
const CLAIM: &str = "claim";

/// Why there is no answer `accepted`.
enum Failure {
    Refused(String),
    /// The claim has mistakes of its own.
    Mistaken(Vec<Diagnostic>),
    Ended(Status),
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        Self::Ended(status)
    }
}

/// The text is meant to be a certificate about infinite runs.
pub fn is_meant(text: &str) -> bool {
    certificate::threads::forever::is_of_infinite_runs(text) || ranked::is_of_infinite_runs(text)
}

/// Checks all certificates of a text, given its name.
pub fn run(
    options: &ValidateOptions,
    program: &mut Program,
    (name, text): (&str, &str),
    job: &Job,
) -> Status {
    if !options.targets.is_empty() {
        job.record
            .error("`--target` is about what can be reached, and this certificate is about infinite runs");
        return Status::Rejected;
    }
    let mut accepted = Vec::new();
    for (first, part) in parts(text) {
        match one(program, (name, first, part), job) {
            Ok(proved) => accepted.push(proved),
            Err(Failure::Refused(reason)) => return refuse(reason, &[], job),
            Err(Failure::Ended(status)) => return status,
            Err(Failure::Mistaken(diagnostics)) => {
                job.record.diagnose_all(&program.sources, &diagnostics);
                return refuse("what it claims makes no sense of this program".to_owned(), &[], job);
            }
        }
    }
    let lines: String = accepted.iter().map(|(line, _)| format!("{line}\n")).collect();
    let targets = accepted.into_iter().flat_map(|(_, targets)| targets).collect();
    concluded(Conclusion::bare("accepted", format!("ACCEPTED\n{lines}"), None, targets), job);
    Status::Evaluated
}

/// Checks one certificate, given the name of the file and the line in which it begins. Says what it proves, and of which targets.
fn one(
    program: &mut Program,
    (name, first, text): (&str, usize, &str),
    job: &Job,
) -> Result<(String, Vec<serde_json::Value>), Failure> {
    match (program.concurrency(false) == Concurrency::Sequential, ranked::is_of_infinite_runs(text)) {
        (true, true) => return sequential(program, (name, first, text), job),
        (false, false) => {}
        (true, false) => {
            return Err(Failure::Refused("it is about threads, and the program is sequential".to_owned()));
        }
        (false, true) => {
            let reason = "it is about a sequential program, and this one has threads";
            return Err(Failure::Refused(reason.to_owned()));
        }
    }
    let threads = program.threads(OPTIONS, job).map_err(Status::from)?;
    let endless = read(&threads, text).map_err(|problem| unread(problem, name, first, job))?;
    let observer = observer(&endless.claim, program, &threads)?;
    match validate(&threads, &observer, &endless, &job.stop) {
        Err(reason) => {
            job.record.answer(&Value::Unknown(job.stopped(reason)));
            Err(Failure::Ended(Status::Unknown))
        }
        Ok(Outcome::Refused(reason)) => Err(Failure::Refused(reason)),
        Ok(Outcome::Accepted(figures)) => {
            if job.output.stats {
                job.record.remark(&format!(
                    "{} configurations, {} moves, {} states of threads\n",
                    figures.n_configurations, figures.n_moves, figures.n_steps
                ));
            }
            let schedules = schedules(&endless);
            Ok((format!("{}{schedules}", proved(&endless.claim)), entries(&endless.claim)))
        }
    }
}

/// The same of a certificate about a sequential program.
fn sequential(
    program: &mut Program,
    (name, first, text): (&str, usize, &str),
    job: &Job,
) -> Result<(String, Vec<serde_json::Value>), Failure> {
    let rsm = program.machine("validate", job).map_err(Status::from)?;
    let claim = ranked::claim(text);
    let (rsm, goals) = asked(claim.as_ref(), program, rsm)?;
    let known = ranked::read(&rsm, text).map_err(|problem| unread(problem, name, first, job))?;
    if claim.as_ref() != Some(&known.claim) {
        return Err(Failure::Refused("it claims several things".to_owned()));
    }
    match ranked::validate(&rsm, &program.sources, goals.as_deref(), &known, &job.stop) {
        Err(reason) => {
            job.record.answer(&Value::Unknown(job.stopped(reason)));
            Err(Failure::Ended(Status::Unknown))
        }
        Ok(ranked::Outcome::Refused(reason)) => Err(Failure::Refused(reason)),
        Ok(ranked::Outcome::Accepted(figures)) => {
            if job.output.stats {
                job.record.remark(&format!(
                    "{} entries, {} states, {} steps, calls and returns\n",
                    figures.n_entries, figures.n_states, figures.n_edges
                ));
            }
            if job.output.html {
                let proof = shown::of_numbers(&rsm, &program.sources, goals.as_deref(), text, job);
                job.record.keep(|reply| reply.proof = proof);
            }
            Ok((proved(&known.claim), entries(&known.claim)))
        }
    }
}

/// The machine that a claim is about, and the goals that no run passes again and again; none if no run goes on for ever.
fn asked(
    claim: Option<&Claim>,
    program: &mut Program,
    rsm: Rsm,
) -> Result<(Rsm, Option<Vec<Goal>>), Failure> {
    let (sources, checked) = (&mut program.sources, &program.checked);
    let monitor = match claim {
        None | Some(Claim::Nonterm) => return Ok((rsm, None)),
        Some(Claim::Repeat(labels)) => {
            let found: Result<Vec<_>, _> =
                labels.iter().map(|label| checker::find_target(&rsm, label)).collect();
            let targets = found.map_err(|error| Failure::Refused(error.to_string()))?;
            let goals = targets.iter().flat_map(checker::Target::places).collect();
            return Ok((rsm, Some(goals)));
        }
        Some(Claim::Monitor(_)) => {
            let reason = "it claims that a monitor comes to no target state, and says nothing about that";
            return Err(Failure::Refused(reason.to_owned()));
        }
        Some(Claim::Ltl(formula)) => {
            ltl::violations(sources, CLAIM, formula, checked).map(|found| found.monitor)
        }
        Some(Claim::Fair(text)) => bp::monitor::parse(sources, CLAIM, text.clone(), checked),
    };
    let product = bp::product::product(&rsm, &monitor.map_err(Failure::Mistaken)?);
    let goals = product.goals.to_vec();
    Ok((product.rsm, Some(goals)))
}

/// A text that is no certificate of the program.
fn unread(problem: Problem, name: &str, first: usize, job: &Job) -> Failure {
    match problem {
        Problem::Foreign(reason) => Failure::Refused(reason),
        Problem::Malformed(error) => {
            job.record.error(&format!("{name}:{}: {}", first + error.line, error.message));
            Failure::Ended(Status::Rejected)
        }
    }
}

/// Who accepts the runs that there must not be.
fn observer(claim: &Claim, program: &mut Program, threads: &Concurrent) -> Result<Observer, Failure> {
    let (sources, checked) = (&mut program.sources, &program.checked);
    match claim {
        Claim::Nonterm => Ok(Observer::of_everything()),
        Claim::Repeat(labels) => {
            let [label] = &labels[..] else {
                return Err(Failure::Refused("a certificate about threads is about one label".to_owned()));
            };
            let target = checker::find_thread_target(threads, label);
            let target = target.map_err(|error| Failure::Refused(error.to_string()))?;
            Ok(checker::passing(&target.goals))
        }
        Claim::Ltl(formula) => ltl::violations_of_threads(sources, CLAIM, formula, checked, threads)
            .map(|watched| watched.observer)
            .map_err(Failure::Mistaken),
        Claim::Monitor(text) | Claim::Fair(text) => {
            let parsed = bp::observer::parse(sources, CLAIM, text.clone(), checked, threads);
            parsed.map(|(_, observer)| observer).map_err(Failure::Mistaken)
        }
    }
}

/// What is proved.
fn proved(claim: &Claim) -> String {
    match claim {
        Claim::Nonterm => "no run goes on for ever".to_owned(),
        Claim::Repeat(labels) => format!("no infinite run is at {} again and again", labels.join(" or ")),
        Claim::Ltl(formula) => format!("every infinite run satisfies {formula}"),
        Claim::Monitor(text) => format!("no run takes {} to a target state", monitor_name(text)),
        Claim::Fair(text) => {
            format!("no infinite run is in target states of {} again and again", monitor_name(text))
        }
    }
}

/// Of which schedules.
fn schedules(endless: &Endless) -> &'static str {
    match (&endless.claim, endless.scheduler) {
        (Claim::Monitor(_), _) | (_, Scheduler::Any) => ", under every schedule",
        (_, Scheduler::Weak) => ", under every weakly fair schedule",
        (_, Scheduler::Strong) => ", under every strongly fair schedule",
    }
}

/// The word behind `monitor`.
fn monitor_name(text: &str) -> &str {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let mut words = code.flat_map(str::split_whitespace).skip_while(|word| *word != "monitor");
    words.nth(1).unwrap_or("the monitor")
}

fn entries(claim: &Claim) -> Vec<serde_json::Value> {
    let entry = |target: &str, verdict: &str| json!({ "target": target, "verdict": verdict, "reason": null });
    match claim {
        Claim::Nonterm => Vec::new(),
        Claim::Repeat(labels) => labels.iter().map(|label| entry(label, "no infinite run")).collect(),
        Claim::Ltl(formula) => vec![entry(formula, "holds")],
        Claim::Monitor(text) => vec![entry(monitor_name(text), "unreachable")],
        Claim::Fair(text) => vec![entry(monitor_name(text), "no infinite run")],
    }
}

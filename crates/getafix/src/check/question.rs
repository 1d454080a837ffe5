//! What is asked about a program: the question, the monitor if there is one, the targets, and the words of the answer.

use super::observed::Observed;
use crate::job::Job;
use crate::options::{CheckOptions, ProgramStage, QuestionOptions, SchedulerName};
use crate::program::{self, Program};
use crate::status::Status;
use base::{Diagnostic, Severity};
use bp::monitor::{self, Monitor};
use bp::product::{Product, product};
use certificate::Claim;
use checker::{Question, Target, Words};
use present::answer::Watching;
use rsm::interleave::Scheduler;
use rsm::{Concurrent, Rsm};
use std::sync::Arc;

/// How a formula is called where its mistakes are shown.
pub const FORMULA: &str = "--ltl";

/// A monitor, and the machine that it makes with the program.
pub struct Watched {
    monitor: Monitor,
    /// As it is written.
    text: String,
    program: Concurrent,
    product: Product,
    /// What the target is called.
    name: String,
    /// The states of the monitor in words, if it is that of a formula.
    words: Vec<String>,
}

impl Watched {
    /// The monitor that the options name, if they name one.
    pub fn find(
        options: &QuestionOptions,
        program: &mut Program,
        rsm: &Rsm,
        job: &Job,
    ) -> Result<Option<Arc<Self>>, Status> {
        let read = match options {
            QuestionOptions { monitor: Some(path), .. } => {
                let (name, text) = job.read(path)?;
                monitor::parse(&mut program.sources, &name, text.clone(), &program.checked)
                    .map(|monitor| (monitor.name.clone(), monitor, text, Vec::new()))
            }
            QuestionOptions { ltl: Some(text), .. } => {
                ltl::violations(&mut program.sources, FORMULA, text, &program.checked)
                    .map(|found| (text.clone(), found.monitor, found.text, found.words))
            }
            _ => return Ok(None),
        };
        let accepted = read.and_then(|(name, monitor, text, words)| {
            // What violates a formula may be nothing at all.
            let diagnostics = match options.ltl {
                Some(_) => Vec::new(),
                None => monitor::check_targets(&monitor),
            };
            let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
            if diagnostics.iter().any(is_error) {
                Err(diagnostics)
            } else {
                Ok((name, monitor, text, words, diagnostics))
            }
        });
        let (name, monitor, text, words, warnings) = accepted.map_err(|diagnostics| {
            job.record.diagnose_all(&program.sources, &diagnostics);
            Status::Rejected
        })?;
        job.record.diagnose_all(&program.sources, &warnings);
        let product = product(rsm, &monitor);
        let program = Concurrent::sequential(rsm.clone());
        Ok(Some(Arc::new(Self { monitor, text, program, product, name, words })))
    }

    /// The monitor as it is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Both as one machine.
    pub fn machine(&self) -> &Rsm {
        &self.product.rsm
    }

    /// The program as it was.
    pub fn program(&self) -> &Concurrent {
        &self.program
    }

    /// For those who show its runs.
    pub fn watching(&self) -> Watching<'_> {
        Watching {
            program: &self.program,
            monitor: &self.monitor,
            product: &self.product,
            words: &self.words,
        }
    }

    fn target(&self) -> Target {
        Target::new(self.name.clone(), self.product.goals.iter().copied())
    }
}

/// Prints the monitor.
pub fn show(
    stage: ProgramStage,
    watched: Option<&Watched>,
    observed: Option<&Observed>,
    program: &Program,
    job: &Job,
) -> Status {
    let of_threads = observed.map(|observed| (observed.monitor.as_ref(), observed.text.as_str()));
    let shown = watched.map(|watched| (Some(&watched.monitor), watched.text.as_str())).or(of_threads);
    let Some((monitor, text)) = shown else {
        job.record.error("there is no monitor to show; pass `--monitor FILE` or `--ltl FORMULA`");
        return Status::Rejected;
    };
    match (stage, monitor) {
        (ProgramStage::MonitorDot, Some(monitor)) => {
            job.record.show("monitor-dot", &monitor::dot(monitor, &program.sources));
        }
        (ProgramStage::MonitorDot, None) => {
            job.record
                .error("a formula about threads is drawn from its monitor: `--show monitor` prints that");
            return Status::Rejected;
        }
        _ => job.record.show("monitor", text),
    }
    Status::Evaluated
}

/// What is asked about the targets.
pub fn question(options: &QuestionOptions) -> Question {
    let is_repeat = !options.repeat.is_empty() || options.fair || options.ltl.is_some();
    match options {
        QuestionOptions { nonterm: true, .. } => Question::Infinite,
        QuestionOptions { deadlock: true, .. } => Question::Deadlock,
        _ if is_repeat => Question::Repeat,
        _ => Question::Reach,
    }
}

/// The words of the answer.
pub fn words(options: &QuestionOptions) -> Words {
    if options.ltl.is_some() { Words::Violated } else { question(options).words() }
}

/// What the question is about in a sequential program.
pub fn targets(
    options: &CheckOptions,
    machine: &Rsm,
    watched: Option<&Watched>,
    job: &Job,
) -> Result<Vec<Target>, Status> {
    if let Some(watched) = watched {
        return Ok(vec![watched.target()]);
    }
    let names = match &options.question {
        QuestionOptions { nonterm: true, .. } => return Ok(Vec::new()),
        QuestionOptions { repeat, .. } if repeat.is_empty() => &options.targets,
        QuestionOptions { repeat, .. } => repeat,
    };
    no_assertion(options, job)?;
    program::targets(machine, names, job).map_err(Status::from)
}

/// What the question is about in a program with threads.
pub fn thread_targets(
    options: &CheckOptions,
    machine: &Concurrent,
    observed: Option<&Observed>,
    job: &Job,
) -> Result<Vec<Target>, Status> {
    if let Some(observed) = observed {
        return Ok(vec![observed.target()]);
    }
    let names = match &options.question {
        QuestionOptions { nonterm: true, .. } | QuestionOptions { deadlock: true, .. } => {
            return Ok(Vec::new());
        }
        QuestionOptions { repeat, .. } if repeat.is_empty() => &options.targets,
        QuestionOptions { repeat, .. } => repeat,
    };
    no_assertion(options, job)?;
    program::thread_targets(machine, names, job).map_err(Status::from)
}

/// Runs do not go on where an assertion fails.
fn no_assertion(options: &CheckOptions, job: &Job) -> Result<(), Status> {
    if options.question.repeat.iter().any(|name| name == "assert") {
        job.record.error("`--repeat assert`: where an assertion fails, a run ends; name a label");
        return Err(Status::Rejected);
    }
    Ok(())
}

/// Which schedules count.
pub fn scheduler(options: &QuestionOptions) -> Scheduler {
    match options.scheduler {
        None | Some(SchedulerName::Any) => Scheduler::Any,
        Some(SchedulerName::Weak) => Scheduler::Weak,
        Some(SchedulerName::Strong) => Scheduler::Strong,
    }
}

/// What a certificate is to claim, given the text of the monitor; nothing if the targets say it.
pub fn claim(options: &QuestionOptions, text: Option<&str>) -> Option<Claim> {
    match (options, text) {
        (QuestionOptions { ltl: Some(formula), .. }, _) => Some(Claim::Ltl(formula.clone())),
        (QuestionOptions { monitor: Some(_), fair: true, .. }, Some(text)) => {
            Some(Claim::Fair(text.to_owned()))
        }
        (QuestionOptions { monitor: Some(_), .. }, Some(text)) => Some(Claim::Monitor(text.to_owned())),
        _ => None,
    }
}

/// What goes only with the question whether something can be reached.
pub fn consistent(options: &CheckOptions) -> Result<(), String> {
    if options.question.scheduler.is_some() && options.question.of_infinite_runs().is_none() {
        return Err("`--scheduler` is about infinite runs: it goes with `--nonterm`, `--repeat`, `--monitor` and `--fair`, and `--ltl`".to_owned());
    }
    let Some(question) = options.question.option() else { return Ok(()) };
    if options.certificate && options.question.deadlock {
        return Err(format!(
            "a certificate is about targets or about infinite runs: `--certificate` does not go with `{question}`"
        ));
    }
    if options.shortest && options.question.deadlock {
        return Err("a run into a deadlock has the fewest context switches: `--shortest` does not go with `--deadlock`".to_owned());
    }
    if options.shortest && self::question(&options.question) != Question::Reach {
        return Err(format!("infinite runs have no length: `--shortest` does not go with `{question}`"));
    }
    Ok(())
}

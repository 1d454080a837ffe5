//! Somebody who watches the threads of a program: the monitor, or the formula, that the options name.

use super::question::FORMULA;
use crate::job::Job;
use crate::options::QuestionOptions;
use crate::program::Program;
use crate::status::Status;
use base::{Diagnostic, Severity};
use bp::monitor::{self, Monitor};
use checker::Target;
use present::answer::Observing;
use rsm::Concurrent;
use rsm::observe::Observer;
use std::sync::Arc;

/// An observer, and how it was written.
pub struct Observed {
    /// The observer.
    pub observer: Observer,
    /// As it is written in a file for `--monitor`.
    pub text: String,
    /// What a monitor was read as; nothing for a formula.
    pub monitor: Option<Monitor>,
    /// Its states in words, if it is that of a formula.
    words: Vec<String>,
    /// What the target is called.
    name: String,
}

impl Observed {
    /// The observer that the options name, if they name one.
    pub fn find(
        options: &QuestionOptions,
        program: &mut Program,
        threads: &Concurrent,
        job: &Job,
    ) -> Result<Option<Arc<Self>>, Status> {
        let read = match options {
            QuestionOptions { monitor: Some(path), .. } => {
                let (name, text) = job.read(path)?;
                bp::observer::parse(&mut program.sources, &name, text.clone(), &program.checked, threads)
                    .and_then(|(monitor, observer)| accepted(monitor, observer, text))
            }
            QuestionOptions { ltl: Some(formula), .. } => {
                ltl::violations_of_threads(&mut program.sources, FORMULA, formula, &program.checked, threads)
                    .map(|ltl::Watched { observer, text, words }| {
                        (Self { observer, text, monitor: None, words, name: formula.clone() }, Vec::new())
                    })
            }
            _ => return Ok(None),
        };
        let (observed, warnings) = read.map_err(|diagnostics| {
            job.record.diagnose_all(&program.sources, &diagnostics);
            Status::Rejected
        })?;
        job.record.diagnose_all(&program.sources, &warnings);
        Ok(Some(Arc::new(observed)))
    }

    /// For those who show its runs.
    pub fn observing(&self) -> Observing<'_> {
        Observing { monitor: self.monitor.as_ref(), words: &self.words }
    }

    /// The one target.
    pub fn target(&self) -> Target {
        Target::new(self.name.clone(), [])
    }
}

/// A monitor whose target states can be reached, with warnings.
fn accepted(
    monitor: Monitor,
    observer: Observer,
    text: String,
) -> Result<(Observed, Vec<Diagnostic>), Vec<Diagnostic>> {
    let diagnostics = monitor::check_targets(&monitor);
    match diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        true => Err(diagnostics),
        false => {
            let name = monitor.name.clone();
            Ok((Observed { observer, text, monitor: Some(monitor), words: Vec::new(), name }, diagnostics))
        }
    }
}

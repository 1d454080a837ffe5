//! Boolean programs: from a path to a machine and targets, with every mistake on the way reported.

use crate::input::{self, Rejected};
use crate::watch::Job;
use base::{Diagnostic, Sources};
use bp::Checked;
use checker::{Target, TargetError};
use rsm::Rsm;
use std::path::Path;

/// A program that was accepted.
pub struct Program {
    /// The texts, for places.
    pub sources: Sources,
    /// The program.
    pub checked: Checked,
}

/// Reads, parses and checks a program.
pub fn load(path: &Path, job: &Job) -> Result<Program, Rejected> {
    let (name, text) = input::main_text(path).map_err(|message| {
        job.console.error(&message);
        Rejected
    })?;
    let mut sources = Sources::default();
    let loaded = bp::load(&mut sources, &name, text);
    let show = |diagnostics: &[Diagnostic]| {
        diagnostics.iter().for_each(|diagnostic| job.console.diagnose(&sources, diagnostic));
    };
    match loaded {
        Ok((checked, warnings)) => {
            show(&warnings);
            Ok(Program { sources, checked })
        }
        Err(diagnostics) => {
            show(&diagnostics);
            Err(Rejected)
        }
    }
}

impl Program {
    /// The machine of a sequential program.
    pub fn machine(&self, job: &Job) -> Result<Rsm, Rejected> {
        bp::lower(&self.checked).map_err(|diagnostics| {
            for diagnostic in diagnostics {
                let note = "only sequential programs are supported so far; `fmt` prints concurrent ones";
                job.console.diagnose(&self.sources, &diagnostic.note(note, None));
            }
            Rejected
        })
    }
}

/// The targets that are asked for, or those by default.
pub fn targets(rsm: &Rsm, names: &[String], job: &Job) -> Result<Vec<Target>, Rejected> {
    let found = match names {
        [] => checker::default_targets(rsm),
        names => names.iter().map(|name| checker::find_target(rsm, name)).collect(),
    };
    let targets = found.map_err(|error: TargetError| {
        job.console.error(&error.to_string());
        Rejected
    })?;
    for target in targets.iter().filter(|target| target.goals.is_empty()) {
        job.console.note(&format!("the program has no assertion, so `{}` is unreachable", target.name));
    }
    Ok(targets)
}

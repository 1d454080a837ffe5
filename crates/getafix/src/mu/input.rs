//! A file of the calculus: from its name to a checked system, with every mistake on the way reported.

use crate::input::{Rejected, in_order};
use crate::job::Job;
use crate::options::MuOptions;
use crate::usage;
use base::{Severity, Sources};
use calculus::system::System;

/// A file that was accepted.
pub struct Input {
    /// The texts, for places.
    pub sources: Sources,
    /// The equations and the questions.
    pub system: System,
    /// The text in canonical form.
    pub canonical: String,
}

/// Reads, parses and checks a file and all it loads.
pub fn load(options: &MuOptions, job: &Job) -> Result<Input, Rejected> {
    let (name, text) = job.read(&options.file)?;
    let mut sources = Sources::default();
    let mut read = |path: &str| job.texts.text(path.as_ref());
    let (file, mut diagnostics) = calculus::load(&mut sources, &name, &text, &mut read);
    let system = match calculus::check(&file, &options.params) {
        Ok((system, warnings)) => {
            diagnostics.extend(warnings);
            Some(system)
        }
        Err(errors) => {
            diagnostics.extend(errors);
            None
        }
    };
    in_order(&mut diagnostics);
    let is_rejected = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    if let Some(advice) = usage::no_formula(&options.file).filter(|_| is_rejected) {
        job.record.error(&advice);
        return Err(Rejected);
    }
    job.record.diagnose_all(&sources, &diagnostics);
    match system {
        Some(system) if !is_rejected => {
            let canonical = if options.show.is_some() { calculus::print(&file) } else { String::new() };
            Ok(Input { sources, system, canonical })
        }
        _ => Err(Rejected),
    }
}

//! `getafix fmt`: a program, a formula file or a monitor in canonical form.

use crate::input::Rejected;
use crate::job::Job;
use crate::options::FormatOptions;
use crate::program;
use crate::status::Status;
use crate::usage;
use base::Sources;
use std::path::Path;

/// Prints the canonical text of a file.
pub fn run(options: &FormatOptions, job: &Job) -> Status {
    let path = &options.file;
    let canonical = match usage::kind(path) {
        Some(usage::Kind::Formula) => formula(path, job),
        Some(usage::Kind::Monitor) => monitor(path, job),
        _ => program(path, job),
    };
    let Ok(canonical) = canonical else { return Status::Rejected };
    job.record.print(&canonical);
    Status::Evaluated
}

fn program(path: &Path, job: &Job) -> Result<String, Rejected> {
    Ok(bp::print(program::load(path, job)?.checked.program()))
}

/// A monitor is only parsed: the program that it watches need not be there.
fn monitor(path: &Path, job: &Job) -> Result<String, Rejected> {
    let (name, text) = job.read(path)?;
    let mut sources = Sources::default();
    let file = sources.add(&name, text);
    bp::monitor::format(&sources, file).map_err(|errors| {
        job.record.diagnose_all(&sources, &errors);
        Rejected
    })
}

/// A formula file is only parsed: what it speaks of may be declared elsewhere.
fn formula(path: &Path, job: &Job) -> Result<String, Rejected> {
    let (name, text) = job.read(path)?;
    let mut sources = Sources::default();
    let file = sources.add(&name, text.as_str());
    let (tree, errors) = calculus::parse(&sources, file);
    job.record.diagnose_all(&sources, &errors);
    match errors.is_empty() {
        true => Ok(calculus::format(&text, &tree)),
        false => Err(Rejected),
    }
}

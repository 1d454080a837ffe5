//! `getafix fmt`: a program, a formula file or a monitor in canonical form.

use crate::args::FormatOptions;
use crate::input::{self, Rejected};
use crate::program;
use crate::several;
use crate::status::Status;
use crate::usage;
use crate::watch::Job;
use base::Sources;
use std::path::Path;

/// Prints, compares or writes the canonical text of each file.
pub fn run(options: &FormatOptions, job: &Job) -> Status {
    let has_stdin = options.files.iter().any(|file| file.as_os_str() == "-");
    let problem = match has_stdin {
        true if options.write => Some("stdin cannot be written; leave out `--write`"),
        true if several::is_read_twice(&options.files) => Some(several::READ_TWICE),
        _ => None,
    };
    if let Some(problem) = problem {
        job.console.error(problem);
        return Status::Rejected;
    }
    let mut status = Status::Evaluated;
    for (n, file) in options.files.iter().enumerate() {
        if options.files.len() > 1 && !options.check && !options.write {
            let gap = if n == 0 { "" } else { "\n" };
            job.console.print(&format!("{gap}{}:\n", several::shown(file)));
        }
        status = status.max(format(options, file, job));
    }
    status
}

/// The same of one file.
fn format(options: &FormatOptions, path: &Path, job: &Job) -> Status {
    let formatted = match usage::kind(path) {
        Some(usage::Kind::Formula) => formula(path, job),
        Some(usage::Kind::Monitor) => monitor(path, job),
        _ => program(path, job),
    };
    let Ok(Formatted { name, text, canonical }) = formatted else { return Status::Rejected };
    if options.check {
        let is_canonical = text == canonical;
        if !is_canonical {
            job.console.print(&format!("{name}: not in canonical form\n"));
        }
        return if is_canonical { Status::Evaluated } else { Status::Violated };
    }
    if !options.write {
        job.console.print(&canonical);
    } else if text != canonical
        && let Err(error) = std::fs::write(path, &canonical)
    {
        job.console.error(&format!("cannot write `{name}`: {error}"));
        return Status::Rejected;
    }
    Status::Evaluated
}

/// A text as it is and as it should be.
struct Formatted {
    name: String,
    text: String,
    canonical: String,
}

fn program(path: &Path, job: &Job) -> Result<Formatted, Rejected> {
    let program = program::load(path, job)?;
    let tree = program.checked.program();
    let file = program.sources.file(tree.file);
    Ok(Formatted { name: file.name.clone(), text: file.text.clone(), canonical: bp::print(tree) })
}

fn read(path: &Path, job: &Job) -> Result<(String, String), Rejected> {
    input::main_text(path).map_err(|message| {
        job.console.error(&message);
        Rejected
    })
}

/// A monitor is only parsed: the program that it watches need not be there.
fn monitor(path: &Path, job: &Job) -> Result<Formatted, Rejected> {
    let (name, text) = read(path, job)?;
    let mut sources = Sources::default();
    let file = sources.add(&name, text.as_str());
    let canonical = bp::monitor::format(&sources, file).map_err(|errors| {
        job.console.diagnose_all(&sources, &errors);
        Rejected
    })?;
    Ok(Formatted { name, text, canonical })
}

/// A formula file is only parsed: what it speaks of may be declared elsewhere.
fn formula(path: &Path, job: &Job) -> Result<Formatted, Rejected> {
    let (name, text) = read(path, job)?;
    let mut sources = Sources::default();
    let file = sources.add(&name, text.as_str());
    let (tree, errors) = calculus::parse(&sources, file);
    job.console.diagnose_all(&sources, &errors);
    if !errors.is_empty() {
        return Err(Rejected);
    }
    let canonical = calculus::format(&text, &tree);
    Ok(Formatted { name, text, canonical })
}

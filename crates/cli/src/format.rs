//! `getafix fmt`: a program in canonical form.

use crate::args::FormatOptions;
use crate::program;
use crate::several;
use crate::status::Status;
use crate::watch::Job;
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
    let Ok(program) = program::load(path, job) else { return Status::Rejected };
    let tree = program.checked.program();
    let canonical = bp::print(tree);
    let file = program.sources.file(tree.file);
    if options.check {
        let is_canonical = file.text == canonical;
        if !is_canonical {
            job.console.print(&format!("{}: not in canonical form\n", file.name));
        }
        return if is_canonical { Status::Evaluated } else { Status::Violated };
    }
    if !options.write {
        job.console.print(&canonical);
    } else if file.text != canonical
        && let Err(error) = std::fs::write(path, &canonical)
    {
        job.console.error(&format!("cannot write `{}`: {error}", file.name));
        return Status::Rejected;
    }
    Status::Evaluated
}

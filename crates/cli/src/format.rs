//! `getafix fmt`: a program in canonical form.

use crate::args::FormatOptions;
use crate::program;
use crate::status::Status;
use crate::watch::Job;

/// Prints, compares or writes the canonical text.
pub fn run(options: &FormatOptions, job: &Job) -> Status {
    if options.write && options.file.as_os_str() == "-" {
        job.console.error("stdin cannot be written; leave out `--write`");
        return Status::Rejected;
    }
    let Ok(program) = program::load(&options.file, job) else { return Status::Rejected };
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
        && let Err(error) = std::fs::write(&options.file, &canonical)
    {
        job.console.error(&format!("cannot write `{}`: {error}", file.name));
        return Status::Rejected;
    }
    Status::Evaluated
}

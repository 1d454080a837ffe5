//! Boolean programs: from a path to a machine and targets, with every mistake on the way reported.

use crate::foreign;
use crate::input::Rejected;
use crate::job::Job;
use crate::usage;
use base::{Diagnostic, Sources};
use bp::ast::StatementKind;
use bp::{Checked, Concurrency, ThreadOptions};
use checker::{Target, TargetError};
use rsm::{Concurrent, Copies, Rsm};
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
    let (name, text) = job.read(path)?;
    let mut sources = Sources::default();
    let loaded = bp::load(&mut sources, &name, text);
    match loaded {
        Ok((checked, warnings)) => {
            job.record.diagnose_all(&sources, &warnings);
            Ok(Program { sources, checked })
        }
        Err(diagnostics) => {
            if let Some(advice) = usage::no_program(path) {
                job.record.error(&advice);
                return Err(Rejected);
            }
            let file = diagnostics.iter().find_map(|diagnostic| diagnostic.span).map(|span| span.file);
            let foreign = file.and_then(|file| foreign::diagnosis(file, path, &sources.file(file).text));
            match foreign {
                Some(diagnostic) => job.record.diagnose_all(&sources, &[diagnostic]),
                None => job.record.diagnose_all(&sources, &diagnostics),
            }
            Err(Rejected)
        }
    }
}

impl Program {
    /// How the program comes to have several threads.
    pub fn concurrency(&self, async_labels: bool) -> Concurrency {
        bp::concurrency(&self.checked, async_labels)
    }

    /// The machine of a sequential program, which is all that a command takes.
    pub fn machine(&self, command: &str, job: &Job) -> Result<Rsm, Rejected> {
        bp::lower(&self.checked).map_err(|diagnostics| {
            let note = format!("`{command}` is for sequential programs; `sequentialize` makes one of this");
            let noted = diagnostics.into_iter().map(|diagnostic| diagnostic.note(note.clone(), None));
            job.record.diagnose_all(&self.sources, &noted.collect::<Vec<_>>());
            Rejected
        })
    }

    /// The machine of a program with threads.
    pub fn threads(&self, options: ThreadOptions, job: &Job) -> Result<Concurrent, Rejected> {
        bp::lower_threads(&self.checked, options).map_err(|diagnostics| {
            job.record.diagnose_all(&self.sources, &diagnostics);
            Rejected
        })
    }

    /// What makes the program concurrent, as an error.
    pub fn why_concurrent(&self) -> Diagnostic {
        match bp::lower(&self.checked) {
            Err(mut diagnostics) if !diagnostics.is_empty() => diagnostics.remove(0),
            _ => self.why_asynchronous(),
        }
    }

    /// The first call whose label makes it the start of a thread.
    fn why_asynchronous(&self) -> Diagnostic {
        let tree = self.checked.program();
        let mut statements = tree.unit.functions.iter().flat_map(|function| &function.body);
        let found = statements.find_map(|statement| match statement.kind {
            StatementKind::Call { .. } => {
                statement.labels.iter().find(|label| tree.text(**label).starts_with("ASYNC_"))
            }
            _ => None,
        });
        let label = found.expect("a program without threads is concurrent by its labels");
        Diagnostic::error(
            label.span,
            "this program is concurrent: with `--async-labels` this call starts a thread",
        )
    }
}

/// The targets that are asked for, or those by default.
pub fn targets(rsm: &Rsm, names: &[String], job: &Job) -> Result<Vec<Target>, Rejected> {
    let found = match names {
        [] => checker::default_targets(rsm),
        names => names.iter().map(|name| checker::find_target(rsm, name)).collect(),
    };
    let targets = found.map_err(|error| rejected(&error, job))?;
    let empty = targets.iter().filter(|target| target.goals.is_empty());
    empty.for_each(|target| remark_on_nothing(&target.name, job));
    Ok(targets)
}

/// The same in a program with threads.
pub fn thread_targets(program: &Concurrent, names: &[String], job: &Job) -> Result<Vec<Target>, Rejected> {
    let found = match names {
        [] => checker::default_thread_targets(program),
        names => names.iter().map(|name| checker::find_thread_target(program, name)).collect(),
    };
    let mut targets = found.map_err(|error| match error {
        TargetError::NoThreads(name) => {
            let blocks: Vec<&str> = program.blocks.iter().map(|block| block.name.as_str()).collect();
            job.record.error(&format!("`{name}` names no thread; there are `{}`", blocks.join("`, `")));
            Rejected
        }
        error => rejected(&error, job),
    })?;
    for target in &mut targets {
        any_copy(program, target);
        if target.goals.is_empty() {
            remark_on_nothing(&target.name, job);
        }
    }
    Ok(targets)
}

/// Where there may be any number of copies, each of them can do what any other can, so that it does not matter which one is named.
fn any_copy(program: &Concurrent, target: &mut Target) {
    for goal in &mut target.goals {
        let module = goal.goal.module();
        let mut blocks = program.blocks.iter().filter(|block| block.modules.contains(&module));
        if blocks.all(|block| block.copies == Copies::Any) {
            goal.copy = None;
        }
    }
}

fn rejected(error: &TargetError, job: &Job) -> Rejected {
    job.record.error(&error.to_string());
    Rejected
}

/// Says why a target without places is unreachable: labels have places, so it is an assertion that the program lacks.
fn remark_on_nothing(name: &str, job: &Job) {
    job.record.note(&format!("the program has no assertion, so `{name}` is unreachable"));
}

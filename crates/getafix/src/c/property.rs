//! What is asked about a program in C: by options, by a property, or by a task that names program, properties and data model.

use super::{Wanted, rejected};
use crate::input::Rejected;
use crate::job::Job;
use crate::usage;
use base::{Diagnostic, Sources};
use c::{DataModel, Property, Task};
use checker::{Arithmetic, IntegerGoal, Target};
use integers::{Faults, Program};
use std::path::{Path, PathBuf};

/// What the command line and the files that it names say.
pub struct Question {
    /// The files of the program.
    pub files: Vec<PathBuf>,
    /// What is asked.
    pub property: Option<Property>,
    /// How large types are.
    pub data_model: Option<DataModel>,
    /// Whether the property is expected to hold.
    pub expected: Option<bool>,
}

/// Finds program and property.
pub fn find(wanted: &Wanted, job: &Job) -> Result<Question, Rejected> {
    let given = wanted.options.property.as_deref();
    let property = given.map(|path| named_or_read(path, job)).transpose()?;
    if usage::kind(wanted.path) != Some(usage::Kind::Task) {
        let files = linked(wanted);
        return Ok(Question { files, property, data_model: None, expected: None });
    }
    let task = read(wanted.path, job, c::read_task)?;
    let folder = wanted.path.parent().unwrap_or(Path::new(""));
    let mut files: Vec<PathBuf> = task.inputs.iter().map(|file| folder.join(file)).collect();
    files.extend(wanted.options.link.iter().cloned());
    let data_model = task.data_model;
    if property.is_some() {
        let expected = expected(&task, folder, property.as_ref(), job);
        return Ok(Question { files, property, data_model, expected });
    }
    let supported = supported(&task, folder, job);
    let n_others = task.properties.len().saturating_sub(1);
    match supported.into_iter().next() {
        Some((name, property, expected)) => {
            if n_others > 0 {
                job.record.note(&format!(
                    "of {} properties of the task the answer is about `{name}`; `--property` asks for another one",
                    n_others + 1
                ));
            }
            Ok(Question { files, property: Some(property), data_model, expected })
        }
        None if task.properties.is_empty() => {
            Ok(Question { files, property: None, data_model, expected: None })
        }
        None => {
            let names: Vec<&str> = task.properties.iter().map(|(name, _)| name.as_str()).collect();
            let message = format!(
                "none of the properties of the task can be read or is supported: `{}`",
                names.join("`, `")
            );
            Err(rejected(&message, job))
        }
    }
}

/// A property by its name, or in a file.
fn named_or_read(path: &Path, job: &Job) -> Result<Property, Rejected> {
    match path.to_str().and_then(Property::named) {
        Some(property) => Ok(property),
        None => read(path, job, c::read_property),
    }
}

/// The program that is named, with what it is linked with.
fn linked(wanted: &Wanted) -> Vec<PathBuf> {
    std::iter::once(wanted.path.to_owned()).chain(wanted.options.link.iter().cloned()).collect()
}

/// Reads a file of which something is made.
pub fn read<T>(
    path: &Path,
    job: &Job,
    make: fn(&Sources, base::FileId) -> Result<T, Diagnostic>,
) -> Result<T, Rejected> {
    let (name, text) = job.read(path)?;
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    make(&sources, file).map_err(|error| {
        job.record.diagnose_all(&sources, &[error]);
        Rejected
    })
}

/// What a task at a path and with this text is about, too: the files of its program, and its properties.
pub fn task_files(path: &Path, text: &str) -> Vec<PathBuf> {
    let mut sources = Sources::default();
    let file = sources.add(path.to_string_lossy(), text);
    let Ok(task) = c::read_task(&sources, file) else { return Vec::new() };
    let folder = path.parent().unwrap_or(Path::new(""));
    let properties = task.properties.iter().map(|(name, _)| name);
    task.inputs.iter().chain(properties).map(|name| folder.join(name)).collect()
}

/// The properties of a task that there are answers to, with the expected verdicts.
fn supported(task: &Task, folder: &Path, job: &Job) -> Vec<(String, Property, Option<bool>)> {
    let property = |(name, expected): &(String, Option<bool>)| {
        let (file, text) = job.named_text(&folder.join(name)).ok()?;
        let mut sources = Sources::default();
        let file = sources.add(file, text);
        Some((name.clone(), c::read_property(&sources, file).ok()?, *expected))
    };
    task.properties.iter().filter_map(property).collect()
}

/// What a task expects of a property.
fn expected(task: &Task, folder: &Path, property: Option<&Property>, job: &Job) -> Option<bool> {
    let supported = supported(task, folder, job);
    supported.into_iter().find(|(_, other, _)| Some(other) == property).and_then(|(_, _, expected)| expected)
}

/// What may go wrong, by its name.
fn fault(name: &str) -> Option<Target<IntegerGoal>> {
    let memory = Faults { memory: true, ..Faults::default() };
    match name {
        "memory" => Some(Target::fault(name, memory)),
        "undefined" => Some(Target::fault(name, Faults { arithmetic: true, ..memory })),
        _ => None,
    }
}

/// What to reach.
pub fn targets(
    program: &Program,
    names: &[String],
    property: Option<&Property>,
    arithmetic: Arithmetic,
) -> Result<Vec<Target<IntegerGoal>>, String> {
    let overflow = (arithmetic == Arithmetic::Checked).then(Target::overflow);
    match property {
        Some(Property::Termination) => return Ok(Vec::new()),
        Some(Property::NoOverflow) => return Ok(vec![Target::overflow()]),
        Some(Property::MemorySafety) => {
            let faults = Faults { memory: true, lost: true, ..Faults::default() };
            return Ok(vec![Target::fault("valid-memsafety", faults)]);
        }
        Some(Property::MemoryCleanup) => {
            let faults = Faults { unfreed: true, ..Faults::default() };
            return Ok(vec![Target::fault("valid-memcleanup", faults)]);
        }
        Some(Property::UnreachCall(name)) => {
            let targets = checker::named_integer_targets(program, std::slice::from_ref(name));
            return Ok(targets.into_iter().chain(overflow).collect());
        }
        None => {}
    }
    if names.is_empty() {
        let targets = checker::default_integer_targets(program);
        if targets.is_empty() && overflow.is_none() {
            return Err(
                "nothing to check: the program has no assertion and no label `ERROR`, and calls neither `reach_error` \
                 nor `__VERIFIER_error`; pass `--target NAME`, or `--int checked` to look for overflows"
                    .to_owned(),
            );
        }
        return Ok(targets.into_iter().chain(overflow).collect());
    }
    if let Some(name) = names.iter().find(|name| fault(name).is_some()) {
        return match (names, overflow) {
            ([_], None) => Ok(fault(name).into_iter().collect()),
            _ => Err(format!("`{name}` is asked for alone")),
        };
    }
    let names: Vec<String> = names.iter().filter(|name| *name != "overflow").cloned().collect();
    let targets = checker::named_integer_targets(program, &names);
    let is_missing = |target: &&Target<IntegerGoal>| target.goals == IntegerGoal::Places(Vec::new());
    match targets.iter().find(is_missing) {
        Some(Target { name, .. }) if name == "assert" => Err("the program has no assertion".to_owned()),
        Some(Target { name, .. }) => {
            Err(format!("there is no label `{name}`, and no call of a function of this name"))
        }
        None => Ok(targets.into_iter().chain(overflow).collect()),
    }
}

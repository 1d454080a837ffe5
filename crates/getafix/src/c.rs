//! Programs in C: from a path to an integer program and a question about it.
//!
//! Contract: this is where files are read and the preprocessor is run; the front end does neither. Every mistake on the way is
//! reported with its place in the user's file.

pub mod abstraction;
pub mod check;
pub mod execute;

mod proof;
mod property;
pub mod translate;
pub mod validate;
pub mod witness;

pub use property::task_files;

use crate::input::{self, Rejected};
use crate::input::{READ_TWICE, is_read_twice};
use crate::job::Job;
use crate::options::{COptions, DataModelName, IntegersName, LanguageName};
use crate::status::Status;
use crate::usage;
use base::{Diagnostic, FileId, Sources, Span};
use c::{DataModel, File, Options, Property, Sites, TargetSelection, Translation};
use checker::{Arithmetic, IntegerGoal, IntegerProgram, Problem, Question, Target};
use integers::Program;
use std::path::{Path, PathBuf};

/// Whether a file is a program in C, or a task about one: an option says so, or its name.
pub fn is_c(path: &Path, options: &COptions) -> bool {
    match options.language {
        Some(language) => language == LanguageName::C,
        None => matches!(usage::kind(path), Some(usage::Kind::C | usage::Kind::Task)),
    }
}

/// What is wrong with an option of programs in C where the program is another one.
pub fn only(option: &str) -> String {
    format!(
        "`{option}` is about programs in C, which are files `.c`, `.i` or `.yml`, or read with `--language c`"
    )
}

/// A program in C that was accepted, and what is asked about it.
pub struct Loaded {
    /// The texts, for places.
    pub sources: Sources,
    /// The file of the program.
    pub file: FileId,
    /// What was read, byte by byte.
    pub bytes: Vec<u8>,
    /// The program, and what happens to results that do not fit.
    pub program: IntegerProgram,
    /// Where in the text its points are.
    pub sites: Sites,
    /// How large types are.
    pub data_model: DataModel,
    /// What is asked, if a file says so.
    pub property: Option<Property>,
    /// The verdict that a task expects: whether the property holds.
    pub expected: Option<bool>,
    /// What to reach.
    pub targets: Vec<Target<IntegerGoal>>,
}

/// What a command asks for.
pub struct Wanted<'a> {
    /// The program or task.
    pub path: &'a Path,
    /// How it is read.
    pub options: &'a COptions,
    /// The targets on the command line.
    pub targets: &'a [String],
    /// What an option asks for.
    pub property: Option<Property>,
    /// Whether the question needs a target.
    pub needs_target: bool,
}

impl Loaded {
    /// The program as it is executed.
    pub fn executed(&self) -> Program {
        self.program.executed()
    }

    /// What is asked is about places of the program, as whatever knows nothing else has to know.
    pub fn only_places(&self, job: &Job) -> Result<(), Status> {
        if checker::faults(&self.targets).is_none() {
            return Ok(());
        }
        job.record.error("what goes wrong with memory, or is undefined, is no place of the program: only `check` answers that");
        Err(Status::Rejected)
    }

    /// What is asked about it, with this evidence.
    pub fn problem(&self, wanted: checker::Wanted) -> Problem<'_, IntegerProgram> {
        let question = match self.property {
            Some(Property::Termination) => Question::Infinite,
            _ => Question::Reach,
        };
        Problem { wanted, ..Problem::new(&self.program, question, &self.targets) }
    }
}

/// Reads, preprocesses and translates a program.
pub fn load(wanted: &Wanted, job: &Job) -> Result<Loaded, Rejected> {
    let files: Vec<&Path> =
        [Some(wanted.path), wanted.options.property.as_deref()].into_iter().flatten().collect();
    let others = wanted.options.link.iter().chain(&wanted.options.library).map(PathBuf::as_path);
    let files: Vec<&Path> = files.into_iter().chain(others).collect();
    if is_read_twice(&files) {
        return Err(rejected(READ_TWICE, job));
    }
    let question = property::find(wanted, job)?;
    let has_targets = !wanted.targets.is_empty();
    if has_targets && question.property.is_some() && wanted.options.property.is_some() {
        return Err(rejected("`--target` and `--property` both say what to reach", job));
    }
    if wanted.property.is_some() && wanted.options.property.is_some() {
        return Err(rejected("`--nonterm` and `--property` both say what is asked", job));
    }
    let property = wanted.property.clone().or(question.property.filter(|_| !has_targets));
    let options = Options {
        data_model: wanted.options.data_model.map(model).or(question.data_model).unwrap_or_default(),
        inputs: wanted.options.input.clone(),
        targets: selection(wanted.targets, property.as_ref()),
        ..Options::default()
    };
    let mut texts = Vec::new();
    for file in &question.files {
        let bytes = job.texts.bytes(file);
        texts.push(bytes.map_err(|problem| rejected(&input::problem(file, &problem), job))?);
    }
    let (sources, file, translation) = read(&question.files, &texts, wanted.options, options.clone(), job)?;
    let bytes = texts.swap_remove(0);
    let Translation { program, sites, .. } = translation;
    let data_model = options.data_model;
    let asks_for_overflow =
        property == Some(Property::NoOverflow) || wanted.targets.iter().any(|name| name == "overflow");
    let arithmetic = match wanted.options.int {
        _ if asks_for_overflow => Arithmetic::Checked,
        None => Arithmetic::Machine,
        Some(IntegersName::Math) => Arithmetic::Mathematical,
        Some(IntegersName::Checked) => Arithmetic::Checked,
        Some(IntegersName::Wrap) => Arithmetic::Wrapping,
    };
    let targets = match property::targets(&program, wanted.targets, property.as_ref(), arithmetic) {
        Err(_) if !wanted.needs_target => Vec::new(),
        targets => targets.map_err(|message| rejected(&message, job))?,
    };
    let expected = question.expected.filter(|_| !has_targets && wanted.property.is_none());
    let program = IntegerProgram { program, arithmetic };
    Ok(Loaded { sources, file, bytes, program, sites, data_model, property, expected, targets })
}

fn model(name: DataModelName) -> DataModel {
    match name {
        DataModelName::Lp64 => DataModel::Lp64,
        DataModelName::Ilp32 => DataModel::Ilp32,
    }
}

fn selection(names: &[String], property: Option<&Property>) -> TargetSelection {
    match property {
        Some(Property::UnreachCall(name)) => TargetSelection::Call(name.clone()),
        Some(Property::Termination | Property::NoOverflow) => TargetSelection::None,
        Some(Property::MemorySafety | Property::MemoryCleanup) => TargetSelection::None,
        None if names.is_empty() => TargetSelection::Usual,
        None => TargetSelection::Named(names.to_vec()),
    }
}

fn rejected(message: &str, job: &Job) -> Rejected {
    job.record.error(message);
    Rejected
}

/// Translates files as one program, each after the preprocessor has read it, if it has directives.
fn read(
    paths: &[PathBuf],
    bytes: &[Vec<u8>],
    options: &COptions,
    mut reading: Options,
    job: &Job,
) -> Result<(Sources, FileId, Translation), Rejected> {
    let mut sources = Sources::default();
    let mut files = Vec::new();
    for (path, bytes) in paths.iter().zip(bytes) {
        // Comments may have any encoding.
        let text = String::from_utf8_lossy(bytes).into_owned();
        let id = sources.add(input::shown(path), text);
        let preprocessed = preprocessed(&sources, id, path, options, reading.data_model, job)?;
        files.push(File { id, preprocessed });
    }
    reading.library = library(&mut sources, options, reading.data_model, job)?;
    let translated = match &files[..] {
        [File { id, preprocessed: None }] => c::translate(&sources, *id, &reading),
        files => c::translate_linked(&mut sources, files, &reading),
    };
    let (translation, diagnostics) = match translated {
        Ok(translation) => {
            let warnings = translation.warnings.clone();
            (Ok(translation), warnings)
        }
        Err(errors) => (Err(Rejected), errors),
    };
    job.record.diagnose_all(&sources, &diagnostics);
    Ok((sources, files[0].id, translation?))
}

/// What the preprocessor makes of a text, if that has directives. Where there is none, we follow them as far as the text and headers of the standard tell.
fn preprocessed(
    sources: &Sources,
    id: FileId,
    path: &Path,
    options: &COptions,
    model: DataModel,
    job: &Job,
) -> Result<Option<String>, Rejected> {
    let text = &sources.file(id).text;
    if !c::has_directives(text) || options.no_cpp {
        return Ok(None);
    }
    let made = job.outside.preprocess(path, text, model).map_err(|message| rejected(&message, job))?;
    if made.is_some() {
        return Ok(made);
    }
    let c::Preprocessed { text, unsure } = c::preprocess(text, model);
    let Some((span, what)) = unsure else { return Ok(Some(text)) };
    let programs = crate::PREPROCESSORS.join("`, `");
    let message = format!("{what}: that takes a C preprocessor, and there is none");
    let way = format!(
        "`{programs}` are looked for; pass a file that is preprocessed, or `--no-cpp` to skip directives"
    );
    let error = Diagnostic::error(Span::new(id, span), message).note(way, None);
    job.record.diagnose_all(sources, &[error]);
    Err(Rejected)
}

/// The functions that a program may call without defining them: the user's come first.
fn library(
    sources: &mut Sources,
    options: &COptions,
    model: DataModel,
    job: &Job,
) -> Result<Vec<FileId>, Rejected> {
    let mut files = Vec::new();
    for path in &options.library {
        let bytes = job.texts.bytes(path);
        let bytes = bytes.map_err(|problem| rejected(&input::problem(path, &problem), job))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let id = sources.add(input::shown(path), text);
        files.push(match preprocessed(sources, id, path, options, model, job)? {
            Some(made) => sources.add(input::shown(path), made),
            None => id,
        });
    }
    files.extend(c::LIBRARY.map(|(name, text)| sources.add(name, text)));
    Ok(files)
}

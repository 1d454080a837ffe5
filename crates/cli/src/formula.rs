//! The formula that `--algorithm` names, and how it is put to the checker.

use crate::algorithms;
use crate::answer::Value;
use crate::input;
use crate::memory;
use crate::render;
use crate::status::Status;
use crate::watch::{self, Job};
use base::Sources;
use checker::{DEFAULT, Failure, FormulaFile, Options, Programs};
use rsm::Reductions;
use std::path::Path;

/// A formula, and whose it is.
pub struct Formula {
    /// The name shown in diagnostics.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The algorithm of the list, if it is one.
    pub shipped: Option<&'static str>,
}

impl Formula {
    /// The algorithm that is used if nothing is said.
    pub fn default() -> Self {
        Self::shipped(DEFAULT).expect("the default algorithm is in the list")
    }

    /// The formula that a text names: an algorithm of the list, or a file. Without a name it is the default.
    pub fn find(name: Option<&str>) -> Result<Self, String> {
        let Some(name) = name else { return Ok(Self::default()) };
        if let Some(formula) = Self::shipped(name) {
            return Ok(formula);
        }
        if name.ends_with(".mu") || name.contains('/') {
            let text = input::read_text(Path::new(name)).map_err(|problem| format!("`{name}` {problem}"))?;
            return Ok(Self { name: name.to_owned(), text, shipped: None });
        }
        Err(format!(
            "there is no algorithm `{name}`; there are {}, or pass a file FILE.mu",
            algorithms::names()
        ))
    }

    /// Hands the formula to the checker, with the way to the files that it loads.
    pub fn with_file<T>(&self, params: &[(String, u64)], ask: impl FnOnce(FormulaFile) -> T) -> T {
        // Parts of the algorithms are known without their files; a file of the user comes first for a formula of the user.
        let part = |path: &str| {
            let name = Path::new(path).file_name()?.to_str()?;
            checker::part(name).map(str::to_owned)
        };
        let mut read = |path: &str| match (self.shipped, input::read_text(path.as_ref())) {
            (None, Ok(text)) => Ok(text),
            (_, read) => part(path).map_or(read, Ok),
        };
        ask(FormulaFile { name: &self.name, text: &self.text, read: &mut read, params })
    }

    /// What an algorithm of the list is about; nothing is known about other formulas.
    pub fn programs(&self) -> Option<Programs> {
        Some(checker::algorithm(self.shipped?)?.programs)
    }

    /// An algorithm for threads has nothing to say about a sequential program.
    pub fn must_be_sequential(&self) -> Result<(), String> {
        match (self.shipped, self.programs()) {
            (Some(name), Some(programs)) if programs != Programs::Sequential => Err(format!(
                "`{name}` is for concurrent programs, and this one is sequential; use {}",
                algorithms::names_for(Programs::Sequential)
            )),
            _ => Ok(()),
        }
    }

    /// An algorithm of the list.
    pub fn shipped(name: &str) -> Option<Self> {
        let algorithm = checker::algorithm(name)?;
        let text = algorithm.text.to_owned();
        Some(Self { name: format!("{}.mu", algorithm.name), text, shipped: Some(algorithm.name) })
    }
}

/// The limits of this run, for the checker; everything else as the user of a program expects it.
pub fn options(job: &Job) -> Options {
    Options {
        reductions: Reductions::ALL,
        symbolic: false,
        trace: false,
        certificate: false,
        memory: job.options.memory.map(memory::for_diagrams),
        stop: job.stop.clone(),
        gauge: job.gauge.clone(),
        clock: watch::clock,
    }
}

/// Tells why a question could not be asked.
pub fn report(failure: &Failure, sources: &Sources, job: &Job) -> Status {
    match failure {
        Failure::Formula(diagnostics) => {
            job.console.diagnose_all(sources, diagnostics);
            Status::Rejected
        }
        Failure::Stopped(halt) => {
            job.console.answer(&Value::Unknown(render::halt(halt, &job.options)));
            Status::Unknown
        }
    }
}

//! The engines that answer a question, and how they are started.

use std::path::{Path, PathBuf};
use std::process::Command;

/// An engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Engine {
    /// A formula file: one of ours by its name, or any by its path.
    Formula(String),
    /// What `getafix check` does if nobody names a formula: the default one, and views of the program beside it.
    Check,
    /// A formula, able to give a trace, which it does.
    Traced(String),
    /// The checker written by hand.
    Handwritten(handwritten::Algorithm),
    /// Z3's Spacer on Horn clauses.
    Spacer,
    /// Another program.
    External(Vec<String>),
}

/// The name of [`Engine::Check`].
const CHECK: &str = "check";

impl Engine {
    /// Its name in tables.
    pub fn name(&self) -> String {
        match self {
            Engine::Formula(name) => name.clone(),
            Engine::Check => CHECK.to_owned(),
            Engine::Traced(name) => format!("{name}+trace"),
            Engine::Handwritten(algorithm) => format!("hand:{}", algorithm.name()),
            Engine::Spacer => "spacer".to_owned(),
            Engine::External(words) => words[0].clone(),
        }
    }

    /// The engine of a name, for those that run inside this program.
    pub fn inside(name: &str) -> Option<Self> {
        if let Some(name) = name.strip_prefix("hand:") {
            let found = handwritten::Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name);
            return found.map(Engine::Handwritten);
        }
        if name == CHECK {
            return Some(Engine::Check);
        }
        if name.ends_with(".mu") {
            return Some(Engine::Formula(name.to_owned()));
        }
        match name.strip_suffix("+trace") {
            Some(name) => checker::algorithm(name).map(|found| Engine::Traced(found.name.to_owned())),
            None => checker::algorithm(name).map(|found| Engine::Formula(found.name.to_owned())),
        }
    }

    /// The command that asks it about a file: a program, or its Horn clauses for Spacer.
    pub fn command(&self, file: &Path, limit: u64) -> Result<Vec<String>, String> {
        let file = file.display().to_string();
        match self {
            Engine::Formula(_) | Engine::Check | Engine::Traced(_) | Engine::Handwritten(_) => {
                let program = std::env::current_exe().map_err(|error| format!("where am I? {error}"))?;
                Ok(vec![program.display().to_string(), "inside".to_owned(), self.name(), file])
            }
            Engine::Spacer => {
                let script = spacer_script().display().to_string();
                Ok(vec!["python3".to_owned(), script, file, limit.to_string()])
            }
            Engine::External(words) => Ok(words.iter().map(|word| word.replace("{}", &file)).collect()),
        }
    }
}

fn spacer_script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("spacer.py")
}

/// Why Spacer cannot be run here, if so.
pub fn spacer_is_missing() -> Option<String> {
    let output = Command::new("python3").args(["-c", "import z3"]).output();
    match output {
        Ok(output) if output.status.success() => None,
        Ok(_) => Some("Spacer is left out: install it with `pip install z3-solver`".to_owned()),
        Err(_) => Some("Spacer is left out: there is no python3".to_owned()),
    }
}

//! What formulas cost that a user could have written, as ratios of instructions to the shipped one of the same class.
//!
//! Contract: the formulas are the files of `bench/formulas`, each of which names in its first line what it is compared with. Every run is counted by
//! callgrind in a process of its own, as for `counts`. Without valgrind nothing is counted, and that is said.

use super::arguments::Arguments;
use super::cell;
use super::counts::Counter;
use super::engine::Engine;
use super::suite;
use crate::Scratch;
use crate::report::{align, geometric_mean};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is counted if nobody names a program.
const USUAL: [&str; 5] =
    ["driver:40", "driver:400+reachable", "driver:50+globals5", "t1:201", "terminator:12"];

/// What the first line of a formula says before the name of a shipped one.
const LIKE: &str = "// like ";

/// A formula of somebody's own.
struct Own {
    path: PathBuf,
    /// The shipped one of its class.
    like: String,
}

impl Own {
    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// Counts and prints.
pub fn run(arguments: &Arguments, directory: &Scratch) -> Result<ExitCode, String> {
    if !Counter::is_there() {
        return Ok(ExitCode::SUCCESS);
    }
    let counter = Counter { directory };
    let formulas = formulas()?;
    let names: Vec<String> = match arguments.programs.is_empty() {
        true => USUAL.map(str::to_owned).to_vec(),
        false => arguments.programs.clone(),
    };
    let mut lines =
        vec![["formula".to_owned(), "like".to_owned()].into_iter().chain(names.clone()).collect()];
    let programs = suite::programs(&names, false)?;
    let mut all = Vec::new();
    for own in &formulas {
        eprintln!("{} …", own.name());
        let mut line = vec![own.name(), own.like.clone()];
        for program in &programs {
            let count = |engine: Engine| {
                let path = cell::file(directory, program, &engine)?.display().to_string();
                counter.count(&["inside", &engine.name(), &path])
            };
            let shipped = count(Engine::Formula(own.like.clone()))?;
            let ratio = count(Engine::Formula(own.path.display().to_string()))? / shipped;
            all.push(ratio);
            line.push(format!("{ratio:.2}"));
        }
        lines.push(line);
    }
    println!(
        "Instructions of formulas of one's own, as ratios to those of a shipped formula of the same class."
    );
    print!("{}", align(&lines));
    println!("geometric mean: {:.2}", geometric_mean(&all));
    Ok(ExitCode::SUCCESS)
}

/// The formulas, by name.
fn formulas() -> Result<Vec<Own>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("formulas");
    let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(wrong)? {
        paths.push(entry.map_err(wrong)?.path());
    }
    paths.sort();
    let own = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).map_err(wrong)?;
        let like = text.lines().next().and_then(|line| line.strip_prefix(LIKE));
        let like =
            like.ok_or_else(|| format!("{}: the first line begins with no `{LIKE}`", path.display()))?;
        Ok(Own { like: like.to_owned(), path })
    };
    paths.into_iter().map(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formulas_are_those_of_users_and_one_is_in_the_readme() {
        let formulas = formulas().unwrap();
        assert!(formulas.len() >= 6);
        let readme =
            std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
        let (_, shown) = readme.split_once("```mu\n").unwrap();
        let (shown, _) = shown.split_once("```").unwrap();
        let own = formulas.iter().find(|own| own.name() == "readme.mu").unwrap();
        assert!(std::fs::read_to_string(&own.path).unwrap().ends_with(shown));
    }

    #[test]
    fn the_formulas_answer_as_shipped_ones_do() {
        for name in ["driver:6", "driver:6+reachable"] {
            let program = suite::programs(&[name.to_owned()], false).unwrap().remove(0);
            for own in formulas().unwrap() {
                let (rsm, target) = crate::programs::inside::load(program.text.clone()).unwrap();
                let path = own.path.display().to_string();
                let (is_reachable, _) = crate::programs::inside::check(&rsm, target, &path, false).unwrap();
                assert_eq!(Some(is_reachable), program.expected(), "{name}, {path}");
                assert!(checker::algorithm(&own.like).is_some(), "{path}");
            }
        }
    }
}

//! Measuring one system: repeated runs of one program or of two in turn, the fastest of each.

use crate::answers::{self, Verdict};
use crate::child::{self, End, Run};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time after which a program that can be repeated is not.
const ENOUGH: Duration = Duration::from_secs(3);

/// A system to measure.
pub struct System {
    /// Its name in the table.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Where it stands, if it is a file of the user.
    pub path: Option<PathBuf>,
}

/// A program to measure.
pub enum Contender {
    /// `getafix mu` with options.
    Getafix {
        /// The program.
        program: PathBuf,
        /// Options after `mu`.
        options: Vec<String>,
    },
    /// Another command, `{}` standing for the file. Its files are without `#explicit` and `#symbolic`.
    Other(Vec<String>),
}

impl Contender {
    /// Its name in the legend.
    pub fn name(&self) -> String {
        match self {
            Contender::Getafix { options, .. } => {
                ["getafix mu", &options.join(" ")].join(" ").trim().to_owned()
            }
            Contender::Other(words) => words.join(" "),
        }
    }
}

/// What was measured of a program on a system.
pub struct Measurement {
    /// The fastest time, if a run finished.
    pub time: Option<Duration>,
    /// Most diagram nodes at once, if the program tells.
    pub peak_nodes: Option<u64>,
    /// Largest resident set in KiB, if it was seen.
    pub resident: Option<u64>,
    /// The outcome.
    pub outcome: Outcome,
}

/// What came of the runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// They finished.
    Answered(Verdict),
    /// One took too long.
    TimedOut,
    /// One failed, and why.
    Failed(String),
}

/// Where temporary files go, how often and how long programs run.
pub struct Setting<'a> {
    /// A directory of our own.
    pub directory: &'a Path,
    /// Most runs.
    pub repeat: usize,
    /// Longest time of a run.
    pub timeout: Duration,
}

/// Measures the contenders on a system, in turn, so that a slow moment of the machine meets all of them.
pub fn measure(
    setting: &Setting,
    system: &System,
    contenders: &[Contender],
) -> std::io::Result<Vec<Measurement>> {
    let expected = answers::expected(&system.text);
    let mut commands = Vec::new();
    for contender in contenders {
        commands.push(command(setting, system, contender)?);
    }
    let mut runs: Vec<Vec<Run>> = contenders.iter().map(|_| Vec::new()).collect();
    for _ in 0..setting.repeat {
        for (command, runs) in commands.iter().zip(&mut runs) {
            if is_worthwhile(runs) {
                runs.push(child::run(command, &setting.directory.join("stderr"), setting.timeout));
            }
        }
    }
    Ok(contenders.iter().zip(&runs).map(|(contender, runs)| summarise(contender, &expected, runs)).collect())
}

fn is_worthwhile(runs: &[Run]) -> bool {
    runs.iter().all(|run| run.end == End::Finished)
        && runs.iter().map(|run| run.time).sum::<Duration>() < ENOUGH
}

/// The words to run, after the file they name is written.
fn command(setting: &Setting, system: &System, contender: &Contender) -> std::io::Result<Vec<String>> {
    let stem: String = system.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let write = |suffix: &str, text: &str| {
        let path = setting.directory.join(format!("{stem}{suffix}.mu"));
        fs::write(&path, text).map(|()| path)
    };
    match contender {
        Contender::Getafix { program, options } => {
            let file = system.path.clone().map_or_else(|| write("", &system.text), Ok)?;
            let mut words = vec![program.display().to_string(), "mu".to_owned(), "--json".to_owned()];
            words.extend(options.iter().cloned());
            words.push(file.display().to_string());
            Ok(words)
        }
        Contender::Other(words) => {
            let plain = plain(&system.text);
            let file = match &system.path {
                Some(path) if plain == system.text => path.clone(),
                _ => write("-plain", &plain)?,
            };
            Ok(words.iter().map(|word| word.replace("{}", &file.display().to_string())).collect())
        }
    }
}

/// The text without the directives that other programs do not know; they have no influence on the answers.
fn plain(text: &str) -> String {
    let is_storage = |line: &&str| line.starts_with("#explicit") || line.starts_with("#symbolic");
    text.split_inclusive('\n').filter(|line| !is_storage(line)).collect()
}

fn summarise(contender: &Contender, expected: &[String], runs: &[Run]) -> Measurement {
    let resident = runs.iter().filter_map(|run| run.resident).max();
    let last = runs.last().expect("at least one run");
    let mut peak_nodes = None;
    let outcome = match &last.end {
        End::TimedOut => Outcome::TimedOut,
        End::Failed(reason) => Outcome::Failed(reason.clone()),
        End::Finished => Outcome::Answered(match contender {
            Contender::Getafix { .. } => {
                let json = answers::from_json(&last.output);
                let (found, nodes) = json.unwrap_or_else(|| (answers::from_text(&last.output), None));
                peak_nodes = nodes;
                answers::compare(expected, &found)
            }
            Contender::Other(_) => answers::compare_loosely(expected, &answers::from_text(&last.output)),
        }),
    };
    let finished = matches!(outcome, Outcome::Answered(_));
    let time = runs.iter().map(|run| run.time).min().filter(|_| finished);
    Measurement { time, peak_nodes, resident, outcome }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_do_not_see_storage_directives() {
        assert_eq!(plain("enum N { 0 .. 3 };\n#explicit N;\n#ons R;\n"), "enum N { 0 .. 3 };\n#ons R;\n");
    }
}

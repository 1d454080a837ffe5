//! Tasks of the competition on software verification, as their names tell what is right, next to an older build and to the solver's engine for Horn clauses alone.

mod contender;
mod expected;

use crate::Scratch;
use contender::{Said, Task, alone, checked, files};
use expected::{Question, expected};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "usage: bench tasks FOLDER … [--seconds N] [--before PROGRAM] [--only QUESTION] [--data-model MODEL] [--options \"…\"]

  --seconds N         what a process may take of a processor (20); by the clock, four times as much
  --before PROGRAM    another getafix, beside release/getafix of the target directory
  --only QUESTION     unreach-call, termination, valid-memsafety or no-overflow
  --data-model MODEL  lp64 (default) or ilp32
  --options \"…\"       more options of `check`, such as `--assume defined`

Asks what the names of the .c and .i files below the folders answer: true-unreach-call, false-valid-deref and so on. The engine for Horn clauses
gets what `getafix translate --chc` prints, with and without `global`. Seconds are those of a processor, solvers included.
Exit status: 0 no wrong answer, 1 a wrong one.";

/// What is measured.
struct Asked {
    folders: Vec<PathBuf>,
    seconds: u64,
    before: Option<PathBuf>,
    only: Option<Question>,
    data_model: String,
    options: Vec<String>,
}

impl Asked {
    fn new(arguments: &[String]) -> Result<Self, String> {
        let (folders, data_model) = (Vec::new(), "lp64".to_owned());
        let mut asked =
            Self { folders, seconds: 20, before: None, only: None, data_model, options: Vec::new() };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or(format!("{argument} takes a value"));
            match argument.as_str() {
                "--seconds" => {
                    asked.seconds = value()?.parse().map_err(|_| "--seconds takes a number".to_owned())?;
                }
                "--before" => asked.before = Some(value()?.into()),
                "--only" => {
                    let name = value()?;
                    let question = Question::named(name);
                    asked.only = Some(question.ok_or(format!("there is no question `{name}`"))?);
                }
                "--data-model" => asked.data_model.clone_from(value()?),
                "--options" => asked.options = value()?.split_whitespace().map(str::to_owned).collect(),
                path => asked.folders.push(path.into()),
            }
        }
        if asked.folders.is_empty() { Err(HELP.to_owned()) } else { Ok(asked) }
    }
}

/// What somebody said to some tasks.
#[derive(Clone, Copy, Default)]
struct Sum {
    n_right: usize,
    n_wrong: usize,
    time: f64,
}

impl Sum {
    fn add(&mut self, said: Said, time: f64, holds: bool) {
        self.n_right += usize::from(said == Said::Holds(holds));
        self.n_wrong += usize::from(said == Said::Holds(!holds));
        self.time += time;
    }
}

/// The tasks of a folder that have a question in common.
struct Group {
    name: String,
    question: Question,
    n: usize,
    /// For each contender.
    sums: Vec<Sum>,
}

/// Runs the subcommand.
pub fn execute(arguments: &[String]) -> Result<ExitCode, String> {
    if arguments.iter().any(|argument| argument == "--help") {
        println!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    }
    let asked = Asked::new(arguments)?;
    let getafix = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("getafix");
    let solver = smt::find(None).map_err(|missing| missing.to_string())?;
    let scratch = Scratch::new().map_err(|error| format!("no temporary directory: {error}"))?;
    let programs: Vec<&Path> = asked.before.as_deref().into_iter().chain([getafix.as_path()]).collect();
    let heads = if asked.before.is_some() { &["before", "getafix"][..] } else { &["getafix"] };
    let heads = [heads, &["Horn engine"]].concat();
    header(&["task", "question", "expected"], &heads);
    let mut groups: Vec<Group> = Vec::new();
    for path in asked.folders.iter().map(|folder| files(folder)).collect::<Result<Vec<_>, _>>()?.concat() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (question, holds) in expected(&name) {
            if asked.only.is_some_and(|only| only != question) {
                continue;
            }
            let Asked { seconds, data_model, options, .. } = &asked;
            let scratch = &scratch.0;
            let task = Task { path: &path, question, seconds: *seconds, data_model, options, scratch };
            let mut said = Vec::new();
            for program in &programs {
                said.push(Some(checked(program, &task)?));
            }
            said.push(alone(&getafix, &solver, &task)?);
            let short = name.split("_true-").next().and_then(|name| name.split("_false-").next());
            let cells = said.iter().map(|said| match said {
                Some((said, time)) => format!(" {} | {time:.1} |", said.word()),
                None => "  |  |".to_owned(),
            });
            let cells: String = cells.collect();
            let expected = Said::Holds(holds).word();
            println!("| {} | {} | {expected} |{cells}", short.unwrap_or(&name), question.name());
            let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
            group(&mut groups, &folder, question, said.len()).add(&said, holds);
        }
    }
    println!();
    header(&["folder", "question", "tasks"], &heads);
    groups.sort_by(|one, other| (one.question, &one.name).cmp(&(other.question, &other.name)));
    for group in &groups {
        println!("{}", group.line());
    }
    let has_wrong = groups.iter().flat_map(|group| &group.sums).any(|sum| sum.n_wrong > 0);
    Ok(if has_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn header(first: &[&str], contenders: &[&str]) {
    let columns: Vec<&str> =
        first.iter().copied().chain(contenders.iter().flat_map(|name| [*name, "s"])).collect();
    println!("| {} |", columns.join(" | "));
    println!("|{}", "---|".repeat(columns.len()));
}

/// The group of a folder and a question.
fn group<'g>(groups: &'g mut Vec<Group>, name: &str, question: Question, n: usize) -> &'g mut Group {
    let at = groups.iter().position(|group| group.name == name && group.question == question);
    let at = at.unwrap_or_else(|| {
        groups.push(Group { name: name.to_owned(), question, n: 0, sums: vec![Sum::default(); n] });
        groups.len() - 1
    });
    &mut groups[at]
}

impl Group {
    fn add(&mut self, said: &[Option<(Said, f64)>], holds: bool) {
        self.n += 1;
        for (sum, said) in self.sums.iter_mut().zip(said) {
            if let Some((said, time)) = said {
                sum.add(*said, *time, holds);
            }
        }
    }

    fn line(&self) -> String {
        let mut line = format!("| {} | {} | {} |", self.name, self.question.name(), self.n);
        for Sum { n_right, n_wrong, time } in &self.sums {
            let wrong = if *n_wrong > 0 { format!(", {n_wrong} wrong") } else { String::new() };
            write!(line, " {n_right}{wrong} | {time:.0} |").expect("a string takes every text");
        }
        line
    }
}

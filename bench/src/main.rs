//! The benchmark runner: generates systems and programs, measures engines on them, verifies the answers, prints tables.
//!
//! `bench/README.md` says how to use it.

#![forbid(unsafe_code)]

mod answers;
mod c;
mod child;
mod clock;
mod explore;
mod families;
mod machines;
mod measure;
mod options;
mod predicates;
mod programs;
mod questions;
mod report;
mod states;
mod threads;

use families::FAMILIES;
use measure::{Contender, Setting, System};
use options::{Command, Comparison, Options};
use report::Row;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.first().map(String::as_str) {
        Some("inside") => programs::inside::execute(&arguments[1..]),
        Some("explicit") => states::execute(&arguments[1..]),
        Some("machines") => machines::execute(&arguments[1..]),
        Some("yasm") => predicates::execute(&arguments[1..]),
        Some("tasks") => predicates::tasks(&arguments[1..]),
        Some("c") => c::execute(&arguments[1..]),
        Some("questions") => questions::execute(&arguments[1..]),
        Some("inside-engines") => threads::engines::inside::execute(&arguments[1..]),
        Some("inside-forever") => threads::engines::forever::inside::execute(&arguments[1..]),
        Some("inside-threads") => threads::inside::execute(&arguments[1..]),
        _ => programs::execute(&arguments)
            .or_else(|| threads::execute(&arguments))
            .unwrap_or_else(|| options::parse(&arguments).and_then(execute)),
    };
    match done {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn execute(command: Command) -> Result<ExitCode, String> {
    match command {
        Command::Help => println!("{}", options::HELP),
        Command::List => print!("{}", list()),
        Command::Emit(target) => match generated(&target) {
            Some(system) => print!("{}", system.text),
            None => return Err(format!("`{target}` is no family:n; `--list` shows the families")),
        },
        Command::Run(options) => return run(&options),
    }
    Ok(ExitCode::SUCCESS)
}

fn list() -> String {
    let line = |family: &families::Family| {
        let sizes: Vec<String> = family.sizes.iter().map(usize::to_string).collect();
        format!("{:<20} {:<12} {}\n", family.name, sizes.join(" "), family.about)
    };
    FAMILIES.iter().map(line).collect()
}

fn run(options: &Options) -> Result<ExitCode, String> {
    let systems = systems(&options.targets)?;
    let contenders = contenders(options);
    let directory = Scratch::new().map_err(|error| format!("no temporary directory: {error}"))?;
    let setting = Setting { directory: &directory.0, repeat: options.repeat, timeout: options.timeout };
    let mut rows = Vec::new();
    for system in systems {
        eprintln!("{} …", system.name);
        let measurements = measure::measure(&setting, &system, &contenders)
            .map_err(|error| format!("cannot write a temporary file: {error}"))?;
        rows.push(Row { name: system.name, measurements });
    }
    for (letter, contender) in ["A", "B"].iter().zip(&contenders) {
        println!("{letter}: {}", contender.name());
    }
    print!("{}", report::table(&rows));
    if let Some(mean) = report::mean(&rows) {
        println!("{mean}");
    }
    let complaints = report::complaints(&rows);
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    Ok(ExitCode::from(u8::from(!complaints.is_empty())))
}

fn contenders(options: &Options) -> Vec<Contender> {
    let getafix =
        |words: &[String]| Contender::Getafix { program: options.getafix.clone(), options: words.to_vec() };
    let mut contenders = vec![getafix(&options.options)];
    match &options.comparison {
        None => {}
        Some(Comparison::Options(words)) => contenders.push(getafix(words)),
        Some(Comparison::Command(words)) => contenders.push(Contender::Other(words.clone())),
    }
    contenders
}

/// The systems of the targets, or of the default suite.
fn systems(targets: &[String]) -> Result<Vec<System>, String> {
    let all: Vec<String> = FAMILIES.iter().map(|family| family.name.to_owned()).collect();
    let mut systems = Vec::new();
    for target in if targets.is_empty() { &all } else { targets } {
        if let Some(family) = families::find(target) {
            let named = family.sizes.iter().map(|size| format!("{target}:{size}"));
            systems.extend(named.filter_map(|name| generated(&name)));
        } else if let Some(system) = generated(target) {
            systems.push(system);
        } else {
            systems.push(read(target)?);
        }
    }
    Ok(systems)
}

/// The system `family:n`, if it is one.
fn generated(target: &str) -> Option<System> {
    let (family, size) = target.split_once(':')?;
    let text = (families::find(family)?.text)(size.parse().ok()?);
    Some(System { name: target.to_owned(), text, path: None })
}

fn read(target: &str) -> Result<System, String> {
    let path = PathBuf::from(target);
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("`{target}` is no family, no family:n, and cannot be read: {error}"))?;
    let name = path.file_stem().map_or(target.to_owned(), |stem| stem.to_string_lossy().into_owned());
    Ok(System { name, text, path: Some(path) })
}

/// A temporary directory, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> std::io::Result<Self> {
        let path = std::env::temp_dir().join(format!("getafix-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover in the temporary directory does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

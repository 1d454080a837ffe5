//! The command line of the runner.

use std::path::PathBuf;
use std::time::Duration;

/// What `--help` prints.
pub const HELP: &str = "\
Measure getafix on benchmark systems and verify its answers.

Usage: bench [TARGET …] [OPTION …]
       bench programs|phases|traces [PROGRAM …] [OPTION …]    measure the checker for programs; has its own --help
       bench threads|contexts|… [OPTION …]                    measure it on programs with threads; likewise

A TARGET is a file, a family with its default sizes, or family:n. Without targets the whole default
suite runs.

  --getafix PATH           the program to measure; by default release/getafix in the target directory
  --options \"…\"            options for getafix, such as \"--symbolic\"
  --compare-options \"…\"    run getafix also with these options, and print ratios
  --against \"CMD {}\"       run also another program, {} being the file, and print ratios
  --repeat N               at most N runs of which the fastest counts (5); fewer once 3 s are spent
  --timeout SECONDS        end a run after this time (60)
  --list                   print the families
  --emit FAMILY:N          print a system
  --help                   print this

Exit status: 0 no wrong answer, 1 a wrong answer or a failed run, 2 usage.";

/// What to do.
#[derive(Debug, PartialEq)]
pub enum Command {
    /// Print the help.
    Help,
    /// Print the families.
    List,
    /// Print one system.
    Emit(String),
    /// Measure.
    Run(Options),
}

/// What to measure, and how.
#[derive(Debug, PartialEq)]
pub struct Options {
    /// Files and families; none means the default suite.
    pub targets: Vec<String>,
    /// The program.
    pub getafix: PathBuf,
    /// Its options.
    pub options: Vec<String>,
    /// What it is compared with.
    pub comparison: Option<Comparison>,
    /// Most runs of a system.
    pub repeat: usize,
    /// Longest time of a run.
    pub timeout: Duration,
}

/// What the program is compared with.
#[derive(Debug, PartialEq)]
pub enum Comparison {
    /// Itself with other options.
    Options(Vec<String>),
    /// Another command, `{}` standing for the file.
    Command(Vec<String>),
}

/// Reads the arguments after the program's name; the error is a message for the user.
pub fn parse(arguments: &[String]) -> Result<Command, String> {
    let mut options = Options {
        targets: Vec::new(),
        getafix: default_program(),
        options: Vec::new(),
        comparison: None,
        repeat: 5,
        timeout: Duration::from_secs(60),
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().cloned().ok_or(format!("`{argument}` needs a value"));
        match argument.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--list" => return Ok(Command::List),
            "--emit" => return Ok(Command::Emit(value()?)),
            "--getafix" => options.getafix = value()?.into(),
            "--options" => options.options = words(&value()?),
            "--compare-options" => compare(&mut options, Comparison::Options(words(&value()?)))?,
            "--against" => compare(&mut options, command(&value()?)?)?,
            "--repeat" => options.repeat = number(argument, &value()?)?.max(1),
            "--timeout" => options.timeout = Duration::from_secs(number(argument, &value()?)? as u64),
            flag if flag.starts_with('-') => return Err(format!("unknown option `{flag}`")),
            target => options.targets.push(target.to_owned()),
        }
    }
    Ok(Command::Run(options))
}

fn default_program() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into());
    PathBuf::from(target).join("release/getafix")
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn command(text: &str) -> Result<Comparison, String> {
    let words = words(text);
    if words.len() < 2 || !words.iter().any(|word| word.contains("{}")) {
        return Err(format!("`--against` needs a command with {{}} for the file, found `{text}`"));
    }
    Ok(Comparison::Command(words))
}

fn compare(options: &mut Options, comparison: Comparison) -> Result<(), String> {
    match options.comparison.replace(comparison) {
        None => Ok(()),
        Some(_) => Err("only one of `--against` and `--compare-options` can be given, once".to_owned()),
    }
}

fn number(option: &str, text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("`{option}` needs a number, found `{text}`"))
}

/// Whether `--quick` is given, which some subcommands know; none if there is nothing more to do, since help was asked for.
pub fn quick(arguments: &[String], subcommand: &str, help: &str) -> Result<Option<bool>, String> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(Some(false)),
        ["--quick"] => Ok(Some(true)),
        ["-h" | "--help"] => {
            println!("{help}");
            Ok(None)
        }
        [other, ..] => Err(format!("`{other}` is no option of `bench {subcommand}`\n\n{help}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, String> {
        parse(&words(line))
    }

    #[test]
    fn targets_and_options_mix() {
        let Ok(Command::Run(options)) = parsed("cube:6 --repeat 2 a.mu --compare-options --symbolic") else {
            panic!("a run")
        };
        assert_eq!(options.targets, ["cube:6", "a.mu"]);
        assert_eq!(options.repeat, 2);
        assert_eq!(options.comparison, Some(Comparison::Options(vec!["--symbolic".to_owned()])));
    }

    #[test]
    fn a_misspelt_option_a_missing_value_and_a_command_without_file_are_errors() {
        assert_eq!(parsed("--repaet 3"), Err("unknown option `--repaet`".to_owned()));
        assert_eq!(parsed("--repeat"), Err("`--repeat` needs a value".to_owned()));
        assert!(parsed("--against mucke").is_err());
    }
}

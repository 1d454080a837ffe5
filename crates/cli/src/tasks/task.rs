//! A check among many, and the options of a check as they are handed to a process.

use super::expected::Expected;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory};
use getafix::{task_files, usage};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A program, a question about it, and the verdict that is expected.
#[derive(Clone, Debug)]
pub struct Task {
    /// What it is called; no other one of the list is called so.
    pub name: String,
    /// The program, as it is named.
    pub file: PathBuf,
    /// Where names of files are looked up, if it is not where we are.
    pub folder: Option<PathBuf>,
    /// The options as words.
    pub options: Vec<OsString>,
    pub expected: Expected,
}

impl Task {
    /// What to type to ask this alone, in the folder of the list.
    pub fn command(&self) -> String {
        let file = self.file.as_os_str();
        let words: Vec<String> =
            std::iter::once(file).chain(self.options.iter().map(OsString::as_os_str)).map(quoted).collect();
        format!("getafix check {}", words.join(" "))
    }

    /// The file from where we are.
    pub fn path(&self) -> PathBuf {
        self.folder.as_deref().map_or_else(|| self.file.clone(), |folder| folder.join(&self.file))
    }

    /// The same question about the same texts has the same one: of the program, of what a task names, and of all files that options name.
    pub fn fingerprint(&self) -> String {
        let mut bytes = Vec::new();
        let mut add = |text: &[u8]| {
            bytes.extend_from_slice(&text.len().to_le_bytes());
            bytes.extend_from_slice(text);
        };
        let path = self.path();
        let text = std::fs::read(&path).unwrap_or_default();
        add(&text);
        if usage::kind(&path) == Some(usage::Kind::Task) {
            let named = task_files(&path, &String::from_utf8_lossy(&text));
            named.iter().for_each(|file| add(&std::fs::read(file).unwrap_or_default()));
        }
        for option in &self.options {
            add(option.as_encoded_bytes());
            let text = option.to_string_lossy();
            let value = text.split_once('=').map_or(&*text, |(_, value)| value);
            let path = self.folder.as_deref().unwrap_or(Path::new("")).join(value);
            if path.is_file() {
                add(&std::fs::read(path).unwrap_or_default());
            }
        }
        base::sha256::hex(&bytes)
    }
}

/// A word for a shell.
fn quoted(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%*".contains(c) && c != '*';
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.into_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// The table of the options of `check`.
pub fn table() -> Command {
    let mut root = crate::args::Cli::command();
    root.build();
    root.find_subcommand("check").expect("there is such a command").clone()
}

/// What an option is called: its long name, or its letter.
pub fn name(option: &Arg) -> Option<String> {
    option.get_long().map(str::to_owned).or_else(|| option.get_short().map(String::from))
}

/// The option takes no value.
pub fn is_flag(option: &Arg) -> bool {
    matches!(option.get_action(), ArgAction::SetTrue)
}

/// The option can be given again and again.
pub fn is_list(option: &Arg) -> bool {
    matches!(option.get_action(), ArgAction::Append)
}

/// The option names a file with this value, and not something that comes along.
pub fn is_file(option: &Arg, value: &str) -> bool {
    let is_one = option.get_value_names().is_some_and(|names| names.iter().any(|name| name == "FILE"));
    let ending = Path::new(value).extension().and_then(OsStr::to_str);
    is_one || ending.is_some_and(|ending| ["mu", "prp"].contains(&ending))
}

/// An option with a value as words.
pub fn words(name: &str, value: &OsStr) -> Vec<OsString> {
    if name.chars().count() == 1 {
        return vec![OsString::from(format!("-{name}")), value.to_owned()];
    }
    let mut word = OsString::from(format!("--{name}="));
    word.push(value);
    vec![word]
}

/// The options of `check` that stand on the command line: the name of each, and its words.
pub fn given() -> Vec<(String, Vec<OsString>)> {
    let matches = crate::args::Cli::command().get_matches();
    let Some(("check", matches)) = matches.subcommand() else { return Vec::new() };
    let table = table();
    let given = table.get_arguments().filter(|option| !option.is_positional());
    given.filter_map(|option| Some((name(option)?, given_words(option, matches)?))).collect()
}

fn given_words(option: &Arg, matches: &ArgMatches) -> Option<Vec<OsString>> {
    let id = option.get_id().as_str();
    let name = name(option)?;
    if matches.value_source(id) != Some(ValueSource::CommandLine) {
        return None;
    }
    if is_flag(option) {
        return matches.get_flag(id).then(|| vec![format!("--{name}").into()]);
    }
    Some(matches.get_raw(id)?.flat_map(|value| words(&name, value)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_typed() {
        let task = Task {
            name: String::new(),
            file: "a b.bp".into(),
            folder: None,
            options: vec!["--ltl=G (x -> F 'y')".into(), "-k".into(), "3".into()],
            expected: Expected::NoError,
        };
        assert_eq!(task.command(), r"getafix check 'a b.bp' '--ltl=G (x -> F '\''y'\'')' -k 3");
    }
}

//! A project's own list of checks, `getafix.toml`.
//!
//! In: a text in TOML with a table `[[check]]` for each check and one `[defaults]` for all. Out: tasks, or all that is wrong, each with its place. Keys are
//! the options of `check` and four of our own; no others are known. Which values an option takes, the table of options says.

use super::expected::{Expected, OF_TARGETS, VERDICTS};
use super::task::{self, Task};
use crate::args::Cli;
use base::{Diagnostic, FileId, Sources, Span};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command, Parser};
use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Keys that are no options.
const OWN: [&str; 4] = ["name", "file", "files", "expect"];

/// Keys of the list itself.
const TOP: [&str; 2] = ["check", "defaults"];

/// Options that say what is written, and where: they belong to the command that reads the list.
const NOT_HERE: [&str; 16] = [
    "help",
    "json",
    "stats",
    "quiet",
    "html",
    "sarif",
    "trace",
    "show",
    "tasks",
    "jobs",
    "resume",
    "junit",
    "as-task",
    "stdin-name",
    "certificate",
    "witness",
];

/// Reads a list; `common` are options for every check that does not have its own.
pub fn read(
    path: &Path,
    text: &str,
    common: &[(String, Vec<OsString>)],
) -> Result<Vec<Task>, (Sources, Vec<Diagnostic>)> {
    let mut sources = Sources::default();
    let file = sources.add(path.to_string_lossy(), text);
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut reader =
        Reader { file, path, table: task::table(), common, errors: Vec::new(), tasks: Vec::new() };
    for error in errors {
        let range = error.span().unwrap_or(0..0);
        reader.error(range, error.message().lines().next().unwrap_or("this is not TOML"));
    }
    if reader.errors.is_empty() {
        reader.read(table.get_ref());
    }
    match reader.errors.is_empty() {
        true => Ok(reader.tasks.into_iter().map(|(task, _)| task).collect()),
        false => {
            let mut errors = reader.errors;
            errors.sort_by_key(|error| error.span.map(|span| span.start));
            Err((sources, errors))
        }
    }
}

struct Reader<'r> {
    file: FileId,
    path: &'r Path,
    /// The options of `check`.
    table: Command,
    /// What the command line says for all checks.
    common: &'r [(String, Vec<OsString>)],
    errors: Vec<Diagnostic>,
    /// Each with its place.
    tasks: Vec<(Task, Range<usize>)>,
}

/// An option with its words, and where it stands.
struct Setting {
    name: String,
    words: Vec<OsString>,
    place: Option<Range<usize>>,
}

impl Reader<'_> {
    fn error(&mut self, place: Range<usize>, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(Span::new(self.file, place), message));
    }

    fn read(&mut self, table: &DeTable) {
        let mut defaults = Vec::new();
        let mut checks: Vec<&Spanned<DeValue>> = Vec::new();
        for (key, value) in in_order(table) {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("defaults", DeValue::Table(entries)) => defaults = self.options(entries, &["defaults"]),
                ("defaults", _) => self.error(value.span(), "`defaults` is a table: `[defaults]`"),
                ("check", DeValue::Array(array)) => checks = array.iter().collect(),
                ("check", _) => self.error(value.span(), "checks are a list of tables: `[[check]]`"),
                (name, _) => self.unknown(key.span(), name, &TOP),
            }
        }
        if checks.is_empty() && self.errors.is_empty() {
            self.error(0..0, "the list has no `[[check]]`");
        }
        for check in checks {
            match check.get_ref() {
                DeValue::Table(entries) => self.check(check.span(), entries, &defaults),
                _ => self.error(check.span(), "a check is a table: `[[check]]`"),
            }
        }
    }

    /// Adds the tasks of a check.
    fn check(&mut self, place: Range<usize>, entries: &DeTable, defaults: &[Setting]) {
        let mut options = self.options(entries, &OWN);
        let is_given = |options: &[Setting], name: &str| options.iter().any(|option| option.name == name);
        for option in defaults {
            if !is_given(&options, &option.name) {
                options.push(Setting {
                    name: option.name.clone(),
                    words: option.words.clone(),
                    place: option.place.clone(),
                });
            }
        }
        for (name, words) in self.common {
            if !is_given(&options, name) {
                options.push(Setting { name: name.clone(), words: words.clone(), place: None });
            }
        }
        options.sort_by(|a, b| a.name.cmp(&b.name));
        let expected = self.expected(entries);
        let name = entries.get("name").and_then(|value| Some((self.text(value, "name")?, value.span())));
        let files = self.files(&place, entries, &options);
        if name.is_some() && files.len() > 1 {
            self.error(
                name.as_ref().map_or(0..0, |(_, place)| place.clone()),
                "a check of several files has the names of the files",
            );
            return;
        }
        for file in files {
            if !self.is_accepted(&place, &options, &file) {
                return;
            }
            let words: Vec<OsString> = options.iter().flat_map(|option| option.words.clone()).collect();
            let called = name.as_ref().map_or_else(|| self.called(&file, &options), |(name, _)| name.clone());
            let folder =
                self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned);
            self.add(
                Task { name: called, file, folder, options: words, expected: expected.clone() },
                name.as_ref().map_or(place.clone(), |(_, place)| place.clone()),
            );
        }
    }

    /// A check without a name is called by its file and its question.
    fn called(&self, file: &Path, options: &[Setting]) -> String {
        let is_question = |option: &&Setting| {
            option.place.is_some() && !["timeout", "memory", "solver"].contains(&option.name.as_str())
        };
        let words = options.iter().filter(is_question).flat_map(|option| &option.words);
        std::iter::once(file.to_string_lossy().into_owned())
            .chain(words.map(|word| word.to_string_lossy().into_owned()))
            .collect::<Vec<String>>()
            .join(" ")
    }

    fn add(&mut self, task: Task, place: Range<usize>) {
        if let Some((_, first)) = self.tasks.iter().find(|(other, _)| other.name == task.name) {
            let first = Span::new(self.file, first.clone());
            let error = Diagnostic::error(
                Span::new(self.file, place),
                format!("two checks are called `{}`", task.name),
            );
            self.errors.push(error.note("the other one is here", Some(first)));
            return;
        }
        self.tasks.push((task, place));
    }

    /// The programs of a check.
    fn files(&mut self, place: &Range<usize>, entries: &DeTable, options: &[Setting]) -> Vec<PathBuf> {
        let before = self.errors.len();
        let mut files = Vec::new();
        match (entries.get("file"), entries.get("files")) {
            (Some(_), Some(other)) => self.error(other.span(), "a check has `file` or `files`, and not both"),
            (Some(value), None) => {
                let file = self.text(value, "file").map(PathBuf::from);
                if let Some(file) = file.filter(|file| self.is_there(value, file)) {
                    files.push(file);
                }
            }
            (None, Some(value)) => match value.get_ref() {
                DeValue::Array(patterns) => {
                    patterns.iter().for_each(|pattern| files.extend(self.found(pattern)))
                }
                _ => files.extend(self.found(value)),
            },
            (None, None) => match options.iter().find(|option| option.name == "link") {
                // What is linked goes by the name of its first file.
                Some(_) => self.error(
                    place.clone(),
                    "the first of the files that are linked is the `file` of the check",
                ),
                None => self.error(place.clone(), "the check has no `file`"),
            },
        }
        if files.iter().any(|file| file.as_os_str() == "-") {
            self.error(place.clone(), "a list reads files, and not stdin");
        }
        if files.is_empty() && self.errors.len() == before {
            self.error(place.clone(), "the check is about no file");
        }
        files
    }

    /// A file that is read, beside the list; that stdin is none is told elsewhere.
    fn is_there(&mut self, value: &Spanned<DeValue>, file: &Path) -> bool {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let is_there = file.as_os_str() == "-" || folder.join(file).exists();
        if !is_there {
            self.error(value.span(), format!("`{}` does not exist", file.display()));
        }
        is_there
    }

    /// The files that a pattern stands for, beside the list, sorted.
    fn found(&mut self, value: &Spanned<DeValue>) -> Vec<PathBuf> {
        let Some(pattern) = self.text(value, "files") else { return Vec::new() };
        let folder = self.path.parent().unwrap_or(Path::new(""));
        match super::set::matching(folder, &pattern) {
            Ok(files) if files.is_empty() => self.error(value.span(), format!("no file matches `{pattern}`")),
            Ok(files) => return files,
            Err(problem) => self.error(value.span(), problem),
        }
        Vec::new()
    }

    fn expected(&mut self, entries: &DeTable) -> Expected {
        let Some(value) = entries.get("expect") else { return Expected::NoError };
        if let DeValue::Table(targets) = value.get_ref() {
            let mut expected = Vec::new();
            for (name, verdict) in in_order(targets) {
                if let Some(word) = self.verdict(verdict, &OF_TARGETS) {
                    expected.push((name.get_ref().to_string(), word));
                }
            }
            return Expected::Targets(expected);
        }
        self.verdict(value, &VERDICTS).map_or(Expected::NoError, Expected::Verdict)
    }

    fn verdict(&mut self, value: &Spanned<DeValue>, known: &[&str]) -> Option<String> {
        let word = self.text(value, "expect")?;
        if known.contains(&word.as_str()) {
            return Some(word);
        }
        let lower = word.to_lowercase();
        let all = format!("expected one of `{}`", known.join("`, `"));
        let meant =
            base::nearest(&lower, known.iter().copied()).map(|meant| format!("did you mean `{meant}`? "));
        self.error(value.span(), format!("`{word}` is no verdict; {}{all}", meant.unwrap_or_default()));
        None
    }

    fn text(&mut self, value: &Spanned<DeValue>, key: &str) -> Option<String> {
        match value.get_ref().as_str() {
            Some("") => self.error(value.span(), format!("`{key}` is empty")),
            Some(text) => return Some(text.to_owned()),
            None => self.error(value.span(), format!("`{key}` is a text in quotes, and not {}", kind(value))),
        }
        None
    }

    /// The options among some entries, beside keys of our own.
    fn options(&mut self, entries: &DeTable, own: &[&str]) -> Vec<Setting> {
        let mut options = Vec::new();
        for (key, value) in in_order(entries) {
            let name = key.get_ref().as_ref();
            if own.contains(&name) && OWN.contains(&name) {
                continue;
            }
            let known = self
                .table
                .get_arguments()
                .find(|option| task::name(option).as_deref() == Some(name))
                .cloned();
            match known.filter(|_| !NOT_HERE.contains(&name)) {
                Some(option) => {
                    let words = self.words(&option, name, value);
                    options.push(Setting { name: name.to_owned(), words, place: Some(value.span()) });
                }
                None if NOT_HERE.contains(&name) => {
                    self.error(
                        key.span(),
                        format!(
                            "`{name}` is an option of the command that reads the list, and not of a check"
                        ),
                    );
                }
                None => self.unknown(key.span(), name, own),
            }
        }
        options
    }

    /// What an option with this value is on a command line.
    fn words(&mut self, option: &Arg, name: &str, value: &Spanned<DeValue>) -> Vec<OsString> {
        match value.get_ref() {
            DeValue::Boolean(is_set) if task::is_flag(option) => {
                is_set.then(|| OsString::from(format!("--{name}"))).into_iter().collect()
            }
            _ if task::is_flag(option) => {
                self.error(value.span(), format!("`{name}` is true or false, and not {}", kind(value)));
                Vec::new()
            }
            DeValue::Array(values) if task::is_list(option) => {
                values.iter().flat_map(|value| self.one(option, name, value)).collect()
            }
            _ => self.one(option, name, value),
        }
    }

    fn one(&mut self, option: &Arg, name: &str, value: &Spanned<DeValue>) -> Vec<OsString> {
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().replace('_', ""),
            DeValue::Float(number) => number.as_str().replace('_', ""),
            _ => {
                self.error(value.span(), format!("`{name}` is a text or a number, and not {}", kind(value)));
                return Vec::new();
            }
        };
        if task::is_file(option, &text) && !self.is_there(value, Path::new(&text)) {
            return Vec::new();
        }
        task::words(name, OsStr::new(&text))
    }

    fn unknown(&mut self, place: Range<usize>, name: &str, own: &[&str]) {
        let is_top = own == TOP;
        let of_options = self.table.get_arguments().filter_map(task::name);
        let mut known: Vec<String> =
            of_options.filter(|name| !is_top && !NOT_HERE.contains(&name.as_str())).collect();
        known.extend(own.iter().filter(|name| is_top || OWN.contains(name)).map(|name| (*name).to_owned()));
        let meant = base::nearest(name, known.iter().map(String::as_str));
        let hint = match meant {
            Some(meant) => format!("; did you mean `{meant}`?"),
            None if is_top => "; a list has `[[check]]` and `[defaults]`".to_owned(),
            None => {
                "; keys are `name`, `file`, `files`, `expect` and the options of `getafix check`".to_owned()
            }
        };
        self.error(place, format!("there is no key `{name}`{hint}"));
    }

    /// The options go together and have values that they can have; what is wrong is told where it stands.
    fn is_accepted(&mut self, place: &Range<usize>, options: &[Setting], file: &Path) -> bool {
        let words = options.iter().flat_map(|option| option.words.iter().cloned());
        let start = ["getafix", "check"].map(OsString::from);
        let all = start.into_iter().chain(words).chain([OsString::from("--"), file.as_os_str().to_owned()]);
        let Err(error) = Cli::try_parse_from(all) else { return true };
        let argument = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(name)) => name.clone(),
            Some(ContextValue::Strings(names)) => names.first().cloned().unwrap_or_default(),
            _ => String::new(),
        };
        let name = argument.split([' ', '=']).next().unwrap_or_default().trim_start_matches('-');
        let at = options.iter().find(|option| option.name == name).and_then(|option| option.place.clone());
        let text = error.render().to_string();
        // The options that it is about stand below, each on a line; then come an empty one and advice for the command line.
        let told: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        let message = told.join(" ").trim_start_matches("error: ").to_owned();
        self.error(at.unwrap_or_else(|| place.clone()), message);
        false
    }
}

/// The entries as they stand in the text.
fn in_order<'t, 'i>(
    table: &'t DeTable<'i>,
) -> Vec<(&'t Spanned<std::borrow::Cow<'i, str>>, &'t Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// What a value is, for messages.
fn kind(value: &Spanned<DeValue>) -> &'static str {
    match value.get_ref() {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a truth value",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

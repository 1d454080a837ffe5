//! Verification tasks: properties in `.prp` files, and `.yml` files that name program, properties and data model.
//!
//! Of YAML, the part that such files use: mappings and lists by indentation, plain and quoted scalars, comments.

use crate::types::DataModel;
use base::{Diagnostic, FileId, Sources, Span};

/// What a property asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    /// A function is never called.
    UnreachCall(String),
    /// Every run ends.
    Termination,
    /// No signed result overflows.
    NoOverflow,
    /// Memory is neither misused nor lost.
    MemorySafety,
    /// Everything that is allocated is freed.
    MemoryCleanup,
}

impl Property {
    /// The property with a name of the competition.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "unreach-call" => Property::UnreachCall("reach_error".to_owned()),
            "termination" => Property::Termination,
            "no-overflow" => Property::NoOverflow,
            "valid-memsafety" => Property::MemorySafety,
            "valid-memcleanup" => Property::MemoryCleanup,
            _ => return None,
        })
    }
}

/// A program with questions about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The file names of the program, as written: relative to the task.
    pub inputs: Vec<String>,
    /// The files of the properties, each with the verdict that is expected, if it is given.
    pub properties: Vec<(String, Option<bool>)>,
    /// How large the types are.
    pub data_model: Option<DataModel>,
}

/// The property in a `.prp` file, or in a witness. What every property says may be left out: `CHECK( init(main()), … )`, `LTL(…)`.
pub fn read_property(sources: &Sources, file: FileId) -> Result<Property, Diagnostic> {
    let text = &sources.file(file).text;
    let start = text.len() - text.trim_start().len();
    let words: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let within = |start: &str, words: &str| Some(words.strip_prefix(start)?.strip_suffix(')')?.to_owned());
    let checked = within("CHECK(", &words).unwrap_or_else(|| words.clone());
    let formula = checked.strip_prefix("init(main()),").unwrap_or(&checked);
    let formula = within("LTL(", formula).unwrap_or_else(|| formula.to_owned());
    let call = |inside: &str| {
        let name = inside.strip_prefix("G!call(")?.strip_suffix("())")?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        (!name.is_empty() && name.chars().all(is_name)).then(|| Property::UnreachCall(name.to_owned()))
    };
    let property = match &formula[..] {
        _ if is_memory_safety(&words) => Some(Property::MemorySafety),
        "Gvalid-memcleanup" => Some(Property::MemoryCleanup),
        "Fend" => Some(Property::Termination),
        "G!overflow" => Some(Property::NoOverflow),
        other => call(other),
    };
    property.ok_or_else(|| {
        let span = Span::new(file, start..text.trim_end().len().max(start));
        let error = Diagnostic::error(span, "this property is not supported");
        error.note(
            "supported are `CHECK( init(main()), LTL(G ! call(NAME())) )`, `LTL(F end)`, `LTL(G ! overflow)`, `LTL(G valid-memcleanup)`, and \
             `LTL(G valid-free)`, `LTL(G valid-deref)` and `LTL(G valid-memtrack)` together",
            None,
        )
    })
}

/// Whether these are the three properties of memory that go together.
fn is_memory_safety(words: &str) -> bool {
    let parts: Vec<&str> = words.split("CHECK(").filter(|part| !part.is_empty()).collect();
    let is = |name: &str| {
        let whole = format!("init(main()),LTL(G{name}))");
        parts.iter().any(|part| *part == whole)
    };
    parts.len() == 3 && ["valid-free", "valid-deref", "valid-memtrack"].into_iter().all(is)
}

/// One line of a `.yml` file.
struct Line<'t> {
    indent: usize,
    /// It begins an element of a list.
    is_item: bool,
    key: Option<&'t str>,
    value: &'t str,
    span: Span,
}

/// The task in a `.yml` file.
pub fn read_task(sources: &Sources, file: FileId) -> Result<Task, Diagnostic> {
    let text = &sources.file(file).text;
    let lines = lines(text, file)?;
    let mut task = Task { inputs: Vec::new(), properties: Vec::new(), data_model: None };
    let mut section = "";
    for line in &lines {
        if line.indent == 0 && !line.is_item {
            section = line.key.unwrap_or("");
        }
        entry(&mut task, section, line)?;
    }
    if task.inputs.is_empty() {
        return Err(Diagnostic::error(Span::new(file, 0..0), "the task names no `input_files`"));
    }
    Ok(task)
}

/// What a line adds to the task.
fn entry(task: &mut Task, section: &str, line: &Line) -> Result<(), Diagnostic> {
    match (section, line.key) {
        ("input_files", _) if !line.value.is_empty() => task.inputs.extend(list(line.value)),
        ("properties", Some("property_file")) => task.properties.push((scalar(line.value), None)),
        ("properties", Some("expected_verdict")) => {
            let verdict = match scalar(line.value).as_str() {
                "true" => true,
                "false" => false,
                _ => return Err(Diagnostic::error(line.span, "a verdict is `true` or `false`")),
            };
            if let Some((_, expected)) = task.properties.last_mut() {
                *expected = Some(verdict);
            }
        }
        ("options", Some("data_model")) => {
            task.data_model = Some(match scalar(line.value).as_str() {
                "ILP32" => DataModel::Ilp32,
                "LP64" => DataModel::Lp64,
                other => {
                    let message = format!("the data model is `ILP32` or `LP64`, not `{other}`");
                    return Err(Diagnostic::error(line.span, message));
                }
            });
        }
        ("options", Some("language")) if !matches!(scalar(line.value).as_str(), "C") => {
            return Err(Diagnostic::error(line.span, "the language of the task is not C"));
        }
        _ => {}
    }
    Ok(())
}

/// The lines that say something.
fn lines(text: &str, file: FileId) -> Result<Vec<Line<'_>>, Diagnostic> {
    let mut lines = Vec::new();
    let mut at = 0;
    for full in text.split_inclusive('\n') {
        let start = at;
        at += full.len();
        let content = without_comment(full).trim_end();
        let trimmed = content.trim_start();
        if trimmed.is_empty() || trimmed == "---" {
            continue;
        }
        let mut indent = content.len() - trimmed.len();
        let span = Span::new(file, start + indent..start + content.len());
        if content[..indent].contains('\t') {
            return Err(Diagnostic::error(span, "YAML is indented by spaces"));
        }
        let (is_item, rest) = match trimmed.strip_prefix('-') {
            Some(rest) if rest.is_empty() || rest.starts_with(' ') => (true, rest.trim_start()),
            _ => (false, trimmed),
        };
        if is_item {
            indent += trimmed.len() - rest.len();
        }
        let (key, value) = match rest.split_once(':') {
            Some((key, value)) if value.is_empty() || value.starts_with(' ') => {
                (Some(key.trim()), value.trim())
            }
            _ if is_item => (None, rest),
            _ => return Err(Diagnostic::error(span, "expected `key: value` or `- value`")),
        };
        lines.push(Line { indent, is_item, key, value, span });
    }
    Ok(lines)
}

/// The line up to a `#` that is in no quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, '#') if at == 0 || line[..at].ends_with(char::is_whitespace) => return &line[..at],
            _ => {}
        }
    }
    line
}

/// A value without its quotes.
fn scalar(value: &str) -> String {
    let value = value.trim();
    let unquoted = ['\'', '"'].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    unquoted.unwrap_or(value).to_owned()
}

/// One value, or several in brackets.
fn list(value: &str) -> Vec<String> {
    match value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(inside) => inside.split(',').map(scalar).filter(|value| !value.is_empty()).collect(),
        None => vec![scalar(value)],
    }
}

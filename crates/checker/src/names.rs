//! Names of the program in formulas, as the notes declare them: `A`, which whoever asks must say more about, or `A = "text"`, which he may
//! say otherwise; so one file serves many programs. `#label` is for places (see `labels`), `#function F = "work";` for functions, and
//! `#variable X = "work:failed";` for variables, of which both make a set.

use base::{Diagnostic, Severity, Span, nearest};
use calculus::syntax::{Note, NoteKind, NotePart};
use rsm::{ModuleId, Place, Rsm};
use templates::{Templates, Word};

/// The notes that name something of the program which whoever asks may say otherwise, and what that is called.
const KINDS: [Kind; 3] = [
    Kind { note: "#label", what: "label", example: "f:L", open: "function:LABEL" },
    Kind { note: "#function", what: "function", example: "f", open: "function" },
    Kind { note: "#variable", what: "variable", example: "f:x", open: "function:variable" },
];

/// What a note names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub note: &'static str,
    pub what: &'static str,
    example: &'static str,
    open: &'static str,
}

/// What kind of names a note declares.
pub(crate) fn kind(note: &Note) -> Option<Kind> {
    KINDS.into_iter().find(|kind| kind.note == note.word)
}

/// A declaration of a note.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub kind: Kind,
    pub name: String,
    /// What it stands for, in the words of the file or of whoever asks.
    pub text: String,
    /// Where the name is declared.
    pub span: Span,
    /// Where the text stands; none if it is in no file.
    place: Option<Span>,
}

impl Written {
    /// What is wrong with the text.
    pub fn error(&self, error: &str) -> Diagnostic {
        match self.place {
            Some(span) => Diagnostic::error(span, error),
            None => nowhere(format!("`--{} {}={}`: {error}", self.kind.what, self.name, self.text)),
        }
    }
}

/// A mistake that stands in no file.
fn nowhere(message: String) -> Diagnostic {
    Diagnostic { severity: Severity::Error, message, span: None, notes: Vec::new() }
}

/// What some notes declare; `given` is what whoever asks has said.
pub(crate) fn written(notes: &[Note], given: &[(String, String)]) -> Result<Vec<Written>, Vec<Diagnostic>> {
    let (mut found, mut errors): (Vec<Written>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    for (note, kind) in notes.iter().filter_map(|note| Some((note, kind(note)?))) {
        for parts in note.parts.split(|part| part.kind == NoteKind::Mark && part.text == ",") {
            match declared(note, kind, parts, given) {
                Ok(new) => match found.iter().find(|known| known.name == new.name) {
                    Some(known) => {
                        let message = format!("`{}` is a {} already", new.name, known.kind.what);
                        errors.push(
                            Diagnostic::error(new.span, message)
                                .note("it is declared here", Some(known.span)),
                        );
                    }
                    None => found.push(new),
                },
                Err(error) => errors.push(error),
            }
        }
    }
    let unknown = given.iter().find(|(name, _)| found.iter().all(|written| written.name != *name));
    if let Some((name, _)) = unknown.filter(|_| errors.is_empty()) {
        let known: Vec<String> = found.iter().map(|written| format!("`{}`", written.name)).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        errors.push(nowhere(match found.iter().all(|written| written.kind.note == "#label") {
            true => format!("the formula has no `#label {name}`; its labels are: {known}"),
            false => format!("the formula has no name `{name}`; its names are: {known}"),
        }));
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

/// One of the declarations of a note: `A`, or `A = "text"`.
fn declared(
    note: &Note,
    kind: Kind,
    parts: &[NotePart],
    given: &[(String, String)],
) -> Result<Written, Diagnostic> {
    let Kind { what, example, open, .. } = kind;
    let expected = |at: usize, what: &str| match parts.get(at) {
        Some(part) => Diagnostic::error(part.span, format!("expected {what}, found `{}`", part.text)),
        None => Diagnostic::error(note.span, format!("expected {what}")),
    };
    let name = parts.first().filter(|part| part.kind == NoteKind::Name);
    let name = name.ok_or_else(|| expected(0, "the name of a relation"))?;
    let text = match &parts[1..] {
        [] => None,
        [mark, text] if mark.text == "=" && text.kind == NoteKind::Text => Some(text),
        [mark, ..] if mark.text == "=" => {
            return Err(expected(2, &format!("a {what} in quotes, as in `\"{example}\"`")));
        }
        _ => return Err(expected(1, "`=`")),
    };
    let given = given.iter().rev().find(|(known, _)| *known == name.text);
    let (text, place) = match (given, text) {
        (Some((_, text)), _) => (text.clone(), None),
        (None, Some(text)) => (text.text.clone(), Some(text.span)),
        (None, None) => {
            let message = format!("which {what} is `{}`? The file leaves it open", name.text);
            let note = format!("say it with `--{what} {}={open}`", name.text);
            return Err(Diagnostic::error(name.span, message).note(note, None));
        }
    };
    Ok(Written { kind, name: name.text.clone(), text, span: name.span, place })
}

/// A word would have the name of another one.
pub(crate) fn clash(templates: &Templates, name: &str, span: Span) -> Result<(), Vec<Diagnostic>> {
    if templates.words().iter().all(|word| word.name != name) {
        return Ok(());
    }
    let message = format!("`{name}` is a word of the program already; choose another name");
    Err(vec![Diagnostic::error(span, message)])
}

/// Functions or variables that have a name in the formula.
#[derive(Clone, Debug)]
pub(crate) struct NamedSet {
    written: Written,
    members: Members,
}

#[derive(Clone, Debug)]
enum Members {
    Functions(Vec<ModuleId>),
    Variables(Vec<(ModuleId, Place)>),
}

/// The functions and variables that have names.
pub(crate) fn sets(written: &[Written], rsm: &Rsm) -> Result<Vec<NamedSet>, Vec<Diagnostic>> {
    let (mut sets, mut errors) = (Vec::new(), Vec::new());
    for written in written {
        let members = match written.kind.note {
            "#function" => functions(rsm, &written.text).map(Members::Functions),
            "#variable" => variables(rsm, &written.text).map(Members::Variables),
            _ => continue,
        };
        match members {
            Ok(members) => sets.push(NamedSet { written: written.clone(), members }),
            Err(error) => errors.push(written.error(&error)),
        }
    }
    if errors.is_empty() { Ok(sets) } else { Err(errors) }
}

/// The functions of some names, with commas between them.
fn functions(rsm: &Rsm, text: &str) -> Result<Vec<ModuleId>, String> {
    let mut found = Vec::new();
    for name in text.split(',').map(str::trim) {
        let modules = rsm.modules.iter().enumerate().filter(|(_, module)| module.name == name);
        let modules: Vec<ModuleId> = modules.map(|(m, _)| ModuleId::new(m)).collect();
        if modules.is_empty() {
            let known = nearest(name, rsm.modules.iter().map(|module| module.name.as_str()));
            return Err(unknown(&format!("there is no function `{name}`"), known));
        }
        found.extend(modules);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn unknown(message: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => format!("{message}; did you mean `{near}`?"),
        None => message.to_owned(),
    }
}

/// The variables of some names, with commas between them: `x` is a global, `f:x` a parameter or a local of `f`.
fn variables(rsm: &Rsm, text: &str) -> Result<Vec<(ModuleId, Place)>, String> {
    let mut found = Vec::new();
    for name in text.split(',').map(str::trim) {
        let (modules, name) = match name.split_once(':') {
            None => (None, name),
            Some((function, name)) => (Some((functions(rsm, function)?, function.trim())), name.trim()),
        };
        let before = found.len();
        for m in modules.iter().flat_map(|(modules, _)| modules) {
            let locals = (0..).zip(&rsm.module(*m).locals).filter(|(_, local)| local.name == name);
            found.extend(locals.map(|(n, _)| (*m, Place::Local(n))));
        }
        if modules.is_none() {
            let globals = (0..).zip(&rsm.globals).filter(|(_, global)| global.name == name);
            found.extend(globals.map(|(n, _)| (rsm.main, Place::Global(n))));
        }
        if found.len() == before {
            return Err(no_variable(rsm, modules, name));
        }
    }
    Ok(found)
}

fn no_variable(rsm: &Rsm, modules: Option<(Vec<ModuleId>, &str)>, name: &str) -> String {
    match modules {
        Some((modules, function)) => {
            let locals = modules.iter().flat_map(|m| &rsm.module(*m).locals);
            let known = nearest(name, locals.map(|local| local.name.as_str()));
            unknown(&format!("`{function}` has no parameter and no local `{name}`"), known)
        }
        None => {
            let owner = rsm.modules.iter().find(|m| m.locals.iter().any(|local| local.name == name));
            let message = format!("there is no global `{name}`");
            match owner {
                Some(owner) => format!("{message}; did you mean `{}:{name}`?", owner.name),
                None => unknown(&message, nearest(name, rsm.globals.iter().map(|g| g.name.as_str()))),
            }
        }
    }
}

/// Makes words of sets.
pub(crate) fn add(sets: &[NamedSet], templates: &mut Templates) -> Result<(), Vec<Diagnostic>> {
    for NamedSet { written, members } in sets {
        clash(templates, &written.name, written.span)?;
        let (name, text) = (written.name.clone(), written.text.as_str());
        templates.add(match members {
            Members::Functions(functions) => Word::functions(name, text, functions.clone()),
            Members::Variables(variables) => Word::variables(name, text, variables.clone()),
        });
    }
    Ok(())
}

/// Which each is: `F = work, Module 1`, `X = work.failed, Variable 3`.
pub(crate) fn show(sets: &[NamedSet], templates: &Templates) -> String {
    let mut out = String::new();
    for NamedSet { written, members } in sets {
        let name = &written.name;
        match members {
            Members::Functions(functions) => functions.iter().for_each(|m| {
                let function = &templates.rsm.module(*m).name;
                out.push_str(&format!("{name} = {function}, Module {}\n", m.index()));
            }),
            Members::Variables(variables) => variables.iter().for_each(|(m, place)| {
                let number = templates.variable_number(*m, *place);
                let variable = templates.variable_name(number);
                out.push_str(&format!("{name} = {variable}, Variable {number}\n"));
            }),
        }
    }
    out
}

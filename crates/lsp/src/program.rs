//! Boolean programs: what is wrong with one, which function a place is in, and what `check` would look for.

use base::{Diagnostic, Span};
use bp::ast::{Function, Program, StatementKind, Thread};
use bp::{Concurrency, ThreadOptions};

/// Labels that are targets if nothing else is said, and so keep their names.
pub const TARGET_LABELS: [&str; 3] = ["ERROR", "ERR", "SLIC_ERROR"];

/// What is wrong with a program that is written as it should be.
pub fn mistakes(program: Program) -> Vec<Diagnostic> {
    let (checked, mut found) = match bp::check(program) {
        Ok(checked) => checked,
        Err(errors) => return errors,
    };
    let lowered = match bp::concurrency(&checked, false) {
        Concurrency::Sequential => bp::lower(&checked).err(),
        Concurrency::Threads | Concurrency::RunTime => {
            bp::lower_threads(&checked, ThreadOptions { slots: 2, async_labels: false }).err()
        }
    };
    found.extend(lowered.into_iter().flatten());
    found
}

/// All functions with their threads.
pub fn functions(program: &Program) -> impl Iterator<Item = (Option<&Thread>, &Function)> {
    let own = program.unit.functions.iter().map(|function| (None, function));
    let of_threads = program
        .threads
        .iter()
        .flat_map(|thread| thread.unit.functions.iter().map(move |function| (Some(thread), function)));
    own.chain(of_threads)
}

/// The function around a place.
pub fn function_at(program: &Program, at: usize) -> Option<&Function> {
    let is_inside =
        |function: &Function| (function.head.start as usize..=function.end.end as usize).contains(&at);
    functions(program).map(|(_, function)| function).find(|function| is_inside(function))
}

/// Something that can be checked: where it stands, what the lens says, and the target, if it is one.
pub struct Checkable {
    /// Where it stands.
    pub span: Span,
    /// What a click does.
    pub title: String,
    /// The target on the command line; none for all of them.
    pub target: Option<String>,
}

/// The `main` of a program, labels of errors, and assertions.
pub fn checkable(program: &Program) -> Vec<Checkable> {
    let mut found = Vec::new();
    for (thread, function) in functions(program) {
        let name = program.text(function.name);
        if name == "main" {
            found.push(Checkable { span: function.head, title: "check".to_owned(), target: None });
        }
        let whole =
            thread.map_or_else(|| name.to_owned(), |thread| format!("{}.{name}", program.text(thread.name)));
        for statement in &function.body {
            let labels = statement.labels.iter().map(|label| (label, program.text(*label)));
            for (label, text) in labels.filter(|(_, text)| TARGET_LABELS.contains(text)) {
                let target = Some(format!("{whole}:{text}"));
                found.push(Checkable { span: label.span, title: format!("check {text}"), target });
            }
            if let StatementKind::Assert(_) = statement.kind {
                let (title, target) = ("check assertions".to_owned(), Some("assert".to_owned()));
                found.push(Checkable { span: statement.span, title, target });
            }
        }
    }
    found
}

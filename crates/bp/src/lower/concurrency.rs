//! Which programs are concurrent, and why.

use crate::ast::{Call, Name, Program, Statement, StatementKind};
use crate::check::Checked;
use base::Diagnostic;

/// How a program comes to have several threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Concurrency {
    /// It has one.
    Sequential,
    /// They are declared in `thread` blocks.
    Threads,
    /// They are started, or at least ended, by statements.
    RunTime,
}

/// How a program comes to have several threads. With `async_labels` a call counts as the start of a thread if one of its
/// labels begins with `ASYNC_`.
pub fn concurrency(checked: &Checked, async_labels: bool) -> Concurrency {
    let program = checked.program();
    if !program.threads.is_empty() {
        return Concurrency::Threads;
    }
    let mut statements = program.unit.functions.iter().flat_map(|function| &function.body);
    if statements.any(|statement| is_about_threads(program, statement, async_labels)) {
        return Concurrency::RunTime;
    }
    Concurrency::Sequential
}

fn is_about_threads(program: &Program, statement: &Statement, async_labels: bool) -> bool {
    matches!(statement.kind, StatementKind::EndThread) || started(program, statement, async_labels).is_some()
}

/// Why a program is not sequential.
pub(super) fn refusal(checked: &Checked) -> Option<Diagnostic> {
    let program = checked.program();
    if let Some(thread) = program.threads.first() {
        return Some(Diagnostic::error(thread.head, "this program is concurrent: it has threads"));
    }
    let mut statements = program.unit.functions.iter().flat_map(|function| &function.body);
    let statement = statements.find(|statement| is_about_threads(program, statement, false))?;
    let what = if matches!(statement.kind, StatementKind::EndThread) { "ends" } else { "starts" };
    Some(Diagnostic::error(statement.span, format!("this program is concurrent: it {what} a thread here")))
}

/// What a statement starts as a thread.
pub(super) enum Started<'s> {
    /// A function with arguments.
    Function(&'s Call),
    /// The present function at a label.
    Goto(Name),
}

/// What a statement starts as a thread, if it does.
pub(super) fn started<'s>(
    program: &Program,
    statement: &'s Statement,
    async_labels: bool,
) -> Option<Started<'s>> {
    match &statement.kind {
        StatementKind::StartThread(call) => Some(Started::Function(call)),
        StatementKind::StartThreadGoto(label) => Some(Started::Goto(*label)),
        StatementKind::Call { call, .. } if async_labels && is_async(program, statement) => {
            Some(Started::Function(call))
        }
        _ => None,
    }
}

/// A label says that the call does not wait.
fn is_async(program: &Program, statement: &Statement) -> bool {
    statement.labels.iter().any(|label| program.text(*label).starts_with("ASYNC_"))
}

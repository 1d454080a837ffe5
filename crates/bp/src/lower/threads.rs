//! From a checked program with threads to a concurrent machine.
//!
//! Contract: the modules of each block follow one another, functions in the order of the text before the clones that
//! atomic blocks call. The globals are those that the text shares, values at the start, then those of each block.

use super::concurrency::started;
use super::{Setting, atomic, condition, modules, run_time, variables};
use crate::ast::{self, StatementKind, Thread, Unit};
use crate::check::{Checked, CheckedUnit};
use base::{Diagnostic, Span};
use rsm::{Concurrent, Copies, Expr, ModuleId, Operation, Place, Rsm, ThreadBlock, Type};
use std::collections::BTreeMap;

/// How a concurrent program is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreadOptions {
    /// So many of the threads that are started at run time get to run; within k context switches, k suffice.
    pub slots: usize,
    /// A call starts a thread if one of its labels begins with `ASYNC_`.
    pub async_labels: bool,
}

/// The machine of a program with threads. A sequential program has one, `main`.
pub fn lower_threads(checked: &Checked, options: ThreadOptions) -> Result<Concurrent, Vec<Diagnostic>> {
    let program = checked.program();
    if program.threads.is_empty() {
        return run_time::lower(checked, options);
    }
    let diagnostics = complaints(checked, options.async_labels);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let mut lowering = Threads::new(checked);
    let threads = program.threads.iter().zip(&checked.units);
    let blocks: Vec<ThreadBlock> = threads.map(|(thread, unit)| lowering.block(thread, unit)).collect();
    let machine = Rsm {
        globals: lowering.globals,
        init: lowering.init,
        modules: lowering.modules,
        main: blocks[0].main,
    };
    Ok(Concurrent {
        machine,
        n_shared: lowering.n_shared,
        blocks,
        is_whole: true,
        slots: Vec::new(),
        starts: Vec::new(),
    })
}

/// What thread blocks cannot have.
fn complaints(checked: &Checked, async_labels: bool) -> Vec<Diagnostic> {
    let program = checked.program();
    let mut diagnostics = Vec::new();
    for thread in &program.threads {
        if let ast::Copies::Fixed(n) = thread.copies
            && u32::try_from(n).is_err()
        {
            let message = format!("a thread has at most {} copies, found {n}", u32::MAX);
            diagnostics.push(Diagnostic::error(thread.head, message));
        }
        for statement in thread.unit.functions.iter().flat_map(|function| &function.body) {
            if started(program, statement, async_labels).is_some() {
                let message = "a thread of a `thread` block cannot start another one: \
                               threads are started at run time in programs without `thread` blocks";
                diagnostics.push(Diagnostic::error(statement.span, message));
            }
        }
    }
    diagnostics
}

/// Some statement sets the flag.
pub(super) fn uses_flag(unit: &Unit) -> bool {
    let mut statements = unit.functions.iter().flat_map(|function| &function.body);
    statements.any(|s| matches!(s.kind, StatementKind::AtomicBegin | StatementKind::AtomicEnd))
}

/// The variable that `atomic_begin` and `atomic_end` set.
pub(super) fn flag(span: Span) -> rsm::Variable {
    rsm::Variable { name: "$atomic".to_owned(), ty: Type::Bool, span }
}

/// The flag is not set at the start.
pub(super) fn flag_is_clear(place: u32) -> Expr {
    condition::global(place, &Type::Bool).negated()
}

/// The machine as far as it is made.
struct Threads<'c> {
    checked: &'c Checked,
    globals: Vec<rsm::Variable>,
    n_shared: usize,
    init: Vec<Expr>,
    modules: Vec<rsm::Module>,
    /// The variables that keep the values which shared variables have at the start.
    at_start: BTreeMap<u32, u32>,
}

impl<'c> Threads<'c> {
    /// The shared part.
    fn new(checked: &'c Checked) -> Self {
        let mut globals = variables(checked, &checked.shared.variables);
        let mut init: Vec<Expr> =
            checked.shared.init.iter().map(|condition| checked.code(*condition)).collect();
        let mut at_start = BTreeMap::new();
        // A thread's first step may come late: what its `init` says about shared variables is about earlier values.
        for place in shared_in_init(checked) {
            let rsm::Variable { name, ty, span } = globals[place as usize].clone();
            let kept = globals.len() as u32;
            init.push(condition::equal(&condition::global(kept, &ty), &condition::global(place, &ty)));
            globals.push(rsm::Variable { name: format!("$start.{name}"), ty, span });
            at_start.insert(place, kept);
        }
        Self { checked, n_shared: globals.len(), globals, init, modules: Vec::new(), at_start }
    }

    fn block(&mut self, thread: &Thread, unit: &CheckedUnit) -> ThreadBlock {
        let first_private = self.globals.len() as u32;
        self.globals.extend(variables(self.checked, &unit.private.variables));
        let flag = uses_flag(&thread.unit).then(|| {
            self.globals.push(flag(thread.name.span));
            self.globals.len() as u32 - 1
        });
        let n_shared = self.checked.shared.variables.len() as u32;
        let first_module = self.modules.len();
        let shift = first_private - n_shared;
        let setting = Setting { first_module, n_shared, shift, flag, starts: None };
        self.modules.extend(modules(self.checked, &thread.unit, unit, &setting));
        atomic::inherit(&mut self.modules, first_module);
        let mut init: Vec<Expr> = unit
            .private
            .init
            .iter()
            .map(|condition| self.init(setting.expression(self.checked.code(*condition))))
            .collect();
        init.extend(flag.map(flag_is_clear));
        ThreadBlock {
            name: self.checked.program().text(thread.name).to_owned(),
            span: thread.name.span,
            copies: copies(thread),
            main: setting.module(unit.main),
            modules: (first_module..self.modules.len()).map(ModuleId::new).collect(),
            private: (first_private..self.globals.len() as u32).collect(),
            init,
            flag,
        }
    }

    /// A thread's initial condition, about the values at the start.
    fn init(&self, mut condition: Expr) -> Expr {
        for term in &mut condition.code {
            if let Operation::Read(Place::Global(place)) = &mut term.operation
                && let Some(kept) = self.at_start.get(place)
            {
                *place = *kept;
            }
        }
        condition
    }
}

/// The shared variables that initial conditions of threads read, ascending.
fn shared_in_init(checked: &Checked) -> Vec<u32> {
    let n_shared = checked.shared.variables.len() as u32;
    let mut found = Vec::new();
    for condition in checked.units.iter().flat_map(|unit| &unit.private.init) {
        found.extend(checked.code(*condition).reads().filter_map(|place| match place {
            Place::Global(n) if n < n_shared => Some(n),
            _ => None,
        }));
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn copies(thread: &Thread) -> Copies {
    match thread.copies {
        ast::Copies::Single => Copies::Number(1),
        ast::Copies::Fixed(n) => Copies::Number(u32::try_from(n).expect("larger numbers are refused")),
        ast::Copies::Any => Copies::Any,
    }
}

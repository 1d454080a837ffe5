//! From a checked program that starts threads to a concurrent machine.
//!
//! Contract: the blocks are `main` and one for each slot, `thread1`, `thread2` and so on, one thread each. The modules
//! are the functions in the order of the text, the functions that begin at a label, the clones that atomic blocks call,
//! and for each slot the module that waits for something to run. All blocks have the flag in one place.

use super::behind;
use super::concurrency::started;
use super::flow::Flow;
use super::start::{Slot, Starts};
use super::threads::{flag, flag_is_clear, uses_flag};
use super::{Setting, ThreadOptions, atomic, modules, variables};
use crate::ast::StatementKind;
use crate::check::Checked;
use base::Diagnostic;
use rsm::{Action, Concurrent, Copies, Edge, Module, ModuleId, Node, NodeId, Rsm, ThreadBlock};
use std::ops::Range;

/// The machine of a program without `thread` blocks.
pub(super) fn lower(checked: &Checked, options: ThreadOptions) -> Result<Concurrent, Vec<Diagnostic>> {
    let starts = Starts::new(checked, options);
    let mut diagnostics = stored_results(checked, options.async_labels);
    diagnostics.extend(started_inside(checked, &starts));
    if !diagnostics.is_empty() {
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
        return Err(diagnostics);
    }
    let tree = &checked.program().unit;
    let main = checked.units[0].main;
    let span = tree.functions[main as usize].name.span;
    let mut globals = variables(checked, &checked.shared.variables);
    globals.extend(starts.variables(span));
    let n_shared = globals.len();
    let place = uses_flag(tree).then_some(n_shared as u32);
    globals.extend(place.map(|_| flag(span)));
    let mut init: Vec<_> = checked.shared.init.iter().map(|condition| checked.code(*condition)).collect();
    init.extend(starts.init());
    let setting = Setting { flag: place, starts: Some(&starts), ..Setting::sequential() };
    let flows: Vec<Flow> = tree.functions.iter().map(|function| Flow::new(&function.body)).collect();
    let Code { modules, functions, blocks: mains } = code(checked, &setting, &starts, &flows);
    let block = |(main, modules): (ModuleId, Vec<ModuleId>), name| ThreadBlock {
        name,
        span,
        copies: Copies::Number(1),
        main,
        modules,
        private: place.into_iter().collect(),
        init: place.into_iter().map(flag_is_clear).collect(),
        flag: place,
    };
    let names = std::iter::once("main".to_owned()).chain((1..).map(slot_name));
    let blocks = mains.into_iter().zip(names).map(|(main, name)| block(main, name)).collect();
    let machine = Rsm { globals, init, modules, main: ModuleId(main) };
    let slots = starts.hand_over();
    let mut concurrent = Concurrent { machine, n_shared, blocks, is_whole: false, slots, starts: Vec::new() };
    behind::record(checked, &starts, &flows, &functions, &mut concurrent);
    Ok(concurrent)
}

/// The name of the thread of a slot; slots are counted from 1.
fn slot_name(number: usize) -> String {
    format!("thread{number}")
}

/// All modules.
struct Code {
    modules: Vec<Module>,
    /// The functions that the first modules are made of. Those that wait for something to run are made of none.
    functions: Vec<u32>,
    /// For each block where it starts and what it may run.
    blocks: Vec<(ModuleId, Vec<ModuleId>)>,
}

fn code(checked: &Checked, setting: &Setting<'_>, starts: &Starts, flows: &[Flow]) -> Code {
    let unit = &checked.units[0];
    let mut modules = modules(checked, &checked.program().unit, unit, setting);
    let functions = 0..modules.len();
    let mut made_of: Vec<u32> = (0..modules.len() as u32).collect();
    let callees = match starts.slots.is_empty() {
        true => Vec::new(),
        false => beginnings(starts, flows, &mut modules, &mut made_of),
    };
    let begun = functions.end..modules.len();
    let cloned = atomic::inherit(&mut modules, 0);
    made_of.extend(cloned.iter().map(|original| made_of[original.index()]).collect::<Vec<u32>>());
    let clones = begun.end..modules.len();
    // Only slots call functions that begin at a label.
    let ids = |range: Range<usize>| range.map(ModuleId::new);
    let mut blocks = vec![(ModuleId(unit.main), ids(functions).chain(ids(clones.clone())).collect())];
    for (n, slot) in starts.slots.iter().enumerate() {
        let waiting = ModuleId::new(modules.len());
        modules.push(wait(starts, slot, slot_name(n + 1), &callees, &modules));
        blocks.push((waiting, ids(0..clones.end).chain([waiting]).collect()));
    }
    Code { modules, functions: made_of, blocks }
}

/// Calls that start threads, and variables that wait for their results.
fn stored_results(checked: &Checked, async_labels: bool) -> Vec<Diagnostic> {
    let program = checked.program();
    let mut diagnostics = Vec::new();
    for statement in program.unit.functions.iter().flat_map(|function| &function.body) {
        if let StatementKind::Call { targets, .. } = &statement.kind
            && let Some(stored) = targets.iter().find(|target| target.symbol.is_some())
            && started(program, statement, async_labels).is_some()
        {
            let message = "results of a started thread cannot be stored: \
                           a label that begins with `ASYNC_` makes this call the start of a thread";
            diagnostics.push(Diagnostic::error(stored.span, message));
        }
    }
    diagnostics
}

/// Threads that would begin inside an atomic block. From its start on such a thread would let nobody else run, not even
/// the one that started it; but a slot lets others run until its first step.
fn started_inside(checked: &Checked, starts: &Starts) -> Vec<Diagnostic> {
    let program = checked.program();
    let mut diagnostics = Vec::new();
    for startable in &starts.startables {
        let Some(position) = startable.begin.position else { continue };
        let body = &program.unit.functions[startable.begin.function as usize].body;
        let mut depth = 0;
        for statement in &body[..position as usize] {
            match statement.kind {
                StatementKind::Atomic => depth += 1,
                StatementKind::EndAtomic => depth -= 1,
                _ => {}
            }
        }
        if depth > 0 {
            let name = program.names.shown(startable.name.symbol);
            let message = format!(
                "starting a thread inside an atomic block is not supported, and `{name}` lies in one"
            );
            diagnostics.push(
                Diagnostic::error(startable.statement, message)
                    .note("the label is here", Some(startable.name.span)),
            );
        }
    }
    diagnostics
}

/// The module of each startable. A function that begins at a label is added: all its locals are parameters. Says of what
/// is added which function it is made of.
fn beginnings(
    starts: &Starts,
    flows: &[Flow],
    modules: &mut Vec<Module>,
    made_of: &mut Vec<u32>,
) -> Vec<ModuleId> {
    let mut found = Vec::new();
    for startable in &starts.startables {
        let function = startable.begin.function as usize;
        if startable.begin.position.is_none() {
            found.push(ModuleId::new(function));
            continue;
        }
        let mut module = modules[function].clone();
        module.n_params = module.locals.len();
        module.entry = startable.begin.node(&flows[function]);
        found.push(ModuleId::new(modules.len()));
        modules.push(module);
        made_of.push(startable.begin.function);
    }
    found
}

/// The module of a slot: it waits until it is told what to run, calls it, and returns.
fn wait(starts: &Starts, slot: &Slot, name: String, callees: &[ModuleId], modules: &[Module]) -> Module {
    let node = |span| Node { labels: Vec::new(), span, in_atomic: false };
    let first = starts.startables[0].name.span;
    let end = NodeId::new(callees.len() + 1);
    let exit = NodeId::new(callees.len() + 2);
    let mut nodes = vec![node(first)];
    let (mut edges, mut calls) = (Vec::new(), Vec::new());
    for (n, (startable, callee)) in starts.startables.iter().zip(callees).enumerate() {
        let span = startable.name.span;
        let told = NodeId::new(nodes.len());
        nodes.push(node(span));
        edges.push(Edge { from: NodeId(0), to: told, action: Action::Assume(starts.is_told(slot, n)), span });
        let results = vec![None; modules[callee.index()].results.len()];
        let call = Action::Call { callee: *callee, args: starts.given(slot, n), results };
        calls.push(Edge { from: told, to: end, action: call, span });
    }
    nodes.extend([node(first), node(first)]);
    edges.extend(calls);
    edges.push(Edge { from: end, to: exit, action: Action::Return { values: Vec::new() }, span: first });
    Module {
        name,
        span: first,
        locals: Vec::new(),
        n_params: 0,
        results: Vec::new(),
        enforce: None,
        nodes,
        edges,
        entry: NodeId(0),
        exit,
    }
}

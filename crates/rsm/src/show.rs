//! The text of a recursive state machine, for `--show rsm`, and of its parts, for traces and diagrams.
//!
//! Expressions are printed with the parentheses they need and no others. Nothing is recursive, and the time is linear in
//! the length of the code, however deeply it is nested.

mod expression;

pub use expression::show_expr;

use crate::expr::{Expr, Type};
use crate::machine::{Action, Module, ModuleId, NodeId, Place, Rsm, Variable};
use std::fmt::Write;

/// The whole machine: variables, then each module with its nodes and edges.
pub fn show(rsm: &Rsm) -> String {
    let mut out = String::new();
    declarations("global", &rsm.globals, &mut out);
    for init in &rsm.init {
        line(format_args!("init {}", show_expr(rsm, rsm.main, init)), &mut out);
    }
    for (n, module) in rsm.modules.iter().enumerate() {
        if !out.is_empty() {
            out.push('\n');
        }
        show_module(rsm, ModuleId::new(n), module, &mut out);
    }
    out
}

/// A type as the user writes it.
pub fn show_type(ty: &Type) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Int(width) => format!("int<{width}>"),
        Type::Enum(names) => format!("enum {{ {} }}", names.join(", ")),
    }
}

/// What an edge of a module does.
pub fn show_action(rsm: &Rsm, module: ModuleId, action: &Action) -> String {
    let name = |place: Place| rsm.variable(module, place).name.as_str();
    let values =
        |exprs: &[Expr]| exprs.iter().map(|expr| show_expr(rsm, module, expr)).collect::<Vec<_>>().join(", ");
    match action {
        Action::Skip => "skip".to_owned(),
        Action::Assume(condition) => format!("assume {}", show_expr(rsm, module, condition)),
        Action::Assert(condition) => format!("assert {}", show_expr(rsm, module, condition)),
        Action::Assign { targets, values: stored, constrain } => {
            let targets: Vec<&str> = targets.iter().map(|place| name(*place)).collect();
            let constrain = constrain.as_ref().map(|c| format!(" constrain {}", show_expr(rsm, module, c)));
            format!("{} := {}{}", targets.join(", "), values(stored), constrain.unwrap_or_default())
        }
        Action::Call { callee, args, results } => {
            let call = format!("{}({})", rsm.module(*callee).name, values(args));
            if results.iter().all(Option::is_none) {
                return call;
            }
            let targets: Vec<&str> = results.iter().map(|result| result.map_or("_", name)).collect();
            format!("{} := {call}", targets.join(", "))
        }
        Action::Return { values: returned } if returned.is_empty() => "return".to_owned(),
        Action::Return { values: returned } => format!("return {}", values(returned)),
    }
}

fn line(text: std::fmt::Arguments<'_>, out: &mut String) {
    out.write_fmt(text).expect("writing to a string succeeds");
    out.push('\n');
}

fn declarations(word: &str, variables: &[Variable], out: &mut String) {
    for variable in variables {
        line(format_args!("{word} {}: {}", variable.name, show_type(&variable.ty)), out);
    }
}

fn show_module(rsm: &Rsm, id: ModuleId, module: &Module, out: &mut String) {
    let (params, locals) = module.locals.split_at(module.n_params);
    let params: Vec<String> =
        params.iter().map(|param| format!("{}: {}", param.name, show_type(&param.ty))).collect();
    let results: Vec<String> = module.results.iter().map(show_type).collect();
    let arrow = if results.is_empty() { "" } else { " -> " };
    let main = if id == rsm.main { ", main" } else { "" };
    let signature = format!("{}({}){arrow}{}", module.name, params.join(", "), results.join(", "));
    line(format_args!("module {signature}{main}"), out);
    declarations("  local", locals, out);
    if let Some(enforce) = &module.enforce {
        line(format_args!("  enforce {}", show_expr(rsm, id, enforce)), out);
    }
    line(format_args!("  entry {}, exit {}", module.entry.0, module.exit.0), out);
    for (n, node) in module.nodes.iter().enumerate() {
        if !node.labels.is_empty() {
            line(format_args!("  {n}: {}", node.labels.join(", ")), out);
        }
        for (_, edge) in module.edges_from(NodeId::new(n)) {
            let action = show_action(rsm, id, &edge.action);
            line(format_args!("  {n} -[{action}]-> {}", edge.to.0), out);
        }
    }
}

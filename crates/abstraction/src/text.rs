//! The text of an abstraction: a Boolean program that anybody can read, and any engine check.
//!
//! Each point is a label; from there the program goes to one of its edges. A target of the program is a label of the same name.

use crate::machine::Abstraction;
use integers::Role;
use integers::ghosts::Ghosted;
use rsm::{Action, Module, ModuleId, NodeId, Place, Rsm, show_expr};
use std::fmt::Write;

/// Prints the machine as a Boolean program.
pub fn text(abstraction: &Abstraction, ghosted: &Ghosted) -> String {
    let rsm = &abstraction.rsm;
    let mut out =
        String::from("// The program that predicates see. Each bit is a predicate, named by its text.\n");
    for (n, module) in rsm.modules.iter().enumerate() {
        let labels = |node: NodeId| target(abstraction, ghosted, n, node);
        print(rsm, ModuleId::new(n), module, labels, &mut out);
    }
    out
}

/// The label of a target at a node.
fn target(abstraction: &Abstraction, ghosted: &Ghosted, module: usize, node: NodeId) -> Option<String> {
    let node = abstraction.nodes.get(module)?.get(node.index()).copied()??;
    let function = ghosted.program.functions.get(module)?;
    match function.node(node).role {
        Role::Target(id) => {
            let name = &ghosted.program.targets[id.index()].name;
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            Some(if is_name && name.chars().all(is_word) { name.clone() } else { format!("ERROR_{}", id.0) })
        }
        Role::Plain | Role::Stop => None,
    }
}

fn print(
    rsm: &Rsm,
    id: ModuleId,
    module: &Module,
    target: impl Fn(NodeId) -> Option<String>,
    out: &mut String,
) {
    let line = |text: std::fmt::Arguments<'_>, out: &mut String| {
        out.write_fmt(text).expect("a string takes everything");
        out.push('\n');
    };
    let name = |place: &Place| rsm.variable(id, *place).name.clone();
    let names = |range: std::ops::Range<usize>| -> String {
        let list: Vec<&str> = module.locals[range].iter().map(|local| local.name.as_str()).collect();
        list.join(", ")
    };
    let result = match module.results.len() {
        0 => "void".to_owned(),
        n => format!("bool<{n}>"),
    };
    line(format_args!("\n{result} {}({}) begin", module.name, names(0..module.n_params)), out);
    if module.locals.len() > module.n_params {
        line(format_args!("  decl {};", names(module.n_params..module.locals.len())), out);
    }
    // A function begins with its first statement.
    line(format_args!("  goto N{};", module.entry.0), out);
    for node in (0..module.nodes.len()).map(NodeId::new).filter(|node| *node != module.exit) {
        let label = target(node).map(|label| format!("{label}: ")).unwrap_or_default();
        let edges: Vec<usize> = module.edges_from(node).map(|(edge, _)| edge.index()).collect();
        if edges.is_empty() {
            line(format_args!("  N{}: {label}assume F;", node.0), out);
            continue;
        }
        let ways: Vec<String> = edges.iter().map(|edge| format!("E{edge}")).collect();
        line(format_args!("  N{}: {label}goto {};", node.0, ways.join(", ")), out);
        for edge in edges {
            let rsm::Edge { to, action, .. } = &module.edges[edge];
            line(format_args!("  E{edge}: {}", statement(rsm, id, action, name)), out);
            if !matches!(action, Action::Return { .. }) {
                line(format_args!("    goto N{};", to.0), out);
            }
        }
    }
    line(format_args!("end"), out);
}

fn statement(rsm: &Rsm, id: ModuleId, action: &Action, name: impl Fn(&Place) -> String) -> String {
    let list = |exprs: &[rsm::Expr]| -> String {
        let texts: Vec<String> = exprs.iter().map(|expr| show_expr(rsm, id, expr)).collect();
        texts.join(", ")
    };
    match action {
        Action::Skip => "skip;".to_owned(),
        Action::Assume(condition) | Action::Assert(condition) => {
            format!("assume {};", show_expr(rsm, id, condition))
        }
        Action::Assign { targets, values, constrain } => {
            let targets: Vec<String> = targets.iter().map(&name).collect();
            let constrain = constrain.as_ref().map(|expr| format!(" constrain {}", show_expr(rsm, id, expr)));
            format!("{} := {}{};", targets.join(", "), list(values), constrain.unwrap_or_default())
        }
        Action::Call { callee, args, results } => {
            let places: Vec<String> =
                results.iter().map(|place| place.as_ref().map_or("_".to_owned(), &name)).collect();
            let stored = if places.is_empty() { String::new() } else { format!("{} := ", places.join(", ")) };
            format!("{stored}{}({});", rsm.module(*callee).name, list(args))
        }
        Action::Return { values } if values.is_empty() => "return;".to_owned(),
        Action::Return { values } => format!("return {};", list(values)),
    }
}

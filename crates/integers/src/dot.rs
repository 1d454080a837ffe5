//! An integer program as a drawing, in the language of Graphviz.
//!
//! Each function is a cluster. Calls are dashed: once within the caller, from the point before to the point after, and once
//! to the entry of the callee.

use crate::program::{Action, FunctionId, Program, Role};
use crate::show::{show_action, show_role, title};
use std::fmt::Write;

/// The drawing.
pub fn dot(program: &Program) -> String {
    let mut out = String::from("digraph cfg {\n  node [shape=circle];\n");
    for n in 0..program.functions.len() {
        cluster(program, FunctionId::new(n), &mut out).expect("writing to a string succeeds");
    }
    for (n, function) in program.functions.iter().enumerate() {
        for edge in &function.edges {
            let Action::Call { callee, .. } = edge.action else { continue };
            let (from, entry) = (edge.from.0, program.function(callee).entry.0);
            writeln!(out, "  f{n}_{from} -> f{}_{entry} [style=dashed, constraint=false];", callee.0)
                .expect("writing to a string succeeds");
        }
    }
    out.push_str("}\n");
    out
}

fn cluster(program: &Program, id: FunctionId, out: &mut String) -> std::fmt::Result {
    let (function, f) = (program.function(id), id.0);
    writeln!(out, "  subgraph cluster_{f} {{")?;
    writeln!(out, "    label=\"{}\";", escaped(&title(function)))?;
    for (n, node) in function.nodes.iter().enumerate() {
        let role =
            show_role(program, node.role).map_or(String::new(), |role| format!("\\n{}", escaped(&role)));
        let shape = match node.role {
            Role::Target(_) => ", shape=octagon",
            Role::Stop => ", shape=box",
            Role::Plain if n == function.entry.index() => ", style=bold",
            Role::Plain if n == function.exit.index() => ", shape=doublecircle",
            Role::Plain => "",
        };
        writeln!(out, "    f{f}_{n} [label=\"{n}{role}\"{shape}];")?;
    }
    for edge in &function.edges {
        let style = if matches!(edge.action, Action::Call { .. }) { ", style=dashed" } else { "" };
        let label = escaped(&show_action(program, id, &edge.action));
        writeln!(out, "    f{f}_{} -> f{f}_{} [label=\"{label}\"{style}];", edge.from.0, edge.to.0)?;
    }
    writeln!(out, "  }}")
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

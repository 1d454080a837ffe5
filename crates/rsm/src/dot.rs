//! A recursive state machine as a drawing, in the language of Graphviz.
//!
//! Each module is a cluster. Calls are dashed: once within the caller, from the point before to the point after, and once
//! to the entry of the callee.

use crate::machine::{Action, Edge, ModuleId, Rsm};
use crate::show::show_action;
use std::fmt::Write;

/// The drawing.
pub fn dot(rsm: &Rsm) -> String {
    let mut out = String::from("digraph rsm {\n  node [shape=circle];\n");
    for n in 0..rsm.modules.len() {
        cluster(rsm, ModuleId::new(n), &mut out).expect("writing to a string succeeds");
    }
    for (n, module) in rsm.modules.iter().enumerate() {
        for edge in &module.edges {
            into_callee(rsm, n, edge, &mut out).expect("writing to a string succeeds");
        }
    }
    out.push_str("}\n");
    out
}

fn cluster(rsm: &Rsm, id: ModuleId, out: &mut String) -> std::fmt::Result {
    let module = rsm.module(id);
    let m = id.0;
    writeln!(out, "  subgraph cluster_{m} {{")?;
    writeln!(out, "    label=\"{}\";", escaped(&module.name))?;
    for (n, node) in module.nodes.iter().enumerate() {
        let labels: String = node.labels.iter().map(|label| format!("\\n{}", escaped(label))).collect();
        let shape = if n == module.entry.index() {
            ", style=bold"
        } else if n == module.exit.index() {
            ", shape=doublecircle"
        } else {
            ""
        };
        writeln!(out, "    m{m}_{n} [label=\"{n}{labels}\"{shape}];")?;
    }
    for edge in &module.edges {
        let style = if matches!(edge.action, Action::Call { .. }) { ", style=dashed" } else { "" };
        let label = escaped(&show_action(rsm, id, &edge.action));
        writeln!(out, "    m{m}_{} -> m{m}_{} [label=\"{label}\"{style}];", edge.from.0, edge.to.0)?;
    }
    writeln!(out, "  }}")
}

fn into_callee(rsm: &Rsm, module: usize, edge: &Edge, out: &mut String) -> std::fmt::Result {
    let Action::Call { callee, .. } = edge.action else { return Ok(()) };
    let entry = rsm.module(callee).entry.0;
    writeln!(out, "  m{module}_{} -> m{}_{entry} [style=dashed, constraint=false];", edge.from.0, callee.0)
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

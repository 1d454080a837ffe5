//! Diagrams as text: DOT for people, DDDMP for other tools.

use crate::store::{Bdd, Exhausted, Level, Manager};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// What is wrong with a DDDMP text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected.
    pub message: String,
}

impl Manager {
    /// The nodes below the roots, children first.
    fn postorder(&self, roots: &[Bdd]) -> Vec<u32> {
        let mut seen = vec![false; self.nodes.len()];
        seen[0] = true;
        let mut order = Vec::new();
        let mut stack: Vec<(u32, bool)> = roots.iter().rev().map(|r| (r.0 >> 1, false)).collect();
        while let Some((at, done)) = stack.pop() {
            if done {
                order.push(at);
            } else if !std::mem::replace(&mut seen[at as usize], true) {
                let node = &self.nodes[at as usize];
                stack.push((at, true));
                stack.push((node.high >> 1, false));
                stack.push((node.low >> 1, false));
            }
        }
        order
    }

    /// A DOT graph of several named roots. Dotted edges are complemented, dashed ones are the `false` branch.
    pub fn dot(&self, roots: &[(String, Bdd)], name: impl Fn(Level) -> String) -> String {
        let bdds: Vec<Bdd> = roots.iter().map(|r| r.1).collect();
        let order = self.postorder(&bdds);
        let numbers: FxHashMap<u32, usize> =
            std::iter::once(0).chain(order.iter().copied()).enumerate().map(|(n, at)| (at, n)).collect();
        let arrow = |edge: u32| if edge & 1 == 1 { ", arrowhead=odot" } else { "" };
        let mut out = String::from("digraph diagram {\n  n0 [shape=box, label=\"true\"];\n");
        for (n, (label, root)) in roots.iter().enumerate() {
            let label = label.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(out, "  r{n} [shape=plaintext, label=\"{label}\"];");
            let _ = writeln!(out, "  r{n} -> n{} [style=solid{}];", numbers[&(root.0 >> 1)], arrow(root.0));
        }
        for at in order {
            let node = &self.nodes[at as usize];
            let n = numbers[&at];
            let label = name(node.level).replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(out, "  n{n} [label=\"{label}\"];");
            let _ =
                writeln!(out, "  n{n} -> n{} [style=solid{}];", numbers[&(node.high >> 1)], arrow(node.high));
            let _ =
                writeln!(out, "  n{n} -> n{} [style=dashed{}];", numbers[&(node.low >> 1)], arrow(node.low));
        }
        out.push_str("}\n");
        out
    }

    /// DDDMP 2.0 text of one root over variables numbered 0, 1, … in the order of `levels` (sorted; they
    /// contain the support).
    pub fn dump(&self, name: &str, f: Bdd, levels: &[Level], names: &[String]) -> String {
        let order = self.postorder(&[f]);
        let numbers: FxHashMap<u32, i64> = std::iter::once(0)
            .chain(order.iter().copied())
            .enumerate()
            .map(|(n, at)| (at, n as i64 + 1))
            .collect();
        let edge = |e: u32| if e & 1 == 1 { -numbers[&(e >> 1)] } else { numbers[&(e >> 1)] };
        let list = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>().join(" ");
        let support = self.support(f);
        let ids = list(&mut support.iter().map(|l| levels.binary_search(l).expect("in support").to_string()));
        let support_names =
            list(&mut support.iter().map(|l| names[levels.binary_search(l).expect("in support")].clone()));
        let mut out = String::from(".ver DDDMP-2.0\n.mode A\n.varinfo 0\n");
        let _ = writeln!(out, ".dd {name}\n.nnodes {}\n.nvars {}", order.len() + 1, levels.len());
        let _ = writeln!(out, ".nsuppvars {}\n.suppvarnames {support_names}", support.len());
        let _ = writeln!(out, ".orderedvarnames {}", names.join(" "));
        let _ = writeln!(out, ".ids {ids}\n.permids {ids}\n.nroots 1\n.rootids {}\n.nodes", edge(f.0));
        out.push_str("1 T 1 0 0\n");
        for at in order {
            let node = &self.nodes[at as usize];
            let id = levels.binary_search(&node.level).expect("in support");
            let index = support.binary_search(&node.level).expect("in support");
            let _ = writeln!(out, "{} {id} {index} {} {}", numbers[&at], edge(node.high), edge(node.low));
        }
        out.push_str(".end\n");
        out
    }

    /// Reads the text that [`Manager::dump`] writes (mode A, one root), variables as positions in `levels`.
    pub fn undump(&mut self, text: &str, levels: &[Level]) -> Result<Result<Bdd, ParseError>, Exhausted> {
        let mut nodes: FxHashMap<u64, Bdd> = FxHashMap::default();
        let mut root = None;
        let mut in_nodes = false;
        for (n, line) in text.lines().enumerate() {
            let wrong = |message: &str| Ok(Err(ParseError { line: n + 1, message: message.to_owned() }));
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [".nodes"] => in_nodes = true,
                [".end"] => break,
                [".mode", mode] if *mode != "A" => return wrong("only text mode (`.mode A`) is supported"),
                [".nroots", count] if *count != "1" => return wrong("expected one root"),
                [".rootids", id] => match id.parse::<i64>() {
                    Ok(id) => root = Some((id, n + 1)),
                    Err(_) => return wrong("expected a root id"),
                },
                [id, "T", ..] if in_nodes => match id.parse() {
                    Ok(id) => drop(nodes.insert(id, Bdd::TRUE)),
                    Err(_) => return wrong("expected a node id"),
                },
                [id, var, _, high, low] if in_nodes => {
                    let parsed =
                        (id.parse::<u64>(), var.parse::<usize>(), high.parse::<i64>(), low.parse::<i64>());
                    let (Ok(id), Ok(var), Ok(high), Ok(low)) = parsed else {
                        return wrong("expected five numbers");
                    };
                    let Some(&level) = levels.get(var) else {
                        return wrong("a variable that the relation does not have");
                    };
                    let (Some(high), Some(low)) = (resolve(&nodes, high), resolve(&nodes, low)) else {
                        return wrong("a node that is used before it is defined");
                    };
                    let variable = self.variable(level)?;
                    let made = self.ite(variable, high, low)?;
                    nodes.insert(id, made);
                }
                _ if in_nodes => return wrong("expected `id variable index then else`"),
                _ => {}
            }
        }
        let missing = ParseError {
            line: text.lines().count().max(1),
            message: "no `.rootids` with a defined node".to_owned(),
        };
        Ok(root.and_then(|(id, _)| resolve(&nodes, id)).ok_or(missing))
    }
}

fn resolve(nodes: &FxHashMap<u64, Bdd>, id: i64) -> Option<Bdd> {
    let node = nodes.get(&id.unsigned_abs())?;
    Some(if id < 0 { node.complement() } else { *node })
}

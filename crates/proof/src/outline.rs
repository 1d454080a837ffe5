//! The parts of a claim that tell a person most: what holds at loops, and at the ends of functions.

use crate::claim::Claim;
use crate::every;
use base::Sources;
use integers::ghosts::Ghosted;
use integers::{FunctionId, Names, NodeId};

/// What holds at a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The function.
    pub function: String,
    /// Whether it is about the end of the function.
    pub at_exit: bool,
    /// The line.
    pub line: usize,
    /// The formula, in the terms of the program.
    pub formula: String,
}

/// What a claim says about the points that some cycle goes through first, and about exits of functions that are called.
pub fn outline(claim: &Claim, subject: &Ghosted, sources: &Sources) -> Vec<Invariant> {
    let mut lines = Vec::new();
    for (n, function) in subject.program.functions.iter().enumerate() {
        let id = FunctionId::new(n);
        let names = Names::new(&subject.program, id);
        let heads = loop_heads(function);
        for node in (0..function.nodes.len()).map(NodeId::new) {
            let at_exit = node == function.exit && subject.is_called[n];
            let formula = claim.at(id, node);
            if (heads[node.index()] || at_exit) && formula.as_truth().is_none() {
                let line = sources.line_column(function.node(node).span).0;
                let formula = every::shown(&subject.program, &names, formula);
                lines.push(Invariant { function: function.name.clone(), at_exit, line, formula });
            }
        }
    }
    lines.sort_by_key(|invariant| invariant.line);
    lines
}

/// The nodes that an edge leads back to.
fn loop_heads(function: &integers::Function) -> Vec<bool> {
    let n = function.nodes.len();
    let (mut is_head, mut is_open, mut is_seen) = (vec![false; n], vec![false; n], vec![false; n]);
    let next = |node: NodeId| function.edges_from(node).map(|(_, edge)| edge.to).collect::<Vec<NodeId>>();
    let mut path = vec![(function.entry, next(function.entry))];
    (is_open[function.entry.index()], is_seen[function.entry.index()]) = (true, true);
    while let Some((node, ways)) = path.last_mut() {
        match ways.pop() {
            Some(to) if is_open[to.index()] => is_head[to.index()] = true,
            Some(to) if is_seen[to.index()] => {}
            Some(to) => {
                (is_open[to.index()], is_seen[to.index()]) = (true, true);
                path.push((to, next(to)));
            }
            None => {
                is_open[node.index()] = false;
                path.pop();
            }
        }
    }
    is_head
}

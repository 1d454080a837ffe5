//! Reachability from one node of a sparse directed graph; every edge reads and writes a few data bits.
//!
//! A Datalog program with a data part: nodes are explicit keys, data is symbolic. The graph is random, three
//! edges leave each node, and the count of reachable pairs comes from a plain search.

use super::{count, each, file};
use base::Random;

/// Edges that leave a node.
const DEGREE: usize = 3;

/// What an edge does with the data.
#[derive(Clone, Copy)]
enum Effect {
    Keep,
    Flip(usize),
    Set(usize),
    Clear(usize),
    /// The first bit becomes the second.
    Copy(usize, usize),
    /// Only with this bit set.
    Guard(usize),
}

struct Edge {
    from: usize,
    to: usize,
    effect: Effect,
}

/// The graph of `n` nodes, at least 2.
pub fn text(n: usize) -> String {
    let n = n.max(2);
    // Small graphs have less data, so that the textbook evaluation can follow.
    let bits = if n < 16 { 2 } else { 4 };
    let edges = edges(n, bits);
    let facts: Vec<String> = edges.iter().map(|edge| fact(edge, bits)).collect();
    let zero = each(bits, " & ", |b| format!("!d.b[{b}]"));
    let ones = each(bits, " & ", |b| format!("d.b[{b}]"));
    let goal = n - 1;
    let body = format!(
        "enum Node {{ 0 .. {goal} }};\n\nclass Data {{ bool b[{bits}]; }};\n\n#explicit Node;\n\n\
         bool Edge(Node m, Data c, Node n, Data d) c ~+ d\n  {};\n\n\
         mu bool Reach(Node n, Data d)\n  \
         n = 0 & {zero} |\n  (exists Node m, Data c. Reach(m, c) & Edge(m, c, n, d));\n\n\
         #ons Reach;\n\n\
         exists Data d. Reach({goal}, d);\n\n\
         exists Data d. Reach({goal}, d) & {ones};\n",
        facts.join(" |\n  ")
    );
    file(&format!("A graph of {n} nodes, {bits} data bits."), &answers(n, bits, &edges), &body)
}

/// The `n * DEGREE` edges, in order of where they start.
fn edges(n: usize, bits: usize) -> Vec<Edge> {
    let mut random = Random::new(n as u64);
    let mut edges = Vec::with_capacity(n * DEGREE);
    for from in 0..n {
        for _ in 0..DEGREE {
            let (a, b) = (random.index(bits), random.index(bits));
            let effect = match random.below(10) {
                0..4 => Effect::Keep,
                4 => Effect::Flip(a),
                5 => Effect::Set(a),
                6 => Effect::Clear(a),
                7 => Effect::Copy(a, b),
                _ => Effect::Guard(a),
            };
            edges.push(Edge { from, to: random.index(n), effect });
        }
    }
    edges
}

fn fact(edge: &Edge, bits: usize) -> String {
    let mut parts = vec![format!("m = {} & n = {}", edge.from, edge.to)];
    for bit in 0..bits {
        parts.push(match edge.effect {
            Effect::Flip(a) if a == bit => format!("d.b[{bit}] != c.b[{bit}]"),
            Effect::Set(a) if a == bit => format!("d.b[{bit}]"),
            Effect::Clear(a) if a == bit => format!("!d.b[{bit}]"),
            Effect::Copy(a, b) if a == bit => format!("d.b[{bit}] = c.b[{b}]"),
            Effect::Guard(a) if a == bit => format!("c.b[{bit}] & d.b[{bit}]"),
            _ => format!("d.b[{bit}] = c.b[{bit}]"),
        });
    }
    parts.join(" & ")
}

/// The value of the data after an edge, if it can be taken.
fn apply(effect: Effect, data: usize) -> Option<usize> {
    match effect {
        Effect::Keep => Some(data),
        Effect::Flip(a) => Some(data ^ 1 << a),
        Effect::Set(a) => Some(data | 1 << a),
        Effect::Clear(a) => Some(data & !(1 << a)),
        Effect::Copy(a, b) => Some(data & !(1 << a) | (data >> b & 1) << a),
        Effect::Guard(a) => (data >> a & 1 == 1).then_some(data),
    }
}

fn answers(n: usize, bits: usize, edges: &[Edge]) -> Vec<String> {
    let pair = |node: usize, data: usize| (node << bits | data) as u64;
    let reached = crate::explore::reachable(0, |state, next| {
        let (node, data) = (state as usize >> bits, state as usize & ((1 << bits) - 1));
        for edge in &edges[node * DEGREE..(node + 1) * DEGREE] {
            next.extend(apply(edge.effect, data).map(|data| pair(edge.to, data)));
        }
    });
    let Some(reached) = reached else {
        return vec![count(None); 3];
    };
    let goal = (0..1 << bits).any(|data| reached.contains(&pair(n - 1, data)));
    let ones = reached.contains(&pair(n - 1, (1 << bits) - 1));
    vec![reached.len().to_string(), goal.to_string(), ones.to_string()]
}

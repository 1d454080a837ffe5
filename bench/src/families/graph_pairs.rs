//! The transitive closure of a sparse directed graph: all pairs, no data.

use super::file;
use base::Random;
use std::collections::BTreeSet;

/// Edges that leave a node.
const DEGREE: usize = 2;

/// The graph of `n` nodes, at least 2.
pub fn text(n: usize) -> String {
    let n = n.max(2);
    let mut random = Random::new(!(n as u64));
    let edges: Vec<(usize, usize)> = (0..n * DEGREE).map(|edge| (edge / DEGREE, random.index(n))).collect();
    let facts: Vec<String> = edges.iter().map(|(from, to)| format!("a = {from} & b = {to}")).collect();
    let body = format!(
        "enum Node {{ 0 .. {} }};\n\n#explicit Node;\n\n\
         bool Edge(Node a, Node b)\n  {};\n\n\
         mu bool Path(Node a, Node b)\n  \
         Edge(a, b) |\n  (exists Node m. Path(a, m) & Edge(m, b));\n\n\
         #ons Path;\n\n\
         exists Node a. Path(a, a);\n",
        n - 1,
        facts.join(" |\n  ")
    );
    let closure: Vec<BTreeSet<usize>> = (0..n).map(|from| after(from, &edges)).collect();
    let pairs: usize = closure.iter().map(BTreeSet::len).sum();
    let cyclic = (0..n).any(|node| closure[node].contains(&node));
    file(&format!("A graph of {n} nodes, all pairs."), &[pairs.to_string(), cyclic.to_string()], &body)
}

/// The nodes that a path of at least one edge leads to.
fn after(from: usize, edges: &[(usize, usize)]) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for &(_, to) in &edges[node * DEGREE..(node + 1) * DEGREE] {
            if seen.insert(to) {
                open.push(to);
            }
        }
    }
    seen
}

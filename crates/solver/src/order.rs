//! A linear arrangement: things that occur together stand close together.
//!
//! Input: a weighted hypergraph and precedences. Output: a permutation with small weighted span that respects the
//! precedences. The method is FORCE (every vertex moves to the centre of its edges) from the given order and from
//! random starts, then swaps of neighbours; the given order stays if nothing is better by a fifth.

/// A hyperedge: vertices that occur together, and how much that counts.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub vertices: Vec<u32>,
    pub weight: f64,
}

/// Units of work (edge ends visited) that one arrangement may take.
const BUDGET: usize = 4_000_000;
const RESTARTS: usize = 24;
const ROUNDS: usize = 80;
/// A new order must cost less than this share of the given one.
const GAIN: f64 = 0.8;

/// The vertices `0..n` in a good order; `before` holds pairs that must keep their order (acyclic).
pub(crate) fn arrange(n: usize, edges: &[Edge], before: &[(u32, u32)]) -> Vec<u32> {
    let given = respect(n, &(0..n).map(|v| v as f64).collect::<Vec<_>>(), before);
    let ends: usize = edges.iter().map(|e| e.vertices.len()).sum::<usize>().max(1) + n;
    let mut budget = BUDGET / ends;
    let given_cost = cost(&positions(&given), edges);
    let mut best = (given_cost, given.clone());
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for restart in 0..=RESTARTS {
        if budget == 0 {
            break;
        }
        let start =
            if restart == 0 { given.clone() } else { respect(n, &positions(&random.shuffled(n)), before) };
        let order = force(start, edges, before, &mut budget);
        let order = swap(order, edges, before, &mut budget);
        let found = cost(&positions(&order), edges);
        if found < best.0 {
            best = (found, order);
        }
    }
    if best.0 < given_cost * GAIN { best.1 } else { given }
}

fn positions(order: &[u32]) -> Vec<f64> {
    let mut positions = vec![0.0; order.len()];
    for (at, &vertex) in order.iter().enumerate() {
        positions[vertex as usize] = at as f64;
    }
    positions
}

fn span(edge: &Edge, positions: &[f64]) -> f64 {
    let at = edge.vertices.iter().map(|&v| positions[v as usize]);
    let (low, high) = at.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
    high - low
}

fn cost(positions: &[f64], edges: &[Edge]) -> f64 {
    edges.iter().map(|edge| edge.weight * span(edge, positions)).sum()
}

/// Rounds of FORCE until the cost stops falling; the best order on the way.
fn force(start: Vec<u32>, edges: &[Edge], before: &[(u32, u32)], budget: &mut usize) -> Vec<u32> {
    let n = start.len();
    let mut best = (cost(&positions(&start), edges), start.clone());
    let mut order = start;
    let mut stale = 0;
    for _ in 0..ROUNDS {
        if *budget == 0 || stale > 8 {
            break;
        }
        *budget -= 1;
        let at = positions(&order);
        let (mut pull, mut weight) = (vec![0.0; n], vec![0.0; n]);
        for edge in edges {
            let centre =
                edge.vertices.iter().map(|&v| at[v as usize]).sum::<f64>() / edge.vertices.len() as f64;
            for &v in &edge.vertices {
                pull[v as usize] += edge.weight * centre;
                weight[v as usize] += edge.weight;
            }
        }
        let target: Vec<f64> =
            (0..n).map(|v| if weight[v] > 0.0 { pull[v] / weight[v] } else { at[v] }).collect();
        order = respect(n, &target, before);
        let found = cost(&positions(&order), edges);
        stale += 1;
        if found < best.0 {
            best = (found, order.clone());
            stale = 0;
        }
    }
    best.1
}

/// Swaps neighbours while that lowers the cost.
fn swap(mut order: Vec<u32>, edges: &[Edge], before: &[(u32, u32)], budget: &mut usize) -> Vec<u32> {
    let n = order.len();
    let mut of_vertex: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (e, edge) in edges.iter().enumerate() {
        for &v in &edge.vertices {
            of_vertex[v as usize].push(e as u32);
        }
    }
    let mut at = positions(&order);
    for _ in 0..8 {
        if *budget == 0 {
            break;
        }
        *budget = budget.saturating_sub(2);
        let mut improved = false;
        for i in 1..n {
            let (a, b) = (order[i - 1], order[i]);
            if before.contains(&(a, b)) {
                continue;
            }
            let mut touched: Vec<u32> =
                of_vertex[a as usize].iter().chain(&of_vertex[b as usize]).copied().collect();
            touched.sort_unstable();
            touched.dedup();
            let price = |at: &[f64]| {
                touched.iter().map(|&e| edges[e as usize].weight * span(&edges[e as usize], at)).sum::<f64>()
            };
            let old = price(&at);
            at.swap(a as usize, b as usize);
            if price(&at) + 1e-9 < old {
                order.swap(i - 1, i);
                improved = true;
            } else {
                at.swap(a as usize, b as usize);
            }
        }
        if !improved {
            break;
        }
    }
    order
}

/// Sorts by wish, but never puts a vertex before one that must precede it.
fn respect(n: usize, wish: &[f64], before: &[(u32, u32)]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by(|&a, &b| wish[a as usize].total_cmp(&wish[b as usize]).then(a.cmp(&b)));
    if before.is_empty() {
        return order;
    }
    let rank = positions(&order);
    let mut waits = vec![0; n];
    let mut after: Vec<Vec<u32>> = vec![Vec::new(); n];
    for &(a, b) in before {
        waits[b as usize] += 1;
        after[a as usize].push(b);
    }
    let mut ready: std::collections::BTreeSet<(u64, u32)> =
        (0..n as u32).filter(|&v| waits[v as usize] == 0).map(|v| (rank[v as usize] as u64, v)).collect();
    let mut result = Vec::with_capacity(n);
    while let Some((_, v)) = ready.pop_first() {
        result.push(v);
        for &next in &after[v as usize] {
            waits[next as usize] -= 1;
            if waits[next as usize] == 0 {
                ready.insert((rank[next as usize] as u64, next));
            }
        }
    }
    assert_eq!(result.len(), n, "precedences of the variable order are cyclic");
    result
}

/// A small generator, so that two runs choose the same order.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn shuffled(&mut self, n: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n as u32).collect();
        for i in (1..n).rev() {
            order.swap(i, (self.next() % (i as u64 + 1)) as usize);
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(vertices: &[u32]) -> Edge {
        Edge { vertices: vertices.to_vec(), weight: 1.0 }
    }

    #[test]
    fn a_path_is_laid_out_along_itself() {
        let edges: Vec<Edge> = [[0, 3], [3, 1], [1, 4], [4, 2]].iter().map(|e| edge(e)).collect();
        let order = arrange(5, &edges, &[]);
        assert!(order == [0, 3, 1, 4, 2] || order == [2, 4, 1, 3, 0], "{order:?}");
    }

    #[test]
    fn precedences_win_over_closeness() {
        let edges = [edge(&[0, 1])];
        assert_eq!(arrange(3, &edges, &[(1, 2), (2, 0)]), [1, 2, 0]);
    }
}

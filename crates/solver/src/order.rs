//! A linear arrangement: things that occur together stand close together.
//!
//! Input: a weighted hypergraph and precedences. Output: a permutation with small weighted span that respects the
//! precedences. The method is FORCE (every vertex moves to the centre of its edges) from the given order and from
//! random starts, then moves of single vertices to their best places; the given order stays if nothing is better by a
//! fifth. Two runs choose the same order.

use crate::layout::precedence::Precedence;
use base::{Classes, Shuffler};

/// A hyperedge: vertices that occur together, and how much that counts.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub vertices: Vec<u32>,
    pub weight: f64,
}

/// What is to be arranged.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// How many vertices there are, hinges aside.
    n: usize,
    pub edges: Vec<Edge>,
    /// Precedences; vertices from `n` on are hinges between sets, which take no room and never follow each other.
    precedence: Precedence,
}

impl Graph {
    /// A graph without edges.
    pub fn new(n: usize) -> Self {
        Self { n, edges: Vec::new(), precedence: Precedence::new(n) }
    }

    /// How many vertices there are.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Demands of some pairs of sets that the vertices of the first come before those of the second. What must come after some vertex of the
    /// second is left out of the first; what is demanded earlier counts more.
    pub fn put_in_order(&mut self, mut demands: Vec<(Vec<u32>, Vec<u32>)>) {
        demands.retain(|(first, second)| !first.is_empty() && !second.is_empty());
        self.precedence.add_hinges(&demands);
    }

    /// The demands: which vertices come before which.
    pub fn demands(&self) -> impl Iterator<Item = (&[u32], &[u32])> {
        let hinges = self.n as u32..self.precedence.len() as u32;
        hinges.map(|hinge| (self.precedence.before(hinge), self.precedence.after(hinge)))
    }

    /// What an order costs: the weighted span of the edges.
    pub fn cost(&self, order: &[u32]) -> f64 {
        cost(&self.edges, &positions(order))
    }

    /// Sorts by wish, but never puts a vertex before one that must precede it.
    pub fn respect(&self, wish: &[f64]) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.n as u32).collect();
        order.sort_by(|&a, &b| wish[a as usize].total_cmp(&wish[b as usize]).then(a.cmp(&b)));
        if self.precedence.is_empty() {
            return order;
        }
        // A hinge has rank 0: it comes as soon as it may.
        let mut rank = vec![0; self.precedence.len()];
        for (at, &vertex) in (1..).zip(&order) {
            rank[vertex as usize] = at;
        }
        let mut order = self.precedence.sorted(|v| rank[v as usize]);
        order.retain(|&v| (v as usize) < self.n);
        order
    }

    /// The vertices in the given order, changed only where precedences demand it.
    pub fn given(&self) -> Vec<u32> {
        self.respect(&(0..self.n).map(|v| v as f64).collect::<Vec<_>>())
    }

    /// The first and the last place a vertex may move to.
    fn window(&self, vertex: u32, at: &[u32]) -> (usize, usize) {
        let before = self.precedence.before(vertex).iter().flat_map(|&hinge| self.precedence.before(hinge));
        let after = self.precedence.after(vertex).iter().flat_map(|&hinge| self.precedence.after(hinge));
        let low = before.map(|&v| at[v as usize] as usize + 1).max().unwrap_or(0);
        let high = after.map(|&v| at[v as usize] as usize - 1).min().unwrap_or(self.n - 1);
        (low, high)
    }
}

/// Units of work (edge ends and places visited) that one arrangement may take.
const BUDGET: usize = 400_000;
const RESTARTS: usize = 8;
const ROUNDS: usize = 40;
/// FORCE gives up after so many rounds without gain.
const PATIENCE: usize = 3;
/// A new order must cost less than this share of the given one.
pub(crate) const BETTER: f64 = 0.8;

/// The vertices in a good order. What is not connected is arranged by itself and stands in the given order.
pub(crate) fn arrange(graph: &Graph) -> Vec<u32> {
    let components = components(graph);
    if let [_] = components.as_slice() {
        return arrange_connected(graph);
    }
    let mut place = vec![(0, 0); graph.n];
    for (c, vertices) in components.iter().enumerate() {
        for (at, &v) in (0..).zip(vertices) {
            place[v as usize] = (c, at);
        }
    }
    // A vertex by itself needs no graph.
    let part =
        |vertices: &Vec<u32>| if vertices.len() == 1 { Graph::default() } else { Graph::new(vertices.len()) };
    let mut parts: Vec<Graph> = components.iter().map(part).collect();
    let inside = |vertices: &[u32]| vertices.iter().map(|&v| place[v as usize].1).collect::<Vec<u32>>();
    for edge in &graph.edges {
        let part = &mut parts[place[edge.vertices[0] as usize].0];
        part.edges.push(Edge { vertices: inside(&edge.vertices), weight: edge.weight });
    }
    let mut demands: Vec<Vec<(Vec<u32>, Vec<u32>)>> = vec![Vec::new(); parts.len()];
    for (first, second) in graph.demands().filter(|(first, _)| !first.is_empty()) {
        demands[place[first[0] as usize].0].push((inside(first), inside(second)));
    }
    parts.iter_mut().zip(demands).for_each(|(part, demands)| part.put_in_order(demands));
    let mut order = Vec::with_capacity(graph.n);
    for (part, vertices) in parts.iter().zip(&components) {
        match &vertices[..] {
            [only] => order.push(*only),
            _ => order.extend(arrange_connected(part).into_iter().map(|v| vertices[v as usize])),
        }
    }
    order
}

/// The sets of vertices that edges and demands connect, each sorted, by their first vertices.
fn components(graph: &Graph) -> Vec<Vec<u32>> {
    let mut classes = Classes::new(graph.n);
    let demands = graph.demands().map(|(first, second)| [first, second].concat());
    for vertices in graph.edges.iter().map(|edge| edge.vertices.clone()).chain(demands) {
        vertices.windows(2).for_each(|pair| _ = classes.join(pair[0], pair[1]));
    }
    let mut number = vec![usize::MAX; graph.n];
    let mut components: Vec<Vec<u32>> = Vec::new();
    for v in 0..graph.n as u32 {
        let root = classes.find(v) as usize;
        if number[root] == usize::MAX {
            number[root] = components.len();
            components.push(Vec::new());
        }
        components[number[root]].push(v);
    }
    components
}

fn arrange_connected(graph: &Graph) -> Vec<u32> {
    let given = graph.given();
    let given_cost = graph.cost(&given);
    if given_cost == 0.0 || graph.n < 3 {
        return given;
    }
    let mut search = Search::new(graph);
    let mut best = (given_cost, given.clone());
    let mut random = Shuffler::default();
    for restart in 0..=RESTARTS {
        if search.budget == 0 {
            break;
        }
        let start = if restart == 0 { given.clone() } else { graph.respect(&shuffled(&mut random, graph.n)) };
        let mut order = search.force(start);
        search.sift(&mut order, |_| true);
        let found = graph.cost(&order);
        if found < best.0 {
            best = (found, order);
        }
    }
    if best.0 < given_cost * BETTER { forward(graph, best.1) } else { given }
}

/// An order and its reverse cost the same: the one that runs with the given order.
fn forward(graph: &Graph, mut order: Vec<u32>) -> Vec<u32> {
    if graph.precedence.is_empty() {
        let middle = (order.len() as f64 - 1.0) / 2.0;
        let along: f64 =
            order.iter().zip(0_u32..).map(|(&v, at)| f64::from(v) * (f64::from(at) - middle)).sum();
        if along < 0.0 {
            order.reverse();
        }
    }
    order
}

/// Sorts by wish as far as precedences allow, then moves the vertices that are `free` to better places.
pub(crate) fn settle(graph: &Graph, wish: &[f64], free: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut order = graph.respect(wish);
    Search::new(graph).sift(&mut order, free);
    order
}

struct Search<'a> {
    graph: &'a Graph,
    /// The edges of each vertex.
    of_vertex: Vec<Vec<u32>>,
    /// What one look at all edges and vertices costs.
    round: usize,
    budget: usize,
    scratch: Scratch,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph) -> Self {
        let mut of_vertex: Vec<Vec<u32>> = vec![Vec::new(); graph.n];
        let mut round = graph.n;
        for (e, edge) in graph.edges.iter().enumerate() {
            round += edge.vertices.len();
            for &v in &edge.vertices {
                of_vertex[v as usize].push(e as u32);
            }
        }
        Self { graph, of_vertex, round, budget: BUDGET, scratch: Scratch::default() }
    }

    fn spend(&mut self, work: usize) {
        self.budget = self.budget.saturating_sub(work);
    }

    /// Rounds of FORCE until the cost stops falling; the best order on the way.
    fn force(&mut self, start: Vec<u32>) -> Vec<u32> {
        let n = start.len();
        let mut at = positions(&start);
        let mut best = (cost(&self.graph.edges, &at), start);
        let mut stale = 0;
        for _ in 0..ROUNDS {
            if self.budget == 0 || stale > PATIENCE {
                break;
            }
            self.spend(2 * self.round);
            let (mut pull, mut weight) = (vec![0.0; n], vec![0.0; n]);
            for edge in &self.graph.edges {
                let sum: u32 = edge.vertices.iter().map(|&v| at[v as usize]).sum();
                let centre = f64::from(sum) / edge.vertices.len() as f64;
                for &v in &edge.vertices {
                    pull[v as usize] += edge.weight * centre;
                    weight[v as usize] += edge.weight;
                }
            }
            let target = |v: usize| if weight[v] > 0.0 { pull[v] / weight[v] } else { f64::from(at[v]) };
            let order = self.graph.respect(&(0..n).map(target).collect::<Vec<_>>());
            at = positions(&order);
            let found = cost(&self.graph.edges, &at);
            stale += 1;
            if found < best.0 {
                best = (found, order);
                stale = 0;
            }
        }
        best.1
    }

    /// Moves single vertices to their best places while that lowers the cost.
    fn sift(&mut self, order: &mut Vec<u32>, free: impl Fn(u32) -> bool) {
        let mut at = positions(order);
        let mut crossing = self.crossing(&at);
        let mut improved = true;
        while improved {
            improved = false;
            for vertex in order.clone() {
                if self.budget == 0 {
                    return;
                }
                if self.of_vertex[vertex as usize].is_empty() || !free(vertex) {
                    continue;
                }
                if let Some(place) = self.best_place(vertex, &at, &crossing) {
                    order.remove(at[vertex as usize] as usize);
                    order.insert(place, vertex);
                    at = positions(order);
                    crossing = self.crossing(&at);
                    improved = true;
                }
            }
        }
    }

    /// For each place the weight of the edges that reach from it, or from before it, to a later place.
    fn crossing(&mut self, at: &[u32]) -> Vec<f64> {
        self.spend(self.round);
        let mut crossing = vec![0.0; at.len() + 1];
        for edge in &self.graph.edges {
            let (low, high) = range(edge, at);
            crossing[low as usize] += edge.weight;
            crossing[high as usize] -= edge.weight;
        }
        for place in 1..crossing.len() {
            crossing[place] += crossing[place - 1];
        }
        crossing
    }

    /// Where a vertex costs least, if that is less than where it is.
    ///
    /// With the vertex taken out, putting it back at place `p` lengthens the other edges that cross `p` by one, and each of
    /// its own edges by the distance from `p` to the edge's other vertices.
    fn best_place(&mut self, vertex: u32, at: &[u32], crossing: &[f64]) -> Option<usize> {
        let n = self.graph.n;
        let home = at[vertex as usize] as usize;
        let Scratch { own, left, right, price } = &mut self.scratch;
        for list in [&mut *own, &mut *left, &mut *right, &mut *price] {
            list.clear();
            list.resize(n + 1, 0.0);
        }
        let mut work = 4 * n;
        for &e in &self.of_vertex[vertex as usize] {
            let edge = &self.graph.edges[e as usize];
            work += edge.vertices.len();
            let (low, high) = range(edge, at);
            own[low as usize] += edge.weight;
            own[high as usize] -= edge.weight;
            let others = edge.vertices.iter().filter(|&&v| v != vertex).map(|&v| at[v as usize] as usize);
            let (low, high) = others.fold((n, 0), |(low, high), p| (low.min(p), high.max(p)));
            let without = |place: usize| place - usize::from(place > home);
            left[without(low)] += edge.weight;
            right[without(high) + 1] += edge.weight;
        }
        // To an edge that lies to the right the distance grows as the place moves left, and the other way round.
        let (mut sum, mut slope) = (0.0, 0.0);
        for place in (0..n).rev() {
            sum += slope;
            slope += left[place];
            price[place] += sum;
        }
        let (mut sum, mut slope, mut mine, mut crossed) = (0.0, 0.0, 0.0, 0.0);
        for place in 0..n {
            sum += slope;
            slope += right[place];
            mine += own[place];
            let crossed_before = std::mem::replace(&mut crossed, crossing[place] - mine);
            price[place] += sum + if place > home { crossed } else { crossed_before };
        }
        let (low, high) = self.graph.window(vertex, at);
        let best = (low..=high).min_by(|&a, &b| price[a].total_cmp(&price[b]))?;
        let found = (price[best] + 1e-9 < price[home]).then_some(best);
        self.spend(work);
        found
    }
}

/// Lists for [`Search::best_place`], by place.
#[derive(Default)]
struct Scratch {
    /// How much less crosses a place once the vertex is out, as differences.
    own: Vec<f64>,
    /// The weight of own edges whose other vertices begin here.
    left: Vec<f64>,
    /// The weight of own edges whose other vertices end just before.
    right: Vec<f64>,
    /// What the vertex costs here.
    price: Vec<f64>,
}

fn positions(order: &[u32]) -> Vec<u32> {
    let mut positions = vec![0; order.len()];
    for (at, &vertex) in (0..).zip(order) {
        positions[vertex as usize] = at;
    }
    positions
}

/// The first and the last place of an edge.
fn range(edge: &Edge, positions: &[u32]) -> (u32, u32) {
    let at = edge.vertices.iter().map(|&v| positions[v as usize]);
    at.fold((u32::MAX, 0), |(low, high), place| (low.min(place), high.max(place)))
}

fn cost(edges: &[Edge], positions: &[u32]) -> f64 {
    let span = |edge: &Edge| {
        let (low, high) = range(edge, positions);
        edge.weight * f64::from(high - low)
    };
    edges.iter().map(span).sum()
}

/// The numbers below `n`, shuffled.
fn shuffled(random: &mut Shuffler, n: usize) -> Vec<f64> {
    let mut numbers: Vec<f64> = (0..n).map(|i| i as f64).collect();
    random.shuffle(&mut numbers);
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(n: usize, edges: &[&[u32]]) -> Graph {
        let edges = edges.iter().map(|e| Edge { vertices: e.to_vec(), weight: 1.0 }).collect();
        Graph { edges, ..Graph::new(n) }
    }

    #[test]
    fn a_path_is_laid_out_along_itself() {
        let order = arrange(&graph(5, &[&[0, 3], &[3, 1], &[1, 4], &[4, 2]]));
        assert_eq!(order, [0, 3, 1, 4, 2]);
    }

    #[test]
    fn what_is_not_connected_stands_in_the_given_order() {
        assert_eq!(arrange(&graph(6, &[&[0, 5], &[1, 4], &[2, 3]])), [0, 5, 1, 4, 2, 3]);
    }

    #[test]
    fn precedences_win_over_closeness() {
        let mut graph = graph(3, &[&[0, 1]]);
        graph.put_in_order(vec![(vec![1], vec![2]), (vec![2], vec![0])]);
        assert_eq!(arrange(&graph), [1, 2, 0]);
    }

    #[test]
    fn the_given_order_stays_without_a_clear_gain() {
        assert_eq!(arrange(&graph(4, &[&[0, 1], &[2, 3], &[0, 1, 2, 3]])), [0, 1, 2, 3]);
    }

    /// The price of a place is checked against the cost of the order with the vertex moved there.
    #[test]
    fn a_vertex_moves_to_the_place_that_costs_least() {
        let mut random = base::Random::new(7);
        for _ in 0..200 {
            let n = 2 + random.index(7);
            let edges = (0..1 + random.below(6)).map(|_| {
                let size = 2 + random.index(n - 1);
                let mut vertices: Vec<u32> = (0..n as u32).collect();
                random.shuffle(&mut vertices);
                vertices.truncate(size);
                Edge { vertices, weight: 1.0 + random.below(3) as f64 }
            });
            let graph = Graph { edges: edges.collect(), ..Graph::new(n) };
            let mut order: Vec<u32> = (0..n as u32).collect();
            random.shuffle(&mut order);
            let mut search = Search::new(&graph);
            let at = positions(&order);
            let crossing = search.crossing(&at);
            for vertex in 0..n as u32 {
                let moved = |place: usize| {
                    let mut order = order.clone();
                    order.retain(|&v| v != vertex);
                    order.insert(place, vertex);
                    graph.cost(&order)
                };
                let best = (0..n).map(moved).fold(f64::MAX, f64::min);
                let home = at[vertex as usize] as usize;
                let found = search.best_place(vertex, &at, &crossing).unwrap_or(home);
                assert!((moved(found) - best).abs() < 1e-6, "{graph:?} {order:?} {vertex} to {found}");
            }
        }
    }
}

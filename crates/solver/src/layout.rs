//! Where the bits of every variable stand in the diagrams: the one place that decides the variable order.
//!
//! Input: a system. Output: a level for each bit of each symbolic variable.
//!
//! Leaves that a relation's applications tie together form a *family* (the copies of one program variable, say); a
//! family's copies are interleaved. Within one body (*scope*) every binder gets a copy number of its own, numbered so that
//! applying a relation keeps the order of its columns wherever possible: then reading a table through an
//! application is a renaming that keeps the order of levels. Families are arranged by allocation constraints and by how
//! often they occur together in sub-expressions ([`crate::order`]), definitions seen through ([`occurrences`]); repeated parts
//! of a record are laid out as blocks with one inner order ([`blocks`]). The order of the text stays where a sample of the work is much
//! smaller in it ([`sample`]).

mod allocation;
mod blocks;
mod cliques;
mod groups;
mod occurrences;
pub(crate) mod pairs;
pub(crate) mod precedence;
mod sample;

use crate::families::{Families, families};
use crate::order::{BETTER, Edge, Graph, arrange};
use crate::scope::scopes;
use base::Diagnostic;
use blocks::Blocks;
use calculus::system::{Allocation, Storage, System, VarId};
use dd::Level;
use groups::Groups;
use occurrences::{Occurrence, occurrences};
use rustc_hash::FxHashMap;

/// The levels of all variables.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Stored as a key rather than as bits.
    explicit: Vec<bool>,
    /// For each variable the levels of its bits, most significant first.
    levels: Vec<Box<[Level]>>,
    /// For each level the family it belongs to, the copy and the bit.
    places: Vec<(u32, u32, u32)>,
    /// The names of the families.
    families: Vec<String>,
}

impl Layout {
    /// Lays out a system; with `symbolic` no sort is explicit.
    pub fn new(system: &System, symbolic: bool) -> Result<Self, Vec<Diagnostic>> {
        let explicit: Vec<bool> = (0..system.vars.len())
            .map(|v| !symbolic && system.sort_of(VarId::new(v)).storage == Storage::Explicit)
            .collect();
        let scopes = scopes(system);
        allocation::contradictions(system, &scopes)?;
        let families = families(system, &scopes, &explicit);
        let groups = Groups::new(system, families, &explicit);
        let occurrences = occurrences(system, &scopes, &explicit);
        let orders = group_orders(system, &groups, &occurrences);
        let found = levels(&groups, &orders.found, explicit.clone());
        if orders.found == orders.given {
            return Ok(found);
        }
        Ok(sample::smaller(system, &scopes, found, || levels(&groups, &orders.given, explicit)))
    }

    /// The variable is stored as a key.
    pub fn is_explicit(&self, var: VarId) -> bool {
        self.explicit[var.index()]
    }

    /// The levels of a symbolic variable's bits, most significant first; none for an explicit one.
    pub fn levels(&self, var: VarId) -> &[Level] {
        &self.levels[var.index()]
    }

    /// The number of levels.
    pub fn n_levels(&self) -> usize {
        self.places.len()
    }

    /// What a level stands for.
    pub fn name(&self, level: Level) -> String {
        let (family, copy, bit) = self.places[level as usize];
        format!("{}:{copy}.{bit}", self.families[family as usize])
    }
}

/// The number of bits for the values of a sort.
pub(crate) fn n_bits(size: u64) -> usize {
    (64 - (size - 1).leading_zeros()) as usize
}

/// Supports of more groups than this say little about who is close to whom.
const LARGE: usize = 24;

/// Units that occur together, sorted, and how often.
type UnitEdge = (Vec<u32>, f64);

/// How much units occur together: the sums over the occurrences, sorted.
fn unit_edges(groups: &Groups, occurrences: &[Occurrence]) -> Vec<UnitEdge> {
    let mut sums: FxHashMap<Vec<u32>, f64> = FxHashMap::default();
    for occurrence in occurrences {
        let mut units: Vec<u32> = occurrence.vars.iter().filter_map(|&v| groups.unit(v)).collect();
        units.sort_unstable();
        units.dedup();
        if units.len() > 1 {
            *sums.entry(units).or_insert(0.0) += occurrence.times;
        }
    }
    let mut edges: Vec<UnitEdge> = sums.into_iter().collect();
    edges.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    edges
}

/// The hypergraph over vertices, given the vertex of each unit that counts.
fn graph_edges<'a>(
    unit_edges: impl Iterator<Item = &'a UnitEdge>,
    vertex: impl Fn(u32) -> Option<u32>,
) -> Vec<Edge> {
    let mut sums: FxHashMap<Vec<u32>, f64> = FxHashMap::default();
    for (units, times) in unit_edges {
        let mut vertices: Vec<u32> = units.iter().filter_map(|&u| vertex(u)).collect();
        vertices.sort_unstable();
        vertices.dedup();
        if (2..=LARGE).contains(&vertices.len()) {
            *sums.entry(vertices).or_insert(0.0) += times;
        }
    }
    let mut edges: Vec<Edge> = sums
        .into_iter()
        .map(|(vertices, times)| {
            let k = vertices.len() as f64 - 1.0;
            Edge { weight: times.sqrt() / (k * k), vertices }
        })
        .collect();
    edges.sort_unstable_by(|a, b| a.vertices.cmp(&b.vertices));
    edges
}

/// Two orders of the groups, each group with its units in order.
struct Orders {
    /// By what occurs together.
    found: Vec<Vec<u32>>,
    /// As the text has it.
    given: Vec<Vec<u32>>,
}

fn group_orders(system: &System, groups: &Groups, occurrences: &[Occurrence]) -> Orders {
    let unit_edges = unit_edges(groups, occurrences);
    let (mut graph, vertices) = groups.graph();
    graph.edges = graph_edges(unit_edges.iter(), |unit| Some(vertices[groups.find(unit) as usize]));
    let blocks = Blocks::new(system, groups);
    let mut order = best_order(&graph, &blocks);
    if separate(system, groups, &vertices, &order, &mut graph) {
        order = best_order(&graph, &blocks);
    }
    let members = groups.members();
    let mut of_unit: Vec<Vec<u32>> = vec![Vec::new(); groups.n_units()];
    for (n, (units, _)) in (0..).zip(&unit_edges) {
        units.iter().for_each(|&unit| of_unit[unit as usize].push(n));
    }
    let inner = |units: &[u32]| {
        let mut touching: Vec<u32> =
            units.iter().flat_map(|&u| of_unit[u as usize].iter().copied()).collect();
        touching.sort_unstable();
        touching.dedup();
        inner_order(groups, units, touching.iter().map(|&n| &unit_edges[n as usize]))
    };
    let units = |order: Vec<u32>| order.into_iter().map(|v| inner(&members[v as usize])).collect();
    Orders { given: units(graph.given()), found: units(order) }
}

/// A free order must cost less than this share of orders that keep blocks together.
const MUCH_BETTER: f64 = 0.5;

/// The best of the given order, an order by blocks, and a free order.
fn best_order(graph: &Graph, blocks: &Blocks) -> Vec<u32> {
    let free = arrange(graph);
    if blocks.is_empty() {
        return free;
    }
    let given = graph.given();
    let blocked = blocks.arrange(graph);
    // Cells are worth a longer span, but not any: registers whose bits are added up must not become blocks.
    let (free_cost, given_cost, blocked_cost) = (graph.cost(&free), graph.cost(&given), graph.cost(&blocked));
    if free_cost < MUCH_BETTER * given_cost.min(blocked_cost) {
        free
    } else if blocked_cost < BETTER * given_cost {
        blocked
    } else {
        given
    }
}

/// The units of one group, which are interleaved, in order.
fn inner_order<'a>(
    groups: &Groups,
    units: &[u32],
    unit_edges: impl Iterator<Item = &'a UnitEdge>,
) -> Vec<u32> {
    if units.len() < 2 {
        return units.to_vec();
    }
    let place: FxHashMap<u32, u32> = (0..).zip(units).map(|(n, &u)| (u, n)).collect();
    let mut graph = Graph::new(units.len());
    let pairs = units.iter().flat_map(|&unit| groups.pairs_of(unit));
    let placed = pairs.filter_map(|(first, second)| Some((vec![place[first]], vec![*place.get(second)?])));
    graph.put_in_order(placed.collect());
    graph.edges = graph_edges(unit_edges, |unit| place.get(&unit).copied());
    arrange(&graph).into_iter().map(|n| units[n as usize]).collect()
}

/// `a ~- b` becomes `a < b` or `b < a`, whichever is closer to an order found without it.
fn separate(system: &System, groups: &Groups, vertices: &[u32], order: &[u32], graph: &mut Graph) -> bool {
    let mut position = vec![0; order.len()];
    for (at, &vertex) in order.iter().enumerate() {
        position[vertex as usize] = at;
    }
    let mut demands = Vec::new();
    let mut known = rustc_hash::FxHashSet::default();
    for constraint in &system.constraints {
        if constraint.kind != Allocation::Separate || constraint.left == constraint.right {
            continue;
        }
        let [left, right] = [&constraint.left, &constraint.right].map(|side| {
            let mut side: Vec<u32> = groups.roots(side).iter().map(|&r| vertices[r as usize]).collect();
            side.sort_unstable();
            side
        });
        if !known.insert((left.clone(), right.clone())) {
            continue;
        }
        let mean = |side: &[u32]| {
            side.iter().map(|&v| position[v as usize]).sum::<usize>() as f64 / side.len().max(1) as f64
        };
        demands.push(if mean(&left) <= mean(&right) { (left, right) } else { (right, left) });
    }
    let is_changed = !demands.is_empty();
    graph.put_in_order(demands);
    is_changed
}

/// Numbers the levels, given the units of each group in order.
fn levels(groups: &Groups, order: &[Vec<u32>], explicit: Vec<bool>) -> Layout {
    let families = &groups.families;
    let mut places = Vec::new();
    let mut level_of: Vec<Vec<Level>> =
        (0..families.count).map(|f| vec![0; families.copies[f] as usize * families.bits[f]]).collect();
    for units in order {
        let bits = |unit: u32| families.bits[groups.family(unit).0 as usize];
        let most = units.iter().map(|&u| bits(u)).max().unwrap_or(0);
        for bit in 0..most {
            for &unit in units.iter().filter(|&&u| bit < bits(u)) {
                let (family, copies) = groups.family(unit);
                for copy in copies {
                    level_of[family as usize][copy as usize * bits(unit) + bit] = places.len() as Level;
                    places.push((family, copy, bit as u32));
                }
            }
        }
    }
    let levels = (0..explicit.len())
        .map(|v| match families.place(VarId::new(v)) {
            Some((family, copy)) => {
                let (bits, copy) = (families.bits[family as usize], copy as usize);
                level_of[family as usize][copy * bits..(copy + 1) * bits].into()
            }
            None => Box::default(),
        })
        .collect();
    Layout { explicit, levels, places, families: families.names.clone() }
}

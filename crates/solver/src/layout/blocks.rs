//! Blocks: the repeated parts of a record, such as the cells of a ring.
//!
//! Parts of one shape (the same leaves below different prefixes, `s.cell[0]` and `s.cell[1]`, say) are laid out as blocks with one common
//! inner order. A definition applied to one cell after another is then renamed block by block, which is cheap;
//! cells with inner orders of their own cost a reordering of the whole diagram for each application.

use super::groups::Groups;
use crate::order::{Edge, Graph, arrange, settle};
use calculus::system::{BinderId, SortId, System, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A place inside a repeated part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slot {
    /// Which part.
    block: u32,
    /// The shape of the part, and which of its leaves.
    shape: u32,
    leaf: u32,
}

/// The places of all vertices, as far as they lie in repeated parts.
#[derive(Debug)]
pub(super) struct Blocks {
    slots: Vec<Option<Slot>>,
    n_blocks: usize,
    /// How many leaves each shape has.
    shapes: Vec<u32>,
}

impl Blocks {
    /// Finds the repeated parts; the vertices are the groups in order.
    pub fn new(system: &System, groups: &Groups) -> Self {
        let mut this = Self { slots: Vec::new(), n_blocks: 0, shapes: Vec::new() };
        let mut of_type: FxHashMap<&str, FxHashMap<&str, Slot>> = FxHashMap::default();
        for units in groups.members() {
            let mut slots = units.iter().map(|&unit| {
                let var = &system.vars[groups.families.leaves[groups.family(unit).0 as usize].index()];
                let parts = of_type
                    .entry(&system.binders[var.binder.index()].type_name)
                    .or_insert_with(|| this.parts(system, var.binder));
                parts.get(var.path.as_str()).copied()
            });
            let first = slots.next().flatten();
            let one = slots.all(|slot| slot.map(|s| s.block) == first.map(|s| s.block));
            this.slots.push(first.filter(|_| one));
        }
        this
    }

    /// Nothing is repeated.
    pub fn is_empty(&self) -> bool {
        self.n_blocks == 0
    }

    /// The slots of a type, by path: the largest parts whose shape occurs twice or more.
    fn parts<'s>(&mut self, system: &'s System, binder: BinderId) -> FxHashMap<&'s str, Slot> {
        let leaves = &system.binders[binder.index()].leaves;
        let path = |leaf: VarId| system.vars[leaf.index()].path.as_str();
        let mut below: FxHashMap<&str, Vec<(&str, SortId)>> = FxHashMap::default();
        for &leaf in leaves {
            for prefix in prefixes(path(leaf)) {
                let rest = (&path(leaf)[prefix.len()..], system.vars[leaf.index()].sort);
                below.entry(prefix).or_default().push(rest);
            }
        }
        // Each shape by a number, so that the lists are looked at once; and how often it occurs.
        let mut numbers: FxHashMap<&[(&str, SortId)], usize> = FxHashMap::default();
        let mut times: Vec<usize> = Vec::new();
        let mut number_of: FxHashMap<&str, usize> = FxHashMap::default();
        for (prefix, rest) in below.iter().filter(|(_, rest)| rest.len() > 1) {
            let number = *numbers.entry(rest).or_insert(times.len());
            times.resize(times.len().max(number + 1), 0);
            times[number] += 1;
            number_of.insert(prefix, number);
        }
        let mut blocks: FxHashMap<&str, u32> = FxHashMap::default();
        let mut shapes: FxHashMap<usize, u32> = FxHashMap::default();
        let mut next: FxHashMap<&str, u32> = FxHashMap::default();
        let mut slots = FxHashMap::default();
        for &leaf in leaves {
            let repeated = |prefix: &&str| number_of.get(prefix).is_some_and(|&number| times[number] > 1);
            let Some(prefix) = prefixes(path(leaf)).find(repeated) else { continue };
            let block = *blocks.entry(prefix).or_insert_with(|| {
                self.n_blocks += 1;
                self.n_blocks as u32 - 1
            });
            let shape = *shapes.entry(number_of[prefix]).or_insert_with(|| {
                self.shapes.push(below[prefix].len() as u32);
                self.shapes.len() as u32 - 1
            });
            // The rests were listed in the order of the leaves.
            let at = next.entry(prefix).or_insert(0);
            slots.insert(path(leaf), Slot { block, shape, leaf: *at });
            *at += 1;
        }
        slots
    }

    /// An order that keeps every block together and gives blocks of one shape one inner order.
    pub fn arrange(&self, graph: &Graph) -> Vec<u32> {
        let inner: Vec<Vec<f64>> =
            (0..self.shapes.len() as u32).map(|shape| self.inner(graph, shape)).collect();
        let outer = self.outer(graph);
        let wish: Vec<f64> = (0..graph.n())
            .map(|v| match self.slots[v] {
                Some(slot) => {
                    let most = f64::from(self.shapes[slot.shape as usize]);
                    outer[slot.block as usize] + inner[slot.shape as usize][slot.leaf as usize] / most
                }
                None => outer[self.n_blocks + v],
            })
            .collect();
        settle(graph, &wish, |v| self.slots[v as usize].is_none())
    }

    /// Positions for the leaves of a shape, taking the blocks of this shape together.
    fn inner(&self, graph: &Graph, shape: u32) -> Vec<f64> {
        let n = self.shapes[shape as usize];
        let mut small = Graph::new(n as usize);
        let mut sums: FxHashMap<Vec<u32>, f64> = FxHashMap::default();
        for edge in &graph.edges {
            let mut slots: Vec<Slot> = edge.vertices.iter().filter_map(|&v| self.slots[v as usize]).collect();
            slots.retain(|slot| slot.shape == shape);
            slots.sort_unstable_by_key(|slot| (slot.block, slot.leaf));
            for part in slots.chunk_by(|a, b| a.block == b.block).filter(|part| part.len() > 1) {
                *sums.entry(part.iter().map(|slot| slot.leaf).collect()).or_default() += edge.weight;
            }
        }
        small.edges = edges(sums);
        let mut demands = Vec::new();
        for (first, second) in graph.demands() {
            let [first, mut second] = [first, second].map(|side| self.leaves(side, shape));
            let both = first.into_iter().filter_map(|(block, first)| Some((first, second.remove(&block)?)));
            demands.extend(both);
        }
        small.put_in_order(demands);
        positions(&arrange(&small))
    }

    /// Positions for the blocks, and for each vertex that is in none.
    fn outer(&self, graph: &Graph) -> Vec<f64> {
        let vertex = |v: u32| self.slots[v as usize].map_or(self.n_blocks as u32 + v, |slot| slot.block);
        let mut large = Graph::new(self.n_blocks + graph.n());
        let mut sums: FxHashMap<Vec<u32>, f64> = FxHashMap::default();
        for edge in &graph.edges {
            let mut vertices: Vec<u32> = edge.vertices.iter().map(|&v| vertex(v)).collect();
            vertices.sort_unstable();
            vertices.dedup();
            if vertices.len() > 1 {
                *sums.entry(vertices).or_default() += edge.weight;
            }
        }
        large.edges = edges(sums);
        let side = |side: &[u32]| {
            let mut side: Vec<u32> = side.iter().map(|&v| vertex(v)).collect();
            side.sort_unstable();
            side.dedup();
            side
        };
        large.put_in_order(graph.demands().map(|(first, second)| (side(first), side(second))).collect());
        positions(&arrange(&large))
    }

    /// The leaves of a shape among some vertices, by block.
    fn leaves(&self, vertices: &[u32], shape: u32) -> BTreeMap<u32, Vec<u32>> {
        let mut leaves: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for slot in vertices.iter().filter_map(|&v| self.slots[v as usize]).filter(|s| s.shape == shape) {
            leaves.entry(slot.block).or_default().push(slot.leaf);
        }
        leaves
    }
}

/// Sums of weights as edges, in a fixed order.
fn edges(sums: FxHashMap<Vec<u32>, f64>) -> Vec<Edge> {
    let mut edges: Vec<Edge> = sums.into_iter().map(|(vertices, weight)| Edge { vertices, weight }).collect();
    edges.sort_unstable_by(|a, b| a.vertices.cmp(&b.vertices));
    edges
}

/// The place of each vertex in an order.
fn positions(order: &[u32]) -> Vec<f64> {
    let mut positions = vec![0.0; order.len()];
    for (at, &vertex) in order.iter().enumerate() {
        positions[vertex as usize] = at as f64;
    }
    positions
}

/// The proper prefixes of a path that end where a component ends, short ones first: `.c` and `.c[0]` of `.c[0].user`.
fn prefixes(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices(['.', '[']).map(|(at, _)| &path[..at]).filter(|prefix| !prefix.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_end_with_components() {
        assert_eq!(prefixes(".c[0].user").collect::<Vec<_>>(), [".c", ".c[0]"]);
        assert_eq!(prefixes("[2].pc").collect::<Vec<_>>(), ["[2]"]);
        assert_eq!(prefixes("").count(), 0);
    }
}

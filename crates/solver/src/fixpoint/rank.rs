//! Ranks: the order in which the work list takes rows.
//!
//! The rules are run once on keys alone ([`super::keys`]). That gives the graph of rows that can feed each
//! other. Its strongly connected components are ranked in the order of the flow, and each component again without
//! its first row, so that inner loops settle before what follows them (a weak topological order). Within a component whose
//! keys begin alike, rows that are joined with other growing rows come last: they wait until the cheaper steps have
//! found all they can. The graph knows nothing of programs; on a program's rows it puts callees before the statements after
//! their calls, and the calls of a function's loop after its other statements.

use super::network::Network;
use crate::answer::Shortcut;
use crate::fault::Fault;
use crate::machine::Machine;
use crate::planner::RuleSet;
use crate::store::table::{RowId, TableId};
use base::{Adjacency, Components};
use std::ops::ControlFlow;

/// Components inside components inside components are ranked this deep.
const DEPTH: usize = 12;

impl Machine<'_> {
    /// Ranks the rows that a rule set can fill. They are entered into the tables, empty.
    pub fn rank_rows(&mut self, set: &RuleSet) -> Result<(), Fault> {
        let shaped = |t: &TableId| !self.store.shape(*t).keys.is_empty();
        let with_bits = |t: &TableId| !self.store.shape(*t).bits.is_empty();
        if !set.tables.iter().any(shaped) {
            self.rank_tables(set);
            return Ok(());
        }
        if !set.tables.iter().any(with_bits) || set.delta.is_empty() {
            return Ok(());
        }
        let mut graph = self.explore_keys(set)?;
        let first_key = |(table, row): &(TableId, RowId)| {
            self.store.tables[table.index()].key(*row).first().copied().unwrap_or_default()
        };
        let kinds: Vec<Kind> = graph
            .rows
            .iter()
            .zip(&graph.joined)
            .map(|(row, joined)| Kind { group: first_key(row), is_last: *joined })
            .collect();
        let mut order = weak_topological_order(&kinds, &std::mem::take(&mut graph.edges));
        self.store.shortcuts.count(Shortcut::Rankings);
        if self.store.system.strata.is_some() {
            order.sort_by_cached_key(|number| {
                let (table, row) = graph.rows[*number as usize];
                self.store.stratum(table, row)
            });
        }
        for (rank, &number) in order.iter().enumerate() {
            let (table, row) = graph.rows[number as usize];
            self.store.tables[table.index()].rows[row.index()].rank = rank as u32;
        }
        if graph.is_written {
            self.work.follow(Network::new(&graph.rows, &order, &graph.instances, graph.parts));
        }
        Ok(())
    }

    /// Ranks whole relations: the one that feeds most others first, then in order of definition. New tuples go round the first
    /// relations until nothing is new there before the later ones are tried; sets that are closed under some steps
    /// have smaller diagrams than sets reached in so many rounds.
    fn rank_tables(&mut self, set: &RuleSet) {
        let mut order: Vec<(usize, TableId)> = Vec::new();
        for &table in &set.tables {
            let plans = set.delta.get(&table).into_iter().flatten();
            let mut fed: Vec<TableId> =
                plans.filter_map(|plan| plan.head.table()).filter(|t| *t != table).collect();
            fed.sort_unstable();
            fed.dedup();
            order.push((usize::MAX - fed.len(), table));
        }
        order.sort_unstable();
        for (rank, (_, table)) in order.into_iter().enumerate() {
            let row = self.store.tables[table.index()].find_or_insert(&[]);
            self.store.tables[table.index()].rows[row.index()].rank = rank as u32;
        }
    }
}

/// What the order looks at besides the edges.
#[derive(Clone, Copy, Default)]
struct Kind {
    group: u32,
    /// Comes last in a loop of its group.
    is_last: bool,
}

/// The vertices, sources first, loops contiguous, each loop's first vertex before its inner loops, and in a loop of one
/// group those that are to come last at its end.
fn weak_topological_order(kinds: &[Kind], edges: &[(u32, u32)]) -> Vec<u32> {
    let n = kinds.len();
    let adjacency = Adjacency::new(n, edges.iter().copied());
    let mut search = Components::new(n);
    // Each search keeps to the vertices of one region.
    let (mut region_of, mut n_regions) = (vec![0u32; n], 0);
    let mut order = Vec::with_capacity(n);
    // The vertices of all parts that wait, those of the part to be taken next at the end; and where each part begins.
    let mut waiting: Vec<u32> = (0..n as u32).collect();
    let mut todo: Vec<(usize, usize, u32)> = vec![(0, 0, 0)];
    // The components of a part, each after its size.
    let mut found: Vec<u32> = Vec::new();
    while let Some((start, depth, region)) = todo.pop() {
        if depth > DEPTH || waiting.len() == start + 1 {
            order.extend(waiting.drain(start..));
            continue;
        }
        let target = |to: &u32| (region_of[*to as usize] == region).then_some(*to);
        found.clear();
        let _: Option<()> = search.search(
            waiting.drain(start..),
            |v| adjacency.of(v),
            target,
            |component| {
                found.push(component.members.len() as u32);
                found.extend(component.members);
                ControlFlow::Continue(())
            },
        );
        // Components are pushed so that the first is taken next; each comes as its head, then the rest.
        let mut rest = &mut found[..];
        while let Some((&mut size, members)) = rest.split_first_mut() {
            let (component, others) = members.split_at_mut(size as usize);
            rest = others;
            component.sort_unstable();
            let (&mut head, component) = component.split_first_mut().expect("a component is not empty");
            let kind = |v: &u32| kinds[*v as usize];
            let is_alike = component.iter().all(|v| kind(v).group == kind(&head).group);
            for is_last in [true, false] {
                let begin = waiting.len();
                waiting.extend(component.iter().filter(|v| (is_alike && kind(v).is_last) == is_last));
                if waiting.len() > begin {
                    n_regions += 1;
                    waiting[begin..].iter().for_each(|&v| region_of[v as usize] = n_regions);
                    todo.push((begin, depth + 1, n_regions));
                }
            }
            todo.push((waiting.len(), DEPTH + 1, 0));
            waiting.push(head);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_ranked_along_itself() {
        assert_eq!(weak_topological_order(&[Kind::default(); 4], &[(0, 2), (2, 1), (1, 3)]), [0, 2, 1, 3]);
    }

    #[test]
    fn what_follows_a_loop_comes_after_the_loop() {
        // 0 enters the loop 1 2, which 3 leaves; the edge to 3 is listed first.
        assert_eq!(
            weak_topological_order(&[Kind::default(); 4], &[(0, 1), (1, 3), (1, 2), (2, 1)]),
            [0, 1, 2, 3]
        );
    }

    #[test]
    fn a_join_waits_for_the_rest_of_its_loop() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 1), (1, 3), (3, 4)];
        let mut kinds = [Kind::default(); 5];
        kinds[2].is_last = true;
        assert_eq!(weak_topological_order(&kinds, &edges), [0, 1, 3, 2, 4]);
        kinds[1].group = 1;
        assert_eq!(weak_topological_order(&kinds, &edges), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn inner_loops_are_contiguous() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 2), (3, 4), (4, 1), (4, 5)];
        assert_eq!(weak_topological_order(&[Kind::default(); 6], &edges), [0, 1, 2, 3, 4, 5]);
    }
}

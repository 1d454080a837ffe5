//! Ranks: the order in which the work list takes rows.
//!
//! The rules are run once on keys alone, every diagram taken for true. That gives the graph of rows that can feed each
//! other. Its strongly connected components are ranked in the order of the flow, and each component again without
//! its first row, so that inner loops settle before what follows them (a weak topological order). Within a component whose
//! keys begin alike, rows that are joined with other growing rows come last: they wait until the cheaper steps have
//! found all they can. The graph knows nothing of programs; on a program's rows it puts callees before the statements after
//! their calls, and the calls of a function's loop after its other statements.

use crate::answer::Shortcut;
use crate::fault::Fault;
use crate::machine::Machine;
use crate::planner::RuleSet;
use crate::store::table::{RowId, TableId};
use base::{Adjacency, Components};
use dd::Bdd;
use rustc_hash::FxHashMap;

/// Rows found per run on keys alone before it is given up; later rows come last.
const MOST_EDGES: usize = 4_000_000;
/// Components inside components inside components are ranked this deep.
const DEPTH: usize = 12;
/// The rank of rows that were not foreseen.
pub(crate) const UNFORESEEN: u32 = u32::MAX;

/// The graph of rows, while it is being made.
#[derive(Debug, Default)]
pub(crate) struct KeyGraph {
    numbers: FxHashMap<(TableId, RowId), u32>,
    rows: Vec<(TableId, RowId)>,
    edges: Vec<(u32, u32)>,
    source: Option<u32>,
    /// The growing rows that the plan under way has joined, by slot.
    premises: Vec<(usize, u32)>,
    /// The plan that is being run joins growing rows.
    joins: bool,
    /// For each row: it is joined with another growing row.
    joined: Vec<bool>,
}

impl KeyGraph {
    /// A row was reached from the row that is being propagated.
    pub fn reach(&mut self, table: TableId, row: RowId) {
        let next = self.rows.len() as u32;
        let number = *self.numbers.entry((table, row)).or_insert(next);
        if number == next {
            self.rows.push((table, row));
            self.joined.push(false);
        }
        if let Some(source) = self.source {
            self.joined[source as usize] |= self.joins;
            self.edges.push((source, number));
            self.edges.extend(self.premises.iter().map(|&(_, premise)| (premise, number)));
        }
    }

    /// The plan under way takes a row into a slot; slots are filled in order.
    pub fn join(&mut self, slot: usize, table: TableId, row: RowId) {
        self.premises.retain(|premise| premise.0 < slot);
        if let Some(&number) = self.numbers.get(&(table, row)) {
            self.premises.push((slot, number));
        }
    }

    /// The graph is too large to be worth it.
    pub fn is_full(&self) -> bool {
        self.edges.len() > MOST_EDGES
    }
}

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
        let graph = self.explore_keys(set)?;
        let first_key = |(table, row): &(TableId, RowId)| {
            self.store.tables[table.index()].key(*row).first().copied().unwrap_or_default()
        };
        let kinds: Vec<Kind> = graph
            .rows
            .iter()
            .zip(&graph.joined)
            .map(|(row, joined)| Kind { group: first_key(row), is_last: *joined })
            .collect();
        let order = weak_topological_order(&kinds, &graph.edges);
        self.store.shortcuts.count(Shortcut::Rankings);
        for table in &set.tables {
            self.store.tables[table.index()].new_rank = UNFORESEEN;
        }
        for (rank, &number) in order.iter().enumerate() {
            let (table, row) = graph.rows[number as usize];
            self.store.tables[table.index()].rows[row.index()].rank = rank as u32;
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

    /// Runs the rules on keys alone.
    fn explore_keys(&mut self, set: &RuleSet) -> Result<KeyGraph, Fault> {
        let mut graph = KeyGraph::default();
        let mut run = self.on_keys(&mut graph);
        run.add_facts(&set.facts)?;
        set.initial.iter().try_for_each(|plan| run.run(plan))?;
        let mut next = 0;
        while let Some(&(table, row)) = graph.rows.get(next)
            && !graph.is_full()
        {
            graph.source = Some(next as u32);
            next += 1;
            self.poll()?;
            for plan in set.delta.get(&table).into_iter().flatten() {
                let grows = |table: TableId| set.tables.contains(&table);
                graph.joins = plan.steps.iter().any(|step| step.table().is_some_and(grows));
                graph.premises.clear();
                self.on_keys(&mut graph).run_delta(plan, row, Bdd::TRUE)?;
            }
        }
        Ok(graph)
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
    let mut todo: Vec<(Vec<u32>, usize, u32)> = vec![((0..n as u32).collect(), 0, 0)];
    while let Some((vertices, depth, region)) = todo.pop() {
        if depth > DEPTH || vertices.len() == 1 {
            order.extend(vertices);
            continue;
        }
        // Components are pushed so that the first is taken next; each comes as its head, then the rest.
        let target = |to: &u32| (region_of[*to as usize] == region).then_some(*to);
        for mut component in search.list(vertices, |vertex| adjacency.of(vertex), target) {
            if component.len() == 1 {
                todo.push((component, DEPTH + 1, 0));
                continue;
            }
            let head = *component.iter().min().expect("a component is not empty");
            component.retain(|v| *v != head);
            component.sort_unstable();
            let kind = |v: &u32| kinds[*v as usize];
            let is_alike = component.iter().all(|v| kind(v).group == kind(&head).group);
            let (last, inner): (Vec<u32>, Vec<u32>) =
                component.iter().partition(|v| is_alike && kind(v).is_last);
            for part in [last, inner] {
                if !part.is_empty() {
                    n_regions += 1;
                    part.iter().for_each(|&v| region_of[v as usize] = n_regions);
                    todo.push((part, depth + 1, n_regions));
                }
            }
            todo.push((vec![head], DEPTH + 1, 0));
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

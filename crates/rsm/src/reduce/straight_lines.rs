//! Straight lines: a node with one way in and one way on is no place where runs part or meet.
//!
//! A line is cut where a block would become too long, and where it would assign a variable again that it has already
//! given a chosen or constrained value: a description of the block has one new value for each variable to choose. In a
//! thread it is cut where another thread could tell.

use super::shape::{Draft, MAX_BLOCK, is_call};
use crate::expr::Expr;
use crate::machine::{Action, Edge, EdgeId, NodeId, Place};

/// Drops the points in the middle of straight lines.
pub(super) fn drop(draft: &mut Draft) {
    let mut is_middle = find_middles(draft);
    let mut line = Line::default();
    let heads: Vec<NodeId> = draft.points().filter(|node| !is_middle[node.index()]).collect();
    for head in heads {
        follow_all(draft, head, &mut is_middle, &mut line);
    }
    // What is left are cycles that nothing leads into; each keeps its first node.
    let middles: Vec<NodeId> = draft.points().filter(|node| is_middle[node.index()]).collect();
    for middle in middles {
        if is_middle[middle.index()] {
            is_middle[middle.index()] = false;
            follow_all(draft, middle, &mut is_middle, &mut line);
        }
    }
}

/// The points with one block in and one out, neither a call, that may be dropped.
fn find_middles(draft: &Draft) -> Vec<bool> {
    let mut n_arrivals = vec![0; draft.is_point.len()];
    for node in draft.points() {
        for first in draft.edges_from(node) {
            let (_, last) = draft.walk(first).last().expect("a walk has a first edge");
            n_arrivals[last.to.index()] += 1;
        }
    }
    let is_middle = |node: usize| {
        // A call into the node needs no test: its end is fixed.
        let may_drop = draft.is_point[node] && !draft.is_fixed[node] && n_arrivals[node] == 1;
        may_drop && draft.only_edge(NodeId::new(node)).is_some_and(|(_, edge)| !is_call(edge))
    };
    (0..n_arrivals.len()).map(is_middle).collect()
}

/// Follows every line that starts at a point. Middles met on the way are settled, and are middles no longer.
fn follow_all(draft: &mut Draft, head: NodeId, is_middle: &mut [bool], line: &mut Line) {
    let firsts: Vec<(EdgeId, &Edge)> = draft.edges_from(head).collect();
    for first in firsts {
        line.start(draft, head);
        let mut next = first;
        loop {
            if !line.has_room_for(draft, draft.walk(next)) {
                line.start(draft, next.1.from);
                draft.is_point[next.1.from.index()] = true;
            }
            let to = line.extend(draft, draft.walk(next));
            if !std::mem::take(&mut is_middle[to.index()]) {
                break;
            }
            next = draft.only_edge(to).expect("a middle has one way on");
            draft.is_point[to.index()] = false;
        }
    }
}

/// A block in the making.
#[derive(Default)]
struct Line {
    n_edges: usize,
    /// The variables that have a chosen or constrained value.
    chosen: Vec<Place>,
    /// Other threads may have noticed a step, or a step has noticed them.
    is_noticed: bool,
}

impl Line {
    /// Begins anew at a node. Inside an atomic region a thread cannot put off what it does until others have run.
    fn start(&mut self, draft: &Draft, node: NodeId) {
        self.n_edges = 0;
        self.chosen.clear();
        self.is_noticed = draft.module.node(node).in_atomic;
    }

    /// The block may be longer by these edges. They always fit into an empty one.
    fn has_room_for<'a>(&self, draft: &Draft, edges: impl Iterator<Item = (EdgeId, &'a Edge)>) -> bool {
        let mut n_edges = self.n_edges;
        for (_, edge) in edges {
            n_edges += 1;
            if let Some(interference) = draft.interference
                && self.is_noticed
                && !interference.follows_at_once(draft.module, edge)
            {
                return false;
            }
            if let Action::Assign { targets, .. } = &edge.action
                && targets.iter().any(|target| self.chosen.contains(target))
            {
                return false;
            }
        }
        n_edges <= MAX_BLOCK
    }

    /// Adds edges, and says where they lead.
    fn extend<'a>(&mut self, draft: &Draft, edges: impl Iterator<Item = (EdgeId, &'a Edge)>) -> NodeId {
        let mut end = None;
        for (_, edge) in edges {
            end = Some(edge.to);
            self.n_edges += 1;
            self.is_noticed |=
                draft.interference.is_some_and(|interference| interference.notices(draft.module, edge));
            if let Action::Assign { targets, values, constrain } = &edge.action {
                let is_chosen = |value: &Expr| constrain.is_some() || value.has_choice();
                let chosen = targets.iter().zip(values).filter(|(_, value)| is_chosen(value));
                self.chosen.extend(chosen.map(|(&target, _)| target));
            }
        }
        end.expect("there is an edge")
    }
}

//! Jump chains: a node that only goes on to another is none to stop at.
//!
//! Such nodes form chains and, where a program loops on the spot, cycles. A cycle keeps the node at which it was found
//! to be one, and a chain that is too long for a block keeps a node every now and then.

use super::shape::{Draft, MAX_BLOCK};
use crate::machine::{Action, NodeId};

/// What is known about a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Not looked at yet.
    New,
    /// On the chain that is being followed.
    OnChain,
    /// So many edges away from the next node that stays; 0 if it stays itself.
    Distance(usize),
}

/// Drops the points whose only edge is a skip.
pub(super) fn drop(draft: &mut Draft) {
    let mut states = vec![Known::New; draft.is_point.len()];
    let mut chain = Vec::new();
    for start in 0..states.len() {
        follow(draft, NodeId::new(start), &mut states, &mut chain);
    }
    for (node, state) in states.into_iter().enumerate() {
        draft.is_point[node] &= state == Known::Distance(0);
    }
}

/// Follows the skips from a node until something known, and settles all nodes on the way.
fn follow(draft: &Draft, start: NodeId, states: &mut [Known], chain: &mut Vec<NodeId>) {
    let mut node = start;
    while states[node.index()] == Known::New {
        let Some(next) = skips_to(draft, node) else {
            states[node.index()] = Known::Distance(0);
            break;
        };
        states[node.index()] = Known::OnChain;
        chain.push(node);
        node = next;
    }
    if states[node.index()] == Known::OnChain {
        states[node.index()] = Known::Distance(0);
    }
    let Known::Distance(mut distance) = states[node.index()] else {
        unreachable!("the chain ends in a known node")
    };
    while let Some(node) = chain.pop() {
        if states[node.index()] == Known::Distance(0) {
            // The node that closes a cycle.
            distance = 0;
            continue;
        }
        // One more edge leads into the chain.
        distance = if distance + 2 > MAX_BLOCK { 0 } else { distance + 1 };
        states[node.index()] = Known::Distance(distance);
    }
}

/// Where a node leads if it may be dropped.
fn skips_to(draft: &Draft, node: NodeId) -> Option<NodeId> {
    if draft.is_fixed[node.index()] || !draft.is_point[node.index()] {
        return None;
    }
    let (_, edge) = draft.only_edge(node)?;
    let in_atomic = |node: NodeId| draft.module.node(node).in_atomic;
    // Before it enters an atomic region a thread can be interrupted.
    let enters = draft.interference.is_some() && !in_atomic(node) && in_atomic(edge.to);
    (matches!(edge.action, Action::Skip) && !enters).then_some(edge.to)
}

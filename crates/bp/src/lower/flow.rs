//! Where a function goes on behind each statement.
//!
//! Going back to a loop's test, passing `fi` and leaving an atomic block are no steps: they are followed here, so that
//! edges lead from step to step.

use crate::ast::{Statement, StatementKind};
use rsm::NodeId;

/// The nodes of a body, by positions in it.
pub(super) struct Flow {
    /// How many steps there are; the node of the function's `end` has this number.
    pub(super) n_nodes: usize,
    /// The node of the step at a position; of a bracket that is no step, the node of the next step in the text.
    pub(super) node: Vec<NodeId>,
    /// The node that is reached at a position, followed to a step. One more than there are statements.
    reached: Vec<NodeId>,
    /// The node where a test goes on that fails.
    pub(super) otherwise: Vec<NodeId>,
}

impl Flow {
    pub(super) fn new(body: &[Statement]) -> Self {
        let (node, n_nodes) = number(body);
        let end = NodeId::new(n_nodes);
        let mut flow =
            Self { n_nodes, node, reached: vec![end; body.len() + 1], otherwise: vec![end; body.len()] };
        let loops = loops(body);
        // The blocks whose closing word lies behind the present position: the node behind the block, and the node
        // of its next part, which a failing test goes to.
        let mut blocks: Vec<(NodeId, NodeId)> = Vec::new();
        for (position, statement) in body.iter().enumerate().rev() {
            let next = flow.reached[position + 1];
            let own = flow.node[position];
            flow.reached[position] = match statement.kind {
                StatementKind::Fi => {
                    blocks.push((next, next));
                    next
                }
                StatementKind::Od => {
                    blocks.push((next, next));
                    flow.node[loops[position]]
                }
                StatementKind::Else => {
                    let block = blocks.last_mut().expect("`else` stands before a `fi`");
                    block.1 = next;
                    block.0
                }
                StatementKind::Elsif(_) => {
                    let block = blocks.last_mut().expect("`elsif` stands before a `fi`");
                    flow.otherwise[position] = block.1;
                    block.1 = own;
                    // Whoever comes here from the part before goes behind the `fi`.
                    block.0
                }
                StatementKind::If(_) | StatementKind::While(_) => {
                    let block = blocks.pop().expect("blocks are closed");
                    flow.otherwise[position] = block.1;
                    own
                }
                StatementKind::EndAtomic => next,
                _ => own,
            };
        }
        flow
    }

    /// The node behind the statement at a position.
    pub(super) fn after(&self, position: usize) -> NodeId {
        self.reached[position + 1]
    }
}

/// Numbers the steps in the order of the text.
fn number(body: &[Statement]) -> (Vec<NodeId>, usize) {
    let mut n_nodes = 0;
    let mut node = Vec::with_capacity(body.len());
    for statement in body {
        node.push(NodeId::new(n_nodes));
        let is_step = !matches!(
            statement.kind,
            StatementKind::Else | StatementKind::Fi | StatementKind::Od | StatementKind::EndAtomic
        );
        n_nodes += usize::from(is_step);
    }
    (node, n_nodes)
}

/// For each `od`, the position of its `while`.
fn loops(body: &[Statement]) -> Vec<usize> {
    let mut found = vec![0; body.len()];
    let mut open = Vec::new();
    for (position, statement) in body.iter().enumerate() {
        match statement.kind {
            StatementKind::While(_) => open.push(position),
            StatementKind::Od => found[position] = open.pop().expect("`od` stands behind a `while`"),
            _ => {}
        }
    }
    found
}

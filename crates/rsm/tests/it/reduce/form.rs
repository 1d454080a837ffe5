//! On random machines, every view has the promised form.

use super::random::{self, SELECTIONS, all_goals};
use super::text;
use rsm::{Action, Block, EdgeId, Goal, Module, NodeId, Reduced, ReducedModule, Reductions, Rsm, reduce};

#[test]
fn every_view_has_the_promised_form() {
    for seed in testing::seeds(0..1000) {
        let source = random::machine(seed);
        let rsm = text::machine(&source);
        let goals: Vec<Goal> = all_goals(&rsm).into_iter().step_by(4).collect();
        for name in SELECTIONS {
            let which: Reductions = name.parse().expect("a selection");
            let view = reduce(&rsm, &goals, which);
            let reached = live_edges(&rsm);
            let everything = rsm.modules.iter().map(|module| vec![true; module.edges.len()]).collect();
            let live = if which.dead_code { reached.clone() } else { everything };
            for (index, module) in view.modules.iter().enumerate() {
                let complaint = find_flaw(&rsm.modules[index], module, &live[index], &reached[index]);
                assert_eq!(
                    complaint,
                    None,
                    "seed {seed}, {name}, module {index}\n{source}\n{}",
                    view.show(&rsm)
                );
            }
            assert_goals_are_points(&rsm, &view, &goals, which);
        }
    }
}

/// The edges that paths from the start of the program can take, by rounds over everything.
fn live_edges(rsm: &Rsm) -> Vec<Vec<bool>> {
    let mut nodes: Vec<Vec<bool>> =
        rsm.modules.iter().map(|module| vec![false; module.nodes.len()]).collect();
    let mut edges: Vec<Vec<bool>> =
        rsm.modules.iter().map(|module| vec![false; module.edges.len()]).collect();
    nodes[0][0] = true;
    let mut before = None;
    while before.as_ref() != Some(&(nodes.clone(), edges.clone())) {
        before = Some((nodes.clone(), edges.clone()));
        for (index, module) in rsm.modules.iter().enumerate() {
            for (id, edge) in module.edges.iter().enumerate() {
                let is_never = match &edge.action {
                    Action::Assume(condition) | Action::Assert(condition) => is_false(condition),
                    _ => false,
                };
                if !nodes[index][edge.from.index()] || is_never {
                    continue;
                }
                edges[index][id] = true;
                let mut goes_on = true;
                if let Action::Call { callee, .. } = edge.action {
                    nodes[callee.index()][0] = true;
                    goes_on = nodes[callee.index()][rsm.module(callee).exit.index()];
                }
                nodes[index][edge.to.index()] |= goes_on;
            }
        }
    }
    edges
}

/// The condition is made of constants and false.
fn is_false(condition: &rsm::Expr) -> bool {
    use rsm::{Binary, Operation};
    let mut stack: Vec<bool> = Vec::new();
    for term in &condition.code {
        let mut pop = || stack.pop().expect("an operand");
        let value = match term.operation {
            Operation::Constant(value) => value == 1,
            Operation::Not => !pop(),
            Operation::Binary(Binary::And) => pop() & pop(),
            Operation::Binary(Binary::Or) => pop() | pop(),
            Operation::Binary(Binary::Xor) => pop() != pop(),
            Operation::Binary(Binary::Equal) => pop() == pop(),
            _ => return false,
        };
        stack.push(value);
    }
    !stack[0]
}

/// What is wrong with the points and blocks of a module.
fn find_flaw(
    module: &Module,
    view: &ReducedModule,
    is_live: &[bool],
    is_reached: &[bool],
) -> Option<&'static str> {
    if !view.is_used {
        return (!view.points.is_empty() || !view.blocks.is_empty()).then_some("not used, but not empty");
    }
    let is_point = |node: NodeId| view.points.binary_search(&node).is_ok();
    if !view.points.is_sorted_by(|a, b| a < b) || !is_point(module.entry) || !is_point(module.exit) {
        return Some("the points");
    }
    if view.live.len() != view.points.len() || !view.live.iter().all(|live| live.is_sorted_by(|a, b| a < b)) {
        return Some("the live variables");
    }
    if !view.blocks.is_sorted_by(|a, b| (a.from, a.path[0]) < (b.from, b.path[0])) {
        return Some("the order of the blocks");
    }
    if let Some(flaw) =
        view.blocks.iter().find_map(|block| find_block_flaw(module, block, &is_point, is_live))
    {
        return Some(flaw);
    }
    for (index, edge) in module.edges.iter().enumerate().filter(|(index, _)| is_live[*index]) {
        let id = EdgeId::new(index);
        let n_starts = view.blocks.iter().filter(|block| block.path[0] == id).count();
        if is_point(edge.from) != (n_starts == 1) {
            return Some("an edge from a point starts one block, no other does");
        }
        if is_reached[index] && !view.blocks.iter().any(|block| block.path.contains(&id)) {
            return Some("an edge that can be reached is in no block");
        }
    }
    None
}

fn find_block_flaw(
    module: &Module,
    block: &Block,
    is_point: &impl Fn(NodeId) -> bool,
    is_live: &[bool],
) -> Option<&'static str> {
    let mut node = block.from;
    for (position, &id) in block.path.iter().enumerate() {
        let edge = module.edge(id);
        let n_ways = module.edges_from(node).filter(|(id, _)| is_live[id.index()]).count();
        if edge.from != node || !is_live[id.index()] {
            return Some("a path is broken");
        }
        if position > 0 && (is_point(node) || n_ways != 1) {
            return Some("a path passes a point or a fork");
        }
        if matches!(edge.action, Action::Call { .. }) && block.path.len() > 1 {
            return Some("a call is not alone");
        }
        node = edge.to;
    }
    let ends_well = is_point(block.from) && is_point(block.to) && node == block.to && block.path.len() <= 64;
    (!ends_well).then_some("the ends of a block")
}

/// Goals are points unless they are dead code.
fn assert_goals_are_points(rsm: &Rsm, view: &Reduced, goals: &[Goal], which: Reductions) {
    let live = live_edges(rsm);
    for &goal in goals {
        let (module, node) = match goal {
            Goal::At(module, node) => (module, node),
            Goal::Failure(module, edge) => (module, rsm.module(module).edge(edge).from),
        };
        let mut edges = rsm.module(module).edges_from(node);
        let is_live = !which.dead_code || edges.any(|(id, _)| live[module.index()][id.index()]);
        let is_point = view.modules[module.index()].points.contains(&node);
        assert!(is_point || !is_live, "{goal:?} is live and no point");
    }
}

//! Goals behind a test that is true for several reasons, as a goal for each reason.
//!
//! Contract: `if (a | b) then GOAL: …` reaches its goal because of `a` or because of `b`, and the split machine has an edge, and a goal, for each. A run of it is a run of
//! the machine, once the steps are left out that have no [origin](Split::origin), and every run of the machine is one of it. What the reasons have in common is little, so
//! each goal can be asked for alone.

use crate::expr::{Binary, Expr, Operation, Term, Type};
use crate::goal::Goal;
use crate::machine::{Action, Edge, EdgeId, Module, ModuleId, NodeId, Rsm};

/// Goals with more reasons are left as they are.
const MOST: usize = 64;

/// A machine whose goals have been split.
#[derive(Clone, Debug)]
pub struct Split {
    /// The machine.
    pub machine: Rsm,
    /// For each goal that was asked for those that it is now.
    pub goals: Vec<Vec<Goal>>,
    /// For each edge of each module the edge that it stands for; none if it stands for nothing.
    origins: Vec<Vec<Option<EdgeId>>>,
}

impl Split {
    /// The edge of the program that an edge stands for.
    pub fn origin(&self, module: ModuleId, edge: EdgeId) -> Option<EdgeId> {
        self.origins[module.index()][edge.index()]
    }
}

/// The machine with goals split, if there is one with several reasons.
pub fn split_goals(rsm: &Rsm, goals: &[Goal]) -> Option<Split> {
    let mut split = Split {
        machine: rsm.clone(),
        goals: goals.iter().map(|goal| vec![*goal]).collect(),
        origins: rsm
            .modules
            .iter()
            .map(|module| (0..module.edges.len()).map(|n| Some(EdgeId::new(n))).collect())
            .collect(),
    };
    let mut is_split = false;
    for m in (0..rsm.modules.len()).map(ModuleId::new) {
        let mut nodes: Vec<NodeId> = goals.iter().filter_map(|goal| goal_node(*goal, m)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.retain(|node| *node != rsm.module(m).entry && has_several_reasons(rsm.module(m), *node));
        if !nodes.is_empty() {
            split_module(&mut split, goals, m, &nodes);
            is_split = true;
        }
    }
    is_split.then_some(split)
}

fn goal_node(goal: Goal, m: ModuleId) -> Option<NodeId> {
    match goal {
        Goal::At(module, node) if module == m => Some(node),
        _ => None,
    }
}

/// The conditions under which an edge can be taken, of which one is enough.
fn reasons(edge: &Edge) -> Vec<Expr> {
    match &edge.action {
        Action::Assume(condition) => disjuncts(condition),
        _ => Vec::new(),
    }
}

fn has_several_reasons(module: &Module, node: NodeId) -> bool {
    let counts = module.edges.iter().filter(|edge| edge.to == node).map(|edge| reasons(edge).len().max(1));
    let n: usize = counts.clone().sum();
    counts.max().is_some_and(|most| most > 1) && n <= MOST && node != module.exit
}

/// Every way to one of the nodes leads to a node of its own first, for each reason.
fn split_module(split: &mut Split, goals: &[Goal], m: ModuleId, nodes: &[NodeId]) {
    let module = &mut split.machine.modules[m.index()];
    let exit = module.exit.index();
    let old = std::mem::take(&mut module.edges);
    let n_new: usize =
        old.iter().filter(|edge| nodes.contains(&edge.to)).map(|edge| reasons(edge).len().max(1)).sum();
    // Nodes behind the exit are where threads end, so the new ones stand before it.
    let moved = |node: NodeId| if node.index() < exit { node } else { NodeId::new(node.index() + n_new) };
    let (mut edges, mut origins, mut ways_on) = (Vec::new(), Vec::new(), Vec::new());
    let (mut added, mut arrivals) = (Vec::new(), Vec::new());
    for (n, edge) in old.into_iter().enumerate() {
        let is_way = nodes.contains(&edge.to);
        let mut actions: Vec<Action> = reasons(&edge).into_iter().map(Action::Assume).collect();
        if !is_way || actions.is_empty() {
            actions = vec![edge.action.clone()];
        }
        for action in actions {
            let mut to = moved(edge.to);
            if is_way {
                let arrival = NodeId::new(exit + added.len());
                let goal = module.node(edge.to);
                added.push(crate::machine::Node { labels: Vec::new(), ..goal.clone() });
                arrivals.push((edge.to, arrival));
                ways_on.push(Edge { from: arrival, to, action: Action::Skip, span: edge.span });
                to = arrival;
            }
            edges.push(Edge { from: moved(edge.from), to, action, span: edge.span });
            origins.push(Some(EdgeId::new(n)));
        }
    }
    origins.extend(ways_on.iter().map(|_| None));
    edges.extend(ways_on);
    module.nodes.splice(exit..exit, added);
    (module.edges, module.entry, module.exit) = (edges, moved(module.entry), moved(module.exit));
    let renumbered =
        |edge: EdgeId| origins.iter().position(|origin| *origin == Some(edge)).map_or(edge, EdgeId::new);
    for (goal, now) in goals.iter().zip(&mut split.goals) {
        match *goal {
            Goal::At(module, node) if module == m && nodes.contains(&node) => {
                let own = arrivals.iter().filter(|arrival| arrival.0 == node);
                *now = own.map(|arrival| Goal::At(m, arrival.1)).collect();
            }
            Goal::At(module, node) if module == m => *now = vec![Goal::At(m, moved(node))],
            Goal::Failure(module, edge) if module == m => *now = vec![Goal::Failure(m, renumbered(edge))],
            _ => {}
        }
    }
    split.origins[m.index()] = origins;
}

/// The operands of the `|` that a condition is; the condition itself if it is none.
fn disjuncts(condition: &Expr) -> Vec<Expr> {
    let mut starts: Vec<usize> = Vec::new();
    let mut begins = Vec::with_capacity(condition.code.len());
    for (at, term) in condition.code.iter().enumerate() {
        let n_operands = match term.operation {
            Operation::Constant(_) | Operation::Read(_) | Operation::ReadNext(_) | Operation::Choice(_) => 0,
            Operation::Not | Operation::Negate => 1,
            Operation::Binary(_) | Operation::Schoose => 2,
            Operation::Conditional => 3,
        };
        let first = if n_operands == 0 { at } else { starts[starts.len() - n_operands] };
        starts.truncate(starts.len() - n_operands);
        starts.push(first);
        begins.push(first);
    }
    let (mut open, mut found) = (vec![(condition.code.len() - 1, Holds::Itself)], Vec::new());
    while let Some((last, holds)) = open.pop() {
        let (left, right) = (last.checked_sub(1).map(|at| begins[at].wrapping_sub(1)), last.wrapping_sub(1));
        match (condition.code[last].operation, holds, left) {
            (Operation::Binary(Binary::Or), Holds::Itself, Some(left))
            | (Operation::Binary(Binary::And), Holds::Opposite, Some(left)) => {
                open.extend([(left, holds), (right, holds)]);
            }
            (Operation::Binary(Binary::Implies), Holds::Itself, Some(left)) => {
                open.extend([(left, Holds::Opposite), (right, Holds::Itself)]);
            }
            (Operation::Not, Holds::Itself, _) => open.push((right, Holds::Opposite)),
            (Operation::Not, Holds::Opposite, _) => open.push((right, Holds::Itself)),
            _ => {
                let mut code = condition.code[begins[last]..=last].to_vec();
                if holds == Holds::Opposite {
                    code.push(Term { operation: Operation::Not, ty: Type::Bool });
                }
                found.push(Expr { code: code.into() });
            }
        }
    }
    found.reverse();
    found
}

/// What is to hold of a part of a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Itself,
    Opposite,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Place;

    fn code(operations: &[Operation]) -> Expr {
        let term = |operation: &Operation| Term { operation: *operation, ty: Type::Bool };
        Expr { code: operations.iter().map(term).collect() }
    }

    #[test]
    fn a_condition_is_split_into_what_is_enough() {
        let [a, b, c] = [0, 1, 2].map(|n| Operation::Read(Place::Global(n)));
        let [or, and, implies] = [Binary::Or, Binary::And, Binary::Implies].map(Operation::Binary);
        let not = Operation::Not;
        assert_eq!(disjuncts(&code(&[a, b, or, c, or])), [code(&[a]), code(&[b]), code(&[c])]);
        assert_eq!(disjuncts(&code(&[a, b, c, and, or])), [code(&[a]), code(&[b, c, and])]);
        assert_eq!(disjuncts(&code(&[a, b, and, not])), [code(&[a, not]), code(&[b, not])]);
        assert_eq!(disjuncts(&code(&[a, b, not, implies])), [code(&[a, not]), code(&[b, not])]);
        assert_eq!(disjuncts(&code(&[a, not, b, or, not])), [code(&[a, not, b, or, not])]);
        assert_eq!(disjuncts(&code(&[a])), [code(&[a])]);
    }
}

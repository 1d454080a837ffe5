//! Atomicity of callees: what an atomic block calls is a part of the block.
//!
//! Contract: afterwards the node on top of a stack tells whether any frame of the stack lies in an atomic block. To
//! this end each module that may run inside is there a second time, with every node inside; what is inside calls these
//! clones, and nothing else does. The node where threads end stays outside: such a thread has no stack any more.

use rsm::{Action, Edge, Module, ModuleId, Node};

/// Adds the clones that the modules from `first` on need, and lets atomic blocks call them. Says which modules were cloned,
/// in the order of the clones.
pub(super) fn inherit(modules: &mut Vec<Module>, first: usize) -> Vec<ModuleId> {
    let inside = called_inside(modules, first);
    let mut clones: Vec<Option<ModuleId>> = vec![None; modules.len()];
    for (n, original) in inside.iter().enumerate() {
        clones[original.index()] = Some(ModuleId::new(modules.len() + n));
    }
    let added: Vec<Module> =
        inside.iter().map(|original| clone_inside(&modules[original.index()], &clones)).collect();
    for module in &mut modules[first..] {
        let nodes = &module.nodes;
        redirect(&mut module.edges, &clones, |edge| nodes[edge.from.index()].in_atomic);
    }
    modules.extend(added);
    inside
}

/// The modules that may run inside an atomic block because of a call, ascending.
fn called_inside(modules: &[Module], first: usize) -> Vec<ModuleId> {
    let mut is_inside = vec![false; modules.len()];
    let mut rest = Vec::new();
    for module in &modules[first..] {
        let edges = module.edges.iter().filter(|edge| module.node(edge.from).in_atomic);
        rest.extend(edges.filter_map(callee));
    }
    while let Some(id) = rest.pop() {
        if !std::mem::replace(&mut is_inside[id.index()], true) {
            rest.extend(modules[id.index()].edges.iter().filter_map(callee));
        }
    }
    (0..modules.len()).filter(|n| is_inside[*n]).map(ModuleId::new).collect()
}

fn callee(edge: &Edge) -> Option<ModuleId> {
    match edge.action {
        Action::Call { callee, .. } => Some(callee),
        _ => None,
    }
}

fn clone_inside(original: &Module, clones: &[Option<ModuleId>]) -> Module {
    let mut module = original.clone();
    let own: &mut [Node] = &mut module.nodes[..=original.exit.index()];
    own.iter_mut().for_each(|node| node.in_atomic = true);
    redirect(&mut module.edges, clones, |_| true);
    module
}

fn redirect(edges: &mut [Edge], clones: &[Option<ModuleId>], is_inside: impl Fn(&Edge) -> bool) {
    for edge in edges {
        let is_inside = is_inside(edge);
        if let Action::Call { callee, .. } = &mut edge.action
            && is_inside
        {
            *callee = clones[callee.index()].expect("what is called inside has a clone");
        }
    }
}

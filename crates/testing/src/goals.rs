//! What tests look for in a program: every place that it names.

use rsm::{Action, EdgeId, Goal, ModuleId, NodeId, Rsm};

/// Every node with a label and every assertion, with a name.
pub fn all_goals(rsm: &Rsm) -> Vec<(String, Goal)> {
    let mut goals = Vec::new();
    for (m, module) in rsm.modules.iter().enumerate() {
        let m = ModuleId::new(m);
        for (n, node) in module.nodes.iter().enumerate() {
            if let Some(label) = node.labels.first() {
                goals.push((format!("{}:{label}", module.name), Goal::At(m, NodeId::new(n))));
            }
        }
        for (e, edge) in module.edges.iter().enumerate() {
            if matches!(edge.action, Action::Assert(_)) {
                goals.push((format!("{}:assert {e}", module.name), Goal::Failure(m, EdgeId::new(e))));
            }
        }
    }
    goals
}

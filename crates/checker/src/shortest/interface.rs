//! What a function takes over at its entry, and which variables a state at a point is about.

use rsm::{Action, ModuleId, NodeId, Place, ReducedModule};
use templates::Templates;

/// The variables that have values at the entry of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Interface {
    /// The function may assign them, so their values at the entry are remembered in a copy.
    pub copied: Vec<Place>,
    /// The function only reads them: what they are now they were at the entry, so they are never forgotten.
    pub read_only: Vec<Place>,
    /// Those of `main`. It is entered once and never returns to anybody, so nobody has to remember them.
    pub free: Vec<Place>,
}

impl Interface {
    pub fn new(templates: &Templates, m: ModuleId) -> Self {
        let (module, part) = (templates.rsm.module(m), &templates.reduced.modules[m.index()]);
        if !part.is_used {
            return Self::default();
        }
        let has_value = |place: &Place| !matches!(place, Place::Local(n) if *n as usize >= module.n_params);
        let given: Vec<Place> = live(part, module.entry).filter(has_value).collect();
        if m == templates.rsm.main {
            return Self { free: given, ..Self::default() };
        }
        let mut assigned: Vec<Place> = Vec::new();
        for edge in &module.edges {
            match &edge.action {
                Action::Assign { targets, .. } => assigned.extend(targets),
                Action::Call { results, .. } => assigned.extend(results.iter().flatten()),
                _ => {}
            }
        }
        assigned.retain(|place| matches!(place, Place::Local(_)));
        assigned.extend(part.modified.iter().map(|n| Place::Global(*n)));
        assigned.sort_unstable();
        let (copied, read_only) = given.into_iter().partition(|place| assigned.binary_search(place).is_ok());
        Self { copied, read_only, free: Vec::new() }
    }

    pub fn all(&self) -> impl Iterator<Item = Place> {
        self.copied.iter().chain(&self.read_only).chain(&self.free).copied()
    }
}

/// The variables that matter at a node. Globals that the function does not touch are handed past it.
pub(super) fn live(part: &ReducedModule, node: NodeId) -> impl Iterator<Item = Place> {
    let listed = part.points.binary_search(&node).map_or(&[][..], |at| &part.live[at]);
    let is_touched =
        |place: &Place| !matches!(place, Place::Global(n) if part.touched.binary_search(n).is_err());
    listed.iter().copied().filter(is_touched)
}

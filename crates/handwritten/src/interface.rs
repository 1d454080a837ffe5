//! What a module takes over from its caller: the variables that have values at its entry.

use rsm::{Action, ModuleId, NodeId, Place, Reduced, ReducedModule, Rsm};

/// The variables that matter at the entry of a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interface {
    /// Those the module may assign: their values at the entry are kept in a copy.
    pub copied: Vec<Place>,
    /// Those it only reads: their current values are those of the entry, and never forgotten.
    pub read_only: Vec<Place>,
    /// Those of `main`: nobody asks for its summary, so nothing is kept.
    pub free: Vec<Place>,
}

impl Interface {
    pub fn new(rsm: &Rsm, reduced: &Reduced, m: ModuleId) -> Self {
        let (module, part) = (rsm.module(m), &reduced.modules[m.index()]);
        let is_given = |place: &&Place| match place {
            Place::Local(n) => (*n as usize) < module.n_params,
            Place::Global(n) => part.touched.binary_search(n).is_ok(),
        };
        let given = live(part, module.entry).iter().filter(is_given).copied();
        if m == rsm.main {
            return Self { free: given.collect(), ..Self::default() };
        }
        let mut is_assigned = vec![false; module.locals.len()];
        for edge in &module.edges {
            let targets: Vec<Place> = match &edge.action {
                Action::Assign { targets, .. } => targets.clone(),
                Action::Call { results, .. } => results.iter().flatten().copied().collect(),
                _ => Vec::new(),
            };
            for place in targets {
                if let Place::Local(n) = place {
                    is_assigned[n as usize] = true;
                }
            }
        }
        let is_copied = |place: &Place| match place {
            Place::Local(n) => is_assigned[*n as usize],
            Place::Global(n) => part.modified.binary_search(n).is_ok(),
        };
        let (copied, read_only) = given.partition(is_copied);
        Self { copied, read_only, free: Vec::new() }
    }

    /// All variables that have values at the entry.
    pub fn all(&self) -> impl Iterator<Item = Place> {
        self.copied.iter().chain(&self.read_only).chain(&self.free).copied()
    }
}

/// The variables that matter at a point.
pub(crate) fn live(part: &ReducedModule, node: NodeId) -> &[Place] {
    match part.points.binary_search(&node) {
        Ok(at) => &part.live[at],
        Err(_) => &[],
    }
}

//! What a function takes over from its caller: the variables that have values at its entry.

use crate::{SymbolicProgram, has_value_at_entry};
use rsm::{Action, ModuleId, Place};

/// The variables that matter at the entry of a function and have values there.
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
    pub fn new(program: &SymbolicProgram, m: ModuleId) -> Self {
        let (module, part) = (program.rsm.module(m), program.part(m));
        let given = program.tracked(m, module.entry);
        let given = given.filter(|place| has_value_at_entry(module.n_params, *place));
        if m == program.rsm.main {
            return Self { free: given.collect(), ..Self::default() };
        }
        let mut is_assigned = vec![false; module.locals.len()];
        let mut assign = |place: &Place| {
            if let Place::Local(n) = place {
                is_assigned[*n as usize] = true;
            }
        };
        for edge in &module.edges {
            match &edge.action {
                Action::Assign { targets, .. } => targets.iter().for_each(&mut assign),
                Action::Call { results, .. } => results.iter().flatten().for_each(&mut assign),
                _ => {}
            }
        }
        let is_copied = |place: &Place| match place {
            Place::Local(n) => is_assigned[*n as usize],
            Place::Global(n) => part.modified.binary_search(n).is_ok(),
        };
        let (copied, read_only) = given.partition(is_copied);
        Self { copied, read_only, free: Vec::new() }
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = Place> {
        self.copied.iter().chain(&self.read_only).chain(&self.free).copied()
    }
}

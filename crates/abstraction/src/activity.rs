//! Where a predicate is kept: at points where all its variables matter.
//!
//! A bit that is kept where a variable of it is dead would multiply states and tell nobody anything.

use crate::predicates::Predicates;
use integers::ghosts::Ghosted;
use integers::{FunctionId, Live, NodeId, Place};

/// For each node of a function, the predicates that are kept there.
pub(crate) struct Activity {
    nodes: Vec<Vec<usize>>,
}

impl Activity {
    pub(crate) fn new(ghosted: &Ghosted, predicates: &Predicates, id: FunctionId) -> Self {
        let function = ghosted.program.function(id);
        let ghosts: Vec<Place> =
            ghosted.ghosts[id.index()].iter().map(|ghost| Place::Local(ghost.local)).collect();
        let globals = (0..ghosted.program.globals.len() as u32)
            .filter(|&n| ghosted.effects.may_read(id, n) || ghosted.effects.may_write(id, n));
        let globals: Vec<Place> = globals.map(Place::Global).collect();
        let locals = (0..function.locals.len() as u32).map(Place::Local);
        let all: Vec<Place> = globals.iter().copied().chain(locals).collect();
        // What a caller is told at the exit: globals and the result, and how they depend on what the function was started with.
        let mut at_exit: Vec<Place> = Vec::new();
        if ghosted.is_called[id.index()] {
            at_exit.extend(globals);
            at_exit.extend(function.result.map(Place::Local));
            let ghosted: Vec<Place> = ghosted.ghosts[id.index()].iter().map(|ghost| ghost.of).collect();
            let params = (0..function.n_params as u32).map(Place::Local);
            at_exit.extend(params.filter(|param| !ghosted.contains(param)));
            at_exit.extend(&ghosts);
        }
        let live = Live::new(&ghosted.program, &ghosted.effects, id, &all, &at_exit);
        let is_kept = |node: usize, places: &[Place]| {
            places.iter().all(|&place| live.is_live(NodeId::new(node), place))
        };
        let at = |node: usize| {
            let predicates = predicates.of(id).iter().enumerate();
            predicates.filter(|(_, predicate)| is_kept(node, &predicate.places)).map(|(n, _)| n).collect()
        };
        Self { nodes: (0..function.nodes.len()).map(at).collect() }
    }

    /// Sorted.
    pub(crate) fn at(&self, node: NodeId) -> &[usize] {
        &self.nodes[node.index()]
    }
}

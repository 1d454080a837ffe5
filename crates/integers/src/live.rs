//! Which variables matter at which node: those whose number may be read before another is stored.

use crate::effects::Effects;
use crate::program::{Action, Edge, Function, FunctionId, NodeId, Place, Program};
use rustc_hash::FxHashMap;

/// For each node of a function, the variables that matter there.
#[derive(Clone, Debug)]
pub struct Live {
    /// The positions of the variables that were asked for.
    position: FxHashMap<Place, usize>,
    /// The globals among them.
    globals: Vec<u32>,
    /// So many words a node.
    n_words: usize,
    bits: Vec<u64>,
}

impl Live {
    /// Looks at some variables of a function, of which some matter at its exit.
    pub fn new(
        program: &Program,
        effects: &Effects,
        id: FunctionId,
        places: &[Place],
        at_exit: &[Place],
    ) -> Self {
        let function = program.function(id);
        let position: FxHashMap<Place, usize> = places.iter().copied().zip(0..).collect();
        let globals = places.iter().filter_map(|place| match place {
            Place::Global(n) => Some(*n),
            Place::Local(_) => None,
        });
        let globals = globals.collect();
        let n_words = places.len().div_ceil(64);
        let bits = vec![0; n_words * function.nodes.len()];
        let mut live = Self { position, globals, n_words, bits };
        for &place in at_exit {
            live.insert(function.exit, place);
        }
        live.propagate(effects, function);
        live
    }

    /// Whether the variable matters at the node.
    pub fn is_live(&self, node: NodeId, place: Place) -> bool {
        let Some(&at) = self.position.get(&place) else { return false };
        self.bits[node.index() * self.n_words + at / 64] >> (at % 64) & 1 == 1
    }

    fn insert(&mut self, node: NodeId, place: Place) {
        if let Some(&at) = self.position.get(&place) {
            self.bits[node.index() * self.n_words + at / 64] |= 1 << (at % 64);
        }
    }

    /// What matters after an edge and is not stored by it matters before it, and so does what it reads.
    fn propagate(&mut self, effects: &Effects, function: &Function) {
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); function.nodes.len()];
        for (n, edge) in function.edges.iter().enumerate() {
            into[edge.to.index()].push(n);
        }
        let mut pending: Vec<usize> = (0..function.edges.len()).collect();
        while let Some(n) = pending.pop() {
            let edge = &function.edges[n];
            if self.back(effects, edge) {
                pending.extend(&into[edge.from.index()]);
            }
        }
    }

    /// One edge; whether anything new matters before it.
    fn back(&mut self, effects: &Effects, edge: &Edge) -> bool {
        let row = |node: NodeId, n_words: usize| node.index() * n_words..(node.index() + 1) * n_words;
        let mut matters = self.bits[row(edge.to, self.n_words)].to_vec();
        let mut set = |place: Place, value: bool| {
            if let Some(&at) = self.position.get(&place) {
                let bit = 1 << (at % 64);
                matters[at / 64] = if value { matters[at / 64] | bit } else { matters[at / 64] & !bit };
            }
        };
        match &edge.action {
            Action::Step(step) => {
                step.updates.iter().for_each(|(place, _)| set(*place, false));
                step.exprs().flat_map(|expr| expr.reads()).for_each(|place| set(place, true));
            }
            Action::Manage(manage) => {
                manage.result().iter().for_each(|place| set(*place, false));
                let exprs = manage.exprs().into_iter();
                exprs.flat_map(|expr| expr.reads()).for_each(|place| set(place, true));
            }
            Action::Call { callee, args, result } => {
                result.iter().for_each(|place| set(*place, false));
                for &n in &self.globals {
                    if effects.may_read(*callee, n) {
                        set(Place::Global(n), true);
                    }
                }
                args.iter().flat_map(|expr| expr.reads()).for_each(|place| set(place, true));
            }
        }
        let mut grew = false;
        for (word, new) in self.bits[row(edge.from, self.n_words)].iter_mut().zip(matters) {
            grew |= *word | new != *word;
            *word |= new;
        }
        grew
    }
}

//! Which variables have values where; all others may have any.
//!
//! Contract: a table of facts about a certificate, not about the program: whether what is left out matters is for the check to find
//! out, which tries all values of what is read and has none.

use rsm::interleave::{ThreadState, World};
use rsm::step::Frame;
use rsm::{Concurrent, EdgeId, ModuleId, NodeId, Place};
use rustc_hash::FxHashMap;

/// The variables that have values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kept {
    /// Of each shared variable whether it has one.
    pub shared: Vec<bool>,
    /// Private globals and locals while a thread is at a node.
    pub points: FxHashMap<(ModuleId, NodeId), Vec<Place>>,
    /// Locals of a function while it waits for a call.
    pub waits: FxHashMap<(ModuleId, EdgeId), Vec<Place>>,
    /// Private globals that have values wherever a thread is, also when it has ended.
    pub watched: Vec<u32>,
}

impl Kept {
    /// The variable has a value where a thread of the block is at a node; at none if it has ended. Whether a thread is in an atomic
    /// region is always known.
    pub(crate) fn has(
        &self,
        program: &Concurrent,
        block: u32,
        at: Option<(ModuleId, NodeId)>,
        place: Place,
    ) -> bool {
        let is_in = |at| self.points.get(&at).is_some_and(|places| places.contains(&place));
        match place {
            Place::Global(n) if (n as usize) < program.n_shared => self.shared[n as usize],
            Place::Global(n) if program.blocks[block as usize].flag == Some(n) => true,
            Place::Global(n) if self.watched.contains(&n) => true,
            _ => at.is_some_and(is_in),
        }
    }

    /// The local has a value while a function waits.
    pub(crate) fn has_waiting(&self, module: ModuleId, call: EdgeId, place: Place) -> bool {
        self.waits.get(&(module, call)).is_some_and(|places| places.contains(&place))
    }

    /// The same with 0 in place of all that has no value.
    pub(crate) fn project(&self, program: &Concurrent, mut world: World) -> World {
        for (value, has) in world.shared.iter_mut().zip(&self.shared) {
            *value *= u64::from(*has);
        }
        for ThreadState { block, copy, private, stack } in &mut world.threads {
            *copy = 0;
            let at = stack.last().map(|top| (top.module, top.node));
            for (value, place) in private.iter_mut().zip(&program.blocks[*block as usize].private) {
                *value *= u64::from(self.has(program, *block, at, Place::Global(*place)));
            }
            for frame in stack {
                let Frame { module, node, locals, call } = frame;
                for (n, value) in (0..).zip(locals) {
                    let has = match call {
                        Some(call) => self.has_waiting(*module, *call, Place::Local(n)),
                        None => self.has(program, *block, Some((*module, *node)), Place::Local(n)),
                    };
                    *value *= u64::from(has);
                }
            }
        }
        world
    }
}

//! Steps inside a function: paths of the reduced program without calls.

use crate::{SymbolicProgram, View};
use dd::{Exhausted, Manager};
use encode::{Encoder, Path, Relation, Slot};
use rsm::{Action, EdgeId, ModuleId, NodeId, Place};

/// A step from point to point.
#[derive(Clone, Copy, Debug)]
pub struct PathStep<'r> {
    /// The function.
    pub module: ModuleId,
    /// Where it starts; `None` for the entry, where the locals get their values first.
    pub from: Option<NodeId>,
    /// Where it ends.
    pub to: NodeId,
    /// Along which edges; none if it only leads from the entry to the first node.
    pub edges: &'r [EdgeId],
}

impl<'r> SymbolicProgram<'r> {
    /// The steps of a function.
    pub fn steps(&self, module: ModuleId) -> impl Iterator<Item = PathStep<'r>> {
        let entry = self.rsm.module(module).entry;
        let folds_entry = self.points.folds_entry(module);
        let blocks = self.part(module).blocks.iter();
        let steps = blocks.filter(move |block| self.called(module, block).is_none()).map(move |block| {
            let from = (!folds_entry || block.from != entry).then_some(block.from);
            PathStep { module, from, to: block.to, edges: &block.path }
        });
        steps.chain((!folds_entry).then_some(PathStep { module, from: None, to: entry, edges: &[] }))
    }

    /// The counter at which a step starts.
    pub fn counter_before(&self, step: &PathStep) -> u32 {
        step.from.map_or(0, |node| self.counter(step.module, node))
    }

    /// What a step relates, as far as it matters afterwards; `None` if nobody can go along it.
    pub fn relation(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        step: &PathStep,
        (before, after): (&View, &View),
    ) -> Result<Option<Relation>, Exhausted> {
        let module = self.rsm.module(step.module);
        let mut path = encoder.path(dd, before.columns(), after.columns());
        if step.from.is_none() {
            for (n, variable) in module.locals.iter().enumerate().skip(module.n_params) {
                path.choose(Place::Local(n as u32), &variable.ty)?;
            }
            module.enforce.iter().try_for_each(|enforce| path.assume(enforce))?;
        }
        for &edge in step.edges {
            self.follow(&mut path, step.module, edge)?;
        }
        let (live, results) = (self.live(step.module, step.to), &self.part(step.module).results);
        path.finish(|slot: Slot| match slot {
            Slot::Place(place) => live.binary_search(&place).is_ok(),
            Slot::Result(n) => results.binary_search(&n).is_ok(),
        })
    }

    /// What one edge that is no call relates; everything is kept.
    pub fn edge_relation(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        (module, edge): (ModuleId, EdgeId),
        (before, after): (&View, &View),
    ) -> Result<Option<Relation>, Exhausted> {
        let mut path = encoder.path(dd, before.columns(), after.columns());
        self.follow(&mut path, module, edge)?;
        path.finish(|_| true)
    }

    /// Goes along one edge.
    fn follow(&self, path: &mut Path, module: ModuleId, edge: EdgeId) -> Result<(), Exhausted> {
        let module = self.rsm.module(module);
        match &module.edge(edge).action {
            Action::Skip => Ok(()),
            Action::Assume(expr) | Action::Assert(expr) => path.assume(expr),
            Action::Assign { targets, values, constrain } => {
                let targets: Vec<Slot> = targets.iter().map(|place| Slot::Place(*place)).collect();
                path.assign(&targets, values, constrain.as_ref())?;
                module.enforce.iter().try_for_each(|enforce| path.assume(enforce))
            }
            Action::Return { values } => {
                let targets: Vec<Slot> = (0..values.len() as u32).map(Slot::Result).collect();
                path.assign(&targets, values, None)
            }
            Action::Call { .. } => unreachable!("a call is a block of its own"),
        }
    }
}

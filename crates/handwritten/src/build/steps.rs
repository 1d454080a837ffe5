//! Steps inside a module.

use super::Builder;
use crate::copies::Copy;
use crate::interface::live;
use crate::network::Step;
use dd::{Exhausted, Level, Map};
use encode::Slot;
use rsm::{EdgeId, ModuleId, NodeId, Place};

impl Builder<'_, '_, '_> {
    /// The step along some edges. One that starts at the entry, which is no node, chooses the values of the locals first.
    pub(super) fn step(
        &mut self,
        m: ModuleId,
        from: Option<NodeId>,
        to: NodeId,
        edges: &[EdgeId],
    ) -> Result<(), Exhausted> {
        let (module, part) = (self.templates.rsm.module(m), &self.templates.reduced.modules[m.index()]);
        let (_, before, after) = &self.views;
        let mut path = self.encoder.path(self.dd, before.columns(), after.columns());
        if from.is_none() {
            for (n, variable) in module.locals.iter().enumerate().skip(module.n_params) {
                path.choose(Place::Local(n as u32), &variable.ty)?;
            }
            module.enforce.iter().try_for_each(|enforce| path.assume(enforce))?;
        }
        for &edge in edges {
            self.templates.follow(&mut path, m, &module.edge(edge).action)?;
        }
        let live_after = live(part, to);
        let keep = |slot: Slot| match slot {
            Slot::Place(place) => live_after.binary_search(&place).is_ok(),
            Slot::Result(n) => part.results.binary_search(&n).is_ok(),
        };
        let Some(relation) = path.finish(keep)? else { return Ok(()) };
        let mut forgotten = self.dying(m, from, to);
        let mut moves = Vec::new();
        for &slot in &relation.assigned {
            forgotten.extend(self.copies.levels(m, slot, Copy::Current));
            moves.extend(self.copies.moves(m, slot, (Copy::Next, Copy::Current)));
        }
        let image = (!forgotten.is_empty() || !moves.is_empty())
            .then(|| self.product(Map::default(), forgotten, Map::new(moves)));
        let to = self.ranks.node(part, m, to).expect("a step leads to a point");
        self.network.steps.push(Step { to, relation: relation.diagram, image });
        Ok(())
    }

    /// The current bits that matter at one point and not at another; what the module only reads is kept.
    pub(super) fn dying(&self, m: ModuleId, from: Option<NodeId>, to: NodeId) -> Vec<Level> {
        let part = &self.templates.reduced.modules[m.index()];
        let interface = &self.interfaces[m.index()];
        let before: Vec<Place> = match from {
            None => interface.all().collect(),
            Some(node) => live(part, node).to_vec(),
        };
        let after = live(part, to);
        let is_known =
            |place: &Place| !matches!(place, Place::Global(n) if part.touched.binary_search(n).is_err());
        let dies = |place: &Place| {
            after.binary_search(place).is_err() && !interface.read_only.contains(place) && is_known(place)
        };
        let dying = before.into_iter().filter(dies);
        dying.flat_map(|place| self.copies.levels(m, Slot::Place(place), Copy::Current)).collect()
    }
}

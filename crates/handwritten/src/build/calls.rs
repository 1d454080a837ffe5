//! Calls: how states cross from a caller to a callee and back.
//!
//! What belongs to the callee alone, its parameters and results, stands in the copy `Across` while it crosses. Globals need no
//! glue: in the summary their entry copy becomes the caller's current value and their value at the exit the caller's next one.

use super::Builder;
use crate::copies::Copy;
use crate::interface::live;
use crate::network::{Call, PointId};
use dd::{Bdd, Exhausted, Level, Map, ProductId};
use encode::Slot;
use rsm::{Action, Block, Expr, ModuleId, NodeId, Place};

/// A call of the program.
struct Site<'r> {
    caller: ModuleId,
    from: NodeId,
    to: NodeId,
    callee: ModuleId,
    args: &'r [Expr],
    results: &'r [Option<Place>],
}

impl Site<'_> {
    /// Some result of the call is stored there.
    fn stores(&self, place: Place) -> bool {
        self.results.contains(&Some(place))
    }
}

impl Builder<'_, '_, '_> {
    pub(super) fn call(&mut self, caller: ModuleId, from: PointId, block: &Block) -> Result<(), Exhausted> {
        let edge = self.templates.rsm.module(caller).edge(block.path[0]);
        let Action::Call { callee, args, results } = &edge.action else {
            unreachable!("the block is a call")
        };
        let site = Site { caller, from: block.from, to: block.to, callee: *callee, args, results };
        let Some(arguments) = self.arguments(&site)? else { return Ok(()) };
        let part = &self.templates.reduced.modules[caller.index()];
        let call = Call {
            from,
            to: self.ranks.node(part, caller, block.to).expect("a call leads to a point"),
            callee: callee.0,
            arguments,
            enter: self.enter(&site),
            glue: self.glue(&site, arguments)?,
            amount: self.amount(&site),
            image: self.image(&site),
        };
        self.network.calls.push(call);
        Ok(())
    }

    /// The arguments that matter, in the copy `Across` of the parameters.
    fn arguments(&mut self, site: &Site) -> Result<Option<Bdd>, Exhausted> {
        let before = &self.views.1;
        let mut after = self.copies.view(site.callee, Copy::Across);
        // Arguments are stored like results: they are no variables of the caller.
        after.results = std::mem::take(&mut after.locals);
        let mut path = self.encoder.path(self.dd, before.columns(), after.columns());
        let targets: Vec<Slot> = (0..site.args.len() as u32).map(Slot::Result).collect();
        path.assign(&targets, site.args, None)?;
        let part = &self.templates.reduced.modules[site.callee.index()];
        let live = live(part, self.templates.rsm.module(site.callee).entry);
        let keep =
            |slot: Slot| matches!(slot, Slot::Result(n) if live.binary_search(&Place::Local(n)).is_ok());
        Ok(path.finish(keep)?.map(|relation| relation.diagram))
    }

    /// From a caller's states to the states at the callee's entry, entry copies in place of current values.
    fn enter(&mut self, site: &Site) -> ProductId {
        let callee = &self.interfaces[site.callee.index()];
        let part = &self.templates.reduced.modules[site.caller.index()];
        let mut forgotten: Vec<Level> = Vec::new();
        for &place in &self.interfaces[site.caller.index()].copied {
            forgotten.extend(self.copies.levels(site.caller, Slot::Place(place), Copy::Entry));
        }
        let read_only = &self.interfaces[site.caller.index()].read_only;
        let is_passed =
            |place: &Place| matches!(place, Place::Global(_)) && callee.all().any(|passed| passed == *place);
        for place in live(part, site.from).iter().chain(read_only).filter(|place| !is_passed(place)) {
            forgotten.extend(self.copies.levels(site.caller, Slot::Place(*place), Copy::Current));
        }
        let mut moves = Vec::new();
        for place in callee.all() {
            let from = match place {
                Place::Global(_) => Copy::Current,
                Place::Local(_) => Copy::Across,
            };
            let to = if callee.copied.contains(&place) { Copy::Entry } else { Copy::Current };
            moves.extend(self.copies.moves(site.callee, Slot::Place(place), (from, to)));
        }
        self.product(Map::default(), forgotten, Map::new(moves))
    }

    /// The variables of the caller that come back with other values, and where from in the callee's exit.
    fn returned(&self, site: &Site) -> Vec<(Place, Slot)> {
        let after = live(&self.templates.reduced.modules[site.caller.index()], site.to);
        let results =
            site.results.iter().zip(0..).filter_map(|(place, n)| Some(((*place)?, Slot::Result(n))));
        let modified = self.templates.reduced.modules[site.callee.index()].modified.iter();
        let globals = modified.map(|n| Place::Global(*n)).filter(|place| !site.stores(*place));
        let all = results.chain(globals.map(|place| (place, Slot::Place(place))));
        all.filter(|(place, _)| after.binary_search(place).is_ok()).collect()
    }

    /// The arguments, the results, and what the caller allows afterwards.
    fn glue(&mut self, site: &Site, arguments: Bdd) -> Result<Bdd, Exhausted> {
        let mut glue = arguments;
        for (place, source) in self.returned(site) {
            if source == Slot::Place(place) {
                continue;
            }
            let to: Vec<Level> = self.copies.levels(site.caller, Slot::Place(place), Copy::Next).collect();
            let from: Vec<Level> = self.copies.levels(site.callee, source, Copy::Across).collect();
            for (a, b) in to.into_iter().zip(from) {
                let (a, b) = (self.dd.variable(a)?, self.dd.variable(b)?);
                let equal = self.dd.iff(a, b)?;
                glue = self.dd.and(glue, equal)?;
            }
        }
        let allowed = self.allowed(site)?;
        self.dd.and(glue, allowed)
    }

    /// The caller allows the state after the call. What the call leaves alone is read before it, the rest after it.
    fn allowed(&mut self, site: &Site) -> Result<Bdd, Exhausted> {
        let Some(enforce) = &self.templates.rsm.module(site.caller).enforce else { return Ok(Bdd::TRUE) };
        let (_, before, after) = &self.views;
        let mut mixed = before.clone();
        for (place, _) in self.returned(site) {
            match place {
                Place::Global(n) => mixed.globals[n as usize].clone_from(&after.globals[n as usize]),
                Place::Local(n) => mixed.locals[n as usize].clone_from(&after.locals[n as usize]),
            }
        }
        Ok(self.encoder.condition(self.dd, mixed.columns(), enforce)?.0)
    }

    /// The product of the glue with a summary of the callee.
    fn amount(&mut self, site: &Site) -> ProductId {
        let part = &self.templates.reduced.modules[site.callee.index()];
        let interface = &self.interfaces[site.callee.index()];
        let returned = self.returned(site);
        let (mut moves, mut forgotten) = (Vec::new(), Vec::new());
        let mut add = |slot: Slot, from: Copy, to: Copy| {
            moves.extend(self.copies.moves(site.callee, slot, (from, to)));
            if to == Copy::Across {
                forgotten.extend(self.copies.levels(site.callee, slot, to));
            }
        };
        for &place in &interface.copied {
            let to = if matches!(place, Place::Global(_)) { Copy::Current } else { Copy::Across };
            add(Slot::Place(place), Copy::Entry, to);
        }
        for &place in interface.read_only.iter().filter(|place| matches!(place, Place::Local(_))) {
            add(Slot::Place(place), Copy::Current, Copy::Across);
        }
        for &n in &part.results {
            add(Slot::Result(n), Copy::Current, Copy::Across);
        }
        for &n in &part.modified {
            let slot = Slot::Place(Place::Global(n));
            let comes_back = returned.iter().any(|(_, source)| *source == slot);
            add(slot, Copy::Current, if comes_back { Copy::Next } else { Copy::Across });
        }
        self.product(Map::new(moves), forgotten, Map::default())
    }

    /// The product of the caller's states with what the call amounts to.
    fn image(&mut self, site: &Site) -> ProductId {
        let mut forgotten = self.dying(site.caller, Some(site.from), site.to);
        let modified = self.templates.reduced.modules[site.callee.index()].modified.iter();
        let modified = modified.map(|n| Place::Global(*n));
        for place in modified.chain(site.results.iter().flatten().copied()) {
            forgotten.extend(self.copies.levels(site.caller, Slot::Place(place), Copy::Current));
        }
        let mut moves = Vec::new();
        for (place, _) in self.returned(site) {
            moves.extend(self.copies.moves(site.caller, Slot::Place(place), (Copy::Next, Copy::Current)));
        }
        self.product(Map::default(), forgotten, Map::new(moves))
    }
}

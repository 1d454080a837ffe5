//! Calls: how pairs cross from a caller to a callee and back.
//!
//! What only the callee knows, its parameters and results, stands in the copy `Across` on the way. A global keeps its place: the
//! callee's entry copy is what the caller has now, its value at the exit what the caller has next.

use super::build::Builder;
use super::copies::Copy;
use super::interface::live;
use super::network::{Call, PointId};
use dd::{Bdd, Exhausted, Level, Map, ProductId};
use encode::Slot;
use rsm::{Action, EdgeId, Expr, ModuleId, Place};

/// A call of the program.
struct Site<'r> {
    caller: ModuleId,
    callee: ModuleId,
    from: PointId,
    to: PointId,
    args: &'r [Expr],
    results: &'r [Option<Place>],
    /// The variables of the caller that come back with other values and matter, and where their values come from.
    returned: Vec<(Place, Slot)>,
}

impl Builder<'_, '_, '_> {
    pub fn call(&mut self, caller: ModuleId, edge: EdgeId) -> Result<(), Exhausted> {
        let edge = self.templates.rsm.module(caller).edge(edge);
        let Action::Call { callee, args, results } = &edge.action else {
            unreachable!("the block is a call")
        };
        let (from, to) = (self.point(caller, edge.from), self.point(caller, edge.to));
        let after: Vec<Place> = live(&self.templates.reduced.modules[caller.index()], edge.to).collect();
        let mut returned: Vec<(Place, Slot)> =
            results.iter().zip(0..).filter_map(|(place, n)| Some(((*place)?, Slot::Result(n)))).collect();
        for &n in &self.templates.reduced.modules[callee.index()].modified {
            let place = Place::Global(n);
            if !results.contains(&Some(place)) {
                returned.push((place, Slot::Place(place)));
            }
        }
        returned.retain(|(place, _)| after.binary_search(place).is_ok());
        let site = Site { caller, callee: *callee, from, to, args, results, returned };
        let Some(arguments) = self.arguments(&site)? else { return Ok(()) };
        let (across, handed) = self.across(&site);
        let moves = site.returned.iter();
        let moves = moves
            .flat_map(|(place, _)| self.copies.moves(caller, Slot::Place(*place), Copy::Next, Copy::Current));
        let moves = Map::new(moves);
        let call = Call {
            from,
            to,
            callee: *callee,
            arguments,
            enter: self.enter(&site),
            glue: self.glue(&site, arguments)?,
            carry: self.product(across.clone(), Vec::new(), Map::default()),
            amount: self.product(across.clone(), handed, Map::default()),
            across,
            image: self.image(&site, moves.clone()),
            moves,
        };
        self.network.calls.push(call);
        Ok(())
    }

    /// The arguments that matter to the callee; `None` if there can be none.
    fn arguments(&mut self, site: &Site) -> Result<Option<Bdd>, Exhausted> {
        let before = self.copies.view(site.caller, Copy::Current);
        let mut after = self.copies.view(site.callee, Copy::Across);
        // A path stores into variables of its own function or into results; parameters of another one pass as the latter.
        after.results = std::mem::take(&mut after.locals);
        let targets: Vec<Slot> = (0..site.args.len() as u32).map(Slot::Result).collect();
        let mut path = self.encoder.path(self.dd, before.columns(), after.columns());
        path.assign(&targets, site.args, None)?;
        let needed: Vec<Place> = self.interfaces[site.callee.index()].all().collect();
        let keep = |slot: Slot| matches!(slot, Slot::Result(n) if needed.contains(&Place::Local(n)));
        Ok(path.finish(keep)?.map(|relation| relation.diagram))
    }

    /// From the caller's pairs to entries of the callee, as pairs of the callee remember them.
    fn enter(&mut self, site: &Site) -> ProductId {
        let interface = self.interfaces[site.callee.index()].clone();
        let (mut passed, mut moves) = (Vec::new(), Vec::new());
        for place in interface.all() {
            let is_copied = interface.copied.contains(&place);
            let to = if is_copied { Copy::Entry } else { Copy::Current };
            let from = if matches!(place, Place::Global(_)) { Copy::Current } else { Copy::Across };
            if from == Copy::Current {
                passed.extend(self.current(site.callee, place));
            }
            moves.extend(self.copies.moves(site.callee, Slot::Place(place), from, to));
        }
        let here = self.network.points[site.from.index()].bits.iter().copied();
        let mut forgotten: Vec<Level> = here.filter(|level| !passed.contains(level)).collect();
        forgotten.extend(&self.network.modules[site.caller.index()].copied);
        self.product(Map::default(), forgotten, Map::new(moves))
    }

    /// Where the bits of a pair at the callee's exit go, and those of them that are forgotten once they met the glue.
    fn across(&self, site: &Site) -> (Map, Vec<Level>) {
        let part = &self.templates.reduced.modules[site.callee.index()];
        let interface = &self.interfaces[site.callee.index()];
        let (mut moves, mut handed) = (Vec::new(), Vec::new());
        let mut add = |slot: Slot, from: Copy, to: Copy| {
            moves.extend(self.copies.moves(site.callee, slot, from, to));
            if to == Copy::Across {
                handed.extend(self.copies.levels(site.callee, slot, to));
            }
        };
        for &place in &interface.copied {
            let to = if matches!(place, Place::Global(_)) { Copy::Current } else { Copy::Across };
            add(Slot::Place(place), Copy::Entry, to);
        }
        for &place in interface.read_only.iter().filter(|place| matches!(place, Place::Local(_))) {
            add(Slot::Place(place), Copy::Current, Copy::Across);
        }
        for n in 0..site.results.len() as u32 {
            add(Slot::Result(n), Copy::Current, Copy::Across);
        }
        for &n in &part.modified {
            let slot = Slot::Place(Place::Global(n));
            let comes_back = site.returned.iter().any(|(_, source)| *source == slot);
            add(slot, Copy::Current, if comes_back { Copy::Next } else { Copy::Across });
        }
        (Map::new(moves), handed)
    }

    fn glue(&mut self, site: &Site, arguments: Bdd) -> Result<Bdd, Exhausted> {
        let mut glue = arguments;
        // What the caller allows is read after the call where something comes back, and before it otherwise.
        let mut mixed = self.copies.view(site.caller, Copy::Current);
        let after = self.copies.view(site.caller, Copy::Next);
        for &(place, source) in &site.returned {
            match place {
                Place::Global(n) => mixed.globals[n as usize].clone_from(&after.globals[n as usize]),
                Place::Local(n) => mixed.locals[n as usize].clone_from(&after.locals[n as usize]),
            }
            if source == Slot::Place(place) {
                continue;
            }
            let stored = after.columns().place(place);
            for (&a, b) in stored.iter().zip(self.copies.levels(site.callee, source, Copy::Across)) {
                let (a, b) = (self.dd.variable(a)?, self.dd.variable(b)?);
                let equal = self.dd.iff(a, b)?;
                glue = self.dd.and(glue, equal)?;
            }
        }
        match &self.templates.rsm.module(site.caller).enforce {
            None => Ok(glue),
            Some(enforce) => {
                let (allowed, _) = self.encoder.condition(self.dd, mixed.columns(), enforce)?;
                self.dd.and(glue, allowed)
            }
        }
    }

    fn image(&mut self, site: &Site, moves: Map) -> ProductId {
        let mut forgotten = self.dying(site.from, site.to);
        let modified = self.templates.reduced.modules[site.callee.index()].modified.iter();
        let modified = modified.map(|n| Place::Global(*n));
        for place in modified.chain(site.results.iter().flatten().copied()) {
            forgotten.extend(self.current(site.caller, place));
        }
        self.product(Map::default(), forgotten, moves)
    }
}

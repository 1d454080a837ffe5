//! Calls: how pairs cross from a caller to a callee and back.
//!
//! What only the callee knows, its parameters and results, stands in the version `Across` on the way. A global keeps its place: the
//! callee's entry copy is what the caller has now, its value at the exit what the caller has next.

use super::build::{Builder, Views};
use super::versions::Version;
use super::{Call, Image};
use crate::{View, calls};
use dd::{Bdd, Exhausted, Level, Map};
use encode::Slot;
use rsm::Place;

impl Builder<'_, '_, '_> {
    pub fn call(&mut self, call: &calls::Call, views: &Views) -> Result<(), Exhausted> {
        let program = self.program;
        let across = self.view(call.callee, Version::Across);
        let keep = |n| program.needs_parameter(call.callee, n);
        let arguments =
            program.arguments(&mut self.encoder, self.dd, call, (&views.current, &across), keep)?;
        let Some(arguments) = arguments else { return Ok(()) };
        let call = Call {
            from: self.point(call.caller, call.from),
            to: self.point(call.caller, call.to),
            callee: call.callee,
            arguments,
            enter: self.enter(call),
            glue: self.glue(call, arguments, &across, views)?,
            amount: self.amount(call),
            image: self.after(call),
        };
        self.network.calls.push(call);
        Ok(())
    }

    /// From a caller's pairs to entries of the callee, entry copies in place of current values.
    fn enter(&mut self, call: &calls::Call) -> Image {
        let (caller, callee) = (&self.interfaces[call.caller.index()], &self.interfaces[call.callee.index()]);
        let mut forgotten: Vec<Level> = self.network.modules[call.caller.index()].copied.clone();
        let is_passed =
            |place: &Place| matches!(place, Place::Global(_)) && callee.all().any(|passed| passed == *place);
        let here = self.program.tracked(call.caller, call.from).chain(caller.read_only.iter().copied());
        for place in here.filter(|place| !is_passed(place)) {
            forgotten.extend(self.levels(call.caller, Slot::Place(place), Version::Current));
        }
        let mut moves = Vec::new();
        for place in callee.all() {
            let is_global = matches!(place, Place::Global(_));
            let from = if is_global { Version::Current } else { Version::Across };
            let to = if callee.copied.contains(&place) { Version::Entry } else { Version::Current };
            moves.extend(self.moves(call.callee, Slot::Place(place), (from, to)));
        }
        self.image(Map::default(), forgotten, Map::new(moves))
    }

    /// The arguments, the results, and what the caller allows afterwards. What comes back is read in the next bits.
    fn glue(
        &mut self,
        call: &calls::Call,
        arguments: Bdd,
        across: &View,
        Views { current, next }: &Views,
    ) -> Result<Bdd, Exhausted> {
        let results = self.program.results(self.dd, call, (across, next))?;
        let glue = self.dd.and(arguments, results)?;
        let states = (current, next, next);
        let allowed = self.program.allowed_after(&mut self.encoder, self.dd, call, states)?;
        self.dd.and(glue, allowed)
    }

    /// The product of the glue with pairs at the callee's exit.
    fn amount(&mut self, call: &calls::Call) -> Image {
        let (part, interface) = (self.program.part(call.callee), &self.interfaces[call.callee.index()]);
        let (mut moves, mut forgotten) = (Vec::new(), Vec::new());
        let mut add = |slot: Slot, from: Version, to: Version| {
            moves.extend(self.moves(call.callee, slot, (from, to)));
            if to == Version::Across {
                forgotten.extend(self.levels(call.callee, slot, to));
            }
        };
        for &place in &interface.copied {
            let is_global = matches!(place, Place::Global(_));
            add(
                Slot::Place(place),
                Version::Entry,
                if is_global { Version::Current } else { Version::Across },
            );
        }
        for &place in interface.read_only.iter().filter(|place| matches!(place, Place::Local(_))) {
            add(Slot::Place(place), Version::Current, Version::Across);
        }
        for &n in &part.results {
            add(Slot::Result(n), Version::Current, Version::Across);
        }
        for &n in &part.modified {
            let slot = Slot::Place(Place::Global(n));
            let comes_back = call.returned.iter().any(|(_, source)| *source == slot);
            add(slot, Version::Current, if comes_back { Version::Next } else { Version::Across });
        }
        self.image(Map::new(moves), forgotten, Map::default())
    }

    /// The product of the caller's pairs with what the call amounts to.
    fn after(&mut self, call: &calls::Call) -> Image {
        let mut forgotten = self.dying(call.caller, Some(call.from), call.to);
        for place in self.program.overwritten(call) {
            forgotten.extend(self.levels(call.caller, Slot::Place(place), Version::Current));
        }
        let mut moves = Vec::new();
        for &(place, _) in &call.returned {
            moves.extend(self.moves(call.caller, Slot::Place(place), (Version::Next, Version::Current)));
        }
        self.image(Map::default(), forgotten, Map::new(moves))
    }
}

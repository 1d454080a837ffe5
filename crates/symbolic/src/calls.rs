//! Calls: what a caller hands over, what comes back, and what the caller allows afterwards.

use crate::{SymbolicProgram, View};
use dd::{Bdd, Exhausted, Manager};
use encode::{Columns, Encoder, Slot};
use rsm::{Action, EdgeId, Expr, ModuleId, NodeId, Place};

/// A call of the program.
#[derive(Clone, Debug)]
pub struct Call<'r> {
    /// The function that calls.
    pub caller: ModuleId,
    /// The edge.
    pub edge: EdgeId,
    /// Where the caller is before it.
    pub from: NodeId,
    /// Where the caller is after it.
    pub to: NodeId,
    /// The function that is called.
    pub callee: ModuleId,
    /// The arguments.
    pub args: &'r [Expr],
    /// Where the results go.
    pub results: &'r [Option<Place>],
    /// The variables of the caller that come back with other values and matter afterwards, and where their values are at the
    /// callee's exit: results, and globals that the callee may have changed.
    pub returned: Vec<(Place, Slot)>,
}

impl<'r> SymbolicProgram<'r> {
    /// The calls in a function, in the order of its blocks.
    pub fn calls(&self, caller: ModuleId) -> impl Iterator<Item = Call<'r>> {
        let blocks = self.part(caller).blocks.iter();
        blocks
            .filter_map(move |block| self.called(caller, block))
            .map(move |(edge, _)| self.call(caller, edge))
    }

    /// A call, by its edge.
    ///
    /// # Panics
    /// If the edge is none.
    pub fn call(&self, caller: ModuleId, edge: EdgeId) -> Call<'r> {
        let step = self.rsm.module(caller).edge(edge);
        let Action::Call { callee, args, results } = &step.action else { panic!("the edge is a call") };
        let live = self.live(caller, step.to);
        let stored = results.iter().zip(0..).filter_map(|(place, n)| Some(((*place)?, Slot::Result(n))));
        let modified = self.part(*callee).modified.iter().map(|n| Place::Global(*n));
        let changed = modified.filter(|place| !results.contains(&Some(*place)));
        let all = stored.chain(changed.map(|place| (place, Slot::Place(place))));
        let returned = all.filter(|(place, _)| live.binary_search(place).is_ok()).collect();
        Call { caller, edge, from: step.from, to: step.to, callee: *callee, args, results, returned }
    }

    /// The counter of the point after a call.
    pub fn counter_after(&self, call: &Call) -> u32 {
        let counter = self.points.counter_after(self.rsm, call.caller, call.edge);
        counter.expect("a call leads to a point")
    }

    /// The variables of the caller that are not afterwards what they were before, be they needed or not.
    pub fn overwritten(&self, call: &Call<'r>) -> impl Iterator<Item = Place> + use<'r> {
        let modified = self.part(call.callee).modified.iter().map(|n| Place::Global(*n));
        modified.chain(call.results.iter().flatten().copied())
    }

    /// The arguments, in the callee's parameters in `after`, as far as `keep` wants them; `None` if there can be none.
    pub fn arguments(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        call: &Call,
        (before, after): (&View, &View),
        keep: impl Fn(u32) -> bool,
    ) -> Result<Option<Bdd>, Exhausted> {
        // Arguments are stored like results: they are no variables of the caller.
        let parameters = Columns { globals: &after.globals, locals: &[], results: &after.locals };
        let targets: Vec<Slot> = (0..call.args.len() as u32).map(Slot::Result).collect();
        let mut path = encoder.path(dd, before.columns(), parameters);
        path.assign(&targets, call.args, None)?;
        let relation = path.finish(|slot| matches!(slot, Slot::Result(n) if keep(n)))?;
        Ok(relation.map(|relation| relation.diagram))
    }

    /// The parameter matters at the entry of a function.
    pub fn needs_parameter(&self, callee: ModuleId, n: u32) -> bool {
        self.live(callee, self.rsm.module(callee).entry).binary_search(&Place::Local(n)).is_ok()
    }

    /// The results at the callee's exit are what the caller stores. Globals are left to a frame.
    pub fn results(
        &self,
        dd: &mut Manager,
        call: &Call,
        (exit, after): (&View, &View),
    ) -> Result<Bdd, Exhausted> {
        let mut diagram = Bdd::TRUE;
        for &(place, source) in call.returned.iter().filter(|(_, source)| matches!(source, Slot::Result(_))) {
            for (&a, &b) in after.columns().place(place).iter().zip(exit.columns().slot(source)) {
                let (a, b) = (dd.variable(a)?, dd.variable(b)?);
                let equal = dd.iff(a, b)?;
                diagram = dd.and(diagram, equal)?;
            }
        }
        Ok(diagram)
    }

    /// The caller allows the state it goes on in. All views are the caller's: what the call leaves alone is read in the state
    /// before it, globals that the callee may have changed at its exit, results in the state after it.
    pub fn allowed_after(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        call: &Call,
        (before, exit, after): (&View, &View, &View),
    ) -> Result<Bdd, Exhausted> {
        let Some(enforce) = &self.rsm.module(call.caller).enforce else { return Ok(Bdd::TRUE) };
        let mut mixed = before.clone();
        for &(place, source) in &call.returned {
            mixed.take(place, if matches!(source, Slot::Result(_)) { after } else { exit });
        }
        Ok(encoder.condition(dd, mixed.columns(), enforce)?.0)
    }
}

//! States of the program: where a formula tells states apart, each of them has one value for the bits that nobody uses.
//!
//! A state says something of the variables that have values at its point: at the entry of a function parameters and globals, at its exit results and
//! globals, elsewhere locals and globals. A *proper* state has values of their types there, and 0 in all other slots. So two proper
//! states are equal if, and only if, the program is in the same state.

use crate::Templates;
use crate::rows::at;
use crate::word::{Making, Rows};
use calculus::system::VarId;
use dd::{Bdd, Exhausted, Level, Manager};
use encode::{Encoder, Slot};
use rsm::{ModuleId, Place};
use rustc_hash::FxHashMap;
use solver::{Given, Solver};
use symbolic::StateLevels;

/// The word that holds of proper states.
pub const PROPER: &str = "Proper";

impl Templates<'_> {
    /// From now on all relations are about proper states only. The program has to be looked at without reductions.
    pub fn tell_states_apart(&mut self) {
        self.tells_apart = true;
    }

    /// All relations are about proper states only.
    pub fn tells_states_apart(&self) -> bool {
        self.tells_apart
    }

    /// What has a value at a point.
    fn valued(&self, m: ModuleId, counter: u32) -> Vec<Slot> {
        let module = self.rsm.module(m);
        let globals = (0..self.rsm.globals.len() as u32).map(|n| Slot::Place(Place::Global(n)));
        let locals = |n: usize| (0..n as u32).map(|n| Slot::Place(Place::Local(n)));
        match self.node(m, counter) {
            _ if counter == 0 => globals.chain(locals(module.n_params)).collect(),
            Some(node) if node == module.exit => {
                globals.chain((0..module.results.len() as u32).map(Slot::Result)).collect()
            }
            _ => globals.chain(locals(module.locals.len())).collect(),
        }
    }

    /// The proper states at a point.
    fn proper(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        levels: &StateLevels,
        (m, counter): (ModuleId, u32),
    ) -> Result<Bdd, Exhausted> {
        let (module, view) = (self.rsm.module(m), levels.view(&self.slots, m));
        let mut is_used = [vec![false; levels.globals.len()], vec![false; levels.locals.len()]];
        let mut states = Bdd::TRUE;
        for slot in self.valued(m, counter) {
            let ty = match slot {
                Slot::Place(place) => &self.rsm.variable(m, place).ty,
                Slot::Result(n) => &module.results[n as usize],
            };
            let part = usize::from(!matches!(slot, Slot::Place(Place::Global(_))));
            let bits = self.slots.bits(m, slot);
            bits.iter().for_each(|bit| is_used[part][*bit as usize] = true);
            // A variable that nothing mentions has no bits.
            if !bits.is_empty() {
                let domain = encoder.domain(dd, view.columns().slot(slot), ty)?;
                states = dd.and(states, domain)?;
            }
        }
        let all = [&levels.globals, &levels.locals].into_iter().zip(&is_used);
        let unused: Vec<Level> = all
            .flat_map(|(levels, is_used)| levels.iter().zip(is_used))
            .filter(|(_, is_used)| !**is_used)
            .map(|(level, _)| *level)
            .collect();
        let zero = dd.cube(unused.into_iter().map(|level| (level, false)))?;
        dd.and(states, zero)
    }

    /// A row without what is no state of the program.
    pub(crate) fn only_proper(&self, making: &mut Making, row: Given) -> Result<Given, Exhausted> {
        let keys: FxHashMap<VarId, u32> = row.key.iter().copied().collect();
        // Of two columns that are equal, the diagram mentions the first.
        let equal = making.solver.equal_columns(row.frame);
        let first: FxHashMap<VarId, VarId> = equal.iter().map(|(a, b)| (*b, *a)).collect();
        let mut diagram = row.diagram;
        for n in 0..making.states.len() {
            let columns = &making.states[n].columns;
            let (Some(m), Some(counter)) = (keys.get(&columns.module), keys.get(&columns.counter)) else {
                continue;
            };
            let point = (ModuleId(*m), *counter);
            let level = |solver: &Solver, column: &VarId| {
                let column = first.get(column).unwrap_or(column);
                solver.levels(*column)[0]
            };
            let solver = &*making.solver;
            let levels = StateLevels::new(
                columns.locals.iter().map(|column| level(solver, column)).collect(),
                columns.globals.iter().map(|column| level(solver, column)).collect(),
            );
            let (encoder, dd) = making.tools();
            let states = self.proper(encoder, dd, &levels, point)?;
            diagram = dd.and(diagram, states)?;
        }
        Ok(Given { diagram, ..row })
    }
}

/// The rows of the word for proper states.
pub(crate) fn proper(making: &mut Making) -> Rows {
    let templates = making.templates;
    let mut rows = Vec::new();
    for m in templates.modules() {
        for (counter, _) in templates.counters(m) {
            let row = at(&making.states[0], m, counter, Bdd::TRUE);
            rows.push(templates.only_proper(making, row)?);
        }
    }
    Ok(rows)
}

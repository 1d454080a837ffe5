//! What holds in every state of a module.
//!
//! Entry states are written over the parameters and the globals that the module may change in their entry copy, and the other
//! globals in their current copy (see `Program::entry_slots`).

use crate::diagrams::{Diagrams, Program, Shape};
use crate::layout::Version;
use dd::{Bdd, Exhausted, Level, Map};
use encode::Slot;
use rsm::ModuleId;

/// Conditions on the states of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Conditions {
    /// The entry states that the certificate names.
    pub(crate) entries: Bdd,
    /// What the module enforces.
    pub(crate) enforce: Bdd,
    /// The entry states in which what the module enforces can hold.
    pub(crate) enforce_at_entry: Bdd,
    /// All that is known of a state at a node: its entry state is one of those, all values are values of their types, and what
    /// the module enforces holds.
    pub(crate) inside: Bdd,
    /// All that is known of a state at the exit.
    pub(crate) at_exit: Bdd,
}

impl Conditions {
    /// The conditions of a module that is never entered.
    pub(crate) const NEVER: Conditions = Conditions {
        entries: Bdd::FALSE,
        enforce: Bdd::FALSE,
        enforce_at_entry: Bdd::FALSE,
        inside: Bdd::FALSE,
        at_exit: Bdd::FALSE,
    };

    /// The conditions of a module with these entry states.
    pub(crate) fn new(
        program: Program,
        diagrams: &mut Diagrams,
        module: ModuleId,
        entries: Bdd,
    ) -> Result<Self, Exhausted> {
        let globals = domain(program, diagrams, module, program.globals(), Version::Current)?;
        let locals = domain(program, diagrams, module, program.locals(module), Version::Current)?;
        let results = domain(program, diagrams, module, program.results(module), Version::Current)?;
        let at_entry = domain(program, diagrams, module, program.entry_slots(module), Version::Entry)?;
        let enforce = match &program.rsm.module(module).enforce {
            Some(condition) => {
                let columns = program.layout.columns(module, Version::Current);
                diagrams.encoder.condition(&mut diagrams.dd, columns, condition)?.0
            }
            None => Bdd::TRUE,
        };
        let parameters = program.parameters(module).count();
        let shape = Shape {
            quantified: program.all_levels(module, program.locals(module).skip(parameters), Version::Current),
            out: to_entry(program, module),
            ..Shape::default()
        };
        let enforce_at_entry = diagrams.product(enforce, locals, shape)?;
        let dd = &mut diagrams.dd;
        let known = dd.and(entries, at_entry)?;
        let known = dd.and(known, globals)?;
        let inside = dd.and(known, locals)?;
        let inside = dd.and(inside, enforce)?;
        Ok(Self { entries, enforce, enforce_at_entry, inside, at_exit: dd.and(known, results)? })
    }

    /// The states at the entry node: values are those at entry, other locals have any.
    pub(crate) fn at_first(
        &self,
        program: Program,
        diagrams: &mut Diagrams,
        module: ModuleId,
    ) -> Result<Bdd, Exhausted> {
        let slots = program.entry_slots(module);
        let mut pairs: Vec<(Level, Level)> =
            program.moves(module, slots, Version::Entry, Version::Current).collect();
        // From the lowest level up, so that each step adds at the top.
        pairs.sort_unstable();
        let dd = &mut diagrams.dd;
        let mut same = Bdd::TRUE;
        for (entry, current) in pairs.into_iter().rev() {
            let (entry, current) = (dd.variable(entry)?, dd.variable(current)?);
            let bit = dd.iff(entry, current)?;
            same = dd.and(bit, same)?;
        }
        dd.and(self.inside, same)
    }
}

/// Moves current values to where entry states have them.
pub(crate) fn to_entry(program: Program, module: ModuleId) -> Map {
    Map::new(program.moves(module, program.entry_slots(module), Version::Current, Version::Entry))
}

/// The initial globals, as entry states of `main`.
pub(crate) fn initial(program: Program, diagrams: &mut Diagrams) -> Result<Bdd, Exhausted> {
    let main = program.rsm.main;
    let columns = program.layout.columns(main, Version::Current);
    let mut states = domain(program, diagrams, main, program.globals(), Version::Current)?;
    for condition in &program.rsm.init {
        let (holds, _) = diagrams.encoder.condition(&mut diagrams.dd, columns, condition)?;
        states = diagrams.dd.and(states, holds)?;
    }
    diagrams.product(states, Bdd::TRUE, Shape { out: to_entry(program, main), ..Shape::default() })
}

/// The bits of all slots stand for values of their types.
fn domain(
    program: Program,
    diagrams: &mut Diagrams,
    module: ModuleId,
    slots: impl Iterator<Item = Slot>,
    version: Version,
) -> Result<Bdd, Exhausted> {
    let mut all = Bdd::TRUE;
    for slot in slots {
        let ty = match slot {
            Slot::Place(place) => &program.rsm.variable(module, place).ty,
            Slot::Result(n) => &program.rsm.module(module).results[n as usize],
        };
        let levels = program.levels(module, slot, version);
        let values = diagrams.encoder.domain(&mut diagrams.dd, levels, ty)?;
        all = diagrams.dd.and(all, values)?;
    }
    Ok(all)
}

//! What a step of the program makes of a set of states.
//!
//! States are pairs of an entry state and a current state of one module. A step is a relation over the current state and the
//! next values of what it assigns; the entry state stays as it is.

use crate::diagrams::{Diagrams, Program, Shape};
use crate::layout::Version;
use dd::{Bdd, Exhausted, Level, Map};
use encode::{Columns, Relation, Slot};
use rsm::{Action, Expr, ModuleId, Place};

/// A call as it stands in the program.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) caller: ModuleId,
    pub(crate) callee: ModuleId,
    pub(crate) args: &'a [Expr],
    pub(crate) results: &'a [Option<Place>],
}

/// The relation of a step that is no call; `None` if nobody can take it.
pub(crate) fn relation(
    program: Program,
    diagrams: &mut Diagrams,
    module: ModuleId,
    action: &Action,
) -> Result<Option<Relation>, Exhausted> {
    let before = program.layout.columns(module, Version::Current);
    let after = program.layout.columns(module, Version::Next);
    let mut path = diagrams.encoder.path(&mut diagrams.dd, before, after);
    match action {
        Action::Skip | Action::Call { .. } => {}
        Action::Assume(condition) | Action::Assert(condition) => path.assume(condition)?,
        Action::Assign { targets, values, constrain } => {
            let targets: Vec<Slot> = targets.iter().copied().map(Slot::Place).collect();
            path.assign(&targets, values, constrain.as_ref())?;
        }
        Action::Return { values } => {
            let targets: Vec<Slot> = program.results(module).collect();
            path.assign(&targets, values, None)?;
        }
    }
    path.finish(|_| true)
}

/// The states after a step within a module.
pub(crate) fn image(
    program: Program,
    diagrams: &mut Diagrams,
    module: ModuleId,
    states: Bdd,
    relation: &Relation,
) -> Result<Bdd, Exhausted> {
    let assigned = || relation.assigned.iter().copied();
    let shape = Shape {
        right: Map::default(),
        quantified: program.all_levels(module, assigned(), Version::Current),
        out: Map::new(program.moves(module, assigned(), Version::Next, Version::Current)),
    };
    diagrams.product(states, relation.diagram, shape)
}

/// The states at the exit after a return: the locals are gone.
pub(crate) fn exit_image(
    program: Program,
    diagrams: &mut Diagrams,
    module: ModuleId,
    states: Bdd,
    relation: &Relation,
) -> Result<Bdd, Exhausted> {
    let results = program.results(module);
    let shape = Shape {
        right: Map::default(),
        quantified: program.all_levels(module, program.locals(module), Version::Current),
        out: Map::new(program.moves(module, results, Version::Next, Version::Current)),
    };
    diagrams.product(states, relation.diagram, shape)
}

/// The values of the arguments, over the caller's current state and the next copy of the callee's parameters.
pub(crate) fn arguments(program: Program, diagrams: &mut Diagrams, call: Call) -> Result<Bdd, Exhausted> {
    let n_params = program.rsm.module(call.callee).n_params;
    let before = program.layout.columns(call.caller, Version::Current);
    // To a path, the parameters are results: places of their own, of which the old state knows nothing.
    let parameters = &program.layout.columns(call.callee, Version::Next).locals[..n_params];
    let after = Columns { results: parameters, ..program.layout.columns(call.caller, Version::Next) };
    let mut path = diagrams.encoder.path(&mut diagrams.dd, before, after);
    let targets: Vec<Slot> = (0..n_params as u32).map(Slot::Result).collect();
    path.assign(&targets, call.args, None)?;
    Ok(path.finish(|_| true)?.map_or(Bdd::FALSE, |relation| relation.diagram))
}

/// The entry states of the callee when it is called from some states of the caller.
pub(crate) fn entered(
    program: Program,
    diagrams: &mut Diagrams,
    call: Call,
    states: Bdd,
    arguments: Bdd,
) -> Result<Bdd, Exhausted> {
    let Call { caller, callee, .. } = call;
    let mut quantified = program.all_levels(caller, program.entry_slots(caller), Version::Entry);
    quantified.extend(program.all_levels(caller, program.locals(caller), Version::Current));
    let parameters = program.moves(callee, program.parameters(callee), Version::Next, Version::Entry);
    let globals = program.moves(callee, program.modified(callee), Version::Current, Version::Entry);
    let out = Map::new(parameters.chain(globals));
    diagrams.product(states, arguments, Shape { right: Map::default(), quantified, out })
}

/// The relation of a call and its return: the callee's summary at its exit, seen from the caller.
///
/// The globals that the callee may change come from its exit. The others keep the caller's value: they have no entry copy in
/// the summary, and its current copy of them is the caller's.
pub(crate) fn returned(
    program: Program,
    diagrams: &mut Diagrams,
    call: Call,
    arguments: Bdd,
    summary: Bdd,
) -> Result<Relation, Exhausted> {
    let Call { caller, callee, results, .. } = call;
    let right = program
        .moves(callee, program.parameters(callee), Version::Entry, Version::Next)
        .chain(program.moves(callee, program.modified(callee), Version::Entry, Version::Current))
        .chain(program.moves(callee, program.modified(callee), Version::Current, Version::Next))
        .chain(program.moves(callee, program.results(callee), Version::Current, Version::Next));
    let stored: Vec<Slot> = results.iter().flatten().copied().map(Slot::Place).collect();
    let mut quantified = program.all_levels(callee, program.parameters(callee), Version::Next);
    // A result that is stored in a global replaces what the callee left there.
    let replaced = program.modified(callee).filter(|slot| stored.contains(slot));
    quantified.extend(program.all_levels(callee, replaced, Version::Next));
    let mut moves: Vec<(Level, Level)> = Vec::new();
    let slots: Vec<Slot> = program.results(callee).collect();
    assert_eq!(slots.len(), results.len(), "a call stores or drops each result");
    for (slot, place) in slots.into_iter().zip(results) {
        let from = program.levels(callee, slot, Version::Next);
        match place {
            None => quantified.extend(from),
            Some(place) => {
                let to = program.levels(caller, Slot::Place(*place), Version::Next);
                assert_eq!(from.len(), to.len(), "a result fits the variable that it is stored in");
                moves.extend(from.iter().copied().zip(to.iter().copied()));
            }
        }
    }
    let shape = Shape { right: Map::new(right), quantified, out: Map::default() };
    let diagram = diagrams.product(arguments, summary, shape)?;
    let diagram = diagrams.substitute(diagram, moves)?;
    let mut assigned: Vec<Slot> = program.modified(callee).chain(stored).collect();
    assigned.sort_unstable();
    assigned.dedup();
    Ok(Relation { diagram, assigned })
}

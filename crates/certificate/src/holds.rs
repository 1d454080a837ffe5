//! What a certificate says of each statement of a program, in the language of the program.
//!
//! Contract: what is told comes from sets that the validator has accepted, so that it holds whenever a run is about to execute the statement. Statements
//! that stand at the same place of the text are one. A variable that has no name there, since a local hides it or since the text does not have it, is
//! left out; so is what takes too much work.

mod listed;

pub use listed::{of_ranked, of_threads};

use crate::diagrams::{Diagrams, Program, Shape};
use crate::layout::Version;
use crate::outcome::{Fault, Outcome, outcome};
use crate::read::Certificate;
use crate::validate::{Validator, closed};
use crate::words::{self, Named, Told};
use base::{Sources, Span, Stop, StopReason};
use dd::{Bdd, Exhausted, Level};
use encode::Slot;
use rsm::{Goal, ModuleId, NodeId, Place, Rsm, Type};
use std::collections::BTreeMap;

/// What holds whenever a run is about to execute a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holds {
    /// The function.
    pub module: ModuleId,
    /// The statement, or where the function ends.
    pub span: Span,
    /// It is where the function ends.
    pub is_end: bool,
    /// Expressions of the language that hold; `F` alone where no run gets. Where there are several, each can be an operand.
    pub clauses: Vec<String>,
    /// The certificate says no more.
    pub is_whole: bool,
}

/// The work that is granted to put a proof into words, in units of the diagrams.
const WORK: u64 = 20_000_000;

/// As [`validate`](fn@crate::validate), and what holds at each statement, in the order of the text.
pub fn explain(
    rsm: &Rsm,
    sources: &Sources,
    goals: &[Goal],
    certificate: &Certificate,
    stop: &Stop,
    memory: Option<u64>,
) -> Result<Outcome<Vec<Holds>>, StopReason> {
    let holds = |mut validator: Validator<'_>| -> Result<Vec<Holds>, Fault> {
        let mut told = Vec::new();
        validator.grant(WORK);
        for (module, span, nodes) in places(rsm) {
            match validator.holds(module, &nodes) {
                Ok(Told { clauses, is_whole }) => {
                    let is_end = nodes.contains(&rsm.module(module).exit);
                    told.push(Holds { module, span, is_end, clauses: operands(clauses), is_whole });
                }
                // It is only left out.
                Err(Exhausted(StopReason::Work | StopReason::Memory)) => break,
                Err(exhausted) => return Err(exhausted.into()),
            }
        }
        Ok(told)
    };
    outcome(closed(rsm, sources, goals, certificate, stop, memory, holds))
}

/// Clauses, each an operand if there are several.
fn operands(clauses: Vec<String>) -> Vec<String> {
    match clauses.len() {
        1 => clauses,
        _ => clauses.iter().map(|clause| words::grouped(clause)).collect(),
    }
}

/// The places of the text, in their order, and which nodes are there. What the text does not have is not among them.
fn places(rsm: &Rsm) -> Vec<(ModuleId, Span, Vec<NodeId>)> {
    let mut places: BTreeMap<(u32, ModuleId, bool), (Span, Vec<NodeId>)> = BTreeMap::new();
    for (m, module) in (0..).map(ModuleId).zip(&rsm.modules) {
        if module.name.starts_with('$') {
            continue;
        }
        for (n, node) in (0..).map(NodeId).zip(&module.nodes) {
            if n <= module.exit {
                let at = (node.span.start, m, n == module.exit);
                places.entry(at).or_insert_with(|| (node.span, Vec::new())).1.push(n);
            }
        }
    }
    // Where a statement stands at the end, it says more than the end.
    let starts: Vec<(u32, ModuleId, bool)> = places.keys().copied().collect();
    let is_told = |at: &(u32, ModuleId, bool)| !at.2 || starts.binary_search(&(at.0, at.1, false)).is_err();
    places.retain(|at, _| is_told(at));
    places.into_iter().map(|((_, module, _), (span, nodes))| (module, span, nodes)).collect()
}

/// The variables of a module that a text there can speak of, given the globals that it sees.
fn named(rsm: &Rsm, module: ModuleId, sees: impl Fn(u32) -> bool) -> Vec<(Place, &str, &Type)> {
    let shape = rsm.module(module);
    let locals = (0..).map(Place::Local).zip(&shape.locals);
    let globals = (0..).zip(&rsm.globals).filter(|(n, _)| sees(*n));
    let globals: Vec<_> = globals.map(|(n, variable)| (Place::Global(n), variable)).collect();
    let is_local = |name: &str| shape.locals.iter().any(|local| local.name == name);
    let n_globals = |name: &str| globals.iter().filter(|(_, global)| global.name == name).count();
    // A name means this variable, and values mean themselves.
    let is_plain = |place: Place, name: &str, ty: &Type| {
        let is_variable = |name: &String| is_local(name) || n_globals(name) > 0;
        let values_are_plain = match ty {
            Type::Enum(values) => !values.iter().any(is_variable),
            _ => true,
        };
        let is_only = matches!(place, Place::Local(_)) || !is_local(name) && n_globals(name) == 1;
        !name.starts_with('$') && is_only && values_are_plain
    };
    let all = locals.chain(globals.iter().copied());
    let all = all.map(|(place, variable)| (place, variable.name.as_str(), &variable.ty));
    all.filter(|(place, name, ty)| is_plain(*place, name, ty)).collect()
}

impl Validator<'_> {
    /// What holds at some nodes of a module.
    fn holds(&mut self, module: ModuleId, nodes: &[NodeId]) -> Result<Told, Exhausted> {
        let program = self.program();
        let shape = program.rsm.module(module);
        let is_end = nodes.contains(&shape.exit);
        let variables = named(program.rsm, module, |_| true);
        let (told, untold) = kinds(program, module, &variables, is_end);
        let mut all = Bdd::FALSE;
        for node in nodes {
            let states = self.states(module, *node);
            let diagrams = self.diagrams();
            let states = diagrams.product(
                states,
                Bdd::TRUE,
                Shape { quantified: untold.clone(), ..Shape::default() },
            )?;
            all = diagrams.dd.or(all, states)?;
        }
        let named: Vec<Named> = told
            .iter()
            .map(|(place, name, ty)| Named {
                name,
                ty,
                levels: program.levels(module, Slot::Place(*place), Version::Current),
            })
            .collect();
        let told = words::tell(self.diagrams(), all, &named)?;
        self.make_room();
        Ok(told)
    }
}

/// What a text at a point speaks of, and the levels of all else.
fn kinds<'v>(
    program: Program,
    module: ModuleId,
    variables: &[(Place, &'v str, &'v Type)],
    is_end: bool,
) -> (Vec<(Place, &'v str, &'v Type)>, Vec<Level>) {
    let is_told = |place: &Place| !is_end || matches!(place, Place::Global(_));
    let told: Vec<_> = variables.iter().copied().filter(|(place, ..)| is_told(place)).collect();
    let mut untold = program.all_levels(module, program.entry_slots(module), Version::Entry);
    let slots = program.globals().chain(program.locals(module)).chain(program.results(module));
    let is_untold = |slot: &Slot| match slot {
        Slot::Place(place) => !told.iter().any(|(own, ..)| own == place),
        Slot::Result(_) => true,
    };
    untold.extend(program.all_levels(module, slots.filter(is_untold), Version::Current));
    (told, untold)
}

/// The diagrams of a set that is listed state by state.
fn manager(stop: &Stop, n_levels: Level) -> Diagrams {
    let mut diagrams = Diagrams::bare(n_levels, stop, None);
    diagrams.dd.grant(WORK);
    diagrams
}

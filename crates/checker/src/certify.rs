//! Certificates: the summaries that a formula computed, in the form that the validator reads.
//!
//! `#certificate Summary, Reach` in the formula file says which relations these are: pairs of an entry and a current state, and the
//! entries that runs get to. Where there is only the first, its entries are those of the pairs at counter 0.

use crate::formula::Checked;
use crate::notes::Summaries;
use calculus::system::VarId;
use certificate::{Moment, Row, Variable};
use dd::{Bdd, Level, Map};
use encode::Slot;
use rsm::{ModuleId, Place};
use rustc_hash::FxHashMap;
use solver::{Halt, Solver};
use symbolic::Point;
use templates::Templates;

/// The summaries that a formula file names, if their rows can be told apart by program points: where points are bits too, there is
/// only one row. Proper states have more bits than the program has variables for.
pub(crate) fn find(checked: &Checked, solver: &Solver) -> Option<Summaries> {
    let summaries = checked.notes.certificate.filter(|_| !checked.tells_states_apart)?;
    let counter = checked.system.relation(summaries.pairs).columns[0];
    solver.is_explicit(counter).then_some(summaries)
}

/// What the levels of one state mean in one function.
pub(crate) struct Meaning {
    variables: FxHashMap<(ModuleId, Level), Variable>,
}

impl Meaning {
    pub(crate) fn new(templates: &Templates, solver: &Solver, columns: [&[VarId]; 2]) -> Self {
        let mut variables = FxHashMap::default();
        let moments = [Moment::Entry, Moment::Current].into_iter().zip(columns);
        for (moment, columns) in moments {
            let state = templates.state(columns);
            let mut add = |module, column: VarId, slot, bit: usize| {
                let level = solver.levels(column)[0];
                variables.insert((module, level), Variable { moment, slot, bit: bit as u32 });
            };
            for (m, slots) in templates.slots.modules.iter().enumerate() {
                let m = ModuleId::new(m);
                for (n, bits) in templates.slots.globals.iter().enumerate() {
                    let slot = Slot::Place(Place::Global(n as u32));
                    bits.iter().enumerate().for_each(|(b, s)| add(m, state.globals[*s as usize], slot, b));
                }
                for (n, bits) in slots.locals.iter().enumerate() {
                    let slot = Slot::Place(Place::Local(n as u32));
                    bits.iter().enumerate().for_each(|(b, s)| add(m, state.locals[*s as usize], slot, b));
                }
                for (n, bits) in slots.results.iter().enumerate() {
                    let slot = Slot::Result(n as u32);
                    bits.iter().enumerate().for_each(|(b, s)| add(m, state.locals[*s as usize], slot, b));
                }
            }
        }
        Self { variables }
    }

    /// What a level is in a function.
    pub(crate) fn variable(&self, module: ModuleId, level: Level) -> Variable {
        self.variables[&(module, level)]
    }
}

/// The text of the certificate.
pub(crate) fn write(
    templates: &Templates,
    checked: &Checked,
    solver: &mut Solver,
    summaries: Summaries,
    targets: &[String],
    sources: &base::Sources,
) -> Result<String, Halt> {
    let columns = checked.system.relation(summaries.pairs).columns.clone();
    let (entry, current) = columns.split_at(columns.len() / 2);
    let mut rows = entry_rows(templates, checked, solver, summaries, entry, current)?;
    for (key, diagram) in solver.rows(summaries.pairs)? {
        let module = ModuleId(key[2]);
        if let Some(Point::Node(node)) = templates.points.point(module, key[3]) {
            rows.push(Row { module, point: certificate::Point::Node(node), diagram });
        }
    }
    let meaning = Meaning::new(templates, solver, [entry, current]);
    let variable = |module, level| meaning.variable(module, level);
    Ok(certificate::write(templates.rsm, sources, targets, solver.diagrams(), &rows, variable))
}

/// The entries, over the levels of the first state of the summaries.
pub(crate) fn entry_rows(
    templates: &Templates,
    checked: &Checked,
    solver: &mut Solver,
    summaries: Summaries,
    entry: &[VarId],
    current: &[VarId],
) -> Result<Vec<Row>, Halt> {
    let level = |solver: &Solver, column: &VarId| solver.levels(*column)[0];
    let row = |module, diagram| Row { module, point: certificate::Point::Entry, diagram };
    let mut rows = Vec::new();
    match summaries.entries {
        Some(relation) => {
            let from = &checked.system.relation(relation).columns;
            let moves: Vec<(Level, dd::Image)> = from[2..]
                .iter()
                .zip(&entry[2..])
                .map(|(a, b)| (level(solver, a), dd::Image::Level(level(solver, b))))
                .collect();
            let id = solver.diagrams().register_substitution(&moves);
            for (key, diagram) in solver.rows(relation)? {
                let moved = solver.diagrams().substitute(diagram, id);
                rows.push(row(ModuleId(key[0]), moved.map_err(|e| solver.stopped(e))?));
            }
        }
        None => {
            let mut levels: Vec<Level> = current[2..].iter().map(|column| level(solver, column)).collect();
            levels.sort_unstable();
            let none = Map::default();
            let id = solver.diagrams().register_product(&none, &none, &levels, &none);
            for (key, diagram) in solver.rows(summaries.pairs)? {
                if templates.points.point(ModuleId(key[2]), key[3]) == Some(Point::Entry) {
                    let entries = solver.diagrams().product(diagram, Bdd::TRUE, id);
                    rows.push(row(ModuleId(key[2]), entries.map_err(|e| solver.stopped(e))?));
                }
            }
        }
    }
    Ok(rows)
}

//! Whether a run suffices: its facts alone make a query true.
//!
//! A second evaluation sees the same program, but of its steps, calls and starts only those of the run. If the query is true there, the run
//! is one that the formula means, whatever the formula is; a run that the formula does not mean, one that misses a label on the way
//! say, does not make it true.

use crate::known_steps::{KnownSteps, StateId};
use crate::way::{Way, WayStep};
use calculus::system::{FormulaId, System};
use dd::Bdd;
use rustc_hash::FxHashSet;
use solver::{Given, Halt, Solver};
use templates::{Role, Templates, Vocabulary};

/// The states of a fact about the program, as many as its word has.
type Fact = Vec<StateId>;

/// The facts of a run.
#[derive(Default)]
struct Used {
    starts: FxHashSet<Fact>,
    steps: FxHashSet<Fact>,
    calls: FxHashSet<Fact>,
    returns: FxHashSet<Fact>,
}

impl Used {
    fn new(way: &Way) -> Self {
        let mut used = Self::default();
        for run in &way.runs {
            let mut at = run.entry;
            for step in &run.steps {
                match *step {
                    WayStep::Step(after) => {
                        used.steps.insert(vec![at, after]);
                        at = after;
                    }
                    WayStep::Call { run, after } => {
                        let callee = &way.runs[run];
                        used.calls.insert(vec![at, callee.entry]);
                        used.returns.insert(vec![at, callee.end(), after]);
                        at = after;
                    }
                }
            }
        }
        for pair in way.open.windows(2) {
            used.calls.insert(vec![way.runs[pair[0]].end(), way.runs[pair[1]].entry]);
        }
        used.starts.extend(way.open.first().map(|run| vec![way.runs[*run].entry]));
        used
    }

    /// The facts of a word with a role and so many states; none if it is no part of runs.
    fn of(&self, role: Role, n_states: usize) -> Option<FxHashSet<Fact>> {
        let halves =
            |keep: [usize; 2]| self.returns.iter().map(|fact| keep.map(|n| fact[n]).to_vec()).collect();
        match (role, n_states) {
            (Role::Start, _) => Some(self.starts.clone()),
            (Role::Step, _) => Some(self.steps.clone()),
            (Role::Call, _) => Some(self.calls.clone()),
            (Role::Return, 3) => Some(self.returns.clone()),
            (Role::Return, _) => Some(halves([1, 2])),
            (Role::Around, _) => Some(halves([0, 2])),
            (Role::Target | Role::Plain, _) => None,
        }
    }
}

/// Gives a solver, which has been given what is said of the program's states, the steps of a way and no others, and asks.
pub fn suffices(
    system: &System,
    query: FormulaId,
    words: &Vocabulary,
    templates: &Templates,
    (known, way): (&KnownSteps, &Way),
    solver: &mut Solver,
) -> Result<bool, Halt> {
    let used = Used::new(way);
    for word in templates.words() {
        let template = words.template(&word.name);
        let Some(rows) = used.of(word.role, template.states.len()) else { continue };
        let columns = &system.relation(template.relation).columns;
        let mut rows: Vec<Vec<u32>> = rows
            .into_iter()
            .map(|fact| fact.iter().flat_map(|state| known.state(*state).columns()).collect())
            .collect();
        rows.sort_unstable();
        let row = |values: Vec<u32>| Given::new(columns.iter().copied().zip(values), Bdd::TRUE);
        let given = rows.into_iter().map(row);
        solver.give(template.relation, given)?;
    }
    solver.query(query)
}

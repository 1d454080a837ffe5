//! The predicates of each function, in an order that never changes, so that a number once given to one stays.

use integers::ghosts::Ghosted;
use integers::normal::{Atom, atoms, normal};
use integers::{Action, Expr, FunctionId, Op, Place};

/// A predicate over the variables of one function, ghosts included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// What it says, in normal form.
    pub atom: Atom,
    /// The same as a formula.
    pub formula: Expr,
    /// The variables in it, sorted.
    pub places: Vec<Place>,
}

/// The predicates of all functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicates {
    functions: Vec<Vec<Predicate>>,
}

impl Predicates {
    /// None yet.
    pub fn new(ghosted: &Ghosted) -> Self {
        Self { functions: vec![Vec::new(); ghosted.program.functions.len()] }
    }

    /// What the guards of the program compare, as far as it does not depend on inputs.
    pub fn of_guards(ghosted: &Ghosted) -> Self {
        let mut predicates = Self::new(ghosted);
        for (n, function) in ghosted.program.functions.iter().enumerate() {
            for edge in &function.edges {
                if let Action::Step(step) = &edge.action {
                    atoms(&step.guard)
                        .iter()
                        .for_each(|atom| _ = predicates.add(ghosted, FunctionId::new(n), atom));
                }
            }
        }
        predicates
    }

    /// Those of a function.
    pub fn of(&self, function: FunctionId) -> &[Predicate] {
        &self.functions[function.index()]
    }

    /// How many there are in all.
    pub fn len(&self) -> usize {
        self.functions.iter().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a predicate to a function; one that is about globals only, to every function that uses these. Whether it is new. What is always true or false, or
    /// depends on inputs, is no predicate.
    pub fn add(&mut self, ghosted: &Ghosted, function: FunctionId, formula: &Expr) -> bool {
        let atom = normal(formula).atom;
        let formula = atom.formula();
        let is_free = |op: &Op| matches!(op, Op::Input(_) | Op::Unknown(_));
        if atom == Atom::True || formula.code().iter().any(is_free) {
            return false;
        }
        let mut places: Vec<Place> = formula.reads().collect();
        places.sort_unstable();
        places.dedup();
        let predicate = Predicate { atom, formula, places };
        let is_global = predicate.places.iter().all(|place| matches!(place, Place::Global(_)));
        if !is_global {
            return self.insert(function, &predicate);
        }
        let uses = |id: FunctionId| {
            predicate.places.iter().any(|place| match *place {
                Place::Global(n) => ghosted.effects.may_read(id, n) || ghosted.effects.may_write(id, n),
                Place::Local(_) => false,
            })
        };
        let users: Vec<FunctionId> = (0..self.functions.len())
            .map(FunctionId::new)
            .filter(|id| *id == function || uses(*id))
            .collect();
        let mut is_new = false;
        for id in users {
            is_new |= self.insert(id, &predicate);
        }
        is_new
    }

    fn insert(&mut self, function: FunctionId, predicate: &Predicate) -> bool {
        let known = &mut self.functions[function.index()];
        let is_new = known.iter().all(|other| other.atom != predicate.atom);
        if is_new {
            known.push(predicate.clone());
        }
        is_new
    }
}

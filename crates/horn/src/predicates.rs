//! The predicates of a module and what their arguments stand for.
//!
//! A module has inputs: the parameters and globals whose values at its entry matter. Its predicates are
//! - `f@3(inputs, current)`: started with these inputs, `f` can be at node 3 with these current values;
//! - `f@exit(inputs, current globals, results)`: it can return with these; its summary;
//! - `f@bad(inputs)`: it can run into a goal, in itself or in what it calls.
//!
//! Current values are those of live variables. A variable with an input that no step of the module changes is left out: its
//! current value is the input. `main` has no inputs, because nobody calls it, and in place of its `bad` stands `false`.

use crate::symbol::{self, sort};
use rsm::{Action, Module, ModuleId, NodeId, Place, ReducedModule, Rsm, Type};

/// The predicates of a module. One that no run calls has none.
pub(crate) struct Predicates<'r> {
    rsm: &'r Rsm,
    id: ModuleId,
    reduced: &'r ReducedModule,
    /// The variables whose values at the entry are arguments of all predicates; sorted.
    inputs: Vec<Place>,
    /// Those of them that no step changes; sorted.
    steady: Vec<Place>,
}

impl<'r> Predicates<'r> {
    /// Chooses the arguments.
    pub(crate) fn new(rsm: &'r Rsm, id: ModuleId, reduced: &'r ReducedModule) -> Self {
        let mut predicates = Self { rsm, id, reduced, inputs: Vec::new(), steady: Vec::new() };
        if !reduced.is_used || id == rsm.main {
            return predicates;
        }
        let module = rsm.module(id);
        let is_input = |place: &Place| match *place {
            Place::Global(_) => true,
            Place::Local(n) => (n as usize) < module.n_params,
        };
        predicates.inputs = predicates.current(module.entry).filter(is_input).collect();
        let assigned = assigned_locals(module);
        let is_steady = |place: &Place| match *place {
            Place::Global(n) => reduced.modified.binary_search(&n).is_err(),
            Place::Local(n) => !assigned[n as usize],
        };
        predicates.steady = predicates.inputs.iter().copied().filter(is_steady).collect();
        predicates
    }

    /// The variables whose values at the entry are arguments of all predicates.
    pub(crate) fn inputs(&self) -> &[Place] {
        &self.inputs
    }

    /// No step changes this input.
    pub(crate) fn is_steady(&self, input: Place) -> bool {
        self.steady.binary_search(&input).is_ok()
    }

    /// The variables whose current values are arguments of the predicate of a point.
    pub(crate) fn current(&self, node: NodeId) -> impl Iterator<Item = Place> {
        let point = self.reduced.points.binary_search(&node).expect("only points have predicates");
        let is_touched = |place: &Place| match *place {
            Place::Global(n) => self.reduced.touched.binary_search(&n).is_ok(),
            Place::Local(_) => true,
        };
        let live = self.reduced.live[point].iter().copied();
        live.filter(move |place| is_touched(place) && !self.is_steady(*place))
    }

    /// The types of the results that are arguments of the predicate of a point: none, unless it is the exit.
    pub(crate) fn results(&self, node: NodeId) -> impl Iterator<Item = &'r Type> {
        let module = self.rsm.module(self.id);
        let wanted = if node == module.exit { &self.reduced.results[..] } else { &[] };
        wanted.iter().map(|&n| &module.results[n as usize])
    }

    /// The symbol of the predicate of a point.
    pub(crate) fn at(&self, node: NodeId) -> String {
        let module = self.rsm.module(self.id);
        if node == module.exit {
            return symbol::predicate(&module.name, "exit");
        }
        symbol::predicate(&module.name, &node.0.to_string())
    }

    /// The symbol of the predicate for running into a goal.
    pub(crate) fn bad(&self) -> String {
        symbol::predicate(&self.rsm.module(self.id).name, "bad")
    }

    /// Declares the predicates of all points.
    pub(crate) fn declare(&self, out: &mut String) {
        for &node in &self.reduced.points {
            let types = self.types(&self.inputs).chain(self.current(node).map(|place| self.ty(place)));
            declare(&self.at(node), types.chain(self.results(node)), out);
        }
    }

    /// Declares `bad`.
    pub(crate) fn declare_bad(&self, out: &mut String) {
        declare(&self.bad(), self.types(&self.inputs), out);
    }

    fn types(&self, places: &[Place]) -> impl Iterator<Item = &'r Type> {
        places.iter().map(|&place| self.ty(place))
    }

    fn ty(&self, place: Place) -> &'r Type {
        &self.rsm.variable(self.id, place).ty
    }
}

/// For each local whether some edge assigns it.
fn assigned_locals(module: &Module) -> Vec<bool> {
    let mut assigned = vec![false; module.locals.len()];
    let mut assign = |place: Place| {
        if let Place::Local(n) = place {
            assigned[n as usize] = true;
        }
    };
    for edge in &module.edges {
        match &edge.action {
            Action::Assign { targets, .. } => targets.iter().copied().for_each(&mut assign),
            Action::Call { results, .. } => results.iter().copied().flatten().for_each(&mut assign),
            Action::Skip | Action::Assume(_) | Action::Assert(_) | Action::Return { .. } => {}
        }
    }
    assigned
}

fn declare<'t>(predicate: &str, types: impl Iterator<Item = &'t Type>, out: &mut String) {
    let sorts: Vec<String> = types.map(sort).collect();
    out.push_str(&format!("(declare-fun {predicate} ({}) Bool)\n", sorts.join(" ")));
}

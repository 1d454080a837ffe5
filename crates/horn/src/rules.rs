//! The clauses of a program: one for each way on.
//!
//! ```text
//! ENTRY   f@entry(i, x) :- x agrees with i, enforce(x).
//! BLOCK   f@v(i, y) :- f@u(i, x), path(x, y), enforce(y).
//! CALL    f@v(i, y) :- f@u(i, x), g@exit(arguments(x), z), stored(x, z, y), enforce(y).
//! INSIDE  f@bad(i) :- f@u(i, x), g@bad(arguments(x)).
//! GOAL    f@bad(i) :- f@u(i, x).
//! ```
//!
//! For `main` the first one has the restrictions of the initial globals, and the last two have the head `false`.

use crate::clause::Term;
use crate::predicates::Predicates;
use crate::walk::Walk;
use rsm::{Action, Block, Expr, Goal, ModuleId, NodeId, Place, Reduced, Rsm};

/// What the clauses are made of. Each method appends one clause to the text.
pub(crate) struct Rules<'r> {
    /// The program.
    pub(crate) rsm: &'r Rsm,
    /// What of it is looked at.
    pub(crate) reduced: &'r Reduced,
    /// Of each module.
    pub(crate) predicates: Vec<Predicates<'r>>,
}

impl<'r> Rules<'r> {
    /// ENTRY
    pub(crate) fn entry(&self, id: ModuleId, out: &mut String) {
        let mut walk = Walk::new(self.rsm, id);
        let inputs: Vec<Term> = self.predicates(id).inputs().iter().map(|&place| walk.read(place)).collect();
        if id == self.rsm.main {
            self.rsm.init.iter().for_each(|condition| walk.assume(condition));
        }
        self.enforce(&mut walk);
        self.arrive(walk, inputs, self.rsm.module(id).entry, Vec::new(), out);
    }

    /// BLOCK or CALL
    pub(crate) fn block(&self, id: ModuleId, block: &Block, out: &mut String) {
        let module = self.rsm.module(id);
        let (mut walk, inputs) = self.start(id, block.from);
        let mut returned = Vec::new();
        for edge in block.path.iter().map(|&edge| module.edge(edge)) {
            match &edge.action {
                Action::Skip => {}
                Action::Assume(condition) | Action::Assert(condition) => walk.assume(condition),
                Action::Assign { targets, values, constrain } => {
                    walk.assign(targets, values, constrain.as_ref());
                }
                Action::Call { callee, args, results } => self.call(&mut walk, *callee, args, results),
                Action::Return { values } => {
                    let wanted = self.reduced.modules[id.index()].results.iter();
                    returned = wanted.map(|&n| walk.evaluate(&values[n as usize])).collect();
                }
            }
            // The exit is not a state of the module.
            if edge.to != module.exit {
                self.enforce(&mut walk);
            }
        }
        self.arrive(walk, inputs, block.to, returned, out);
    }

    /// INSIDE, for a block that is a call.
    pub(crate) fn inside(&self, id: ModuleId, block: &Block, out: &mut String) {
        let Action::Call { callee, args, .. } = &self.rsm.module(id).edge(block.path[0]).action else {
            return;
        };
        let (mut walk, inputs) = self.start(id, block.from);
        let arguments = self.arguments(&mut walk, *callee, args);
        walk.clause.require(application(&self.predicates(*callee).bad(), &arguments));
        walk.clause.print(&self.bad(id, &inputs), out);
    }

    /// GOAL. A goal in dead code has no clause.
    pub(crate) fn goal(&self, goal: Goal, out: &mut String) {
        let (id, node, failing) = match goal {
            Goal::At(id, node) => (id, node, None),
            Goal::Failure(id, edge) => {
                let edge = self.rsm.module(id).edge(edge);
                (id, edge.from, Some(&edge.action))
            }
        };
        if self.reduced.modules[id.index()].points.binary_search(&node).is_err() {
            return;
        }
        let (mut walk, inputs) = self.start(id, node);
        if let Some(Action::Assert(condition)) = failing {
            walk.assume(&condition.negated());
        }
        walk.clause.print(&self.bad(id, &inputs), out);
    }

    fn predicates(&self, id: ModuleId) -> &Predicates<'r> {
        &self.predicates[id.index()]
    }

    /// A clause whose body starts at a point, and the inputs there.
    fn start(&self, id: ModuleId, node: NodeId) -> (Walk<'r>, Vec<Term>) {
        let mut walk = Walk::new(self.rsm, id);
        let predicates = self.predicates(id);
        let mut inputs: Vec<Term> = Vec::new();
        for &place in predicates.inputs() {
            let input = walk.column(place);
            if predicates.is_steady(place) {
                walk.store(place, input.clone());
            }
            inputs.push(input);
        }
        let mut arguments = inputs.clone();
        for place in predicates.current(node) {
            let value = walk.column(place);
            walk.store(place, value.clone());
            arguments.push(value);
        }
        arguments.extend(predicates.results(node).map(|ty| walk.clause.variable("result", ty)));
        walk.clause.require(application(&predicates.at(node), &arguments));
        (walk, inputs)
    }

    /// Ends a clause at a point.
    fn arrive(&self, mut walk: Walk, inputs: Vec<Term>, node: NodeId, returned: Vec<Term>, out: &mut String) {
        let predicates = self.predicates(walk.module);
        let mut arguments = inputs;
        arguments.extend(predicates.current(node).map(|place| walk.read(place)));
        arguments.extend(returned);
        walk.clause.print(&application(&predicates.at(node), &arguments), out);
    }

    /// The walk is in a state of the module.
    fn enforce(&self, walk: &mut Walk) {
        if let Some(condition) = &self.rsm.module(walk.module).enforce {
            walk.assume(condition);
        }
    }

    /// What a call hands over, for each input of the callee.
    fn arguments(&self, walk: &mut Walk, callee: ModuleId, args: &[Expr]) -> Vec<Term> {
        let value = |&input: &Place| match input {
            Place::Global(_) => walk.read(input),
            Place::Local(n) => walk.evaluate(&args[n as usize]),
        };
        self.predicates(callee).inputs().iter().map(value).collect()
    }

    /// A call, the summary of the callee, and the return.
    fn call(&self, walk: &mut Walk, callee: ModuleId, args: &[Expr], results: &[Option<Place>]) {
        let (module, reduced) = (self.rsm.module(callee), &self.reduced.modules[callee.index()]);
        let mut arguments = self.arguments(walk, callee, args);
        reduced.modified.iter().for_each(|&global| walk.forget(Place::Global(global)));
        for place in self.predicates(callee).current(module.exit) {
            let value = walk.column(place);
            walk.store(place, value.clone());
            arguments.push(value);
        }
        results.iter().flatten().for_each(|&place| walk.forget(place));
        for (&n, ty) in reduced.results.iter().zip(self.predicates(callee).results(module.exit)) {
            let value = walk.clause.variable("result", ty);
            if let Some(place) = results[n as usize] {
                walk.store(place, value.clone());
            }
            arguments.push(value);
        }
        walk.clause.require(application(&self.predicates(callee).at(module.exit), &arguments));
    }

    /// The head of a clause about runs into a goal.
    fn bad(&self, id: ModuleId, inputs: &[Term]) -> String {
        if id == self.rsm.main {
            return "false".to_owned();
        }
        application(&self.predicates(id).bad(), inputs)
    }
}

/// A predicate with its arguments.
fn application(predicate: &str, arguments: &[Term]) -> String {
    if arguments.is_empty() {
        return predicate.to_owned();
    }
    format!("({predicate} {})", arguments.join(" "))
}

//! Variables whose difference is a constant, found before anything is encoded.
//!
//! At each node, in every reachable state, a variable may have a value that is known, or differ from another one by a constant, modulo 2^w for integers of w
//! bits and modulo 2 for Booleans: two counters in step, a copy, a negation. What is known is used: a variable is read as the first of those that it
//! differs from by a constant, and comparisons whose outcome is known are constants.
//!
//! Contract: the machine that comes out has the same nodes and edges, stores the same values in the same variables, and has the same
//! runs from its start. States that no run reaches may have other steps. What is left out is sound: `enforce` and `constrain` tell nothing, products tell nothing,
//! and a call keeps what is known of locals by themselves, and of globals by themselves.

mod state;

use crate::expr::{Expr, Operation, Type};
use crate::machine::{Action, EdgeId, Module, ModuleId, Place, Rsm};
use state::{Known, State};

/// Larger machines are left as they are: so many values are looked at, one for each node and variable.
const MOST_VALUES: u64 = 1 << 20;

/// How many values there are, one for each node and each variable that it sees.
pub fn n_values(rsm: &Rsm) -> u64 {
    let n_seen = |module: &Module| (rsm.globals.len() + module.locals.len()) as u64;
    rsm.modules.iter().map(|module| module.nodes.len() as u64 * n_seen(module)).sum()
}

/// The machine in which differences that are known have been used.
pub fn with_known_differences(rsm: &Rsm) -> Rsm {
    if n_values(rsm) > MOST_VALUES {
        return rsm.clone();
    }
    let mut analysis = Analysis::new(rsm);
    analysis.run();
    let mut used = rsm.clone();
    for (module, states) in used.modules.iter_mut().zip(&analysis.before) {
        for edge in &mut module.edges {
            if let Some(state) = &states[edge.from.index()] {
                edge.action.expressions_mut().for_each(|expr| *expr = state.rewritten(expr).0);
            }
        }
    }
    used
}

struct Analysis<'a> {
    rsm: &'a Rsm,
    /// What is known at each node that is reached.
    before: Vec<Vec<Option<State<'a>>>>,
    /// What is known of globals, then results, when a function returns.
    after: Vec<Option<State<'a>>>,
    /// The calls of each function.
    calls: Vec<Vec<(ModuleId, EdgeId)>>,
    /// The edges that leave each node.
    leaving: Vec<Vec<Vec<EdgeId>>>,
    /// Edges to be looked at.
    waiting: Vec<(ModuleId, EdgeId)>,
}

impl<'a> Analysis<'a> {
    fn new(rsm: &'a Rsm) -> Self {
        let mut calls = vec![Vec::new(); rsm.modules.len()];
        let of_nodes = rsm.modules.iter().map(|module| vec![Vec::new(); module.nodes.len()]);
        let mut leaving: Vec<Vec<Vec<EdgeId>>> = of_nodes.collect();
        for (m, module) in rsm.modules.iter().enumerate() {
            for (e, edge) in module.edges.iter().enumerate() {
                leaving[m][edge.from.index()].push(EdgeId::new(e));
                if let Action::Call { callee, .. } = &edge.action {
                    calls[callee.index()].push((ModuleId::new(m), EdgeId::new(e)));
                }
            }
        }
        Self {
            rsm,
            before: rsm.modules.iter().map(|module| vec![None; module.nodes.len()]).collect(),
            after: vec![None; rsm.modules.len()],
            calls,
            leaving,
            waiting: Vec::new(),
        }
    }

    fn run(&mut self) {
        let main = self.rsm.main;
        let mut state = Some(State::nothing(self.rsm.globals.len(), self.scope(self.rsm.module(main))));
        for condition in &self.rsm.init {
            state = state.and_then(|state| state.assuming(condition));
        }
        if let Some(state) = state {
            self.reach(main, self.rsm.module(main).entry.index(), state);
        }
        while let Some((module, edge)) = self.waiting.pop() {
            self.step(module, edge);
        }
    }

    fn scope(&self, module: &'a Module) -> Vec<&'a Type> {
        self.rsm.globals.iter().chain(&module.locals).map(|variable| &variable.ty).collect()
    }

    /// Runs come to a node in states of which this is known.
    fn reach(&mut self, module: ModuleId, node: usize, state: State<'a>) {
        let at = &mut self.before[module.index()][node];
        let joined = match &*at {
            None => state,
            Some(known) => known.join(&state),
        };
        if at.as_ref() == Some(&joined) {
            return;
        }
        *at = Some(joined);
        self.waiting.extend(self.leaving[module.index()][node].iter().map(|edge| (module, *edge)));
    }

    fn step(&mut self, module: ModuleId, edge: EdgeId) {
        let edge = self.rsm.module(module).edge(edge);
        let Some(state) = self.before[module.index()][edge.from.index()].clone() else { return };
        let to = edge.to.index();
        match &edge.action {
            Action::Skip => self.reach(module, to, state),
            Action::Assume(condition) | Action::Assert(condition) => {
                if let Some(state) = state.assuming(condition) {
                    self.reach(module, to, state);
                }
            }
            Action::Assign { targets, values, .. } => {
                let known = values.iter().map(|value| state.rewritten(value).1);
                let stored: Vec<(usize, Option<Known>)> =
                    targets.iter().map(|target| self.number(*target)).zip(known).collect();
                self.reach(module, to, state.storing(stored));
            }
            Action::Call { callee, args, results } => self.call(module, to, &state, *callee, args, results),
            Action::Return { values } => self.come_back(module, &state, values),
        }
    }

    fn number(&self, place: Place) -> usize {
        match place {
            Place::Global(n) => n as usize,
            Place::Local(n) => self.rsm.globals.len() + n as usize,
        }
    }

    fn call(
        &mut self,
        module: ModuleId,
        to: usize,
        state: &State<'a>,
        callee: ModuleId,
        args: &[Expr],
        results: &[Option<Place>],
    ) {
        let n_globals = self.rsm.globals.len();
        let called = self.rsm.module(callee);
        let globals = (0..n_globals).map(|n| Some(state.known(n)));
        let args = args.iter().map(|arg| state.rewritten(arg).1);
        let entry = State::of(n_globals, self.scope(called), globals.chain(args));
        self.reach(callee, called.entry.index(), entry);
        let Some(after) = &self.after[callee.index()] else { return };
        // Locals are told apart from what the callee knows.
        let n_mine = state.len();
        let aside = |known: Known| known.aside(n_mine);
        let globals = (0..n_globals).map(|n| Some(aside(after.known(n))));
        let locals = (n_globals..n_mine).map(|n| Some(state.known(n)));
        let mut known: Vec<Option<Known>> = globals.chain(locals).collect();
        for (n, place) in results.iter().enumerate() {
            if let Some(place) = place {
                known[self.number(*place)] = Some(aside(after.known(n_globals + n)));
            }
        }
        let state = State::of(n_globals, self.scope(self.rsm.module(module)), known.into_iter());
        self.reach(module, to, state);
    }

    fn come_back(&mut self, module: ModuleId, state: &State<'a>, values: &[Expr]) {
        let n_globals = self.rsm.globals.len();
        let globals = (0..n_globals).map(|n| Some(state.known(n)));
        let values = values.iter().map(|value| state.rewritten(value).1);
        let types = self.rsm.globals.iter().map(|global| &global.ty);
        let types = types.chain(&self.rsm.module(module).results).collect();
        let now = State::of(n_globals, types, globals.chain(values));
        let at = &mut self.after[module.index()];
        let joined = match &*at {
            None => now,
            Some(known) => known.join(&now),
        };
        if at.as_ref() != Some(&joined) {
            *at = Some(joined);
            self.waiting.extend(self.calls[module.index()].iter().copied());
        }
    }
}

/// How many operands an operation has.
fn n_operands(operation: Operation) -> usize {
    match operation {
        Operation::Constant(_) | Operation::Read(_) | Operation::ReadNext(_) | Operation::Choice(_) => 0,
        Operation::Not | Operation::Negate => 1,
        Operation::Binary(_) | Operation::Schoose => 2,
        Operation::Conditional => 3,
    }
}

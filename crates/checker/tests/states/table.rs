//! States of a program as formulas see them, by brute force: one for each entry, point and exit and the values that variables have there.

use rsm::step::{Configuration, Frame, successors};
use rsm::values::{View, can_hold, possible};
use rsm::{Action, EdgeId, Expr, ModuleId, NodeId, Place, Reduced, Reductions, Rsm, Type};
use std::collections::{BTreeMap, BTreeSet};

/// More pairs are not looked at.
const MOST: usize = 30_000;

/// More states of one function, reached or not, are not looked at.
const MOST_PROPER: u64 = 20_000;

/// Where a function is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Point {
    Entry,
    Node(NodeId),
    /// After a call that goes on where another one does.
    After(EdgeId),
    Exit,
}

/// A state of the program: the values are those of parameters at the entry, of results at the exit, of locals elsewhere.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct State {
    pub module: ModuleId,
    pub point: Point,
    pub globals: Vec<u64>,
    pub values: Vec<u64>,
}

/// All activations of all functions.
pub struct Table<'r> {
    rsm: &'r Rsm,
    reduced: Reduced,
    /// For each entry what it leads to inside of its function.
    pub reached: BTreeMap<State, BTreeSet<State>>,
}

/// All values of some types.
fn valuations(types: &[Type]) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for ty in types {
        let extended = |values: &Vec<u64>| -> Vec<Vec<u64>> {
            (0..=ty.max()).map(|value| [&values[..], &[value]].concat()).collect()
        };
        all = all.iter().flat_map(extended).collect();
    }
    all
}

/// The values that some expressions may have together.
fn outcomes(exprs: &[Expr], view: &View) -> Option<Vec<Vec<u64>>> {
    let mut all = vec![Vec::new()];
    for expr in exprs {
        let set = possible(expr, view).ok()?;
        let values: Vec<u64> = (0..=expr.ty().max()).filter(|value| set.contains(*value)).collect();
        let extended = |before: &Vec<u64>| -> Vec<Vec<u64>> {
            values.iter().map(|value| [&before[..], &[*value]].concat()).collect()
        };
        all = all.iter().flat_map(extended).collect();
    }
    Some(all)
}

impl<'r> Table<'r> {
    /// All pairs of an entry, with any values, and what it leads to; none if there are too many.
    pub fn new(rsm: &'r Rsm) -> Option<Self> {
        let which = Reductions { dead_code: true, ..Reductions::NONE };
        let mut table = Self { rsm, reduced: rsm::reduce(rsm, &[], which), reached: BTreeMap::new() };
        for m in table.modules().collect::<Vec<ModuleId>>() {
            for state in table.at(m, Point::Entry)? {
                table.reached.insert(state.clone(), BTreeSet::from([state]));
            }
        }
        while table.grow()? {}
        Some(table)
    }

    pub fn modules(&self) -> impl Iterator<Item = ModuleId> + use<> {
        let used: Vec<bool> = self.reduced.modules.iter().map(|module| module.is_used).collect();
        (0..used.len()).filter(move |m| used[*m]).map(ModuleId::new)
    }

    /// All states at a point.
    pub fn at(&self, module: ModuleId, point: Point) -> Option<Vec<State>> {
        let of = self.rsm.module(module);
        let local = |n: usize| of.locals[..n].iter().map(|local| local.ty.clone()).collect();
        let values: Vec<Type> = match point {
            Point::Entry => local(of.n_params),
            Point::Exit => of.results.clone(),
            Point::Node(_) | Point::After(_) => local(of.locals.len()),
        };
        let globals: Vec<Type> = self.rsm.globals.iter().map(|global| global.ty.clone()).collect();
        let size = |types: &[Type]| types.iter().map(|ty| ty.max() + 1).product::<u64>();
        if size(&globals) * size(&values) > MOST_PROPER {
            return None;
        }
        let (globals, values) = (valuations(&globals), valuations(&values));
        let with = |globals: &Vec<u64>| -> Vec<State> {
            let state =
                |values: &Vec<u64>| State { module, point, globals: globals.clone(), values: values.clone() };
            values.iter().map(state).collect()
        };
        Some(globals.iter().flat_map(with).collect())
    }

    /// All points of a function.
    pub fn points(&self, m: ModuleId) -> Vec<Point> {
        let (module, part) = (self.rsm.module(m), &self.reduced.modules[m.index()]);
        let nodes = part.points.iter().filter(|node| **node != module.exit).map(|node| Point::Node(*node));
        let calls = part.blocks.iter().filter_map(|block| match self.after_call(m, block.path[0]) {
            after @ Point::After(_) => Some(after),
            _ => None,
        });
        nodes.chain(calls).chain([Point::Entry, Point::Exit]).collect()
    }

    /// Where a caller is after a call.
    fn after_call(&self, m: ModuleId, edge: EdgeId) -> Point {
        let module = self.rsm.module(m);
        let is_call = |edge: EdgeId| matches!(module.edge(edge).action, Action::Call { .. });
        let to = module.edge(edge).to;
        let blocks = &self.reduced.modules[m.index()].blocks;
        let alike = blocks.iter().filter(|block| block.to == to && is_call(block.path[0])).count();
        if is_call(edge) && alike > 1 { Point::After(edge) } else { Point::Node(to) }
    }

    /// Adds what one more step, or one more call that is over, leads to.
    fn grow(&mut self) -> Option<bool> {
        let mut new: Vec<(State, State)> = Vec::new();
        for (entry, reached) in &self.reached {
            for state in reached {
                let next = self.steps(state)?.into_iter().chain(self.over(state)?);
                new.extend(next.filter(|next| !reached.contains(next)).map(|next| (entry.clone(), next)));
            }
        }
        let has_grown = !new.is_empty();
        for (entry, state) in new {
            self.reached.get_mut(&entry).expect("an entry").insert(state);
        }
        let n: usize = self.reached.values().map(BTreeSet::len).sum();
        (n <= MOST).then_some(has_grown)
    }

    fn allows(&self, m: ModuleId, globals: &[u64], locals: &[u64]) -> Option<bool> {
        match &self.rsm.module(m).enforce {
            Some(enforce) => can_hold(enforce, &View::new(globals, locals)).ok(),
            None => Some(true),
        }
    }

    /// Where steps inside a function lead.
    pub fn steps(&self, state: &State) -> Option<Vec<State>> {
        let State { module: m, globals, values, .. } = state;
        let module = self.rsm.module(*m);
        match state.point {
            Point::Exit => Some(Vec::new()),
            Point::After(call) => {
                let point = Point::Node(module.edge(call).to);
                Some(vec![State { point, ..state.clone() }])
            }
            Point::Entry => {
                let types: Vec<Type> =
                    module.locals[module.n_params..].iter().map(|local| local.ty.clone()).collect();
                let mut next = Vec::new();
                for rest in valuations(&types) {
                    let locals = [&values[..], &rest].concat();
                    if self.allows(*m, globals, &locals)? {
                        let point = Point::Node(module.entry);
                        next.push(State { point, values: locals, ..state.clone() });
                    }
                }
                Some(next)
            }
            Point::Node(node) => {
                let frame = Frame::new(*m, node, values.clone());
                let configuration = Configuration { globals: globals.clone(), stack: vec![frame] };
                let mut next = self.returns(state, node)?;
                for (edge, after) in successors(self.rsm, &configuration, 1 << 12).ok()? {
                    if let Some(top) = after.top()
                        && !matches!(module.edge(edge).action, Action::Call { .. } | Action::Return { .. })
                    {
                        let values = top.locals.clone();
                        let point = Point::Node(top.node);
                        next.push(State { module: *m, point, globals: after.globals.clone(), values });
                    }
                }
                Some(next)
            }
        }
    }

    /// The exits that returns lead to.
    fn returns(&self, state: &State, node: NodeId) -> Option<Vec<State>> {
        let view = View::new(&state.globals, &state.values);
        let mut next = Vec::new();
        for (_, edge) in self.rsm.module(state.module).edges_from(node) {
            if let Action::Return { values } = &edge.action {
                for values in outcomes(values, &view)? {
                    next.push(State { point: Point::Exit, values, ..state.clone() });
                }
            }
        }
        Some(next)
    }

    /// Where calls at a state lead that are over, as far as it is known.
    pub fn over(&self, state: &State) -> Option<Vec<State>> {
        let Point::Node(node) = state.point else { return Some(Vec::new()) };
        let view = View::new(&state.globals, &state.values);
        let mut next = Vec::new();
        for (id, edge) in self.rsm.module(state.module).edges_from(node) {
            let Action::Call { callee, args, results } = &edge.action else { continue };
            for entry in self.entered(*callee, args, &state.globals, &view)? {
                let exits = self.reached[&entry].iter().filter(|exit| exit.point == Point::Exit);
                for exit in exits {
                    let (mut globals, mut locals) = (exit.globals.clone(), state.values.clone());
                    for (place, value) in results.iter().zip(&exit.values) {
                        match place {
                            Some(Place::Global(n)) => globals[*n as usize] = *value,
                            Some(Place::Local(n)) => locals[*n as usize] = *value,
                            None => {}
                        }
                    }
                    if self.allows(state.module, &globals, &locals)? {
                        let point = self.after_call(state.module, id);
                        next.push(State { module: state.module, point, globals, values: locals });
                    }
                }
            }
        }
        Some(next)
    }

    fn entered(&self, callee: ModuleId, args: &[Expr], globals: &[u64], view: &View) -> Option<Vec<State>> {
        let entry = |values| State { module: callee, point: Point::Entry, globals: globals.to_vec(), values };
        Some(outcomes(args, view)?.into_iter().map(entry).collect())
    }

    /// The entries that runs get to.
    pub fn entries(&self) -> Option<BTreeSet<State>> {
        let main = self.rsm.main;
        let mut found = BTreeSet::new();
        let mut todo = Vec::new();
        for state in self.at(main, Point::Entry)? {
            let view = View::new(&state.globals, &[]);
            let is_initial = self.rsm.init.iter().all(|init| can_hold(init, &view).unwrap_or(false));
            if is_initial && !self.steps(&state)?.is_empty() {
                todo.push(state);
            }
        }
        while let Some(entry) = todo.pop() {
            if !found.insert(entry.clone()) {
                continue;
            }
            for state in &self.reached[&entry] {
                let Point::Node(node) = state.point else { continue };
                let view = View::new(&state.globals, &state.values);
                for (_, edge) in self.rsm.module(state.module).edges_from(node) {
                    if let Action::Call { callee, args, .. } = &edge.action {
                        todo.extend(self.entered(*callee, args, &state.globals, &view)?);
                    }
                }
            }
        }
        Some(found)
    }
}

//! Exact summaries, one state at a time: the naive twin of whatever produces certificates.

use crate::program::Program;
use base::Stop;
use certificate::{Moment, Point, Row, Variable, write};
use dd::{Bdd, Level, Manager};
use encode::Slot;
use rsm::values::{View, can_hold, possible};
use rsm::{Action, Edge, Expr, Goal, Module, ModuleId, NodeId, Place, Rsm, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Values of the globals, and of the locals, parameters or results.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct State {
    pub globals: Vec<u64>,
    pub own: Vec<u64>,
}

/// The set of pairs of each point. At an entry both are the same.
pub type Summaries = BTreeMap<(ModuleId, Point), BTreeSet<(State, State)>>;

/// The summaries of the states that runs get to.
pub fn exact(rsm: &Rsm) -> Summaries {
    let mut all = Summaries::new();
    for globals in tuples(rsm.globals.iter().map(|global| values(&global.ty)).collect()) {
        if rsm.init.iter().all(|condition| holds(condition, &globals, &[])) {
            enter(rsm, &mut all, rsm.main, State { globals, own: Vec::new() });
        }
    }
    loop {
        let before: usize = all.values().map(BTreeSet::len).sum();
        for ((module, point), pairs) in all.clone() {
            let Point::Node(node) = point else { continue };
            for (u, v) in pairs {
                for (_, edge) in rsm.module(module).edges_from(node) {
                    follow(rsm, &mut all, module, edge, (&u, &v));
                }
            }
        }
        if all.values().map(BTreeSet::len).sum::<usize>() == before {
            return all;
        }
    }
}

/// Some pair of the summaries is in a goal.
pub fn reaches(rsm: &Rsm, summaries: &Summaries, goal: Goal) -> bool {
    let at = |module, node| summaries.get(&(module, Point::Node(node))).into_iter().flatten();
    match goal {
        Goal::At(module, node) => at(module, node).next().is_some(),
        Goal::Failure(module, edge) => {
            let edge = rsm.module(module).edge(edge);
            let Action::Assert(condition) = &edge.action else { panic!("goals fail at assertions") };
            at(module, edge.from).any(|(_, v)| holds(&condition.negated(), &v.globals, &v.own))
        }
    }
}

fn enter(rsm: &Rsm, all: &mut Summaries, id: ModuleId, u: State) {
    let module = rsm.module(id);
    let mut choices: Vec<Vec<u64>> = u.own.iter().map(|&value| vec![value]).collect();
    choices.extend(module.locals[module.n_params..].iter().map(|local| values(&local.ty)));
    for own in tuples(choices) {
        if enforced(module, &u.globals, &own) {
            all.entry((id, Point::Entry)).or_default().insert((u.clone(), u.clone()));
            let v = State { globals: u.globals.clone(), own };
            all.entry((id, Point::Node(module.entry))).or_default().insert((u.clone(), v));
        }
    }
}

fn follow(rsm: &Rsm, all: &mut Summaries, id: ModuleId, edge: &Edge, (u, v): (&State, &State)) {
    let module = rsm.module(id);
    let mut reached = Vec::new();
    match &edge.action {
        Action::Skip => reached.push(v.clone()),
        Action::Assume(condition) | Action::Assert(condition) => {
            if holds(condition, &v.globals, &v.own) {
                reached.push(v.clone());
            }
        }
        Action::Assign { targets, values, constrain } => {
            for tuple in results(values, v) {
                assert_eq!(targets.len(), tuple.len());
                let next = store(v, targets.iter().copied().zip(tuple));
                let view = View::new(&v.globals, &v.own).with_next(&next.globals, &next.own);
                if constrain.as_ref().is_none_or(|c| can_hold(c, &view).expect("small sets")) {
                    reached.push(next);
                }
            }
        }
        Action::Return { values } => {
            for own in results(values, v) {
                let exit = State { globals: v.globals.clone(), own };
                all.entry((id, Point::Node(module.exit))).or_default().insert((u.clone(), exit));
            }
        }
        Action::Call { callee, args, results: places } => {
            for own in results(args, v) {
                let entry = State { globals: v.globals.clone(), own };
                enter(rsm, all, *callee, entry.clone());
                let exits = all.get(&(*callee, Point::Node(rsm.module(*callee).exit))).into_iter().flatten();
                for (_, exit) in exits.filter(|(u, _)| *u == entry) {
                    let back = State { globals: exit.globals.clone(), own: v.own.clone() };
                    assert_eq!(places.len(), exit.own.len());
                    let stored = places.iter().zip(&exit.own).filter_map(|(p, &value)| Some(((*p)?, value)));
                    reached.push(store(&back, stored));
                }
            }
        }
    }
    for next in reached {
        if enforced(module, &next.globals, &next.own) {
            all.entry((id, Point::Node(edge.to))).or_default().insert((u.clone(), next));
        }
    }
}

fn holds(condition: &Expr, globals: &[u64], locals: &[u64]) -> bool {
    can_hold(condition, &View::new(globals, locals)).expect("small sets")
}

fn enforced(module: &Module, globals: &[u64], locals: &[u64]) -> bool {
    module.enforce.as_ref().is_none_or(|condition| holds(condition, globals, locals))
}

fn store(state: &State, stored: impl Iterator<Item = (Place, u64)>) -> State {
    let mut next = state.clone();
    for (place, value) in stored {
        match place {
            Place::Global(n) => next.globals[n as usize] = value,
            Place::Local(n) => next.own[n as usize] = value,
        }
    }
    next
}

/// The possible values of several expressions.
fn results(exprs: &[Expr], v: &State) -> Vec<Vec<u64>> {
    let view = View::new(&v.globals, &v.own);
    let sets = exprs.iter().map(|expr| {
        let set = possible(expr, &view).expect("small sets");
        values(expr.ty()).into_iter().filter(|&value| set.contains(value)).collect()
    });
    tuples(sets.collect())
}

fn values(ty: &Type) -> Vec<u64> {
    (0..=ty.max()).collect()
}

/// All tuples with one of the choices at each position.
fn tuples(choices: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
    choices.iter().fold(vec![Vec::new()], |tuples, choices| {
        let longer = |tuple: &Vec<u64>, &value: &u64| tuple.iter().copied().chain([value]).collect();
        tuples.iter().flat_map(|tuple| choices.iter().map(move |value| longer(tuple, value))).collect()
    })
}

/// The certificate that names the points of these summaries.
pub fn certificate(program: &Program, summaries: &Summaries) -> String {
    certificate_about(program, summaries, |_, _| true)
}

/// The same, but it only speaks of the variables that are wanted.
pub fn certificate_about(
    program: &Program,
    summaries: &Summaries,
    is_wanted: impl Fn(ModuleId, Slot) -> bool,
) -> String {
    let rsm = &program.rsm;
    let mut dd = Manager::new(Stop::default(), None);
    let mut rows = Vec::new();
    for (&(module, point), pairs) in summaries {
        let variables = variables(rsm, module);
        let mut diagram = Bdd::FALSE;
        for pair in pairs {
            let at_exit = point == Point::Node(rsm.module(module).exit);
            let literals: Vec<(Level, bool)> = (0..)
                .zip(&variables)
                .filter(|(_, variable)| is_wanted(module, variable.slot))
                .filter_map(|(level, variable)| Some((level, value(*variable, pair, point, at_exit)?)))
                .collect();
            let cube = dd.cube(literals).expect("no limits");
            diagram = dd.or(diagram, cube).expect("no limits");
        }
        rows.push(Row { module, point, diagram });
    }
    let variable = |module, level: Level| variables(rsm, module)[level as usize];
    write(rsm, &program.sources, &["ERROR".to_owned()], &dd, &rows, variable)
}

/// What the levels of a module's diagrams stand for.
fn variables(rsm: &Rsm, module: ModuleId) -> Vec<Variable> {
    let shape = rsm.module(module);
    let globals = (0..).zip(&rsm.globals).map(|(n, v)| (Slot::Place(Place::Global(n)), &v.ty, true));
    let locals = (0..).zip(&shape.locals).map(|(n, v)| {
        let is_parameter = (n as usize) < shape.n_params;
        (Slot::Place(Place::Local(n)), &v.ty, is_parameter)
    });
    let results = (0..).zip(&shape.results).map(|(n, ty)| (Slot::Result(n), ty, false));
    let mut all = Vec::new();
    for (slot, ty, has_entry) in globals.chain(locals).chain(results) {
        for bit in 0..ty.n_bits() {
            if has_entry {
                all.push(Variable { moment: Moment::Entry, slot, bit });
            }
            all.push(Variable { moment: Moment::Current, slot, bit });
        }
    }
    all
}

/// The bit of a variable in a pair; `None` if there is no such variable at the point.
fn value(variable: Variable, (u, v): &(State, State), point: Point, at_exit: bool) -> Option<bool> {
    let state = match variable.moment {
        Moment::Entry => u,
        Moment::Current if point == Point::Entry => return None,
        Moment::Current => v,
    };
    let number = match variable.slot {
        Slot::Place(Place::Global(n)) => state.globals[n as usize],
        Slot::Place(Place::Local(_)) if at_exit && variable.moment == Moment::Current => return None,
        Slot::Place(Place::Local(n)) => state.own[n as usize],
        Slot::Result(n) if at_exit => state.own[n as usize],
        Slot::Result(_) => return None,
    };
    Some(number >> variable.bit & 1 == 1)
}

/// The points of live code between entries and exits.
pub fn inner_points(rsm: &Rsm, summaries: &Summaries) -> Vec<(ModuleId, NodeId)> {
    let inner = summaries.keys().filter_map(|&(module, point)| match point {
        Point::Node(node) if node != rsm.module(module).exit => Some((module, node)),
        _ => None,
    });
    inner.collect()
}

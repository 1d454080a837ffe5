//! Which variables must have values where: nothing that a step depends on is left open.
//!
//! At a point the certificate says which variables have values. Backward along the edges from there, a variable is needed at a node if a condition
//! reads it, or if a value that is needed behind an edge is computed from it. At every point that must be among what has values
//! there; so whatever the other variables are, the same steps can be taken, to the same states.
//!
//! ```text
//! STEP    What is needed behind an edge and not stored by it, what its conditions read, what is read to compute what is needed.
//! ENTER   Globals and parameters that are needed at the entry of a function tell its entries apart; arguments of these are computed.
//! RETURN  Behind a call, what the function may store is handed over where it returns; all else has the value that it had before.
//! ```

use super::Ranked;
use crate::outcome::{Fault, refuse};
use rsm::values::{View, evaluate};
use rsm::{Action, Edge, EdgeId, Expr, Module, ModuleId, NodeId, Place, Rsm};

/// No point.
const NONE: u32 = u32::MAX;

/// A set of variables that a function sees.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Places {
    globals: Vec<bool>,
    locals: Vec<bool>,
}

impl Places {
    pub(super) fn new(rsm: &Rsm, module: &Module) -> Self {
        Self { globals: vec![false; rsm.globals.len()], locals: vec![false; module.locals.len()] }
    }

    fn slot(&mut self, place: Place) -> &mut bool {
        match place {
            Place::Global(n) => &mut self.globals[n as usize],
            Place::Local(n) => &mut self.locals[n as usize],
        }
    }

    pub(super) fn has(&self, place: Place) -> bool {
        match place {
            Place::Global(n) => self.globals.get(n as usize).copied().unwrap_or(false),
            Place::Local(n) => self.locals.get(n as usize).copied().unwrap_or(false),
        }
    }

    pub(super) fn add(&mut self, places: impl IntoIterator<Item = Place>) {
        places.into_iter().for_each(|place| *self.slot(place) = true);
    }

    pub(super) fn list(&self) -> impl Iterator<Item = Place> + '_ {
        let globals = (0..).map(Place::Global).zip(&self.globals);
        let locals = (0..).map(Place::Local).zip(&self.locals);
        globals.chain(locals).filter(|(_, is_in)| **is_in).map(|(place, _)| place)
    }

    fn contains(&self, other: &Self) -> bool {
        other.list().all(|place| self.has(place))
    }
}

/// What a function hands over where it returns.
#[derive(Clone, Default)]
pub(super) struct Handed {
    /// Globals that it may store and that some caller goes on with.
    pub(super) globals: Vec<u32>,
    /// Results that some caller goes on with.
    pub(super) results: Vec<u32>,
}

/// What is needed where.
pub(super) struct Needs {
    /// For each function and node the position of the point.
    point_of: Vec<Vec<u32>>,
    /// For each function its position among those that are entered.
    function_of: Vec<u32>,
    /// For each function and node.
    before: Vec<Vec<Places>>,
    /// For each function the globals that it may store, or one that it calls.
    modified: Vec<Vec<bool>>,
    handed: Vec<Handed>,
    /// For each function and edge which of the values that it stores are computed.
    computed: Vec<Vec<Vec<u32>>>,
    /// For each function what is needed when it begins, and whether it chooses some of that by itself.
    begin: Vec<(Places, Begin)>,
}

/// What a function begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Begin {
    /// What it is given.
    Given,
    /// Some local may have any value, or only some values are allowed.
    Chosen,
}

impl Needs {
    /// Looks at a certificate whose points and functions are of this program; refuses it if it leaves something open.
    pub(super) fn new(rsm: &Rsm, ranked: &Ranked) -> Result<Self, Fault> {
        let nothing = |module: &Module| -> Vec<Places> { vec![Places::new(rsm, module); module.nodes.len()] };
        let mut needs = Self {
            point_of: rsm.modules.iter().map(|module| vec![NONE; module.nodes.len()]).collect(),
            function_of: vec![NONE; rsm.modules.len()],
            before: rsm.modules.iter().map(nothing).collect(),
            modified: modified(rsm),
            handed: vec![Handed::default(); rsm.modules.len()],
            computed: Vec::new(),
            begin: Vec::new(),
        };
        for (n, point) in (0..).zip(&ranked.points) {
            let known = &mut needs.point_of[point.module.index()][point.node.index()];
            if std::mem::replace(known, n) != NONE {
                return refuse(format!("`p{n}` is there twice"));
            }
            needs.before[point.module.index()][point.node.index()].add(point.places.iter().copied());
        }
        for (n, function) in (0..).zip(&ranked.functions) {
            if std::mem::replace(&mut needs.function_of[function.module.index()], n) != NONE {
                return refuse(format!("`f{n}` is there twice"));
            }
        }
        needs.hand_over(rsm);
        needs.between_points(rsm, ranked);
        needs.check(rsm, ranked)?;
        needs.plan(rsm, ranked);
        Ok(needs)
    }

    /// Which of the values that an edge stores are computed, by position.
    pub(super) fn computed(&self, module: ModuleId, edge: EdgeId) -> &[u32] {
        &self.computed[module.index()][edge.index()]
    }

    /// What is needed when a function begins.
    pub(super) fn begin(&self, module: ModuleId) -> (&Places, Begin) {
        let (places, how) = &self.begin[module.index()];
        (places, *how)
    }

    /// What a function hands over where it returns.
    pub(super) fn handed(&self, module: ModuleId) -> &Handed {
        &self.handed[module.index()]
    }

    /// What is computed where, once it is known what is needed.
    fn plan(&mut self, rsm: &Rsm, ranked: &Ranked) {
        for (m, module) in (0..).map(ModuleId).zip(&rsm.modules) {
            let enforced: Vec<Place> = module.enforce.iter().flat_map(Expr::reads).collect();
            let computed = module.edges.iter().map(|edge| {
                let Action::Assign { targets, .. } = &edge.action else { return Vec::new() };
                let needed = self.at(m, edge.to);
                let is_needed = |place: &Place| needed.has(*place) || enforced.contains(place);
                (0..).zip(targets).filter(|(_, target)| is_needed(target)).map(|(n, _)| n).collect()
            });
            self.computed.push(computed.collect());
            let mut begin = self.at(m, module.entry).clone();
            begin.add(enforced);
            if let Some(function) = self.function(m) {
                begin.add(ranked.functions[function as usize].places.iter().copied());
            }
            let is_open = |place: Place| matches!(place, Place::Local(n) if n as usize >= module.n_params);
            let is_chosen = module.enforce.is_some() || begin.list().any(is_open);
            self.begin.push((begin, if is_chosen { Begin::Chosen } else { Begin::Given }));
        }
    }

    pub(super) fn point(&self, module: ModuleId, node: NodeId) -> Option<u32> {
        Some(self.point_of[module.index()][node.index()]).filter(|point| *point != NONE)
    }

    pub(super) fn function(&self, module: ModuleId) -> Option<u32> {
        Some(self.function_of[module.index()]).filter(|function| *function != NONE)
    }

    /// What is needed at a node.
    pub(super) fn at(&self, module: ModuleId, node: NodeId) -> &Places {
        &self.before[module.index()][node.index()]
    }

    /// A call between points, and what its caller goes on with.
    fn after_call(&self, rsm: &Rsm, m: ModuleId, edge: &Edge) -> Option<Places> {
        self.point(m, edge.from)?;
        self.point(m, edge.to)?;
        let mut after = self.at(m, edge.to).clone();
        after.add(rsm.module(m).enforce.iter().flat_map(Expr::reads));
        Some(after)
    }

    fn hand_over(&mut self, rsm: &Rsm) {
        for (m, module) in (0..).map(ModuleId).zip(&rsm.modules) {
            for edge in &module.edges {
                let Action::Call { callee, results, .. } = &edge.action else { continue };
                let Some(mut after) = self.after_call(rsm, m, edge) else { continue };
                let handed = &mut self.handed[callee.index()];
                for (n, place) in (0..).zip(results) {
                    let Some(place) = place else { continue };
                    if after.has(*place) && !handed.results.contains(&n) {
                        handed.results.push(n);
                    }
                }
                edge.action.stores().for_each(|place| *after.slot(place) = false);
                for (n, is_modified) in (0..).zip(&self.modified[callee.index()]) {
                    if *is_modified && after.has(Place::Global(n)) && !handed.globals.contains(&n) {
                        handed.globals.push(n);
                    }
                }
            }
        }
        for handed in &mut self.handed {
            handed.globals.sort_unstable();
            handed.results.sort_unstable();
        }
    }

    /// What is needed at the nodes that are no points: the least sets.
    fn between_points(&mut self, rsm: &Rsm, ranked: &Ranked) {
        for (m, module) in (0..).map(ModuleId).zip(&rsm.modules) {
            let mut is_closed = false;
            while !is_closed {
                is_closed = true;
                for edge in module.edges.iter().rev() {
                    if self.point(m, edge.from).is_some() {
                        continue;
                    }
                    let needed = self.before_edge(rsm, ranked, m, edge);
                    let known = &mut self.before[m.index()][edge.from.index()];
                    if !known.contains(&needed) {
                        known.add(needed.list());
                        is_closed = false;
                    }
                }
            }
        }
    }

    /// What has to have a value so that an edge can be followed.
    fn before_edge(&self, rsm: &Rsm, ranked: &Ranked, m: ModuleId, edge: &Edge) -> Places {
        let module = rsm.module(m);
        let mut needed = match edge.action {
            Action::Call { .. } | Action::Return { .. } => Places::new(rsm, module),
            _ => self.at(m, edge.to).clone(),
        };
        if !matches!(edge.action, Action::Call { .. } | Action::Return { .. }) {
            needed.add(module.enforce.iter().flat_map(Expr::reads));
        }
        match &edge.action {
            Action::Skip => {}
            Action::Assume(condition) | Action::Assert(condition) if is_never(condition) => {
                return Places::new(rsm, module);
            }
            Action::Assume(condition) | Action::Assert(condition) => needed.add(condition.reads()),
            Action::Assign { targets, values, constrain } => {
                let next: Vec<Place> = constrain.iter().flat_map(Expr::reads_next).collect();
                let is_needed = |target: &Place| needed.has(*target) || next.contains(target);
                let computed: Vec<Place> = (targets.iter().zip(values))
                    .filter(|(target, _)| is_needed(target))
                    .flat_map(|(_, value)| value.reads())
                    .collect();
                needed.add(next);
                targets.iter().for_each(|target| *needed.slot(*target) = false);
                needed.add(computed.into_iter().chain(constrain.iter().flat_map(Expr::reads)));
            }
            Action::Call { callee, args, .. } => {
                if let Some(function) = self.function(*callee) {
                    for place in &ranked.functions[function as usize].places {
                        match place {
                            Place::Global(_) => needed.add([*place]),
                            Place::Local(n) => needed.add(args[*n as usize].reads()),
                        }
                    }
                }
                if let Some(mut after) = self.after_call(rsm, m, edge) {
                    edge.action.stores().for_each(|place| *after.slot(place) = false);
                    let modified = &self.modified[callee.index()];
                    let is_kept = |place: &Place| match place {
                        Place::Global(n) => !modified[*n as usize],
                        Place::Local(_) => true,
                    };
                    needed.add(after.list().filter(is_kept));
                }
            }
            Action::Return { values } => {
                let Handed { globals, results } = &self.handed[m.index()];
                needed.add(globals.iter().map(|n| Place::Global(*n)));
                needed.add(results.iter().flat_map(|n| values[*n as usize].reads()));
            }
        }
        needed
    }

    /// Everything that is needed at a point has a value there, and tells the entries of its function apart.
    fn check(&self, rsm: &Rsm, ranked: &Ranked) -> Result<(), Fault> {
        for (m, module) in (0..).map(ModuleId).zip(&rsm.modules) {
            for edge in &module.edges {
                let Some(point) = self.point(m, edge.from) else { continue };
                let needed = self.before_edge(rsm, ranked, m, edge);
                if let Some(place) = needed.list().find(|place| !self.at(m, edge.from).has(*place)) {
                    let variable = &rsm.variable(m, place).name;
                    return refuse(format!(
                        "`p{point}` leaves open what steps depend on: `{variable}` has no value there"
                    ));
                }
            }
        }
        for (n, function) in ranked.functions.iter().enumerate() {
            let module = rsm.module(function.module);
            let mut needed = self.at(function.module, module.entry).clone();
            needed.add(module.enforce.iter().flat_map(Expr::reads));
            let is_given = |place: &Place| match place {
                Place::Global(_) => true,
                Place::Local(n) => (*n as usize) < module.n_params,
            };
            if !function.places.iter().all(is_given) {
                return refuse(format!("`f{n}` tells entries apart by a variable that is no parameter"));
            }
            let mut given = needed.list().filter(is_given);
            if given.any(|place| !function.places.contains(&place)) {
                return refuse(format!("`f{n}` leaves open what steps depend on"));
            }
        }
        Ok(())
    }
}

/// The condition reads nothing, chooses nothing, and is false.
fn is_never(condition: &Expr) -> bool {
    let is_constant =
        !condition.has_choice() && condition.reads().chain(condition.reads_next()).next().is_none();
    is_constant && evaluate(condition, &View::new(&[], &[]), &mut |_| unreachable!("nothing is chosen")) == 0
}

/// The nodes that some path leads to, conditions that never hold apart.
fn reached(rsm: &Rsm) -> Vec<Vec<bool>> {
    let mut reached: Vec<Vec<bool>> =
        rsm.modules.iter().map(|module| vec![false; module.nodes.len()]).collect();
    let mut open = vec![(rsm.main, rsm.module(rsm.main).entry)];
    // Calls whose functions have not been seen to return.
    let mut waiting: Vec<(ModuleId, ModuleId, NodeId)> = Vec::new();
    while let Some((m, node)) = open.pop() {
        if std::mem::replace(&mut reached[m.index()][node.index()], true) {
            continue;
        }
        if node == rsm.module(m).exit {
            let (done, rest): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(callee, ..)| *callee == m);
            waiting = rest;
            open.extend(done.into_iter().map(|(_, caller, to)| (caller, to)));
        }
        for (_, edge) in rsm.module(m).edges_from(node) {
            match &edge.action {
                Action::Assume(condition) | Action::Assert(condition) if is_never(condition) => {}
                Action::Call { callee, .. } => {
                    let module = rsm.module(*callee);
                    open.push((*callee, module.entry));
                    match reached[callee.index()][module.exit.index()] {
                        true => open.push((m, edge.to)),
                        false => waiting.push((*callee, m, edge.to)),
                    }
                }
                _ => open.push((m, edge.to)),
            }
        }
    }
    reached
}

/// For each function the globals that it may store, or one that it calls.
fn modified(rsm: &Rsm) -> Vec<Vec<bool>> {
    let reached = reached(rsm);
    let mut modified = vec![vec![false; rsm.globals.len()]; rsm.modules.len()];
    let taken = |m: usize| {
        rsm.modules[m].edges.iter().filter({
            let reached = &reached;
            move |edge| reached[m][edge.from.index()]
        })
    };
    let mut is_closed = false;
    while !is_closed {
        is_closed = true;
        for m in 0..rsm.modules.len() {
            let mut stored: Vec<u32> = Vec::new();
            for edge in taken(m) {
                stored.extend(edge.action.stores().filter_map(|place| match place {
                    Place::Global(n) => Some(n),
                    Place::Local(_) => None,
                }));
                if let Action::Call { callee, .. } = edge.action {
                    let inside = (0..).zip(&modified[callee.index()]).filter(|(_, is_stored)| **is_stored);
                    stored.extend(inside.map(|(n, _)| n));
                }
            }
            for n in stored {
                is_closed &= std::mem::replace(&mut modified[m][n as usize], true);
            }
        }
    }
    modified
}

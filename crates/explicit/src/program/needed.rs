//! Which values a block has to compute: those that something reads.
//!
//! Backward through the edges of a block, from what is live at its end. What a condition reads is needed; what is assigned is
//! computed if the variable is needed behind the assignment, or if its `constrain` reads the new value.

use rsm::{Action, Module, Place, Reduced, Rsm};
use rustc_hash::FxHashSet;

/// What of an edge is computed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// The positions of the values, arguments or results.
    pub(crate) kept: Vec<usize>,
    /// The variables that are read for it.
    reads: Vec<Place>,
    /// Those that need a field: what is read, and what gets a value.
    pub(super) uses: Vec<Place>,
}

/// The variables that matter in a module.
pub(super) struct Scope {
    /// For each point those that are live and, if globals, touched. At the exit globals only.
    pub(super) live: Vec<Vec<Place>>,
    /// Those that matter when the module starts: live at the entry or read by what it enforces.
    pub(super) start: Vec<Place>,
    n_params: usize,
}

impl Scope {
    fn is_param(&self, place: Place) -> bool {
        matches!(place, Place::Local(n) if (n as usize) < self.n_params)
    }

    /// Globals and parameters.
    pub(super) fn at_start(&self) -> impl Iterator<Item = Place> {
        let is_set = |place: &Place| matches!(place, Place::Global(_)) || self.is_param(*place);
        self.start.iter().copied().filter(is_set)
    }

    /// The locals that nobody sets before the module starts.
    pub(super) fn open(&self, module: &Module) -> Vec<Place> {
        let locals = (module.n_params..module.locals.len()).map(|n| Place::Local(n as u32));
        locals.filter(|place| self.start.contains(place)).collect()
    }

    /// Something is to be done before the entry.
    pub(super) fn needs_start(&self, module: &Module) -> bool {
        module.enforce.is_some() || !self.open(module).is_empty()
    }
}

/// The variables that matter in a module.
pub(super) fn restricted(rsm: &Rsm, reduced: &Reduced, n: usize) -> Scope {
    let (module, view) = (&rsm.modules[n], &reduced.modules[n]);
    let matters = |node, place: &Place| match place {
        Place::Global(g) => view.touched.binary_search(g).is_ok(),
        Place::Local(_) => node != module.exit,
    };
    let points = view.points.iter().zip(&view.live);
    let live: Vec<Vec<Place>> =
        points.map(|(&node, live)| live.iter().copied().filter(|p| matters(node, p)).collect()).collect();
    let entry = view.points.binary_search(&module.entry).ok();
    let mut start: Vec<Place> = entry.map(|entry| live[entry].clone()).unwrap_or_default();
    if view.is_used {
        start.extend(module.enforce.iter().flat_map(|condition| condition.reads()));
    }
    start.sort_unstable();
    start.dedup();
    Scope { live, start, n_params: module.n_params }
}

/// For each block of a module a plan for each of its edges.
pub(super) fn plans(rsm: &Rsm, reduced: &Reduced, scopes: &[Scope], n: usize) -> Vec<Vec<Plan>> {
    let (module, view) = (&rsm.modules[n], &reduced.modules[n]);
    let blocks = view.blocks.iter().map(|block| {
        let end = view.points.binary_search(&block.to).expect("the ends of a block are points");
        let mut needed: FxHashSet<Place> = scopes[n].live[end].iter().copied().collect();
        let back = block.path.iter().rev().map(|id| {
            let edge = module.edge(*id);
            let stays = !matches!(edge.action, Action::Call { .. } | Action::Return { .. });
            let enforced = module.enforce.iter().filter(|_| stays);
            let enforced: Vec<Place> = enforced.flat_map(|condition| condition.reads()).collect();
            needed.extend(&enforced);
            let mut plan = plan(&edge.action, &mut needed, scopes, &view.results);
            needed.extend(plan.reads.iter().copied());
            plan.uses.extend(plan.reads.iter().copied().chain(enforced));
            plan
        });
        let mut plans: Vec<Plan> = back.collect();
        plans.reverse();
        plans
    });
    blocks.collect()
}

/// The plan of an edge; what it sets is needed no longer before it.
fn plan(action: &Action, needed: &mut FxHashSet<Place>, scopes: &[Scope], results: &[u32]) -> Plan {
    let mut plan = Plan::default();
    match action {
        Action::Skip => {}
        Action::Assume(condition) | Action::Assert(condition) => plan.reads.extend(condition.reads()),
        Action::Assign { targets, values, constrain } => {
            let next: FxHashSet<Place> =
                constrain.iter().flat_map(|condition| condition.reads_next()).collect();
            for (n, target) in targets.iter().enumerate() {
                if needed.contains(target) || next.contains(target) {
                    plan.kept.push(n);
                    plan.reads.extend(values[n].reads());
                    plan.uses.push(*target);
                }
            }
            targets.iter().for_each(|target| {
                needed.remove(target);
            });
            plan.reads.extend(constrain.iter().flat_map(|condition| condition.reads()));
            // A new value that is read and not assigned is the old one.
            plan.reads.extend(next.iter().filter(|place| !targets.contains(place)));
        }
        Action::Call { callee, args, .. } => {
            let start = &scopes[callee.index()].start;
            plan.kept = (0..args.len()).filter(|n| start.contains(&Place::Local(*n as u32))).collect();
            plan.reads.extend(plan.kept.iter().flat_map(|n| args[*n].reads()));
        }
        Action::Return { values } => {
            plan.kept = results.iter().map(|n| *n as usize).collect();
            plan.reads.extend(plan.kept.iter().flat_map(|n| values[*n].reads()));
        }
    }
    plan
}

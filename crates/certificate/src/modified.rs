//! Which code a run may get to, and which globals a module may change.
//!
//! A path is followed from the entry of `main`, through calls once the exit of the callee is found. It ends where the
//! certificate says that no run gets to, and at conditions without variables that never hold. Neither is taken on trust:
//! validation refuses a certificate if a step leads to a point or an entry that it calls unreachable. So, as long as
//! nothing is refused, a run stays within this code, and by induction along the run a global that no edge of a module's code
//! changes has the value it had at entry.

use crate::claims::Claims;
use base::Stop;
use dd::{Bdd, Manager};
use encode::{Columns, Encoder};
use rsm::{Action, Edge, Expr, ModuleId, NodeId, Place, Rsm};

/// The code that a run may get to.
pub(crate) struct Modified {
    /// For each module, whether its nodes may be reached.
    is_live: Vec<Vec<bool>>,
    /// For each module and global, whether the module or one that it calls may change it.
    is_modified: Vec<Vec<bool>>,
    /// For each module the nodes where it is called.
    callers: Vec<Vec<(ModuleId, NodeId)>>,
}

impl Modified {
    pub(crate) fn find(rsm: &Rsm, claims: &Claims) -> Self {
        let mut found = Self {
            is_live: rsm.modules.iter().map(|module| vec![false; module.nodes.len()]).collect(),
            is_modified: vec![vec![false; rsm.globals.len()]; rsm.modules.len()],
            callers: vec![Vec::new(); rsm.modules.len()],
        };
        let mut search =
            Search { rsm, claims, found: &mut found, pending: Vec::new(), constants: Constants::new() };
        search.reach(rsm.main, rsm.module(rsm.main).entry);
        while let Some((module, node)) = search.pending.pop() {
            search.leave(module, node);
        }
        found.pass_to_callers();
        found
    }

    /// Some path leads to the node.
    pub(crate) fn is_live(&self, module: ModuleId, node: NodeId) -> bool {
        self.is_live[module.index()][node.index()]
    }

    /// Some path leads to a call of the module, or it is `main`.
    pub(crate) fn is_entered(&self, rsm: &Rsm, module: ModuleId) -> bool {
        module == rsm.main || !self.callers[module.index()].is_empty()
    }

    /// The module, or one that it calls, may change the global.
    pub(crate) fn is_modified(&self, module: ModuleId, global: u32) -> bool {
        self.is_modified[module.index()][global as usize]
    }

    /// The globals that the module, or one that it calls, may change.
    pub(crate) fn globals(&self, module: ModuleId) -> impl Iterator<Item = u32> {
        let flags = &self.is_modified[module.index()];
        (0..flags.len() as u32).filter(|&global| flags[global as usize])
    }

    /// The nodes where a module is called.
    pub(crate) fn callers(&self, module: ModuleId) -> &[(ModuleId, NodeId)] {
        &self.callers[module.index()]
    }

    fn pass_to_callers(&mut self) {
        let mut pending: Vec<usize> = (0..self.is_modified.len()).collect();
        while let Some(callee) = pending.pop() {
            for &(caller, _) in &self.callers[callee] {
                let caller = caller.index();
                if caller == callee {
                    continue;
                }
                let flags = self.is_modified[callee].clone();
                let known = &mut self.is_modified[caller];
                let is_news = known.iter().zip(&flags).any(|(known, flag)| *flag && !known);
                if is_news {
                    known.iter_mut().zip(flags).for_each(|(known, flag)| *known |= flag);
                    pending.push(caller);
                }
            }
        }
    }
}

struct Search<'a> {
    rsm: &'a Rsm,
    claims: &'a Claims,
    found: &'a mut Modified,
    pending: Vec<(ModuleId, NodeId)>,
    constants: Constants,
}

impl Search<'_> {
    fn reach(&mut self, module: ModuleId, node: NodeId) {
        let claim = self.claims.module(module);
        let is_live = &mut self.found.is_live[module.index()][node.index()];
        if *is_live || claim.is_never_entered() || claim.is_never_at(node) {
            return;
        }
        *is_live = true;
        self.pending.push((module, node));
    }

    /// Follows the edges that leave a node; from an exit, those that go on after the calls.
    fn leave(&mut self, module: ModuleId, node: NodeId) {
        let rsm = self.rsm;
        if node == rsm.module(module).exit {
            for (caller, at) in self.found.callers[module.index()].clone() {
                self.return_to(module, caller, at);
            }
        }
        for (_, edge) in rsm.module(module).edges_from(node) {
            match &edge.action {
                Action::Assume(condition) | Action::Assert(condition)
                    if self.constants.is_never(condition) => {}
                Action::Call { callee, .. } => self.call(module, edge, *callee),
                Action::Assign { targets, .. } => {
                    self.change(module, targets.iter().copied());
                    self.reach(module, edge.to);
                }
                _ => self.reach(module, edge.to),
            }
        }
    }

    fn call(&mut self, module: ModuleId, edge: &Edge, callee: ModuleId) {
        self.found.callers[callee.index()].push((module, edge.from));
        let shape = self.rsm.module(callee);
        self.reach(callee, shape.entry);
        if self.found.is_live(callee, shape.exit) {
            self.return_to(callee, module, edge.from);
        }
    }

    /// Goes on after the calls of a module at a node.
    fn return_to(&mut self, callee: ModuleId, caller: ModuleId, at: NodeId) {
        let rsm = self.rsm;
        for (_, edge) in rsm.module(caller).edges_from(at) {
            if let Action::Call { callee: called, results, .. } = &edge.action
                && *called == callee
            {
                self.change(caller, results.iter().flatten().copied());
                self.reach(caller, edge.to);
            }
        }
    }

    fn change(&mut self, module: ModuleId, places: impl Iterator<Item = Place>) {
        for place in places {
            if let Place::Global(global) = place {
                self.found.is_modified[module.index()][global as usize] = true;
            }
        }
    }
}

/// Evaluates conditions without variables.
struct Constants {
    dd: Manager,
    encoder: Encoder,
}

impl Constants {
    fn new() -> Self {
        Self { dd: Manager::new(Stop::default(), None), encoder: Encoder::new(0) }
    }

    /// The condition mentions no variable and can only be false.
    fn is_never(&mut self, condition: &Expr) -> bool {
        if condition.reads().next().is_some() {
            return false;
        }
        let nothing = Columns { globals: &[], locals: &[], results: &[] };
        let value = self.encoder.condition(&mut self.dd, nothing, condition);
        value.is_ok_and(|(holds, _)| holds == Bdd::FALSE)
    }
}

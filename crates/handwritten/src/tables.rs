//! The tables: what is known at each point, what is new there, and the propagation of what is new.

use crate::rank::Ranks;
use base::WorkList;
use dd::{Bdd, Exhausted, Manager};
use rsm::ModuleId;
use symbolic::network::{CallId, Network, PointId, Step};

/// Below this many nodes nothing is freed.
const COLLECT_FROM: usize = 1 << 17;

/// What is known at a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Everything, over the entry copies and the current values.
    pub full: Bdd,
    /// What has not been propagated yet.
    pub new: Bdd,
}

/// What is known.
pub(crate) struct Tables<'n> {
    pub network: &'n Network,
    pub dd: Manager,
    pub rows: Vec<Row>,
    /// What each call amounts to: a relation between the caller's states before and after it.
    pub amounts: Vec<Bdd>,
    /// For each module the states at its entry that are known to be reachable.
    pub entered: Vec<Row>,
    pub ranks: Ranks,
    /// Points with something new, by their ranks.
    pub work: WorkList,
    /// Goals of this module count as soon as they are reached; of every module if there is none.
    pub exact: Option<ModuleId>,
    pub is_reached: bool,
    pub n_steps: u64,
    collect_at: usize,
}

impl<'n> Tables<'n> {
    pub fn new(network: &'n Network, dd: Manager) -> Self {
        let empty = Row { full: Bdd::FALSE, new: Bdd::FALSE };
        Self {
            network,
            dd,
            rows: vec![empty; network.points.len()],
            amounts: vec![Bdd::FALSE; network.calls.len()],
            entered: vec![empty; network.modules.len()],
            ranks: Ranks::new(network),
            work: WorkList::new(network.points.len()),
            exact: None,
            is_reached: false,
            n_steps: 0,
            collect_at: COLLECT_FROM,
        }
    }

    /// Takes a point from the work list, and what is new there.
    pub fn pop(&mut self) -> Option<(PointId, Bdd)> {
        if self.is_reached {
            return None;
        }
        self.collect();
        let point = self.ranks.points[self.work.pop()?];
        self.n_steps += 1;
        Some((point, std::mem::replace(&mut self.rows[point.index()].new, Bdd::FALSE)))
    }

    /// Adds states to a point.
    pub fn add(&mut self, point: PointId, states: Bdd) -> Result<(), Exhausted> {
        if states == Bdd::FALSE {
            return Ok(());
        }
        let row = self.rows[point.index()];
        let new = self.dd.difference(states, row.full)?;
        if new == Bdd::FALSE {
            return Ok(());
        }
        let full = self.dd.or(row.full, new)?;
        let all_new = self.dd.or(row.new, new)?;
        self.rows[point.index()] = Row { full, new: all_new };
        if row.new == Bdd::FALSE {
            self.work.insert(self.ranks.ranks[point.index()] as usize);
        }
        let Network { points, .. } = self.network;
        let about = &points[point.index()];
        if about.goal != Bdd::FALSE && self.exact.is_none_or(|module| module == about.module) {
            self.is_reached |= self.dd.and(new, about.goal)? != Bdd::FALSE;
        }
        Ok(())
    }

    /// STEP  Reach(e, v) :- Reach(e, u), Within(u, v).
    pub fn step(&mut self, point: PointId, new: Bdd) -> Result<(), Exhausted> {
        let network = self.network;
        for &Step { to, relation, image, .. } in &network.steps[network.steps_of(point)] {
            let states = match image {
                Some(image) => self.dd.product(new, relation, image.product)?,
                None => self.dd.and(new, relation)?,
            };
            self.add(to, states)?;
        }
        Ok(())
    }

    /// RETURN  Reach(e, v) :- Reach(e, u), Amount(u, v), for new states at a call.
    pub fn pass(&mut self, call: CallId, new: Bdd) -> Result<(), Exhausted> {
        let about = &self.network.calls[call.index()];
        let states = self.dd.product(new, self.amounts[call.index()], about.image.product)?;
        self.add(about.to, states)
    }

    /// RETURN for new states at the exit of a callee.
    pub fn come_back(&mut self, point: PointId, new: Bdd) -> Result<(), Exhausted> {
        let network = self.network;
        let module = network.points[point.index()].module;
        for &call in &network.modules[module.index()].callers {
            let about = &network.calls[call.index()];
            let amount = self.dd.product(about.glue, new, about.amount.product)?;
            let known = self.amounts[call.index()];
            let fresh = self.dd.difference(amount, known)?;
            if fresh == Bdd::FALSE {
                continue;
            }
            self.amounts[call.index()] = self.dd.or(known, fresh)?;
            let Row { full, new } = self.rows[about.from.index()];
            // What waits at the call will meet the whole amount anyway.
            if full != new {
                let states = self.dd.product(full, fresh, about.image.product)?;
                self.add(about.to, states)?;
            }
        }
        Ok(())
    }

    /// CALL  Entered(f) :- Reach(e, u), Entering(u, f). Gives what is new of it.
    pub fn enter(&mut self, call: CallId, states: Bdd) -> Result<Bdd, Exhausted> {
        let about = &self.network.calls[call.index()];
        let entries = self.dd.product(states, about.arguments, about.enter.product)?;
        let row = self.entered[about.callee.index()];
        let new = self.dd.difference(entries, row.full)?;
        if new != Bdd::FALSE {
            let full = self.dd.or(row.full, new)?;
            let all_new = self.dd.or(row.new, new)?;
            self.entered[about.callee.index()] = Row { full, new: all_new };
        }
        Ok(new)
    }

    /// Frees dead nodes if there are many. Nothing but tables and network may be needed any more.
    pub fn collect(&mut self) {
        if self.dd.n_nodes() <= self.collect_at {
            return;
        }
        let rows = self.rows.iter().chain(&self.entered).flat_map(|row| [row.full, row.new]);
        let roots: Vec<Bdd> = rows.chain(self.amounts.iter().copied()).chain(self.network.roots()).collect();
        self.dd.collect(roots);
        self.collect_at = (self.dd.n_nodes() * 3).max(COLLECT_FROM);
    }
}

//! Summaries from all entries, then the entries that runs get to.

use crate::tables::{Row, Tables};
use base::WorkList;
use dd::{Bdd, Exhausted};
use rsm::ModuleId;
use symbolic::network::{CallId, PointId};

/// Whether a goal is reached.
pub(crate) fn run(tables: &mut Tables) -> Result<bool, Exhausted> {
    // `main` starts in its initial states, so what is reached there is reached by a run.
    tables.exact = Some(tables.network.main);
    if summaries(tables)? {
        return Ok(true);
    }
    reachable_entries(tables)
}

/// Computes all summaries; true if a goal in `main` is reached.
fn summaries(tables: &mut Tables) -> Result<bool, Exhausted> {
    let network = tables.network;
    for m in tables.ranks.callees_first.clone().into_iter().rev() {
        let module = &network.modules[m.index()];
        let start =
            if m == network.main { network.init } else { tables.dd.and(module.identity, module.domain)? };
        tables.add(module.entry, start)?;
    }
    while let Some((point, new)) = tables.pop() {
        tables.step(point, new)?;
        for call in network.calls_of(point).map(CallId::new) {
            tables.pass(call, new)?;
        }
        if network.is_exit(point) {
            tables.come_back(point, new)?;
        }
    }
    Ok(tables.is_reached)
}

/// Follows calls from `main`, callers first; true if a goal is reached from a state at an entry that a run gets to.
fn reachable_entries(tables: &mut Tables) -> Result<bool, Exhausted> {
    let network = tables.network;
    let callers_first: Vec<ModuleId> = tables.ranks.callees_first.iter().rev().copied().collect();
    let mut position = vec![0; network.modules.len()];
    for (n, m) in callers_first.iter().enumerate() {
        position[m.index()] = n;
    }
    let mut goals = vec![Vec::new(); network.modules.len()];
    for (n, point) in network.points.iter().enumerate().filter(|(_, point)| point.goal != Bdd::FALSE) {
        goals[point.module.index()].push(PointId::new(n));
    }
    let mut work = WorkList::new(callers_first.len());
    // The states of `main` are exact: its entries need not be told apart.
    tables.entered[network.main.index()] = Row { full: Bdd::TRUE, new: Bdd::TRUE };
    work.insert(position[network.main.index()]);
    while let Some(at) = work.pop() {
        tables.collect();
        let m = callers_first[at].index();
        let module = &network.modules[m];
        let entries = std::mem::replace(&mut tables.entered[m].new, Bdd::FALSE);
        for goal in &goals[m] {
            let states = tables.dd.and(tables.rows[goal.index()].full, network.points[goal.index()].goal)?;
            if tables.dd.and(entries, states)? != Bdd::FALSE {
                return Ok(true);
            }
        }
        for &call in &module.calls {
            let about = &network.calls[call.index()];
            let states = tables.dd.product(
                entries,
                tables.rows[about.from.index()].full,
                module.forget_entry.product,
            )?;
            if tables.enter(call, states)? != Bdd::FALSE {
                work.insert(position[about.callee.index()]);
            }
        }
    }
    Ok(false)
}

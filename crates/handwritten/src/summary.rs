//! Summaries from all entries, then the entries that runs get to.

use crate::network::CallId;
use crate::tables::{Row, Tables};
use crate::work_list::WorkList;
use dd::{Bdd, Exhausted};

/// Whether a goal is reached.
pub(crate) fn run(tables: &mut Tables) -> Result<bool, Exhausted> {
    // `main` starts in its initial states, so what is reached there is reached by a run.
    tables.exact = Some(tables.network.main as u32);
    if summaries(tables)? {
        return Ok(true);
    }
    reachable_entries(tables)
}

/// Computes all summaries; true if a goal in `main` is reached.
fn summaries(tables: &mut Tables) -> Result<bool, Exhausted> {
    let network = tables.network;
    for &m in &network.callers_first {
        let module = &network.modules[m as usize];
        let is_main = m as usize == network.main;
        let start = if is_main { network.init } else { tables.dd.and(module.identity, module.domain)? };
        tables.add(module.entry, start)?;
    }
    while let Some((point, new)) = tables.pop() {
        tables.step(point, new)?;
        for call in network.calls_of(point).map(CallId::new) {
            tables.pass(call, new)?;
        }
        if network.points[point.index()].is_exit {
            tables.come_back(point, new)?;
        }
    }
    Ok(tables.is_reached)
}

/// Follows calls from `main`, callers first; true if a goal is reached from a state at an entry that a run gets to.
fn reachable_entries(tables: &mut Tables) -> Result<bool, Exhausted> {
    let network = tables.network;
    let mut position = vec![0; network.modules.len()];
    for (n, &m) in network.callers_first.iter().enumerate() {
        position[m as usize] = n;
    }
    let mut work = WorkList::new(network.callers_first.len());
    // The states of `main` are exact: its entries need not be told apart.
    tables.entered[network.main] = Row { full: Bdd::TRUE, new: Bdd::TRUE };
    work.insert(position[network.main]);
    while let Some(at) = work.pop() {
        tables.collect();
        let m = network.callers_first[at] as usize;
        let module = &network.modules[m];
        let entries = std::mem::replace(&mut tables.entered[m].new, Bdd::FALSE);
        for goal in &module.goals {
            let states = tables.dd.and(tables.rows[goal.index()].full, network.points[goal.index()].goal)?;
            if tables.dd.and(entries, states)? != Bdd::FALSE {
                return Ok(true);
            }
        }
        for &call in &module.calls {
            let about = &network.calls[call.index()];
            let states =
                tables.dd.product(entries, tables.rows[about.from.index()].full, module.forget_entry)?;
            if tables.enter(call, states)? != Bdd::FALSE {
                work.insert(position[about.callee as usize]);
            }
        }
    }
    Ok(false)
}

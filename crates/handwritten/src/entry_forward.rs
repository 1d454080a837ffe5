//! Summaries from the entries that runs get to.

use crate::tables::Tables;
use dd::{Bdd, Exhausted};
use symbolic::network::CallId;

/// Whether a goal is reached.
pub(crate) fn run(tables: &mut Tables) -> Result<bool, Exhausted> {
    let network = tables.network;
    tables.add(network.modules[network.main.index()].entry, network.init)?;
    while let Some((point, new)) = tables.pop() {
        tables.step(point, new)?;
        for call in network.calls_of(point).map(CallId::new) {
            let entries = tables.enter(call, new)?;
            if entries != Bdd::FALSE {
                let callee = &network.modules[network.calls[call.index()].callee.index()];
                let start = tables.dd.and(entries, callee.identity)?;
                tables.add(callee.entry, start)?;
            }
            tables.pass(call, new)?;
        }
        if network.is_exit(point) {
            tables.come_back(point, new)?;
        }
    }
    Ok(tables.is_reached)
}

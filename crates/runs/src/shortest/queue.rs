//! The queue of the search: what is due next, and from which premises.

use super::layers::{Destination, Origin};
use super::{ShortestError, Stuck};
use std::collections::BTreeMap;

/// With more joined premises than this the search gives up.
const MAX_ORIGINS: usize = 1 << 23;

/// Premises by cost and by what they lead to.
#[derive(Default)]
pub(super) struct Queue {
    origins: BTreeMap<(u128, Destination), Vec<Origin>>,
    n_origins: usize,
    /// Something costs more than can be counted, and was left out.
    is_cut: bool,
}

impl Queue {
    /// Enters premises; a cost that cannot be counted is `None`.
    pub fn push(&mut self, cost: Option<u128>, to: Destination, origin: Origin) -> Result<(), Stuck> {
        let Some(cost) = cost else {
            self.is_cut = true;
            return Ok(());
        };
        self.n_origins += 1;
        if self.n_origins > MAX_ORIGINS {
            return Err(ShortestError::TooManyLengths.into());
        }
        self.origins.entry((cost, to)).or_default().push(origin);
        Ok(())
    }

    /// The cheapest, with all its premises.
    pub fn pop(&mut self) -> Option<(u128, Destination, Vec<Origin>)> {
        self.origins.pop_first().map(|((cost, to), origins)| (cost, to, origins))
    }

    /// Something was left out.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}

//! The configurations of a certificate, to be asked whether they cover one.

use super::Configuration;
use rustc_hash::{FxHashMap, FxHashSet};

/// All configurations.
pub(crate) struct Cover<'c> {
    exactly: FxHashSet<&'c Configuration>,
    by_shared: FxHashMap<u32, Vec<&'c Configuration>>,
}

impl<'c> Cover<'c> {
    pub(crate) fn new(configurations: &'c [Configuration]) -> Self {
        let mut by_shared: FxHashMap<u32, Vec<&Configuration>> = FxHashMap::default();
        for configuration in configurations {
            by_shared.entry(configuration.shared).or_default().push(configuration);
        }
        Self { exactly: configurations.iter().collect(), by_shared }
    }

    /// One of them stands for all that this one stands for.
    pub(crate) fn has(&self, configuration: &Configuration) -> bool {
        self.exactly.contains(configuration)
            || self
                .by_shared
                .get(&configuration.shared)
                .is_some_and(|known| known.iter().any(|known| known.covers(configuration)))
    }
}

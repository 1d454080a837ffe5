//! What a test with random choices has met: too little of something, and the test fails, since it compared nothing.

use std::collections::BTreeMap;
use std::fmt;

/// Whether somebody has chosen the seeds (`GETAFIX_SEED`), so that nothing is said about how much is met.
pub fn is_chosen() -> bool {
    std::env::var_os("GETAFIX_SEED").is_some()
}

/// How often something was met, by its name.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<&'static str, u64>);

impl Counts {
    /// It was met once more.
    pub fn count(&mut self, what: &'static str) {
        self.add(what, 1);
    }

    /// It was met so many times more.
    pub fn add(&mut self, what: &'static str, times: u64) {
        *self.0.entry(what).or_default() += times;
    }

    /// All that was met elsewhere was met, too.
    pub fn merge(&mut self, other: &Counts) {
        other.0.iter().for_each(|(what, times)| self.add(what, *times));
    }

    /// How often it was met.
    pub fn of(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or(0)
    }

    /// Prints everything, and fails if one of these was met less often, unless somebody has chosen the seeds.
    #[track_caller]
    pub fn at_least(&self, least: &[(&str, u64)]) {
        println!("{self:?}");
        if is_chosen() {
            return;
        }
        let rare: Vec<_> = least.iter().filter(|(what, times)| self.of(what) < *times).collect();
        assert!(rare.is_empty(), "too little was met: {rare:?} of {self:?}");
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(&self.0).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts() -> Counts {
        let mut counts = Counts::default();
        counts.add("loops", 3);
        counts.count("calls");
        counts
    }

    #[test]
    fn enough_was_met() {
        counts().at_least(&[("loops", 3), ("calls", 1), ("jumps", 0)]);
    }

    #[test]
    fn too_little_is_a_failure() {
        let failed = std::panic::catch_unwind(|| counts().at_least(&[("loops", 4), ("jumps", 1)])).is_err();
        assert!(failed != is_chosen());
    }
}

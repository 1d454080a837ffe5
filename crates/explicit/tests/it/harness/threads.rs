//! What tests of threads share: programs as concurrent machines, targets, all selections of what is left out, limits.

use base::{Gauge, Stop};
use explicit::Limits;
use explicit::threads::Settings;
use rsm::{Concurrent, Reductions, ThreadGoal};
pub use testing::lower_threads as lower;

/// Every labelled node and every assertion is a target of its own; in some programs copies count.
pub fn all_targets(program: &Concurrent, names_copies: bool) -> Vec<Vec<ThreadGoal>> {
    let copy = |n: usize| if names_copies { [None, Some(0), Some(1)][n % 3] } else { None };
    let goals = testing::all_goals(&program.machine).into_iter().enumerate();
    goals.map(|(n, (_, goal))| vec![ThreadGoal { goal, copy: copy(n) }]).collect()
}

/// Asks within limits that are enough for small programs.
pub fn within<T>(ask: impl FnOnce(&Limits<'_>) -> T) -> T {
    let (stop, gauge) = (Stop::default(), Gauge::default());
    ask(&Limits { max_bytes: 1 << 30, max_states: 1 << 15, max_steps: 1 << 12, stop: &stop, gauge: &gauge })
}

/// All selections; what is left out of the variables comes with the number.
pub fn all_settings(seed: u64) -> Vec<Settings> {
    let with = |n: u64| Settings {
        reductions: Reductions {
            live_variables: (n ^ seed) & 1 == 0,
            cone: (n ^ seed) & 2 == 0,
            dead_code: (n ^ seed) & 4 == 0,
            ..Reductions::ALL
        },
        symmetry: n & 1 == 0,
        visibility: n & 2 == 0,
        lazy_start: n & 4 == 0,
        summaries: n & 2 == 0 || seed & 2 == 0,
        native_start: n & 1 == 0 || seed & 1 == 0,
        stubborn_sets: n & 1 == 0 || seed & 4 == 0,
    };
    (0..8).map(with).chain([Settings::default()]).collect()
}

//! Sizes and amounts for people.

use checker::Bound;
use std::time::Duration;

/// A size: `17 B`, `1.5 MB`.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

/// A limit: `30s`, `0.5s`.
pub fn duration(time: Duration) -> String {
    format!("{}s", time.as_secs_f64())
}

/// So many: `1 node`, `2 nodes`.
pub fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// How much was executed: `1 run, 12 steps`.
pub fn executed(runs: u64, steps: u64) -> String {
    format!("{}, {}", counted(runs, "run"), crate::trace::count(steps.into()))
}

/// What a bound counts.
pub fn unit(bound: Bound) -> &'static str {
    match bound {
        Bound::Switches(_) | Bound::Every => "context switches",
        Bound::Rounds(_) => "rounds",
    }
}

/// `3 context switches`, `1 round`.
pub fn amount(bound: Bound, number: u32) -> String {
    let what = match (bound, number) {
        (Bound::Switches(_) | Bound::Every, 1) => "context switch",
        (Bound::Rounds(_), 1) => "round",
        _ => unit(bound),
    };
    format!("{number} {what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_for_people() {
        assert_eq!(bytes(17), "17 B");
        assert_eq!(bytes(3 << 19), "1.5 MB");
    }
}

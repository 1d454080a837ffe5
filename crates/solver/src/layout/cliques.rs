//! Numbers that are all compared with each other: where they should not be interleaved.
//!
//! Two numbers that are compared have a small diagram if their bits alternate. For `m` numbers that must all differ, such as
//! pigeons in holes, the diagram then has to remember which of them agree in the bits so far: as many cases as there are
//! partitions of `m`. One number after the other, it has to remember which of the `d` values are taken: as
//! many cases as there are sets of up to `m` values. The smaller count decides. A chain of comparisons stays interleaved.

use rustc_hash::{FxHashMap, FxHashSet};

/// The numbers, among those compared in pairs, that are better kept one after the other. `size` gives how many values a number has.
pub(super) fn cliques(pairs: &FxHashSet<(u32, u32)>, size: impl Fn(u32) -> u64) -> FxHashSet<u32> {
    let mut beside: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for &(a, b) in pairs {
        beside.entry(a).or_default().push(b);
        beside.entry(b).or_default().push(a);
    }
    let mut found = FxHashSet::default();
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    for &start in beside.keys() {
        if !seen.insert(start) {
            continue;
        }
        let mut members = vec![start];
        let mut at = 0;
        while at < members.len() {
            members.extend(beside[&members[at]].iter().filter(|&&next| seen.insert(next)));
            at += 1;
        }
        let m = members.len();
        let n_pairs = members.iter().map(|member| beside[member].len()).sum::<usize>() / 2;
        // Nearly all pairs: some are often left out because they follow, or because order takes their place.
        let dense = 4 * n_pairs >= 3 * (m * (m - 1) / 2);
        let values = members.iter().map(|&member| size(member)).max().unwrap_or(0);
        if dense && sets(m, values) < partitions(m) {
            found.extend(members);
        }
    }
    found
}

/// How many partitions a set of `m` has (Bell's triangle), up to a limit beyond which nobody compares.
fn partitions(m: usize) -> f64 {
    let mut row = vec![1.0_f64];
    for _ in 1..m.min(100) {
        let mut next = vec![row[row.len() - 1]];
        for above in &row {
            next.push(next[next.len() - 1] + above);
        }
        row = next;
    }
    row[row.len() - 1]
}

/// How many cases there are one number after the other: the sets of taken values, and the number in progress.
fn sets(m: usize, values: u64) -> f64 {
    let taken = (m as u64).min(values / 2);
    let choose = (0..taken.min(1000)).fold(1.0, |n, i| n * (values - i) as f64 / (i + 1) as f64);
    2.0 * choose * values as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_pairs(m: u32) -> FxHashSet<(u32, u32)> {
        (0..m).flat_map(|a| (a + 1..m).map(move |b| (a, b))).collect()
    }

    #[test]
    fn bell_numbers() {
        assert_eq!([1, 2, 3, 4, 8].map(partitions), [1.0, 2.0, 5.0, 15.0, 4140.0]);
    }

    #[test]
    fn pigeons_are_kept_one_after_the_other() {
        assert_eq!(cliques(&all_pairs(8), |_| 7).len(), 8);
        assert_eq!(cliques(&all_pairs(12), |_| 11).len(), 12);
    }

    #[test]
    fn few_numbers_or_large_ones_or_chains_stay_interleaved() {
        assert!(cliques(&all_pairs(3), |_| 4).is_empty());
        assert!(cliques(&all_pairs(6), |_| 1 << 16).is_empty());
        assert!(cliques(&(0..20).map(|a| (a, a + 1)).collect(), |_| 8).is_empty());
    }
}

//! Explicit search: the independent count that the answers of a generated system are compared with.

use std::collections::HashSet;

/// Most states a search visits before it gives up; it bounds the time a file takes to generate.
pub const LIMIT: usize = 2_000_000;

/// The states reachable from `start`, each a packed word; `None` if there are more than [`LIMIT`].
pub fn reachable(start: u64, successors: impl Fn(u64, &mut Vec<u64>)) -> Option<HashSet<u64>> {
    let mut seen = HashSet::from([start]);
    let mut open = vec![start];
    let mut next = Vec::new();
    while let Some(state) = open.pop() {
        successors(state, &mut next);
        for state in next.drain(..) {
            if seen.insert(state) {
                open.push(state);
            }
        }
        if seen.len() > LIMIT {
            return None;
        }
    }
    Some(seen)
}

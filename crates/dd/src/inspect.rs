//! Looking at diagrams: support, size, number of solutions, one solution.

use crate::store::{Bdd, Level, Manager};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// So many nodes are remembered without a table.
const FEW: usize = 64;

/// A short look at a diagram: nodes that were seen, and how many more there may be. The terminal is node 0, and never looked at.
struct Few {
    seen: [usize; FEW],
    left: u32,
}

impl Manager {
    /// The levels that occur, sorted.
    pub fn support(&self, f: Bdd) -> Vec<Level> {
        let marks = self.mark([f]);
        let mut levels: Vec<Level> = (1..self.nodes.len())
            .filter(|&at| marks[at >> 6] >> (at & 63) & 1 != 0)
            .map(|at| self.nodes[at].level)
            .collect();
        levels.sort_unstable();
        levels.dedup();
        levels
    }

    /// One of these levels, sorted, occurs. Looks at the diagram's own nodes only.
    pub fn mentions(&self, f: Bdd, levels: &[Level]) -> bool {
        let Some(&last) = levels.last() else { return false };
        // Most diagrams are small: for them a few of the nodes that were seen are remembered where their numbers say.
        let mut few = Few { seen: [0; FEW], left: 4 * FEW as u32 };
        if let Some(found) = self.mentions_few(f, levels, last, &mut few) {
            return found;
        }
        let mut seen: rustc_hash::FxHashSet<usize> = rustc_hash::FxHashSet::default();
        let mut stack = vec![f];
        while let Some(at) = stack.pop() {
            let level = self.level_of(at);
            if level > last || !seen.insert(at.node()) {
                continue;
            }
            if levels.binary_search(&level).is_ok() {
                return true;
            }
            let (low, high) = self.children(at);
            stack.extend([low, high]);
        }
        false
    }

    /// The same with so many looks at nodes; `None` if they do not suffice.
    fn mentions_few(&self, f: Bdd, levels: &[Level], last: Level, few: &mut Few) -> Option<bool> {
        let level = self.level_of(f);
        let seen = &mut few.seen[f.node() % FEW];
        if level > last || std::mem::replace(seen, f.node()) == f.node() {
            return Some(false);
        }
        if levels.binary_search(&level).is_ok() {
            return Some(true);
        }
        few.left = few.left.checked_sub(1)?;
        let (low, high) = self.children(f);
        Some(self.mentions_few(low, levels, last, few)? || self.mentions_few(high, levels, last, few)?)
    }

    /// Distinct nodes below the roots, the terminal not counted.
    pub fn count_nodes(&self, roots: impl IntoIterator<Item = Bdd>) -> u64 {
        let marks = self.mark(roots);
        marks.iter().map(|word| u64::from(word.count_ones())).sum::<u64>() - 1
    }

    /// The number of nodes of a diagram, the terminal not counted, or `limit` if there are at least as many.
    pub fn size_up_to(&self, f: Bdd, limit: usize) -> usize {
        let mut seen: rustc_hash::FxHashSet<usize> = rustc_hash::FxHashSet::default();
        let mut stack = vec![f];
        while let Some(at) = stack.pop() {
            if !at.is_constant() && seen.insert(at.node()) {
                if seen.len() >= limit {
                    return limit;
                }
                let (low, high) = self.children(at);
                stack.extend([low, high]);
            }
        }
        seen.len()
    }

    /// The value under an assignment.
    pub fn evaluate(&self, f: Bdd, assignment: impl Fn(Level) -> bool) -> bool {
        let mut at = f;
        while !at.is_constant() {
            let (low, high) = self.children(at);
            at = if assignment(self.level_of(at)) { high } else { low };
        }
        at == Bdd::TRUE
    }

    /// The number of assignments to `levels` (sorted; they contain the support) that satisfy `f`.
    pub fn count(&self, f: Bdd, levels: &[Level]) -> BigUint {
        let mut memo = FxHashMap::default();
        self.count_below(f, 0, levels, &mut memo)
    }

    /// Solutions over `levels[from..]`.
    fn count_below(
        &self,
        f: Bdd,
        from: usize,
        levels: &[Level],
        memo: &mut FxHashMap<Bdd, BigUint>,
    ) -> BigUint {
        if f == Bdd::FALSE {
            return BigUint::ZERO;
        }
        if f == Bdd::TRUE {
            return BigUint::from(1u32) << (levels.len() - from);
        }
        let level = self.level_of(f);
        let at = levels.binary_search(&level).expect("count: the levels must contain the support");
        let below = match memo.get(&f) {
            Some(below) => below.clone(),
            None => {
                let (low, high) = self.children(f);
                let below = self.count_below(low, at + 1, levels, memo)
                    + self.count_below(high, at + 1, levels, memo);
                memo.insert(f, below.clone());
                below
            }
        };
        below << (at - from)
    }

    /// The smallest solution, read from the top level down with false before true: the levels that matter and
    /// their values. `None` if there is none.
    pub fn pick(&self, f: Bdd) -> Option<Vec<(Level, bool)>> {
        if f == Bdd::FALSE {
            return None;
        }
        let mut at = f;
        let mut literals = Vec::new();
        while !at.is_constant() {
            let (low, high) = self.children(at);
            let value = low == Bdd::FALSE;
            literals.push((self.level_of(at), value));
            at = if value { high } else { low };
        }
        Some(literals)
    }
}

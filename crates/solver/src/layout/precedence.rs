//! Precedences that never become cyclic.
//!
//! Contract: [`Precedence::add`] accepts a pair unless it would close a cycle, so what is kept depends on the order of
//! the calls and on nothing else. A topological rank is kept up to date (Pearce and Kelly), and a pair costs only the
//! vertices that stand between its ends in the wrong order. A long chain of pairs would cost its square so; many hinges are therefore added
//! at once, which is linear, unless together they close a cycle.

use rustc_hash::FxHashSet;

/// An acyclic relation on vertices `0..n`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Precedence {
    after: Vec<Vec<u32>>,
    before: Vec<Vec<u32>>,
    /// Every pair leads from a smaller to a larger rank.
    rank: Vec<u32>,
    pairs: FxHashSet<(u32, u32)>,
}

impl Precedence {
    /// No precedences on `n` vertices.
    pub fn new(n: usize) -> Self {
        Self {
            after: vec![Vec::new(); n],
            before: vec![Vec::new(); n],
            rank: (0..n as u32).collect(),
            pairs: FxHashSet::default(),
        }
    }

    /// One more vertex.
    pub fn add_vertex(&mut self) -> u32 {
        let vertex = self.rank.len() as u32;
        self.after.push(Vec::new());
        self.before.push(Vec::new());
        self.rank.push(vertex);
        vertex
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.rank.len()
    }

    /// There are no precedences.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// What must come before a vertex.
    pub fn before(&self, vertex: u32) -> &[u32] {
        &self.before[vertex as usize]
    }

    /// What must come after a vertex.
    pub fn after(&self, vertex: u32) -> &[u32] {
        &self.after[vertex as usize]
    }

    /// A number that rises along all pairs.
    pub fn rank(&self, vertex: u32) -> u32 {
        self.rank[vertex as usize]
    }

    /// Demands `a` before `b`; `false`, and nothing changes, if `b` is before `a` already.
    pub fn add(&mut self, a: u32, b: u32) -> bool {
        if a == b {
            return false;
        }
        if self.pairs.contains(&(a, b)) {
            return true;
        }
        let (low, high) = (self.rank(b), self.rank(a));
        if low < high {
            let below = reach(&self.after, b, |v| self.rank(v) <= high);
            if below.contains(&a) {
                return false;
            }
            let above = reach(&self.before, a, |v| self.rank(v) >= low);
            self.reorder(above, below);
        }
        self.link(a, b);
        true
    }

    /// Enters a pair, which is new, whatever it closes.
    fn link(&mut self, a: u32, b: u32) {
        if self.pairs.insert((a, b)) {
            self.after[a as usize].push(b);
            self.before[b as usize].push(a);
        }
    }

    /// Adds hinges, one after the other: what each first set and second set are.
    pub fn add_hinges(&mut self, hinges: &[(Vec<u32>, Vec<u32>)]) {
        if hinges.is_empty() {
            return;
        }
        let mut all = self.clone();
        for (first, second) in hinges {
            let hinge = all.add_vertex();
            second.iter().for_each(|&vertex| all.link(hinge, vertex));
            first.iter().for_each(|&vertex| all.link(vertex, hinge));
        }
        match all.topological() {
            Some(order) => {
                (0..).zip(order).for_each(|(rank, vertex)| all.rank[vertex as usize] = rank);
                *self = all;
            }
            None => hinges.iter().for_each(|(first, second)| {
                self.add_hinge(first, second);
            }),
        }
    }

    /// The vertices in an order that respects all pairs; `None` if they are cyclic.
    fn topological(&self) -> Option<Vec<u32>> {
        let mut waits: Vec<u32> = self.before.iter().map(|before| before.len() as u32).collect();
        let mut order: Vec<u32> = (0..self.len() as u32).filter(|&v| waits[v as usize] == 0).collect();
        let mut at = 0;
        while let Some(&vertex) = order.get(at) {
            at += 1;
            for &next in self.after(vertex) {
                waits[next as usize] -= 1;
                if waits[next as usize] == 0 {
                    order.push(next);
                }
            }
        }
        (order.len() == self.len()).then_some(order)
    }

    /// Puts a new vertex, a hinge, between two sets of vertices, so that the first come before the second. What
    /// must come after some vertex of the second set is left out of the first.
    pub fn add_hinge(&mut self, first: &[u32], second: &[u32]) -> u32 {
        let hinge = self.add_vertex();
        let mut second = second.to_vec();
        second.sort_unstable_by_key(|&v| self.rank(v));
        for vertex in second {
            self.add(hinge, vertex);
        }
        for &vertex in first {
            self.add(vertex, hinge);
        }
        hinge
    }

    /// Hands the ranks of both sets out again, the first set first.
    fn reorder(&mut self, mut first: Vec<u32>, mut second: Vec<u32>) {
        first.sort_unstable_by_key(|&v| self.rank(v));
        second.sort_unstable_by_key(|&v| self.rank(v));
        first.append(&mut second);
        let mut ranks: Vec<u32> = first.iter().map(|&v| self.rank(v)).collect();
        ranks.sort_unstable();
        for (&vertex, rank) in first.iter().zip(ranks) {
            self.rank[vertex as usize] = rank;
        }
    }

    /// The vertices in an order that respects all pairs and otherwise follows `wish`, small first.
    pub fn sorted<K: Ord + Copy>(&self, wish: impl Fn(u32) -> K) -> Vec<u32> {
        let mut waits: Vec<u32> = self.before.iter().map(|before| before.len() as u32).collect();
        let mut ready: std::collections::BinaryHeap<std::cmp::Reverse<(K, u32)>> = (0..self.len() as u32)
            .filter(|&v| waits[v as usize] == 0)
            .map(|v| std::cmp::Reverse((wish(v), v)))
            .collect();
        let mut order = Vec::with_capacity(self.len());
        while let Some(std::cmp::Reverse((_, vertex))) = ready.pop() {
            order.push(vertex);
            for &next in self.after(vertex) {
                waits[next as usize] -= 1;
                if waits[next as usize] == 0 {
                    ready.push(std::cmp::Reverse((wish(next), next)));
                }
            }
        }
        assert_eq!(order.len(), self.len(), "precedences are cyclic");
        order
    }
}

/// What can be reached from a vertex through vertices that `admit` lets pass.
fn reach(next: &[Vec<u32>], from: u32, admit: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut found = vec![from];
    let mut seen: FxHashSet<u32> = FxHashSet::from_iter([from]);
    let mut at = 0;
    while at < found.len() {
        for &vertex in &next[found[at] as usize] {
            if admit(vertex) && seen.insert(vertex) {
                found.push(vertex);
            }
        }
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_close_a_cycle_is_refused() {
        let mut precedence = Precedence::new(4);
        assert!(precedence.add(3, 1));
        assert!(precedence.add(1, 0));
        assert!(precedence.add(3, 1));
        assert!(!precedence.add(0, 3));
        assert!(!precedence.add(2, 2));
        assert_eq!(precedence.sorted(|v| v), [2, 3, 1, 0]);
    }

    #[test]
    fn hinges_are_the_same_at_once_and_one_by_one() {
        let mut counts = [0, 0];
        for seed in 0..200 {
            let mut random = base::Random::new(seed);
            let mut set =
                |n: u64| -> Vec<u32> { (0..=random.below(n)).map(|_| random.below(30) as u32).collect() };
            let mut together = Precedence::new(30);
            together.add(3, 17);
            let mut apart = together.clone();
            let hinges: Vec<(Vec<u32>, Vec<u32>)> = (0..1 + seed % 8).map(|_| (set(2), set(2))).collect();
            together.add_hinges(&hinges);
            hinges.iter().for_each(|(first, second)| {
                apart.add_hinge(first, second);
            });
            assert_eq!(together.pairs, apart.pairs, "seed {seed}: {hinges:?}");
            assert!(together.pairs.iter().all(|&(a, b)| together.rank(a) < together.rank(b)), "seed {seed}");
            let mut demanded = FxHashSet::from_iter([(3, 17)]);
            for (hinge, (first, second)) in (30..).zip(&hinges) {
                demanded.extend(first.iter().map(|&vertex| (vertex, hinge)));
                demanded.extend(second.iter().map(|&vertex| (hinge, vertex)));
            }
            counts[usize::from(together.pairs == demanded)] += 1;
            // What was added at once goes on as if it had been added one by one.
            for (a, b) in [(5, 9), (9, 5), (17, 3), (20, 4)] {
                assert_eq!(together.add(a, b), apart.add(a, b), "seed {seed}: {a} before {b}");
            }
        }
        assert!(counts.iter().all(|count| *count > 50), "refused and accepted as a whole: {counts:?}");
    }

    #[test]
    fn ranks_rise_along_all_pairs() {
        let mut random = base::Random::new(1);
        let mut precedence = Precedence::new(40);
        let mut kept = Vec::new();
        for _ in 0..400 {
            let (a, b) = (random.below(40) as u32, random.below(40) as u32);
            if precedence.add(a, b) {
                kept.push((a, b));
            } else {
                assert!(a == b || reach(&precedence.after, b, |_| true).contains(&a), "{a} {b} refused");
            }
        }
        assert!(kept.iter().all(|&(a, b)| precedence.rank(a) < precedence.rank(b)));
    }
}

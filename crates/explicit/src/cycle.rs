//! Cycles of the graph of states, found early.
//!
//! The vertices are the states, the edges steps, calls and summaries, as the search meets them. A component that an edge of its
//! own makes nontrivial and fair is an infinite run: after the first call of a cycle that does not return, the context is what
//! the entry says. Whenever the number of states has doubled, Tarjan's algorithm runs over the edges so far, so an answer costs
//! at most twice the states that it needs. Paper: \[VERA05\], section 4, without its phases.

use crate::Question;
use crate::table::{Budget, FAIR, Full, NONE};

/// An edge: where it starts, where it leads (with the bit [`FAIR`] if it is fair), and how: the block, or the exit of a
/// summary with the bit.
pub(crate) type Edge = (u32, u32, u32);

/// The edges so far.
pub(crate) struct Log {
    pub(crate) edges: Vec<Edge>,
    /// At so many states cycles are looked for; never, if nobody asks.
    pub(crate) due: usize,
    pub(crate) n_checks: u64,
    /// A fair edge within a component.
    pub(crate) cycle: Option<Edge>,
}

/// The first time.
const FIRST: usize = 32;

impl Log {
    pub(crate) fn new(question: Question) -> Self {
        let due = match question {
            Question::Repeat | Question::Infinite => FIRST,
            Question::Any | Question::Each | Question::Finite => usize::MAX,
        };
        Self { edges: Vec::new(), due, n_checks: 0, cycle: None }
    }

    #[inline]
    pub(crate) fn push(
        &mut self,
        budget: &mut Budget,
        from: u32,
        to: u32,
        is_fair: bool,
        how: u32,
    ) -> Result<(), Full> {
        budget.push(&mut self.edges, (from, if is_fair { to | FAIR } else { to }, how))
    }

    /// What [`Log::check`] needs for a while.
    pub(crate) fn bytes_to_check(&self, n_states: usize) -> usize {
        n_states * 28 + self.edges.len() * 4
    }

    /// Looks for a cycle.
    pub(crate) fn check(&mut self, n_states: usize) {
        self.n_checks += 1;
        self.due = n_states.saturating_mul(2).max(FIRST);
        self.cycle = Tarjan::new(n_states, &self.edges).run();
    }
}

/// Tarjan's algorithm; the edges sorted by source.
struct Tarjan<'e> {
    edges: &'e [Edge],
    /// For each state the first of its edges in `sorted`, and at last their number.
    first: Vec<u32>,
    /// Positions in `edges`.
    sorted: Vec<u32>,
    /// For each state the next of its edges.
    next: Vec<u32>,
    /// The least number that is reached, as far as known; [`NONE`] for states that have not been seen, [`DONE`] for those whose
    /// component is complete.
    low: Vec<u32>,
    /// The states whose components are not complete.
    open: Vec<u32>,
    /// The states on the way, with their numbers.
    way: Vec<(u32, u32)>,
    n_seen: u32,
}

/// The component is complete.
const DONE: u32 = NONE - 1;

impl<'e> Tarjan<'e> {
    fn new(n_states: usize, edges: &'e [Edge]) -> Self {
        let mut first = vec![0u32; n_states + 1];
        for edge in edges {
            first[edge.0 as usize + 1] += 1;
        }
        for n in 0..n_states {
            first[n + 1] += first[n];
        }
        let mut next = first.clone();
        let mut sorted = vec![0; edges.len()];
        for (n, edge) in edges.iter().enumerate() {
            let at = &mut next[edge.0 as usize];
            sorted[*at as usize] = n as u32;
            *at += 1;
        }
        next.copy_from_slice(&first);
        let low = vec![NONE; n_states];
        Self { edges, first, sorted, next, low, open: Vec::new(), way: Vec::new(), n_seen: 0 }
    }

    fn run(mut self) -> Option<Edge> {
        for root in 0..self.low.len() as u32 {
            if self.low[root as usize] != NONE {
                continue;
            }
            self.see(root);
            while let Some(&(state, number)) = self.way.last() {
                if let Some(to) = self.next_edge(state) {
                    match self.low[to as usize] {
                        NONE => self.see(to),
                        DONE => {}
                        low => self.lower(state, low),
                    }
                } else {
                    self.way.pop();
                    let low = self.low[state as usize];
                    if let Some(&(before, _)) = self.way.last() {
                        self.lower(before, low);
                    }
                    if low == number
                        && let Some(edge) = self.close(state, number)
                    {
                        return Some(edge);
                    }
                }
            }
        }
        None
    }

    fn see(&mut self, state: u32) {
        self.low[state as usize] = self.n_seen;
        self.way.push((state, self.n_seen));
        self.open.push(state);
        self.n_seen += 1;
    }

    fn next_edge(&mut self, state: u32) -> Option<u32> {
        let at = &mut self.next[state as usize];
        if *at == self.first[state as usize + 1] {
            return None;
        }
        *at += 1;
        Some(self.edges[self.sorted[*at as usize - 1] as usize].1 & !FAIR)
    }

    fn lower(&mut self, state: u32, low: u32) {
        let known = &mut self.low[state as usize];
        *known = low.min(*known);
    }

    /// Completes a component; a fair edge inside it, if there is one.
    fn close(&mut self, root: u32, number: u32) -> Option<Edge> {
        let start =
            self.open.iter().rposition(|state| *state == root).expect("the root of a component is open");
        for &state in &self.open[start..] {
            self.low[state as usize] = number;
        }
        for &state in &self.open[start..] {
            let edges = self.first[state as usize]..self.first[state as usize + 1];
            for edge in edges.map(|at| self.edges[self.sorted[at as usize] as usize]) {
                let to = (edge.1 & !FAIR) as usize;
                if edge.1 & FAIR != 0 && self.low[to] == number {
                    return Some(edge);
                }
            }
        }
        for state in self.open.drain(start..) {
            self.low[state as usize] = DONE;
        }
        None
    }
}

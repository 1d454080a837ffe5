//! Cycles of the graph of states, found early.
//!
//! The vertices are the states, the edges steps, calls and summaries, as the search meets them. A component that an edge of its
//! own makes nontrivial and fair is an infinite run: after the first call of a cycle that does not return, the context is what
//! the entry says. Whenever the number of states has doubled, Tarjan's algorithm runs over the edges so far, so an answer costs
//! at most twice the states that it needs. Paper: \[VERA05\], section 4, without its phases.

use crate::Question;
use crate::table::{Budget, FAIR, Full};
use base::{Adjacency, Components};
use std::ops::ControlFlow;

/// An edge: where it starts, where it leads (with the bit [`FAIR`] if it is fair), and how: the block, or the exit of a
/// summary with the bit.
pub(crate) type Edge = (u32, u32, u32);

/// The edges so far.
pub(crate) struct Log {
    pub(crate) edges: Vec<Edge>,
    /// For each the shares of its start and, if it is a summary, of its exit; empty if there is one share only.
    pub(crate) shares: Vec<[u8; 2]>,
    /// Somebody asks for cycles.
    pub(crate) is_kept: bool,
    /// At so many states cycles are looked for.
    pub(crate) due: usize,
    pub(crate) n_checks: u64,
    /// A fair edge within a component.
    pub(crate) cycle: Option<Edge>,
}

/// The first time.
const FIRST: usize = 32;

impl Log {
    pub(crate) fn new(question: Question) -> Self {
        let is_kept = match question {
            Question::Repeat | Question::Infinite => true,
            Question::Any | Question::Each | Question::Finite => false,
        };
        let due = if is_kept { FIRST } else { usize::MAX };
        Self { edges: Vec::new(), shares: Vec::new(), is_kept, due, n_checks: 0, cycle: None }
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
        self.due = due_after(n_states);
        self.cycle = fair_edge(n_states, &self.edges);
    }
}

/// When cycles are looked for again.
pub(crate) fn due_after(n_states: usize) -> usize {
    n_states.saturating_mul(2).max(FIRST)
}

/// A fair edge within a component.
pub(crate) fn fair_edge(n_states: usize, edges: &[Edge]) -> Option<Edge> {
    let sources = edges.iter().zip(0u32..).map(|(edge, n)| (edge.0, n));
    let by_source = Adjacency::new(n_states, sources);
    let target = |edge: &Edge| edge.1 & !FAIR;
    Components::new(n_states).search(
        0..n_states as u32,
        |state| by_source.of(state),
        |&n| Some(target(&edges[n as usize])),
        |component| {
            let leaving = component.members.iter().flat_map(|&state| by_source.of(state));
            let mut leaving = leaving.map(|&n| edges[n as usize]);
            let fair = leaving.find(|edge| edge.1 & FAIR != 0 && component.contains(target(edge)));
            fair.map_or(ControlFlow::Continue(()), ControlFlow::Break)
        },
    )
}

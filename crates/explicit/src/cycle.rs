//! Cycles of the graph of states, found early.
//!
//! The vertices are the states, the edges steps, calls and summaries, as the search meets them. A component that an edge of its
//! own makes nontrivial and fair is an infinite run: after the first call of a cycle that does not return, the context is what
//! the entry says. Whenever the number of states has doubled, Tarjan's algorithm runs over the edges so far, so an answer costs
//! at most twice the states that it needs. Paper: \[VERA05\], section 4, without its phases.

use crate::table::{Budget, FAIR, Full};
use crate::{Question, Stopped};
use base::{Adjacency, Components, Stop};
use std::cell::Cell;
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
    pub(crate) fn check(&mut self, n_states: usize, stop: &Stop) -> Result<(), Stopped> {
        self.n_checks += 1;
        self.due = due_after(n_states);
        self.cycle = fair_edge(n_states, &self.edges, stop)?;
        Ok(())
    }
}

/// When cycles are looked for again.
pub(crate) fn due_after(n_states: usize) -> usize {
    n_states.saturating_mul(2).max(FIRST)
}

/// Who goes through the edges of a large graph, and looks now and then whether to stop.
pub(crate) struct Going<'s> {
    stop: &'s Stop,
    n_looks: Cell<u32>,
    stopped: Cell<Option<Stopped>>,
}

/// So often the edges of a vertex are looked at before the next look at the flag.
const PATIENCE: u32 = 1 << 12;

impl<'s> Going<'s> {
    pub(crate) fn until(stop: &'s Stop) -> Self {
        Self { stop, n_looks: Cell::new(0), stopped: Cell::new(None) }
    }

    /// The edges of a vertex; none once somebody wants it to stop, so that any search comes to an end, with a result that does not count.
    pub(crate) fn along<'e, E>(&self, edges: &'e [E]) -> &'e [E] {
        let n_looks = self.n_looks.get().wrapping_add(1);
        self.n_looks.set(n_looks);
        if n_looks.is_multiple_of(PATIENCE)
            && let Some(reason) = self.stop.requested_after(0)
        {
            self.stopped.set(Some(Stopped::Requested(reason)));
        }
        if self.is_stopped() { &[] } else { edges }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.get().is_some()
    }

    /// What was found, if nobody wanted it to stop.
    pub(crate) fn unless_stopped<T>(&self, found: T) -> Result<T, Stopped> {
        self.stopped.get().map_or(Ok(found), Err)
    }
}

/// A fair edge within a component.
pub(crate) fn fair_edge(n_states: usize, edges: &[Edge], stop: &Stop) -> Result<Option<Edge>, Stopped> {
    let sources = edges.iter().zip(0u32..).map(|(edge, n)| (edge.0, n));
    let by_source = Adjacency::new(n_states, sources);
    let target = |edge: &Edge| edge.1 & !FAIR;
    let going = Going::until(stop);
    let found = Components::new(n_states).search(
        0..n_states as u32,
        |state| going.along(by_source.of(state)),
        |&n| Some(target(&edges[n as usize])),
        |component| {
            if going.is_stopped() {
                return ControlFlow::Break(None);
            }
            let leaving = component.members.iter().flat_map(|&state| by_source.of(state));
            let mut leaving = leaving.map(|&n| edges[n as usize]);
            let fair = leaving.find(|edge| edge.1 & FAIR != 0 && component.contains(target(edge)));
            fair.map_or(ControlFlow::Continue(()), |edge| ControlFlow::Break(Some(edge)))
        },
    );
    going.unless_stopped(found.flatten())
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::StopReason;

    #[test]
    fn who_looks_for_components_looks_at_the_flag() {
        let n = 3 * PATIENCE;
        let ring: Vec<Edge> = (0..n).map(|state| (state, (state + 1) % n, 0)).collect();
        let stop = Stop::default();
        assert_eq!(fair_edge(n as usize, &ring, &stop), Ok(None));
        let fair = [&ring[..], &[(7, 7 | FAIR, 0)]].concat();
        assert_eq!(fair_edge(n as usize, &fair, &stop), Ok(Some((7, 7 | FAIR, 0))));
        stop.request(StopReason::Interrupt);
        let stopped = Err(Stopped::Requested(StopReason::Interrupt));
        assert_eq!(fair_edge(n as usize, &fair, &stop), stopped);
        // All that is on the way comes to its end at once.
        let going = Going::until(&stop);
        let n_edges: usize = (0..n).map(|_| going.along(&ring[..1]).len()).sum();
        assert_eq!(n_edges as u32, PATIENCE - 1);
        // Many small components, each of which is closed at once.
        let loops: Vec<Edge> = (0..n).map(|state| (state, state, 0)).collect();
        assert_eq!(fair_edge(n as usize, &loops, &stop), stopped);
    }
}

//! A reachability checker written by hand for two algorithms: what formulas are measured against, and nothing else.
//!
//! - In: a sequential program and goals.
//! - Out: whether some run reaches one of them, by two algorithms written by hand, for measurements.
//! - Never: be asked by the program `getafix`; know formulas, give traces.
//!
//! Contract: answers whether some run of a sequential program reaches one of the goals. It uses the symbolic program
//! that formulas are about, so that a difference in time is a difference in evaluation. It knows no
//! formulas, gives no traces, and owns no clock.
//!
//! Every program point has a diagram over the state at the entry of its module and the state at the point. What is new at a
//! point is propagated, callees before callers. Entry copies exist for what a module may assign only: what it
//! merely reads still has the value of the entry.

#![forbid(unsafe_code)]

mod rank;
mod tables;

mod entry_forward;
mod summary;

use base::Stop;
use dd::{Exhausted, Manager};
use rsm::Goal;
use symbolic::SymbolicProgram;

/// What is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// Summaries from all entries, callees first; then the entries that runs get to.
    Summary,
    /// Summaries from the entries that runs get to.
    EntryForward,
}

impl Algorithm {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Summary, Self::EntryForward];

    /// The name of the formula file for the same algorithm.
    pub fn name(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::EntryForward => "entry_forward",
        }
    }
}

/// What was found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Some run reaches a goal.
    pub is_reachable: bool,
    /// The most diagram nodes at once.
    pub peak_nodes: usize,
    /// How often a program point was taken from the work list.
    pub n_steps: u64,
}

/// Answers whether some run reaches one of the goals. The program was reduced for goals that include these.
pub fn check(
    program: &SymbolicProgram,
    goals: &[Goal],
    algorithm: Algorithm,
    stop: &Stop,
) -> Result<Answer, Exhausted> {
    let mut dd = Manager::new(stop.clone(), None);
    let network = program.network(goals, &mut dd)?;
    let mut tables = tables::Tables::new(&network, dd);
    let is_reachable = match algorithm {
        Algorithm::Summary => summary::run(&mut tables)?,
        Algorithm::EntryForward => entry_forward::run(&mut tables)?,
    };
    Ok(Answer { is_reachable, peak_nodes: tables.dd.peak_nodes(), n_steps: tables.n_steps })
}

//! What the operations of a manager may take: time until somebody asks them to stop, units of work, bytes.
//!
//! A unit of work is a node that was made or a result that was computed. They are counted down from [`POLL`], so that an
//! operation pays one decrement a unit and looks at the rest only from time to time.

use crate::store::Halt;
use base::{Stop, StopReason};

/// How many units of work pass between two looks at the stop flag.
const POLL: u32 = 4096;

/// So much work these are, as the stop flag counts it.
const LOOK: u64 = 16;

pub(crate) struct Allowance {
    stop: Stop,
    /// Why the operation was stopped that returned [`Halt`].
    reason: StopReason,
    /// Units of work until the next look.
    fuel: u32,
    /// Units of work up to the last look, and how many are granted.
    work: u64,
    granted: u64,
    /// The most bytes.
    budget: usize,
}

impl Allowance {
    pub fn new(stop: Stop, budget: Option<u64>) -> Self {
        let budget = budget.map_or(usize::MAX, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        Self { stop, reason: StopReason::Interrupt, fuel: POLL, work: 0, granted: u64::MAX, budget }
    }

    /// Units of work so far.
    pub fn work(&self) -> u64 {
        self.work + u64::from(POLL - self.fuel)
    }

    /// Operations end once so many units of work have been done in all.
    pub fn grant(&mut self, work: u64) {
        self.granted = work;
    }

    /// Counts a unit of work; `true` if it is time for a [`look`](Self::look).
    #[inline]
    pub fn count(&mut self) -> bool {
        self.fuel -= 1;
        self.fuel == 0
    }

    /// Counts more units at once, but leaves one, which is to be counted next.
    pub fn skip(&mut self, units: u32) {
        self.fuel = self.fuel.saturating_sub(units.min(POLL)).max(1);
    }

    /// Looks at the stop flag and at the work that is granted; the units count anew.
    pub fn look(&mut self) -> Result<(), Halt> {
        self.fuel = POLL;
        self.work += u64::from(POLL);
        let used_up = (self.work > self.granted).then_some(StopReason::Work);
        match self.stop.requested_after(LOOK).or(used_up) {
            Some(reason) => Err(self.halt(reason)),
            None => Ok(()),
        }
    }

    /// So many bytes are granted.
    pub fn allows(&self, bytes: usize) -> bool {
        bytes as u64 <= (self.budget as u64).saturating_add(self.stop.lent())
    }

    /// An operation ends for a reason, which is remembered.
    pub fn halt(&mut self, reason: StopReason) -> Halt {
        self.reason = reason;
        Halt
    }

    /// Why the last operation ended that did not come to a result.
    pub fn reason(&self) -> StopReason {
        self.reason
    }
}

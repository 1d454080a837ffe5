//! Runs that are executed while proofs are looked for.
//!
//! More runs are executed when proofs have not told the answer. That waits for nothing that proofs find, so where there is a core for it, it is begun at once.
//! Contract: what is handed over is what would have been found had it been executed then, and nobody hears of it before; where it is not asked
//! for it is stopped, and it is the first to stop when memory becomes scarce.

use crate::overflow::Transfer;
use base::{Gauge, Stop, StopReason};
use checker::{Execution, Limits, Missing, Outcome, Tell};
use std::sync::Arc;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Expressions are evaluated on the stack; the pages are only reserved.
const STACK: usize = 1 << 28;

/// What was found, and what has been told on the way.
struct Executed {
    outcome: Outcome,
    told: Vec<(Outcome, Option<Missing>)>,
}

/// Runs that are being executed, if there are any.
#[derive(Default)]
pub(crate) struct Ahead<'scope>(Option<Running<'scope>>);

struct Running<'scope> {
    execution: Execution,
    stop: Stop,
    gauge: Arc<Gauge>,
    thread: ScopedJoinHandle<'scope, Executed>,
}

/// Does some work while runs are executed, if that is wanted.
pub(crate) fn beside<T>(
    execution: Option<Execution>,
    transfer: &Transfer<'_>,
    work: impl FnOnce(&mut Ahead<'_>) -> T,
) -> T {
    let Some(execution) = execution else { return work(&mut Ahead::default()) };
    std::thread::scope(|scope| {
        let mut ahead = Ahead(Running::new(scope, execution, transfer));
        transfer.limits.stop.stop_first(ahead.0.as_ref().map(|running| &running.stop));
        let done = work(&mut ahead);
        if let Some(running) = ahead.0 {
            running.stop.request(StopReason::Interrupt);
        }
        transfer.limits.stop.stop_first(None);
        done
    })
}

impl<'scope> Running<'scope> {
    fn new<'env>(
        scope: &'scope Scope<'scope, 'env>,
        execution: Execution,
        transfer: &'env Transfer<'env>,
    ) -> Option<Self> {
        let (stop, gauge) = (transfer.limits.stop.part(), Arc::<Gauge>::default());
        let limits = Limits { stop: stop.clone(), gauge: gauge.clone(), ..transfer.limits.clone() };
        let execute = move || {
            let mut told = Vec::new();
            let mut known =
                |outcome: &Outcome, missing: Option<Missing>| told.push((outcome.clone(), missing));
            let outcome = execution.execute(transfer.problem, &limits, transfer.sources, &mut known);
            Executed { outcome, told }
        };
        let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, execute).ok()?;
        Some(Self { execution, stop, gauge, thread })
    }
}

impl Ahead<'_> {
    /// Executes, or waits for what is being executed.
    pub(crate) fn execute(
        &mut self,
        execution: Execution,
        transfer: &Transfer<'_>,
        known: &mut Tell,
    ) -> Outcome {
        let limits = transfer.limits;
        if let Some(Running { stop, gauge, thread, .. }) =
            self.0.take_if(|running| running.execution == execution)
        {
            let executed = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            limits.stop.stop_first(None);
            // It may have been stopped for the sake of the proof.
            if stop.is_requested().is_none() || limits.stop.is_requested().is_some() {
                if let Some(obstacle) = gauge.obstacle() {
                    limits.gauge.hinder(&obstacle);
                }
                executed.told.iter().for_each(|(outcome, missing)| known(outcome, *missing));
                return executed.outcome;
            }
        }
        execution.execute(transfer.problem, limits, transfer.sources, known)
    }
}

#[cfg(test)]
mod tests;

//! Threads that stay between the rounds of a search.
//!
//! Contract: in a round every worker is given something to do, the first of them to the thread that calls; the results come back in the order of the
//! workers, whoever was faster. What works is handed over and comes back, so that between two rounds it belongs to the caller.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

/// A worker with what it is to do, and with what came out.
type Lane<S, J, T> = (Sender<(S, J)>, Receiver<(S, T)>);

/// So many threads beside the one that calls.
pub(crate) struct Crew<S, J, T> {
    lanes: Vec<Lane<S, J, T>>,
}

impl<S: Send, J: Send, T: Send> Crew<S, J, T> {
    /// Starts the threads; they end when the crew is dropped.
    pub(crate) fn new<'scope, 'env: 'scope>(
        scope: &'scope Scope<'scope, 'env>,
        n_others: usize,
        work: &'env (impl Fn(&mut S, J) -> T + Sync),
    ) -> Self
    where
        S: 'scope,
        J: 'scope,
        T: 'scope,
    {
        let lane = |_| {
            let (give, jobs) = channel::<(S, J)>();
            let (tell, done) = channel();
            scope.spawn(move || {
                for (mut worker, job) in jobs {
                    let result = work(&mut worker, job);
                    if tell.send((worker, result)).is_err() {
                        break;
                    }
                }
            });
            (give, done)
        };
        Self { lanes: (0..n_others).map(lane).collect() }
    }

    /// One round.
    pub(crate) fn round(&self, workers: &mut Vec<S>, jobs: Vec<J>, work: &impl Fn(&mut S, J) -> T) -> Vec<T> {
        let mut pairs = std::mem::take(workers).into_iter().zip(jobs);
        let first = pairs.next();
        for ((give, _), pair) in self.lanes.iter().zip(pairs) {
            give.send(pair).expect("a worker does not panic");
        }
        let mut results = Vec::with_capacity(self.lanes.len() + 1);
        if let Some((mut worker, job)) = first {
            results.push(work(&mut worker, job));
            workers.push(worker);
        }
        for (_, done) in &self.lanes {
            let (worker, result) = done.recv().expect("a worker does not panic");
            results.push(result);
            workers.push(worker);
        }
        results
    }
}

//! Threads that stay between the rounds of a search, and threads for what is done once.
//!
//! Contract: in a round every worker is given something to do, the first of them to the thread that calls; the results come back in the order of the
//! workers, whoever was faster. What works is handed over and comes back, so that between two rounds it belongs to the caller.

use std::hint::spin_loop;
use std::sync::mpsc::{Receiver, RecvError, Sender, TryRecvError, channel};
use std::thread::Scope;

/// A worker with what it is to do, and with what came out.
type Lane<S, J, T> = (Sender<(S, J)>, Receiver<(S, T)>);

/// So often one looks for the others before it sleeps: they are as quick as each other, and who sleeps takes long to wake. Now and then it lets others go
/// first, for there may be more threads than cores.
const LOOKS: u32 = 1 << 12;

/// Between two of those times.
const POLITE: u32 = 1 << 6;

/// What comes next.
fn wait<T>(from: &Receiver<T>) -> Result<T, RecvError> {
    for n in 1..=LOOKS {
        match from.try_recv() {
            Ok(next) => return Ok(next),
            Err(TryRecvError::Disconnected) => return Err(RecvError),
            Err(TryRecvError::Empty) if n.is_multiple_of(POLITE) => std::thread::yield_now(),
            Err(TryRecvError::Empty) => spin_loop(),
        }
    }
    from.recv()
}

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
                while let Ok((mut worker, job)) = wait(&jobs) {
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
            let (worker, result) = wait(done).expect("a worker does not panic");
            results.push(result);
            workers.push(worker);
        }
        results
    }
}

/// So many items are worth a thread.
const MANY: usize = 256;

/// Does something to each of many items that do not depend on each other, by so many threads; what comes out is in the order of the items.
pub(crate) fn in_parts<T: Send, U: Send>(
    n_threads: usize,
    mut items: Vec<T>,
    work: impl Fn(T) -> U + Sync,
) -> Vec<U> {
    let n_parts = n_threads.min(items.len() / MANY).max(1);
    let size = items.len().div_ceil(n_parts);
    // The last part first, for it is cut off first.
    let others: Vec<Vec<T>> = (1..n_parts).rev().map(|n| items.split_off(n * size)).collect();
    let all = |part: Vec<T>| part.into_iter().map(&work).collect::<Vec<U>>();
    if others.is_empty() {
        return all(items);
    }
    std::thread::scope(|scope| {
        let all = &all;
        let others: Vec<_> = others.into_iter().map(|part| scope.spawn(move || all(part))).collect();
        let mut done = all(items);
        for other in others.into_iter().rev() {
            done.extend(other.join().expect("a worker does not panic"));
        }
        done
    })
}

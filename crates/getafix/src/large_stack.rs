//! Work that calls itself as deep as a formula or a diagram is high, and its time.

use base::Stop;
#[cfg(not(target_family = "wasm"))]
use base::StopReason;
use std::time::Duration;

/// Stacks to try, largest first; the pages are only reserved.
#[cfg(not(target_family = "wasm"))]
const STACKS: [usize; 4] = [1 << 30, 1 << 28, 1 << 26, 1 << 23];

/// Does something on a stack as large as the system grants, and asks it to stop when its time is over; none if the system grants nothing.
#[cfg(not(target_family = "wasm"))]
pub fn run<T: Send>(timeout: Option<Duration>, stop: &Stop, work: impl Fn() -> T + Sync) -> Option<T> {
    let work = &work;
    std::thread::scope(|scope| {
        let (send, receive) = std::sync::mpsc::channel::<()>();
        let spawn = |stack| {
            let send = send.clone();
            let body = move || {
                // Dropped at the end, or by a panic: either wakes who waits.
                let _send = send;
                work()
            };
            std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, body).ok()
        };
        let worker = STACKS.into_iter().find_map(spawn)?;
        drop(send);
        if let Some(timeout) = timeout
            && receive.recv_timeout(timeout) == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
        {
            stop.request(StopReason::Time);
        }
        match worker.join() {
            Ok(done) => Some(done),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Where there are no threads, there is one stack, and whoever asks watches the time.
#[cfg(target_family = "wasm")]
pub fn run<T: Send>(_: Option<Duration>, _: &Stop, work: impl Fn() -> T + Sync) -> Option<T> {
    Some(work())
}

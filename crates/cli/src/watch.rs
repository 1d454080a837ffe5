//! Runs the work on a thread of its own and watches it: time, memory, Ctrl-C, progress.
//!
//! Contract: this is the only place with a clock and signals. A limit becomes a request on [`Stop`]; a worker that does not
//! answer the request within [`GRACE`] is left behind, and so is one that the system refuses memory to. Its present question is
//! then answered from what is certain, or is `unknown` with a reason from the [`Gauge`].

use crate::args::RunOptions;
use crate::console::Console;
use crate::memory;
use crate::progress::Progress;
use crate::render;
use crate::status::Status;
use base::{Gauge, Stop, StopReason};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// What a piece of work is given.
#[derive(Clone)]
pub struct Job {
    /// Polled by the engine.
    pub stop: Stop,
    /// Written by the engine.
    pub gauge: Arc<Gauge>,
    /// Where answers go.
    pub console: Arc<Console>,
    /// Limits and output.
    pub options: RunOptions,
}

/// How often limits are looked at.
const TICK: Duration = Duration::from_millis(20);

/// How long a worker may take to obey.
const GRACE: Duration = Duration::from_millis(800);

/// Stacks to try, largest first. Recursion is as deep as a formula or a diagram; the pages are only reserved.
const STACKS: [usize; 4] = [1 << 30, 1 << 28, 1 << 26, 1 << 23];

/// The time since the first call.
pub fn clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Does the work within the limits.
pub fn run(options: &RunOptions, work: impl Fn(&Job) -> Status + Send + Sync + 'static) -> Status {
    clock();
    let mut options = options.clone();
    options.memory = options.memory.or_else(memory::default_limit);
    let job = Job {
        stop: Stop::default(),
        gauge: Arc::default(),
        console: Arc::new(Console::new(&options)),
        options,
    };
    let signals = Signals::of_process();
    let (send, receive) = mpsc::channel();
    let work = Arc::new(work);
    let most = memory::address_space().map_or(usize::MAX, |bytes| (bytes / 8) as usize);
    let started = STACKS.iter().filter(|stack| **stack <= most.max(STACKS[3])).any(|&stack| {
        let (job, work, send) = (job.clone(), work.clone(), send.clone());
        let body = move || {
            dd::memory::wait_if_refused();
            // Nobody listens any more once the watchdog has given up.
            let _ = send.send(work(&job));
        };
        std::thread::Builder::new().stack_size(stack).spawn(body).is_ok()
    });
    drop(send);
    if !started {
        job.console.error("cannot start a thread: the system grants no memory for its stack");
        return Status::Rejected;
    }
    supervise(&job, signals, &receive)
}

/// A second Ctrl-C counts as such only after this time: some senders signal twice at once.
const SECOND: Duration = Duration::from_millis(300);

/// What signals set and look at.
#[derive(Default)]
struct Signals {
    /// Somebody pressed Ctrl-C.
    interrupted: Arc<AtomicBool>,
    /// The next Ctrl-C ends the process at once.
    ends: Arc<AtomicBool>,
}

impl Signals {
    /// Those of the process: whoever interrupts one of several runs means all of them.
    fn of_process() -> &'static Self {
        static SIGNALS: OnceLock<Signals> = OnceLock::new();
        SIGNALS.get_or_init(|| {
            let signals = Signals::default();
            signals.listen();
            signals
        })
    }

    fn listen(&self) {
        for signal in [SIGINT, SIGTERM] {
            // Where signals cannot be caught, Ctrl-C ends the process, which is right as well.
            let ends = self.ends.clone();
            let kill = signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, ends);
            if kill.is_ok() {
                let _ = signal_hook::flag::register(signal, self.interrupted.clone());
            }
        }
    }
}

fn supervise(job: &Job, signals: &Signals, receive: &Receiver<Status>) -> Status {
    let mut progress = Progress::new(&job.options);
    let mut asked: Option<Duration> = None;
    let mut relieved: Option<Duration> = None;
    loop {
        match receive.recv_timeout(TICK) {
            Ok(status) => {
                job.console.finish(status);
                return status;
            }
            Err(RecvTimeoutError::Disconnected) => return Status::Bug,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if dd::memory::is_refused() {
            let options = RunOptions { memory: None, ..job.options.clone() };
            let reason = render::stopped(StopReason::Memory, &job.gauge, &options);
            return job.console.give_up(job.gauge.known(), &reason);
        }
        let now = clock();
        // Memory that somebody has been asked to free is not looked at before it can be free.
        let is_relieved = relieved.is_some_and(|at| now - at < GRACE);
        match exceeded(&job.options, &signals.interrupted, now) {
            Some(StopReason::Memory) if is_relieved => {}
            Some(StopReason::Memory) if asked.is_none() => match job.stop.relieve() {
                true => relieved = Some(now),
                false => asked = Some(now),
            },
            Some(reason) if asked.is_none() => {
                job.stop.request(reason);
                asked = Some(now);
            }
            _ => {}
        }
        if let Some(reason) = job.stop.requested()
            && asked.is_some_and(|at| now - at >= GRACE)
        {
            let reason = render::stopped(reason, &job.gauge, &job.options);
            return job.console.give_up(job.gauge.known(), &reason);
        }
        if asked.is_some_and(|at| now - at >= SECOND) {
            signals.ends.store(true, Ordering::Relaxed);
        }
        match asked {
            None => progress.tick(now, &job.gauge, &job.console),
            Some(_) => job.console.clear(),
        }
    }
}

/// The limit that has been passed, if any.
fn exceeded(options: &RunOptions, interrupted: &AtomicBool, now: Duration) -> Option<StopReason> {
    if interrupted.load(Ordering::Relaxed) {
        return Some(StopReason::Interrupt);
    }
    if options.timeout.is_some_and(|limit| now >= limit) {
        return Some(StopReason::Time);
    }
    let limit = options.memory?;
    (memory::of_all_processes()? > limit).then_some(StopReason::Memory)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::early::Early;
    use base::Known;
    use checker::Missing;
    use present::answer::Conclusion;

    /// How a run ends whose worker tells something and then never looks at the request to stop.
    fn left_behind(told: Known) -> Status {
        let options = RunOptions { timeout: Some(Duration::from_millis(1)), ..RunOptions::default() };
        run(&options, move |job| {
            job.console.foresee(Box::new(|known, _| {
                let Known::Reachable { .. } = known else { return None };
                let conclusion = Conclusion::bare("reachable", String::new(), None, Vec::new());
                Some(Early { conclusion, status: Status::Violated, missing: Some(Missing::Trace) })
            }));
            job.gauge.tell(told);
            loop {
                std::thread::sleep(TICK);
            }
        })
    }

    #[test]
    fn what_is_known_is_answered_although_the_worker_does_not_stop() {
        assert_eq!(left_behind(Known::Reachable { least: None }), Status::Violated);
        assert_eq!(left_behind(Known::Nothing), Status::Unknown);
    }
}

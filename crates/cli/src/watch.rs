//! Runs the work on a thread of its own and watches it: time, memory, Ctrl-C, progress.
//!
//! Contract: this is the only place with signals. A limit becomes a request on [`Stop`]; a worker that does not
//! answer the request within [`GRACE`] is left behind, and so is one that the system refuses memory to. Its present question is
//! then answered from what is certain, or is `unknown` with a reason from the [`Gauge`].

use crate::args::RunOptions;
use crate::console::Console;
use crate::files::Files;
use crate::memory;
use crate::progress::Progress;
use getafix::{
    Events, Gauge, Limits, Output, Question, Record, Reply, Request, Status, Stop, StopReason, clock,
};
use present::reason::LimitsSet;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A piece of work, as its watchdog sees it.
struct Job {
    stop: Stop,
    gauge: Arc<Gauge>,
    record: Arc<Record>,
    console: Arc<Console>,
    options: RunOptions,
}

/// How often limits are looked at.
const TICK: Duration = Duration::from_millis(20);

/// How long a worker may take to obey.
const GRACE: Duration = Duration::from_millis(800);

/// Stacks to try, largest first. Recursion is as deep as a formula or a diagram; the pages are only reserved.
const STACKS: [usize; 4] = [1 << 30, 1 << 28, 1 << 26, 1 << 23];

/// Asks a question within the limits; what is said on the way is on the screen, but for the JSON object.
pub fn ask(options: &RunOptions, output: Output, question: Question) -> (Arc<Console>, Reply) {
    ask_with(Files::default(), options, output, question)
}

/// The same, with these files.
pub fn ask_with(
    files: Files,
    options: &RunOptions,
    output: Output,
    question: Question,
) -> (Arc<Console>, Reply) {
    clock();
    let mut options = options.clone();
    options.memory = options.memory.or_else(memory::default_limit);
    let console = Arc::new(Console::new(&options));
    let listener = console.clone();
    let events = Events::with(files).heard(output, Box::new(move |said| listener.hear(said)));
    let job = Job {
        stop: events.stop.clone(),
        gauge: events.gauge.clone(),
        record: events.record.clone().expect("somebody listens"),
        console: console.clone(),
        options,
    };
    let limits = Limits { timeout: job.options.timeout, memory: job.options.memory };
    let request = Arc::new(Request { sources: Vec::new(), question, limits, output });
    // Whoever sees the worker may send signals.
    let signals = Signals::of_process();
    let Some(receive) = started(&request, &events) else {
        let mut reply = Reply::default();
        let message = "cannot start a thread: the system grants no memory for its stack";
        console.complain(&mut reply, message, Status::Rejected);
        return (console, reply);
    };
    let reply = supervise(&job, signals, &receive);
    (console, reply)
}

/// Starts the work on as large a stack as there is.
fn started(request: &Arc<Request>, events: &Events) -> Option<Receiver<Reply>> {
    let (send, receive) = mpsc::channel();
    let most = dd::memory::address_space().map_or(usize::MAX, |bytes| (bytes / 8) as usize);
    let is_started = STACKS.iter().filter(|stack| **stack <= most.max(STACKS[3])).any(|&stack| {
        let (request, mut events, send) = (request.clone(), events.clone(), send.clone());
        let body = move || {
            dd::memory::wait_if_refused();
            // Nobody listens any more once the watchdog has given up.
            let _ = send.send(getafix::answer_here(&request, &mut events));
        };
        std::thread::Builder::new().stack_size(stack).spawn(body).is_ok()
    });
    is_started.then_some(receive)
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

/// Listens to signals from now on.
pub fn listen() {
    Signals::of_process();
}

/// Somebody has asked us to stop.
pub fn is_interrupted() -> bool {
    static SINCE: OnceLock<Duration> = OnceLock::new();
    let signals = Signals::of_process();
    let is_interrupted = signals.interrupted.load(Ordering::Relaxed);
    let since = || clock().saturating_sub(*SINCE.get_or_init(clock));
    if is_interrupted && since() >= SECOND {
        signals.ends.store(true, Ordering::Relaxed);
    }
    is_interrupted
}

/// Asks us to stop, as a signal does.
pub fn interrupt() {
    Signals::of_process().interrupted.store(true, Ordering::Relaxed);
}

fn supervise(job: &Job, signals: &Signals, receive: &Receiver<Reply>) -> Reply {
    let mut progress = Progress::new(&job.options);
    let mut asked: Option<Duration> = None;
    let mut relieved: Option<Duration> = None;
    loop {
        match receive.recv_timeout(TICK) {
            Ok(reply) => return reply,
            // A panic ends the process in its hook.
            Err(RecvTimeoutError::Disconnected) => unreachable!("the worker is gone"),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if dd::memory::is_refused() {
            return job.give_up(StopReason::Memory, LimitsSet { memory: None, ..job.limits_set() });
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
            return job.give_up(reason, job.limits_set());
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

impl Job {
    fn limits_set(&self) -> LimitsSet {
        LimitsSet { timeout: self.options.timeout, memory: self.options.memory }
    }

    /// Leaves the worker behind.
    fn give_up(&self, reason: StopReason, limits: LimitsSet) -> Reply {
        let reason = limits.halted(reason, &self.gauge);
        self.record.give_up(self.gauge.known(), &reason).unwrap_or_else(|| {
            // The worker is blocked in a write: whoever reads stdout is not reading, and will not read more.
            smt::end_all();
            std::process::exit(Status::Unknown.code().into())
        })
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

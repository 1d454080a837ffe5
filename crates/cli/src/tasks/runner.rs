//! Many checks side by side, each in a process of its own.
//!
//! Contract: a process has its own limits, and what becomes of it, a panic included, concerns no other. It ends when we end, however that is: its stdin is a pipe of ours. Answers come in the order in
//! which they are found; which answers they are does not depend on how many run at once, as far as limits do not.

use super::answer::Answer;
use super::task::Task;
use crate::watch;
use getafix::Status;
use std::ffi::OsString;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How often a process is looked at.
const TICK: Duration = Duration::from_millis(5);

/// So long a process may take to stop when it is asked to.
const GRACE: Duration = Duration::from_secs(3);

/// How tasks are run.
pub struct Runner {
    /// So many at once.
    pub jobs: usize,
    /// So many stages of each side by side.
    pub stages: usize,
    /// So many bytes for each that has no limit of its own.
    pub memory: Option<u64>,
    /// Where the pages about them go.
    pub pages: Option<PageFiles>,
}

/// The pages about many programs: `FILE-1.html` and so on beside `FILE.html`, which leads to them.
pub struct PageFiles(pub PathBuf);

impl PageFiles {
    /// The page of a task.
    pub fn page(&self, number: usize) -> PathBuf {
        let mut name = self.0.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-{}.html", number + 1));
        self.0.with_file_name(name)
    }
}

impl Runner {
    /// Runs those of the tasks that have these numbers, and tells each answer as soon as it is there, until somebody does not want to hear more.
    pub fn run(
        &self,
        tasks: &[Task],
        numbers: &[usize],
        mut done: impl FnMut(usize, Answer) -> ControlFlow<()>,
    ) {
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (send, receive) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                let (send, next, stop) = (send.clone(), &next, &stop);
                scope.spawn(move || {
                    while !is_over(stop)
                        && let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let answer = self.ask(number, &tasks[number], stop);
                        // Whoever listens has heard enough.
                        let _ = send.send((number, answer));
                    }
                });
            }
            drop(send);
            for (number, answer) in receive {
                if !stop.load(Ordering::Relaxed) && done(number, answer).is_break() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
    }

    fn ask(&self, number: usize, task: &Task, stop: &AtomicBool) -> Answer {
        let start = Instant::now();
        let program = match std::env::current_exe() {
            Ok(program) => program,
            Err(error) => {
                return Answer::failed(&format!("getafix does not find itself: {error}"), String::new());
            }
        };
        let mut command = Command::new(program);
        command.args(["check", "--as-task"]).args(self.words(number, task)).args(&task.options);
        command.arg("--").arg(&task.file);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &task.folder {
            command.current_dir(folder);
        }
        // A Ctrl-C of the terminal reaches us only, and we decide.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        match command.spawn() {
            Ok(child) => wait(child, stop, start),
            Err(error) => Answer::failed(&format!("a process cannot be started: {error}"), String::new()),
        }
    }
}

impl Runner {
    /// The options that a task has from us.
    fn words(&self, number: usize, task: &Task) -> Vec<OsString> {
        let is_limited = task.options.iter().any(|word| word.to_string_lossy().starts_with("--memory="));
        let memory = self.memory.filter(|_| !is_limited);
        let mut words: Vec<OsString> =
            memory.iter().map(|bytes| format!("--memory={bytes}").into()).collect();
        if self.stages > 1 {
            words.push(format!("--jobs={}", self.stages).into());
        }
        if let Some(pages) = &self.pages {
            let page = pages.page(number);
            let page = std::path::absolute(&page).unwrap_or(page);
            words.extend(super::task::words("html", page.as_os_str()));
        }
        words
    }
}

/// Nothing more is to be begun.
fn is_over(stop: &AtomicBool) -> bool {
    stop.load(Ordering::Relaxed) || watch::is_interrupted()
}

/// Waits for the answer, or for somebody who does not want it any more.
fn wait(mut child: Child, stop: &AtomicBool, start: Instant) -> Answer {
    let (output, errors) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let mut asked: Option<Instant> = None;
    let code = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.code(),
            Ok(None) => {}
            Err(_) => break None,
        }
        if is_over(stop) {
            drop(child.stdin.take());
            if asked.get_or_insert_with(Instant::now).elapsed() > GRACE {
                let _ = child.kill();
            }
        }
        std::thread::sleep(TICK);
    };
    let all = |thread: std::thread::JoinHandle<Vec<u8>>| thread.join().unwrap_or_default();
    let errors = String::from_utf8_lossy(&all(errors)).into_owned();
    let mut answer = Answer::read(code, &all(output), errors, start.elapsed().as_secs_f64());
    if asked.is_some() && !matches!(answer.status, Status::Evaluated | Status::Violated) {
        // Also if it had to be killed.
        answer.status = Status::Unknown;
        answer.is_interrupted = true;
        answer.object["verdict"] = "unknown".into();
        answer.headline = "UNKNOWN: interrupted".to_owned();
    }
    answer
}

/// All that comes through a pipe.
fn collect(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

//! One run of a program: its output, its time and the most memory it had.
//!
//! The time ends when the program closes its output, so it does not depend on how often the watcher looks.
//! Memory is what `/proc` says is the largest resident set so far, read while the program runs: of a
//! program that ends within a few milliseconds nothing may be seen.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How a run ended.
pub struct Run {
    /// What it printed.
    pub output: String,
    /// From start to the end of the output.
    pub time: Duration,
    /// Largest resident set in KiB, if it was seen.
    pub resident: Option<u64>,
    /// How it ended.
    pub end: End,
    /// Its exit status, if it has one.
    pub status: Option<i32>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// With status 0.
    Finished,
    /// It was ended because it took too long.
    TimedOut,
    /// Otherwise, and what it complained about.
    Failed(String),
}

/// Runs a command; `complaints` is a file for its standard error.
pub fn run(words: &[String], complaints: &Path, timeout: Duration) -> Run {
    let start = Instant::now();
    let mut child = match spawn(words, complaints) {
        Ok(child) => child,
        Err(error) => {
            let end = End::Failed(format!("cannot run `{}`: {error}", words[0]));
            return Run { output: String::new(), time: start.elapsed(), resident: None, end, status: None };
        }
    };
    let mut stdout = child.stdout.take().expect("stdout is a pipe");
    let pid = child.id();
    let watch = Watch {
        pid,
        child: Mutex::new(child),
        deadline: start + timeout,
        resident: AtomicU64::new(0),
        is_over: AtomicBool::new(false),
        is_late: AtomicBool::new(false),
    };
    let mut output = Vec::new();
    let time = std::thread::scope(|scope| {
        scope.spawn(|| watch.look_on());
        // A broken pipe ends the output like its end does.
        let _ = stdout.read_to_end(&mut output);
        let time = start.elapsed();
        watch.is_over.store(true, Ordering::Relaxed);
        time
    });
    let resident = watch.resident.load(Ordering::Relaxed);
    let (end, status) = watch.end(complaints);
    Run {
        output: String::from_utf8_lossy(&output).into_owned(),
        time,
        resident: (resident > 0).then_some(resident),
        end,
        status,
    }
}

fn spawn(words: &[String], complaints: &Path) -> std::io::Result<Child> {
    Command::new(&words[0])
        .args(&words[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(File::create(complaints)?)
        .spawn()
}

/// What the watcher and the reader share.
struct Watch {
    pid: u32,
    child: Mutex<Child>,
    deadline: Instant,
    resident: AtomicU64,
    is_over: AtomicBool,
    is_late: AtomicBool,
}

impl Watch {
    /// Notes the memory until the output ends; ends the program when its time is over.
    fn look_on(&self) {
        let mut pause = Duration::from_micros(200);
        while !self.is_over.load(Ordering::Relaxed) {
            if let Some(resident) = resident(self.pid) {
                self.resident.fetch_max(resident, Ordering::Relaxed);
            }
            if Instant::now() >= self.deadline && !self.is_late.swap(true, Ordering::Relaxed) {
                // It may have ended by itself in the meantime.
                let _ = self.child.lock().unwrap_or_else(PoisonError::into_inner).kill();
            }
            std::thread::sleep(pause);
            pause = (pause * 5 / 4).min(Duration::from_millis(5));
        }
    }

    /// How it ended, and its exit status.
    fn end(&self, complaints: &Path) -> (End, Option<i32>) {
        let status = self.child.lock().unwrap_or_else(PoisonError::into_inner).wait();
        let code = status.as_ref().ok().and_then(ExitStatus::code);
        let end = match status {
            _ if self.is_late.load(Ordering::Relaxed) => End::TimedOut,
            Ok(status) if status.success() => End::Finished,
            Ok(status) => End::Failed(format!("{status}: {}", first_line(complaints))),
            Err(error) => End::Failed(error.to_string()),
        };
        (end, code)
    }
}

/// The largest resident set of a process so far, in KiB; its number may also be `self`.
pub fn resident(pid: impl Display) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn first_line(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().next().unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_words(words: &[&str], timeout: Duration) -> Run {
        let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
        let name = format!("getafix-bench-child-{}-{}", std::process::id(), words.join("-").len());
        let complaints = std::env::temp_dir().join(name);
        let run = run(&words, &complaints, timeout);
        let _ = fs::remove_file(complaints);
        run
    }

    #[test]
    fn output_and_end_are_reported() {
        let run = run_words(&["echo", "true"], Duration::from_secs(60));
        assert_eq!((run.output.as_str(), run.end), ("true\n", End::Finished));
    }

    #[test]
    fn a_run_that_takes_too_long_is_ended() {
        let run = run_words(&["sleep", "600"], Duration::from_millis(20));
        assert_eq!(run.end, End::TimedOut);
        assert!(run.resident.is_some());
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let run = run_words(&["./no-such-program"], Duration::from_secs(60));
        assert!(matches!(run.end, End::Failed(message) if message.contains("no-such-program")));
    }
}

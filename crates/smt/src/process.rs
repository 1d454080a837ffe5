//! A solver as a process that is kept open.
//!
//! Contract: text goes in, text comes back up to a mark that the solver was told to print. Writing never blocks whoever asks, and reading
//! ends when the answer is there, the process has died, it has been silent for too long, or a stop is requested. However it
//! ends, the process does not outlive the value, nor this program: [`end_all`] ends it at once, and `lifeline` if there is nobody left to do so.

use crate::lifeline;
use base::Stop;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// Whoever asked was told to stop.
    Stopped,
    /// The process said nothing for too long.
    Silent,
    /// The process ended.
    Died,
    /// It ended because it needed more memory than it may take.
    Memory,
    /// It said something that is no answer.
    Nonsense(String),
    /// It cannot be used at all.
    Unusable(String),
}

/// A running solver.
pub(crate) struct Process {
    child: Arc<Mutex<Child>>,
    /// To the thread that writes; nothing when all has been sent.
    input: Option<Sender<String>>,
    /// From the thread that reads.
    output: Receiver<Vec<u8>>,
    /// What has been read and not been looked at.
    pending: Vec<u8>,
}

/// How often whoever waits looks at its stop.
const TICK: Duration = Duration::from_millis(10);

/// Longer answers are nonsense.
const LONGEST: usize = 1 << 26;

/// How z3 ends when it needs more memory than it may take.
const OUT_OF_MEMORY: i32 = 101;

/// A process that has closed its output ends soon; after so many looks nobody waits for that.
const LOOKS: u32 = 50;

impl Process {
    /// Starts a program.
    pub(crate) fn start(program: &Path, arguments: &[String]) -> Result<Self, Trouble> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut running = lock(&RUNNING);
        let Some(running) = &mut *running else {
            return Err(Trouble::Unusable("everything is being ended".to_owned()));
        };
        let mut child = spawn(lifeline::apart(&mut command)).map_err(|error| {
            Trouble::Unusable(format!("`{}` cannot be started: {error}", program.display()))
        })?;
        // Until it is sent something, it ends by itself when we are gone.
        lifeline::hold(child.id());
        let mut stdin = child.stdin.take().expect("it was asked for");
        let mut stdout = child.stdout.take().expect("it was asked for");
        let child = Arc::new(Mutex::new(child));
        running.retain(|other| other.strong_count() > 0);
        running.push(Arc::downgrade(&child));
        let (input, texts) = channel::<String>();
        let (chunks, output) = sync_channel(16);
        // Each thread ends when the process does, or when the other end of its channel is gone.
        std::thread::spawn(move || {
            for text in texts {
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(n) = stdout.read(&mut buffer) {
                if n == 0 || chunks.send(buffer[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, input: Some(input), output, pending: Vec::new() })
    }

    /// Sends text. That it did not arrive shows when the answer does not come.
    pub(crate) fn send(&mut self, text: String) {
        if let Some(input) = &self.input {
            let _ = input.send(text);
        }
    }

    /// Nothing more is sent.
    pub(crate) fn finish(&mut self) {
        self.input = None;
    }

    /// What is printed before a line that is the mark.
    pub(crate) fn receive(&mut self, mark: &str, stop: &Stop, patience: Duration) -> Result<String, Trouble> {
        let mut scanned = 0;
        loop {
            if let Some((text, end)) = before(&self.pending, scanned, mark) {
                self.pending.drain(..end);
                return Ok(text);
            }
            scanned = self.pending.len().saturating_sub(mark.len() + 2);
            self.wait(stop, patience)?;
        }
    }

    /// Everything that it prints until it ends.
    pub(crate) fn all(&mut self, stop: &Stop, patience: Duration) -> Result<String, Trouble> {
        loop {
            match self.wait(stop, patience) {
                Ok(()) => {}
                Err(Trouble::Died) => return Ok(String::from_utf8_lossy(&self.pending).into_owned()),
                Err(trouble) => return Err(trouble),
            }
        }
    }

    /// Everything that it has printed, if it has ended.
    pub(crate) fn ended(&mut self) -> Option<Result<String, Trouble>> {
        loop {
            match self.output.try_recv() {
                Ok(chunk) if self.pending.len() <= LONGEST => self.pending.extend(chunk),
                Ok(_) | Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => {
                    return Some(match self.why_ended() {
                        Trouble::Memory => Err(Trouble::Memory),
                        _ => Ok(String::from_utf8_lossy(&self.pending).into_owned()),
                    });
                }
            }
        }
    }

    /// Why a process that has closed its output has ended.
    fn why_ended(&self) -> Trouble {
        for _ in 0..LOOKS {
            let mut child = lock(&self.child);
            match child.try_wait() {
                Ok(Some(status)) => {
                    lifeline::forget(child.id());
                    let is_memory = status.code() == Some(OUT_OF_MEMORY);
                    return if is_memory { Trouble::Memory } else { Trouble::Died };
                }
                Ok(None) => {}
                Err(_) => break,
            }
            drop(child);
            std::thread::sleep(TICK);
        }
        Trouble::Died
    }

    /// Waits for more.
    fn wait(&mut self, stop: &Stop, patience: Duration) -> Result<(), Trouble> {
        if self.pending.len() > LONGEST {
            return Err(Trouble::Nonsense("an answer without end".to_owned()));
        }
        let mut waited = Duration::ZERO;
        loop {
            if stop.requested_after(0).is_some() {
                return Err(Trouble::Stopped);
            }
            match self.output.recv_timeout(TICK.min(patience)) {
                Ok(chunk) => {
                    self.pending.extend(chunk);
                    return Ok(());
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.why_ended()),
                Err(RecvTimeoutError::Timeout) if waited >= patience => return Err(Trouble::Silent),
                Err(RecvTimeoutError::Timeout) => waited += TICK,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // What it is asked no longer matters; that it has ended already is no mistake.
        self.finish();
        end(&self.child);
    }
}

/// All processes that are running; nothing when no more are started.
static RUNNING: Mutex<Option<Vec<Weak<Mutex<Child>>>>> = Mutex::new(Some(Vec::new()));

/// Ends all processes, whoever waits for them, and starts no more: for when the program is left while threads are still at work.
pub fn end_all() {
    let running = lock(&RUNNING).take().unwrap_or_default();
    running.iter().filter_map(Weak::upgrade).for_each(|child| end(&child));
}

fn end(child: &Mutex<Child>) {
    let mut child = lock(child);
    lifeline::release(child.id());
    let _ = child.kill();
    let _ = child.wait();
}

/// Whoever panicked with it has left it as it was.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program that has just been written may still be open for writing elsewhere in this process for a moment.
fn spawn(command: &mut Command) -> std::io::Result<Child> {
    for _ in 0..50 {
        match command.spawn() {
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => std::thread::sleep(TICK),
            spawned => return spawned,
        }
    }
    command.spawn()
}

/// The text before a line that is the mark, and where that line ends. The first so many bytes have no such line.
fn before(pending: &[u8], scanned: usize, mark: &str) -> Option<(String, usize)> {
    let mut start = pending[..scanned].iter().rposition(|&c| c == b'\n').map_or(0, |at| at + 1);
    while let Some(length) = pending[start..].iter().position(|&c| c == b'\n') {
        let line = &pending[start..start + length];
        if line.strip_suffix(b"\r").unwrap_or(line) == mark.as_bytes() {
            return Some((String::from_utf8_lossy(&pending[..start]).into_owned(), start + length + 1));
        }
        start += length + 1;
    }
    None
}

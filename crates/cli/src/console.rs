//! The one place that writes to stdout and stderr.
//!
//! Contract: stdout carries answers only, in text as they come and in JSON as one object at the end; stderr carries
//! everything else. The progress line is erased before anything else is written. After
//! [`Console::give_up`] nothing more is written, so a worker that does not stop cannot spoil the output.

use crate::answer::{self, Subject, Value};
use crate::args::{RunOptions, Stdout};
use crate::early::{Early, Foresight};
use crate::json::{self, Report};
use crate::status::Status;
use crate::terminal::Terminal;
use base::{Diagnostic, Known, Severity, Sources};
use present::answer::{Conclusion, missing_line};
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

/// Shared by the worker, which answers, and the watchdog, which shows progress and may give up.
pub struct Console {
    json: bool,
    quiet: bool,
    colour: bool,
    terminal: Terminal,
    stdout: Stdout,
    state: Mutex<State>,
}

/// So many diagnostics about a text are shown; of the others only their number is.
const MOST_DIAGNOSTICS: usize = 20;

#[derive(Default)]
struct State {
    /// What the JSON object will hold.
    report: Report,
    /// What is being evaluated.
    subject: Subject,
    /// What to answer, should the worker not come to its end.
    foresight: Option<Foresight>,
    /// A progress line is on the screen.
    progress: bool,
    /// Nothing more may be written.
    closed: bool,
    /// Stdout is for a file that was asked for, so that the answer goes to stderr.
    is_aside: bool,
}

impl Console {
    /// A console for these options.
    pub fn new(options: &RunOptions) -> Self {
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let state = State { is_aside: matches!(options.stdout, Stdout::File), ..State::default() };
        if let (Stdout::Answers { file, is_first }, false) = (&options.stdout, options.json) {
            let gap = if *is_first { "" } else { "\n" };
            // What is answered about other files counts, whoever reads it.
            last_words(&format!("{gap}{file}:\n"));
        }
        Self {
            json: options.json,
            quiet: options.quiet,
            colour: std::io::stderr().is_terminal() && !no_colour,
            terminal: Terminal::of_stdout(),
            stdout: options.stdout.clone(),
            state: Mutex::new(state),
        }
    }

    /// Names what is evaluated from now on, for [`Console::give_up`].
    pub fn begin(&self, subject: Subject) {
        self.lock().subject = subject;
    }

    /// Answers what [`Console::begin`] named.
    pub fn answer(&self, value: &Value) {
        let mut state = self.lock();
        record(&mut state, self.json, value);
    }

    /// Text of its own, such as a stage of `--show`, on stdout.
    pub fn show(&self, stage: &'static str, text: &str) {
        let mut state = self.lock();
        state.subject = Subject { directive: stage, ..Subject::default() };
        if self.json {
            record(&mut state, true, &Value::Text(text.to_owned()));
        } else if !state.closed {
            erase(&mut state);
            stdout(text.as_bytes());
        }
    }

    /// Text that is an answer, on stdout; commands that print text only.
    pub fn print(&self, text: &str) {
        let mut state = self.lock();
        if !state.closed {
            written_in(&mut state, text);
        }
    }

    /// What is answered if the worker does not come to its end.
    pub fn foresee(&self, foresight: Foresight) {
        self.lock().foresight = Some(foresight);
    }

    /// The answer of a command about a program.
    pub fn conclude(&self, conclusion: Conclusion) {
        let mut state = self.lock();
        if !state.closed {
            self.conclude_in(&mut state, conclusion);
        }
    }

    /// An error or warning about the user's text.
    pub fn diagnose(&self, sources: &Sources, diagnostic: &Diagnostic) {
        let mut state = self.lock();
        if self.json {
            state.report.diagnostics.push(json::diagnostic(sources, diagnostic));
        }
        if diagnostic.severity == Severity::Error || !self.quiet {
            let text = base::render(sources, diagnostic);
            stderr(&mut state, &self.coloured(&text));
        }
    }

    /// All that is to be said about a text. If that is very much, errors come before warnings, and the rest is counted.
    pub fn diagnose_all(&self, sources: &Sources, diagnostics: &[Diagnostic]) {
        let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
        let is_shown = |diagnostic: &&Diagnostic| is_error(diagnostic) || !self.quiet;
        let mut shown: Vec<&Diagnostic> = diagnostics.iter().filter(is_shown).collect();
        let n_more = shown.len().saturating_sub(MOST_DIAGNOSTICS);
        if n_more > 0 {
            shown.sort_by_key(|diagnostic| !is_error(diagnostic));
            shown.truncate(MOST_DIAGNOSTICS);
        }
        let text: String = shown.iter().map(|diagnostic| base::render(sources, diagnostic)).collect();
        let mut state = self.lock();
        stderr(&mut state, &self.coloured(&text));
        if n_more > 0 {
            stderr(&mut state, &format!("… and {n_more} more\n"));
        }
        if self.json {
            let all = diagnostics.iter().map(|diagnostic| json::diagnostic(sources, diagnostic));
            state.report.diagnostics.extend(all);
        }
    }

    /// An error that has no place in a text.
    pub fn error(&self, message: &str) {
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            message: message.to_owned(),
            span: None,
            notes: Vec::new(),
        };
        self.diagnose(&Sources::default(), &diagnostic);
    }

    /// A remark on stderr, unless `--quiet`.
    pub fn note(&self, message: &str) {
        if !self.quiet {
            stderr(&mut self.lock(), &self.coloured(&format!("note: {message}\n")));
        }
    }

    /// Lines on stderr that were asked for: statistics and times.
    pub fn remark(&self, lines: &str) {
        stderr(&mut self.lock(), lines);
    }

    /// The figures of the run, for the JSON object.
    pub fn statistics(&self, statistics: serde_json::Value) {
        self.lock().report.stats = Some(statistics);
    }

    /// A run that was executed, for the JSON object.
    pub fn executed(&self, run: serde_json::Value) {
        self.lock().report.run = Some(run);
    }

    /// The figures of a search of states, for the JSON object.
    pub fn searched(&self, figures: serde_json::Value) {
        self.lock().report.search = Some(figures);
    }

    /// Replaces the progress line.
    pub fn progress(&self, line: &str) {
        // A worker that is writing has something better to show.
        if let Ok(mut state) = self.state.try_lock()
            && !state.closed
        {
            state.progress = true;
            let _ = write!(std::io::stderr(), "{}", drawn(line));
        }
    }

    /// Takes the progress line away: nobody knows how soon the process ends.
    pub fn clear(&self) {
        // A worker that is writing has taken it away.
        if let Ok(mut state) = self.state.try_lock() {
            erase(&mut state);
        }
    }

    /// The end: erases the progress line and prints the JSON object.
    pub fn finish(&self, status: Status) {
        self.close(&mut self.lock(), status);
    }

    /// The end while the worker is still busy: what is certain is said, and otherwise its present subject is unknown for
    /// this reason.
    pub fn give_up(&self, known: Known, reason: &str) -> Status {
        for _ in 0..10 {
            match self.state.try_lock() {
                Ok(mut state) => return self.give_up_in(&mut state, known, reason),
                // The worker is blocked in a write: whoever reads stdout is not reading.
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
                Err(TryLockError::Poisoned(_)) => return Status::Unknown,
            }
        }
        Status::Unknown
    }

    fn give_up_in(&self, state: &mut State, known: Known, reason: &str) -> Status {
        let foresight = state.foresight.take().filter(|_| state.report.conclusion.is_none() && !state.closed);
        let Some(early) = foresight.and_then(|foresight| foresight(known, reason)) else {
            if !state.closed {
                record(state, self.json, &Value::Unknown(reason.to_owned()));
                self.close(state, Status::Unknown);
            }
            return Status::Unknown;
        };
        let Early { mut conclusion, status, missing } = early;
        if let Some(missing) = missing {
            conclusion.text.push_str(&missing_line(missing, reason));
            conclusion.unfinished.push((missing, reason.to_owned()));
        }
        self.conclude_in(state, conclusion);
        self.close(state, status);
        status
    }

    fn conclude_in(&self, state: &mut State, conclusion: Conclusion) {
        if !self.json && state.is_aside {
            stderr(state, &conclusion.text);
        } else if !self.json {
            erase(state);
            last_words(&self.terminal.shown(&conclusion.text, conclusion.verdict));
        }
        state.report.conclusion = Some(conclusion);
    }

    fn close(&self, state: &mut State, status: Status) {
        if state.closed {
            return;
        }
        erase(state);
        if self.json {
            let verdict = match status {
                // A command about programs has a conclusion, whose verdict comes first.
                Status::Violated if state.report.run.is_some() => "violated",
                Status::Evaluated | Status::Violated => "evaluated",
                Status::Unknown => "unknown",
                Status::Rejected | Status::Bug => "error",
            };
            let mut object = state.report.object(verdict);
            let text = match &self.stdout {
                Stdout::Answers { file, .. } => {
                    object["file"] = serde_json::json!(file);
                    format!("{object}\n")
                }
                _ => format!("{object:#}\n"),
            };
            last_words(&text);
        }
        state.closed = true;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic ends the process in its hook, so nobody sees a poisoned lock.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn coloured(&self, text: &str) -> String {
        if !self.colour {
            return text.to_owned();
        }
        let paint = |line: &str| {
            for (word, code) in [("error:", "1;31"), ("warning:", "1;33"), ("note:", "1;36")] {
                if let Some(rest) = line.strip_prefix(word) {
                    return format!("\x1b[{code}m{word}\x1b[0m{rest}");
                }
            }
            line.to_owned()
        };
        text.split_inclusive('\n').map(paint).collect()
    }
}

/// Writes an answer, or keeps it for the JSON object.
fn record(state: &mut State, json: bool, value: &Value) {
    if state.closed {
        return;
    }
    if let Value::Unknown(reason) = value {
        state.report.reason.get_or_insert_with(|| reason.clone());
    }
    if json {
        let entry = json::answer(&state.subject, value);
        state.report.answers.extend(entry);
    } else if state.subject.is_text() {
        let text = answer::text(&state.subject, value);
        stderr(state, &text);
    } else {
        let text = answer::text(&state.subject, value);
        say(state, &text);
    }
}

/// Writes an answer where answers go.
fn say(state: &mut State, text: &str) {
    if state.is_aside {
        stderr(state, text);
    } else {
        written_in(state, text);
    }
}

/// Writes to stdout. Behind an answer, that nobody reads any more does not change the status.
fn written_in(state: &mut State, text: &str) {
    erase(state);
    match state.report.conclusion {
        Some(_) => last_words(text),
        None => stdout(text.as_bytes()),
    }
}

/// A line in place of the one before. The cursor goes back to its beginning: what the terminal shows of Ctrl-C behind a line that is as wide as the
/// terminal would begin another one, and only that could be erased.
fn drawn(line: &str) -> String {
    format!("\r\x1b[K{line}\r")
}

fn erase(state: &mut State) {
    if std::mem::take(&mut state.progress) {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

fn stderr(state: &mut State, text: &str) {
    if !state.closed {
        erase(state);
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

/// Writes to stdout while more is to come. Nobody can be answered once stdout is gone, so a failure ends the process: quietly
/// if the reader has left (`| head`), otherwise with the reason.
pub fn stdout(bytes: &[u8]) {
    if written(bytes) == Reader::Left {
        std::process::exit(0);
    }
}

/// Writes the answer to stdout. Whether or not the reader stays to the end of it, the status of the run says the same.
fn last_words(text: &str) {
    written(text.as_bytes());
}

/// Who reads stdout.
#[derive(PartialEq, Eq)]
enum Reader {
    There,
    Left,
}

fn written(bytes: &[u8]) -> Reader {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Reader::There,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Reader::Left,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: cannot write to stdout: {error}");
            std::process::exit(Status::Rejected.code().into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::drawn;

    #[test]
    fn nothing_comes_behind_the_progress_line() {
        assert!(drawn("1.0s").ends_with("1.0s\r"));
    }
}

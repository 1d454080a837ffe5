//! The one place that writes to stdout and stderr.
//!
//! Contract: stdout carries answers only, in text as they come and in JSON as one object at the end; stderr carries
//! everything else. The progress line is erased before anything else is written.

use crate::args::{RunOptions, Stdout};
use crate::terminal::Terminal;
use base::{Diagnostic, Severity, Sources};
use getafix::{Reply, Said, Status};
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard};

/// Shared by who answers, and the watchdog, which shows progress.
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
    /// A progress line is on the screen.
    progress: bool,
    /// The answer about a program was printed.
    concluded: bool,
}

impl Console {
    /// A console for these options.
    pub fn new(options: &RunOptions) -> Self {
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
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
            state: Mutex::default(),
        }
    }

    /// Writes what is said, where it belongs.
    pub fn hear(&self, said: Said<'_>) {
        let mut state = self.lock();
        match said {
            Said::Answer(_) if matches!(self.stdout, Stdout::Nothing) => {}
            Said::Answer(text) if self.is_aside() => stderr(&mut state, text),
            Said::Answer(text) => written_in(&mut state, text),
            Said::Conclusion(_) if matches!(self.stdout, Stdout::Nothing) => {}
            Said::Conclusion(conclusion) if self.is_aside() => stderr(&mut state, &conclusion.text),
            Said::Conclusion(conclusion) => {
                erase(&mut state);
                last_words(&self.terminal.shown(&conclusion.text, conclusion.verdict));
                state.concluded = true;
            }
            Said::Aside(text) | Said::Figures(text) => stderr(&mut state, text),
            Said::Diagnostics(sources, diagnostics) => self.diagnose(&mut state, sources, diagnostics),
            Said::Note(message) => {
                if !self.quiet {
                    stderr(&mut state, &self.coloured(&format!("note: {message}\n")));
                }
            }
        }
    }

    /// Errors and warnings about texts. If there are very many, errors come before warnings, and the rest is counted.
    fn diagnose(&self, state: &mut State, sources: &Sources, diagnostics: &[Diagnostic]) {
        let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
        let is_shown = |diagnostic: &&Diagnostic| is_error(diagnostic) || !self.quiet;
        let mut shown: Vec<&Diagnostic> = diagnostics.iter().filter(is_shown).collect();
        let n_more = shown.len().saturating_sub(MOST_DIAGNOSTICS);
        if n_more > 0 {
            shown.sort_by_key(|diagnostic| !is_error(diagnostic));
            shown.truncate(MOST_DIAGNOSTICS);
        }
        let text: String = shown.iter().map(|diagnostic| base::render(sources, diagnostic)).collect();
        stderr(state, &self.coloured(&text));
        if n_more > 0 {
            stderr(state, &format!("… and {n_more} more\n"));
        }
    }

    /// An error about what became of an answer.
    pub fn complain(&self, reply: &mut Reply, message: &str, status: Status) {
        reply.complain(message, status);
        stderr(&mut self.lock(), &self.coloured(&format!("error: {message}\n")));
    }

    /// Text on stdout, whatever stdout is for.
    pub fn print(&self, text: &str) {
        written_in(&mut self.lock(), text);
    }

    /// Replaces the progress line.
    pub fn progress(&self, line: &str) {
        // A worker that is writing has something better to show.
        if let Ok(mut state) = self.state.try_lock() {
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
    pub fn finish(&self, reply: &Reply) {
        erase(&mut self.lock());
        if self.json {
            let mut object = reply.json();
            let text = match &self.stdout {
                Stdout::Answers { file, .. } => {
                    object["file"] = serde_json::json!(file);
                    format!("{object}\n")
                }
                _ => format!("{object:#}\n"),
            };
            last_words(&text);
        }
    }

    /// Stdout is for a file that was asked for, so that the answer goes to stderr.
    fn is_aside(&self) -> bool {
        matches!(self.stdout, Stdout::File)
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

/// Writes to stdout. Behind an answer, that nobody reads any more does not change the status.
fn written_in(state: &mut State, text: &str) {
    erase(state);
    match state.concluded {
        true => last_words(text),
        false => stdout(text.as_bytes()),
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
    erase(state);
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Text on stderr, of those who have no console of their own.
pub fn stderr_line(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
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

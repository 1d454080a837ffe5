//! What has been said so far about a question: shared by who answers and who watches.
//!
//! Contract: whatever is said is kept for the reply and told to the listener at once, in order. After [`Record::give_up`] nothing more is
//! kept or told, so that an answer that does not stop cannot spoil what was said in its place.

use crate::answer::{self, Subject, Value};
use crate::early::{Early, Foresight};
use crate::json::{self, Report};
use crate::reply::Reply;
use crate::request::Output;
use crate::status::Status;
use base::{Diagnostic, Known, Severity, Sources};
use present::answer::{Conclusion, missing_line};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// A thing that is said.
#[derive(Clone, Copy)]
pub enum Said<'s> {
    /// A piece of the answer, as text.
    Answer(&'s str),
    /// The answer about a program, whose text is a piece as well.
    Conclusion(&'s Conclusion),
    /// Why the text that is the answer does not come to its end.
    Aside(&'s str),
    /// Errors and warnings about texts.
    Diagnostics(&'s Sources, &'s [Diagnostic]),
    /// A remark for whoever reads.
    Note(&'s str),
    /// Figures that were asked for, as lines.
    Figures(&'s str),
}

/// Whoever wants to be told at once. It may be called while somebody waits to give up, so it should not wait itself.
pub type Listener = Box<dyn Fn(Said<'_>) + Send + Sync>;

/// What has been said so far.
pub struct Record {
    output: Output,
    listener: Listener,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    reply: Reply,
    /// What is being evaluated.
    subject: Subject,
    /// What to answer, should the answer not come to its end.
    foresight: Option<Foresight>,
    /// Nothing more may be said.
    closed: bool,
}

impl Record {
    /// A record of an answer in these forms.
    pub fn new(output: Output, listener: Listener) -> Self {
        Self { output, listener, state: Mutex::default() }
    }

    /// Names what is evaluated from now on, for [`Record::give_up`].
    pub(crate) fn begin(&self, subject: Subject) {
        self.lock().subject = subject;
    }

    /// Answers what [`Record::begin`] named.
    pub(crate) fn answer(&self, value: &Value) {
        self.answer_in(&mut self.lock(), value);
    }

    /// Text of its own, such as a stage of `--show`.
    pub(crate) fn show(&self, stage: &'static str, text: &str) {
        let mut state = self.lock();
        state.subject = Subject { directive: stage, ..Subject::default() };
        let entry = json::answer(&state.subject, &Value::Text(text.to_owned()));
        state.reply.report.answers.extend(entry.filter(|_| self.output.json));
        self.say(&mut state, text);
    }

    /// Text that is the answer, of questions that are answered by text only.
    pub(crate) fn print(&self, text: &str) {
        let mut state = self.lock();
        if !state.closed {
            state.reply.text.push_str(text);
            (self.listener)(Said::Answer(text));
        }
    }

    /// What is answered if the answer does not come to its end.
    pub(crate) fn foresee(&self, foresight: Foresight) {
        self.lock().foresight = Some(foresight);
    }

    /// The answer about a program.
    pub(crate) fn conclude(&self, conclusion: Conclusion) {
        let mut state = self.lock();
        if !state.closed {
            self.conclude_in(&mut state, conclusion);
        }
    }

    /// All that is to be said about texts.
    pub(crate) fn diagnose_all(&self, sources: &Sources, diagnostics: &[Diagnostic]) {
        let mut state = self.lock();
        if state.closed || diagnostics.is_empty() {
            return;
        }
        for diagnostic in diagnostics {
            state.reply.report.diagnostics.push(json::diagnostic(sources, diagnostic));
            state.reply.diagnostics.push(base::render(sources, diagnostic));
        }
        (self.listener)(Said::Diagnostics(sources, diagnostics));
    }

    /// An error that has no place in a text.
    pub fn error(&self, message: &str) {
        let (severity, message) = (Severity::Error, message.to_owned());
        let error = Diagnostic { severity, message, span: None, notes: Vec::new() };
        self.diagnose_all(&Sources::default(), &[error]);
    }

    /// A remark.
    pub(crate) fn note(&self, message: &str) {
        let mut state = self.lock();
        if !state.closed {
            state.reply.notes.push(message.to_owned());
            (self.listener)(Said::Note(message));
        }
    }

    /// Lines that were asked for: statistics and times.
    pub(crate) fn remark(&self, lines: &str) {
        let mut state = self.lock();
        if !state.closed {
            state.reply.figures.push_str(lines);
            (self.listener)(Said::Figures(lines));
        }
    }

    /// One error or warning.
    pub(crate) fn diagnose(&self, sources: &Sources, diagnostic: &Diagnostic) {
        self.diagnose_all(sources, std::slice::from_ref(diagnostic));
    }

    /// The figures of the run, for the JSON object.
    pub(crate) fn statistics(&self, statistics: serde_json::Value) {
        self.keep(|reply| reply.report.stats = Some(statistics));
    }

    /// A run that was executed, for the JSON object.
    pub(crate) fn executed(&self, run: serde_json::Value) {
        self.keep(|reply| reply.report.run = Some(run));
    }

    /// The figures of a search of states, for the JSON object.
    pub(crate) fn searched(&self, figures: serde_json::Value) {
        self.keep(|reply| reply.report.search = Some(figures));
    }

    /// Adds to what the reply holds.
    pub(crate) fn keep(&self, keep: impl FnOnce(&mut Reply)) {
        let mut state = self.lock();
        if !state.closed {
            keep(&mut state.reply);
        }
    }

    /// The end: what was said.
    pub(crate) fn finish(&self, status: Status) -> Reply {
        finish_in(&mut self.lock(), status)
    }

    /// The end while the answer is still being worked on: what is certain is said, and otherwise its present subject is unknown for this reason.
    /// None if somebody who listens does not come back, or the end has been said already.
    pub fn give_up(&self, known: Known, reason: &str) -> Option<Reply> {
        for _ in 0..10 {
            match self.state.try_lock() {
                Ok(mut state) => return self.give_up_in(&mut state, known, reason),
                Err(TryLockError::WouldBlock) => std::thread::sleep(std::time::Duration::from_millis(10)),
                Err(TryLockError::Poisoned(_)) => return None,
            }
        }
        None
    }

    fn give_up_in(&self, state: &mut State, known: Known, reason: &str) -> Option<Reply> {
        if state.closed {
            return None;
        }
        let foresight = state.foresight.take().filter(|_| state.reply.report.conclusion.is_none());
        let Some(early) = foresight.and_then(|foresight| foresight(known, reason)) else {
            self.answer_in(state, &Value::Unknown(reason.to_owned()));
            return Some(finish_in(state, Status::Unknown));
        };
        let Early { mut conclusion, status, missing } = early;
        if let Some(missing) = missing {
            conclusion.text.push_str(&missing_line(missing, reason));
            conclusion.unfinished.push((missing, reason.to_owned()));
        }
        self.conclude_in(state, conclusion);
        Some(finish_in(state, status))
    }

    fn answer_in(&self, state: &mut State, value: &Value) {
        if state.closed {
            return;
        }
        if let Value::Unknown(reason) = value {
            state.reply.report.reason.get_or_insert_with(|| reason.clone());
        }
        if self.output.json {
            let entry = json::answer(&state.subject, value);
            state.reply.report.answers.extend(entry);
        }
        if !self.output.text {
            return;
        }
        let text = answer::text(&state.subject, value);
        if state.subject.is_text() {
            state.reply.notes.push(text.trim_end().to_owned());
            (self.listener)(Said::Aside(&text));
        } else {
            self.say(state, &text);
        }
    }

    fn say(&self, state: &mut State, text: &str) {
        if self.output.text && !state.closed {
            state.reply.text.push_str(text);
            (self.listener)(Said::Answer(text));
        }
    }

    fn conclude_in(&self, state: &mut State, conclusion: Conclusion) {
        if self.output.text {
            state.reply.text.push_str(&conclusion.text);
            (self.listener)(Said::Conclusion(&conclusion));
        }
        state.reply.report.conclusion = Some(conclusion);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic while something is said is a bug, which says so itself.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn finish_in(state: &mut State, status: Status) -> Reply {
    state.closed = true;
    let mut reply = std::mem::take(&mut state.reply);
    reply.status = status;
    reply
}

impl Report {
    /// What is found in a program, or how the question ended.
    pub(crate) fn verdict(&self, status: Status) -> &'static str {
        match status {
            // An answer about a program has a conclusion, whose verdict comes first.
            Status::Violated if self.run.is_some() => "violated",
            Status::Evaluated | Status::Violated => "evaluated",
            Status::Unknown => "unknown",
            Status::Rejected | Status::Bug => "error",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use checker::Missing;

    /// How a question ends whose answer tells something and then never comes to its end.
    fn left_behind(known: Known) -> Reply {
        let record = Record::new(Output::default(), Box::new(|_| {}));
        record.begin(Subject::program());
        record.foresee(Box::new(|known, _| {
            let Known::Reachable { .. } = known else { return None };
            let conclusion = Conclusion::bare("reachable", "REACHABLE\n".to_owned(), None, Vec::new());
            Some(Early { conclusion, status: Status::Violated, missing: Some(Missing::Trace) })
        }));
        let reply = record.give_up(known, "out of time").expect("nobody holds the record");
        record.note("too late");
        assert!(record.give_up(known, "again").is_none(), "the end is said once");
        assert!(record.finish(Status::Evaluated).notes.is_empty(), "nothing is said behind the end");
        reply
    }

    #[test]
    fn what_is_known_is_answered_although_the_answer_does_not_end() {
        let reachable = left_behind(Known::Reachable { least: None });
        assert_eq!((reachable.status, reachable.verdict()), (Status::Violated, "reachable"));
        assert_eq!(reachable.text, "REACHABLE\nthere is no trace: out of time\n");
        let nothing = left_behind(Known::Nothing);
        assert_eq!((nothing.status, nothing.text.as_str()), (Status::Unknown, "UNKNOWN: out of time\n"));
    }
}

//! What is wrong with texts, found out beside everything else, and told to the client.
//!
//! Contract: of a text that changes again and again only the last version counts. A text that takes long holds up nobody but those that wait for the same worker: programs in C have one of their own.

use crate::analysis::Analysis;
use crate::client::Client;
use crate::document::{Document, Language, MAX_TEXT};
use crate::workspace::Workspace;
use base::{Diagnostic, Severity, Sources, Span, Utf16};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The front end of C calls itself as deep as expressions are nested; the pages are only reserved.
const STACKS: [usize; 3] = [1 << 28, 1 << 26, 1 << 23];

/// A text that is to be looked at, with what it may load.
pub struct Job {
    /// The text.
    pub document: Document,
    /// What may be read.
    pub workspace: Arc<Workspace>,
}

/// The texts that wait, in the order in which they came.
#[derive(Default)]
struct Waiting {
    jobs: Vec<Job>,
    /// The text that is being looked at, unless it has changed or gone since.
    present: Option<String>,
    is_over: bool,
}

/// Looks at texts.
#[derive(Default)]
struct Worker {
    waiting: Mutex<Waiting>,
    news: Condvar,
}

/// Looks at texts, one after the other.
pub struct Diagnoser {
    /// One for programs in C, one for everything else.
    workers: [Arc<Worker>; 2],
}

impl Diagnoser {
    /// Starts to wait for texts.
    pub fn new(client: &Client) -> Self {
        let workers = [Arc::<Worker>::default(), Arc::default()];
        for worker in &workers {
            let start = |stack: usize| {
                let (worker, client) = (worker.clone(), client.clone());
                std::thread::Builder::new().stack_size(stack).spawn(move || worker.work(&client)).ok()
            };
            STACKS.into_iter().find_map(start);
        }
        Self { workers }
    }

    /// Looks at a text soon, and at no earlier version of it.
    pub fn ask(&self, job: Job) {
        let worker = &self.workers[usize::from(job.document.language == Some(Language::C))];
        worker.forget(&job.document.uri);
        let mut waiting = worker.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.jobs.push(job);
        worker.news.notify_one();
    }

    /// A text is gone.
    pub fn forget(&self, uri: &str) {
        self.workers.iter().for_each(|worker| worker.forget(uri));
    }

    /// Nobody waits any more.
    pub fn end(&self) {
        for worker in &self.workers {
            worker.waiting.lock().unwrap_or_else(PoisonError::into_inner).is_over = true;
            worker.news.notify_one();
        }
    }
}

impl Worker {
    fn forget(&self, uri: &str) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.jobs.retain(|job| job.document.uri != uri);
        waiting.present = waiting.present.take().filter(|present| present != uri);
    }

    fn work(&self, client: &Client) {
        loop {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            while waiting.jobs.is_empty() && !waiting.is_over {
                waiting = self.news.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            }
            if waiting.is_over {
                return;
            }
            let job = waiting.jobs.remove(0);
            waiting.present = Some(job.document.uri.clone());
            drop(waiting);
            let found = diagnostics(&job);
            // Told while nobody can ask for another version, or close the text: what comes after that counts.
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            if waiting.present.take().is_some() {
                client.notify("textDocument/publishDiagnostics", published(&job.document, found));
            }
        }
    }
}

/// What the client is told of a text.
pub fn published(document: &Document, diagnostics: Vec<Value>) -> Value {
    let mut told = json!({ "uri": document.uri, "diagnostics": diagnostics });
    if document.version.is_number() {
        told["version"] = document.version.clone();
    }
    told
}

/// Everything that is wrong with a text.
fn diagnostics(job: &Job) -> Vec<Value> {
    let Job { document, workspace } = job;
    if document.language.is_some() && document.is_too_large() {
        let message = format!(
            "a text of more than {} MiB is not looked at here; `getafix check` reads it",
            MAX_TEXT >> 20
        );
        let range = document.range(0..0);
        return vec![json!({ "range": range, "severity": 2, "source": "getafix", "message": message })];
    }
    let Some(analysis) = Analysis::new(document, workspace) else { return Vec::new() };
    let file = analysis.file;
    let paths: HashMap<usize, Option<String>> =
        (0..analysis.sources.n_files()).map(|n| (n, analysis.uri(base::FileId::new(n), workspace))).collect();
    let (sources, found) = analysis.diagnostics();
    let mut places = Places { document, file, sources: &sources, uris: paths, lines: HashMap::new() };
    found.iter().map(|diagnostic| places.told(diagnostic)).collect()
}

/// Places in the text and in those that it loads.
struct Places<'a> {
    document: &'a Document,
    file: base::FileId,
    sources: &'a Sources,
    uris: HashMap<usize, Option<String>>,
    lines: HashMap<usize, Utf16>,
}

impl Places<'_> {
    fn told(&mut self, diagnostic: &Diagnostic) -> Value {
        let severity = match diagnostic.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
        };
        let span = diagnostic.span.unwrap_or(Span::new(self.file, 0..0));
        let mut message = diagnostic.message.clone();
        let mut related = Vec::new();
        for (note, place) in &diagnostic.notes {
            match place.and_then(|place| self.location(place)) {
                Some(location) => related.push(json!({ "location": location, "message": note })),
                None => message.push_str(&format!("\nnote: {note}")),
            }
        }
        let mut told = json!({ "range": self.document.span(span), "severity": severity, "source": "getafix", "message": message });
        if !related.is_empty() {
            told["relatedInformation"] = Value::Array(related);
        }
        told
    }

    fn location(&mut self, span: Span) -> Option<Value> {
        if span.file == self.file {
            return Some(json!({ "uri": self.document.uri, "range": self.document.span(span) }));
        }
        let uri = self.uris.get(&span.file.index())?.clone()?;
        let sources = self.sources;
        let lines = self.lines.entry(span.file.index());
        let lines = lines.or_insert_with(|| Utf16::new(sources.file(span.file).text.as_str()));
        Some(json!({ "uri": uri, "range": range(lines, span) }))
    }
}

/// The places of a stretch of a text.
pub fn range(lines: &Utf16, span: Span) -> Value {
    let place = |at: u32| {
        let position = lines.position(at as usize);
        json!({ "line": position.line, "character": position.unit })
    };
    json!({ "start": place(span.start), "end": place(span.end) })
}

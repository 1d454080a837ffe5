//! What is answered: the verdict, its evidence, and all that was said, in every form.

use crate::json::Report;
use crate::status::Status;
use present::answer::Conclusion;
use present::html::{Invariant, Page, Proof};
use present::sarif::{self, Part};
use serde_json::Value;

/// An answer.
#[derive(Default)]
pub struct Reply {
    /// How the question ended.
    pub status: Status,
    /// The answer as text: what the command line prints.
    pub text: String,
    /// Errors and warnings about the texts that were given, each with its place and the excerpt.
    pub diagnostics: Vec<String>,
    /// Remarks.
    pub notes: Vec<String>,
    /// The figures that were asked for, as lines.
    pub figures: String,
    /// The certificate, if one is wanted and there is one.
    pub certificate: Option<String>,
    /// The witness for other tools, if one is wanted and there is one.
    pub witness: Option<String>,
    /// Whether the property holds, as far as a verification task says what is expected.
    pub expected: Option<bool>,
    /// For SARIF: the answer with its run as an object.
    pub(crate) told: Option<Conclusion>,
    /// For a page: the program.
    pub(crate) source: Option<String>,
    /// The same: why there is no run.
    pub(crate) proof: Option<Proof>,
    /// The same: the derivation of an answer that rests on no run.
    pub(crate) reasons: Vec<Value>,
    /// The same: what is drawn.
    pub(crate) pictures: Value,
    pub(crate) report: Report,
}

impl Reply {
    /// `reachable`, `unreachable`, `holds`, … of a question about a program; otherwise `evaluated`, `unknown` or `error`.
    pub fn verdict(&self) -> &str {
        match &self.report.conclusion {
            Some(conclusion) if self.report.verdict(self.status) != "error" => conclusion.verdict,
            _ => self.report.verdict(self.status),
        }
    }

    /// Why it is unknown, or refused.
    pub fn reason(&self) -> Option<&str> {
        let concluded = self.report.conclusion.as_ref().map(|conclusion| conclusion.reason.as_deref());
        concluded.unwrap_or(self.report.reason.as_deref())
    }

    /// The run that the answer rests on, if there is one, as an object; `docs/output.schema.json` describes it.
    pub fn trace(&self) -> Option<&Value> {
        self.report.conclusion.as_ref().map(|conclusion| &conclusion.trace).filter(|trace| !trace.is_null())
    }

    /// The whole answer as one object; `docs/output.schema.json` describes it.
    pub fn json(&self) -> Value {
        self.report.object(self.report.verdict(self.status))
    }

    /// The answer for editors and code hosts, SARIF 2.1.0, about the program of this name.
    pub fn sarif(&self, file: &str) -> Value {
        let files = [file.to_owned()];
        let parts: Vec<Part> = self.sarif_part(&files, 0).into_iter().collect();
        sarif_document(&parts, &files)
    }

    /// The answer as a page that needs nothing beside it, about the program of this name.
    pub fn html(&self, name: &str) -> String {
        let told = self.told.as_ref();
        let answer = self.report.without_trace(self.report.verdict(self.status));
        let own = self.report.conclusion.as_ref().map_or(&Value::Null, |conclusion| &conclusion.trace);
        let text = told.map_or(self.text.as_str(), |told| told.text.as_str());
        let diagnostics = self.diagnostics.iter().chain(&self.notes).cloned().collect::<Vec<String>>();
        let claims = Proof { why: Vec::new(), invariants: claims(&answer) };
        let page = Page {
            name,
            source: self.source.as_deref(),
            status: self.status.code(),
            text: if text.is_empty() { self.verdict() } else { text },
            answer: &answer,
            trace: told.map_or(own, |told| &told.trace),
            further: told.map_or(&[], |told| &told.further),
            notes: &diagnostics,
            proof: self.proof.as_ref().unwrap_or(&claims),
            reasons: &self.reasons,
            pictures: &self.pictures,
            figures: &self.figures,
        };
        page.html()
    }

    /// The first line of the answer.
    pub fn headline(&self) -> &str {
        let text = self.told.as_ref().map_or(self.text.as_str(), |told| told.text.as_str());
        text.lines().next().unwrap_or_else(|| self.verdict())
    }

    /// The part about one of several programs of a document in SARIF.
    pub fn sarif_part(&self, files: &[String], position: usize) -> Option<Part> {
        self.told.as_ref().map(|told| sarif::part(told, files, position))
    }

    /// Adds an error about what became of the answer: then it ended with this status, if that is worse.
    pub fn complain(&mut self, message: &str, status: Status) {
        let diagnostic = base::Diagnostic {
            severity: base::Severity::Error,
            message: message.to_owned(),
            span: None,
            notes: Vec::new(),
        };
        let sources = base::Sources::default();
        self.report.diagnostics.push(crate::json::diagnostic(&sources, &diagnostic));
        self.diagnostics.push(base::render(&sources, &diagnostic));
        self.status = self.status.max(status);
    }
}

/// What holds before the lines of a program in C, as far as the proof of an answer says so.
fn claims(answer: &Value) -> Vec<Invariant> {
    let all = answer["proof"]["invariants"].as_array().map(Vec::as_slice).unwrap_or_default();
    let invariant = |entry: &Value| {
        Some(Invariant {
            line: entry["line"].as_u64()? as usize,
            column: 0,
            function: entry["function"].as_str().unwrap_or_default().to_owned(),
            is_end: entry["at_exit"] == true,
            clauses: vec![entry["formula"].as_str()?.to_owned()],
            is_whole: true,
        })
    };
    all.iter().filter_map(invariant).collect()
}

/// A document in SARIF about these programs.
pub fn sarif_document(parts: &[Part], files: &[String]) -> Value {
    sarif::document(parts, files, env!("CARGO_PKG_VERSION"))
}

//! What a piece of work is given: texts, forms and limits, and the world outside.

use crate::input::{self, Rejected};
use crate::outside::Outside;
use crate::record::Record;
use crate::request::{Limits, Output, Source};
use base::{Gauge, Stop, StopReason};
use present::reason::LimitsSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// What a piece of work is given.
pub(crate) struct Job {
    /// All texts that there are.
    pub texts: Arc<Texts>,
    /// Everything else from outside.
    pub outside: Arc<dyn Outside>,
    /// Polled by the engine.
    pub stop: Stop,
    /// Written by the engine.
    pub gauge: Arc<Gauge>,
    /// Where answers go.
    pub record: Arc<Record>,
    /// When to give up.
    pub limits: Limits,
    /// In which forms the answer is wanted.
    pub output: Output,
}

/// The texts that came with the question, and those outside.
pub(crate) struct Texts {
    pub sources: Vec<Source>,
    pub outside: Arc<dyn Outside>,
}

impl Texts {
    /// What is in a file, or what is wrong with it: `does not exist`.
    pub fn bytes(&self, file: &Path) -> Result<Vec<u8>, String> {
        match self.sources.iter().find(|source| Path::new(&source.name) == file) {
            Some(source) => Ok(source.text.clone()),
            None => self.outside.read(file),
        }
    }

    /// The text of a file, or what is wrong with it.
    pub fn text(&self, file: &Path) -> Result<String, String> {
        self.bytes(file).and_then(input::decode)
    }
}

impl Job {
    /// The limits, for messages about them.
    pub fn limits_set(&self) -> LimitsSet {
        self.limits.set()
    }

    /// Why the work was stopped and how far it came.
    pub fn stopped(&self, reason: StopReason) -> String {
        self.limits_set().halted(reason, &self.gauge)
    }

    /// The diagrams may take this much of the memory. The rest is for everything else, so that dead nodes are freed before the limit is reached.
    pub fn memory_of_diagrams(&self) -> Option<u64> {
        self.limits.memory.map(|limit| limit - (limit / 8).min(24 << 20))
    }

    /// The time since some moment in the past.
    pub fn clock(&self) -> fn() -> Duration {
        self.outside.clock()
    }

    /// The name and the text of a file that a person has named, or a sentence about what is wrong with it.
    pub fn named_text(&self, file: &Path) -> Result<(String, String), String> {
        let text = self.texts.text(file).map_err(|problem| input::problem(file, &problem))?;
        Ok((input::shown(file), text))
    }

    /// The same, for work that cannot go on without it: what is wrong is told.
    pub fn read(&self, file: &Path) -> Result<(String, String), Rejected> {
        self.named_text(file).map_err(|message| {
            self.record.error(&message);
            Rejected
        })
    }
}

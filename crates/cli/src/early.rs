//! Answers that stand before everything is finished: what is certain, and what is missing beside it.

use crate::json::Conclusion;
use crate::status::Status;
use base::Known;

/// What an answer may lack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// A run that is to be shown.
    Trace,
    /// A certificate that was asked for.
    Certificate,
    /// The answer of the engine that is to agree.
    Comparison,
}

impl Missing {
    /// One word, for JSON.
    pub fn word(self) -> &'static str {
        match self {
            Missing::Trace => "trace",
            Missing::Certificate => "certificate",
            Missing::Comparison => "comparison",
        }
    }

    /// A line for people.
    pub fn line(self, reason: &str) -> String {
        match self {
            Missing::Trace => format!("there is no trace: {reason}\n"),
            Missing::Certificate => format!("there is no certificate: {reason}\n"),
            Missing::Comparison => format!("not compared: {reason}\n"),
        }
    }
}

/// An answer while the worker is still busy.
pub struct Early {
    /// As far as it is certain.
    pub conclusion: Conclusion,
    /// How the run ends.
    pub status: Status,
    /// What the worker was busy with.
    pub missing: Option<Missing>,
}

/// What to answer from what is known, and why no more is known; `None` if that is nothing.
pub type Foresight = Box<dyn Fn(Known, &str) -> Option<Early> + Send>;

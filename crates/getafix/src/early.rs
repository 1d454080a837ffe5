//! Answers that stand before everything is finished: what is certain, and what is missing beside it.

use crate::status::Status;
use base::Known;
use checker::Missing;
use present::answer::Conclusion;

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

//! How validation ends: with a verdict, or early.

use base::StopReason;
use dd::Exhausted;

/// What validation found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome<F> {
    /// The certificate is a proof: no goal can be reached. So much was looked at.
    Accepted(F),
    /// The certificate does not prove that, for this reason. It says nothing about the program.
    Refused(String),
}

/// What a check that ended so has found; an error says that the question was not decided.
pub(crate) fn outcome<F>(checked: Result<F, Fault>) -> Result<Outcome<F>, StopReason> {
    match checked {
        Ok(figures) => Ok(Outcome::Accepted(figures)),
        Err(Fault::Refused(reason)) => Ok(Outcome::Refused(reason)),
        Err(Fault::Stopped(reason)) => Err(reason),
    }
}

/// Validation cannot or need not go on.
pub(crate) enum Fault {
    /// The certificate is no proof, for this reason.
    Refused(String),
    /// Nobody knows: out of time or memory, or interrupted.
    Stopped(StopReason),
}

impl From<Exhausted> for Fault {
    fn from(Exhausted(reason): Exhausted) -> Self {
        Fault::Stopped(reason)
    }
}

/// A refusal.
pub(crate) fn refuse<T>(message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Refused(message.into()))
}

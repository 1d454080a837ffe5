//! Why validation ends early.

use base::StopReason;
use dd::Exhausted;

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

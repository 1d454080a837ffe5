//! Whoever asks: what answers need from outside, and whom they tell how far they are.

use crate::outside::{Outside, Sealed, System};
use crate::record::{Listener, Record};
use crate::request::Output;
use base::{Gauge, Stop};
use std::sync::Arc;

/// Whoever asks. Clones are the same one.
#[derive(Clone)]
pub struct Events {
    /// Files, a clock, a solver, the preprocessor.
    pub outside: Arc<dyn Outside>,
    /// Asks the answer to stop: [`Stop::request`], from any thread.
    pub stop: Stop,
    /// Tells how far the answer is, whenever somebody looks.
    pub gauge: Arc<Gauge>,
    /// What has been said so far; none if nobody wants to know before the end.
    pub record: Option<Arc<Record>>,
}

impl Events {
    /// Nothing from outside: the answer depends on the question alone.
    pub fn sealed() -> Self {
        Self::with(Sealed)
    }

    /// The system that the program runs on.
    pub fn system() -> Self {
        Self::with(System)
    }
    /// This world outside.
    pub fn with(outside: impl Outside + 'static) -> Self {
        Self { outside: Arc::new(outside), stop: Stop::default(), gauge: Arc::default(), record: None }
    }

    /// Somebody listens while the answer is worked on, in the forms that the question wants.
    pub fn heard(self, output: Output, listener: Listener) -> Self {
        Self { record: Some(Arc::new(Record::new(output, listener))), ..self }
    }
}

impl Default for Events {
    fn default() -> Self {
        Self::sealed()
    }
}

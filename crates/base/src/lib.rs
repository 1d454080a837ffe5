//! What every stage shares: places in source text, diagnostics, index newtypes, and the two
//! values through which the outside world talks to an engine: [`Stop`] and [`Gauge`].
//!
//! Contract: nothing here knows formulas, programs or diagrams; nothing here prints or reads a clock.

#![forbid(unsafe_code)]

mod diagnostic;
mod gauge;
mod index;
mod nearest;
mod source;
mod stop;

pub use diagnostic::{Diagnostic, Severity, render};
pub use gauge::{Counting, Gauge, Known, Reading, Searched};
pub use nearest::{edit_distance, nearest};
pub use source::{FileId, SourceFile, Sources, Span};
pub use stop::{Stop, StopReason};

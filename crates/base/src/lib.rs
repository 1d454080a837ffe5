//! What every stage shares: places in source text, diagnostics, index newtypes, the two
//! values through which the outside world talks to an engine, [`Stop`] and [`Gauge`], and algorithms about numbered things:
//! strongly connected components, classes, random numbers; and the comments of a text, in their columns.
//!
//! Contract: nothing here knows formulas, programs or diagrams; nothing here prints or reads a clock.

#![forbid(unsafe_code)]

mod classes;
mod components;
mod diagnostic;
mod gauge;
mod index;
mod margin;
mod nearest;
mod random;
mod source;
mod stop;

pub use classes::Classes;
pub use components::{Adjacency, Component, Components};
pub use diagnostic::{Diagnostic, Severity, render};
pub use gauge::{Counting, Gauge, Known, Reading, Searched};
pub use margin::{Behind, Margin, align};
pub use nearest::{edit_distance, nearest};
pub use random::{Random, Shuffler};
pub use source::{FileId, SourceFile, Sources, Span};
pub use stop::{Stop, StopReason};

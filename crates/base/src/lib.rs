//! What every stage shares: places in source text, diagnostics, index newtypes, the two
//! values through which the outside world talks to an engine, [`Stop`] and [`Gauge`], and algorithms about numbered things:
//! strongly connected components, classes, work lists, random numbers; what scanners share, and what programs do; the comments of a text, in their columns; which declaration a name means ([`NameTable`]), and places as editors count them ([`Utf16`]); and a hash of bytes.
//!
//! - In: texts, numbers, and what the outside world asks for ([`Stop`]).
//! - Out: places, diagnostics, components, classes, random choices, and how far a search came ([`Gauge`]).
//! - Never: know formulas, programs or diagrams; print; read a clock.

#![forbid(unsafe_code)]

mod base64;
mod classes;
mod components;
mod diagnostic;
mod gauge;
mod index;
mod margin;
mod names;
mod nearest;
mod program;
mod random;
mod scan;
pub mod sha256;
mod source;
mod stop;
mod utf16;
mod work_list;

pub use base64::base64;
pub use classes::Classes;
pub use components::{Adjacency, Component, Components};
pub use diagnostic::{Diagnostic, Severity, render};
pub use gauge::{Counting, Gauge, Known, Reading, Searched};
pub use margin::{Behind, Margin, align};
pub use names::{Declared, DeclaredId, NameKind, NameTable, Occurrence, Role};
pub use nearest::{edit_distance, nearest};
pub use program::{Edge, EdgeId, NodeId, Place, Variable, edges_from};
pub use random::{Random, Shuffler};
pub use scan::{Scan, cut, is_blank};
pub use source::{FileId, SourceFile, Sources, Span};
pub use stop::{Stop, StopReason};
pub use utf16::{Position, Utf16};
pub use work_list::WorkList;

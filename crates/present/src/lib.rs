//! What answers look like: text, JSON, SARIF and a page.
//!
//! - In: outcomes, traces, programs.
//! - Out: their words: text, JSON, a program with marks.
//! - Never: read or write anything, look at a clock, decide a verdict.
//!
//! Whoever shows an answer, a terminal, an editor or a page, asks here for its words.

#![forbid(unsafe_code)]

pub mod answer;
pub mod html;
pub mod integer;
pub mod json;
pub mod reason;
pub mod sarif;
pub mod trace;
pub mod units;

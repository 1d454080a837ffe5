//! What answers look like: text, JSON, SARIF and a page.
//!
//! Contract: from values to texts. No files, no clock, no threads, no output: whoever shows an answer, a terminal, an editor or
//! a page, asks here for its words.

#![forbid(unsafe_code)]

pub mod answer;
pub mod html;
pub mod integer;
pub mod json;
pub mod reason;
pub mod sarif;
pub mod trace;
pub mod units;

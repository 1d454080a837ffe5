//! Programs in, verdicts of the sequential programs out.

#![forbid(unsafe_code)]

mod bluetooth;
mod harness;
mod random;
mod semantics;

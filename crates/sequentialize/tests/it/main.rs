//! Programs in, verdicts of the sequential programs out.

mod bluetooth;
mod harness;
mod random;
mod semantics;

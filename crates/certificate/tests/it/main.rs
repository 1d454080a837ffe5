//! Tests of certificates: programs and certificates as text, and what validation says about them.

mod accepted;
mod changed;
mod endless;
mod holds;
mod names;
mod program;
mod random;
mod ranked;
mod reader;
mod refused;
mod summaries;
mod threads;

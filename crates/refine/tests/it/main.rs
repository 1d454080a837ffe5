//! Tests of `refine`: one program, a module for each subject.

mod claims;
mod endless;
mod harness;
mod paths;

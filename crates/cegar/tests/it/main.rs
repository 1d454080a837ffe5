//! Tests of `cegar`: one program, a module for each subject.

mod memory;
mod overflow;
mod random;
mod terminating;
mod yasm;

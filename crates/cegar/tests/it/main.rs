//! Tests of `cegar`: one program, a module for each subject.

mod control;
mod limits;
mod memory;
mod overflow;
mod random;
mod terminating;
mod yasm;

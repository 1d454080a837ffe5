//! Tests of `cegar`: one program, a module for each subject.

mod overflow;
mod random;
mod terminating;
mod yasm;

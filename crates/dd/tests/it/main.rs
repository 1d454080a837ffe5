//! Tests of `dd`: one program, a module for each subject.

mod exchange;
mod exhaustive;
mod limits;
mod memory;
mod product;
mod random;
mod truth;

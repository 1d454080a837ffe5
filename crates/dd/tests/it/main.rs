//! Tests of `dd`: one program, a module for each subject.

mod exchange;
mod exhaustive;
mod limits;
mod product;
mod random;
mod truth;

//! Tests of `smt`: one program, a module for each subject.

mod ended;
mod faked;
mod horn;
mod pipe;

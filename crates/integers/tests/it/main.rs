//! Tests of `integers`: one program, a module for each subject.

mod bits;
mod evaluate;
mod read;

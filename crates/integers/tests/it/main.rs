//! Tests of `integers`: one program, a module for each subject.

mod cells;
mod evaluate;
mod read;

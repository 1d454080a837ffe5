//! Tests of `integers`: one program, a module for each subject.

mod bits;
mod cells;
mod evaluate;
mod objects;
mod read;

//! Tests of `integers`: one program, a module for each subject.

mod evaluate;
mod objects;
mod read;

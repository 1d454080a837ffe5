//! Tests of `present`: one program, a module for each subject.

mod infinite;
mod integers;
mod replay;

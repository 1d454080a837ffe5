//! Tests of `proof`: one program, a module for each subject.

mod claims;
mod words;

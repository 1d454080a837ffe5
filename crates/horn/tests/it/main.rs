//! Tests of `horn`: one program, a module for each subject.

mod translate;

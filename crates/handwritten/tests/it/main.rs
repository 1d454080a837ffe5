//! Tests of `handwritten`: one program, a module for each subject.

mod agree;

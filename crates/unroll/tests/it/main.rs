//! Tests of `unroll`: one program, a module for each subject.

mod twin;

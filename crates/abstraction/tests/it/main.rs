//! Tests of `abstraction`: one program, a module for each subject.

mod twin;

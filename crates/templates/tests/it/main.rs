//! Tests of `templates`: one program, a module for each subject.

mod words;

//! Tests of `base`: one program, a module for each subject.

mod classes;
mod components;
mod places;
mod utf16;

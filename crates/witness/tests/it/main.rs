//! Tests of `witness`: one program, a module for each subject.

mod follow;
mod hostile;
mod read;

//! Tests of `generate`: one program, a module for each subject.

mod accepted;
mod concurrent;
mod families;
mod interleavings;
mod verdicts;

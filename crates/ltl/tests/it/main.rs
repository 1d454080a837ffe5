//! Tests of `ltl`: one program, a module for each subject.

mod formulas;
mod programs;
mod words;

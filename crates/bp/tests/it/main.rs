//! Tests of `bp`: one program, a module for each subject.

mod check_errors;
mod condition;
mod first_statements;
mod format;
mod fuzz;
mod harness;
mod limits;
mod lower;
mod monitor;
mod print;
mod references;
mod run_time;
mod syntax_errors;
mod threads;
mod words;

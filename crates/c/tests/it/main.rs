//! Tests of `c`: one program, a module for each subject.

mod account;
mod agree;
mod clauses;
mod fuzz;
mod gcc;
mod link;
mod lower;
mod memory;
mod messages;
mod points;
mod preprocess;
mod verdicts;

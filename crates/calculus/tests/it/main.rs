//! Tests of `calculus`: one program, a module for each subject.

mod bits;
mod check;
mod format;
mod fresh;
mod fuzz;
mod limits;
mod load;
mod naive;
mod naive_random;
mod parse;
mod print;
mod references;
mod relativise;
mod sums;

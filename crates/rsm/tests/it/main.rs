//! Tests of `rsm`: one program, a module for each subject.

mod all_runs;
mod cycles;
mod explicit;
mod harness;
mod interleave;
mod interleave_random;
mod reduce;
mod run;
mod show;
mod step;
mod values;

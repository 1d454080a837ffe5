//! Tests of `integers`: one program, a module for each subject.

mod accesses;
mod aliased;
mod bits;
mod cells;
mod compared;
mod directed;
mod evaluate;
mod objects;
mod prepared;
mod read;
mod separated;
mod simulated;

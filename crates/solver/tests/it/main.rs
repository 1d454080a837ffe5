//! Tests of `solver`: one program, a module for each subject.

mod certificates;
mod common;
mod games;
mod lists;
mod meaning;
mod order;
mod plan;
mod random_systems;
mod sizes;

//! Tests of `checker`: one program, a module for each subject.

mod agree;
mod any_number;
mod deepening;
mod engines;
mod families;
mod first_statements;
mod forever_certificates;
mod localised;
mod localised_threads;
mod mucke;
mod mucke_systems;
mod pitfalls;
mod portfolio;
mod questions;
mod ranked_certificates;
mod shortest;
mod starvation;
mod states;
mod thread_certificates;
mod threads;
mod translate;
mod views;

//! Tests of `explicit`: one program, a module for each subject.

mod any_number;
mod cycles;
mod deadlocks;
mod families;
mod forever;
mod forever_together;
mod harness;
mod limits;
mod liveness;
mod monitors;
mod peers;
mod random;
mod shortest_threads;
mod stubborn;
mod summaries;
mod threads;
mod threads_together;
mod traps;
mod wide;
mod workers;

//! Programs that are about few values: a machine that knows of each variable in which part of the integers it is.
//!
//! Input: a program with ghosts. Output: a [`ValueMachine`]. The integers are cut, for each variable, where the program compares it with numbers, and where it stores numbers in it; variables that are copied or compared
//! with each other have the same parts. What a step does to parts is computed with intervals, so nobody asks a solver. Every run of the program is one of the machine, over mathematical integers; where
//! a condition or a value is not told by parts, anything may happen.
//!
//! Which variables are followed, [`Partition`] says: first those of which the program itself says what they hold, then those along a path that cannot be taken.
//!
//! It is made for programs that are control and little else: a state that is one of sixty numbers, flags, results that are status codes. Predicates `state == 8466` would say the same,
//! one bit for each number; here they are one number of six bits.

mod machine;
mod parts;
mod relation;

pub use machine::{ValueMachine, value_machine};
pub use parts::{Partition, Parts};

//! Integer programs: recursive functions over integer variables, what they mean, and what their runs show.
//!
//! - In: an integer [`Program`], from any front end.
//! - Out: its meaning ([`step`]), its runs executed and told, and other programs and clauses that ask the same.
//! - Never: know a language that programs come from, or a solver.
//!
//! Contract: knows no language a program may come from, and no solver. A front end makes a [`Program`]; [`step`] is its meaning, with the
//! integers of mathematics and with those of a machine, and everything else here agrees with it:
//! [`trace`] tells one run, [`account`] does so for people, [`explore`] executes many, [`enumerate`](mod@enumerate) follows all of a small
//! program, [`compose`] joins straight lines, [`checked()`] makes overflows targets, [`wrapped()`] lets them wrap, [`narrow()`] leaves out what cannot happen to numbers that are small, [`promote()`] makes few cells of memory variables, [`endless()`] makes ends of runs targets,
//! [`ghosts`] keeps what functions were started with, [`Parametrised`] has parameters for large numbers,
//! [`normal`] recognises comparisons that say the same, [`read`] reads formulas that people write, [`smtlib`] writes expressions for solvers,
//! [`random`] makes programs for tests, [`clauses`] asks whether a target is reachable as Horn clauses, [`show()`] and [`dot()`] print.

#![forbid(unsafe_code)]

mod bits;
mod bounds;
mod number;

pub mod memory;
pub mod objects;

mod program;

mod expr;

pub mod evaluate;
pub mod step;

pub mod trace;

pub mod account;

pub mod explore;

pub mod compose;

mod accesses;

pub mod cells;

mod checked;
mod endless;
mod inline;
mod promote;
mod wrapped;

pub mod interval;
mod narrow;

pub mod ranges;

pub mod clauses;
pub mod enumerate;
pub mod ghosts;
pub mod normal;
pub mod plain;
pub mod random;
pub mod smtlib;

mod effects;
mod live;
mod parameters;
mod separated;
mod settle;

mod dot;
mod faults;
mod names;
mod show;

pub mod read;

pub use accesses::{accesses, within};
pub use bits::Bitwise;
pub use bounds::Bounds;
pub use checked::{checked, fits, guarded};
pub use dot::dot;
pub use effects::Effects;
pub use endless::endless;
pub use evaluate::{Integers, Undefined, Value};
pub use expr::{Expr, Op, Relation};
pub use faults::{Fault, Faults};
pub use inline::inlined;
pub use live::Live;
pub use memory::{Class, ClassId, Content, Manage, Memory, Misuse, Object, ObjectId, Region, RegionId};
pub use names::{Misnamed, Names};
pub use narrow::narrow;
pub use number::Type;
pub use parameters::Parametrised;
pub use program::*;
pub use promote::promote;
pub use separated::separated;
pub use show::{show, show_action, show_expr};
pub use wrapped::wrapped;

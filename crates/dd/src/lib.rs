//! Reduced ordered binary decision diagrams with complement edges.
//!
//! - In: levels of variables, diagrams, a budget of memory, a [`base::Stop`].
//! - Out: diagrams ([`Bdd`], handles into a [`Manager`]), counts, texts; or that memory ran out or a stop was asked for.
//! - Never: know formulas, choose an order of variables, reclaim what its caller named as a root.
//!
//! Contract: knows no formulas. A [`Bdd`] is a plain copyable handle into a [`Manager`]; handles stay valid
//! until [`Manager::collect`], which keeps exactly what its caller names as roots. Every operation that may
//! allocate is fallible: it polls a [`base::Stop`] and honours a memory budget, also in the middle of one long
//! recursion. Levels are positions in the variable order; the order is the caller's and fixed.
//!
//! The operation that matters is [`Manager::product`]: rename both operands, conjoin, quantify, rename the
//! result, in one pass over the diagrams.

mod allowance;
mod apply;
mod cache;
mod exchange;
mod inspect;
pub mod memory;
mod product;
mod store;
mod substitute;

pub use exchange::ParseError;
pub use product::{Map, ProductId};
pub use store::{Bdd, Exhausted, Level, Manager};
pub use substitute::{Image, SubstitutionId};

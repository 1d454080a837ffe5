//! Witnesses: what a verifier found out, in the format of the competition on software verification, for others to check.
//!
//! - In: runs and claims; or the text of somebody else's witness.
//! - Out: a witness as text; or the program with the witness in it ([`product`]), whose targets say whether it is right.
//! - Never: know files, a clock or a solver; panic on any text.
//!
//! A run becomes waypoints ([`violation`]), a claim invariants ([`invariants`]). The other way round, what somebody else's witness says becomes part of
//! the program: [`product`] lets runs reach the target that pass its waypoints, and runs reach a target that violate its invariants, so that
//! whoever answers questions about programs answers those about witnesses.

#![forbid(unsafe_code)]

mod model;

mod yaml;

mod read;
mod write;

mod place;

mod express;

mod invariants;
mod violation;

mod contract;
mod hooks;
pub mod product;

pub mod follow;

pub use base::sha256::hex as sha256;
pub use invariants::invariants;
pub use model::{Action, Content, Entry, Fact, Location, Metadata, Segment, Text, Waypoint, WaypointKind};
pub use place::Map;
pub use read::read;
pub use violation::{Run, violation};
pub use write::write;

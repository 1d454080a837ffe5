//! Processes on several machines that search together.
//!
//! - In: a list of addresses, the number of this process in it, a secret that all know, and what identifies the question.
//! - Out: [`explicit::Peers`]: connections to all others, over which they hand each other bytes.
//! - Never: listen anywhere but at its own address, believe somebody who does not know the secret, wait for ever, or know what the bytes mean.
//!
//! ```text
//!  hosts file ──Addresses::read──▶ Addresses ──Meeting::connect──▶ Hosts (Peers)
//!                                   Key ──────────┘
//! ```
//!
//! Everybody listens at its own address, calls those before it in the list and is called by those behind it. Whoever is connected shows that it knows the
//! secret, without telling it, and which question it asks. What is said afterwards is neither encrypted nor signed: the network between the machines has
//! to be one's own.

#![forbid(unsafe_code)]

mod addresses;
mod connect;
mod greeting;
mod key;
mod lines;

pub use addresses::{Addresses, Mistake};
pub use connect::{Meeting, Refusal};
pub use key::{Key, KeyMistake, fingerprint};
pub use lines::Hosts;

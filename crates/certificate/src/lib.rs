//! Certificates: summaries that show a goal unreachable, and the code that checks them.
//!
//! - In: a program as it was written, goals, and the text of a certificate, whoever wrote it.
//! - Out: accepted or refused, with the reason; the text of what an engine found.
//! - Never: accept what is no proof; share more with the engines than decision diagrams and the encoding of statements.
//!
//! A certificate names, for each function, a set of entry states, and for some of its program points a relation between the
//! state at entry and the state at the point. [`write`](fn@write) prints one, [`read`](fn@read) parses it, and
//! [`validate`](fn@validate) decides whether it proves that no goal of a program can be reached. Validation looks at the
//! program as it was written, without any reduction, and shares nothing with the solver but the decision diagrams.
//!
//! Contract: whatever the text, a certificate is only accepted if it is a proof. Points that it leaves out are recomputed from
//! those it names, so leaving out much costs time but never soundness.
//!
//! # The text
//!
//! ```text
//! getafix certificate 1            the version
//! target main:ERROR                what is claimed to be unreachable; any number of lines
//! order g h                        global variables in the order of the diagrams
//! function main                    what follows is about this function
//! order g x[0] x[1] h              its variables, one word for each bit
//! n1 = entry g ? T : F             a node of a diagram: if the bit is set, this, otherwise that
//! n2 = x[1] ? n1 : !n1             later nodes refer to earlier ones, `!` complements
//! entry = n1                       the entry states
//! node 7 = !n2   # line 12         the summary at a node; a remark ends the line
//! ```
//!
//! Words are separated by blanks. A plain name is the value at the point, a name after `entry` the value at entry; `x[2]` is
//! bit 2 of `x`, the lowest bit has number 0 and may be left out. `result.0` is the first result, at the exit node.
//! Nodes are shared by the whole file; a name means what it means in the function whose row uses the node. A global that a
//! local of the same name hides is written `g@global`. Blanks, control characters and `\` within a name, and `#` at its
//! beginning, are written as `\` hexadecimal code `;`. Several rows of one point are united. An order is advice.

#![forbid(unsafe_code)]

mod names;
mod read;
mod row;
mod text;
mod write;

mod claims;
mod layout;
mod modified;

mod conditions;
mod diagrams;
mod outcome;
mod rows;
mod step;
mod validate;

mod holds;
mod words;

mod claim;

pub mod ranked;
pub mod threads;

pub use claim::Claim;
pub use holds::{Holds, explain, of_ranked, of_threads};
pub use outcome::Outcome;
pub use read::{Certificate, read};
pub use row::{Moment, Point, Row, Variable};
pub use text::ReadError;
pub use validate::{Figures, validate};
pub use write::write;

//! The language server: what editors ask about programs, formula files, monitors and programs in C.
//!
//! - In: messages of the Language Server Protocol, on any stream; the path of a program of ours that checks.
//! - Out: messages on another stream, and how the server ended.
//! - Never: read a file that the editor has not handed over, except for what `#load` names inside the workspace; write one; look at a clock; evaluate a formula or check a
//!   program itself: a check is a process of its own, which the user asks for.
//!
//! ```text
//!  stdin ──wire──▶ reader ──Event──▶ server ──▶ documents, workspace
//!                                      │  ▲
//!                      Job (a text)    │  │ requests: answered at once, from the text as it stands
//!                                      ▼  │
//!                                   diagnose ──▶ client ──wire──▶ stdout
//!                                    check (a child) ──▶
//! ```
//!
//! Contract: whatever is sent, there is no panic; a request gets exactly one response; when the stream ends, so does the server. Texts are read as a whole each time; nothing is kept from
//! one version of a text to the next. Why there is no library of protocol types: `docs/decisions/0062`.

#![forbid(unsafe_code)]

mod wire;

mod message;

mod client;

mod uri;

mod document;

mod workspace;

mod vocabulary;
mod words;

mod analysis;
mod directives;
mod program;

mod diagnose;

mod answer;
mod check;
mod completion;
mod formatting;
mod hover;
mod lens;
mod outline;
mod rename;

mod server;

pub use server::{Ended, serve};

//! Getafix in a browser: a question comes in as one JSON text, and the answer goes out as one.
//!
//! - In: texts by their names, what is asked, options under the names of the command line.
//! - Out: the status, the words, the object of `--json`, and the page of `--html`.
//! - Never: a file, a clock, a request; no memory of the question before.
//!
//! [`answered`] is the whole of it and runs everywhere. In a WebAssembly module it is reached by plain exports, without a tool that binds: the page asks for
//! room with `buffer`, writes the question there, calls `ask`, and reads the answer at `answer`. A module that has run out of memory or stack is thrown
//! away by whoever asked; what a bug has said before it ended the module is at `answer`, too.

#![cfg_attr(not(target_family = "wasm"), forbid(unsafe_code))]

mod question;

#[cfg(target_family = "wasm")]
mod exports;

use getafix::{Events, Reply, Request};
use serde_json::{Value, json};

/// The answer to a question.
pub fn answered(question: &str) -> String {
    let request = match question::read(question) {
        Ok(request) => request,
        Err(message) => return refused(&message).to_string(),
    };
    let reply = part(&request.0, &mut Events::sealed());
    told(&reply, &request.1).to_string()
}

/// What of the library is in here: everything, or one of the two modules, of which a page loads the second one when it is first asked about C.
fn part(request: &Request, events: &mut Events) -> Reply {
    if !cfg!(target_family = "wasm") {
        getafix::answer_here(request, events)
    } else if cfg!(feature = "c") {
        getafix::answer_c_here(request, events)
    } else {
        getafix::answer_programs_here(request, events)
    }
}

/// An answer as an object.
fn told(reply: &Reply, name: &str) -> Value {
    json!({
        "status": reply.status.code(),
        "verdict": reply.verdict(),
        "headline": reply.headline(),
        "text": reply.text,
        "diagnostics": reply.diagnostics,
        "notes": reply.notes,
        "certificate": reply.certificate,
        "answer": reply.json(),
        "html": reply.html(name),
    })
}

/// A question that is none.
fn refused(message: &str) -> Value {
    json!({ "status": 2, "verdict": "error", "headline": message, "text": "", "diagnostics": [message], "notes": [], "certificate": null, "answer": null, "html": "" })
}

//! Whoever is at the other end: messages to him, from any thread, one after the other.

use crate::message::{Refused, response};
use crate::wire;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The way to the client.
#[derive(Clone)]
pub struct Client {
    output: Arc<Mutex<Box<dyn Write + Send>>>,
    is_gone: Arc<AtomicBool>,
    n_requests: Arc<AtomicU64>,
}

impl Client {
    /// Messages go to this stream.
    pub fn new(output: impl Write + Send + 'static) -> Self {
        let output: Box<dyn Write + Send> = Box::new(output);
        Self { output: Arc::new(Mutex::new(output)), is_gone: Arc::default(), n_requests: Arc::default() }
    }

    /// Nobody reads any more.
    pub fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Relaxed)
    }

    /// Sends a message.
    fn send(&self, message: &Value) {
        // A value of JSON can always be written.
        let bytes = serde_json::to_vec(message).unwrap_or_default();
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        if wire::write(&mut *output, &bytes).is_err() {
            self.is_gone.store(true, Ordering::Relaxed);
        }
    }

    /// Answers a request.
    pub fn respond(&self, id: &Value, answer: Result<Value, Refused>) {
        self.send(&response(id, answer));
    }

    /// Tells something.
    pub fn notify(&self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks something whose answer does not matter.
    pub fn request(&self, method: &str, params: Value) {
        let id = self.n_requests.fetch_add(1, Ordering::Relaxed);
        let id = format!("getafix-{id}");
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }
}

//! Requests, notifications and responses: JSON-RPC 2.0.

use serde_json::{Value, json};

/// Why a request has no result.
#[derive(Clone, Debug)]
pub struct Refused {
    /// A number that the protocol gives a meaning.
    pub code: i64,
    /// What is wrong, for people.
    pub message: String,
}

impl Refused {
    /// The message is no JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// The message is no request, or may not come now.
    pub const INVALID_REQUEST: i64 = -32600;
    /// There is no such method.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// The parameters are not what the method takes.
    pub const INVALID_PARAMS: i64 = -32602;
    /// The first request is `initialize`.
    pub const NOT_INITIALIZED: i64 = -32002;
    /// The client has withdrawn the request, or another one takes its place.
    pub const CANCELLED: i64 = -32800;
    /// The request is right, and cannot be met.
    pub const FAILED: i64 = -32803;

    /// A refusal.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// The parameters are wrong.
    pub fn params(message: impl Into<String>) -> Self {
        Self::new(Self::INVALID_PARAMS, message)
    }

    /// The request cannot be met.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(Self::FAILED, message)
    }
}

/// What came in.
#[derive(Debug)]
pub enum Message {
    /// Something that is answered.
    Request {
        /// A number or a text.
        id: Value,
        /// What is asked.
        method: String,
        /// About what.
        params: Value,
    },
    /// Something that is not answered.
    Notification {
        /// What is told.
        method: String,
        /// About what.
        params: Value,
    },
    /// The answer to a request of ours.
    Response,
    /// Something else.
    Invalid {
        /// What it may be the request of.
        id: Value,
    },
}

/// What a value is, if it is a message.
pub fn read(value: Value) -> Message {
    let Value::Object(mut fields) = value else { return Message::Invalid { id: Value::Null } };
    let id = fields.remove("id");
    let params = fields.remove("params").unwrap_or(Value::Null);
    let is_id = |id: &Value| id.is_number() || id.is_string();
    match (id, fields.remove("method")) {
        (Some(id), Some(Value::String(method))) if is_id(&id) => Message::Request { id, method, params },
        (None, Some(Value::String(method))) => Message::Notification { method, params },
        (Some(_), None) if fields.contains_key("result") || fields.contains_key("error") => Message::Response,
        (id, _) => Message::Invalid { id: id.filter(is_id).unwrap_or(Value::Null) },
    }
}

/// The response to a request.
pub fn response(id: &Value, answer: Result<Value, Refused>) -> Value {
    match answer {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(Refused { code, message }) => {
            json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
        }
    }
}

/// A text among parameters.
pub fn text<'v>(params: &'v Value, path: &str) -> Result<&'v str, Refused> {
    let found = params.pointer(path).and_then(Value::as_str);
    found.ok_or_else(|| Refused::params(format!("expected a text at `{path}` of the parameters")))
}

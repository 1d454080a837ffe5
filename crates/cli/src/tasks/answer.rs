//! What a process that checks one of many programs says, as one line: written there, read here.

use getafix::{Reply, Status};
use serde_json::{Value, json};

/// The answer about one of many programs.
#[derive(Clone, Default, Debug)]
pub struct Answer {
    pub status: Status,
    /// The answer as `docs/output.schema.json` describes it.
    pub object: Value,
    /// The answer as text.
    pub text: String,
    /// The first line of it.
    pub headline: String,
    /// What the document in SARIF has about it.
    pub sarif: Value,
    /// What a verification task expects: that the property holds, or does not.
    pub expected: Option<bool>,
    /// What was said on stderr.
    pub errors: String,
    pub seconds: f64,
    /// Somebody did not want to wait for the answer.
    pub is_interrupted: bool,
}

impl Answer {
    /// The line that says all of it.
    pub fn line(reply: &Reply, file: &str) -> String {
        let told = json!({
            "status": reply.status.code(),
            "answer": reply.json(),
            "text": reply.text,
            "headline": reply.headline(),
            "sarif": reply.sarif(file)["runs"][0],
            "expected": reply.expected,
        });
        format!("{told}\n")
    }

    /// What a process has said before it ended with a status.
    pub fn read(code: Option<i32>, output: &[u8], errors: String, seconds: f64) -> Self {
        let told: Value = serde_json::from_slice(output).unwrap_or_default();
        if !told["answer"].is_object() {
            return Self { seconds, ..Self::failed(&ended(code), errors) };
        }
        let text = |key: &str| told[key].as_str().unwrap_or_default().to_owned();
        Self {
            status: status(code),
            object: told["answer"].clone(),
            text: text("text"),
            headline: text("headline"),
            sarif: told["sarif"].clone(),
            expected: told["expected"].as_bool(),
            errors,
            seconds,
            is_interrupted: false,
        }
    }

    /// There is none.
    pub fn failed(message: &str, errors: String) -> Self {
        let mut reply = Reply::default();
        reply.complain(message, Status::Bug);
        let headline = format!("error: {message}");
        let errors = if errors.is_empty() { format!("{headline}\n") } else { errors };
        Self { status: Status::Bug, object: reply.json(), headline, errors, ..Self::default() }
    }

    /// The verdict.
    pub fn verdict(&self) -> &str {
        self.object["verdict"].as_str().unwrap_or("error")
    }

    /// Each target with its verdict.
    pub fn targets(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let targets = self.object["targets"].as_array().into_iter().flatten();
        targets.map(|target| (text(&target["target"]), text(&target["verdict"]))).collect()
    }

    /// The first line, or what is wrong.
    pub fn told(&self) -> String {
        if !matches!(self.status, Status::Rejected | Status::Bug) {
            return self.headline.clone();
        }
        let first = self.object["diagnostics"].as_array().into_iter().flatten().next();
        let message = first.and_then(|diagnostic| diagnostic["message"].as_str()).unwrap_or("rejected");
        let place = first.map(|diagnostic| &diagnostic["place"]).filter(|place| place.is_object());
        match place {
            Some(place) => format!("error in line {}: {message}", place["line"]),
            None => format!("error: {message}"),
        }
    }
}

/// The status that a number is.
pub fn status(code: Option<i32>) -> Status {
    let all = [Status::Evaluated, Status::Unknown, Status::Violated, Status::Rejected];
    all.into_iter().find(|status| Some(i32::from(status.code())) == code).unwrap_or(Status::Bug)
}

/// How a process has ended that said nothing.
fn ended(code: Option<i32>) -> String {
    match code {
        Some(code) => format!("its process ended with status {code} and without an answer"),
        None => "its process was ended by a signal".to_owned(),
    }
}

//! Many checks as one document in SARIF: the parts that each process wrote, put together.

use super::answer::Answer;
use super::expected::Standing;
use super::task::Task;
use serde_json::{Value, json};

/// Whose results are in the document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Every run that was found.
    All,
    /// Of checks with another verdict than expected only: what a list expects is no news.
    Unexpected,
}

/// The document.
pub fn document(tasks: &[Task], answers: &[Option<(Answer, Standing)>], which: Which) -> Value {
    let mut files: Vec<String> = Vec::new();
    let (mut results, mut notifications) = (Vec::new(), Vec::new());
    for (task, answer) in tasks.iter().zip(answers) {
        let name = task.path().to_string_lossy().into_owned();
        let position = files.iter().position(|file| *file == name).unwrap_or_else(|| {
            files.push(name);
            files.len() - 1
        });
        let Some((answer, standing)) = answer else { continue };
        let entries = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let mut part = entries(&answer.sarif["results"]);
        let mut remarks = entries(&answer.sarif["invocations"][0]["toolExecutionNotifications"]);
        match (which, standing) {
            (Which::Unexpected, Standing::AsExpected) => continue,
            (Which::Unexpected, Standing::Another) if part.is_empty() => {
                remarks.push(unexpected(task, answer))
            }
            _ => {}
        }
        if matches!(standing, Standing::Rejected | Standing::Bug) {
            remarks.push(json!({ "level": "error", "message": { "text": format!("{}: {}", task.name, answer.told()) } }));
        }
        part.iter_mut().chain(&mut remarks).for_each(|value| moved(value, position));
        results.extend(part);
        notifications.extend(remarks);
    }
    let mut document = getafix::sarif_document(&[], &files);
    let uris: Vec<Value> = files
        .iter()
        .enumerate()
        .map(|(n, _)| document["runs"][0]["artifacts"][n]["location"]["uri"].clone())
        .collect();
    results.iter_mut().chain(&mut notifications).for_each(|value| named(value, &uris));
    let run = &mut document["runs"][0];
    run["results"] = json!(results);
    run["invocations"][0]["toolExecutionNotifications"] = json!(notifications);
    document
}

/// An error that was expected is not there.
fn unexpected(task: &Task, answer: &Answer) -> Value {
    let text = format!("{}: {}, and {} is expected", task.name, answer.told(), task.expected.shown(answer));
    json!({ "level": "error", "message": { "text": text }, "locations": [{ "physicalLocation": { "artifactLocation": {} } }] })
}

/// Whatever is in the only file of a part is in the file with this number.
fn moved(value: &mut Value, position: usize) {
    each_artifact(value, &mut |artifact| artifact["index"] = json!(position));
}

/// Each file by the name that the document has for it.
fn named(value: &mut Value, uris: &[Value]) {
    each_artifact(value, &mut |artifact| {
        let position = artifact["index"].as_u64().map_or(0, |index| index as usize);
        artifact["uri"] = uris.get(position).cloned().unwrap_or_default();
    });
}

fn each_artifact(value: &mut Value, change: &mut impl FnMut(&mut Value)) {
    match value {
        Value::Object(entries) => {
            for (key, entry) in entries.iter_mut() {
                match key.as_str() {
                    "artifactLocation" => change(entry),
                    _ => each_artifact(entry, change),
                }
            }
        }
        Value::Array(entries) => entries.iter_mut().for_each(|entry| each_artifact(entry, change)),
        _ => {}
    }
}

//! Answers in SARIF 2.1.0, which editors and code hosts show: a result for each target that is reached, with the run as a code flow.
//!
//! Answers about several programs are parts of one document, with one run of the tool. A part is made from a conclusion whose trace is an object, so that it tells what the JSON form tells, of every kind of program.

use crate::answer::Conclusion;
use serde_json::{Map, Value, json};

/// What can be found, with a sentence about it.
const RULES: [(&str, &str); 8] = [
    ("assertion", "An assertion can fail."),
    ("reachable", "A label or call can be reached that must not be."),
    ("overflow", "A result does not fit its type."),
    ("infinite-run", "A run never ends."),
    ("property", "A run violates the property."),
    ("deadlock", "No thread can go on, and some thread has not ended."),
    ("memory", "Memory is misused, or left at the end."),
    ("undefined", "Something undefined happens."),
];

/// Where it is told what the tool does: the paper that it follows.
const INFORMATION: &str = "https://doi.org/10.1145/1542476.1542500";

/// What the document says about one file.
#[derive(Clone, Debug)]
pub struct Part {
    results: Vec<Value>,
    notifications: Vec<Value>,
}

/// The part about one of the files of a document, by its position among them.
pub fn part(conclusion: &Conclusion, files: &[String], position: usize) -> Part {
    let story = Story { trace: &conclusion.trace, file: &files[position], position };
    let notification = |reason: &String| {
        json!({
            "level": "note",
            "message": { "text": format!("unknown: {reason}") },
            "locations": [{ "physicalLocation": { "artifactLocation": story.artifact() } }],
        })
    };
    let notifications = conclusion.reason.iter().map(notification).collect();
    Part { results: story.results(conclusion), notifications }
}

/// The document about some files, as far as there are parts.
pub fn document(parts: &[Part], files: &[String], version: &str) -> Value {
    let rule = |(id, text): &(&str, &str)| json!({ "id": id, "shortDescription": { "text": text }, "defaultConfiguration": { "level": "error" } });
    let all = |of: fn(&Part) -> &Vec<Value>| -> Vec<Value> { parts.iter().flat_map(of).cloned().collect() };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "getafix",
                "version": version,
                "semanticVersion": version,
                "informationUri": INFORMATION,
                "rules": RULES.iter().map(rule).collect::<Vec<Value>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "artifacts": files.iter().map(|file| json!({ "location": { "uri": uri(file) } })).collect::<Vec<Value>>(),
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": all(|part| &part.notifications),
            }],
            "results": all(|part| &part.results),
        }],
    })
}

struct Story<'a> {
    trace: &'a Value,
    file: &'a str,
    /// Its position among the files of the document.
    position: usize,
}

impl Story<'_> {
    fn results(&self, conclusion: &Conclusion) -> Vec<Value> {
        match conclusion.verdict {
            "infinite run" => vec![self.result("infinite-run", "a run never ends", true)],
            "violated" => vec![self.result("property", &self.violation(conclusion), true)],
            "deadlock" => vec![self.deadlock()],
            "reachable" => {
                let reached: Vec<&str> = conclusion
                    .targets
                    .iter()
                    .filter(|target| target["verdict"] == "reachable")
                    .filter_map(|target| target["target"].as_str())
                    .collect();
                let is_told = |name: &str| reached.len() == 1 || self.is_goal(name);
                match reached.is_empty() {
                    true => vec![self.result("reachable", "what the formula asks for is reached", true)],
                    false => reached.iter().map(|name| self.target(name, is_told(name))).collect(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// What a run violates: the formula, if there is one.
    fn violation(&self, conclusion: &Conclusion) -> String {
        // Somebody watches: a monitor, or an observer of threads, who have a schedule then.
        let is_watched =
            self.trace["monitor"].is_object() || self.trace["threads"][0]["for_ever"].is_object();
        match (&conclusion.targets[..], is_watched) {
            ([target], true) => {
                format!("an infinite run violates {}", target["target"].as_str().unwrap_or(""))
            }
            _ => "a run violates the property".to_owned(),
        }
    }

    /// A deadlock is where the first thread waits; the others are related places.
    fn deadlock(&self) -> Value {
        let threads = self.trace["threads"].as_array().map_or(&[][..], Vec::as_slice);
        let mut waits: Vec<(String, Value)> = Vec::new();
        for thread in threads.iter().filter(|thread| thread["ended"] == false) {
            let place = thread["stack"].as_array().and_then(|stack| stack.last()).unwrap_or(&Value::Null);
            let reasons: Vec<String> =
                thread["waits_for"].as_array().into_iter().flatten().map(waited_for).collect();
            let name = format!("{}[{}]", thread["thread"].as_str().unwrap_or(""), thread["copy"]);
            let text = match reasons.is_empty() {
                true => format!("{name} waits"),
                false => format!("{name} waits for {}", reasons.join(", or for ")),
            };
            waits.push((text.clone(), self.location(place, Some(text))));
        }
        let all: Vec<&str> = waits.iter().map(|(text, _)| text.as_str()).collect();
        let message = match all.is_empty() {
            true => "no thread can go on".to_owned(),
            false => format!("no thread can go on: {}", all.join("; ")),
        };
        let mut result = self.result("deadlock", &message, true);
        let mut places = waits.into_iter().map(|(_, place)| place);
        if let Some(first) = places.next() {
            result["locations"] = json!([first]);
        }
        let others: Vec<Value> = places.collect();
        if !others.is_empty() {
            result["relatedLocations"] = json!(others);
        }
        result
    }

    /// Whether the run reaches this target.
    fn is_goal(&self, name: &str) -> bool {
        let goal = &self.trace["goal"];
        if of_memory(name).is_some() || name == "undefined" {
            return true;
        }
        let label = name.rsplit(':').next().unwrap_or(name);
        let has_label =
            goal["labels"].as_array().is_some_and(|labels| labels.iter().any(|other| other == label));
        has_label || goal["kind"] == name
    }

    fn target(&self, name: &str, is_told: bool) -> Value {
        match name {
            "assert" => self.result("assertion", "an assertion can fail", is_told),
            "overflow" => self.result("overflow", "a result does not fit its type", is_told),
            "undefined" => self.result("undefined", "something undefined happens", is_told),
            name if of_memory(name).is_some() => {
                self.result("memory", of_memory(name).unwrap_or_default(), is_told)
            }
            name => self.result("reachable", &format!("{name} can be reached"), is_told),
        }
    }

    /// One result; if the run is about it, with its place and the run.
    fn result(&self, rule: &str, message: &str, is_told: bool) -> Value {
        let index = RULES.iter().position(|(id, _)| *id == rule);
        let mut result = json!({
            "ruleId": rule, "ruleIndex": index, "level": "error", "kind": "fail", "message": { "text": message },
            "locations": [{ "physicalLocation": { "artifactLocation": self.artifact() } }],
            "partialFingerprints": { "question/v1": fingerprint(&[rule, self.file, message]) },
        });
        if is_told && self.trace.is_object() {
            if let Some(place) = self.place() {
                result["locations"] = json!([self.location(place, None)]);
            }
            let threads = self.thread_flows();
            if !threads.is_empty() {
                result["codeFlows"] =
                    json!([{ "message": { "text": self.summary() }, "threadFlows": threads }]);
            }
        }
        result
    }

    /// What is reached; of a run without end, where its cycle begins.
    fn place(&self) -> Option<&Value> {
        let goal = &self.trace["goal"];
        if goal.is_object() {
            return Some(goal);
        }
        let steps = self.trace["steps"].as_array()?;
        let first = self.trace["cycle"]["first"].as_u64();
        let begins = |step: &&Value| {
            step["line"].is_u64() && first.is_none_or(|first| step["step"].as_u64() >= Some(first))
        };
        steps.iter().find(begins).or(steps.iter().rev().find(|step| step["line"].is_u64()))
    }

    fn summary(&self) -> String {
        let n_steps = self.trace["n_steps"].to_string();
        match &self.trace["cycle"] {
            Value::Null => format!("a run of {} steps", n_steps.trim_matches('"')),
            cycle => format!(
                "a run whose steps from {} to {} are taken again and again",
                cycle["first"], cycle["last"]
            ),
        }
    }

    fn artifact(&self) -> Value {
        json!({ "uri": uri(self.file), "index": self.position })
    }

    /// A place that has a line, and what happens there.
    fn location(&self, place: &Value, message: Option<String>) -> Value {
        let mut region = json!({ "startLine": place["line"] });
        if place["column"].is_u64() {
            region["startColumn"] = place["column"].clone();
        }
        let mut location =
            json!({ "physicalLocation": { "artifactLocation": self.artifact(), "region": region } });
        if let Some(function) = place["function"].as_str() {
            location["logicalLocations"] = json!([{ "name": function, "kind": "function" }]);
        }
        if let Some(message) = message {
            location["message"] = json!({ "text": message });
        }
        location
    }

    /// A flow for each thread; the order of execution is that of the steps.
    fn thread_flows(&self) -> Vec<Value> {
        let mut flows: Vec<(String, Vec<Value>)> = Vec::new();
        let steps = self.trace["steps"].as_array().map_or(&[][..], Vec::as_slice);
        let goal = Some(&self.trace["goal"]).filter(|goal| goal["line"].is_u64());
        let mut last_line = None;
        for (order, step) in steps.iter().chain(goal).enumerate() {
            let is_goal = order == steps.len();
            // What is told in one line for many steps has the place of what is around it.
            let place = if step["line"].is_u64() { Some(step) } else { last_line };
            last_line = place.or(last_line);
            let Some(place) = place else { continue };
            let message = if is_goal { goal_words(step) } else { words(step) };
            let mut location = json!({
                "location": self.location(place, Some(message)),
                "nestingLevel": step["depth"].as_u64().unwrap_or_else(|| self.goal_depth(step)),
                "executionOrder": order + 1,
                "importance": if is_goal { "essential" } else { "important" },
            });
            let mut state = changes(step);
            if order == 0 {
                let globals = self.trace["globals"].as_array().map_or(&[][..], Vec::as_slice);
                let mut first: Map<String, Value> = globals.iter().filter_map(valuation).collect();
                first.append(&mut state);
                state = first;
            }
            if !state.is_empty() {
                location["state"] = Value::Object(state);
            }
            let id = format!("{}[{}]", step["thread"].as_str().unwrap_or("main"), step["copy"]);
            match flows.iter_mut().find(|(other, _)| *other == id) {
                Some((_, locations)) => locations.push(location),
                None => flows.push((id, vec![location])),
            }
        }
        flows.into_iter().map(|(id, locations)| json!({ "id": id, "locations": locations })).collect()
    }

    /// How many calls wait at the end.
    fn goal_depth(&self, goal: &Value) -> u64 {
        let threads = self.trace["threads"].as_array().map_or(&[][..], Vec::as_slice);
        let same = |thread: &&Value| thread["thread"] == goal["thread"] && thread["copy"] == goal["copy"];
        let stack = threads.iter().find(same).and_then(|thread| thread["stack"].as_array());
        stack.map_or(0, |stack| stack.len().saturating_sub(1) as u64)
    }
}

/// Something that a thread waits for, in words.
fn waited_for(wait: &Value) -> String {
    if let Some(thread) = wait["thread"].as_str() {
        return format!("{thread}, which has ended in an atomic region");
    }
    let statement = wait["statement"].as_str().unwrap_or("");
    match assignments(wait, "values") {
        values if values.is_empty() => statement.to_owned(),
        values => format!("{statement} ({values})"),
    }
}

/// Tells results apart by what was asked, and not by lines, which move: 64 bits by the method of Fowler, Noll and Vo.
fn fingerprint(parts: &[&str]) -> String {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    let code = bytes.fold(0xcbf2_9ce4_8422_2325u64, |code, byte| {
        (code ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{code:016x}")
}

/// A variable and its value, as text.
fn valuation(entry: &Value) -> Option<(String, Value)> {
    let name = entry["name"].as_str()?;
    Some((name.to_owned(), json!({ "text": entry["value"].as_str()? })))
}

/// What a step changes.
fn changes(step: &Value) -> Map<String, Value> {
    let lists = ["arguments", "changes", "locals", "chosen"];
    let all = lists.iter().filter_map(|key| step[key].as_array()).flatten();
    all.filter_map(valuation).collect()
}

fn assignments(step: &Value, key: &str) -> String {
    let all = step[key].as_array().map_or(&[][..], Vec::as_slice);
    let pair = |entry: &Value| Some(format!("{} = {}", entry["name"].as_str()?, entry["value"].as_str()?));
    all.iter().filter_map(pair).collect::<Vec<String>>().join(", ")
}

/// A step in words.
fn words(step: &Value) -> String {
    let statement = step["statement"].as_str().unwrap_or("");
    let effect = match step["kind"].as_str().unwrap_or("") {
        "test" => if step["value"] == true { "true" } else { "false" }.to_owned(),
        "call" => {
            format!("calls {}({})", step["callee"].as_str().unwrap_or(""), assignments(step, "arguments"))
        }
        "return" => {
            let caller = step["caller"].as_str().unwrap_or("");
            match assignments(step, "changes") {
                changes if changes.is_empty() => format!("back in {caller}"),
                changes => format!("back in {caller}: {changes}"),
            }
        }
        "repeat" => return format!("as steps {}–{}", step["first"], step["last"]),
        "omitted" => return format!("steps {}–{} are left out", step["first"], step["last"]),
        "jump" => format!("to {}", step["label"].as_str().unwrap_or("")),
        _ => assignments(step, "changes"),
    };
    match (statement, &effect[..]) {
        ("", effect) => effect.to_owned(),
        (statement, "") => statement.to_owned(),
        (statement, effect) => format!("{statement}: {effect}"),
    }
}

/// What is wrong with memory, if a target or a property has this name. Nothing else is asked for beside it.
fn of_memory(name: &str) -> Option<&'static str> {
    match name {
        "memory" => Some("memory is misused"),
        "valid-memsafety" => Some("memory is misused or lost"),
        "valid-memcleanup" => Some("memory is not freed"),
        _ => None,
    }
}

fn goal_words(goal: &Value) -> String {
    let label =
        goal["labels"].as_array().and_then(|labels| labels.first()).and_then(Value::as_str).unwrap_or("");
    match goal["kind"].as_str().unwrap_or("") {
        "assert" => "the assertion fails".to_owned(),
        "overflow" => "the result does not fit its type".to_owned(),
        "memory" => "memory is misused".to_owned(),
        "undefined" => "something undefined happens".to_owned(),
        "call" => format!("{label} is called"),
        _ => format!("{label} is reached"),
    }
}

/// A file name as the path of an address: other characters than those of names are written by their bytes.
fn uri(file: &str) -> String {
    let mut out = String::new();
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                out.push(byte as char)
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    if out.starts_with('/') { format!("file://{out}") } else { out }
}

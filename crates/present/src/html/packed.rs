//! A run as a page carries it: what steps have in common is said once.
//!
//! Contract: `unpacked` of the script makes of it what it was. A step is an entry of a table, a depth, and, where they are not the next ones, a number and a context. An entry is what
//! it has in common with others, its line, and names, each of which is said once.

use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::fmt::Write as _;

/// What names somebody else; a step has at most one of them.
const LINKS: [&str; 3] = ["callee", "caller", "label"];

/// More steps than this are left out of a page, and a row says so: a browser could not hold them.
const MOST_STEPS: usize = 200_000;

/// Stands for a line or a name that is not there.
const NONE: i64 = -1;

/// A run whose steps are packed; what is none stays as it is.
pub(super) fn packed(trace: &Value) -> Value {
    let (Value::Object(parts), Some(Value::Array(all))) = (trace, trace.get("steps")) else {
        return trace.clone();
    };
    let left_out = left_out(all, MOST_STEPS);
    let steps = all.iter().take(MOST_STEPS).chain(&left_out).filter_map(Value::as_object);
    let mut table = Table::default();
    let (mut rows, mut depths, mut numbers, mut contexts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut expected, mut context) = (Some(1), &json!(0));
    for (row, step) in steps.enumerate() {
        let part = |name: &str| step.get(name).unwrap_or(&Value::Null);
        let [number, depth, own] = [part("step"), part("depth"), part("context")];
        if number.as_u64() != expected {
            numbers.extend([json!(row), number.clone()]);
        }
        if own != context {
            contexts.extend([json!(row), own.clone()]);
            context = own;
        }
        expected = Some(number.as_u64().map_or(0, |number| number + 1));
        depths.push(depth.clone());
        rows.push(json!(table.entry(step)));
    }
    let Table { bases, names, entries, .. } = table;
    let rest = parts.iter().filter(|(name, _)| *name != "steps");
    let mut packed: Map<String, Value> = rest.map(|(name, value)| (name.clone(), value.clone())).collect();
    if left_out.is_some() {
        packed.insert("cut".to_owned(), json!(true));
    }
    let steps = json!({
        "bases": bases.all,
        "names": names.all,
        "entries": entries.all,
        "rows": rows,
        "depths": depths,
        "numbers": numbers,
        "contexts": contexts,
    });
    packed.insert("packed".to_owned(), steps);
    Value::Object(packed)
}

/// The row that stands for what is too much, if something is.
fn left_out(steps: &[Value], most: usize) -> Option<Value> {
    let (first, last) = (steps.get(most)?, &steps.last()?["step"]);
    let [step, thread, copy, context] = ["step", "thread", "copy", "context"].map(|name| &first[name]);
    Some(
        json!({ "kind": "omitted", "step": step, "first": step, "last": last, "thread": thread, "copy": copy, "context": context, "depth": 0 }),
    )
}

/// Values, each once, by a text that says what they are.
#[derive(Default)]
struct Different {
    known: HashMap<String, usize>,
    all: Vec<Value>,
}

impl Different {
    fn number(&mut self, text: &str, value: impl FnOnce() -> Value) -> usize {
        if let Some(number) = self.known.get(text) {
            return *number;
        }
        self.all.push(value());
        self.known.insert(text.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }
}

#[derive(Default)]
struct Table {
    /// Steps without what is told apart.
    bases: Different,
    names: Different,
    /// Base, line, function, statement, link.
    entries: Different,
    /// Where texts are put together.
    text: String,
}

impl Table {
    fn entry(&mut self, step: &Map<String, Value>) -> usize {
        let line = step.get("line").and_then(Value::as_i64).unwrap_or(NONE);
        let mut name = |key: &str| match step.get(key) {
            Some(Value::String(text)) => self.names.number(text, || json!(text)) as i64,
            _ => NONE,
        };
        let [function, statement] = [name("function"), name("statement")];
        let link = LINKS.into_iter().find_map(|key| Some((key, name(key))).filter(|(_, n)| *n != NONE));
        let is_apart = |key: &str, value: &Value| match key {
            "step" | "depth" | "context" => true,
            "line" => line != NONE,
            "function" | "statement" => value.is_string(),
            key => link.is_some_and(|(link, _)| link == key),
        };
        let rest = || step.iter().filter(|(key, value)| !is_apart(key, value));
        self.text.clear();
        self.text.push_str(link.map_or("", |(key, _)| key));
        for (key, value) in rest() {
            self.text.push_str(key);
            // A text is all that is needed, and it cannot fail.
            let _ = write!(self.text, "{value},");
        }
        let base = self.bases.number(&self.text, || {
            let mut base: Map<String, Value> =
                rest().map(|(key, value)| (key.clone(), value.clone())).collect();
            if let Some((key, _)) = link {
                base.insert("link".to_owned(), json!(key));
            }
            Value::Object(base)
        });
        let entry = [base as i64, line, function, statement, link.map_or(NONE, |(_, n)| n)];
        self.text.clear();
        let _ = write!(self.text, "{entry:?}");
        self.entries.number(&self.text, || json!(entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steps_have_in_common_is_said_once() {
        let step = |number: u64, context: u64, text: &str| json!({ "step": number, "depth": 0, "context": context, "line": 3, "statement": text, "callee": "f" });
        let trace = json!({ "steps": [step(1, 1, "a"), step(2, 1, "a"), step(4, 2, "b")], "goal": null });
        let expected = json!({
            "bases": [{ "link": "callee" }],
            "names": ["a", "f", "b"],
            "entries": [[0, 3, -1, 0, 1], [0, 3, -1, 2, 1]],
            "rows": [0, 0, 1],
            "depths": [0, 0, 0],
            "numbers": [2, 4],
            "contexts": [0, 1, 2, 2],
        });
        assert_eq!(packed(&trace), json!({ "packed": expected, "goal": null }));
        let steps: Vec<Value> = (1..=5).map(|number| step(number, 1, "a")).collect();
        let row = left_out(&steps, 2).expect("there are more");
        assert_eq!((&row["first"], &row["last"]), (&json!(3), &json!(5)));
        assert_eq!(left_out(&steps, 5), None);
        assert_eq!(packed(&json!(null)), json!(null));
    }
}

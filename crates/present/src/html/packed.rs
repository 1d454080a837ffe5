//! A run as a page carries it: what steps have in common is said once.
//!
//! Contract: `unpacked` of the script makes of it what it was. A step is an entry of a table, a depth, and, where they are not the next ones, a number and a context. An entry is what
//! it has in common with others, its line, and names, each of which is said once.

use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// What names somebody else; a step has at most one of them.
const LINKS: [&str; 3] = ["callee", "caller", "label"];

/// More steps than this are left out of a page, and a row says so: a browser could not hold them.
const MOST_STEPS: usize = 200_000;

/// Stands for a line or a name that is not there.
const NONE: i64 = -1;

/// Replaces the steps of a run by their packed form.
pub(super) fn pack(trace: &mut Value) {
    let Some(Value::Array(mut steps)) = trace.get_mut("steps").map(Value::take) else { return };
    if let Some(left_out) = cut(&mut steps, MOST_STEPS) {
        steps.push(left_out);
        trace["cut"] = json!(true);
    }
    let mut table = Table::default();
    let (mut rows, mut depths, mut numbers, mut contexts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut expected, mut context) = (json!(1), json!(0));
    for (row, step) in steps.into_iter().enumerate() {
        let Value::Object(mut step) = step else { continue };
        let mut taken = |name: &str| step.remove(name).unwrap_or(Value::Null);
        let [number, depth, own] = [taken("step"), taken("depth"), taken("context")];
        if number != expected {
            numbers.extend([json!(row), number.clone()]);
        }
        if own != context {
            contexts.extend([json!(row), own.clone()]);
            context = own;
        }
        expected = json!(number.as_u64().map_or(0, |number| number + 1));
        depths.push(depth);
        rows.push(json!(table.entry(step)));
    }
    let Table { bases, names, entries, .. } = table;
    trace["packed"] = json!({
        "bases": bases.all,
        "names": names.all,
        "entries": entries.all,
        "rows": rows,
        "depths": depths,
        "numbers": numbers,
        "contexts": contexts,
    });
    if let Some(trace) = trace.as_object_mut() {
        trace.remove("steps");
    }
}

/// Leaves out what is too much; the row that stands for it.
fn cut(steps: &mut Vec<Value>, most: usize) -> Option<Value> {
    let (first, last) = (steps.get(most)?.clone(), steps.last()?["step"].clone());
    steps.truncate(most);
    let Value::Object(first) = first else { return None };
    let part = |name: &str| first.get(name).cloned().unwrap_or(Value::Null);
    let [step, thread, copy, context] = ["step", "thread", "copy", "context"].map(part);
    Some(
        json!({ "kind": "omitted", "step": step, "first": step, "last": last, "thread": thread, "copy": copy, "context": context, "depth": 0 }),
    )
}

/// Values, each once.
#[derive(Default)]
struct Different {
    known: HashMap<String, usize>,
    all: Vec<Value>,
}

impl Different {
    fn number(&mut self, value: Value) -> usize {
        *self.known.entry(value.to_string()).or_insert_with(|| {
            self.all.push(value);
            self.all.len() - 1
        })
    }
}

#[derive(Default)]
struct Table {
    /// Steps without what is told apart.
    bases: Different,
    names: Different,
    /// Base, line, function, statement, link.
    entries: Different,
}

impl Table {
    fn entry(&mut self, mut step: Map<String, Value>) -> usize {
        let line = step.get("line").and_then(Value::as_i64).unwrap_or(NONE);
        if line != NONE {
            step.remove("line");
        }
        let mut name = |key: &str| match step.get(key) {
            Some(Value::String(_)) => {
                let text = step.remove(key).unwrap_or(Value::Null);
                self.names.number(text) as i64
            }
            _ => NONE,
        };
        let [function, statement] = [name("function"), name("statement")];
        let link = LINKS.into_iter().find_map(|key| Some((key, name(key))).filter(|(_, n)| *n != NONE));
        if let Some((key, _)) = link {
            step.insert("link".to_owned(), json!(key));
        }
        let base = self.bases.number(Value::Object(step));
        self.entries.number(json!([base, line, function, statement, link.map_or(NONE, |(_, n)| n)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steps_have_in_common_is_said_once() {
        let step = |number: u64, context: u64, text: &str| json!({ "step": number, "depth": 0, "context": context, "line": 3, "statement": text, "callee": "f" });
        let mut trace = json!({ "steps": [step(1, 1, "a"), step(2, 1, "a"), step(4, 2, "b")], "goal": null });
        pack(&mut trace);
        let packed = json!({
            "bases": [{ "link": "callee" }],
            "names": ["a", "f", "b"],
            "entries": [[0, 3, -1, 0, 1], [0, 3, -1, 2, 1]],
            "rows": [0, 0, 1],
            "depths": [0, 0, 0],
            "numbers": [2, 4],
            "contexts": [0, 1, 2, 2],
        });
        assert_eq!(trace, json!({ "packed": packed, "goal": null }));
        let mut steps: Vec<Value> = (1..=5).map(|number| step(number, 1, "a")).collect();
        let row = cut(&mut steps, 2).expect("there are more");
        assert_eq!((steps.len(), &row["first"], &row["last"]), (2, &json!(3), &json!(5)));
        assert_eq!(cut(&mut steps, 2), None);
        let mut none = json!(null);
        pack(&mut none);
        assert_eq!(none, json!(null));
    }
}

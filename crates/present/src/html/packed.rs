//! A run as a page carries it: what steps have in common is said once.
//!
//! Contract: `unpacked` of the script makes of it what it was. A loop of a million steps is a million small numbers, not a million objects.

use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Replaces the steps of a run by a table of different ones and, for each step, its entry, its depth, and where they are not the next ones its number and context.
pub(super) fn pack(trace: &mut Value) {
    let Some(Value::Array(steps)) = trace.get_mut("steps").map(Value::take) else { return };
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut table = Vec::new();
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
        rows.push(json!(entry(step, &mut known, &mut table)));
    }
    trace["packed"] =
        json!({ "table": table, "rows": rows, "depths": depths, "numbers": numbers, "contexts": contexts });
    if let Some(trace) = trace.as_object_mut() {
        trace.remove("steps");
    }
}

fn entry(step: Map<String, Value>, known: &mut HashMap<String, usize>, table: &mut Vec<Value>) -> usize {
    let step = Value::Object(step);
    *known.entry(step.to_string()).or_insert_with(|| {
        table.push(step);
        table.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steps_have_in_common_is_said_once() {
        let step = |number: u64, context: u64, text: &str| json!({ "step": number, "depth": 0, "context": context, "statement": text });
        let mut trace = json!({ "steps": [step(1, 1, "a"), step(2, 1, "a"), step(4, 2, "b")], "goal": null });
        pack(&mut trace);
        let packed = json!({
            "table": [{ "statement": "a" }, { "statement": "b" }],
            "rows": [0, 0, 1],
            "depths": [0, 0, 0],
            "numbers": [2, 4],
            "contexts": [0, 1, 2, 2],
        });
        assert_eq!(trace, json!({ "packed": packed, "goal": null }));
        let mut none = json!(null);
        pack(&mut none);
        assert_eq!(none, json!(null));
    }
}

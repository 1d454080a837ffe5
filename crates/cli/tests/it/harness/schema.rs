//! As much of JSON Schema as `docs/output.schema.json` uses; a word of it that is not known here is an error.

use serde_json::Value;

/// Checks a value against a schema; an error says where it fails.
pub fn validate(schema: &Value, value: &Value) -> Result<(), String> {
    check(schema, schema, value, "$")
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    for (word, rule) in schema.as_object().ok_or("a schema is an object")? {
        let holds = match word.as_str() {
            "$schema" | "$defs" | "title" | "description" | "pattern" => true,
            "$ref" => {
                let name = rule.as_str().and_then(|name| name.strip_prefix("#/$defs/")).ok_or("a name")?;
                check(root, &root["$defs"][name], value, at)?;
                true
            }
            "type" => types(rule).iter().any(|name| is_of_type(name, value)),
            "const" => rule == value,
            "enum" => rule.as_array().is_some_and(|values| values.contains(value)),
            "minimum" => value.as_f64() >= rule.as_f64(),
            "required" => list(rule).iter().all(|part| has(part, value)),
            "properties" | "items" => {
                parts(root, word, rule, value, at)?;
                true
            }
            "additionalProperties" => {
                let known = schema["properties"].as_object().ok_or("properties")?;
                value.as_object().is_none_or(|object| object.keys().all(|key| known.contains_key(key)))
            }
            "oneOf" => list(rule).iter().filter(|one| check(root, one, value, at).is_ok()).count() == 1,
            _ => return Err(format!("the word `{word}` of the schema is not known")),
        };
        if !holds {
            return Err(format!("`{word}` fails at {at}"));
        }
    }
    Ok(())
}

fn list(rule: &Value) -> &[Value] {
    rule.as_array().map_or(&[], Vec::as_slice)
}

fn has(key: &Value, value: &Value) -> bool {
    value.as_object().is_none_or(|object| key.as_str().is_some_and(|key| object.contains_key(key)))
}

fn types(rule: &Value) -> Vec<&str> {
    match rule {
        Value::String(name) => vec![name],
        _ => list(rule).iter().filter_map(Value::as_str).collect(),
    }
}

fn is_of_type(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

fn parts(root: &Value, word: &str, rule: &Value, value: &Value, at: &str) -> Result<(), String> {
    if word == "items" {
        for (n, item) in list(value).iter().enumerate() {
            check(root, rule, item, &format!("{at}[{n}]"))?;
        }
        return Ok(());
    }
    for (key, part) in value.as_object().into_iter().flatten() {
        if let Some(schema) = rule.get(key) {
            check(root, schema, part, &format!("{at}.{key}"))?;
        }
    }
    Ok(())
}

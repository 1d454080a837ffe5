//! `--json`: one object, whatever happens.

mod harness;

use harness::{mu, root};
use serde_json::{Value, json};

#[track_caller]
fn object(options: &[&str], text: &str, code: i32) -> Value {
    let outcome = mu(&[&["--json"], options].concat(), text);
    assert_eq!(outcome.code, code, "{outcome:?}");
    let object: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON value");
    has_the_keys_of_the_schema(&object);
    object
}

/// The schema's top level and its entries for answers, as far as names go.
#[track_caller]
fn has_the_keys_of_the_schema(object: &Value) {
    let text =
        std::fs::read_to_string(root().join("docs/output.schema.json")).expect("the schema is in docs");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    let required = schema["required"].as_array().expect("a list of keys");
    for key in required {
        assert!(object.get(key.as_str().expect("a key")).is_some(), "{key} is missing");
    }
    assert_eq!(object.as_object().expect("an object").len(), required.len());
    let answer = &schema["$defs"]["answer"]["properties"];
    for entry in object["answers"].as_array().expect("a list of answers") {
        for key in entry.as_object().expect("an answer is an object").keys() {
            assert!(answer.get(key).is_some(), "{key} is not in the schema");
        }
        let directives = answer["directive"]["enum"].as_array().expect("a list of directives");
        assert!(directives.contains(&entry["directive"]), "{entry}");
    }
}

#[test]
fn answers_carry_their_place_and_value() {
    for options in [&[][..], &["--twin"]] {
        let text =
            "enum E { a, b };\nbool P(E x) x = a;\nP(b);\n#ons P;\n#wit exists E x. P(x);\n#print \"hi\";\n";
        let object = object(options, text, 0);
        assert_eq!(object["verdict"], "evaluated");
        assert_eq!(object["reason"], Value::Null);
        let at =
            |line: u32, directive: &str| json!({ "directive": directive, "file": "<stdin>", "line": line });
        let with = |mut entry: Value, key: &str, value: Value| {
            entry[key] = value;
            entry
        };
        let expected = json!([
            with(at(3, "query"), "value", json!(false)),
            with(with(at(4, "ons"), "relation", json!("P")), "value", json!(1)),
            with(at(5, "wit"), "valuation", json!([{ "name": "x", "value": "a" }])),
            with(at(6, "print"), "text", json!("hi")),
        ]);
        assert_eq!(object["answers"], expected);
    }
}

#[test]
fn an_empty_file_is_an_object_without_answers() {
    assert_eq!(object(&[], "", 0)["answers"], json!([]));
}

#[test]
fn errors_are_part_of_the_object() {
    let object = object(&[], "true;\nmissing();\n", 2);
    assert_eq!(object["verdict"], "error");
    assert_eq!(object["diagnostics"][0]["severity"], "error");
    assert_eq!(object["diagnostics"][0]["place"]["line"], 2);
}

#[test]
fn unknown_has_a_reason() {
    let object = object(&["--twin"], "mu bool Liar(bool x) !Liar(x); exists bool x. Liar(x);", 5);
    assert_eq!(object["verdict"], "unknown");
    assert_eq!(object["reason"], object["answers"][0]["unknown"]);
    assert!(object["reason"].as_str().is_some_and(|reason| reason.contains("Liar")), "{object}");
}

#[test]
fn times_appear_only_when_asked_for() {
    let text = "mu bool R(bool x) x | R(x); R(1); #explain R(1); #certify R; #plan R;";
    let plain = object(&[], text, 0);
    assert_eq!(plain["stats"]["relations"][0]["relation"], "R");
    assert_eq!(plain["stats"]["relations"][0].get("seconds"), None);
    assert!(object(&["--stats"], text, 0)["stats"]["relations"][0]["seconds"].is_number());
}

//! The module in node and in a browser: the same answers as here, and a page that can be asked, stopped and asked again.
//!
//! `GETAFIX_WEB` names the folder that `cargo xtask web` made; without it a line says that the module is not tried. With `GETAFIX_WEB_ALL` it is asked about all programs of the command
//! line's tests, and not about some.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use testing::Folder;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn has(program: &str) -> bool {
    let is_there =
        Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("note: {program} is not installed, so the module is not tried with it");
    }
    is_there
}

/// The folder of the playground.
fn made() -> Option<PathBuf> {
    let folder = std::env::var_os("GETAFIX_WEB").map(|folder| Path::new(ROOT).join(folder));
    if folder.is_none() {
        eprintln!("note: GETAFIX_WEB is not set, so the module is not tried: cargo xtask web makes it");
    }
    folder
}

fn question(file: &str, text: &str, options: &Value) -> Value {
    json!({ "file": file, "texts": { file: text }, "options": options })
}

/// All examples, and some programs of the command line's tests, each as it is usually asked.
fn questions() -> Vec<Value> {
    let mut all = Vec::new();
    for folder in ["examples", "crates/cli/tests/programs"] {
        let entries = std::fs::read_dir(Path::new(ROOT).join(folder)).expect("the folder is there");
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        // A module that is built soon answers slowly.
        let is_thorough = std::env::var_os("GETAFIX_WEB_ALL").is_some();
        let every = if folder == "examples" || is_thorough { 1 } else { 6 };
        for path in paths.into_iter().step_by(every) {
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            let Some(text) =
                std::fs::read_to_string(&path).ok().filter(|_| ["bp", "c", "mu"].contains(&ending))
            else {
                continue;
            };
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
            let options = if text.contains("thread ") { json!({ "k": 2 }) } else { json!({}) };
            all.push(question(name, &text, &options));
        }
    }
    let example = |name: &str| {
        std::fs::read_to_string(Path::new(ROOT).join("examples").join(name)).expect("an example")
    };
    for (name, options) in [
        ("peterson.bp", json!({ "nonterm": true })),
        ("lock.bp", json!({ "ltl": "G !at(ERROR)" })),
        ("lock.bp", json!({ "engine": "explicit" })),
        ("safe_lock.bp", json!({ "certificate": true })),
        ("traffic_light.bp", json!({ "show": "states" })),
        ("lock.bp", json!({ "nothing": 1 })),
    ] {
        all.push(question(name, &example(name), &options));
    }
    all.push(question("bad.bp", "void main() begin x := T; end", &json!({})));
    all
}

#[test]
fn a_question_is_answered_as_on_the_command_line() {
    let text = "decl x; void main() begin x := *; assert(x); end";
    let reply: Value =
        serde_json::from_str(&web::answered(&question("a.bp", text, &json!({})).to_string())).expect("JSON");
    assert_eq!((&reply["status"], &reply["verdict"]), (&json!(10), &json!("reachable")), "{reply}");
    assert_eq!(reply["answer"]["verdict"], "reachable");
    assert!(reply["html"].as_str().is_some_and(|html| html.starts_with("<!DOCTYPE html>")));
    let bad: Value = serde_json::from_str(&web::answered("{}")).expect("JSON");
    assert_eq!((&bad["status"], &bad["headline"]), (&json!(2), &json!("the question names no file")));
    let missing = json!({ "file": "a.bp", "texts": {} }).to_string();
    let missing: Value = serde_json::from_str(&web::answered(&missing)).expect("JSON");
    assert_eq!(missing["status"], 2, "{missing}");
}

#[test]
fn the_module_answers_as_we_do() {
    let Some(folder) = made().filter(|_| has("node")) else { return };
    let plan: Vec<Value> = questions()
        .into_iter()
        .map(|question| {
            let reply: Value = serde_json::from_str(&web::answered(&question.to_string())).expect("JSON");
            json!({ "question": question, "reply": reply })
        })
        .collect();
    assert!(plan.len() > 20, "{} questions", plan.len());
    let temporary = Folder::temporary();
    temporary.file("plan.json", json!(plan).to_string());
    ran(&folder, "same.js", &temporary.path().join("plan.json"));
}

#[test]
fn the_playground_answers_stops_and_goes_on() {
    let Some(folder) = made().filter(|_| has("node") && has("chromium")) else { return };
    ran(&folder, "playground.js", Path::new(ROOT));
}

/// Runs one of our scripts, which ends in status 1 if something is wrong.
fn ran(folder: &Path, script: &str, argument: &Path) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser").join(script);
    let output = Command::new("node")
        .arg("--stack-size=4000")
        .arg(script)
        .arg(folder)
        .arg(argument)
        .output()
        .expect("node starts");
    eprint!("{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

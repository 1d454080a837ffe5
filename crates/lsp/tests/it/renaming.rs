//! New names on random programs and formula files: the verdict stays, or the request is refused.

use crate::editor::{Editor, edited, place};
use base::{Random, Sources};
use generate::random::{self, ConcurrentShape, Shape, Threads};
use serde_json::{Value, json};
use testing::{Counts, seeds};

fn verdict(text: &str) -> String {
    getafix::check(text).verdict().to_owned()
}

/// Where the names of a text are, by its own table.
fn occurrences(text: &str) -> Vec<(String, u64, u64, bool)> {
    let mut sources = Sources::default();
    let file = sources.add("a.bp", text);
    let (program, _) = bp::parse(&sources, file);
    let table = bp::references(&program);
    let place = |occurrence: &base::Occurrence| {
        let (line, column) = sources.line_column(occurrence.span);
        let declared = table.declared(occurrence.declared);
        (declared.name.clone(), line as u64 - 1, column as u64 - 1, occurrence.role == base::Role::Declares)
    };
    table.occurrences().iter().map(place).collect()
}

#[test]
fn a_new_name_leaves_the_verdict_alone() {
    let mut counts = Counts::default();
    let mut editor = Editor::new();
    for seed in seeds(0..120) {
        let text = match seed % 3 {
            0 => random::concurrent(seed, &ConcurrentShape::small(Threads::Fixed)),
            _ => random::program(seed, &Shape::small()),
        };
        let mut random = Random::new(seed);
        let uri = format!("file:///{seed}.bp");
        editor.open(&uri, &text);
        let names = occurrences(&text);
        let (name, line, character, _) = random.pick(&names).clone();
        // A name of its own, or one that stands for something else.
        let new = if random.chance(50) { "brand_new".to_owned() } else { random.pick(&names).0.clone() };
        let mut params = place(&uri, line, character);
        params["newName"] = json!(new);
        let answer = editor.answer("textDocument/rename", params.clone());
        editor.close(&uri);
        if answer.get("error").is_some() {
            counts.count("refused");
            let keeps = matches!(name.as_str(), "main" | "ERROR") || name.starts_with("ASYNC_");
            assert!(new != "brand_new" || keeps, "seed {seed}: {name} → {new}: {answer}");
            continue;
        }
        let changed = edited(&text, &answer["result"]["changes"][&uri]);
        let n_changed = occurrences(&changed).iter().filter(|found| found.0 == new).count();
        assert!(
            n_changed > 0 && names.len() == occurrences(&changed).len(),
            "seed {seed}: {name} → {new}\n{text}\n{changed}"
        );
        assert_eq!(verdict(&text), verdict(&changed), "seed {seed}: {name} → {new}\n{text}\n{changed}");
        counts.count(if new == name { "the same" } else { "renamed" });
    }
    editor.end();
    counts.at_least(&[("renamed", 40), ("refused", 10)]);
}

#[test]
fn definition_and_uses_agree_on_random_programs() {
    let mut counts = Counts::default();
    let mut editor = Editor::new();
    for seed in seeds(0..40) {
        let text = random::program(seed, &Shape::small());
        let uri = format!("file:///{seed}.bp");
        editor.open(&uri, &text);
        for (name, line, character, declares) in occurrences(&text).into_iter().step_by(7) {
            let found = editor.request("textDocument/definition", place(&uri, line, character));
            let mut params = place(&uri, line, character);
            params["context"] = json!({ "includeDeclaration": true });
            let uses = editor.request("textDocument/references", params);
            let is_listed = |place: &Value| uses.as_array().expect("a list").contains(place);
            let definitions = found.as_array().expect("a list");
            assert!(!definitions.is_empty() && definitions.iter().all(is_listed), "seed {seed}: {name}");
            let here = json!({ "line": line, "character": character });
            assert!(uses.as_array().expect("a list").iter().any(|place| place["range"]["start"] == here));
            assert!(!declares || definitions.iter().any(|place| place["range"]["start"] == here));
            // From the declaration, the same uses.
            let start = &definitions[0]["range"]["start"];
            let number = |name: &str| start[name].as_u64().expect("a number");
            let mut params = place(&uri, number("line"), number("character"));
            params["context"] = json!({ "includeDeclaration": true });
            assert_eq!(editor.request("textDocument/references", params), uses, "seed {seed}: {name}");
            counts.count(if declares { "declarations" } else { "uses" });
        }
    }
    editor.end();
    counts.at_least(&[("declarations", 30), ("uses", 60)]);
}

/// What a rename of the name at `¦` makes of a text, or why not.
fn renamed(uri: &str, marked: &str, new: &str) -> Result<String, String> {
    let at = marked.find('¦').expect("a mark");
    let text = marked.replacen('¦', "", 1);
    let mut editor = Editor::new();
    editor.open(uri, &text);
    let mut params = place(uri, 0, marked[..at].encode_utf16().count() as u64);
    params["newName"] = json!(new);
    let answer = editor.answer("textDocument/rename", params);
    editor.end();
    match answer.get("error") {
        Some(error) => Err(error["message"].as_str().unwrap_or("?").to_owned()),
        None => Ok(edited(&text, &answer["result"]["changes"][uri])),
    }
}

#[test]
fn a_name_that_would_mean_something_else_is_refused() {
    let bp = "file:///a.bp";
    let text = "decl ¦x; void main() begin decl y; x := y; end";
    assert_eq!(renamed(bp, text, "z").as_deref(), Ok("decl z; void main() begin decl y; z := y; end"));
    let elsewhere = Err("`y` would mean something else here: choose another name".to_owned());
    assert_eq!(renamed(bp, text, "y"), elsewhere);
    assert_eq!(
        renamed(bp, "decl x; void main() begin decl ¦y; x := y; end", "x"),
        Err("`x` would mean something else here: choose another name".to_owned())
    );
    for wrong in ["begin", "T", "_", "4x", "a b", "", "x;y", "/*"] {
        assert!(renamed(bp, text, wrong).is_err(), "{wrong}");
    }
    let braced = renamed(bp, text, "{p<q}");
    assert_eq!(braced.as_deref(), Ok("decl {p<q}; void main() begin decl y; {p<q} := y; end"));
}

#[test]
fn what_check_knows_by_its_name_keeps_it() {
    let bp = "file:///a.bp";
    assert!(renamed(bp, "void ¦main() begin end", "start").is_err());
    assert!(renamed(bp, "void main() begin ¦ERROR: skip; end", "FINE").is_err());
    assert!(renamed(bp, "void main() begin ¦L: skip; end", "ERROR").is_err());
    assert!(renamed(bp, "void main() begin end void ¦f() begin end", "main").is_err());
    assert!(renamed("file:///a.mu", "exists State v. ¦Target(v);", "Goal").is_err());
    assert!(renamed("file:///a.mu", "exists ¦State v. Target(v);", "Place").is_err());
}

#[test]
fn notes_follow_their_relations_and_variables() {
    let text = "#label ¦Here = \"L\"; exists State v. Here(v) & Target(v);";
    let expected = "#label There = \"L\"; exists State v. There(v) & Target(v);";
    assert_eq!(renamed("file:///a.mu", text, "There").as_deref(), Ok(expected));
    let text = "#certificate Summary; bool ¦Summary(State u, State v) true; exists State u. Summary(u, u);";
    let expected = "#certificate Sum; bool Sum(State u, State v) true; exists State u. Sum(u, u);";
    assert_eq!(renamed("file:///a.mu", text, "Sum").as_deref(), Ok(expected));
    let taken = renamed("file:///a.mu", text, "Target");
    assert!(taken.is_err(), "{taken:?}");
    let text = "monitor m begin initial target state ¦a: on T goto a; end";
    assert_eq!(
        renamed("file:///a.mon", text, "b").as_deref(),
        Ok("monitor m begin initial target state b: on T goto b; end")
    );
}

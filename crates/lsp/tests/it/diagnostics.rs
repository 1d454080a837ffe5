//! What is wrong with texts, and where, as editors count.

use crate::editor::{Editor, shown};
use serde_json::json;
use testing::Folder;

#[test]
fn places_are_units_of_utf16() {
    let mut editor = Editor::new();
    let program = "decl x; // π 𝔹\nvoid main() begin /* 𝔹π */ x := y; end";
    assert_eq!(shown(&editor.open("file:///a.bp", program)), ["1:33-1:34 `y` is not declared"]);
    let formula = "/* 𝔹𝔹 */ bool R(bool x) z;";
    assert_eq!(
        shown(&editor.open("file:///a.mu", formula)),
        ["0:26-0:27 there is no variable or enumerator `z`"]
    );
    let monitor = "monitor m begin\n/* π𝔹 */ initial target state a: on T goto b; end";
    let found = shown(&editor.open("file:///a.mon", monitor));
    assert_eq!(found, ["1:44-1:45 there is no state `b`"]);
    let c = "int main(void) { /* 𝔹 */ int x = ; return 0; }";
    assert_eq!(shown(&editor.open("file:///a.c", c)), ["0:34-0:35 expected an expression, found `;`"]);
    editor.end();
}

#[test]
fn a_byte_order_mark_counts_on_its_line() {
    let mut editor = Editor::new();
    let found = editor.open("file:///a.bp", "\u{feff}decl x, x;\nvoid main() begin y := x; end");
    assert_eq!(
        shown(&found),
        ["0:9-0:10 the variable `x` is declared twice", "1:18-1:19 `y` is not declared"]
    );
    let related = &found[0]["relatedInformation"][0];
    assert_eq!(related["location"]["range"]["start"], json!({ "line": 0, "character": 6 }));
    editor.end();
}

#[test]
fn edits_are_followed() {
    let mut editor = Editor::new();
    let uri = "file:///a.bp";
    assert!(!editor.open(uri, "decl x;\r\nvoid main() begin x := 𝔹; end").is_empty());
    let range = json!({ "start": { "line": 1, "character": 23 }, "end": { "line": 1, "character": 25 } });
    let found = editor.change(uri, 2, json!([{ "range": range, "text": "y" }]));
    assert_eq!(shown(&found), ["1:23-1:24 `y` is not declared"]);
    // Several at once, each on the text that the one before has left.
    let first = json!({ "start": { "line": 0, "character": 5 }, "end": { "line": 0, "character": 6 } });
    let second = json!({ "start": { "line": 0, "character": 6 }, "end": { "line": 0, "character": 6 } });
    let found =
        editor.change(uri, 3, json!([{ "range": first, "text": "y" }, { "range": second, "text": ", x" }]));
    assert_eq!(shown(&found), [""; 0]);
    let found = editor.change(uri, 4, json!([{ "text": "void main() begin z := T; end" }]));
    assert_eq!(shown(&found), ["0:18-0:19 `z` is not declared"]);
    editor.close(uri);
    assert_eq!(editor.diagnostics(uri, 4).len(), 0);
    editor.end();
}

#[test]
fn the_last_version_is_told_whatever_comes_before() {
    let mut editor = Editor::new();
    let uri = "file:///a.bp";
    editor.open_silently(uri, "");
    for version in 2..200 {
        let text = format!("void main() begin x{version} := T; end");
        let document = json!({ "uri": uri, "version": version });
        let change = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        editor.notify("textDocument/didChange", change);
    }
    assert_eq!(shown(&editor.diagnostics(uri, 199)), ["0:18-0:22 `x199` is not declared"]);
    editor.end();
}

#[test]
fn formula_files_about_programs_have_their_words() {
    let mut editor = Editor::new();
    for algorithm in checker::ALGORITHMS {
        let uri = format!("file:///{}.mu", algorithm.name);
        let found = editor.open(&uri, algorithm.text);
        let errors: Vec<_> = found.iter().filter(|found| found["severity"] == 1).cloned().collect();
        assert_eq!(shown(&errors), [""; 0], "{uri}");
    }
    let own = "#label Here = \"f:L\";\n#where Full = \"f: n >= 3\";\nmu bool Seen(State v) Init(v) | (exists State x. Seen(x) & ProgramInt(x, v) & Here(v) & Full(x));\nexists State v. Seen(v) & Targt(v);";
    assert_eq!(
        shown(&editor.open("file:///own.mu", own)),
        ["3:26-3:31 there is no relation `Targt`; did you mean `Target`?"]
    );
    let threads = "#param k = 2;\n#bound k nothing;\nexists Thread t, State v. Target(t, v) & Start(t, v);";
    assert_eq!(
        shown(&editor.open("file:///t.mu", threads)),
        ["1:9-1:16 expected `switches` or `rounds`, found `nothing`"]
    );
    let closed =
        "class State { bool x; }; bool Init(State s) s.x; exists State s. Init(s) & ProgramInt(s, s);";
    let found = shown(&editor.open("file:///closed.mu", closed));
    assert!(found[0].starts_with("0:75-0:85 there is no relation `ProgramInt`"), "{found:?}");
    editor.end();
}

#[test]
fn a_formula_file_that_expands_to_much_is_left_alone() {
    let mut editor = Editor::new();
    let text = "#param k = 900;\nenum N { 0..k };\nbool R(N n[k]) forall i in 0..k - 1. forall j in 0..k - 1. n[i] = n[j];";
    let found = editor.open("file:///a.mu", text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(shown(&found)[0].contains("too much to be looked at here"), "{found:?}");
    editor.end();
}

#[test]
fn what_is_loaded_is_read_inside_the_workspace_only() {
    let folder = Folder::temporary();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(path("in/sub")).expect("a folder");
    std::fs::write(path("secret.mu"), "bool Secret(bool x) x;").expect("a file");
    std::fs::write(path("in/good.mu"), "bool Good(bool x) x;").expect("a file");
    std::fs::write(path("in/bad.mu"), "bool Bad(bool x) y;").expect("a file");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(path("secret.mu"), path("in/link.mu")).expect("a link");
        std::os::unix::fs::symlink(folder.path(), path("in/out")).expect("a link");
        std::os::unix::fs::symlink(path("in/good.mu"), path("in/sub/inner.mu")).expect("a link");
    }
    let mut editor = Editor::in_folder(&path("in"));
    let uri = format!("file://{}", path("in/main.mu").display());
    let mut version = 1;
    let mut told = |editor: &mut Editor, text: &str| {
        version += 1;
        if version == 2 {
            editor.open(&uri, "");
        }
        shown(&editor.change(&uri, version, json!([{ "text": text }])))
    };
    assert_eq!(told(&mut editor, "#load good; forall bool x. Good(x);"), [""; 0]);
    #[cfg(unix)]
    assert_eq!(told(&mut editor, "#load \"sub/inner.mu\"; forall bool x. Good(x);"), [""; 0]);
    let found = told(&mut editor, "#load bad; true;");
    assert!(found[0].starts_with("0:6-0:9 bad.mu:1:18: there is no variable"), "{found:?}");
    for outside in [
        "../secret.mu",
        "link.mu",
        "out/secret.mu",
        "sub/../../secret.mu",
        "/etc/passwd",
        &path("secret.mu").display().to_string(),
    ] {
        let found = told(&mut editor, &format!("#load \"{outside}\"; forall bool x. Secret(x);"));
        assert!(found[0].contains("outside of the workspace"), "{outside}: {found:?}");
        assert!(!found.iter().any(|line| line.contains("root:")), "{found:?}");
    }
    assert!(told(&mut editor, "#load \"sub\"; true;")[0].contains("is no file"));
    // What is open counts as the editor has it, wherever it is.
    let secret = format!("file://{}", path("secret.mu").display());
    editor.open(&secret, "bool Secret(bool x) !x;");
    assert_eq!(told(&mut editor, "#load \"../secret.mu\"; forall bool x. Secret(x);"), [""; 0]);
    editor.end();
}

#[test]
fn without_a_folder_only_open_texts_and_shipped_ones_are_loaded() {
    let mut editor = Editor::new();
    let found = shown(&editor.open("file:///nowhere/a.mu", "#load b; true;"));
    assert!(found[0].contains("cannot load `b`") && found[0].contains("no folder is"), "{found:?}");
    editor.open("file:///nowhere/b.mu", "bool B(bool x) x;");
    assert_eq!(
        shown(&editor.change(
            "file:///nowhere/a.mu",
            2,
            json!([{ "text": "#load b; exists bool x. B(x);" }])
        )),
        [""; 0]
    );
    // A change of what is loaded is noticed.
    editor.change("file:///nowhere/b.mu", 2, json!([{ "text": "bool C(bool x) x;" }]));
    loop {
        let found = shown(&editor.diagnostics("file:///nowhere/a.mu", 2));
        if found == ["0:24-0:25 there is no relation `B`"] {
            break;
        }
    }
    editor.end();
}

#[test]
fn a_text_of_a_hundred_megabytes_is_too_large_and_said_so() {
    let mut editor = Editor::new();
    let text = "// π𝔹\n".repeat(11_000_000);
    assert!(text.len() > 90_000_000);
    let found = shown(&editor.open("file:///a.bp", &text));
    assert_eq!(found, ["0:0-0:0 a text of more than 16 MiB is not looked at here; `getafix check` reads it"]);
    let answer = editor.request("textDocument/hover", crate::editor::place("file:///a.bp", 10_000_000, 3));
    assert!(answer.is_null());
    assert!(editor.open("file:///b.bp", "void main() begin end").is_empty());
    editor.end();
}

#[test]
fn texts_of_others_are_left_alone() {
    let mut editor = Editor::new();
    editor.open_silently("file:///a.txt", "decl ;");
    assert!(editor.open("file:///b.bp", "void main() begin end").is_empty());
    let answer =
        editor.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": "file:///a.txt" } }));
    assert_eq!(answer, json!([]));
    editor.end();
}

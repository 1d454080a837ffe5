//! What editors ask about a place or a text.

use crate::editor::{Editor, edited, place, range};
use serde_json::{Value, json};

/// The text without its mark `¦`, and the place of the mark.
fn marked(text: &str) -> (String, u64, u64) {
    let at = text.find('¦').expect("a mark");
    let before = &text[..at];
    let line = before.matches('\n').count() as u64;
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    (text.replacen('¦', "", 1), line, before[start..].encode_utf16().count() as u64)
}

/// The answer to a question about the marked place of a text.
#[track_caller]
fn answer(uri: &str, text: &str, method: &str) -> Value {
    let (text, line, character) = marked(text);
    let mut editor = Editor::new();
    editor.open(uri, &text);
    let found = editor.request(&format!("textDocument/{method}"), place(uri, line, character));
    editor.end();
    found
}

fn ranges(list: &Value) -> Vec<String> {
    list.as_array().expect("a list").iter().map(|found| range(&found["range"])).collect()
}

const BP: &str = "file:///folder/a.bp";
const MU: &str = "file:///folder/a.mu";
const MON: &str = "file:///folder/a.mon";

#[test]
fn a_definition_is_found_behind_other_letters() {
    let text = "decl /* 𝔹 */ x;\nvoid main() begin /* π */ x¦ := T; end";
    assert_eq!(ranges(&answer(BP, text, "definition")), ["0:14-0:15"]);
    let text = "bool R(bool x) x;\nbool S(bool x) exists bool y. /* 𝔹 */ ¦R(y);";
    assert_eq!(ranges(&answer(MU, text, "definition")), ["0:5-0:6"]);
    let text = "monitor m begin initial state a: on T goto a; on F goto ¦b; target state b: end";
    assert_eq!(ranges(&answer(MON, text, "definition")), ["0:72-0:73"]);
    assert_eq!(answer(BP, "void main() begin ¦skip; end", "definition"), Value::Null);
}

#[test]
fn a_monitor_leads_to_programs_that_are_open_beside_it() {
    let mut editor = Editor::new();
    editor.open(BP, "decl g;\nvoid main() begin f(); end\nvoid f() begin decl n; L: n := g; end");
    editor.open("file:///other/b.bp", "void main() begin end void f() begin end");
    let (text, line, character) =
        marked("monitor m begin initial target state a: on call(¦f) & at(f:L) & g & f.n goto a; end");
    assert!(editor.open(MON, &text).is_empty());
    let mut at = |character| ranges(&editor.request("textDocument/definition", place(MON, line, character)));
    assert_eq!(at(character), ["2:5-2:6"]);
    assert_eq!(at(character + 10), ["2:23-2:24"]);
    assert_eq!(at(character + 15), ["0:5-0:6"]);
    assert_eq!(at(character + 19), ["2:20-2:21"]);
    editor.end();
}

#[test]
fn uses_are_found_in_all_files_that_load_a_declaration() {
    let folder = testing::Folder::temporary();
    std::fs::write(folder.path().join("base.mu"), "bool Good(bool x) x;\n").expect("a file");
    let mut editor = Editor::in_folder(folder.path());
    let uri = |name: &str| format!("file://{}", folder.path().join(name).display());
    editor.open(&uri("a.mu"), "#load base;\nexists bool x. Good(x);");
    editor.open(&uri("b.mu"), "#load base;\nforall bool x. Good(x) | !Good(x);");
    let mut params = place(&uri("a.mu"), 1, 16);
    params["context"] = json!({ "includeDeclaration": true });
    let found = editor.request("textDocument/references", params.clone());
    let shown = |found: &Value| {
        let line = |found: &Value| {
            let name = found["uri"].as_str().and_then(|uri| uri.rsplit('/').next()).unwrap_or("?");
            format!("{name} {}", range(&found["range"]))
        };
        let mut lines: Vec<String> = found.as_array().expect("a list").iter().map(line).collect();
        lines.sort();
        lines
    };
    assert_eq!(shown(&found), ["a.mu 1:15-1:19", "b.mu 1:15-1:19", "b.mu 1:26-1:30", "base.mu 0:5-0:9"]);
    params["context"] = json!({ "includeDeclaration": false });
    assert_eq!(shown(&editor.request("textDocument/references", params)).len(), 3);
    // A new name is one everywhere.
    let mut params = place(&uri("b.mu"), 1, 16);
    params["newName"] = json!("Fine");
    let changes = editor.request("textDocument/rename", params.clone());
    let files: Vec<&String> = changes["changes"].as_object().expect("changes").keys().collect();
    assert_eq!(files.len(), 3, "{changes}");
    params["newName"] = json!("exists");
    assert_eq!(editor.answer("textDocument/rename", params)["error"]["code"], -32803);
    editor.end();
}

fn hover(uri: &str, text: &str) -> String {
    answer(uri, text, "hover")["contents"]["value"].as_str().unwrap_or("").to_owned()
}

#[test]
fn hovers_say_types_and_words_their_meaning() {
    let text = "decl n: int<3>; bool<2> f(a, b: enum {P, Q}) begin return a, a; end void main() begin decl c, d; c, d := ¦f(T, P); end";
    assert_eq!(hover(BP, text), "```bp\nbool<2> f(a, b: enum {P, Q})\n```\nfunction");
    assert_eq!(
        hover(BP, "decl n: int<3>; void main() begin ¦n := 2; end"),
        "```bp\nn: int<3>\n```\nvariable, global"
    );
    assert_eq!(hover(BP, "void main() begin decl n; ¦n := T; end"), "```bp\nn: bool\n```\nlocal of main");
    assert_eq!(hover(BP, "void main() begin ¦skip; end"), "`skip`: does nothing");
    let text = "exists State u, State v. ¦ProgramInt(u, v);";
    let expected = "```mu\nbool ProgramInt(State x, State v)\n```\nrelation\n\na step inside a function leads from x to v";
    assert_eq!(hover(MU, text), expected);
    assert!(
        hover(MU, "exists ¦State u. Entry(u);")
            .ends_with("`L` the locals, `G` the globals, in programs with threads `P` the private ones")
    );
    // In programs with threads some words mean something else.
    assert!(
        hover(MU, "exists Thread t, State v. ¦Target(t, v);")
            .ends_with("t at v is what the question asks for")
    );
    assert_eq!(hover(MU, "¦#load x;"), "`#load`: `#load name;` reads another file here");
    assert_eq!(
        hover(MON, "monitor m begin initial target state a: on T goto ¦a; end"),
        "```mon\ninitial target state a\n```\nstate"
    );
    assert_eq!(hover(BP, "void main() begin ; end¦"), "");
}

fn labels(uri: &str, text: &str) -> Vec<String> {
    let found = answer(uri, text, "completion");
    let items = found["items"].as_array().expect("items");
    items.iter().map(|item| item["label"].as_str().expect("a label").to_owned()).collect()
}

#[test]
fn completions_are_what_may_stand_there() {
    let program = "decl g, gg: enum {P, Q}; void main() begin decl here; L1: skip; M: goto ¦L1; end void f(p) begin decl there; N: skip; end";
    assert_eq!(labels(BP, program), ["L1", "M"]);
    let text = "decl g, gg: enum {P, Q}; void main() begin decl here; ¦g := T; end void f(p) begin decl there; N: skip; end";
    let found = labels(BP, text);
    for expected in ["g", "gg", "P", "here", "f", "skip", "while", "start_thread"] {
        assert!(found.contains(&expected.to_owned()), "{expected}: {found:?}");
    }
    assert!(!found.iter().any(|label| matches!(label.as_str(), "there" | "p" | "N")), "{found:?}");
    let found = labels(MU, "bool Own(State s) true; bool R(State s) Own(s) & ¦Own(s);");
    for expected in ["Own", "R", "s", "ProgramInt", "Target", "exists", "State"] {
        assert!(found.contains(&expected.to_owned()), "{expected}: {found:?}");
    }
    assert!(labels(MU, "#p¦").contains(&"#param".to_owned()));
    assert_eq!(labels(MU, "class C { bool x; bool y; }; bool R(C c) c.¦x;"), ["x", "y"]);
    assert_eq!(labels(MON, "monitor m begin initial target state a: on T goto ¦a; state b: end"), ["a", "b"]);
}

#[test]
fn a_completion_replaces_the_word_before_the_place() {
    let found = answer(MU, "/* 𝔹 */ #pa¦", "completion");
    assert_eq!(range(&found["items"][0]["textEdit"]["range"]), "0:9-0:12");
}

#[test]
fn outlines_have_what_a_text_consists_of() {
    let symbols = |uri: &str, text: &str| {
        let mut editor = Editor::new();
        editor.open(uri, text);
        let found = editor.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
        editor.end();
        fn shown(list: &Value) -> String {
            let one = |symbol: &Value| {
                let children = shown(&symbol["children"]);
                let name = symbol["name"].as_str().unwrap_or("?");
                if children.is_empty() { name.to_owned() } else { format!("{name}({children})") }
            };
            list.as_array().map_or(String::new(), |list| list.iter().map(one).collect::<Vec<_>>().join(" "))
        }
        shown(&found)
    };
    let text = "decl x, y; thread p begin decl z; void main() begin L: skip; end end thread q begin void main() begin end end";
    assert_eq!(symbols(BP, text), "x y p(z main(L)) q(main)");
    let text = "#param k = 1; enum E { a, b }; class C { E e; }; bool R(C c) true; exists C c. R(c);";
    assert_eq!(symbols(MU, text), "k E(a b) C(e) R exists C c. R(c)");
    assert_eq!(symbols(MON, "monitor m begin initial state a: on T goto a; target state b: end"), "m(a b)");
}

#[test]
fn formatting_is_one_edit_and_keeps_comments_below_each_other() {
    let mut editor = Editor::new();
    let mut formatted = |uri: &str, text: &str| {
        editor.open(uri, text);
        let edits = editor
            .request("textDocument/formatting", json!({ "textDocument": { "uri": uri }, "options": {} }));
        editor.close(uri);
        if edits.is_null() { None } else { Some(edited(text, &edits)) }
    };
    let text = "decl x;\nvoid main() begin\n  x := T;       // first\n  x :=  F;      // 𝔹 second\n  ERROR: skip ;\nend\n";
    let expected = "decl x;\n\nvoid main()\nbegin\n  x := T;       // first\n  x := F;       // 𝔹 second\n  ERROR: skip;\nend\n";
    assert_eq!(formatted(BP, text).as_deref(), Some(expected));
    assert_eq!(formatted(BP, expected).as_deref(), Some(expected));
    assert_eq!(formatted(BP, &text.replace('\n', "\r\n")), Some(expected.replace('\n', "\r\n")));
    assert_eq!(formatted(BP, "void main() begin x := ; end"), None);
    assert_eq!(formatted(MU, "bool  R(bool x)  x ;\n").as_deref(), Some("bool R(bool x) x;\n"));
    let text = "monitor m begin initial target state a: on  T goto a; end";
    assert_eq!(
        formatted(MON, text).as_deref(),
        Some("monitor m\nbegin\n  initial target state a:\n    on T goto a;\nend\n")
    );
    assert_eq!(formatted("file:///a.c", "int main(void)  { return 0; }"), None);
    editor.end();
}

#[test]
fn lenses_stand_above_main_and_at_targets() {
    let lenses = |uri: &str, text: &str| {
        let mut editor = Editor::new();
        editor.open(uri, text);
        let found = editor.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
        editor.end();
        let line = |lens: &Value| {
            let target = lens["command"]["arguments"][1].as_str().unwrap_or("");
            format!(
                "{} {} {target}",
                lens["range"]["start"]["line"],
                lens["command"]["title"].as_str().unwrap_or("?")
            )
        };
        found.as_array().expect("lenses").iter().map(line).collect::<Vec<_>>()
    };
    let text = "decl x;\nvoid main()\nbegin\n  f();\n  assert(x);\nend\nvoid f() begin\n  ERROR: skip; end";
    assert_eq!(lenses(BP, text), ["1 check ", "4 check assertions assert", "7 check ERROR f:ERROR"]);
    let text = "thread p begin\nvoid main() begin ERR: skip; end end";
    assert_eq!(lenses(BP, text), ["1 check ", "1 check ERR p.main:ERR"]);
    let text = "void reach_error(void);\nint main(void) {\n  reach_error();\n}";
    assert_eq!(lenses("file:///a.c", text), ["1 check ", "2 check reach_error reach_error"]);
}

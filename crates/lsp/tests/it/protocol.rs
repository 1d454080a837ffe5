//! The protocol: beginnings and ends, messages that are none, requests that are withdrawn, and clients that send anything.

use crate::editor::{Editor, place};
use base::Random;
use lsp::Ended;
use serde_json::{Value, json};
use testing::{Counts, seeds};

const PROGRAM: &str = "decl x, y: int<2>; // π𝔹\nvoid main() begin L: x := T; y := 3; goto L; end";

#[test]
fn a_server_ends_as_it_should() {
    let editor = Editor::new();
    assert_eq!(editor.end(), Ended::Orderly);
    let mut editor = Editor::new();
    editor.notify("exit", Value::Null);
    assert_eq!(editor.vanish(), Ended::Abruptly);
    assert_eq!(Editor::new().vanish(), Ended::Abruptly);
    // Inside a message, too.
    let mut editor = Editor::silent();
    editor.raw(b"Content-Length: 100\r\n\r\n{");
    assert_eq!(editor.vanish(), Ended::Abruptly);
}

#[test]
fn requests_come_at_their_time() {
    let mut editor = Editor::silent();
    let code = |answer: &Value| answer["error"]["code"].as_i64();
    assert_eq!(code(&editor.answer("textDocument/hover", json!({}))), Some(-32002));
    assert_eq!(code(&editor.answer("shutdown", json!({}))), Some(-32002));
    editor.request("initialize", json!({}));
    assert_eq!(code(&editor.answer("initialize", json!({}))), Some(-32600));
    assert_eq!(code(&editor.answer("no/such", json!({}))), Some(-32601));
    assert_eq!(code(&editor.answer("textDocument/hover", json!([1]))), Some(-32602));
    assert_eq!(code(&editor.answer("textDocument/hover", place("file:///closed.bp", 0, 0))), Some(-32602));
    assert_eq!(code(&editor.answer("workspace/executeCommand", json!({ "command": "rm" }))), Some(-32602));
    editor.request("shutdown", Value::Null);
    assert_eq!(code(&editor.answer("textDocument/hover", json!({}))), Some(-32600));
    editor.notify("exit", Value::Null);
    assert_eq!(editor.vanish(), Ended::Orderly);
}

#[test]
fn messages_that_are_none_are_refused_and_passed_over() {
    let mut editor = Editor::new();
    let wrong: [(&[u8], i64); 9] = [
        (b"Content-Length: 3\r\n\r\n{,}", -32700),
        (b"Content-Length: 2\r\n\r\n\xff\xfe", -32700),
        (b"Content-Type: x\r\n\r\n", -32700),
        (b"Content-Length: none\r\n\r\n", -32700),
        (b"Content-Length: 2\r\n\r\n[]", -32600),
        (b"Content-Length: 2\r\n\r\n12", -32600),
        (b"Content-Length: 2\r\n\r\n{}", -32600),
        (b"Content-Length: 28\r\n\r\n{\"id\":null,\"method\":\"foo\"}  ", -32600),
        (b"Content-Length: 25\r\n\r\n{\"id\":[1],\"method\":\"foo\"}", -32600),
    ];
    for (bytes, code) in wrong {
        editor.raw(bytes);
        let answer = editor.next();
        assert_eq!(answer["error"]["code"], code, "{:?}: {answer}", String::from_utf8_lossy(bytes));
        assert_eq!(answer["id"], Value::Null);
    }
    let deep = "[".repeat(100_000);
    editor.raw(format!("Content-Length: {}\r\n\r\n{deep}", deep.len()).as_bytes());
    assert_eq!(editor.next()["error"]["code"], -32700);
    // A response that nobody asked for, notifications that are unknown or make no sense.
    editor.send(&json!({ "jsonrpc": "2.0", "id": 7, "result": null }));
    editor.notify("$/unknown", json!({}));
    editor.notify("textDocument/didOpen", json!({ "textDocument": 3 }));
    editor.notify("textDocument/didChange", json!(null));
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": "file:///x" } }));
    assert!(editor.open("file:///a.bp", PROGRAM).is_empty());
    assert_eq!(editor.end(), Ended::Orderly);
}

#[test]
fn a_request_that_is_withdrawn_before_it_is_met_is_not_answered_otherwise() {
    let mut editor = Editor::new();
    editor.open("file:///a.bp", PROGRAM);
    // While others are answered, which takes a while, the withdrawal is read.
    let lines = "  x := T;\n".repeat(400_000);
    editor.open_silently("file:///b.bp", &format!("decl x; void main() begin\n{lines}end"));
    let mut stream = String::new();
    let mut add = |message: Value| {
        let text = message.to_string();
        stream.push_str(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    };
    for n in 0..8 {
        let whole = json!({ "textDocument": { "uri": "file:///b.bp" } });
        add(
            json!({ "jsonrpc": "2.0", "id": format!("slow{n}"), "method": "textDocument/codeLens", "params": whole }),
        );
    }
    add(
        json!({ "jsonrpc": "2.0", "id": "q", "method": "textDocument/hover", "params": place("file:///a.bp", 0, 5) }),
    );
    add(json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": "q" } }));
    editor.raw(stream.as_bytes());
    assert_eq!(editor.response(&json!("q"))["error"]["code"], -32800);
    // One that is over already does no harm.
    editor.notify("$/cancelRequest", json!({ "id": 1 }));
    assert!(editor.request("textDocument/hover", place("file:///a.bp", 0, 5)).is_object());
    editor.end();
}

#[test]
fn places_outside_the_text_are_the_nearest_inside() {
    let mut editor = Editor::new();
    editor.open("file:///a.bp", PROGRAM);
    for (line, character) in
        [(0, 99), (1, 4_000_000_000), (99, 0), (4_000_000_000, 4_000_000_000), (u64::MAX, u64::MAX)]
    {
        for method in ["hover", "definition", "references", "documentHighlight", "completion"] {
            editor.request(&format!("textDocument/{method}"), place("file:///a.bp", line, character));
        }
    }
    let answer = editor.answer(
        "textDocument/hover",
        json!({ "textDocument": { "uri": "file:///a.bp" }, "position": { "line": -1, "character": 0 } }),
    );
    assert_eq!(answer["error"]["code"], -32602);
    let range = json!({ "start": { "line": 9, "character": 9 }, "end": { "line": 0, "character": 0 } });
    editor.change("file:///a.bp", 2, json!([{ "range": range, "text": "\n" }]));
    assert_eq!(editor.end(), Ended::Orderly);
}

/// A value that may stand anywhere.
fn anything(random: &mut Random) -> Value {
    match random.below(9) {
        0 => Value::Null,
        1 => json!(random.below(5)),
        2 => json!(-1),
        3 => json!(1.5),
        4 => json!("file:///a.bp"),
        5 => json!([anything(random)]),
        6 => json!({ "uri": anything(random), "line": anything(random) }),
        7 => {
            json!({ "start": { "line": 0, "character": random.below(40) }, "end": { "line": random.below(4), "character": 2 } })
        }
        _ => json!(random.below(2) == 0),
    }
}

#[test]
fn whatever_is_sent_a_request_gets_one_response() {
    let methods = [
        "hover",
        "definition",
        "references",
        "documentHighlight",
        "completion",
        "rename",
        "prepareRename",
        "documentSymbol",
        "formatting",
        "codeLens",
        "nothing",
    ];
    let texts = [
        PROGRAM,
        "decl x; void main() begin x := ;",
        "mu bool R(State v) Init(v) & R(v",
        "monitor m begin initial state a: on at(",
        "{𝔹",
        "#load a; #",
        "",
        "\r\n\r",
    ];
    let uris =
        ["file:///a.bp", "file:///a.mu", "file:///a.mon", "file:///a.c", "untitled:1", "file:///%zz.mu"];
    let mut counts = Counts::default();
    let mut editor = Editor::new();
    for seed in seeds(0..1500) {
        let mut random = Random::new(seed);
        let uri = *random.pick(&uris);
        match random.below(5) {
            0 => editor.open_silently(uri, random.pick::<&str>(&texts)),
            1 => {
                let mut change = json!({ "text": *random.pick(&texts) });
                if random.chance(70) {
                    change["range"] = anything(&mut random);
                }
                let document = json!({ "uri": uri, "version": 3 });
                editor.notify(
                    "textDocument/didChange",
                    json!({ "textDocument": document, "contentChanges": [change] }),
                );
            }
            _ => {
                let method = format!("textDocument/{}", random.pick(&methods));
                let mut params = place(uri, random.below(3), random.below(60));
                params["newName"] = json!(*random.pick(&["y", "x", "", "𝔹", "{", "main", "a b", "{a<b}"]));
                if random.chance(20) {
                    params["position"] = anything(&mut random);
                }
                if random.chance(10) {
                    params = anything(&mut random);
                }
                let answer = editor.answer(&method, params);
                counts.count(if answer.get("error").is_some() { "refused" } else { "answered" });
            }
        }
    }
    assert_eq!(editor.end(), Ended::Orderly);
    counts.at_least(&[("refused", 100), ("answered", 200)]);
}

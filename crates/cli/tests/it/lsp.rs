//! `getafix lsp` as a process: how it ends, what it checks, and that it takes nobody along.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(240);

/// An editor that follows a script.
struct Editor {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
}

impl Editor {
    fn new() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_getafix"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (send, messages) = channel();
        std::thread::spawn(move || {
            loop {
                let mut length = 0;
                loop {
                    let mut line = String::new();
                    if stdout.read_line(&mut line).unwrap_or(0) == 0 {
                        return;
                    }
                    match line.trim().split_once(": ") {
                        Some((_, value)) => length = value.parse().expect("a length"),
                        None => break,
                    }
                }
                let mut bytes = vec![0; length];
                if stdout.read_exact(&mut bytes).is_err() {
                    return;
                }
                let _ = send.send(serde_json::from_slice(&bytes).expect("JSON"));
            }
        });
        let stdin = child.stdin.take();
        let mut editor = Self { child, stdin, messages };
        editor.send(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {} }));
        editor.response(0);
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let stdin = self.stdin.as_mut().expect("a pipe");
        write!(stdin, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
        stdin.flush().expect("the server reads");
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "", "version": 1, "text": text });
        self.send(&json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    }

    fn check(&mut self, id: u64, arguments: Value) {
        let params = json!({ "command": "getafix.check", "arguments": arguments });
        self.send(
            &json!({ "jsonrpc": "2.0", "id": id, "method": "workspace/executeCommand", "params": params }),
        );
    }

    #[track_caller]
    fn response(&mut self, id: u64) -> Value {
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("the server answers");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    /// The exit status, soon.
    fn status(mut self) -> Option<i32> {
        for _ in 0..2400 {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let _ = self.child.kill();
        panic!("the server does not end");
    }
}

const LOCKED: &str = "decl x; void main() begin x := *; assert(x); if (F) then ERROR: skip; fi end";

/// What takes longer than any test has patience for.
fn endless() -> String {
    generate::family("philosophers", 60, &generate::Options::default()).expect("a family")
}

#[test]
fn the_exit_status_tells_how_it_ended() {
    let mut editor = Editor::new();
    editor.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "shutdown" }));
    editor.response(1);
    editor.send(&json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert_eq!(editor.status(), Some(0));
    let mut editor = Editor::new();
    editor.send(&json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert_eq!(editor.status(), Some(1));
    // The editor is gone.
    let mut editor = Editor::new();
    editor.stdin = None;
    assert_eq!(editor.status(), Some(1));
}

#[test]
fn a_check_hands_over_the_page() {
    let mut editor = Editor::new();
    editor.open("file:///nowhere/a.bp", LOCKED);
    editor.check(1, json!(["file:///nowhere/a.bp"]));
    let answer = editor.response(1);
    assert_eq!(answer["result"]["verdict"], "REACHABLE", "{answer}");
    assert_eq!(answer["result"]["status"], 10);
    let page = answer["result"]["html"].as_str().expect("a page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("assert(x)"), "{page}");
    assert!(page.contains("a.bp") && !page.contains("stdin"), "the page has the name of the file: {page}");
    editor.check(2, json!(["file:///nowhere/a.bp", "main:ERROR"]));
    assert_eq!(editor.response(2)["result"]["verdict"], "UNREACHABLE");
    // A target is no option, whatever it looks like.
    editor.check(3, json!(["file:///nowhere/a.bp", "--show=rsm"]));
    assert_eq!(editor.response(3)["result"]["status"], 2);
    editor.open("file:///nowhere/a.c", "int main(void) { int x = 3; __VERIFIER_error(); return 0; }");
    editor.check(4, json!(["file:///nowhere/a.c", "__VERIFIER_error"]));
    assert_eq!(editor.response(4)["result"]["verdict"], "REACHABLE");
    editor.open("file:///nowhere/a.mu", "true;");
    editor.check(5, json!(["file:///nowhere/a.mu"]));
    assert_eq!(editor.response(5)["error"]["code"], -32803);
    editor.open("file:///nowhere/b.bp", "void main() begin x := T; end");
    editor.check(6, json!(["file:///nowhere/b.bp"]));
    let answer = editor.response(6);
    assert!(answer["result"]["text"].as_str().expect("a text").contains("`x` is not declared"), "{answer}");
    editor.stdin = None;
    assert_eq!(editor.status(), Some(1));
}

#[test]
fn a_check_is_ended_by_the_next_by_a_withdrawal_and_by_the_end() {
    let mut editor = Editor::new();
    editor.open("file:///nowhere/a.bp", &endless());
    editor.open("file:///nowhere/b.bp", LOCKED);
    editor.check(1, json!(["file:///nowhere/a.bp"]));
    editor.check(2, json!(["file:///nowhere/b.bp"]));
    assert_eq!(editor.response(1)["error"]["code"], -32800);
    assert_eq!(editor.response(2)["result"]["verdict"], "REACHABLE");
    editor.check(3, json!(["file:///nowhere/a.bp"]));
    // Everything else is answered while a check is under way.
    let place = json!({ "textDocument": { "uri": "file:///nowhere/b.bp" }, "position": { "line": 0, "character": 5 } });
    editor.send(&json!({ "jsonrpc": "2.0", "id": 4, "method": "textDocument/hover", "params": place }));
    assert!(editor.response(4)["result"].is_object());
    editor.send(&json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": 3 } }));
    assert_eq!(editor.response(3)["error"]["code"], -32800);
    editor.check(5, json!(["file:///nowhere/a.bp"]));
    editor.stdin = None;
    assert_eq!(editor.status(), Some(1));
}

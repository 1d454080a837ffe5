//! An editor that follows a script: it talks to a server in this process, through pipes.

use lsp::Ended;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, PipeWriter, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Nothing takes so long, however busy the machine is: a server that is silent hangs.
const PATIENCE: Duration = Duration::from_secs(240);

pub struct Editor {
    write: Option<PipeWriter>,
    messages: Receiver<Value>,
    server: Option<JoinHandle<Ended>>,
    n_requests: u64,
    /// What the server has told without being asked, and nobody has looked at.
    told: Vec<Value>,
}

/// The next message of a server.
fn receive(input: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').expect("a header");
        assert_eq!(name, "Content-Length");
        length = Some(value.trim().parse::<usize>().expect("a length"));
    }
    let mut bytes = vec![0; length.expect("a message has a length")];
    input.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).expect("the server writes JSON"))
}

impl Editor {
    /// An editor whose server knows no more than that it was started.
    pub fn silent() -> Self {
        let (server_read, write) = std::io::pipe().expect("a pipe");
        let (read, server_write) = std::io::pipe().expect("a pipe");
        let server = std::thread::spawn(move || lsp::serve(server_read, server_write, None, "test"));
        let (send, messages) = channel();
        std::thread::spawn(move || {
            let mut read = BufReader::new(read);
            while let Some(message) = receive(&mut read) {
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        Self { write: Some(write), messages, server: Some(server), n_requests: 0, told: Vec::new() }
    }

    /// An editor without a folder.
    pub fn new() -> Self {
        Self::with(json!({ "capabilities": {} }))
    }

    /// An editor that has a folder open.
    pub fn in_folder(folder: &Path) -> Self {
        let uri = format!("file://{}", folder.display());
        Self::with(json!({ "capabilities": {}, "workspaceFolders": [{ "uri": uri, "name": "test" }] }))
    }

    fn with(params: Value) -> Self {
        let mut editor = Self::silent();
        let answer = editor.request("initialize", params);
        assert_eq!(answer["serverInfo"]["name"], "getafix");
        editor.notify("initialized", json!({}));
        editor
    }

    /// Sends bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        let write = self.write.as_mut().expect("an open pipe");
        write.write_all(bytes).and_then(|()| write.flush()).expect("the server reads");
    }

    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The next message, whatever it is.
    #[track_caller]
    pub fn next(&mut self) -> Value {
        if !self.told.is_empty() {
            return self.told.remove(0);
        }
        self.messages.recv_timeout(PATIENCE).expect("the server answers")
    }

    /// The response to a request that was sent.
    #[track_caller]
    pub fn response(&mut self, id: &Value) -> Value {
        let is_it = |message: &Value| message.get("id") == Some(id) && message.get("method").is_none();
        if let Some(at) = self.told.iter().position(is_it) {
            return self.told.remove(at);
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("the server answers");
            if is_it(&message) {
                return message;
            }
            self.told.push(message);
        }
    }

    /// Sends a request without waiting; its name.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.n_requests += 1;
        let id = json!(self.n_requests);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Asks and waits: the whole response.
    #[track_caller]
    pub fn answer(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.response(&id)
    }

    /// Asks and waits: the result.
    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.answer(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    /// What the server says is wrong with a version of a text.
    #[track_caller]
    pub fn diagnostics(&mut self, uri: &str, version: u64) -> Vec<Value> {
        let is_it = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        };
        let mut found = match self.told.iter().position(is_it) {
            Some(at) => self.told.remove(at),
            None => loop {
                let message = self.messages.recv_timeout(PATIENCE).expect("the server answers");
                if is_it(&message) {
                    break message;
                }
                self.told.push(message);
            },
        };
        match found["params"]["diagnostics"].take() {
            Value::Array(list) => list,
            other => panic!("{other}"),
        }
    }

    /// Opens a text, as its first version; what is wrong with it.
    #[track_caller]
    pub fn open(&mut self, uri: &str, text: &str) -> Vec<Value> {
        self.open_silently(uri, text);
        self.diagnostics(uri, 1)
    }

    pub fn open_silently(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Changes a text; what is wrong with it then.
    #[track_caller]
    pub fn change(&mut self, uri: &str, version: u64, changes: Value) -> Vec<Value> {
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
        self.diagnostics(uri, version)
    }

    pub fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    /// The editor is gone; how the server ended.
    pub fn vanish(mut self) -> Ended {
        self.write = None;
        self.server.take().expect("a server").join().expect("the server does not panic")
    }

    /// Ends as the protocol has it.
    pub fn end(mut self) -> Ended {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.server.take().expect("a server").join().expect("the server does not panic")
    }
}

/// A place.
pub fn place(uri: &str, line: u64, character: u64) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
}

/// `1:2-1:3`, from 0, as the protocol counts.
pub fn range(range: &Value) -> String {
    let end = |name: &str| format!("{}:{}", range[name]["line"], range[name]["character"]);
    format!("{}-{}", end("start"), end("end"))
}

/// Diagnostics as `range message`.
pub fn shown(diagnostics: &[Value]) -> Vec<String> {
    let line =
        |found: &Value| format!("{} {}", range(&found["range"]), found["message"].as_str().unwrap_or("?"));
    diagnostics.iter().map(line).collect()
}

/// A text with edits of the protocol made, as a client makes them: by units of UTF-16.
pub fn edited(text: &str, edits: &Value) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let offset = |place: &Value| {
        let number = |name: &str| place[name].as_u64().expect("a number") as usize;
        let before: usize = lines.iter().take(number("line")).map(|line| line.len()).sum();
        let line = lines.get(number("line")).copied().unwrap_or("");
        let mut units = number("character");
        let mut at = before;
        for letter in line.chars() {
            if units == 0 {
                break;
            }
            units -= letter.len_utf16().min(units);
            at += letter.len_utf8();
        }
        at
    };
    let list = edits.as_array().expect("edits");
    let mut list: Vec<(usize, usize, &str)> = list
        .iter()
        .map(|edit| {
            let (start, end) = (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]));
            (start, end, edit["newText"].as_str().expect("a text"))
        })
        .collect();
    list.sort_unstable();
    assert!(list.windows(2).all(|pair| pair[0].1 <= pair[1].0), "edits overlap: {list:?}");
    let mut out = text.to_owned();
    list.iter().rev().for_each(|(start, end, new)| out.replace_range(*start..*end, new));
    out
}

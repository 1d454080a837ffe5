//! The server: what comes in is taken one after the other, by one thread; what takes long is done by others.

use crate::answer::{self, Asked, NeedsPlace};
use crate::check::{self, Checks, Question};
use crate::client::Client;
use crate::completion;
use crate::diagnose::{Diagnoser, Job, published};
use crate::document::{Document, Language};
use crate::formatting;
use crate::hover;
use crate::lens;
use crate::message::{self, Message, Refused, text};
use crate::outline;
use crate::rename;
use crate::wire::{self, Incoming};
use crate::workspace::Workspace;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::io::{BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// So many messages wait before the client has to.
const WAITING: usize = 256;

/// So many requests that are withdrawn before they are met are remembered.
const MAX_CANCELLED: usize = 10_000;

/// How a server ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// As the protocol has it: `shutdown`, then `exit`.
    Orderly,
    /// By `exit` alone, or because the stream ended.
    Abruptly,
}

/// Serves a client until he ends it, or is gone. Checks are made by `program`, if there is one.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    program: Option<PathBuf>,
    version: &str,
) -> Ended {
    let client = Client::new(output);
    let cancelled = Cancelled::default();
    let (send, receive) = sync_channel(WAITING);
    let reader = Reader { client: client.clone(), cancelled: cancelled.clone(), send };
    let started = std::thread::Builder::new().spawn(move || reader.read(input));
    if started.is_err() {
        return Ended::Abruptly;
    }
    let mut server = Server {
        diagnoser: Diagnoser::new(&client),
        checks: Checks::new(program),
        client,
        cancelled,
        version: version.to_owned(),
        stage: Stage::New,
        documents: HashMap::new(),
        workspace: Arc::default(),
        shows_progress: false,
    };
    let ended = server.run(&receive);
    server.checks.end();
    server.diagnoser.end();
    ended
}

/// The requests that are withdrawn.
type Cancelled = Arc<Mutex<HashSet<String>>>;

/// Reads messages, and notices at once what is withdrawn.
struct Reader {
    client: Client,
    cancelled: Cancelled,
    send: SyncSender<Message>,
}

impl Reader {
    /// Ends with the stream, or when nobody listens.
    fn read(self, input: impl Read) {
        let mut input = BufReader::new(input);
        loop {
            let bytes = match wire::read(&mut input) {
                Ok(Incoming::Message(bytes)) => bytes,
                Ok(Incoming::Headless) => {
                    self.refuse(
                        Refused::PARSE_ERROR,
                        "expected a header `Content-Length: …` and an empty line",
                    );
                    continue;
                }
                Ok(Incoming::TooLarge) => {
                    self.refuse(Refused::INVALID_REQUEST, "the message is too large");
                    continue;
                }
                Ok(Incoming::End) | Err(_) => return,
            };
            let message = match serde_json::from_slice::<Value>(&bytes) {
                Ok(value) => message::read(value),
                Err(error) => {
                    self.refuse(Refused::PARSE_ERROR, &format!("the message is no JSON: {error}"));
                    continue;
                }
            };
            if let Message::Notification { method, params } = &message
                && method == "$/cancelRequest"
                && let Some(id) = params.get("id")
            {
                let mut cancelled = self.cancelled.lock().unwrap_or_else(PoisonError::into_inner);
                if cancelled.len() < MAX_CANCELLED {
                    cancelled.insert(id.to_string());
                }
            }
            if self.send.send(message).is_err() {
                return;
            }
        }
    }

    fn refuse(&self, code: i64, message: &str) {
        self.client.respond(&Value::Null, Err(Refused::new(code, message)));
    }
}

/// How far the client has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Initialized,
    ShutDown,
}

struct Server {
    client: Client,
    cancelled: Cancelled,
    diagnoser: Diagnoser,
    checks: Checks,
    version: String,
    stage: Stage,
    documents: HashMap<String, Document>,
    workspace: Arc<Workspace>,
    shows_progress: bool,
}

impl Server {
    fn run(&mut self, messages: &Receiver<Message>) -> Ended {
        while let Ok(message) = messages.recv() {
            match message {
                Message::Request { id, method, params } => self.request(id, &method, &params),
                Message::Notification { method, .. } if method == "exit" => {
                    return if self.stage == Stage::ShutDown { Ended::Orderly } else { Ended::Abruptly };
                }
                Message::Notification { method, params } => {
                    if self.stage == Stage::Initialized {
                        self.notification(&method, &params);
                    }
                }
                Message::Response => {}
                Message::Invalid { id } => {
                    self.client
                        .respond(&id, Err(Refused::new(Refused::INVALID_REQUEST, "this is no request")));
                }
            }
            if self.client.is_gone() {
                return Ended::Abruptly;
            }
        }
        Ended::Abruptly
    }

    fn request(&mut self, id: Value, method: &str, params: &Value) {
        let is_cancelled =
            self.cancelled.lock().unwrap_or_else(PoisonError::into_inner).remove(&id.to_string());
        let refused = |code, message: &str| Err(Refused::new(code, message));
        let answer = match (self.stage, method) {
            (Stage::New, "initialize") => Ok(self.initialize(params)),
            (Stage::New, _) => refused(Refused::NOT_INITIALIZED, "the first request is `initialize`"),
            (Stage::ShutDown, _) => refused(Refused::INVALID_REQUEST, "the server is shut down"),
            (Stage::Initialized, "initialize") => {
                refused(Refused::INVALID_REQUEST, "`initialize` comes once")
            }
            (Stage::Initialized, "shutdown") => {
                self.stage = Stage::ShutDown;
                self.checks.end();
                Ok(Value::Null)
            }
            (Stage::Initialized, _) if is_cancelled => {
                refused(Refused::CANCELLED, "the request was withdrawn")
            }
            (Stage::Initialized, "workspace/executeCommand") => match self.command(&id, params) {
                Ok(()) => return,
                Err(refused) => Err(refused),
            },
            (Stage::Initialized, _) => self.answer(method, params),
        };
        self.client.respond(&id, answer);
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.stage = Stage::Initialized;
        self.workspace = Arc::new(Workspace::new(params));
        let progress = params.pointer("/capabilities/window/workDoneProgress");
        self.shows_progress = progress.and_then(Value::as_bool).unwrap_or(false);
        json!({
            "serverInfo": { "name": "getafix", "version": self.version },
            "capabilities": {
                "positionEncoding": "utf-16",
                "textDocumentSync": { "openClose": true, "change": 2, "save": false },
                "documentFormattingProvider": true,
                "documentSymbolProvider": true,
                "definitionProvider": true,
                "referencesProvider": true,
                "documentHighlightProvider": true,
                "renameProvider": { "prepareProvider": true },
                "hoverProvider": true,
                "completionProvider": { "triggerCharacters": ["#", "."] },
                "codeLensProvider": {},
                "executeCommandProvider": { "commands": [check::COMMAND] },
                "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } }
            }
        })
    }

    /// Requests that are answered at once.
    fn answer(&self, method: &str, params: &Value) -> Result<Value, Refused> {
        let place = || self.asked(params, NeedsPlace::Yes);
        let whole = || self.asked(params, NeedsPlace::No);
        match method {
            "textDocument/definition" => Ok(answer::definition(&place()?)),
            "textDocument/references" => {
                let with_declaration = params.pointer("/context/includeDeclaration").unwrap_or(&Value::Null);
                Ok(answer::references(&place()?, with_declaration))
            }
            "textDocument/documentHighlight" => Ok(answer::highlight(&place()?)),
            "textDocument/hover" => Ok(hover::hover(&place()?)),
            "textDocument/completion" => Ok(completion::completion(&place()?)),
            "textDocument/prepareRename" => rename::prepare(&place()?),
            "textDocument/rename" => rename::rename(&place()?, text(params, "/newName")?),
            "textDocument/documentSymbol" => Ok(outline::outline(&whole()?)),
            "textDocument/formatting" => Ok(formatting::formatting(&whole()?)),
            "textDocument/codeLens" => Ok(lens::lenses(&whole()?)),
            _ => Err(Refused::new(Refused::METHOD_NOT_FOUND, format!("there is no method `{method}`"))),
        }
    }

    fn asked(&self, params: &Value, needs_place: NeedsPlace) -> Result<Asked<'_>, Refused> {
        answer::asked(&self.documents, &self.workspace, params, needs_place)
    }

    /// Starts a check, which answers by itself.
    fn command(&mut self, id: &Value, params: &Value) -> Result<(), Refused> {
        let command = text(params, "/command")?;
        if command != check::COMMAND {
            return Err(Refused::params(format!("there is no command `{command}`")));
        }
        let uri = text(params, "/arguments/0")?;
        let document =
            self.documents.get(uri).ok_or_else(|| Refused::params(format!("`{uri}` is not open")))?;
        let target = match params.pointer("/arguments/1") {
            None | Some(Value::Null) => None,
            Some(Value::String(target)) => Some(target.clone()),
            Some(_) => return Err(Refused::params("a target is a text")),
        };
        let document = document.clone();
        let question = Question { id: id.clone(), document, target, shows_progress: self.shows_progress };
        self.checks.start(question, &self.client);
        Ok(())
    }

    /// What is told. What makes no sense is passed over, since nobody waits for an answer.
    fn notification(&mut self, method: &str, params: &Value) {
        match method {
            "textDocument/didOpen" => self.open(params),
            "textDocument/didChange" => self.change(params),
            "textDocument/didClose" => self.close(params),
            "workspace/didChangeWorkspaceFolders" => {
                Arc::make_mut(&mut self.workspace).change(params);
                self.look_at_formulas("");
            }
            "$/cancelRequest" => {
                let id = params.get("id").unwrap_or(&Value::Null);
                // What came before it is answered by now, unless it is a check.
                self.cancelled.lock().unwrap_or_else(PoisonError::into_inner).remove(&id.to_string());
                self.checks.cancel(id);
            }
            "window/workDoneProgress/cancel" => {
                self.checks.cancel_shown(params.get("token").unwrap_or(&Value::Null));
            }
            _ => {}
        }
    }

    fn open(&mut self, params: &Value) {
        let document = params.get("textDocument").unwrap_or(&Value::Null);
        let field = |name: &str| document.get(name).and_then(Value::as_str);
        let (Some(uri), Some(text)) = (field("uri"), field("text")) else { return };
        let version = document.get("version").cloned().unwrap_or(Value::Null);
        let document = Document::new(uri, field("languageId").unwrap_or(""), version, text);
        self.documents.insert(uri.to_owned(), document);
        self.has_changed(uri);
    }

    fn change(&mut self, params: &Value) {
        let Ok(uri) = text(params, "/textDocument/uri") else { return };
        let Some(document) = self.documents.get_mut(uri) else { return };
        let changes = params.get("contentChanges").and_then(Value::as_array);
        for change in changes.into_iter().flatten() {
            if document.change(change).is_err() {
                break;
            }
        }
        document.version = params.pointer("/textDocument/version").cloned().unwrap_or(Value::Null);
        self.has_changed(uri);
    }

    fn close(&mut self, params: &Value) {
        let Ok(uri) = text(params, "/textDocument/uri") else { return };
        let Some(document) = self.documents.remove(uri) else { return };
        Arc::make_mut(&mut self.workspace).close(&document);
        self.diagnoser.forget(uri);
        if document.language.is_some() {
            let gone = published(&document, Vec::new());
            self.client.notify("textDocument/publishDiagnostics", gone);
        }
    }

    /// A text has changed: it is looked at again, and so are those that may load it.
    fn has_changed(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri).cloned() else { return };
        if document.language.is_none() {
            return;
        }
        Arc::make_mut(&mut self.workspace).open(&document);
        self.look_at(&document);
        if document.language == Some(Language::Formula) {
            self.look_at_formulas(uri);
        }
    }

    fn look_at(&self, document: &Document) {
        self.diagnoser.ask(Job { document: document.clone(), workspace: self.workspace.clone() });
    }

    /// All open formula files but one that load others are looked at again.
    fn look_at_formulas(&self, but: &str) {
        let loads = |document: &&Document| {
            document.language == Some(Language::Formula)
                && document.uri != but
                && document.text().contains("#load")
        };
        self.documents.values().filter(loads).for_each(|document| self.look_at(document));
    }
}

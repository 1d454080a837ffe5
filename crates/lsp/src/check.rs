//! Checks: a process of our own program is asked, and its page handed to the client.
//!
//! Contract: there is one check at a time, and the next one ends it; so do a withdrawal and the end of the server. The text that is checked is the one that the editor has, through a pipe; nothing is written.

use crate::client::Client;
use crate::document::{Document, Language};
use crate::message::Refused;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The command of the lenses.
pub const COMMAND: &str = "getafix.check";

/// A check that nobody ends gives up by itself.
const TIMEOUT: &str = "10m";

/// What is asked.
pub struct Question {
    /// The request.
    pub id: Value,
    /// The text.
    pub document: Document,
    /// A target; none for all of them.
    pub target: Option<String>,
    /// The client shows progress.
    pub shows_progress: bool,
}

/// A check that is under way.
struct Running {
    id: Value,
    child: Arc<Mutex<Child>>,
    is_cancelled: Arc<AtomicBool>,
}

/// The check that is under way, if one is.
#[derive(Default)]
pub struct Checks {
    program: Option<PathBuf>,
    running: Option<Running>,
}

impl Checks {
    /// Checks by this program.
    pub fn new(program: Option<PathBuf>) -> Self {
        Self { program, running: None }
    }

    /// Starts a check; the one before it is over.
    pub fn start(&mut self, question: Question, client: &Client) {
        self.end();
        let Question { id, document, target, shows_progress } = question;
        let (Some(program), Some(language)) = (&self.program, document.language) else {
            return client.respond(&id, Err(Refused::failed("there is nothing here to check")));
        };
        if !matches!(language, Language::Program | Language::C) {
            return client.respond(&id, Err(Refused::failed("only programs can be checked")));
        }
        let mut command = Command::new(program);
        // Without notes, the answer is all that is told beside the page.
        command.args(["check", "-", "--html", "-", "--quiet", "--timeout", TIMEOUT]);
        command.args(["--language", if language == Language::C { "c" } else { "bp" }]);
        if let Some(name) = document.path.as_deref().and_then(std::path::Path::file_name) {
            let mut option = OsString::from("--stdin-name=");
            option.push(name);
            command.arg(option);
        }
        if let Some(target) = &target {
            // One argument, so that no target is an option.
            command.arg(format!("--target={target}"));
        }
        let folder =
            document.path.as_deref().and_then(std::path::Path::parent).filter(|folder| folder.is_dir());
        folder.iter().for_each(|folder| {
            command.current_dir(folder);
        });
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = match command.spawn() {
            Ok(child) => Arc::new(Mutex::new(child)),
            Err(error) => {
                let message = format!("`{}` cannot be started: {error}", program.display());
                return client.respond(&id, Err(Refused::failed(message)));
            }
        };
        let is_cancelled = Arc::<AtomicBool>::default();
        self.running =
            Some(Running { id: id.clone(), child: child.clone(), is_cancelled: is_cancelled.clone() });
        let watch = Watch { id, document, child, is_cancelled, client: client.clone(), shows_progress };
        let started = std::thread::Builder::new().spawn(move || watch.run());
        if started.is_err() {
            self.end();
        }
    }

    /// A request is withdrawn.
    pub fn cancel(&mut self, id: &Value) {
        if self.running.as_ref().is_some_and(|running| running.id == *id) {
            self.end();
        }
    }

    /// The user ends what he is shown as progress.
    pub fn cancel_shown(&mut self, shown: &Value) {
        if self.running.as_ref().is_some_and(|running| *shown == json!(token(&running.id))) {
            self.end();
        }
    }

    /// The check that is under way is over.
    pub fn end(&mut self) {
        if let Some(running) = self.running.take() {
            running.is_cancelled.store(true, Ordering::Relaxed);
            let _ = running.child.lock().unwrap_or_else(PoisonError::into_inner).kill();
        }
    }
}

/// By what the progress of a check is known.
fn token(id: &Value) -> String {
    format!("getafix-check-{id}")
}

/// Waits for a check.
struct Watch {
    id: Value,
    document: Document,
    child: Arc<Mutex<Child>>,
    is_cancelled: Arc<AtomicBool>,
    client: Client,
    shows_progress: bool,
}

impl Watch {
    fn run(self) {
        let token = token(&self.id);
        if self.shows_progress {
            self.client.request("window/workDoneProgress/create", json!({ "token": token }));
            let begin = json!({ "kind": "begin", "title": "getafix check", "cancellable": true });
            self.client.notify("$/progress", json!({ "token": token, "value": begin }));
        }
        let answer = self.answer();
        if self.shows_progress {
            self.client.notify("$/progress", json!({ "token": token, "value": { "kind": "end" } }));
        }
        self.client.respond(&self.id, answer);
    }

    fn answer(&self) -> Result<Value, Refused> {
        let lock = || self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let (stdin, stdout, stderr) = {
            let mut child = lock();
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        };
        let text = self.document.shared();
        let (page, told) = std::thread::scope(|scope| {
            scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(text.as_bytes())));
            let told = scope.spawn(move || drained(stderr));
            let page = drained(stdout);
            (page, told.join().unwrap_or_default())
        });
        let status = lock().wait();
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Err(Refused::new(Refused::CANCELLED, "the check was ended"));
        }
        let status = status.ok().and_then(|status| status.code());
        let verdict = told.lines().find(|line| !line.trim().is_empty()).unwrap_or("no answer").to_owned();
        let kind = match status {
            Some(0) => 3,
            Some(10 | 5) => 2,
            _ => 1,
        };
        let name = self.document.uri.rsplit('/').next().unwrap_or_default();
        self.client
            .notify("window/showMessage", json!({ "type": kind, "message": format!("{name}: {verdict}") }));
        Ok(
            json!({ "uri": self.document.uri, "status": status, "verdict": verdict, "text": told, "html": page }),
        )
    }
}

/// Everything that comes out of a pipe.
fn drained(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

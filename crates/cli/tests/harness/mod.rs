//! Runs the program: text in, text out.

#![allow(dead_code, reason = "every test file uses its own part of this")]

pub mod formula;
pub mod program;
pub mod schema;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// What a run left behind.
#[derive(Debug)]
pub struct Outcome {
    /// The exit status; -1 if a signal ended it.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A directory of its own for one test.
pub struct Sandbox(PathBuf);

impl Sandbox {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("sandbox-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).expect("a fresh directory");
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file into it.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.0.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("a fresh directory");
        }
        std::fs::write(path, content).expect("a fresh file");
        self
    }

    /// Lets a file in it be started.
    #[cfg(unix)]
    pub fn make_executable(&self, name: &str) {
        use std::os::unix::fs::PermissionsExt;
        let permissions = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.0.join(name), permissions).expect("a file of ours");
    }

    /// The text of a file in it.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("a file the run has written")
    }

    /// Another name for a file in it.
    pub fn link(&self, name: &str, other: &str) {
        std::fs::hard_link(self.0.join(name), self.0.join(other)).expect("a second name");
    }

    /// The names of the files in it, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("a directory").map(|entry| entry.expect("an entry"));
        let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs the program there with a text on stdin.
    pub fn run_with(&self, arguments: &[&str], stdin: &str) -> Outcome {
        run(&self.0, arguments, stdin)
    }

    /// Runs the program there.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        run(&self.0, arguments, "")
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs the program with a text on stdin.
pub fn run(directory: &Path, arguments: &[&str], stdin: &str) -> Outcome {
    let mut child = Command::new(env!("CARGO_BIN_EXE_getafix"))
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that rejects its arguments does not read.
    let _ = child.stdin.take().expect("stdin is piped").write_all(stdin.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    Outcome {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).expect("stdout is text"),
        stderr: String::from_utf8(output.stderr).expect("stderr is text"),
    }
}

/// Runs `getafix mu -` with options on a text.
pub fn mu(options: &[&str], text: &str) -> Outcome {
    let mut arguments = vec!["mu"];
    arguments.extend(options);
    arguments.push("-");
    run(Path::new(env!("CARGO_TARGET_TMPDIR")), &arguments, text)
}

/// The answers of the solver, of the purely symbolic solver and of the twin are these lines.
#[track_caller]
pub fn check_everywhere(text: &str, expected: &str) {
    for options in [&[][..], &["--symbolic"], &["--twin"]] {
        check(options, text, expected);
    }
}

/// Evaluates a text; the whole of stdout is expected, and status 0.
#[track_caller]
pub fn check(options: &[&str], text: &str, expected: &str) {
    let outcome = mu(options, text);
    assert_eq!(outcome.stdout, expected, "with {options:?}\n{}", outcome.stderr);
    assert_eq!(outcome.code, 0, "with {options:?}\n{}", outcome.stderr);
}

/// The repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

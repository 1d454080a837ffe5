//! Programs that are run: text in, text out.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a run left behind.
#[derive(Debug)]
pub struct Outcome {
    /// The exit status; -1 if a signal ended it.
    pub code: i32,
    /// What it said.
    pub stdout: String,
    /// What it said beside.
    pub stderr: String,
}

impl From<Output> for Outcome {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("stdout is text"),
            stderr: String::from_utf8(output.stderr).expect("stderr is text"),
        }
    }
}

/// Runs a program in a folder with a text on stdin.
#[track_caller]
pub fn run(program: impl AsRef<Path>, folder: &Path, arguments: &[&str], stdin: &str) -> Outcome {
    let mut child = Command::new(program.as_ref())
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that rejects its arguments does not read.
    let _ = child.stdin.take().expect("stdin is piped").write_all(stdin.as_bytes());
    child.wait_with_output().expect("the program ends").into()
}

/// Runs a test in a process of its own, for what concerns all of a process. The name is that of the test, with its module.
///
/// The test calls this and nothing else: the program of the tests is started again for it alone, and there the body is run.
#[track_caller]
pub fn alone(name: &str, body: impl FnOnce()) {
    const ALONE: &str = "GETAFIX_ALONE";
    if std::env::var_os(ALONE).is_some_and(|alone| alone == name) {
        return body();
    }
    let program = std::env::current_exe().expect("the program of the tests");
    let output = Command::new(program).args(["--exact", name]).env(ALONE, name).output();
    let outcome = Outcome::from(output.expect("the program starts"));
    assert!(outcome.code == 0 && outcome.stdout.contains("1 passed"), "{}{}", outcome.stdout, outcome.stderr);
}

/// Whether there is a C compiler to compare with; if not, a note says that nothing is compared, past the capture of the test's output.
pub fn has_c_compiler() -> bool {
    let is_there = Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        let mut stderr = std::io::stderr().lock();
        writeln!(stderr, "SKIPPED: there is no C compiler `cc`, so nothing was compared")
            .expect("stderr is open");
    }
    is_there
}

/// Compiles a text without optimisation and without warnings; the program is in the folder.
#[track_caller]
pub fn compile_c(folder: &Path, text: &str, options: &[&str]) -> PathBuf {
    let (source, binary) = (folder.join("program.c"), folder.join("program"));
    std::fs::write(&source, text).expect("a fresh file");
    let mut compiler = Command::new("cc");
    compiler.args(["-w", "-O0"]).args(options).arg("-o").args([&binary, &source]);
    assert!(compiler.status().expect("the compiler starts").success(), "it rejects {}", source.display());
    binary
}

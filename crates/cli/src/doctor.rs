//! `getafix doctor`: which other programs are found, what works without them, and how they are installed.
//!
//! Contract: looks and asks for versions, and changes nothing. That something is missing is no failure: most of Getafix needs nothing else.

use crate::console::stdout;
use getafix::{Outside, Status, System};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// So long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(5);

/// Another program that something needs.
struct Tool {
    name: &'static str,
    /// What it is for.
    purpose: &'static str,
    /// What happens without it.
    without: &'static str,
    found: Result<PathBuf, String>,
    /// The command that installs it here.
    install: String,
}

/// Looks at every program and says what is so.
pub fn run() -> Status {
    let mut text = format!("getafix {}\n", env!("CARGO_PKG_VERSION"));
    for tool in tools(Kind::here()) {
        text.push_str(&told(&tool));
    }
    stdout(text.as_bytes());
    Status::Evaluated
}

fn tools(here: Kind) -> [Tool; 3] {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let first = |names: &[&str]| {
        let mut folders = std::env::split_paths(&path)
            .flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>());
        folders.find(|file| file.is_file()).ok_or_else(|| "not found".to_owned())
    };
    [
        Tool {
            name: "z3",
            purpose: "proofs about programs in C, and checking them",
            without: "programs in C are executed only: errors are found, and nothing with inputs is proved",
            found: System.solver(None),
            install: here.install("z3"),
        },
        Tool {
            name: "cc",
            purpose: "`#include` and macros in programs in C",
            without: "programs in C have to be preprocessed, or need `--no-cpp`",
            found: first(&getafix::PREPROCESSORS),
            install: here.install("cc"),
        },
        Tool {
            name: "browser",
            purpose: "pages that `check --html FILE` writes",
            without: "pages can be looked at on another machine: each is one file",
            found: first(&["firefox", "chromium", "google-chrome", "chromium-browser", "open", "xdg-open"]),
            install: here.install("firefox"),
        },
    ]
}

/// What is said about one program.
fn told(tool: &Tool) -> String {
    let Tool { name, purpose, without, found, install } = tool;
    match found {
        Ok(path) => {
            let version = version(path);
            let said = if *name == "z3" { usable(path, version) } else { version };
            let said = said.unwrap_or_else(|| "found".to_owned());
            format!("\n{name}: {said}\n  at {}\n  for {purpose}\n", path.display())
        }
        Err(_) => {
            format!(
                "\n{name}: not found\n  for {purpose}\n  without it: {without}\n  to install it: {install}\n"
            )
        }
    }
}

/// The version of a solver, and whether it is one that can be asked.
fn usable(path: &Path, version: Option<String>) -> Option<String> {
    let [major, minor, patch] = smt::OLDEST;
    match smt::Pipe::new(path, base::Stop::default()).open() {
        Ok(()) => version,
        Err(_) => Some(format!(
            "{}, which cannot be used: {major}.{minor}.{patch} or later is needed ({})",
            version.as_deref().unwrap_or("found"),
            smt::INSTALL
        )),
    }
}

/// The first line that a program says about its version, if it says one soon.
fn version(path: &Path) -> Option<String> {
    // What only opens something else has no version that matters.
    if ["open", "xdg-open"].iter().any(|name| path.ends_with(name)) {
        return None;
    }
    let mut command = Command::new(path);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let end = Instant::now() + PATIENCE;
    while child.try_wait().ok()?.is_none() {
        if Instant::now() > end {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line: String = text.lines().next()?.chars().filter(|c| !c.is_control()).take(100).collect();
    (!line.trim().is_empty()).then(|| line.trim().to_owned())
}

/// The kinds of systems that install programs in their own ways.
#[derive(Clone, Copy)]
enum Kind {
    Mac,
    Debian,
    Fedora,
    Arch,
    Alpine,
    Other,
}

impl Kind {
    /// That of the system that the program runs on.
    fn here() -> Self {
        if cfg!(target_os = "macos") {
            return Kind::Mac;
        }
        let text = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
        let words = text.lines().filter_map(|line| {
            let (name, value) = line.split_once('=')?;
            matches!(name, "ID" | "ID_LIKE").then(|| value.trim_matches('"'))
        });
        let known = words.flat_map(str::split_whitespace).find_map(|word| match word {
            "debian" | "ubuntu" => Some(Kind::Debian),
            "fedora" | "rhel" => Some(Kind::Fedora),
            "arch" => Some(Kind::Arch),
            "alpine" => Some(Kind::Alpine),
            _ => None,
        });
        known.unwrap_or(Kind::Other)
    }

    /// The command that installs a program. The z3 of Debian is older than what can be used.
    fn install(self, name: &str) -> String {
        let with = |start: &str, name: &str| format!("{start} {name}");
        match (self, name) {
            (Kind::Debian | Kind::Other, "z3") => smt::INSTALL.to_owned(),
            (Kind::Mac, "cc") => "xcode-select --install".to_owned(),
            (Kind::Mac, "firefox") => "brew install --cask firefox".to_owned(),
            (Kind::Mac, name) => with("brew install", name),
            (Kind::Debian, "firefox") => "sudo apt install firefox-esr".to_owned(),
            (_, "cc") => self.install("gcc"),
            (Kind::Debian, name) => with("sudo apt install", name),
            (Kind::Fedora, name) => with("sudo dnf install", name),
            (Kind::Arch, name) => with("sudo pacman -S", name),
            (Kind::Alpine, name) => with("sudo apk add", name),
            (Kind::Other, name) => format!("install `{name}` with the packages of this system"),
        }
    }
}

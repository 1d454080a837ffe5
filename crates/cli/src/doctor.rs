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
    for tool in tools(&Here::found()) {
        text.push_str(&told(&tool));
    }
    stdout(text.as_bytes());
    Status::Evaluated
}

fn tools(here: &Here) -> [Tool; 3] {
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
            without: "headers of the standard and macros are known, other headers are not",
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
            let said = if *name == "z3" { usable(path, version, install) } else { version };
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
fn usable(path: &Path, version: Option<String>, install: &str) -> Option<String> {
    let [major, minor, patch] = smt::OLDEST;
    match smt::Pipe::new(path, base::Stop::default()).open() {
        Ok(()) => version,
        Err(_) => Some(format!(
            "{}, which cannot be used: {major}.{minor}.{patch} or later is needed: {install}",
            version.as_deref().unwrap_or("found"),
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

/// A system, as far as it matters to how programs are installed.
struct Here {
    kind: Kind,
    /// The z3 of its own packages is recent enough.
    has_recent_z3: bool,
    /// Python's pip is on the path.
    has_pip: bool,
    /// An environment of Python is active, where pip installs without further words.
    is_in_environment: bool,
    /// The system does not want pip to install beside its own packages, unless one insists.
    is_managed: bool,
}

/// The kinds of systems that install programs in their own ways.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Mac,
    Debian,
    Fedora,
    Arch,
    Alpine,
    Suse,
    Other,
}

impl Here {
    /// The system that the program runs on.
    fn found() -> Self {
        let text = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
        let (kind, has_recent_z3) = match cfg!(target_os = "macos") {
            true => (Kind::Mac, true),
            false => system(&text),
        };
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let path = std::env::var_os("PATH").unwrap_or_default();
        let has_pip = std::env::split_paths(&path).any(|folder| folder.join("pip").is_file());
        let is_in_environment = is_set("VIRTUAL_ENV") || is_set("CONDA_PREFIX");
        Self { kind, has_recent_z3, has_pip, is_in_environment, is_managed: is_managed() }
    }

    /// The one command that installs a program.
    fn install(&self, name: &str) -> String {
        match (self.kind, name) {
            (_, "z3") if !self.has_recent_z3 || self.is_in_environment => self.pip(),
            (Kind::Mac, "cc") => "xcode-select --install".to_owned(),
            (Kind::Mac, "firefox") => "brew install --cask firefox".to_owned(),
            (Kind::Debian, "firefox") => {
                "sudo apt install firefox-esr || sudo apt install firefox".to_owned()
            }
            (_, "cc") => self.packages("gcc"),
            (_, name) => self.packages(name),
        }
    }

    fn packages(&self, name: &str) -> String {
        match self.kind {
            Kind::Mac => format!("brew install {name}"),
            Kind::Debian => format!("sudo apt install {name}"),
            Kind::Fedora => format!("sudo dnf install {name}"),
            Kind::Arch => format!("sudo pacman -S {name}"),
            Kind::Alpine => format!("sudo apk add {name}"),
            Kind::Suse => format!("sudo zypper install {name}"),
            Kind::Other => format!("install `{name}` with the packages of this system"),
        }
    }

    /// Python's packages have a solver for every system.
    fn pip(&self) -> String {
        let fetch_pip = match (self.has_pip || self.is_in_environment, self.kind) {
            (true, _) | (false, Kind::Other) => String::new(),
            (false, Kind::Alpine) => format!("{} && ", self.packages("py3-pip")),
            (false, Kind::Mac) => format!("{} && ", self.packages("python")),
            (false, _) => format!("{} && ", self.packages("python3-pip")),
        };
        let insist = match self.is_managed && !self.is_in_environment {
            true => " --user --break-system-packages",
            false => "",
        };
        format!("{fetch_pip}{}", smt::INSTALL.replacen("install", &format!("install{insist}"), 1))
    }
}

/// The kind of a system, and whether its z3 is recent enough, by its `os-release`. The z3 of Debian 12 and of Ubuntu is older than what can be used.
fn system(text: &str) -> (Kind, bool) {
    let value = |wanted: &str| {
        let lines = text.lines().filter_map(|line| line.split_once('='));
        let mut values = lines.filter(|(name, _)| *name == wanted).map(|(_, value)| value.trim_matches('"'));
        values.next().unwrap_or_default()
    };
    let words = [value("ID"), value("ID_LIKE")];
    let kind = words.into_iter().flat_map(str::split_whitespace).find_map(|word| match word {
        "debian" | "ubuntu" => Some(Kind::Debian),
        "fedora" | "rhel" => Some(Kind::Fedora),
        "arch" => Some(Kind::Arch),
        "alpine" => Some(Kind::Alpine),
        "suse" | "opensuse" => Some(Kind::Suse),
        _ => None,
    });
    let is_recent_debian = value("ID") == "debian" && value("VERSION_ID").parse().is_ok_and(|n: u32| n >= 13);
    match kind {
        Some(Kind::Debian) => (Kind::Debian, is_recent_debian),
        Some(kind) => (kind, matches!(kind, Kind::Fedora | Kind::Arch | Kind::Alpine | Kind::Suse)),
        None => (Kind::Other, false),
    }
}

/// Python's own mark that its packages are those of the system.
fn is_managed() -> bool {
    let entries = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    entries.map(|entry| entry.path().join("EXTERNALLY-MANAGED")).any(|mark| mark.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn here(release: &str, has_pip: bool, is_in_environment: bool, is_managed: bool) -> Here {
        let (kind, has_recent_z3) = system(release);
        Here { kind, has_recent_z3, has_pip, is_in_environment, is_managed }
    }

    #[test]
    fn each_system_has_its_command() {
        let bookworm = "PRETTY_NAME=\"Debian GNU/Linux 12\"\nVERSION_ID=\"12\"\nID=debian\n";
        let z3 = |here: Here| here.install("z3");
        assert_eq!(z3(here(bookworm, true, false, false)), "pip install z3-solver");
        assert_eq!(
            z3(here(bookworm, true, false, true)),
            "pip install --user --break-system-packages z3-solver"
        );
        assert_eq!(z3(here(bookworm, true, true, true)), "pip install z3-solver");
        assert_eq!(
            z3(here(bookworm, false, false, false)),
            "sudo apt install python3-pip && pip install z3-solver"
        );
        assert_eq!(z3(here("ID=debian\nVERSION_ID=\"13\"\n", true, false, true)), "sudo apt install z3");
        assert_eq!(
            z3(here("ID=ubuntu\nID_LIKE=debian\nVERSION_ID=\"24.04\"\n", true, false, false)),
            "pip install z3-solver"
        );
        assert_eq!(z3(here("ID=fedora\n", false, false, false)), "sudo dnf install z3");
        assert_eq!(
            z3(here("ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n", false, false, false)),
            "sudo zypper install z3"
        );
        assert_eq!(z3(here("ID=nothing\n", false, false, false)), "pip install z3-solver");
        assert_eq!(here(bookworm, true, false, false).install("cc"), "sudo apt install gcc");
        assert_eq!(here("ID=arch\n", true, false, false).install("firefox"), "sudo pacman -S firefox");
        assert_eq!(
            here("", true, false, false).install("cc"),
            "install `gcc` with the packages of this system"
        );
    }
}

//! `cargo xtask dist`: everything that is shipped, in `target/dist`, each part tried in an empty place.
//!
//! Contract: nothing is published, and nothing outside of `target` is changed. Each part says what it made and what it tried; a part that cannot be made here, for want of a tool, says so and makes the command
//! fail at its end, unless only other parts were asked for. What is made from the same commit by the same tools is the same bytes: times are those of the commit, names are sorted, and no path of
//! this machine is inside.

mod archive;
mod binary;
mod crates;
mod debian;
mod licences;
mod trial;
mod web;
mod wheel;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The version of everything: that of the workspace.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The parts, in the order in which they are made.
pub const PARTS: [&str; 6] = ["binary", "deb", "wheel", "vsix", "web", "crates"];

/// Where things are, and when they are from.
pub struct Dist {
    pub root: PathBuf,
    /// What is made.
    pub to: PathBuf,
    /// What is needed on the way.
    pub work: PathBuf,
    /// Seconds since 1970: what every file inside of a package says.
    pub epoch: u64,
}

impl Dist {
    fn new(root: &Path) -> Self {
        let said = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.trim().parse().ok());
        let committed = || {
            let output =
                Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root).output().ok()?;
            String::from_utf8_lossy(&output.stdout).trim().parse().ok()
        };
        // Archives cannot say anything before 1980.
        let epoch = said.or_else(committed).unwrap_or(315_532_800);
        Self {
            root: root.to_owned(),
            to: root.join("target/dist"),
            work: root.join("target/dist-work"),
            epoch,
        }
    }

    /// An empty folder to work in.
    pub fn empty(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.work.join(name);
        emptied(&folder)?;
        Ok(folder)
    }
}

/// Makes these parts, or all.
pub fn run(root: &Path, parts: &[&str]) -> ExitCode {
    if let Some(part) = parts.iter().find(|part| !PARTS.contains(part)) {
        eprintln!("error: there is no part `{part}`; parts are {}", PARTS.join(", "));
        return ExitCode::from(2);
    }
    let dist = Dist::new(root);
    let wanted: Vec<&str> =
        PARTS.into_iter().filter(|part| parts.is_empty() || parts.contains(part)).collect();
    if let Err(problem) = std::fs::create_dir_all(&dist.to) {
        eprintln!("error: {}: {problem}", dist.to.display());
        return ExitCode::FAILURE;
    }
    let mut failed = Vec::new();
    for part in wanted {
        eprintln!("dist: {part}");
        match made(&dist, part) {
            Ok(lines) => lines.iter().for_each(|line| println!("{part}: {line}")),
            Err(problem) => {
                println!("{part}: NOT MADE: {problem}");
                failed.push(part);
            }
        }
    }
    match sums(&dist) {
        Ok(line) => println!("{line}"),
        Err(problem) => {
            println!("SHA256SUMS: NOT MADE: {problem}");
            failed.push("SHA256SUMS");
        }
    }
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Makes a part, and tries it: what was made and tried, in words.
fn made(dist: &Dist, part: &str) -> Result<Vec<String>, String> {
    match part {
        "binary" => binary::archive(dist),
        "deb" => debian::package(dist),
        "wheel" => wheel::wheel(dist),
        "vsix" => web::extension(dist),
        "web" => web::folder(dist),
        _ => crates::crates(dist),
    }
}

/// `SHA256SUMS` of all that is there.
fn sums(dist: &Dist) -> Result<String, String> {
    let files: Vec<PathBuf> =
        files_below(&dist.to)?.into_iter().filter(|file| !file.ends_with("SHA256SUMS")).collect();
    let mut text = String::new();
    for file in &files {
        let name = file.strip_prefix(&dist.to).unwrap_or(file);
        text.push_str(&format!("{}  {}\n", sum(file)?, name.display()));
    }
    write(&dist.to.join("SHA256SUMS"), text)?;
    Ok(format!("SHA256SUMS: of {} files in {}", files.len(), dist.to.display()))
}

/// The hash of a file.
fn sum(file: &Path) -> Result<String, String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(base::sha256::hex(&bytes))
}

/// All files below a folder, sorted.
pub fn files_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() { files.extend(files_below(&path)?) } else { files.push(path) }
    }
    files.sort();
    Ok(files)
}

/// Makes a folder that is empty.
fn emptied(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Writes a file, and the folders that it is in.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    let problem = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(problem)?;
    }
    std::fs::write(path, content).map_err(problem)
}

/// Copies a file, and makes the folders that it comes to.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let problem = |error: std::io::Error| format!("{} to {}: {error}", from.display(), to.display());
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(problem)?;
    }
    std::fs::copy(from, to).map(|_| ()).map_err(problem)
}

/// Runs a program; what it says on stdout.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("`{name}` cannot be started: {error}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let last: Vec<&str> = errors.lines().rev().take(5).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        return Err(format!("`{name}` fails ({}): {}", output.status, last.join(" / ")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The cargo that runs us, without what it has set for us.
fn cargo(dist: &Dist) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(&dist.root).env("CARGO_TARGET_DIR", dist.root.join("target/dist-build"));
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .expect("xtask is a directory of the repository")
            .to_owned()
    }

    #[test]
    fn there_is_one_version() {
        let text = std::fs::read_to_string(root().join("Cargo.toml")).expect("the workspace");
        let of_crates = text.lines().filter(|line| line.contains("path = \"crates/"));
        let mut n_versions = 0;
        for line in of_crates {
            // What is not published has none, so that packages can leave it out.
            let is_published = !line.contains("crates/testing") && !line.contains("crates/web");
            let has = line.contains(&format!("version = \"{VERSION}\""));
            assert_eq!(has, is_published, "{line}");
            n_versions += usize::from(has);
        }
        assert!(n_versions > 20, "{n_versions}");
        let changes = std::fs::read_to_string(root().join("CHANGELOG.md")).expect("the changelog");
        assert!(
            changes.contains(&format!("\n## {VERSION}\n")),
            "CHANGELOG.md tells what is new in {VERSION}"
        );
    }

    /// Cargo packs a crate before those that only its tests need, and cannot find them then, unless they have no version and are left out.
    #[test]
    fn what_tests_need_is_named_by_its_path() {
        let crates = std::fs::read_dir(root().join("crates")).expect("crates").flatten();
        let manifests: Vec<PathBuf> = crates.map(|entry| entry.path().join("Cargo.toml")).collect();
        let names: Vec<String> = manifests
            .iter()
            .filter_map(|path| Some(path.parent()?.file_name()?.to_string_lossy().into_owned()))
            .collect();
        for path in manifests {
            let text = std::fs::read_to_string(&path).expect("a manifest");
            let (_, of_tests) = text.split_once("[dev-dependencies]").unwrap_or_default();
            for line in of_tests.lines().filter(|_| !text.contains("publish = false")) {
                let name = line.strip_suffix(".workspace = true").unwrap_or_default();
                let is_ours = names.iter().any(|other| other == name) && name != "testing";
                assert!(!is_ours, "{}: `{line}` has a version: write `path = \"../{name}\"`", path.display());
            }
            assert!(
                text.contains("publish = false") || text.contains("\ndescription = "),
                "{}",
                path.display()
            );
        }
    }

    #[test]
    fn files_are_listed_with_their_sums() {
        let work = std::env::temp_dir().join(format!("getafix-dist-sums-{}", std::process::id()));
        let dist = Dist { root: root(), to: work.clone(), work: work.clone(), epoch: 0 };
        write(&work.join("b/c"), "abc").expect("a file");
        write(&work.join("a"), "").expect("a file");
        sums(&dist).expect("sums");
        let text = std::fs::read_to_string(work.join("SHA256SUMS")).expect("the sums");
        let _ = std::fs::remove_dir_all(&work);
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(text, format!("{empty}  a\n{abc}  b/c\n"));
    }
}

//! The SMT solver that tests ask: the one that is there, or one that is fetched, of the version and with the bytes that `xtask/tools/requirements.txt` names.

use smt::Pipe;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// What is fetched of Python's packages, with its hashes.
pub const LOCKED: &str = "xtask/tools/requirements.txt";

/// The solver that is named or on the path, if it is one that can be used; otherwise the one that is fetched into `target`.
pub fn solver(root: &Path) -> Result<PathBuf, String> {
    if let Ok(found) = smt::find(None)
        && is_usable(&found)
    {
        return Ok(found);
    }
    let folder = root.join("target").join("z3");
    let fetched = folder.join("bin").join("z3");
    if is_usable(&fetched) {
        return Ok(fetched);
    }
    eprintln!("xtask: there is no SMT solver that can be used; fetching one into {}", folder.display());
    for (program, arguments) in [("python3", &["-m", "pip"][..]), ("pip3", &[]), ("pip", &[])] {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .args(["install", "--quiet", "--upgrade", "--only-binary", ":all:", "--target"])
            .arg(&folder)
            .args(["--require-hashes", "--requirement"])
            .arg(root.join(LOCKED));
        let is_done = command.stdin(Stdio::null()).status().is_ok_and(|status| status.success());
        if is_done && is_usable(&fetched) {
            return Ok(fetched);
        }
    }
    Err(format!("there is no SMT solver, and none can be fetched; `{}` installs one", smt::INSTALL))
}

fn is_usable(program: &Path) -> bool {
    Pipe::new(program, base::Stop::default()).open().is_ok()
}

/// `cargo test --workspace` with that solver; all of it, whatever fails first.
pub fn test(root: &Path, arguments: &[&str]) -> ExitCode {
    let solver = match solver(root) {
        Ok(solver) => solver,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::FAILURE;
        }
    };
    // Tests run in folders of their own.
    let solver = std::path::absolute(&solver).unwrap_or(solver);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["test", "--workspace", "--no-fail-fast"])
        .args(arguments)
        .current_dir(root)
        .env(smt::VARIABLE, solver);
    match command.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: cargo cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files that say which packages of npm and PyPI are used, each package with the hash of what is fetched.
    #[test]
    fn what_is_fetched_from_elsewhere_is_named_with_its_hash() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder");
        let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("it is there");
        let locked = read(LOCKED);
        let named: Vec<&str> = locked.lines().filter(|line| !line.starts_with(['#', ' '])).collect();
        let hashed = locked.lines().filter(|line| line.trim_start().starts_with("--hash=sha256:"));
        assert!(named.iter().all(|line| line.contains("==")) && hashed.count() >= named.len(), "{named:?}");
        for path in ["xtask/tools/package-lock.json", "packages/vscode/package-lock.json"] {
            let lock: serde_json::Value = serde_json::from_str(&read(path)).expect("a lock file of npm");
            let packages = lock["packages"].as_object().expect("packages");
            for (name, package) in packages.iter().filter(|(name, _)| !name.is_empty()) {
                assert!(package["integrity"].is_string(), "{path}: {name} has no hash");
            }
            assert!(packages.len() > 1, "{path}");
        }
    }
}

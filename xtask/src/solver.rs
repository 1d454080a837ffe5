//! The SMT solver that tests ask: the one that is there, or one that is fetched.

use smt::Pipe;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

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
            .args(["install", "--quiet", "--upgrade", "--target"])
            .arg(&folder)
            .arg("z3-solver");
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

/// `cargo test --workspace` with that solver.
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
    command.args(["test", "--workspace"]).args(arguments).current_dir(root).env(smt::VARIABLE, solver);
    match command.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: cargo cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}

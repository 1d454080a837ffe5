//! The wheel: the Python package with the program inside, which asks pip for z3.

use super::{Dist, VERSION, binary, licences, output, trial, write};
use crate::solver;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What pip calls the systems that the program runs on: a static one on every Linux with the kernel's interface of 2014.
fn platform(host: &str) -> String {
    let machine = host.split('-').next().unwrap_or("any");
    match host {
        _ if host.contains("linux") => format!("manylinux_2_17_{machine}.manylinux2014_{machine}"),
        _ if host.contains("apple") && machine == "aarch64" => "macosx_11_0_arm64".to_owned(),
        _ if host.contains("apple") => format!("macosx_10_12_{machine}"),
        _ => "win_amd64".to_owned(),
    }
}

/// Makes the wheel, installs it into an empty environment, asks it from the shell and from Python, and removes it.
pub fn wheel(dist: &Dist) -> Result<Vec<String>, String> {
    let program = binary::built(dist)?;
    let others = dist.empty("wheel")?.join("LICENSES-OF-OTHERS.txt");
    write(&others, licences::text(dist)?)?;
    let mut command = Command::new("python3");
    command.arg(dist.root.join("packages/python/wheel.py")).arg(&program).arg(VERSION);
    command.arg(platform(&binary::host()?)).arg(&dist.to).arg(&others);
    let said = output(command.env("PYTHONDONTWRITEBYTECODE", "1"))?;
    let to = PathBuf::from(said.trim());
    let mut lines = vec![format!("{}, {} KB", to.display(), binary::size(&to) / 1000)];
    lines.extend(tried(dist, &to)?);
    Ok(lines)
}

fn tried(dist: &Dist, wheel: &Path) -> Result<Vec<String>, String> {
    let place = dist.empty("try-wheel")?;
    output(Command::new("python3").args(["-m", "venv"]).arg(&place))?;
    let python = place.join("bin/python");
    let pip = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]).args(arguments);
        command
    };
    // The wheel asks for z3 in any version that will do; here it meets the one that is pinned, and pip takes nothing else from anywhere.
    output(pip(&["install", "--require-hashes", "--requirement"]).arg(dist.root.join(solver::LOCKED)))?;
    output(pip(&["install", "--no-index"]).arg(wheel))?;
    output(&mut pip(&["check"]))?;
    let mut lines = trial::asked(dist, &place.join("bin/getafix"), trial::Solver::There)?;
    let tests = dist.root.join("packages/python/test_getafix.py");
    let mut command = Command::new(&python);
    command.arg(tests).env_remove("GETAFIX").env("PYTHONDONTWRITEBYTECODE", "1").current_dir(&place);
    output(&mut command)?;
    lines.push(
        "tried: the tests of the Python package, in the environment that it was installed into".to_owned(),
    );
    output(&mut pip(&["uninstall", "--yes", "getafix"]))?;
    lines.push(trial::removed(&place, &["bin/getafix"])?);
    std::fs::remove_dir_all(&place).map_err(|error| error.to_string())?;
    Ok(lines)
}

#[cfg(test)]
mod tests {
    #[test]
    fn systems_have_the_names_that_pip_knows() {
        let linux = "manylinux_2_17_x86_64.manylinux2014_x86_64";
        assert_eq!(super::platform("x86_64-unknown-linux-gnu"), linux);
        assert_eq!(super::platform("aarch64-apple-darwin"), "macosx_11_0_arm64");
    }
}

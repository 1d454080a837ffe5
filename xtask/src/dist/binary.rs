//! The program: one file that needs nothing of the system it runs on, and an archive of it with what goes along.

use super::{Dist, VERSION, archive, cargo, copy, licences, output, trial, write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The shells that completions are made for, and the names of their files.
pub const SHELLS: [(&str, &str); 3] =
    [("bash", "getafix.bash"), ("zsh", "_getafix"), ("fish", "getafix.fish")];

/// What the compiler makes programs for here.
pub fn host() -> Result<String, String> {
    let text = output(Command::new("rustc").arg("-vV"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).ok_or_else(|| "rustc does not say what it makes programs for".to_owned())
}

/// Builds the program, if what is there is not up to date.
pub fn built(dist: &Dist) -> Result<PathBuf, String> {
    let host = host()?;
    let home =
        std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    let mut flags = format!("--remap-path-prefix={}=/getafix", dist.root.display());
    if let Ok(home) = home {
        flags.push_str(&format!(" --remap-path-prefix={home}=/cargo"));
    }
    if host.ends_with("-linux-gnu") {
        flags.push_str(" -C target-feature=+crt-static");
    }
    let mut command = cargo(dist);
    command.args(["build", "--release", "--locked", "--target", &host, "-p", "getafix-cli"]);
    command
        .env("RUSTFLAGS", flags)
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .env("CARGO_PROFILE_RELEASE_STRIP", "true");
    output(&mut command)?;
    let program = dist.root.join("target/dist-build").join(&host).join("release/getafix");
    let bytes = std::fs::read(&program).map_err(|error| format!("{}: {error}", program.display()))?;
    if host.ends_with("-linux-gnu") && !is_static(&bytes) {
        return Err("the program is not static: it asks for a loader".to_owned());
    }
    Ok(program)
}

/// Whether a program in ELF, of 64 bits, asks for no loader.
fn is_static(bytes: &[u8]) -> bool {
    let number = |at: usize, length: usize| {
        let part = bytes.get(at..at + length)?;
        Some(part.iter().rev().fold(0_usize, |number, byte| number << 8 | usize::from(*byte)))
    };
    let headers = || {
        let (start, size, n) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
        (0..n).map(|k| number(start + k * size, 4)).collect::<Option<Vec<usize>>>()
    };
    const INTERPRETER: usize = 3;
    let is_elf = bytes.starts_with(b"\x7fELF\x02");
    is_elf && headers().is_some_and(|kinds| !kinds.is_empty() && !kinds.contains(&INTERPRETER))
}

/// What the program prints about itself.
pub fn printed(program: &Path, arguments: &[&str]) -> Result<String, String> {
    output(Command::new(program).args(arguments))
}

/// The archive: program, manual page, completions, licences.
pub fn archive(dist: &Dist) -> Result<Vec<String>, String> {
    let program = built(dist)?;
    let folder = dist.empty("archive")?;
    copy(&program, &folder.join("getafix"))?;
    write(&folder.join("getafix.1"), printed(&program, &["man"])?)?;
    for (shell, file) in SHELLS {
        write(&folder.join("completions").join(file), printed(&program, &["completions", shell])?)?;
    }
    for file in ["README.md", "CHANGELOG.md"] {
        copy(&dist.root.join(file), &folder.join(file))?;
    }
    licences::beside(dist, &folder)?;
    let system = host()?.replace("-unknown", "").replace("-gnu", "");
    let name = format!("getafix-{VERSION}-{system}");
    let to = dist.to.join(format!("{name}.tar.gz"));
    archive::tar(dist, &folder, &name, &to)?;
    let mut lines = vec![format!("{}, {} KB", to.display(), size(&to) / 1000)];
    let place = dist.empty("try-archive")?;
    output(Command::new("tar").arg("-xzf").arg(&to).arg("--directory").arg(&place))?;
    lines.extend(trial::asked(dist, &place.join(&name).join("getafix"), trial::Solver::Perhaps)?);
    std::fs::remove_dir_all(&place).map_err(|error| error.to_string())?;
    lines.extend(skeletons(dist, &to, &program)?);
    Ok(lines)
}

/// The container and the formula for Homebrew, filled in.
fn skeletons(dist: &Dist, archive: &Path, program: &Path) -> Result<Vec<String>, String> {
    let container = dist.to.join("container");
    copy(&dist.root.join("packages/container/Containerfile"), &container.join("Containerfile"))?;
    copy(program, &container.join("getafix"))?;
    licences::beside(dist, &container)?;
    let path = "packages/homebrew/getafix.rb";
    let formula =
        std::fs::read_to_string(dist.root.join(path)).map_err(|error| format!("{path}: {error}"))?;
    let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let filled = formula.split_once("\nclass").map_or(formula.clone(), |(_, rest)| format!("class{rest}"));
    let filled = filled.replace("{version}", VERSION).replace("{sha256}", &super::sum(archive)?);
    let to = dist.to.join("getafix.rb");
    write(&to, filled.replace("{url}", &name))?;
    let has_ruby = Command::new("ruby").arg("--version").output().is_ok();
    if has_ruby {
        output(Command::new("ruby").arg("-c").arg(&to))?;
    }
    let formula = if has_ruby { "ruby reads it" } else { "not tried, since there is no ruby" };
    Ok(vec![
        format!("container/Containerfile: a skeleton; {}", alone(dist, program)?),
        format!("getafix.rb: a skeleton; {formula}"),
    ])
}

/// What a container without anything else is, a root with the program and a file, is tried where the system lets us change the root.
fn alone(dist: &Dist, program: &Path) -> Result<&'static str, String> {
    let place = dist.empty("try-container")?;
    copy(program, &place.join("getafix"))?;
    copy(&dist.root.join("examples/lock.bp"), &place.join("lock.bp"))?;
    let in_root = |arguments: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "chroot"]).arg(&place).arg("/getafix").args(arguments);
        command.output()
    };
    if !in_root(&["--version"]).is_ok_and(|output| output.status.success()) {
        return Ok("not tried, since no root can be changed here");
    }
    let answer = in_root(&["check", "/lock.bp"]).map_err(|error| error.to_string())?;
    std::fs::remove_dir_all(&place).map_err(|error| error.to_string())?;
    match answer.status.code() == Some(10) && answer.stdout.starts_with(b"REACHABLE\n") {
        true => Ok("tried: in a root with nothing but the program, lock.bp REACHABLE"),
        false => Err(format!("alone in a root: {}", String::from_utf8_lossy(&answer.stderr))),
    }
}

/// The length of a file.
pub fn size(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |data| data.len())
}

#[cfg(test)]
mod tests {
    use super::is_static;

    /// A program with headers of these kinds.
    fn elf(kinds: &[u32]) -> Vec<u8> {
        let mut bytes = vec![0; 64];
        bytes[..5].copy_from_slice(b"\x7fELF\x02");
        (bytes[32], bytes[54], bytes[56]) = (64, 56, kinds.len() as u8);
        for kind in kinds {
            let mut header = vec![0; 56];
            header[..4].copy_from_slice(&kind.to_le_bytes());
            bytes.extend(header);
        }
        bytes
    }

    #[test]
    fn a_program_that_asks_for_a_loader_is_not_static() {
        assert!(is_static(&elf(&[1, 2, 6])));
        assert!(!is_static(&elf(&[1, 3, 6])));
        assert!(!is_static(&elf(&[])) && !is_static(b"#!/bin/sh\n") && !is_static(&elf(&[1])[..66]));
        let own = std::fs::read(std::env::current_exe().expect("a program")).expect("it can be read");
        assert!(!is_static(&own) || cfg!(target_feature = "crt-static"));
    }
}

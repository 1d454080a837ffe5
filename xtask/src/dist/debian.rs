//! The package for Debian and its relatives: program, manual page, completions, licences.

use super::{Dist, VERSION, archive, binary, copy, files_below, licences, output, trial, write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where completions belong, by the shell.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/getafix"),
    ("zsh", "usr/share/zsh/vendor-completions/_getafix"),
    ("fish", "usr/share/fish/vendor_completions.d/getafix.fish"),
];

/// Makes the package, installs it below an empty folder, asks it, and removes it.
pub fn package(dist: &Dist) -> Result<Vec<String>, String> {
    let program = binary::built(dist)?;
    let to = packed(dist, &program)?;
    let mut lines = vec![format!("{}, {} KB", to.display(), binary::size(&to) / 1000)];
    lines.extend(tried(dist, &to)?);
    Ok(lines)
}

/// The name that Debian has for this machine.
fn architecture() -> String {
    let said = output(Command::new("dpkg").arg("--print-architecture")).unwrap_or_default();
    let said = said.trim();
    if said.is_empty() { "amd64".to_owned() } else { said.to_owned() }
}

/// Puts the files where they belong, and packs them.
fn packed(dist: &Dist, program: &Path) -> Result<PathBuf, String> {
    let tree = dist.empty("deb")?;
    copy(program, &tree.join("usr/bin/getafix"))?;
    archive::gzip(
        binary::printed(program, &["man"])?.as_bytes(),
        &tree.join("usr/share/man/man1/getafix.1"),
    )?;
    for (shell, file) in COMPLETIONS {
        write(&tree.join(file), binary::printed(program, &["completions", shell])?)?;
    }
    let about = tree.join("usr/share/doc/getafix");
    let text = |path: &str| {
        std::fs::read_to_string(dist.root.join(path)).map_err(|error| format!("{path}: {error}"))
    };
    archive::gzip(text("CHANGELOG.md")?.as_bytes(), &about.join("changelog"))?;
    let own = format!("{}\n{}\n{}", text("LICENSE-MIT")?, text("LICENSE-APACHE")?, licences::text(dist)?);
    write(&about.join("copyright"), own)?;
    let mut sums = String::new();
    for file in files_below(&tree)? {
        let line = output(Command::new("md5sum").arg(&file))?;
        let name = file.strip_prefix(&tree).unwrap_or(&file);
        sums.push_str(&format!(
            "{}  {}\n",
            line.split_whitespace().next().unwrap_or_default(),
            name.display()
        ));
    }
    let installed = files_below(&tree)?.iter().map(|file| binary::size(file)).sum::<u64>() / 1024;
    write(&tree.join("DEBIAN/md5sums"), sums)?;
    write(&tree.join("DEBIAN/control"), control(installed))?;
    let to = dist.to.join(format!("getafix_{VERSION}_{}.deb", architecture()));
    let mut command = Command::new("dpkg-deb");
    command.args(["--root-owner-group", "-Zxz", "--build"]).arg(&tree).arg(&to);
    command.env("SOURCE_DATE_EPOCH", dist.epoch.to_string());
    output(Command::new("chmod").args(["-R", "u=rwX,go=rX"]).arg(&tree))?;
    output(&mut command)?;
    Ok(to)
}

/// What the package says about itself. The z3 of some releases is too old, so nothing depends on it.
fn control(kilobytes: u64) -> String {
    format!(
        "Package: getafix\nVersion: {VERSION}\nArchitecture: {}\nMaintainer: the authors of Getafix <getafix@localhost>\nInstalled-Size: {kilobytes}\nSection: devel\nPriority: optional\nSuggests: z3 (>= 4.11.2), gcc\nDescription: model checking where the algorithm is a formula\n Getafix reads a Boolean program with recursive functions and threads, or a program\n in C, and says whether it can go wrong: with a run that does, or with a proof that\n none does.\n",
        architecture()
    )
}

/// Installs it below an empty folder, with a list of packages of its own, or at least unpacks it.
fn tried(dist: &Dist, package: &Path) -> Result<Vec<String>, String> {
    let place = dist.empty("try-deb")?;
    let lists = place.join("var/lib/dpkg");
    for folder in ["info", "updates", "triggers"] {
        std::fs::create_dir_all(lists.join(folder)).map_err(|error| error.to_string())?;
    }
    write(&lists.join("status"), "")?;
    let mut dpkg = Command::new("dpkg");
    // The programs that dpkg looks for need not be on the path of everybody who may try this.
    dpkg.args(["--force-not-root", "--force-bad-path"]).arg(format!("--root={}", place.display()));
    let is_installed = output(dpkg.arg("--install").arg(package));
    let how = match is_installed {
        Ok(_) => "installed below an empty folder",
        Err(_) => {
            output(Command::new("dpkg-deb").arg("--extract").arg(package).arg(&place))?;
            "unpacked, since dpkg does not install here"
        }
    };
    let mut lines = vec![format!("tried: {how}")];
    for file in ["usr/share/man/man1/getafix.1.gz", COMPLETIONS[0].1, "usr/share/doc/getafix/copyright"] {
        if !place.join(file).is_file() {
            return Err(format!("{file} is not in the package"));
        }
    }
    lines.extend(trial::asked(dist, &place.join("usr/bin/getafix"), trial::Solver::Perhaps)?);
    if how.starts_with("installed") {
        let mut dpkg = Command::new("dpkg");
        dpkg.args(["--force-not-root", "--force-bad-path"]).arg(format!("--root={}", place.display()));
        output(dpkg.args(["--purge", "getafix"]))?;
        lines.push(trial::removed(&place, &["usr/bin/getafix", "usr/share/doc/getafix"])?);
    }
    std::fs::remove_dir_all(&place).map_err(|error| error.to_string())?;
    Ok(lines)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_package_says_what_debian_wants_to_know() {
        let text = super::control(7);
        for key in [
            "Package: getafix\n",
            "Version: ",
            "Architecture: ",
            "Maintainer: ",
            "Installed-Size: 7\n",
            "Description: ",
        ] {
            assert!(text.contains(key), "{key}");
        }
        assert!(text.ends_with('\n') && text.lines().all(|line| line.len() < 100));
    }
}

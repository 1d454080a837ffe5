//! The licences of all that is inside the program.

use super::{Dist, binary, cargo, copy, output, write};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate of somebody else.
pub struct Crate {
    pub name: String,
    pub version: String,
    /// The licence, as an expression.
    pub licence: String,
    folder: PathBuf,
}

/// The crates of others that the program consists of, sorted.
pub fn crates(dist: &Dist, host: &str) -> Result<Vec<Crate>, String> {
    let tree = [
        "tree",
        "--locked",
        "-p",
        "getafix-cli",
        "-e",
        "normal",
        "--target",
        host,
        "--prefix",
        "none",
        "--format",
        "{p}",
    ];
    let inside = output(cargo(dist).args(tree))?;
    let metadata = output(cargo(dist).args([
        "metadata",
        "--locked",
        "--format-version",
        "1",
        "--filter-platform",
        host,
    ]))?;
    let metadata: Value =
        serde_json::from_str(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut crates = Vec::new();
    for package in
        metadata["packages"].as_array().into_iter().flatten().filter(|package| !package["source"].is_null())
    {
        let (name, version) = (text(&package["name"]), text(&package["version"]));
        let line = format!("{name} v{version}");
        if inside.lines().any(|other| other == line || other.starts_with(&format!("{line} "))) {
            let folder =
                Path::new(&text(&package["manifest_path"])).parent().unwrap_or(Path::new("")).to_owned();
            crates.push(Crate { name, version, licence: text(&package["license"]), folder });
        }
    }
    crates.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(crates)
}

/// One text with the licences of all of them; a text that several have stands there once.
pub fn text(dist: &Dist) -> Result<String, String> {
    let host = binary::host()?;
    let mut out = "Getafix is licensed under MIT or Apache-2.0, at your choice. The program contains these works of others.\n".to_owned();
    let mut seen = BTreeMap::new();
    out.push_str("\nthe standard library of Rust, MIT OR Apache-2.0, https://www.rust-lang.org\n");
    for name in ["MIT", "Apache-2.0"] {
        out.push_str(&of_compiler(name, "the standard library of Rust", &mut seen)?);
    }
    if host.ends_with("-linux-gnu") {
        out.push_str(
            "\nthe GNU C Library, LGPL-2.1-or-later, https://www.gnu.org/software/libc; the source text of Getafix is what the program is linked anew from with another version of it\n",
        );
        let lgpl = Path::new("/usr/share/common-licenses/LGPL-2.1");
        let text = std::fs::read_to_string(lgpl).map_err(|error| format!("{}: {error}", lgpl.display()))?;
        out.push_str(&indented(&text));
        out.push_str("\nthe unwinder of GCC, GPL-3.0-or-later WITH GCC-exception-3.1, https://gcc.gnu.org; the exception allows what it is linked with to have any licence\n");
        out.push_str(&of_compiler("GCC-exception-3.1", "the unwinder of GCC", &mut seen)?);
    }
    for Crate { name, version, licence, folder } in crates(dist, &host)? {
        out.push_str(&format!("\n{name} {version}, {licence}\n"));
        for file in licence_files(&folder) {
            let text =
                std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            out.push_str(&once(&text, &name, &mut seen));
        }
    }
    Ok(out)
}

/// Puts our licences and those of others into a folder.
pub fn beside(dist: &Dist, folder: &Path) -> Result<(), String> {
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&dist.root.join(file), &folder.join(file))?;
    }
    write(&folder.join("LICENSES-OF-OTHERS.txt"), text(dist)?)
}

/// A licence among those that come with the compiler, or its name where they do not.
fn of_compiler(name: &str, whose: &str, seen: &mut BTreeMap<String, String>) -> Result<String, String> {
    let root = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let file = Path::new(root.trim()).join("share/doc/rust/licenses").join(format!("{name}.txt"));
    let text =
        std::fs::read_to_string(file).unwrap_or_else(|_| format!("{name}, https://spdx.org/licenses/{name}"));
    Ok(once(&text, whose, seen))
}

/// A text, or whose it was when it was met first.
fn once(text: &str, whose: &str, seen: &mut BTreeMap<String, String>) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match seen.get(&words) {
        Some(first) => {
            let title = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
            format!("    {title} … (the same text as above, of {first})\n\n")
        }
        None => {
            seen.insert(words, whose.to_owned());
            indented(text)
        }
    }
}

fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| format!("    {line}").trim_end().to_owned());
    lines.map(|line| line + "\n").collect::<String>() + "\n"
}

fn licence_files(folder: &Path) -> Vec<PathBuf> {
    let is_licence = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        ["LICENSE", "LICENCE", "COPYING", "UNLICENSE", "NOTICE"].iter().any(|start| name.starts_with(start))
            && path.is_file()
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_licence).collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Licences that ask for no more than to be told.
    const KNOWN: [&str; 8] =
        ["MIT", "Apache-2.0", "Unicode-3.0", "Unlicense", "BSD-3-Clause", "BSD-2-Clause", "Zlib", "ISC"];

    #[test]
    fn a_text_that_several_have_stands_there_once() {
        let mut seen = BTreeMap::new();
        assert_eq!(once("A\n licence\n", "x", &mut seen), "    A\n     licence\n\n");
        assert_eq!(once("\nA\nlicence", "y", &mut seen), "    A … (the same text as above, of x)\n\n");
        assert_eq!(once("Another", "y", &mut seen), "    Another\n\n");
    }

    #[test]
    fn whatever_is_inside_may_be_passed_on() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder").to_owned();
        let dist = Dist { to: root.join("target"), work: root.join("target"), root, epoch: 0 };
        let host = binary::host().expect("a compiler");
        let crates = crates(&dist, &host).expect("a list");
        assert!(crates.len() > 20, "{}", crates.len());
        for Crate { name, licence, .. } in &crates {
            let or = licence.replace('/', " OR ");
            let is_known = or.split(" OR ").any(|part| {
                part.trim_matches(['(', ')', ' '])
                    .split(" AND ")
                    .all(|one| KNOWN.contains(&one.trim_matches(['(', ')', ' '])))
            });
            assert!(is_known, "{name}: {licence}");
        }
        let text = text(&dist).expect("a text");
        for Crate { name, version, .. } in &crates {
            assert!(text.contains(&format!("\n{name} {version}, ")), "{name}");
        }
        let without: Vec<&str> = crates
            .iter()
            .filter(|one| licence_files(&one.folder).is_empty())
            .map(|one| one.name.as_str())
            .collect();
        assert!(without.len() <= 2, "no text of a licence: {without:?}");
    }
}

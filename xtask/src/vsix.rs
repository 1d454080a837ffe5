//! `cargo xtask vsix`: the extension for VS Code.
//!
//! Contract: packages of npm are those of `package-lock.json`, by their hashes, and none of their scripts is run; the version is that of the workspace. The grammars are tested before anything is packed.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What the extension is made of, from `packages/vscode`.
const FILES: [&str; 10] = [
    "package.json",
    "package-lock.json",
    "build.js",
    "README.md",
    "language-configuration.json",
    ".vscodeignore",
    "src/extension.js",
    "syntaxes/bp.tmLanguage.json",
    "syntaxes/mon.tmLanguage.json",
    "syntaxes/mu.tmLanguage.json",
];

/// Makes `target/vsix/getafix-VERSION.vsix`.
pub fn run(root: &Path) -> ExitCode {
    match made(root) {
        Ok(file) => {
            println!("{}", file.display());
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// The extension, as a file.
pub fn made(root: &Path) -> Result<PathBuf, String> {
    let folder = root.join("target/vsix");
    let copy = |from: PathBuf, to: &str| {
        let to = folder.join(to);
        let made = to.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::copy(&from, &to)).map_err(|error| format!("{}: {error}", from.display()))
    };
    for name in FILES.into_iter().chain(["test/grammars.test.js"]) {
        copy(root.join("packages/vscode").join(name), name)?;
    }
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(root.join(name), name)?;
    }
    let version = env!("CARGO_PKG_VERSION");
    let file = folder.join(format!("getafix-{version}.vsix"));
    let out = file.display().to_string();
    step(&folder, "npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund"])?;
    step(&folder, "npm", &["test"])?;
    step(&folder, "npm", &["run", "build"])?;
    let packed = ["--no-install", "vsce", "package", version, "--no-update-package-json", "--no-git-tag-version"];
    let packed: Vec<&str> =
        packed.into_iter().chain(["--no-dependencies", "--allow-missing-repository", "--out", &out]).collect();
    step(&folder, "npx", &packed)?;
    Ok(file)
}

/// Runs a program, whose words are shown only if it fails.
fn step(folder: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.map_err(|error| format!("`{program}` cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let (told, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Err(format!("`{program} {}` fails; it says\n{}{}", arguments.join(" "), told, complained))
}

//! What is made with other tools than cargo: the playground, and the extension for VS Code.

use super::{Dist, VERSION, binary, copy, emptied, files_below, licences, output};
use crate::web;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The folder for a web host.
pub fn folder(dist: &Dist) -> Result<Vec<String>, String> {
    if web::run(&dist.root, web::Build::Small) != ExitCode::SUCCESS {
        return Err("the playground cannot be built here".to_owned());
    }
    let to = dist.to.join("web");
    emptied(&to)?;
    let from = dist.root.join("target/web");
    for file in files_below(&from)? {
        copy(&file, &to.join(file.strip_prefix(&from).unwrap_or(&file)))?;
    }
    // The module has a part of what the program has.
    licences::beside(dist, &to)?;
    let [module, c] = ["getafix.wasm", "getafix-c.wasm"].map(|name| binary::size(&to.join(name)) / 1000);
    let mut lines = vec![format!("{}, with modules of {module} and {c} KB", to.display())];
    // Its tests open the pages in a browser, where there is one.
    let mut tests = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    tests.args(["test", "-p", "getafix-web"]).env("GETAFIX_WEB", &to).current_dir(&dist.root);
    output(&mut tests)?;
    lines.push("tried: the tests of the module".to_owned());
    Ok(lines)
}

/// The extension for VS Code, made by npm in a copy of its folder, with what its lock file names and nothing else.
pub fn extension(dist: &Dist) -> Result<Vec<String>, String> {
    let from = dist.root.join("packages/vscode");
    if !from.join("package.json").is_file() {
        return Err("there is no packages/vscode".to_owned());
    }
    let folder = dist.empty("vscode")?;
    let listed = output(Command::new("git").args(["ls-files", "."]).current_dir(&from))?;
    for name in listed.lines() {
        copy(&from.join(name), &folder.join(name))?;
    }
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"] {
        copy(&dist.root.join(name), &folder.join(name))?;
    }
    versioned(&folder.join("package.json"))?;
    let epoch = dist.epoch.to_string();
    let npm = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&folder).env("SOURCE_DATE_EPOCH", &epoch);
        command.stdin(std::process::Stdio::null());
        command
    };
    output(&mut npm("npm", &["ci", "--no-audit", "--no-fund"]))?;
    let to = dist.to.join(format!("getafix-{VERSION}.vsix"));
    let package = [
        "--no-install",
        "vsce",
        "package",
        "--no-dependencies",
        "--allow-missing-repository",
        "--skip-license",
        "--out",
    ];
    output(npm("npx", &package).arg(&to))?;
    let mut lines = vec![format!("{}, {} KB", to.display(), binary::size(&to) / 1000)];
    lines.extend(unpacked(dist, &to)?);
    Ok(lines)
}

/// Gives a manifest the version of everything.
fn versioned(path: &Path) -> Result<(), String> {
    let problem = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| problem(&error))?;
    let mut manifest: serde_json::Value = serde_json::from_str(&text).map_err(|error| problem(&error))?;
    manifest["version"] = VERSION.into();
    super::write(path, format!("{manifest:#}\n"))
}

/// Unpacks the extension, and looks for what its manifest names.
fn unpacked(dist: &Dist, package: &Path) -> Result<Vec<String>, String> {
    let place = dist.empty("try-vsix")?;
    output(Command::new("python3").args(["-m", "zipfile", "--extract"]).arg(package).arg(&place))?;
    let folder = place.join("extension");
    let path = folder.join("package.json");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("package.json: {error}"))?;
    let manifest: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| format!("package.json: {error}"))?;
    if manifest["version"] != VERSION {
        return Err(format!("the extension calls itself {}, and not {VERSION}", manifest["version"]));
    }
    let grammars =
        manifest["contributes"]["grammars"].as_array().into_iter().flatten().map(|entry| &entry["path"]);
    let named: Vec<&str> =
        std::iter::once(&manifest["main"]).chain(grammars).filter_map(|path| path.as_str()).collect();
    let is_there = |name: &&&str| folder.join(name).is_file() || folder.join(format!("{name}.js")).is_file();
    if let Some(missing) = named.iter().find(|name| !is_there(name)) {
        return Err(format!("`{missing}` is not in the extension"));
    }
    std::fs::remove_dir_all(&place).map_err(|error| error.to_string())?;
    Ok(vec![format!(
        "tried: unpacked, its version is {VERSION}, and {} files that it names are there",
        named.len()
    )])
}

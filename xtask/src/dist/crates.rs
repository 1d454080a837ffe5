//! The crates, as a registry would have them.

use super::{Dist, VERSION, cargo, copy, emptied, output, trial, write};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The names of the crates that can be published, and of those that are not.
fn members(dist: &Dist) -> Result<(Vec<String>, Vec<String>), String> {
    let text = output(cargo(dist).args(["metadata", "--locked", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let named = packages.map(|package| {
        let is_published = package["publish"].as_array().is_none_or(|registries| !registries.is_empty());
        (package["name"].as_str().unwrap_or_default().to_owned(), is_published)
    });
    let (published, others): (Vec<_>, Vec<_>) = named.partition(|(_, is_published)| *is_published);
    let names = |list: Vec<(String, bool)>| list.into_iter().map(|(name, _)| name).collect();
    Ok((names(published), names(others)))
}

/// Packs the crates, has cargo verify them, and builds the program from what was packed alone.
pub fn crates(dist: &Dist) -> Result<Vec<String>, String> {
    let (published, others) = members(dist)?;
    let mut command = cargo(dist);
    command.args(["package", "--workspace", "--locked", "--allow-dirty"]);
    others.iter().for_each(|name| {
        command.args(["--exclude", name]);
    });
    output(&mut command)?;
    let (from, to) = (dist.root.join("target/dist-build/package"), dist.to.join("crates"));
    emptied(&to)?;
    for name in &published {
        let file = format!("{name}-{VERSION}.crate");
        copy(&from.join(&file), &to.join(&file))?;
    }
    let mut lines = vec![format!("{}: {} crates, verified by cargo", to.display(), published.len())];
    lines.extend(built(dist, &to, &published)?);
    Ok(lines)
}

/// A workspace of what was packed, and nothing else of ours, has a program that answers.
fn built(dist: &Dist, packed: &Path, names: &[String]) -> Result<Vec<String>, String> {
    let place = dist.empty("try-crates")?;
    let mut manifest = "[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\n\n[patch.crates-io]\n".to_owned();
    for name in names {
        let archive = packed.join(format!("{name}-{VERSION}.crate"));
        output(Command::new("tar").arg("-xzf").arg(&archive).arg("--directory").arg(&place))?;
        manifest.push_str(&format!("{name} = {{ path = \"{name}-{VERSION}\" }}\n"));
    }
    write(&place.join("Cargo.toml"), manifest)?;
    copy(&dist.root.join("Cargo.lock"), &place.join("Cargo.lock"))?;
    let mut command = cargo(dist);
    command.args(["build", "-p", "getafix-cli"]).current_dir(&place);
    output(&mut command)?;
    let mut lines =
        trial::asked(dist, &dist.root.join("target/dist-build/debug/getafix"), trial::Solver::Perhaps)?;
    lines.push("tried: the program was built from the packed crates alone".to_owned());
    std::fs::remove_dir_all(&place).map_err(|error| error.to_string())?;
    Ok(lines)
}

//! Files by patterns, and the sets of tasks that BenchExec has: a pattern on each line.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The files that match a pattern, relative to a folder, sorted.
pub fn matching(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    let base = glob::Pattern::escape(&folder.to_string_lossy());
    let is_here = folder.as_os_str().is_empty() || Path::new(pattern).is_absolute();
    let whole = if is_here { pattern.to_owned() } else { format!("{base}/{pattern}") };
    let found = glob::glob(&whole).map_err(|error| format!("`{pattern}` is no pattern: {error}"))?;
    let mut files = Vec::new();
    for entry in found {
        let path = entry.map_err(|error| format!("`{}` cannot be read", error.path().display()))?;
        if path.is_file() {
            files.push(path.strip_prefix(folder).map(Path::to_owned).unwrap_or(path));
        }
    }
    files.sort();
    Ok(files)
}

/// It is a set.
pub fn is_set(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "set")
}

/// The tasks of a set, in its order, each once.
pub fn tasks(path: &Path) -> Result<Vec<PathBuf>, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("`{shown}` cannot be read: {error}"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let (mut tasks, mut seen): (Vec<PathBuf>, HashSet<PathBuf>) = Default::default();
    for (number, line) in (1..).zip(text.lines()) {
        let pattern = line.trim();
        if pattern.is_empty() || pattern.starts_with('#') {
            continue;
        }
        let found = matching(folder, pattern).map_err(|problem| format!("{shown}:{number}: {problem}"))?;
        if found.is_empty() {
            return Err(format!("{shown}:{number}: no file matches `{pattern}`"));
        }
        for file in found.into_iter().map(|file| folder.join(file)) {
            if seen.insert(file.clone()) {
                tasks.push(file);
            }
        }
    }
    match tasks.is_empty() {
        true => Err(format!("`{shown}` names no task")),
        false => Ok(tasks),
    }
}

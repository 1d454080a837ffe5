//! Where the solver is.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

/// The variable of the environment that names a solver.
pub const VARIABLE: &str = "GETAFIX_SOLVER";

/// The oldest version that is asked: earlier ones answer questions about Horn clauses with options that they do not have.
pub const OLDEST: [u32; 3] = [4, 11, 2];

/// How to get a solver, in one line.
pub const INSTALL: &str = "pip install z3-solver";

/// There is no solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotFound {
    /// The file that was named is none that can be started.
    Named(PathBuf),
    /// None is on the path.
    Nowhere,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotFound::Named(path) => write!(f, "there is no solver `{}`", path.display())?,
            NotFound::Nowhere => write!(f, "there is no SMT solver `z3` on the path")?,
        }
        let [major, minor, patch] = OLDEST;
        write!(
            f,
            "; `{INSTALL}` installs one, `--solver PATH` or `{VARIABLE}` names one (z3 {major}.{minor}.{patch} or later)"
        )
    }
}

/// Finds the solver: the one that is named, or the one that the environment names, or `z3` on the path.
pub fn find(named: Option<&Path>) -> Result<PathBuf, NotFound> {
    let variable = std::env::var_os(VARIABLE).filter(|name| !name.is_empty());
    let path = std::env::var_os("PATH").unwrap_or_default();
    find_in(named.or(variable.as_deref().map(Path::new)), &path)
}

/// Finds the solver that is named, or `z3`, among the folders of a path.
pub fn find_in(named: Option<&Path>, path: &OsStr) -> Result<PathBuf, NotFound> {
    let name = named.unwrap_or(Path::new("z3"));
    let is_bare = name.components().count() == 1 && !name.starts_with(".");
    let folders = std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty());
    let mut places: Vec<PathBuf> =
        if is_bare { folders.map(|folder| folder.join(name)).collect() } else { Vec::new() };
    // A name without a folder that is not on the path may be a file here; without a name nothing here is meant.
    places.extend(named.map(|named| if is_bare { Path::new(".").join(named) } else { named.to_owned() }));
    let found = places.into_iter().find(|place| is_program(place));
    found.ok_or_else(|| named.map_or(NotFound::Nowhere, |named| NotFound::Named(named.to_owned())))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file() || path.with_extension("exe").is_file()
}

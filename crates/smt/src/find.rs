//! Where the solver is.

use std::ffi::{OsStr, OsString};
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
    /// None is in any of the places where one is looked for.
    Nowhere,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotFound::Named(path) => write!(f, "there is no solver `{}`", path.display())?,
            NotFound::Nowhere => write!(
                f,
                "there is no SMT solver `z3` beside the program, on the path or among Python's programs"
            )?,
        }
        let [major, minor, patch] = OLDEST;
        write!(
            f,
            "; `{INSTALL}` installs one, `--solver PATH` or `{VARIABLE}` names one (z3 {major}.{minor}.{patch} or later)"
        )
    }
}

/// Finds the solver: the one that is named, or the one that the environment names; otherwise `z3` beside the program, on the path, or where Python puts
/// programs.
pub fn find(named: Option<&Path>) -> Result<PathBuf, NotFound> {
    let variable = std::env::var_os(VARIABLE).filter(|name| !name.is_empty());
    let path = std::env::var_os("PATH").unwrap_or_default();
    let named = named.or(variable.as_deref().map(Path::new));
    if named.is_some() {
        return find_in(named, &path);
    }
    let program = std::env::current_exe().ok();
    let homes = ["VIRTUAL_ENV", "HOME"].map(|name| std::env::var_os(name).map(PathBuf::from));
    let [environment, home] = homes;
    find_in(None, &places(program.as_deref(), &path, environment, home))
}

/// Where a solver may be, as a path: beside the program, on the path, in an environment of Python, beside the interpreters on the path, and where Python puts the programs
/// that one user has installed. Nothing is started to find out.
pub fn places(
    program: Option<&Path>,
    path: &OsStr,
    environment: Option<PathBuf>,
    home: Option<PathBuf>,
) -> OsString {
    let beside = |file: &Path| file.parent().map(Path::to_owned);
    let on_path: Vec<PathBuf> =
        std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()).collect();
    let mut folders: Vec<PathBuf> = program.and_then(beside).into_iter().collect();
    folders.extend(on_path.iter().cloned());
    folders.extend(environment.map(|environment| environment.join("bin")));
    let interpreters = on_path.iter().filter_map(|folder| folder.join("python3").canonicalize().ok());
    folders.extend(interpreters.filter_map(|interpreter| beside(&interpreter)));
    folders.extend(home.map(|home| home.join(".local/bin")));
    // A folder whose name cannot stand in a path is none where something was installed.
    folders.retain(|folder| std::env::join_paths([folder]).is_ok());
    std::env::join_paths(folders).unwrap_or_default()
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

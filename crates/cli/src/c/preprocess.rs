//! The preprocessor of the system.

use c::DataModel;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The programs that are tried, one after the other.
const PROGRAMS: [&str; 4] = ["cc", "gcc", "clang", "cpp"];

/// What the preprocessor makes of a file, or why it makes nothing of it.
pub fn run(path: &Path, model: DataModel) -> Result<String, String> {
    for program in PROGRAMS {
        // Macros about the sizes of types are those of the data model, if the system knows it.
        if model == DataModel::Ilp32
            && let Ok(output) = output(program, path, &["-m32"])
            && output.status.success()
        {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        match output(program, path, &[]) {
            Ok(output) => return text(program, path, &output),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(format!("`{program}` cannot be started: {error}")),
        }
    }
    Err(format!(
        "`{}` has directives, and there is no C preprocessor: none of `{}` is installed; \
         pass a file that is preprocessed, or `--no-cpp` to skip directives",
        path.display(),
        PROGRAMS.join("`, `")
    ))
}

fn output(program: &str, path: &Path, options: &[&str]) -> std::io::Result<Output> {
    // A file whose name begins with a dash is no option.
    let path =
        if path.to_string_lossy().starts_with('-') { Path::new(".").join(path) } else { PathBuf::from(path) };
    let mut command = Command::new(program);
    command.args(options).args(["-E", "-x", "c"]).arg(path).stdin(Stdio::null());
    command.output()
}

fn text(program: &str, path: &Path, output: &Output) -> Result<String, String> {
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    Err(format!("`{program} -E {}` fails; it says\n{}", path.display(), told.trim_end()))
}

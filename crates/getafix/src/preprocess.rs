//! The preprocessor of the system.

use c::DataModel;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The programs that are tried, one after the other.
pub const PROGRAMS: [&str; 4] = ["cc", "gcc", "clang", "cpp"];

/// What the preprocessor makes of a file, or of the text that came from stdin; nothing, if none is installed; or why it makes nothing of it.
pub fn run(path: &Path, text: &str, model: DataModel) -> Result<Option<String>, String> {
    let source = if path.as_os_str() == "-" { Source::Text(text) } else { Source::File(path) };
    for program in PROGRAMS {
        // Macros about the sizes of types are those of the data model, if the system knows it.
        if model == DataModel::Ilp32
            && let Ok(output) = source.output(program, &["-m32"])
            && output.status.success()
        {
            return Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned()));
        }
        match source.output(program, &[]) {
            Ok(output) => return preprocessed(program, path, &output).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(format!("`{program}` cannot be started: {error}")),
        }
    }
    Ok(None)
}

/// Where the program is.
enum Source<'t> {
    File(&'t Path),
    Text(&'t str),
}

impl Source<'_> {
    /// Runs a preprocessor.
    fn output(&self, program: &str, options: &[&str]) -> std::io::Result<Output> {
        let mut command = Command::new(program);
        // Letters are asked for by functions, which the library has, instead of by tables of the system's.
        command.args(options).args(["-D__NO_CTYPE", "-E", "-x", "c"]);
        let text = match self {
            Source::File(path) => {
                // A file whose name begins with a dash is no option.
                let path = if path.to_string_lossy().starts_with('-') {
                    Path::new(".").join(path)
                } else {
                    PathBuf::from(path)
                };
                return command.arg(path).stdin(Stdio::null()).output();
            }
            Source::Text(text) => *text,
        };
        command.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let mut stdin = child.stdin.take().expect("stdin is a pipe");
        // Both ends are served at once, so that neither waits for the other for ever.
        std::thread::scope(|scope| {
            scope.spawn(move || stdin.write_all(text.as_bytes()));
            child.wait_with_output()
        })
    }
}

fn preprocessed(program: &str, path: &Path, output: &Output) -> Result<String, String> {
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    Err(format!("`{program} -E {}` fails; it says\n{}", path.display(), told.trim_end()))
}

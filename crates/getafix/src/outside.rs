//! What answers need from outside: files that are named and not given, a clock, an SMT solver, the preprocessor.
//!
//! Contract: nothing else in this crate touches the system. Whoever asks hands it over: [`Sealed`] has nothing at all, so that an answer depends on the
//! question alone; [`System`] is the system that the program runs on.

use c::DataModel;
use checker::Peers;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The world outside.
pub trait Outside: Send + Sync {
    /// What is in a file, or what is wrong with it: `does not exist`.
    fn read(&self, file: &Path) -> Result<Vec<u8>, String>;

    /// Writes a file, all of it or nothing; or says why not.
    fn write(&self, file: &Path, text: &str) -> Result<(), String>;

    /// The time since some moment in the past, the same in every call.
    fn clock(&self) -> fn() -> Duration;

    /// The SMT solver of this name, or the usual one; or why there is none.
    fn solver(&self, named: Option<&Path>) -> Result<PathBuf, String>;

    /// What the preprocessor of C makes of a file with this text, if there is one; or why it makes nothing of it.
    fn preprocess(&self, file: &Path, text: &str, model: DataModel) -> Result<Option<String>, String>;

    /// Other processes that answer a question together with this one, if there are some: what is asked, in words, and the texts that it is about. Or why
    /// they cannot be found.
    fn peers(&self, asked: &str, texts: &[&str]) -> Result<Option<Arc<dyn Peers>>, String> {
        let _ = (asked, texts);
        Ok(None)
    }

    /// Seconds since 1970: when a file was written, for what must have a date and be the same in two runs.
    fn dated(&self, file: &Path) -> u64;
}

/// No world outside.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sealed;

impl Outside for Sealed {
    fn read(&self, _: &Path) -> Result<Vec<u8>, String> {
        Err("is not among the texts that are given, and no other can be read here".to_owned())
    }

    fn write(&self, _: &Path, _: &str) -> Result<(), String> {
        Err("nothing can be written here".to_owned())
    }

    fn clock(&self) -> fn() -> Duration {
        || Duration::ZERO
    }

    fn solver(&self, _: Option<&Path>) -> Result<PathBuf, String> {
        Err("there is no SMT solver here".to_owned())
    }

    fn preprocess(&self, _: &Path, _: &str, _: DataModel) -> Result<Option<String>, String> {
        Ok(None)
    }

    fn dated(&self, _: &Path) -> u64 {
        0
    }
}

/// The system that the program runs on: its files, its clock, `z3` and `cc`.
#[derive(Clone, Copy, Default, Debug)]
pub struct System;

impl Outside for System {
    fn read(&self, file: &Path) -> Result<Vec<u8>, String> {
        std::fs::read(file).map_err(|error| match error.kind() {
            ErrorKind::NotFound => "does not exist".to_owned(),
            ErrorKind::IsADirectory => "is a directory".to_owned(),
            ErrorKind::PermissionDenied => "may not be read: permission denied".to_owned(),
            _ => format!("cannot be read: {error}"),
        })
    }

    /// A run that is stopped on the way, or a full disk, leaves what was there before.
    fn write(&self, file: &Path, text: &str) -> Result<(), String> {
        let is_special = std::fs::metadata(file).is_ok_and(|data| !data.is_file());
        if is_special {
            return std::fs::write(file, text).map_err(|error| error.to_string());
        }
        // Another run may write the same file at this moment.
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let unfinished = file.with_file_name(format!(".{name}.{}", std::process::id()));
        std::fs::write(&unfinished, text).and_then(|()| std::fs::rename(&unfinished, file)).map_err(|error| {
            let _ = std::fs::remove_file(&unfinished);
            error.to_string()
        })
    }

    fn clock(&self) -> fn() -> Duration {
        clock
    }

    fn solver(&self, named: Option<&Path>) -> Result<PathBuf, String> {
        smt::find(named).map_err(|missing| missing.to_string())
    }

    fn preprocess(&self, file: &Path, text: &str, model: DataModel) -> Result<Option<String>, String> {
        crate::preprocess::run(file, text, model)
    }

    /// What the environment says, or when the file was written.
    fn dated(&self, file: &Path) -> u64 {
        let said = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.trim().parse().ok());
        let written = || std::fs::metadata(file).and_then(|data| data.modified()).ok();
        let since = |time: std::time::SystemTime| time.duration_since(std::time::SystemTime::UNIX_EPOCH);
        said.unwrap_or_else(|| written().and_then(|time| since(time).ok()).unwrap_or_default().as_secs())
    }
}

/// The time since the first call.
pub fn clock() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

//! `--resume`: answers that are kept, an object on a line, and not asked for again.
//!
//! Contract: a line is added whole or not at all, as far as the system keeps to it; a line without its end, of a run that was killed while it wrote, is cut off. What is no answer of ours is an error, so
//! that nothing is written behind somebody else's file.

use super::answer::{Answer, status};
use super::task::Task;
use serde_json::Value;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The file, and what it held at the beginning.
pub struct Journal {
    path: PathBuf,
    file: File,
    /// By name and fingerprint.
    known: HashMap<(String, String), Value>,
}

impl Journal {
    /// Opens a file, or makes it.
    pub fn open(path: &Path) -> Result<Self, String> {
        let problem = |what: &str| format!("`--resume {}`: {what}", path.display());
        let opened = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = opened.map_err(|error| problem(&format!("cannot be opened: {error}")))?;
        // A device is written only.
        if !file.metadata().is_ok_and(|data| data.is_file()) {
            return Ok(Self { path: path.to_owned(), file, known: HashMap::new() });
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| problem(&format!("cannot be read: {error}")))?;
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let mut known = HashMap::new();
        for (number, line) in (1..).zip(text[..whole].lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let object: Value = serde_json::from_str(line).unwrap_or_default();
            let word = |key: &str| object["task"][key].as_str().map(str::to_owned);
            let (Some(name), Some(fingerprint)) = (word("name"), word("fingerprint")) else {
                return Err(problem(&format!(
                    "line {number} is no answer of `getafix check --jobs … --json`"
                )));
            };
            known.insert((name, fingerprint), object);
        }
        let is_answer = |rest: &str| rest.is_empty() || rest.starts_with('{');
        if !is_answer(&text[whole..]) {
            return Err(problem("its last line is no answer of `getafix check --jobs … --json`"));
        }
        file.set_len(whole as u64).map_err(|error| problem(&format!("cannot be written: {error}")))?;
        Ok(Self { path: path.to_owned(), file, known })
    }

    /// The answer that the file held.
    pub fn answer(&self, task: &Task) -> Option<Answer> {
        let object = self.known.get(&(task.name.clone(), task.fingerprint()))?;
        let told = &object["task"];
        let mut answer = object.clone();
        let entries = answer.as_object_mut()?;
        entries.remove("task");
        entries.remove("file");
        Some(Answer {
            status: status(told["status"].as_i64().and_then(|code| i32::try_from(code).ok())),
            headline: told["headline"].as_str().unwrap_or_default().to_owned(),
            expected: match told["expected"].as_str() {
                Some("true") => Some(true),
                Some("false") => Some(false),
                _ => None,
            },
            object: answer,
            ..Answer::default()
        })
    }

    /// Adds a line.
    pub fn add(&mut self, line: &str) -> Result<(), String> {
        let length = self.file.metadata().map(|data| data.len());
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| {
            // Half a line is no answer.
            if let Ok(length) = length {
                let _ = self.file.set_len(length);
                let _ = self.file.seek(SeekFrom::End(0));
            }
            format!("`--resume {}`: cannot be written: {error}", self.path.display())
        })
    }
}

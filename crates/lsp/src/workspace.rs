//! What may be read: the texts that the editor has open, and files below the folders of the workspace that `#load` names.
//!
//! Contract: a file outside of these folders is not opened, whatever `..` and links lead there; nor is anything that is no plain file, or is too large.

use crate::document::{Document, MAX_TEXT};
use crate::uri;
use serde_json::Value;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The folders and texts that the editor has handed over.
#[derive(Clone, Default, Debug)]
pub struct Workspace {
    roots: Vec<PathBuf>,
    /// The texts of open files.
    open: HashMap<PathBuf, Arc<str>>,
}

impl Workspace {
    /// The folders that `initialize` speaks of.
    pub fn new(params: &Value) -> Self {
        let mut workspace = Self::default();
        let folders = params.get("workspaceFolders").and_then(Value::as_array);
        folders.into_iter().flatten().for_each(|folder| workspace.add(folder));
        if workspace.roots.is_empty() {
            let root = params.get("rootUri").and_then(Value::as_str).and_then(uri::path);
            let path = || params.get("rootPath").and_then(Value::as_str).map(PathBuf::from);
            workspace.roots.extend(root.or_else(path).filter(|root| root.is_absolute()));
        }
        workspace
    }

    /// Folders come and go.
    pub fn change(&mut self, params: &Value) {
        let list = |name: &str| params.pointer(name).and_then(Value::as_array).cloned().unwrap_or_default();
        for folder in list("/event/removed") {
            let gone = folder.get("uri").and_then(Value::as_str).and_then(uri::path);
            self.roots.retain(|root| Some(root) != gone.as_ref());
        }
        list("/event/added").iter().for_each(|folder| self.add(folder));
    }

    fn add(&mut self, folder: &Value) {
        self.roots.extend(folder.get("uri").and_then(Value::as_str).and_then(uri::path));
    }

    /// A text is open, or has changed.
    pub fn open(&mut self, document: &Document) {
        if let Some(path) = &document.path {
            self.put(path, document.shared());
        }
    }

    /// A file is taken to have this text.
    pub fn put(&mut self, path: &Path, text: Arc<str>) {
        self.open.insert(normal(path), text);
    }

    /// A text is no longer open.
    pub fn close(&mut self, document: &Document) {
        if let Some(path) = &document.path {
            self.open.remove(&normal(path));
        }
    }

    /// The text of a file; or why there is none.
    pub fn read(&self, path: &Path) -> Result<String, String> {
        let path = normal(path);
        if let Some(text) = self.open.get(&path) {
            return Ok(text.to_string());
        }
        let inside = self.inside(&path)?;
        let cannot = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => "does not exist".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        let metadata = std::fs::metadata(&inside).map_err(cannot)?;
        if !metadata.is_file() {
            return Err("is no file".to_owned());
        }
        let mut bytes = Vec::new();
        let most = MAX_TEXT as u64 + 1;
        File::open(&inside).and_then(|file| file.take(most).read_to_end(&mut bytes)).map_err(cannot)?;
        if bytes.len() > MAX_TEXT {
            return Err(format!("is larger than {} MiB", MAX_TEXT >> 20));
        }
        String::from_utf8(bytes).map_err(|_| "is no text".to_owned())
    }

    /// Where a file really is, if that is inside the workspace.
    fn inside(&self, path: &Path) -> Result<PathBuf, String> {
        if self.roots.is_empty() {
            return Err("is not open, and no folder is".to_owned());
        }
        // A path that leaves the workspace by its own words is not even looked for.
        if !self.roots.iter().any(|root| path.starts_with(normal(root))) {
            return Err("is outside of the workspace".to_owned());
        }
        let Ok(real) = path.canonicalize() else { return Err("does not exist".to_owned()) };
        let roots = self.roots.iter().filter_map(|root| root.canonicalize().ok());
        match roots.into_iter().any(|root| real.starts_with(root)) {
            true => Ok(real),
            false => Err("is outside of the workspace".to_owned()),
        }
    }

    /// A file is in a folder of the workspace, or open.
    pub fn may_change(&self, path: &Path) -> bool {
        let path = normal(path);
        self.open.contains_key(&path) || self.inside(&path).is_ok()
    }
}

/// A path without `.` and `..`.
pub fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            _ => out.push(part),
        }
    }
    out
}

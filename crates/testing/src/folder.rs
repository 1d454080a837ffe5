//! A folder for one test, removed with its contents.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for one test.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder inside of another.
    #[track_caller]
    pub fn below(parent: impl AsRef<Path>) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = parent.as_ref().join(format!("getafix-test-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a fresh folder");
        Self(path)
    }

    /// An empty folder where temporary files are.
    #[track_caller]
    pub fn temporary() -> Self {
        Self::below(std::env::temp_dir())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file into it.
    #[track_caller]
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.0.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("a fresh folder");
        }
        std::fs::write(path, content).expect("a fresh file");
        self
    }

    /// Writes a file that can be started, and says where it is.
    ///
    /// Another process writes it: a program that is open for writing cannot be started, and whatever another test starts at this moment has what we have open
    /// until it becomes somebody else.
    #[track_caller]
    pub fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        let mut writer = Command::new("sh")
            .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .expect("a shell");
        writer.stdin.take().expect("stdin is piped").write_all(text.as_bytes()).expect("the shell reads");
        assert!(writer.wait().expect("the shell ends").success());
        path
    }

    /// The text of a file in it.
    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("a file the run has written")
    }

    /// Another name for a file in it.
    #[track_caller]
    pub fn link(&self, name: &str, other: &str) {
        std::fs::hard_link(self.0.join(name), self.0.join(other)).expect("a second name");
    }

    /// The names of the files in it, in order.
    #[track_caller]
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("a folder").map(|entry| entry.expect("an entry"));
        let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

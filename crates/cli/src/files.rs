//! What answers need from outside: the system, where a file `-` is stdin, which may have a name.

use crate::network::Network;
use checker::Peers;
use getafix::{DataModel, Outside, System};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The system as the command line names its files.
#[derive(Clone, Default)]
pub struct Files {
    /// Those who search together with this process.
    pub network: Option<Arc<Network>>,
    /// What stdin is called, beside `-`.
    pub stdin_name: Option<PathBuf>,
}

impl Outside for Files {
    fn read(&self, file: &Path) -> Result<Vec<u8>, String> {
        if file.as_os_str() != "-" && self.stdin_name.as_deref() != Some(file) {
            return System.read(file);
        }
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(|error| format!("cannot be read: {error}"))?;
        Ok(bytes)
    }

    fn write(&self, file: &Path, text: &str) -> Result<(), String> {
        System.write(file, text)
    }

    fn clock(&self) -> fn() -> Duration {
        System.clock()
    }

    fn solver(&self, named: Option<&Path>) -> Result<PathBuf, String> {
        System.solver(named)
    }

    fn preprocess(&self, file: &Path, text: &str, model: DataModel) -> Result<Option<String>, String> {
        System.preprocess(file, text, model)
    }

    fn peers(&self, asked: &str, texts: &[&str]) -> Result<Option<Arc<dyn Peers>>, String> {
        self.network.as_ref().map(|network| network.meet(asked, texts)).transpose()
    }

    fn dated(&self, file: &Path) -> u64 {
        System.dated(file)
    }
}

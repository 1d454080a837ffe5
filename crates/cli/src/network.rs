//! The other processes of `--hosts`: where they are, and how they are met.
//!
//! Contract: nothing is listened to or called before a question is asked that needs it, and a file that cannot be used is complained about before that.

use crate::args::SharingOptions;
use base::{Diagnostic, Sources, Span};
use checker::Peers;
use getafix::{Outside, System};
use hosts::{Addresses, Hosts, Key, KeyMistake, Meeting};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Who searches together, and what they know.
pub struct Network {
    addresses: Addresses,
    own: u8,
    key: Key,
    patience: Duration,
    /// Those that have been met.
    met: Mutex<Option<Arc<Hosts>>>,
}

/// What is wrong with a file or an option.
pub enum Problem {
    Message(String),
    InFile(Sources, Diagnostic),
}

impl Network {
    /// What the options name; nothing if they name no hosts.
    pub fn read(options: &SharingOptions) -> Result<Option<Self>, Problem> {
        let SharingOptions { hosts: Some(hosts), host: Some(own), key: Some(key), .. } = options else {
            return Ok(None);
        };
        let text = text(hosts)?;
        let addresses = Addresses::read(&text).map_err(|mistake| {
            let mut sources = Sources::default();
            let file = sources.add(hosts.display().to_string(), text);
            let span = Span::new(file, mistake.at..mistake.at + mistake.length);
            Problem::InFile(sources, Diagnostic::error(span, mistake.message))
        })?;
        let n = addresses.number();
        if *own >= n {
            let listed = if n == 1 { "one process".to_owned() } else { format!("{n} processes") };
            let hosts = hosts.display();
            return Err(Problem::Message(format!(
                "`--host {own}` is not there: `{hosts}` lists {listed}, from 0 on"
            )));
        }
        let workers = options.workers.map_or(1, |workers| u32::from(workers.get()));
        if workers * u32::from(n) > u32::from(u8::MAX) {
            return Err(Problem::Message(format!(
                "`--workers {workers}` on {n} hosts are too many: {} workers can search together",
                u8::MAX
            )));
        }
        let (own, patience) = (*own, options.connect_timeout);
        Ok(Some(Self { addresses, own, key: secret(key)?, patience, met: Mutex::default() }))
    }

    /// Meets the others, who must be asked the same about the same texts.
    pub fn meet(&self, asked: &str, texts: &[&str]) -> Result<Arc<dyn Peers>, String> {
        let question =
            format!("getafix {}, {asked}, program {}", env!("CARGO_PKG_VERSION"), hosts::fingerprint(texts));
        let meeting = Meeting {
            addresses: &self.addresses,
            own: self.own,
            key: &self.key,
            question: &question,
            patience: self.patience,
        };
        let met = Arc::new(meeting.connect().map_err(|refusal| refusal.to_string())?);
        *self.met.lock().unwrap_or_else(PoisonError::into_inner) = Some(met.clone());
        Ok(met)
    }

    /// Says what is still to be said to the others.
    pub fn close(&self) {
        if let Some(met) = self.met.lock().unwrap_or_else(PoisonError::into_inner).take() {
            met.close();
        }
    }
}

fn text(file: &Path) -> Result<String, Problem> {
    let problem = |problem: &str| Problem::Message(format!("`{}` {problem}", file.display()));
    let bytes = System.read(file).map_err(|message| problem(&message))?;
    String::from_utf8(bytes).map_err(|_| problem("is no text"))
}

/// The secret, which nobody else may read.
fn secret(file: &Path) -> Result<Key, Problem> {
    let mistake = |mistake: KeyMistake| Problem::Message(format!("`{}`: {mistake}", file.display()));
    if is_readable_by_others(file) {
        return Err(mistake(KeyMistake::Readable));
    }
    Key::new(text(file)?.as_bytes()).map_err(mistake)
}

#[cfg(unix)]
fn is_readable_by_others(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_readable_by_others(_: &Path) -> bool {
    false
}

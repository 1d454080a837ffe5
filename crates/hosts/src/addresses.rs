//! The file that lists the processes: an address with a port a line, the first of them number 0.

use std::net::{SocketAddr, ToSocketAddrs};

/// Where each process listens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Addresses {
    /// As the file has them.
    names: Vec<String>,
}

/// What is wrong with the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// Where: a position in the text, and how many bytes it is about.
    pub at: usize,
    /// See above.
    pub length: usize,
    /// What was expected.
    pub message: String,
}

/// So many processes can search together.
const MOST: usize = 64;

impl Addresses {
    /// Reads the text of a file. What follows `#` is a comment.
    pub fn read(text: &str) -> Result<Self, Mistake> {
        let mut names: Vec<String> = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let said = line.split('#').next().unwrap_or_default();
            let name = said.trim();
            let at = start + said.len() - said.trim_start().len();
            start += line.len();
            if name.is_empty() {
                continue;
            }
            let mistake = |message: String| Mistake { at, length: name.len(), message };
            let port = name.rsplit_once(':').and_then(|(host, port)| {
                let is_host = !host.is_empty() && !host.contains(char::is_whitespace);
                port.parse::<u16>().ok().filter(|port| is_host && *port != 0)
            });
            if port.is_none() {
                return Err(mistake("expected an address and a port, such as `10.0.0.2:7000`".to_owned()));
            }
            if names.iter().any(|known| known == name) {
                return Err(mistake(format!("`{name}` is listed twice")));
            }
            if names.len() == MOST {
                return Err(mistake(format!("at most {MOST} processes can search together")));
            }
            names.push(name.to_owned());
        }
        if names.is_empty() {
            let message = "expected an address and a port a line, such as `10.0.0.2:7000`".to_owned();
            return Err(Mistake { at: text.len(), length: 0, message });
        }
        Ok(Self { names })
    }

    /// How many processes there are.
    pub fn number(&self) -> u8 {
        self.names.len() as u8
    }

    /// How a process is called.
    pub fn name(&self, process: u8) -> &str {
        &self.names[usize::from(process)]
    }

    /// Where it listens.
    pub(crate) fn resolve(&self, process: u8) -> std::io::Result<Vec<SocketAddr>> {
        Ok(self.name(process).to_socket_addrs()?.collect())
    }
}

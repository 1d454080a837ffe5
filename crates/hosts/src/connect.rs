//! Everybody finds everybody, within a time.
//!
//! A process listens at its own address, and nowhere else. Strangers are sent away and do not keep those who belong to it from coming; who is
//! missing when the time is over is named.

use crate::greeting::{Greeted, Pair, be_called, call};
use crate::lines::Hosts;
use crate::{Addresses, Key};
use std::fmt;
use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// What all have to agree on, and how long to wait for each other.
#[derive(Clone, Debug)]
pub struct Meeting<'m> {
    /// Where they are.
    pub addresses: &'m Addresses,
    /// Which of them this process is.
    pub own: u8,
    /// What all know.
    pub key: &'m Key,
    /// What all ask: version, program, options, in a line.
    pub question: &'m str,
    /// How long to wait for the others.
    pub patience: Duration,
}

/// Why there is no meeting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// This process cannot listen at its address.
    Listen(String),
    /// Somebody did not come.
    Missing {
        /// Who.
        name: String,
        /// What was last heard from there, or from strangers.
        because: String,
    },
    /// Somebody asks another question.
    Differs {
        /// Who.
        name: String,
        /// What it asks.
        asks: String,
    },
    /// Somebody is there who does not know the key.
    Stranger {
        /// Where.
        name: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen(because) => write!(f, "cannot listen at the address of this host: {because}"),
            Self::Missing { name, because } => write!(f, "the host at {name} did not come up: {because}"),
            Self::Differs { name, asks } => {
                write!(f, "the host at {name} asks something else: {asks}")
            }
            Self::Stranger { name } => write!(f, "the host at {name} does not know the key of this run"),
        }
    }
}

/// How long to wait before trying again.
const PAUSE: Duration = Duration::from_millis(50);

/// How long a greeting may take.
const GREETING: Duration = Duration::from_secs(5);

impl Meeting<'_> {
    /// Connects this process with all others.
    pub fn connect(&self) -> Result<Hosts, Refusal> {
        let end = Instant::now() + self.patience;
        let listener = self.listen(end)?;
        let mut streams: Vec<Option<TcpStream>> = (0..self.addresses.number()).map(|_| None).collect();
        for other in 0..self.own {
            streams[usize::from(other)] = Some(self.reach(other, end)?);
        }
        if let Some(listener) = listener {
            self.welcome(&listener, &mut streams, end)?;
        }
        let names = (0..self.addresses.number()).map(|n| self.addresses.name(n).to_owned()).collect();
        Hosts::new(self.own, names, streams).map_err(|error| Refusal::Listen(error.to_string()))
    }

    /// Nobody calls the last one, so it need not listen.
    fn listen(&self, end: Instant) -> Result<Option<TcpListener>, Refusal> {
        if self.own + 1 == self.addresses.number() {
            return Ok(None);
        }
        loop {
            let bound = self.addresses.resolve(self.own).and_then(|at| TcpListener::bind(&at[..]));
            match bound.and_then(|listener| listener.set_nonblocking(true).map(|()| listener)) {
                Ok(listener) => return Ok(Some(listener)),
                // An earlier run may have left the address a moment ago.
                Err(error) if error.kind() == ErrorKind::AddrInUse && Instant::now() < end => {
                    std::thread::sleep(PAUSE);
                }
                Err(error) => {
                    let name = self.addresses.name(self.own);
                    return Err(Refusal::Listen(format!("{name}: {error}")));
                }
            }
        }
    }

    /// Calls a process until it answers.
    fn reach(&self, other: u8, end: Instant) -> Result<TcpStream, Refusal> {
        let name = || self.addresses.name(other).to_owned();
        let mut because = "it was not called".to_owned();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Refusal::Missing { name: name(), because });
            }
            match self.call_once(other, left) {
                Ok((stream, Greeted::Welcome(_))) => return Ok(stream),
                Ok((_, Greeted::Stranger)) => return Err(Refusal::Stranger { name: name() }),
                Ok((_, Greeted::Differs(asks))) => return Err(Refusal::Differs { name: name(), asks }),
                Err(error) => because = error.to_string(),
            }
            std::thread::sleep(PAUSE.min(left));
        }
    }

    fn call_once(&self, other: u8, left: Duration) -> std::io::Result<(TcpStream, Greeted)> {
        let mut last = std::io::Error::from(ErrorKind::AddrNotAvailable);
        for address in self.addresses.resolve(other)? {
            match TcpStream::connect_timeout(&address, left.min(GREETING)) {
                Ok(mut stream) => {
                    patient(&stream, left.min(GREETING))?;
                    let pair = Pair { caller: self.own, called: other };
                    let greeted = call(&mut stream, pair, self.key, self.question)?;
                    return Ok((stream, greeted));
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Waits for those behind this one in the list.
    fn welcome(
        &self,
        listener: &TcpListener,
        streams: &mut [Option<TcpStream>],
        end: Instant,
    ) -> Result<(), Refusal> {
        let mut because = "nobody called from there".to_owned();
        loop {
            let missing =
                (self.own + 1..self.addresses.number()).find(|n| streams[usize::from(*n)].is_none());
            let Some(missing) = missing else { return Ok(()) };
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Refusal::Missing { name: self.addresses.name(missing).to_owned(), because });
            }
            let Ok((stream, from)) = listener.accept() else {
                std::thread::sleep(PAUSE.min(left) / 5);
                continue;
            };
            match self.greet(stream, left) {
                Ok((stream, Greeted::Welcome(pair))) if streams.get(usize::from(pair.caller)).is_some() => {
                    streams[usize::from(pair.caller)] = Some(stream);
                }
                Ok((_, Greeted::Differs(asks))) => {
                    return Err(Refusal::Differs { name: from.to_string(), asks });
                }
                Ok(_) => because = format!("somebody at {from} called who does not know the key"),
                Err(error) => because = format!("somebody at {from} called and was not understood: {error}"),
            }
        }
    }

    fn greet(&self, mut stream: TcpStream, left: Duration) -> std::io::Result<(TcpStream, Greeted)> {
        stream.set_nonblocking(false)?;
        patient(&stream, left.min(GREETING))?;
        let greeted = be_called(&mut stream, self.own, self.key, self.question)?;
        Ok((stream, greeted))
    }
}

/// Nobody waits longer for a word.
fn patient(stream: &TcpStream, patience: Duration) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(patience))?;
    stream.set_write_timeout(Some(patience))
}

//! Other processes that search with us.
//!
//! Contract: all of them ask for the same exchanges in the same order, so that what each decides from what it has heard is what all decide. The
//! trait knows bytes only; who connects, listens and notices that somebody is gone is its maker.

use crate::trace::At;
use base::Stop;
use std::fmt;

/// All processes of a search, this one included.
pub trait Peers: Send + Sync + fmt::Debug {
    /// The number of this process, from 0 on.
    fn own(&self) -> u8;

    /// How many processes there are, at least one.
    fn number(&self) -> u8;

    /// How a process is called in messages.
    fn name(&self, process: u8) -> String;

    /// Tells each process something, and hears what each has to tell; what is told to oneself comes back. Returns when everybody has been heard.
    fn exchange(&self, told: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost>;

    /// Whoever works for a while without hearing anybody is stopped if somebody is gone, until this is called with nobody. The next exchange says who is gone.
    fn stop_if_lost(&self, _who: Option<&Stop>) {}
}

/// Somebody is gone, or cannot be understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lost {
    /// Who.
    pub peer: u8,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "lost the process {}", self.peer)
    }
}

/// Numbers, one behind the other.
#[derive(Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub(crate) fn word(&mut self, word: u32) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    pub(crate) fn at(&mut self, at: At) {
        self.byte(at.share);
        self.word(at.state);
    }

    pub(crate) fn long(&mut self, long: u64) {
        self.0.extend_from_slice(&long.to_le_bytes());
    }
}

/// The same, read; what is not there is nothing.
pub(crate) struct Reader<'b>(pub(crate) &'b [u8]);

impl Reader<'_> {
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    pub(crate) fn word(&mut self) -> Option<u32> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*bytes))
    }

    pub(crate) fn at(&mut self) -> Option<At> {
        Some(At { share: self.byte()?, state: self.word()? })
    }

    pub(crate) fn long(&mut self) -> Option<u64> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*bytes))
    }

    pub(crate) fn longs<const W: usize>(&mut self) -> Option<[u64; W]> {
        let mut longs = [0; W];
        for long in &mut longs {
            *long = self.long()?;
        }
        Some(longs)
    }
}

//! The lines between processes that have met.
//!
//! Each line has a thread that writes and one that reads, so that nobody waits for somebody who waits, too. Frames are a kind, a length and bytes. Who
//! has nothing to say says so now and then; who is silent for too long, or hangs up, is gone. Who leaves because somebody is gone says who it is,
//! so that all name the same one.

use base::{Stop, StopReason};
use explicit::{Lost, Peers};
use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Result, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread::JoinHandle;
use std::time::Duration;

/// All processes of a search, connected.
#[derive(Debug)]
pub struct Hosts {
    own: u8,
    names: Vec<String>,
    inside: Mutex<Inside>,
    watched: Arc<Mutex<Watched>>,
}

/// Whom those who read stop when somebody is gone.
#[derive(Debug, Default)]
struct Watched {
    is_lost: bool,
    who: Option<Stop>,
}

impl Watched {
    fn look(&self) {
        if let Some(who) = self.who.as_ref().filter(|_| self.is_lost) {
            who.request(StopReason::Interrupt);
        }
    }
}

#[derive(Debug)]
struct Inside {
    /// What is to be said to each; none to oneself.
    ways: Vec<Option<Sender<Frame>>>,
    /// What anybody has said.
    heard: Receiver<(u8, Heard)>,
    /// What each has said that nobody has asked for yet.
    waiting: Vec<VecDeque<Vec<u8>>>,
    /// For each that will say nothing more who is to blame: itself, or somebody else who was gone before.
    gone: Vec<Option<u8>>,
    lost: Option<Lost>,
    /// They end when there is nothing more to say.
    writers: Vec<JoinHandle<()>>,
}

#[derive(Debug)]
enum Frame {
    Bytes(Vec<u8>),
    /// Somebody is gone.
    Lost(u8),
    /// Nothing more will be said.
    Farewell,
}

#[derive(Debug)]
enum Heard {
    Bytes(Vec<u8>),
    /// It has heard that somebody is gone; or it is gone itself.
    Lost(u8),
}

const ALIVE: u8 = 0;
const BYTES: u8 = 1;
const LOST: u8 = 2;
const FAREWELL: u8 = 3;

/// Who has nothing to say says so after this time.
const SILENCE: Duration = Duration::from_millis(500);

/// Who has said nothing for this time is gone.
const PATIENCE: Duration = Duration::from_secs(20);

/// No message is longer.
const LONGEST: u64 = 1 << 36;

/// Bytes that are read at once; what is announced is not believed before it comes.
const PIECE: usize = 1 << 20;

impl Hosts {
    pub(crate) fn new(own: u8, names: Vec<String>, streams: Vec<Option<TcpStream>>) -> Result<Self> {
        let (tell, heard) = channel();
        let (mut ways, mut writers) = (Vec::new(), Vec::new());
        let watched = Arc::<Mutex<Watched>>::default();
        for (peer, stream) in (0..).zip(streams) {
            let Some(stream) = stream else {
                ways.push(None);
                continue;
            };
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.set_write_timeout(Some(PATIENCE))?;
            let (way, frames) = channel();
            let (reader, writer, tell) = (stream.try_clone()?, stream, tell.clone());
            writers.push(std::thread::spawn(move || write_all(writer, &frames)));
            let watched = watched.clone();
            std::thread::spawn(move || read_all(reader, peer, &tell, &watched));
            ways.push(Some(way));
        }
        let waiting = names.iter().map(|_| VecDeque::new()).collect();
        let gone = vec![None; names.len()];
        let inside = Inside { ways, heard, waiting, gone, lost: None, writers };
        Ok(Self { own, names, inside: Mutex::new(inside), watched })
    }

    /// Says what is still to be said, and hangs up. Whoever still waits for others was left behind: then the lines end with the process.
    pub fn close(&self) {
        let mut inside = match self.inside.try_lock() {
            Ok(inside) => inside,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        inside.lost = inside.lost.or(Some(Lost { peer: self.own }));
        inside.ways.drain(..).flatten().for_each(|way| drop(way.send(Frame::Farewell)));
        inside.writers.drain(..).for_each(|writer| drop(writer.join()));
    }
}

impl Peers for Hosts {
    fn own(&self) -> u8 {
        self.own
    }

    fn number(&self) -> u8 {
        self.names.len() as u8
    }

    fn name(&self, process: u8) -> String {
        self.names.get(usize::from(process)).map_or_else(|| "?".to_owned(), String::clone)
    }

    fn exchange(&self, told: Vec<Vec<u8>>) -> std::result::Result<Vec<Vec<u8>>, Lost> {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let exchanged = inside.exchange(usize::from(self.own), told);
        if let Err(Lost { peer }) = exchanged {
            inside.leave(peer);
        }
        exchanged
    }

    fn stop_if_lost(&self, who: Option<&Stop>) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        watched.who = who.cloned();
        watched.look();
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        self.close();
    }
}

impl Inside {
    fn exchange(&mut self, own: usize, told: Vec<Vec<u8>>) -> std::result::Result<Vec<Vec<u8>>, Lost> {
        if let Some(lost) = self.lost {
            return Err(lost);
        }
        for (n, bytes) in told.into_iter().enumerate() {
            match &self.ways[n] {
                Some(way) => way.send(Frame::Bytes(bytes)).map_err(|_| Lost { peer: n as u8 })?,
                None => self.waiting[n].push_back(bytes),
            }
        }
        debug_assert!(self.ways[own].is_none(), "nobody has a line to itself");
        while self.waiting.iter().any(VecDeque::is_empty) {
            // Who has said everything may go.
            let missing = self.waiting.iter().zip(&self.gone).filter(|(waiting, _)| waiting.is_empty());
            if let Some(peer) = missing.filter_map(|(_, gone)| *gone).next() {
                return Err(Lost { peer });
            }
            match self.heard.recv() {
                Ok((peer, Heard::Bytes(bytes))) => self.waiting[usize::from(peer)].push_back(bytes),
                Ok((peer, Heard::Lost(to_blame))) => self.gone[usize::from(peer)] = Some(to_blame),
                Err(_) => return Err(Lost { peer: own as u8 }),
            }
        }
        Ok(self.waiting.iter_mut().filter_map(VecDeque::pop_front).collect())
    }

    /// Tells the others who is gone.
    fn leave(&mut self, peer: u8) {
        if self.lost.is_none() {
            self.lost = Some(Lost { peer });
            self.ways.iter().flatten().for_each(|way| drop(way.send(Frame::Lost(peer))));
        }
    }
}

fn write_all(mut stream: TcpStream, frames: &Receiver<Frame>) {
    loop {
        let written = match frames.recv_timeout(SILENCE) {
            Ok(Frame::Bytes(bytes)) => write_frame(&mut stream, BYTES, &bytes),
            Ok(Frame::Lost(peer)) => write_frame(&mut stream, LOST, &[peer]),
            Ok(Frame::Farewell) => write_frame(&mut stream, FAREWELL, &[]),
            Err(RecvTimeoutError::Timeout) => write_frame(&mut stream, ALIVE, &[]),
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if written.is_err() {
            break;
        }
    }
    let _ = stream.shutdown(Shutdown::Write);
}

fn write_frame(stream: &mut TcpStream, kind: u8, bytes: &[u8]) -> Result<()> {
    let mut head = [0; 9];
    head[0] = kind;
    head[1..].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    match bytes.len() < PIECE {
        // One packet, if it is small.
        true => stream.write_all(&[&head[..], bytes].concat()),
        false => stream.write_all(&head).and_then(|()| stream.write_all(bytes)),
    }
}

fn read_all(mut stream: TcpStream, peer: u8, tell: &Sender<(u8, Heard)>, watched: &Mutex<Watched>) {
    loop {
        let (heard, is_farewell) = match read_frame(&mut stream) {
            Ok((ALIVE, _)) => continue,
            Ok((BYTES, bytes)) => (Heard::Bytes(bytes), false),
            Ok((LOST, bytes)) if bytes.len() == 1 => (Heard::Lost(bytes[0]), false),
            Ok((FAREWELL, _)) => (Heard::Lost(peer), true),
            _ => (Heard::Lost(peer), false),
        };
        let is_over = matches!(heard, Heard::Lost(_));
        if is_over && !is_farewell {
            let mut watched = watched.lock().unwrap_or_else(PoisonError::into_inner);
            watched.is_lost = true;
            watched.look();
        }
        if tell.send((peer, heard)).is_err() || is_over {
            break;
        }
    }
}

fn read_frame(stream: &mut TcpStream) -> Result<(u8, Vec<u8>)> {
    let mut head = [0; 9];
    stream.read_exact(&mut head)?;
    let length = u64::from_le_bytes(head[1..].try_into().expect("eight bytes"));
    if length > LONGEST {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut bytes = Vec::new();
    let mut left = length as usize;
    while left > 0 {
        let (start, piece) = (bytes.len(), left.min(PIECE));
        bytes.resize(start + piece, 0);
        stream.read_exact(&mut bytes[start..])?;
        left -= piece;
    }
    Ok((head[0], bytes))
}

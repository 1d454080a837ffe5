//! Processes that search together, here threads that hand each other bytes.

use explicit::{Lost, Peers};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

/// To somebody, and from it.
type Way = (Sender<Vec<u8>>, Receiver<Vec<u8>>);

/// One of them: a way to each, and from each.
#[derive(Debug)]
pub struct Peer {
    own: u8,
    ways: Mutex<Vec<Way>>,
    /// After so many exchanges nothing more is heard of it.
    patience: Mutex<u32>,
}

impl Peers for Peer {
    fn own(&self) -> u8 {
        self.own
    }

    fn number(&self) -> u8 {
        self.ways.lock().expect("nobody panics").len() as u8
    }

    fn name(&self, process: u8) -> String {
        format!("peer {process}")
    }

    fn exchange(&self, told: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost> {
        let mut patience = self.patience.lock().expect("nobody panics");
        *patience = patience.checked_sub(1).ok_or(Lost { peer: self.own })?;
        let ways = self.ways.lock().expect("nobody panics");
        for ((way, _), bytes) in ways.iter().zip(told) {
            // Somebody who is gone is noticed below.
            let _ = way.send(bytes);
        }
        let heard = (0..).zip(ways.iter()).map(|(peer, (_, way))| way.recv().map_err(|_| Lost { peer }));
        heard.collect()
    }
}

/// So many; after so many exchanges nothing more is heard of the second one.
fn peers(n: u8, patience: u32) -> Vec<Peer> {
    let mut ways: Vec<Vec<_>> = (0..n).map(|_| Vec::new()).collect();
    let mut ends: Vec<Vec<_>> = (0..n).map(|_| Vec::new()).collect();
    for way in &mut ways {
        for end in &mut ends {
            let (sender, receiver) = channel();
            way.push(sender);
            end.push(receiver);
        }
    }
    let pairs = ways.into_iter().zip(ends).map(|(ways, ends)| ways.into_iter().zip(ends).collect());
    let peer = |(own, pairs): (u8, Vec<_>)| Peer {
        own,
        ways: Mutex::new(pairs),
        patience: Mutex::new(if own == 1 { patience } else { u32::MAX }),
    };
    (0..).zip(pairs).map(peer).collect()
}

/// What each of so many processes says that does the same.
pub fn each<T: Send>(n: u8, patience: u32, ask: impl Fn(&Peer) -> T + Sync) -> Vec<T> {
    let ask = &ask;
    std::thread::scope(|scope| {
        let asked: Vec<_> =
            peers(n, patience).into_iter().map(|peer| scope.spawn(move || ask(&peer))).collect();
        asked.into_iter().map(|asked| asked.join().expect("no process panics")).collect()
    })
}

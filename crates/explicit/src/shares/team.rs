//! Which shares are where, and how processes hear from each other.
//!
//! Every process has as many shares as every other, numbered one process behind the other.

use crate::peers::{Lost, Peers};
use crate::search::Halt;
use crate::{Limits, Stopped};
use std::ops::Range;

/// The processes of a search.
#[derive(Clone, Copy)]
pub(crate) struct Team<'t> {
    /// None if this process is alone.
    peers: Option<&'t dyn Peers>,
    /// Shares of each process.
    n_each: u8,
}

impl<'t> Team<'t> {
    /// With so many shares in each process, or fewer: shares have numbers of a byte.
    pub(crate) fn new(peers: Option<&'t dyn Peers>, n_each: u8) -> Self {
        let n = peers.map_or(1, Peers::number).max(1);
        Self { peers, n_each: n_each.min(u8::MAX / n).max(1) }
    }

    /// Somebody else has a share, too.
    pub(crate) fn is_shared(self) -> bool {
        self.n_shares() > 1
    }

    /// The number of all shares.
    pub(crate) fn n_shares(self) -> u8 {
        self.n_processes() * self.n_each
    }

    /// The number of processes.
    pub(crate) fn n_processes(self) -> u8 {
        self.peers.map_or(1, Peers::number)
    }

    /// The numbers of the shares of a process.
    pub(crate) fn of(self, process: u8) -> Range<u8> {
        process * self.n_each..(process + 1) * self.n_each
    }

    /// The number of this process.
    pub(crate) fn own(self) -> u8 {
        self.peers.map_or(0, Peers::own)
    }

    /// The numbers of the shares of this process.
    pub(crate) fn here(self) -> Range<u8> {
        self.of(self.own())
    }

    /// The process that a share belongs to.
    pub(crate) fn process_of(self, share: u8) -> u8 {
        share / self.n_each
    }

    /// Does something while nobody is heard; it is stopped if somebody is gone, as the next exchange will say.
    pub(crate) fn unheard<T>(self, limits: &Limits<'_>, work: impl FnOnce(&Limits<'_>) -> T) -> T {
        let Some(peers) = self.peers else { return work(limits) };
        let stop = limits.stop.part();
        peers.stop_if_lost(Some(&stop));
        let done = work(&Limits { stop: &stop, ..*limits });
        peers.stop_if_lost(None);
        done
    }

    /// Tells each process something, and hears what each has to tell.
    pub(crate) fn exchange(self, tell: impl Fn(u8) -> Vec<u8>) -> Result<Vec<Vec<u8>>, Halt> {
        Ok(self.hand_over((0..self.n_processes()).map(tell).collect())?)
    }

    /// Tells each process what there is for it, and hears what each has to tell.
    pub(crate) fn hand_over(self, told: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Stopped> {
        let Some(peers) = self.peers else { return Ok(told) };
        peers.exchange(told).map_err(|Lost { peer }| Stopped::Lost(peer))
    }
}

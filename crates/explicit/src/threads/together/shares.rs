//! A search of threads in shares, side by side, in one process or in several.
//!
//! Configurations are dealt to shares by a hash of what they mean, and shares go through rounds; a level is over when nobody has anything left to do.
//! Contract: levels and what they hold are those of one search, so bounds are the same; the run that is found depends on the program and the number of shares alone.

use super::super::mail::Letter;
use super::super::{Cost, End, Found};
use super::report::Told;
use super::share::Share;
use crate::shares::{Part, Post, Progress, Rounds, SharedBy, Team, Threads, with_threads};
use crate::{Figures, Limits, Sharing, Stopped, Workers};
use base::Known;

/// The shares of this process.
pub(super) struct Shares<'p, 't> {
    pub(super) rounds: Rounds<'t, Share<'p>>,
    /// What all processes have told in the last round, put together.
    pub(super) all: Told,
    looked_at: Option<u32>,
}

impl<'p, 't> Shares<'p, 't> {
    pub(super) fn new(shares: Vec<Share<'p>>, team: Team<'t>, workers: Workers) -> Self {
        let sharing = Sharing { workers: team.n_shares(), by: SharedBy::Configuration, ..Sharing::default() };
        Self { rounds: Rounds::new(shares, team, workers, sharing), all: Told::default(), looked_at: None }
    }

    /// Looks at everything within the bound.
    pub(super) fn run(&mut self, limits: &Limits<'_>) -> Found {
        let end = with_threads(limits, |threads| self.levels(threads, limits));
        let figures = self.figures();
        limits.gauge.searched(figures.searched());
        let Told { least, cut, .. } = self.all.clone();
        Found {
            is_reached: least.iter().map(Option::is_some).collect(),
            least,
            end: end.unwrap_or_else(End::Stopped),
            looked_at: self.looked_at,
            cut,
            figures,
        }
    }

    fn levels(&mut self, threads: &mut dyn Threads<Share<'p>>, limits: &Limits<'_>) -> Result<End, Stopped> {
        let (cost, bound, n_threads) = {
            let search = &self.rounds.shares[0].search;
            (search.cost, search.bound, search.roles.len())
        };
        self.settle(threads, limits)?;
        let mut number = 0;
        loop {
            if self.all.has_all() {
                return Ok(End::Found);
            }
            self.looked_at = Some(number);
            if self.all.cut.is_none() && self.all.least.iter().all(Option::is_none) {
                limits.gauge.tell(Known::SafeWithin(number));
            }
            // Of rounds, the one with number 0 only says where runs start.
            let is_closed = self.all.n_new == 0 && (cost == Cost::Switches || number > 0);
            match bound {
                _ if is_closed && cost == Cost::Rounds => return Ok(End::Closed),
                Some(bound) if bound == number => return Ok(End::Bound),
                _ if is_closed => return Ok(End::Closed),
                _ => number += 1,
            }
            match cost {
                Cost::Switches => {
                    self.rounds.shares.iter_mut().for_each(Share::next_level);
                    self.settle(threads, limits)?;
                }
                Cost::Rounds => self.turns(n_threads, threads, limits)?,
            }
        }
    }

    /// Every thread has its turn.
    fn turns(
        &mut self,
        n_threads: usize,
        threads: &mut dyn Threads<Share<'p>>,
        limits: &Limits<'_>,
    ) -> Result<(), Stopped> {
        self.rounds.shares.iter_mut().for_each(Share::next_round);
        for thread in 0..n_threads {
            self.rounds.shares.iter_mut().for_each(|share| share.begin_turn(thread));
            self.settle(threads, limits)?;
            if self.all.has_all() {
                return Ok(());
            }
        }
        self.rounds.shares.iter_mut().for_each(Share::end_round);
        Ok(())
    }

    /// Goes on until nobody has anything to do, or every target has been met.
    fn settle(&mut self, threads: &mut dyn Threads<Share<'p>>, limits: &Limits<'_>) -> Result<(), Stopped> {
        let mut worked = Ok(());
        loop {
            let post = self.meet(worked, limits)?;
            if !self.all.progress.is_busy || self.all.has_all() {
                return Ok(());
            }
            self.rounds.deal_bytes(limits);
            worked = threads.round(&mut self.rounds, post);
        }
    }

    /// Everybody tells how far it came, and hands over its letters. Whoever stops stops all.
    fn meet(&mut self, worked: Result<(), Stopped>, limits: &Limits<'_>) -> Result<Post<Letter>, Stopped> {
        let stopped = worked.err().or_else(|| limits.look(|| self.figures()).err());
        let (all, post) = self.rounds.meet(Told::new(&self.rounds.shares, stopped))?;
        self.all = all;
        for share in &mut self.rounds.shares {
            share.search.least.clone_from(&self.all.least);
        }
        self.all.progress.stopped.map_or(Ok(post), Err)
    }

    /// How far all have come.
    pub(super) fn figures(&self) -> Figures {
        let Told { progress: Progress { states, entries, bytes, .. }, words, .. } = self.all;
        Figures {
            states,
            entries,
            bytes,
            words: words as usize,
            sharing: Some(self.rounds.sharing),
            ..Figures::default()
        }
    }

    /// Bytes in use in this process.
    pub(super) fn bytes_here(&self) -> u64 {
        self.rounds.shares.iter().map(Part::bytes).sum()
    }
}

//! What one worker finds of a search by levels, and whether others would help it.
//!
//! What a thread can do is computed once for each of its states and the shared values, and looked up afterwards. Where configurations are many and those are
//! few, a move costs less than the letter that tells another share of it: one worker goes on alone, in one process to the end, in several until it has no room,
//! or many configurations. Contract: all of it is cut by counts, so every process comes to the same end, and where one has to stop all do.

use super::super::levels::Search;
use super::super::{End, Found};
use super::Company;
use super::shares::Shares;
use crate::shares::{code, stopped};
use crate::{Figures, Limits, Sharing, Stopped};

/// As many times the configurations, one worker of several processes looks at alone where moves cost little.
const LONGER: u64 = 1 << 7;

/// Moves cost little where so many configurations share what was computed for one state of a thread beside some shared values.
const FEW: u64 = 4;

/// A search that is over, or one that is shared and has not begun.
pub(super) enum Begun<'p, 't> {
    Alone(Box<Search<'p>>, Found),
    Shared(Shares<'p, 't>),
}

/// What processes tell each other when they have searched alone; what is larger is why one cannot go on.
const OPEN: u8 = 0;
const OVER: u8 = 1;

impl<'a> Company<'a> {
    /// Searches alone as far as it pays.
    pub(super) fn begin<'p>(
        &self,
        search: impl Fn() -> Search<'p>,
        limits: &Limits<'_>,
    ) -> Result<Begun<'p, 'a>, Stopped> {
        if self.workers.by.is_some() {
            return Ok(Begun::Shared(self.shares(search)));
        }
        let team = self.team();
        let known = team.unheard(limits, |limits| self.known_alone(&search, limits));
        let told = match known.as_ref().map(|(_, found)| found.end) {
            None => OPEN,
            Some(End::Stopped(stopped)) => OVER + code(stopped),
            Some(_) => OVER,
        };
        let heard = team.hand_over(vec![vec![told]; usize::from(team.n_processes())])?;
        let heard: Vec<u8> = heard.iter().map(|heard| heard.first().copied().unwrap_or_default()).collect();
        let other = heard.iter().find(|told| **told > OVER);
        let other = other.map(|told| stopped(told - OVER).unwrap_or(Stopped::Lost(0)));
        match (known, other) {
            (None, Some(stopped)) => Err(stopped),
            (Some((search, mut found)), other) if other.is_some() || !heard.contains(&OPEN) => {
                found.figures.sharing = Some(Sharing { workers: team.n_shares(), ..Sharing::default() });
                found.end = other.map_or(found.end, End::Stopped);
                Ok(Begun::Alone(Box::new(search), found))
            }
            // Who has less memory may not have come to an end.
            _ => Ok(Begun::Shared(self.shares(search))),
        }
    }

    fn known_alone<'p>(
        &self,
        search: impl Fn() -> Search<'p>,
        limits: &Limits<'_>,
    ) -> Option<(Search<'p>, Found)> {
        let has_others = self.team().n_processes() > 1;
        let n_first = u64::from(self.workers.alone);
        let n_last = if has_others { n_first * LONGER } else { u64::MAX };
        let (mut n_most, mut before) = (n_first, Figures::default());
        loop {
            let few = Limits { max_states: n_most.min(limits.max_states), ..*limits };
            let mut search = search();
            let found = search.run(&few);
            match found.end {
                End::Stopped(Stopped::States) if few.max_states < limits.max_states => {}
                End::Stopped(Stopped::Memory) if has_others => return None,
                _ => return Some((search, found)),
            }
            let is_cheap = is_cheap(&before, &found.figures);
            if n_most == n_last || (n_most > n_first && !is_cheap) {
                return None;
            }
            // At first everything has to be computed.
            n_most = if is_cheap { n_last } else { 2 * n_first };
            before = found.figures;
        }
    }
}

/// Since a search was here, moves have cost little.
fn is_cheap(before: &Figures, now: &Figures) -> bool {
    (now.entries - before.entries) * FEW <= now.states - before.states
}

impl Begun<'_, '_> {
    /// What is found within the bound.
    pub(super) fn run(&mut self, limits: &Limits<'_>) -> Found {
        match self {
            Self::Alone(_, found) => found.clone(),
            Self::Shared(shares) => shares.run(limits),
        }
    }
}

//! What one worker finds before there is work to share, and how the work is dealt.
//!
//! One search looks at some thousand states: a small program needs no other. Where that is not enough, as many states are looked at breadth first, to see
//! how many there are on a level, and how evenly entries would deal them to shares. A chain of states has no work for two, so one worker goes on with it
//! until there are so many that they are shared for the sake of memory. Contract: all of it is cut by counts, so every process comes to the same end,
//! and where one has to stop all do.

use super::{SharedBy, Team, Workers, code, stopped};
use crate::program::Program;
use crate::search::{Search, Share, owner_among};
use crate::{Limits, Order, Question, Stopped};

/// A search before it is shared.
pub(crate) enum Alone<'p, const W: usize> {
    /// It is over.
    Finished(Box<Search<'p, W>>),
    /// It cannot go on.
    Stopped(Stopped, Box<Search<'p, W>>),
    /// It is begun again, and shared like this.
    Shared(SharedBy),
}

/// As many times the states, one worker looks at alone where they are a chain.
const LONGER: u64 = 1 << 7;

/// A search is a chain if it has fewer states on a level for each share.
const FEW: u64 = 4;

/// What processes tell each other at the end; what is larger is why one cannot go on.
const BY_ENTRY: u8 = 0;
const BY_STATE: u8 = 1;
const FINISHED: u8 = 2;

impl<'p, const W: usize> Alone<'p, W> {
    /// Searches alone, as far as it pays.
    pub(crate) fn search(
        program: &'p Program,
        team: Team<'_>,
        workers: Workers,
        question: Question,
        limits: &Limits<'_>,
    ) -> Result<Self, Stopped> {
        if let Some(by) = workers.by {
            return Ok(Alone::Shared(by));
        }
        let alone =
            team.unheard(limits, |limits| Self::as_far_as_it_pays(program, team, workers, question, limits));
        let told = match &alone {
            Alone::Shared(SharedBy::State) => BY_STATE,
            Alone::Shared(_) => BY_ENTRY,
            Alone::Finished(_) => FINISHED,
            Alone::Stopped(stopped, _) => FINISHED + code(*stopped),
        };
        let heard = team.hand_over(vec![vec![told]; usize::from(team.n_processes())])?;
        let heard: Vec<u8> = heard.iter().map(|heard| heard.first().copied().unwrap_or_default()).collect();
        if let Some(other) = heard.iter().find(|heard| **heard > FINISHED) {
            let reason = stopped(other - FINISHED).unwrap_or(Stopped::Lost(0));
            return match alone {
                Alone::Finished(search) | Alone::Stopped(_, search) => Ok(Alone::Stopped(reason, search)),
                Alone::Shared(_) => Err(reason),
            };
        }
        // Who has less memory may not have finished.
        Ok(match heard.iter().find(|heard| **heard < FINISHED) {
            Some(&BY_STATE) => Alone::Shared(SharedBy::State),
            Some(_) => Alone::Shared(SharedBy::Entry),
            None => alone,
        })
    }

    fn as_far_as_it_pays(
        program: &'p Program,
        team: Team<'_>,
        workers: Workers,
        question: Question,
        limits: &Limits<'_>,
    ) -> Self {
        let search = |order, n_most: u64| {
            let mut search = Box::new(Search::new(program, Share::WHOLE, question, order, limits));
            let max_states = n_most.min(limits.max_states);
            match search.run(&Limits { max_states, ..*limits }) {
                Ok(()) => Ok(Alone::Finished(search)),
                Err(Stopped::States) if n_most < limits.max_states => Err(search),
                Err(Stopped::Memory) => Err(search),
                // What is too large may be far from what is found depth first.
                Err(Stopped::TooLarge) if order == Order::Bfs => Err(search),
                Err(stopped) => Ok(Alone::Stopped(stopped, search)),
            }
        };
        let n_first = u64::from(workers.alone);
        if let Ok(over) = search(Order::Dfs, n_first) {
            return over;
        }
        let sample = match search(Order::Bfs, n_first) {
            Ok(over) => return over,
            Err(sample) => sample,
        };
        let of = team.n_shares();
        if is_chain(&sample, of)
            && let Ok(over) = search(Order::Dfs, n_first * LONGER)
        {
            return over;
        }
        Alone::Shared(dealt(&sample, of))
    }
}

/// There is hardly any work for a second worker.
fn is_chain<const W: usize>(sample: &Search<'_, W>, of: u8) -> bool {
    let figures = sample.figures();
    figures.states < FEW * u64::from(of) * u64::from(figures.shorter_than.unwrap_or_default())
}

/// By entry, unless one share would have a quarter of all states more than its part.
fn dealt<const W: usize>(sample: &Search<'_, W>, of: u8) -> SharedBy {
    let owners: Vec<u8> = sample
        .activations
        .entries
        .iter()
        .map(|entry| {
            let start = &sample.states.records[entry.start as usize];
            owner_among(of, entry.module as usize, &start.key)
        })
        .collect();
    let mut sizes = vec![0; usize::from(of)];
    for record in &sample.states.records {
        sizes[usize::from(owners[record.entry() as usize])] += 1;
    }
    let (n, largest) = (sample.states.records.len(), sizes.into_iter().max().unwrap_or_default());
    if largest > n / usize::from(of) + n / 4 { SharedBy::State } else { SharedBy::Entry }
}

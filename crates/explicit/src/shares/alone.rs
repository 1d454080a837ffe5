//! What one worker finds before there is work to share, and how the work is dealt.
//!
//! One search looks at some thousand states: a small program needs no other. Where that is not enough, as many states are looked at breadth first, to see
//! how many there are on a level, and how evenly entries would deal them to shares. A chain of states has no work for two, so one worker goes on with it
//! until it becomes wider, or memory runs out. Contract: all of it is cut by counts, so every process comes to the same end,
//! and where one has to stop all do.

use super::{SharedBy, Team, Workers, code, stopped};
use crate::program::Program;
use crate::search::{Search, Share, owner_among};
use crate::{Figures, Limits, Order, Question, Stopped};

/// A search before it is shared.
pub(crate) enum Alone<'p, const W: usize> {
    /// It is over.
    Finished(Box<Search<'p, W>>),
    /// It cannot go on.
    Stopped(Stopped, Box<Search<'p, W>>),
    /// It is begun again, and shared like this.
    Shared(SharedBy),
}

/// Where states are a chain, one worker looks at so many times as many before the next look at how wide it is.
const LONGER: u64 = 2;

/// A search is a chain if it has at most so many states on a level for each share.
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
        let n_first = u64::from(workers.alone);
        let up_to = |n_most: u64| Limits { max_states: n_most.min(limits.max_states), ..*limits };
        let begun = |order| Box::new(Search::new(program, Share::WHOLE, question, order, limits));
        let mut first = begun(Order::Dfs);
        match first.run(&up_to(n_first)) {
            Ok(()) => return Alone::Finished(first),
            Err(Stopped::States) if n_first < limits.max_states => {}
            Err(Stopped::Memory) => {}
            Err(stopped) => return Alone::Stopped(stopped, first),
        }
        drop(first);
        let mut sample = begun(Order::Bfs);
        let (mut n_most, mut before) = (n_first, sample.figures());
        let mut ended = sample.run(&up_to(n_most));
        let of = team.n_shares();
        loop {
            match ended {
                Ok(()) => return Alone::Finished(sample),
                Err(Stopped::States) if n_most >= limits.max_states => {
                    return Alone::Stopped(Stopped::States, sample);
                }
                Err(Stopped::States) if is_chain(&before, &sample.figures(), of) => {}
                // What is too large may be far from what is found depth first.
                Err(Stopped::States | Stopped::Memory | Stopped::TooLarge) => {
                    return Alone::Shared(dealt(&sample, of));
                }
                Err(stopped) => return Alone::Stopped(stopped, sample),
            }
            before = sample.figures();
            n_most = n_most.saturating_mul(LONGER);
            ended = sample.resume(&up_to(n_most));
        }
    }
}

/// Since a search was here, there has hardly been any work for a second worker.
fn is_chain(before: &Figures, now: &Figures, of: u8) -> bool {
    let level = |figures: &Figures| u64::from(figures.shorter_than.unwrap_or_default());
    now.states - before.states <= FEW * u64::from(of) * (level(now) - level(before))
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

//! Runs of threads that never end, looked for by several workers, in one process or in several.
//!
//! ```text
//!  Graph, for each share ──rounds──▶ edges ──gather──▶ components ──bring──▶ Graph of the first process ──fair, lasso, fill──▶ Trace
//! ```
//!
//! One worker begins, as without others: it may leave out threads that need not move, which depends on the way that it is on. Where that is not enough,
//! configurations are dealt to shares by what they mean, and every move counts. Whenever their number has doubled, the first process is told all
//! edges, looks for components that have every mark, and has the configurations of those brought to it, to be judged as in one search. Contract: the answer
//! is that of [`super::find`]; the run is told to the first process alone.

mod gather;
mod share;

use super::super::mail::{Letter, Mail};
use super::super::together::Company;
use super::graph::Graph;
use super::{Answer, Found, TooManyThreads, Wanted, counted, find, found, is_whole};
use crate::cycle::due_after;
use crate::search::Share as Part;
use crate::shares::{Post, Progress, Rounds, SharedBy, Threads, code, stopped, with_threads};
use crate::threads::Settings;
use crate::{Figures, Limits, Sharing, Stopped};
use rsm::Concurrent;
use rsm::interleave::Stops;
use rsm::observe::Observer;
use share::{Share, Told};

/// As many times the configurations, one worker looks at alone where threads may be left out that need not move.
const LONGER: u64 = 1 << 7;

/// Words that go with a configuration: the one before it, the state of the observer, and what is marked on the way.
const BESIDE: usize = 3;

/// The same as [`super::find`].
pub fn find_together(
    program: &Concurrent,
    observer: &Observer,
    wanted: Wanted,
    settings: Settings,
    company: Company<'_>,
    limits: &Limits<'_>,
) -> Result<Found, TooManyThreads> {
    if !company.is_shared() {
        return find(program, observer, wanted, settings, limits);
    }
    counted(program)?;
    let asked = Asked { program, observer, wanted, settings, company };
    Ok(match asked.alone(limits) {
        Ok(Some(found)) => found,
        Ok(None) => asked.shared(limits),
        Err(stopped) => unknown(stopped, Figures::default()),
    })
}

fn unknown(stopped: Stopped, figures: Figures) -> Found {
    Found { answer: Answer::Stopped(stopped), stops: None, figures }
}

/// What is asked, and of whom.
#[derive(Clone, Copy)]
struct Asked<'a> {
    program: &'a Concurrent,
    observer: &'a Observer,
    wanted: Wanted,
    settings: Settings,
    company: Company<'a>,
}

/// What processes tell each other when they have searched alone; what is larger is why one cannot go on.
const OPEN: u8 = 0;
const YES: u8 = 1;
const NO: u8 = 2;
const CUT: u8 = 3;

impl Asked<'_> {
    fn graph(&self) -> Graph<'_> {
        Graph::new(self.program, self.observer, self.settings)
    }

    /// What one worker finds; nothing if it takes more than that. All processes come to the same end, for it is cut by counts; where one has to stop all do.
    fn alone(&self, limits: &Limits<'_>) -> Result<Option<Found>, Stopped> {
        let team = self.company.team();
        let known = team.unheard(limits, |limits| self.known_alone(limits));
        let told = match known.as_ref().map(|found| &found.answer) {
            None => OPEN,
            Some(Answer::Yes(_)) => YES,
            Some(Answer::No) => NO,
            Some(Answer::Cut) => CUT,
            Some(Answer::Stopped(stopped)) => CUT + code(*stopped),
        };
        let heard = team.hand_over(vec![vec![told]; usize::from(team.n_processes())])?;
        let heard: Vec<u8> = heard.iter().map(|heard| heard.first().copied().unwrap_or_default()).collect();
        let figures = known.as_ref().map(|found| found.figures).unwrap_or_default();
        let sharing = Some(Sharing { workers: team.n_shares(), ..Sharing::default() });
        let figures = Figures { sharing, ..figures };
        if let Some(other) = heard.iter().find(|told| **told > CUT) {
            return Ok(Some(unknown(stopped(other - CUT).unwrap_or(Stopped::Lost(0)), figures)));
        }
        if heard.contains(&OPEN) {
            return Ok(None);
        }
        Ok(known.map(|mut found| {
            if let Answer::Yes(trace) = &mut found.answer
                && team.own() != 0
            {
                *trace = None;
            }
            Found { figures, ..found }
        }))
    }

    fn known_alone(&self, limits: &Limits<'_>) -> Option<Found> {
        if self.company.workers.by.is_some() {
            return None;
        }
        let n_first = u64::from(self.company.workers.alone);
        for n_most in [n_first, n_first * LONGER] {
            let few = Limits { max_states: n_most.min(limits.max_states), ..*limits };
            let mut graph = self.graph();
            let found = found(&mut graph, self.wanted, &mut None, &few);
            match found.answer {
                Answer::Stopped(Stopped::States) if few.max_states < limits.max_states => {}
                // Others bring memory.
                Answer::Stopped(Stopped::Memory) if self.company.team().n_processes() > 1 => return None,
                _ => return Some(found),
            }
            if !graph.is_helped_by_stubborn_sets() {
                return None;
            }
        }
        None
    }

    /// What all find together.
    fn shared(&self, limits: &Limits<'_>) -> Found {
        let team = self.company.team();
        let share = |number| {
            let mut graph = self.graph();
            let part = Part { number, of: team.n_shares(), by: SharedBy::Configuration };
            graph.mail = Some(Box::new(mail(&graph, part)));
            Share::new(graph, self.wanted)
        };
        let sharing = Sharing { workers: team.n_shares(), by: SharedBy::Configuration, ..Sharing::default() };
        let rounds = Rounds::new(team.here().map(share).collect(), team, self.company.workers, sharing);
        let mut shares =
            Shares { asked: self, rounds, all: Told::default(), due: due_after(0) as u64, n_checks: 0 };
        let answer = with_threads(limits, |threads| shares.search(threads, limits));
        let figures = shares.figures();
        limits.gauge.searched(figures.searched());
        let answer = answer.unwrap_or_else(Answer::Stopped);
        let Told { ended, deadlock, .. } = shares.all;
        let is_known = matches!(answer, Answer::No) && is_whole(self.program, self.observer);
        Found { answer, stops: is_known.then_some(Stops { ended, deadlock }), figures }
    }
}

/// An outbox for configurations of a graph.
fn mail(graph: &Graph<'_>, part: Part) -> Mail {
    let blocks = graph.roles.iter().map(|role| role.block);
    Mail::new(part, blocks, &graph.groups, graph.table.program.blocks.len(), BESIDE)
}

/// The shares of this process.
struct Shares<'a, 't> {
    asked: &'a Asked<'a>,
    rounds: Rounds<'t, Share<'a>>,
    /// What all processes have told in the last round, put together.
    all: Told,
    /// At so many configurations cycles are looked for.
    due: u64,
    n_checks: u64,
}

impl<'a> Shares<'a, '_> {
    /// Goes on until there is an answer.
    fn search(
        &mut self,
        threads: &mut dyn Threads<Share<'a>>,
        limits: &Limits<'_>,
    ) -> Result<Answer, Stopped> {
        let mut worked = Ok(());
        loop {
            let post = self.meet(worked, limits)?;
            let is_over = !self.all.progress.is_busy;
            if let Some(hit) = self.all.hit {
                return self.run_to(hit, limits);
            }
            if self.asked.wanted != Wanted::Target && (is_over || self.all.progress.states >= self.due) {
                self.n_checks += 1;
                self.due = due_after(usize::try_from(self.all.progress.states).unwrap_or(usize::MAX)) as u64;
                if let Some(trace) = self.cycle(limits)? {
                    return Ok(Answer::Yes(trace.map(Box::new)));
                }
            }
            if is_over {
                return Ok(if self.all.is_cut { Answer::Cut } else { Answer::No });
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
        self.all.progress.stopped.map_or(Ok(post), Err)
    }

    /// How far all have come.
    fn figures(&self) -> Figures {
        let Told { progress: Progress { states, entries, bytes, .. }, edges, words, .. } = self.all;
        Figures {
            states,
            entries,
            bytes,
            edges,
            checks: self.n_checks,
            words: words as usize,
            sharing: Some(self.rounds.sharing),
            ..Figures::default()
        }
    }
}

//! A search of threads in shares, side by side, in one process or in several.
//!
//! Configurations are dealt to shares by a hash of what they mean. In a round every share reads the letters that the others wrote in the round before and takes
//! up to so many steps; a level is over when nobody has anything left to do. Contract: levels and what they hold are those of one search, so bounds are
//! the same; the run that is found depends on the program and the number of shares alone, for rounds are cut by counts and letters are read in the order of the
//! shares.

use super::super::{Cost, End, Found};
use super::mail::Letter;
use super::report::Report;
use super::share::Share;
use crate::crew::Crew;
use crate::peers::{Reader, Writer};
use crate::shares::{SharedBy, Team};
use crate::{Figures, Limits, Sharing, Stopped, Workers};
use base::Known;
use std::thread::Scope;

/// The shares of this process.
pub(super) struct Shares<'p, 't> {
    pub(super) shares: Vec<Share<'p>>,
    pub(super) team: Team<'t>,
    workers: Workers,
    sharing: Sharing,
    /// For each share how many steps it took in the last round.
    steps: Vec<u32>,
    /// What all processes have told in the last round, put together.
    pub(super) all: Report,
    looked_at: Option<u32>,
}

/// For each share of this process what each share of the search tells it.
type Post = Vec<Vec<Letter>>;

/// What a share did in a round.
type Worked = Result<u32, Stopped>;

impl<'p, 't> Shares<'p, 't> {
    pub(super) fn new(shares: Vec<Share<'p>>, team: Team<'t>, workers: Workers) -> Self {
        let of = team.n_shares();
        Self {
            steps: vec![0; shares.len()],
            shares,
            team,
            workers,
            sharing: Sharing { workers: of, by: SharedBy::Configuration, ..Sharing::default() },
            all: Report::default(),
            looked_at: None,
        }
    }

    /// Looks at everything within the bound.
    pub(super) fn run(&mut self, limits: &Limits<'_>) -> Found {
        let work = |share: &mut Share<'p>, (letters, n_most): (Vec<Letter>, u32)| {
            share.work(&letters, n_most, limits)
        };
        let end = std::thread::scope(|scope| {
            let mut rounds = Rounds { shares: self, crew: None, scope, work: &work, limits };
            rounds.levels()
        });
        let figures = self.figures();
        limits.gauge.searched(figures.searched());
        let Report { least, cut, .. } = self.all.clone();
        Found {
            is_reached: least.iter().map(Option::is_some).collect(),
            least,
            end: end.unwrap_or_else(End::Stopped),
            looked_at: self.looked_at,
            cut,
            figures,
        }
    }

    /// Everybody tells how far it came, and hands over its letters. Whoever stops stops all.
    fn meet(&mut self, worked: Result<(), Stopped>, limits: &Limits<'_>) -> Result<Post, Stopped> {
        let stopped = worked.err().or_else(|| limits.look(|| self.figures()).err());
        let report = Report::new(&mut self.shares, stopped);
        let (own, here) = (self.team.own(), self.team.here());
        let mut post: Post =
            self.shares.iter().map(|_| vec![Letter::new(); usize::from(self.team.n_shares())]).collect();
        let mut told = Vec::new();
        for process in 0..self.team.n_processes() {
            let mut writer = Writer::default();
            report.write(&mut writer);
            for (from, share) in here.clone().zip(&mut self.shares) {
                let mail = share.search.mail.as_mut().expect("a share has an outbox");
                for (n, to) in self.team.of(process).enumerate() {
                    let letter = mail.take(to);
                    match process == own {
                        true => post[n][usize::from(from)] = letter,
                        false => write_letter(&mut writer, &letter),
                    }
                }
            }
            told.push(writer.0);
        }
        let heard = self.team.hand_over(told)?;
        let mut all = Report::default();
        for (process, bytes) in (0..).zip(&heard) {
            let understood = self.understand(process, bytes, &mut post);
            all = all.with(understood.ok_or(Stopped::Lost(process))?);
        }
        self.all = all;
        self.sharing.letters += self.all.letters;
        for share in &mut self.shares {
            share.search.least.clone_from(&self.all.least);
        }
        self.all.stopped.map_or(Ok(post), Err)
    }

    /// What a process has told.
    fn understand(&self, process: u8, bytes: &[u8], post: &mut Post) -> Option<Report> {
        let mut reader = Reader(bytes);
        let report = Report::read(&mut reader)?;
        if process != self.team.own() {
            for from in self.team.of(process) {
                for told in post.iter_mut() {
                    told[usize::from(from)] = read_letter(&mut reader)?;
                }
            }
        }
        let n_targets = self.shares.first().map_or(0, |share| share.search.least.len());
        (reader.0.is_empty() && report.least.len() == n_targets).then_some(report)
    }

    /// What is left of the bytes of this process is dealt out evenly.
    fn deal_bytes(&mut self, limits: &Limits<'_>) {
        let used: u64 = self.shares.iter().map(|share| share.search.figures().bytes).sum();
        let more = limits.bytes().saturating_sub(used) / self.shares.len() as u64;
        for share in &mut self.shares {
            let allowed = share.search.figures().bytes.saturating_add(more);
            share.search.mail.as_mut().expect("a share has an outbox").allowed = allowed;
        }
    }

    /// How far all have come.
    pub(super) fn figures(&self) -> Figures {
        let Report { states, entries, bytes, words, .. } = self.all;
        Figures {
            states,
            entries,
            bytes,
            words: words as usize,
            sharing: Some(self.sharing),
            ..Figures::default()
        }
    }
}

/// A search whose shares have threads.
struct Rounds<'r, 'scope, 'env, 'p, 't, F> {
    shares: &'r mut Shares<'p, 't>,
    /// None before there is work for two.
    crew: Option<Crew<Share<'p>, (Vec<Letter>, u32), Worked>>,
    scope: &'scope Scope<'scope, 'env>,
    work: &'env F,
    limits: &'r Limits<'r>,
}

impl<'scope, 'env, 'p, F> Rounds<'_, 'scope, 'env, 'p, '_, F>
where
    'p: 'scope,
    F: Fn(&mut Share<'p>, (Vec<Letter>, u32)) -> Worked + Sync,
{
    fn levels(&mut self) -> Result<End, Stopped> {
        let (cost, bound, n_threads) = {
            let search = &self.shares.shares[0].search;
            (search.cost, search.bound, search.roles.len())
        };
        self.settle()?;
        let mut number = 0;
        loop {
            if self.shares.all.has_all() {
                return Ok(End::Found);
            }
            self.shares.looked_at = Some(number);
            if self.shares.all.cut.is_none() && self.shares.all.least.iter().all(Option::is_none) {
                self.limits.gauge.tell(Known::SafeWithin(number));
            }
            // Of rounds, the one with number 0 only says where runs start.
            let is_closed = self.shares.all.n_new == 0 && (cost == Cost::Switches || number > 0);
            match bound {
                _ if is_closed && cost == Cost::Rounds => return Ok(End::Closed),
                Some(bound) if bound == number => return Ok(End::Bound),
                _ if is_closed => return Ok(End::Closed),
                _ => number += 1,
            }
            match cost {
                Cost::Switches => {
                    self.shares.shares.iter_mut().for_each(Share::next_level);
                    self.settle()?;
                }
                Cost::Rounds => self.turns(n_threads)?,
            }
        }
    }

    /// Every thread has its turn.
    fn turns(&mut self, n_threads: usize) -> Result<(), Stopped> {
        self.shares.shares.iter_mut().for_each(Share::next_round);
        for thread in 0..n_threads {
            self.shares.shares.iter_mut().for_each(|share| share.begin_turn(thread));
            self.settle()?;
            if self.shares.all.has_all() {
                return Ok(());
            }
        }
        self.shares.shares.iter_mut().for_each(Share::end_round);
        Ok(())
    }

    /// Goes on until nobody has anything to do, or every target has been met.
    fn settle(&mut self) -> Result<(), Stopped> {
        let mut worked = Ok(());
        loop {
            let post = self.shares.meet(worked, self.limits)?;
            if self.shares.all.is_settled() || self.shares.all.has_all() {
                return Ok(());
            }
            self.shares.deal_bytes(self.limits);
            worked = self.round(post);
        }
    }

    /// Every share takes its steps.
    fn round(&mut self, post: Post) -> Result<(), Stopped> {
        let Shares { shares, workers, sharing, steps, .. } = &mut *self.shares;
        sharing.rounds += 1;
        let n_busy = steps.iter().filter(|steps| **steps >= workers.worth_a_thread).count();
        let jobs = post.into_iter().map(|letters| (letters, workers.steps));
        let is_side_by_side = n_busy > 1;
        let taken: Vec<Worked> = if !is_side_by_side {
            shares.iter_mut().zip(jobs).map(|(share, job)| (self.work)(share, job)).collect()
        } else {
            let n_others = shares.len() - 1;
            let crew = self.crew.get_or_insert_with(|| Crew::new(self.scope, n_others, self.work));
            crew.round(shares, jobs.collect(), self.work)
        };
        *steps = taken.into_iter().collect::<Result<_, _>>()?;
        sharing.note(steps, is_side_by_side);
        Ok(())
    }
}

pub(super) fn write_letter(writer: &mut Writer, letter: &[u32]) {
    writer.long(letter.len() as u64);
    letter.iter().for_each(|word| writer.word(*word));
}

pub(super) fn read_letter(reader: &mut Reader<'_>) -> Option<Letter> {
    let n = reader.long()?;
    // What is announced is not believed before it is there.
    (n <= reader.0.len() as u64 / 4).then(|| (0..n).filter_map(|_| reader.word()).collect())
}

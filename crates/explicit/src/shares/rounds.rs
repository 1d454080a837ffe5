//! Rounds: what every search in shares goes through, whatever its shares look at.
//!
//! In a round every share reads what the others wrote in the round before and takes up to so many steps; then everybody tells how far it came. Shares work side
//! by side where there is work for several, and one thread takes their turns otherwise, so that a chain of letters costs little more than in one
//! search. Contract: rounds are cut by counts, and mail is read in the order of the shares, so nothing depends on who was faster; processes go through the
//! same rounds, and decide the same from what all have told.

use super::report::{Progress, Report};
use super::{Sharing, Team, Workers};
use crate::crew::Crew;
use crate::peers::{Reader, Writer};
use crate::{Limits, Stopped};
use std::thread::Scope;

/// What a share tells another one in a round.
pub(crate) trait Letters: Clone + Default + Send {
    /// How much there is to read.
    fn n_letters(&self) -> u64;

    /// As it goes to another process, and back.
    fn write(&self, writer: &mut Writer);
    fn read(reader: &mut Reader<'_>) -> Option<Self>;
}

/// A share of a search.
pub(crate) trait Part: Send {
    /// What it tells another one in a round.
    type Mail: Letters;

    /// Reads what each share tells, and takes up to so many steps; says how many.
    fn work(&mut self, mail: &[Self::Mail], n_most: u32, limits: &Limits<'_>) -> Worked;

    /// Nothing is left to be looked at, as far as it knows.
    fn is_idle(&self) -> bool;

    /// Everything that is asked for has been found here.
    fn is_answered(&self) -> bool;

    /// So many steps may make a table of it double that is large.
    fn is_about_to_grow(&self, n_steps: u32) -> bool;

    /// Doubles tables that are nearly full.
    fn grow_early(&mut self);

    /// Bytes in use.
    fn bytes(&self) -> u64;

    /// The bytes that it may use.
    fn allow(&mut self, bytes: u64);

    /// What has been written to a share, once.
    fn take_mail(&mut self, to: u8) -> Self::Mail;

    /// Mail that comes from elsewhere is such that could have been written, as far as that is not looked at when it is read.
    fn expects(&self, _: &Self::Mail) -> bool {
        true
    }
}

/// For each share of this process what each share of the search tells it.
pub(crate) type Post<M> = Vec<Vec<M>>;

/// What a share is to do in a round: mail to read, and the most steps to take.
struct Job<M> {
    mail: Vec<M>,
    n_most: u32,
    /// Tables that are nearly full become larger before.
    grows: bool,
}

/// Threads that work for shares.
type Workforce<S> = Crew<S, Job<<S as Part>::Mail>, Worked>;

/// So many steps were taken, or why a share cannot go on.
type Worked = Result<u32, Stopped>;

/// The shares of this process.
pub(crate) struct Rounds<'t, S: Part> {
    pub(crate) shares: Vec<S>,
    pub(crate) team: Team<'t>,
    pub(crate) sharing: Sharing,
    workers: Workers,
    /// For each share how many steps it took in the last round.
    steps: Vec<u32>,
    /// Letters that the shares of this process have handed to each other since the last meeting.
    n_handed_over: u64,
}

impl<'t, S: Part> Rounds<'t, S> {
    pub(crate) fn new(shares: Vec<S>, team: Team<'t>, workers: Workers, sharing: Sharing) -> Self {
        Self { steps: vec![0; shares.len()], shares, team, sharing, workers, n_handed_over: 0 }
    }

    /// Everybody tells how far it came, and hands over its mail. Whoever stops stops all.
    pub(crate) fn meet<R: Report>(&mut self, mut report: R) -> Result<(R, Post<S::Mail>), Stopped> {
        let mut post = self.post_here();
        let mut told = Vec::with_capacity(usize::from(self.team.n_processes()));
        let mut n_letters = post.iter().flatten().map(Letters::n_letters).sum::<u64>();
        for process in 0..self.team.n_processes() {
            let mut writer = Writer::default();
            for share in self.shares.iter_mut().filter(|_| process != self.team.own()) {
                for to in self.team.of(process) {
                    let mail = share.take_mail(to);
                    n_letters += mail.n_letters();
                    mail.write(&mut writer);
                }
            }
            told.push(writer.0);
        }
        let Progress { letters, is_busy, .. } = report.progress();
        *is_busy |= n_letters > 0 || !self.shares.iter().all(S::is_idle);
        *letters += n_letters + std::mem::take(&mut self.n_handed_over);
        let mut head = Writer::default();
        report.write(&mut head);
        let told = told.into_iter().map(|mail| [&head.0[..], &mail].concat()).collect();
        let heard = self.team.hand_over(told)?;
        let mut all = R::default();
        for (process, bytes) in (0..).zip(&heard) {
            let understood = self.understand(process, bytes, &mut post);
            all = all.with(understood.ok_or(Stopped::Lost(process))?);
        }
        self.sharing.letters += all.progress().letters;
        Ok((all, post))
    }

    /// What a process has told.
    fn understand<R: Report>(&self, process: u8, bytes: &[u8], post: &mut Post<S::Mail>) -> Option<R> {
        let mut reader = Reader(bytes);
        let report = R::read(&mut reader)?;
        if process != self.team.own() {
            for from in self.team.of(process) {
                for (share, told) in self.shares.iter().zip(post.iter_mut()) {
                    told[usize::from(from)] =
                        S::Mail::read(&mut reader).filter(|mail| share.expects(mail))?;
                }
            }
        }
        reader.0.is_empty().then_some(report)
    }

    /// What the shares of this process have to tell each other.
    fn post_here(&mut self) -> Post<S::Mail> {
        let here = self.team.here();
        let n_shares = usize::from(self.team.n_shares());
        let mut post: Post<S::Mail> = here.clone().map(|_| vec![S::Mail::default(); n_shares]).collect();
        for (from, share) in here.clone().zip(&mut self.shares) {
            for (to, told) in here.clone().zip(&mut post) {
                told[usize::from(from)] = share.take_mail(to);
            }
        }
        post
    }

    /// What is left of the bytes of this process is dealt out evenly.
    pub(crate) fn deal_bytes(&mut self, limits: &Limits<'_>) {
        let used: u64 = self.shares.iter().map(S::bytes).sum();
        let more = limits.bytes().saturating_sub(used) / self.shares.len() as u64;
        for share in &mut self.shares {
            let allowed = share.bytes().saturating_add(more);
            share.allow(allowed);
        }
    }

    /// How many took enough steps in the last round to be worth a thread in the next.
    fn n_busy(&self) -> usize {
        self.steps.iter().filter(|steps| **steps >= self.workers.worth_a_thread).count()
    }

    /// One thread takes the turns of all, and hands over letters between them, until there is work for two, or as many steps have been taken as one takes in
    /// a round: where calls follow each other, nobody meets for each of them.
    fn take_turns(&mut self, mut post: Post<S::Mail>, limits: &Limits<'_>) -> Result<(), Stopped> {
        let n_most = self.workers.steps;
        let mut n_taken = 0;
        loop {
            for ((share, mail), steps) in self.shares.iter_mut().zip(post).zip(&mut self.steps) {
                *steps = share.work(&mail, n_most, limits)?;
                n_taken += *steps;
            }
            self.sharing.note(&self.steps, false);
            if n_taken >= n_most || self.n_busy() > 1 || self.shares.iter().any(S::is_answered) {
                return Ok(());
            }
            post = self.post_here();
            let n_letters: u64 = post.iter().flatten().map(Letters::n_letters).sum();
            self.n_handed_over += n_letters;
            if n_letters == 0 && self.shares.iter().all(S::is_idle) {
                return Ok(());
            }
        }
    }
}

/// Threads for the shares of a process, started when there is work for two.
pub(crate) trait Threads<S: Part> {
    /// Every share takes its steps, side by side where there is work for two.
    fn round(&mut self, rounds: &mut Rounds<'_, S>, post: Post<S::Mail>) -> Result<(), Stopped>;
}

/// Lets something go through rounds with threads that stay between them.
pub(crate) fn with_threads<S: Part, T>(
    limits: &Limits<'_>,
    go_through: impl FnOnce(&mut dyn Threads<S>) -> T,
) -> T {
    let work = |share: &mut S, Job { mail, n_most, grows }: Job<S::Mail>| {
        if grows {
            share.grow_early();
        }
        share.work(&mail, n_most, limits)
    };
    std::thread::scope(|scope| go_through(&mut Scoped { crew: None, scope, work: &work, limits }))
}

struct Scoped<'scope, 'env, 'l, S: Part, F> {
    /// None before there is work for two.
    crew: Option<Workforce<S>>,
    scope: &'scope Scope<'scope, 'env>,
    work: &'env F,
    limits: &'l Limits<'l>,
}

impl<'scope, 'env, S, F> Threads<S> for Scoped<'scope, 'env, '_, S, F>
where
    S: Part + 'scope,
    S::Mail: 'scope,
    F: Fn(&mut S, Job<S::Mail>) -> Worked + Sync,
{
    fn round(&mut self, rounds: &mut Rounds<'_, S>, post: Post<S::Mail>) -> Result<(), Stopped> {
        rounds.sharing.rounds += 1;
        if rounds.n_busy() < 2 {
            return rounds.take_turns(post, self.limits);
        }
        let n_most = rounds.workers.steps;
        let n_read = post
            .iter()
            .map(|mail| mail.iter().map(Letters::n_letters).sum::<u64>())
            .max()
            .unwrap_or_default();
        let n_steps = n_most.saturating_add(u32::try_from(n_read).unwrap_or(u32::MAX));
        let grows = rounds.shares.iter().any(|share| share.is_about_to_grow(n_steps));
        let jobs = post.into_iter().map(|mail| Job { mail, n_most, grows }).collect();
        let n_others = rounds.shares.len() - 1;
        let crew = self.crew.get_or_insert_with(|| Crew::new(self.scope, n_others, self.work));
        rounds.steps =
            crew.round(&mut rounds.shares, jobs, self.work).into_iter().collect::<Result<_, _>>()?;
        rounds.sharing.note(&rounds.steps, true);
        Ok(())
    }
}

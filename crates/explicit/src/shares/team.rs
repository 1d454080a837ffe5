//! Which shares are where, and how they hear from each other.
//!
//! Every process has as many shares as every other, numbered one process behind the other. In a round each process tells each other one its report
//! and the letters from its shares to those there.

use super::{Post, Report};
use crate::Stopped;
use crate::peers::{Lost, Peers, Reader, Writer};
use crate::search::{Halt, Letter, Mail, Search, Stray};
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

    /// Tells each process something, and hears what each has to tell.
    pub(crate) fn exchange(self, tell: impl Fn(u8) -> Vec<u8>) -> Result<Vec<Vec<u8>>, Halt> {
        Ok(self.hand_over((0..self.n_processes()).map(tell).collect())?)
    }

    /// Tells each process what there is for it, and hears what each has to tell.
    pub(crate) fn hand_over(self, told: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Stopped> {
        let Some(peers) = self.peers else { return Ok(told) };
        peers.exchange(told).map_err(|Lost { peer }| Stopped::Lost(peer))
    }

    /// What the shares of this process have to tell each other.
    pub(super) fn post_here<const W: usize>(self, shares: &mut [Search<'_, W>]) -> Post<W> {
        let here = self.here();
        let mut post: Post<W> =
            here.clone().map(|_| vec![Mail::default(); usize::from(self.n_shares())]).collect();
        for from in 0..shares.len() {
            for (to, told) in here.clone().zip(&mut post) {
                told[usize::from(here.start) + from] = shares[from].take_mail(to);
            }
        }
        post
    }

    /// Hands over reports and letters.
    pub(super) fn meet<const W: usize>(
        self,
        report: Report,
        shares: &mut [Search<'_, W>],
    ) -> Result<(Vec<Report>, Post<W>), Halt> {
        let mut post = self.post_here(shares);
        if self.peers.is_none() {
            return Ok((vec![report], post));
        }
        let mut told = Vec::with_capacity(usize::from(self.n_processes()));
        for process in 0..self.n_processes() {
            let mut writer = Writer::default();
            report.write(&mut writer);
            for share in shares.iter_mut().filter(|_| process != self.own()) {
                for to in self.of(process) {
                    write_mail(&mut writer, &share.take_mail(to));
                }
            }
            told.push(writer.0);
        }
        let heard = self.hand_over(told)?;
        let mut reports = Vec::with_capacity(heard.len());
        for (process, bytes) in (0..).zip(&heard) {
            let understood = self.understand(process, bytes, &mut post);
            reports.push(understood.ok_or(Stopped::Lost(process))?);
            let makes_sense = shares
                .iter()
                .zip(&post)
                .all(|(share, told)| self.of(process).all(|from| share.expects(&told[usize::from(from)])));
            if !makes_sense {
                return Err(Stopped::Lost(process).into());
            }
        }
        Ok((reports, post))
    }

    /// What a process has told.
    fn understand<const W: usize>(self, process: u8, bytes: &[u8], post: &mut Post<W>) -> Option<Report> {
        let mut reader = Reader(bytes);
        let report = Report::read(&mut reader)?;
        if process != self.own() {
            for from in self.of(process) {
                for told in post.iter_mut() {
                    told[usize::from(from)] = read_mail(&mut reader)?;
                }
            }
        }
        reader.0.is_empty().then_some(report)
    }
}

fn write_mail<const W: usize>(writer: &mut Writer, mail: &Mail<W>) {
    writer.word(mail.letters.len() as u32);
    for Letter { from, block, exit, is_fair, key } in &mail.letters {
        [*from, *block, *exit].into_iter().for_each(|n| writer.word(n));
        writer.byte(u8::from(*is_fair));
        key.iter().for_each(|word| writer.long(*word));
    }
    writer.word(mail.strays.len() as u32);
    for Stray { home, point, before, how, exit_share, has_passed, is_fair, key } in &mail.strays {
        writer.at(*home);
        [*point, *before, *how].into_iter().for_each(|n| writer.word(n));
        [*exit_share, u8::from(*has_passed), u8::from(*is_fair)].into_iter().for_each(|n| writer.byte(n));
        key.iter().for_each(|word| writer.long(*word));
    }
}

fn read_mail<const W: usize>(reader: &mut Reader<'_>) -> Option<Mail<W>> {
    let n = reader.word()?;
    let letter = |_| {
        let [from, block, exit] = [reader.word()?, reader.word()?, reader.word()?];
        Some(Letter { from, block, exit, is_fair: reader.byte()? != 0, key: reader.longs()? })
    };
    let letters = (0..n).map(letter).collect::<Option<_>>()?;
    let n = reader.word()?;
    let stray = |_| {
        let home = reader.at()?;
        let [point, before, how] = [reader.word()?, reader.word()?, reader.word()?];
        let [exit_share, has_passed, is_fair] = [reader.byte()?, reader.byte()?, reader.byte()?];
        let (has_passed, is_fair, key) = (has_passed != 0, is_fair != 0, reader.longs()?);
        Some(Stray { home, point, before, how, exit_share, has_passed, is_fair, key })
    };
    let strays = (0..n).map(stray).collect::<Option<_>>()?;
    Some(Mail { letters, strays })
}

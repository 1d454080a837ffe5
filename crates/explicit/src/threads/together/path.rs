//! What the shares have found, brought to the first of them: the moves of a run, and everything that was looked at.
//!
//! The first process asks for one pair after the other, from where a target was met back to where runs start; whoever has it tells the configuration and
//! where it came from. Contract: everybody but the first process serves while it asks, and comes back when it has finished.

use super::super::levels::NOBODY;
use super::super::mail::{Letter, Told, Words};
use super::super::origins::{Origin, Pair};
use super::super::run;
use super::report::At;
use super::shares::Shares;
use crate::peers::{Reader, Writer};
use crate::shares::{Letters, Part};
use crate::{Limits, Stopped};
use rsm::trace::Trace;

/// What the first process says.
const ASKS: u8 = 1;
const FINISHES: u8 = 2;

/// So many configurations are handed over at once.
const AT_ONCE: usize = 1 << 14;

impl Shares<'_, '_> {
    /// The run to the target that was met; the first process alone makes it, with the help of the others.
    pub(super) fn trace(&mut self, max_steps: usize) -> Result<Option<Trace>, Stopped> {
        let Some(hit) = self.all.hit else { return Ok(None) };
        self.rounds.shares.iter_mut().for_each(|share| share.tell_anew(0));
        if self.rounds.team.own() != 0 {
            self.serve()?;
            return Ok(None);
        }
        let path = self.path(hit);
        self.rounds.team.exchange(|_| vec![FINISHES])?;
        let (hit, path) = path?;
        run::along(&mut self.rounds.shares[0].search, path, hit, max_steps)
    }

    /// The moves up to a pair, all in the numbers of the first share.
    fn path(&mut self, hit: At) -> Result<(Pair, Vec<(Pair, usize)>), Stopped> {
        let (last, mut from) = self.known(hit)?;
        let (mut path, mut led_to) = (Vec::new(), last);
        while let Some(origin) = from {
            let (pair, before) = self.known(At { share: origin.share, pair: origin.pair() })?;
            path.push((pair, led_to.configuration));
            (led_to, from) = (pair, before);
        }
        path.reverse();
        Ok((last, path))
    }

    /// A pair as the first share has it, and who moved to it.
    fn known(&mut self, at: At) -> Result<(Pair, Option<Origin>), Stopped> {
        let owner = self.rounds.team.process_of(at.share);
        let answer = if owner == 0 {
            self.told(at)?
        } else {
            let mut asked = Writer::default();
            asked.byte(ASKS);
            asked.byte(at.share);
            [at.pair.configuration, at.pair.thread].into_iter().for_each(|n| asked.long(n as u64));
            self.rounds
                .team
                .exchange(|process| if process == owner { asked.0.clone() } else { Vec::new() })?;
            let mut heard = self.rounds.team.exchange(|_| Vec::new())?;
            std::mem::take(&mut heard[usize::from(owner)])
        };
        self.understand_pair(at, &answer)?.ok_or(Stopped::Lost(owner))
    }

    fn understand_pair(&mut self, at: At, answer: &[u8]) -> Result<Option<(Pair, Option<Origin>)>, Stopped> {
        let mut reader = Reader(answer);
        let origin = match reader.byte() {
            Some(0) => None,
            Some(_) => {
                let (Some(share), Some([configuration, thread])) = (reader.byte(), reader.longs()) else {
                    return Ok(None);
                };
                let pair = Pair { configuration: configuration as usize, thread: thread as usize };
                Some(Origin::new(share, pair))
            }
            None => return Ok(None),
        };
        // The first share knows its own numbers.
        if at.share == 0 {
            return Ok(Some((at.pair, origin)));
        }
        let Some(letter) = Letter::read(&mut reader) else { return Ok(None) };
        let (first, mut told) = (&mut self.rounds.shares[0], Told::default());
        Ok(match first.next(at.share, &mut Words::of(&letter), &mut told)? {
            true => Some((first.keep(at.share, &mut told)?, origin)),
            false => None,
        })
    }

    /// What a share of this process knows of a pair.
    fn told(&mut self, at: At) -> Result<Vec<u8>, Stopped> {
        let own = self.rounds.team.own();
        let share = at.share.checked_sub(self.rounds.team.here().start).map(usize::from);
        let share = share.and_then(|n| self.rounds.shares.get_mut(n)).ok_or(Stopped::Lost(own))?;
        let n_threads = share.search.roles.len();
        let is_thread = at.pair.thread < n_threads || at.pair.thread == NOBODY;
        if at.pair.configuration >= share.search.store.len() || !is_thread {
            return Err(Stopped::Lost(own));
        }
        let mut writer = Writer::default();
        let origin = share.search.origins.of(at.pair);
        writer.byte(u8::from(origin.is_some()));
        if let Some(origin) = origin {
            writer.byte(origin.share);
            let Pair { configuration, thread } = origin.pair();
            [configuration, thread].into_iter().for_each(|n| writer.long(n as u64));
        }
        if at.share != 0 {
            share.tell(0, at.pair);
            share.take_mail(0).write(&mut writer);
        }
        Ok(writer.0)
    }

    /// Tells the first process what it asks for, until it has finished.
    fn serve(&mut self) -> Result<(), Stopped> {
        loop {
            let heard = self.rounds.team.exchange(|_| Vec::new())?;
            let mut reader = Reader(&heard[0]);
            let mut answer = Vec::new();
            match reader.byte() {
                Some(FINISHES) => return Ok(()),
                Some(ASKS) => {
                    let (share, pair) = (reader.byte(), reader.longs());
                    let (Some(share), Some([configuration, thread])) = (share, pair) else {
                        return Err(Stopped::Lost(0));
                    };
                    let pair = Pair { configuration: configuration as usize, thread: thread as usize };
                    answer = self.told(At { share, pair }).map_err(|_| Stopped::Lost(0))?;
                }
                _ => {}
            }
            self.rounds.team.exchange(|process| if process == 0 { answer.clone() } else { Vec::new() })?;
        }
    }

    /// Brings everything that was looked at to the first share; says whether it is here.
    pub(super) fn gather(&mut self, limits: &Limits<'_>) -> Result<bool, Stopped> {
        let is_first = self.rounds.team.own() == 0;
        let counts: Vec<usize> = self.rounds.shares.iter().map(|share| share.search.store.len()).collect();
        let mut next = 0;
        loop {
            let mut writer = Writer::default();
            let mut is_left = false;
            for (n, count) in counts.iter().copied().enumerate().skip(usize::from(is_first)) {
                let end = count.min(next + AT_ONCE);
                is_left |= end < count;
                let letter = self.rounds.shares[n].hand_over(next.min(end)..end);
                match is_first {
                    true => self.keep_all(n as u8, &letter)?,
                    false => letter.write(&mut writer),
                }
            }
            let stopped = self.too_much(limits);
            let state = match (stopped, is_left) {
                (true, _) => 2,
                (false, true) => 1,
                (false, false) => 0,
            };
            let heard = self.rounds.team.exchange(|process| {
                let letters = if process == 0 && !is_first { &writer.0[..] } else { &[] };
                [&[state], letters].concat()
            })?;
            if heard.iter().any(|told| told.first() == Some(&2)) {
                return Err(Stopped::Memory);
            }
            if is_first {
                for (process, told) in (0..).zip(&heard).skip(1) {
                    let mut reader = Reader(told.get(1..).unwrap_or_default());
                    for share in self.rounds.team.of(process) {
                        let letter: Letter = Letter::read(&mut reader).ok_or(Stopped::Lost(process))?;
                        self.keep_all(share, &letter)?;
                    }
                }
            }
            if heard.iter().all(|told| told.first() == Some(&0)) {
                return Ok(is_first);
            }
            next += AT_ONCE;
        }
    }

    fn keep_all(&mut self, from: u8, letter: &[u32]) -> Result<(), Stopped> {
        let (mut words, mut told) = (Words::of(letter), Told::default());
        let first = &mut self.rounds.shares[0];
        while first.next(from, &mut words, &mut told)? {
            first.keep(from, &mut told)?;
        }
        Ok(())
    }

    /// This process holds more than it may.
    fn too_much(&self, limits: &Limits<'_>) -> bool {
        self.bytes_here() > limits.bytes() || limits.stop.is_requested().is_some()
    }
}

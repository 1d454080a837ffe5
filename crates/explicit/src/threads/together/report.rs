//! How far a process came in a round of a search of threads.

use super::share::Share;
use crate::Stopped;
use crate::peers::{Reader, Writer};
use crate::shares::{code, stopped};
use crate::threads::origins::Pair;

/// Where a target was met: a share, and a pair of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct At {
    pub(super) share: u8,
    pub(super) pair: Pair,
}

/// What a process tells the others; or what all have told, put together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Report {
    pub(super) stopped: Option<Stopped>,
    pub(super) states: u64,
    pub(super) entries: u64,
    pub(super) bytes: u64,
    /// Configurations that were told to other shares in this round.
    pub(super) letters: u64,
    /// Configurations of this level, or round.
    pub(super) n_new: u64,
    pub(super) words: u64,
    pub(super) is_busy: bool,
    pub(super) least: Vec<Option<u32>>,
    pub(super) cut: Option<u32>,
    /// Where a target was met first, if runs are wanted.
    pub(super) hit: Option<At>,
}

impl Report {
    /// What the shares of a process have done.
    pub(super) fn new(shares: &mut [Share<'_>], stopped: Option<Stopped>) -> Self {
        let mut all = Self { stopped, ..Self::default() };
        for share in shares {
            let figures = share.search.figures();
            let mail = share.search.mail.as_mut().expect("a share has an outbox");
            let (number, letters) = (mail.share.number, mail.take_count());
            all = all.with(Self {
                stopped: None,
                states: figures.states,
                entries: figures.entries,
                bytes: figures.bytes,
                letters,
                n_new: share.n_new(),
                words: figures.words as u64,
                is_busy: !share.is_idle(),
                least: share.search.least.clone(),
                cut: share.search.cut,
                hit: share.search.origins.hit().map(|pair| At { share: number, pair }),
            });
        }
        all
    }

    /// Both together.
    pub(super) fn with(self, other: Self) -> Self {
        let least = |n: usize| {
            let both = [&self.least, &other.least].map(|least| least.get(n).copied().flatten());
            both.into_iter().flatten().min()
        };
        Self {
            stopped: self.stopped.or(other.stopped),
            states: self.states + other.states,
            entries: self.entries + other.entries,
            bytes: self.bytes + other.bytes,
            letters: self.letters + other.letters,
            n_new: self.n_new + other.n_new,
            words: self.words.max(other.words),
            is_busy: self.is_busy || other.is_busy,
            least: (0..self.least.len().max(other.least.len())).map(least).collect(),
            cut: self.cut.into_iter().chain(other.cut).min(),
            hit: self.hit.or(other.hit),
        }
    }

    /// Nothing is left to be done, and no letter is on its way.
    pub(super) fn is_settled(&self) -> bool {
        !self.is_busy && self.letters == 0
    }

    /// Every target has been met.
    pub(super) fn has_all(&self) -> bool {
        !self.least.is_empty() && self.least.iter().all(Option::is_some)
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.byte(self.stopped.map_or(0, code));
        let Self { states, entries, bytes, letters, n_new, words, .. } = *self;
        [states, entries, bytes, letters, n_new, words].into_iter().for_each(|n| writer.long(n));
        writer.byte(u8::from(self.is_busy));
        writer.word(self.least.len() as u32);
        for number in self.least.iter().chain([&self.cut]) {
            writer.long(number.map_or(u64::MAX, u64::from));
        }
        writer.byte(u8::from(self.hit.is_some()));
        if let Some(At { share, pair }) = self.hit {
            writer.byte(share);
            [pair.configuration, pair.thread].into_iter().for_each(|n| writer.long(n as u64));
        }
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let stopped = match reader.byte()? {
            0 => None,
            code => Some(stopped(code)?),
        };
        let [states, entries, bytes, letters, n_new, words] = reader.longs()?;
        let is_busy = reader.byte()? != 0;
        let n_targets = reader.word()?;
        let mut number = || reader.long().map(|number| u32::try_from(number).ok());
        let least = (0..n_targets).map(|_| number()).collect::<Option<Vec<Option<u32>>>>()?;
        let cut = number()?;
        let hit = match reader.byte()? {
            0 => None,
            _ => {
                let share = reader.byte()?;
                let [configuration, thread] = reader.longs()?.map(|n| n as usize);
                Some(At { share, pair: Pair { configuration, thread } })
            }
        };
        Some(Self { stopped, states, entries, bytes, letters, n_new, words, is_busy, least, cut, hit })
    }
}

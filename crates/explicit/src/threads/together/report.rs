//! How far a process came in a round of a search of threads.

use super::super::origins::Pair;
use super::share::Share;
use crate::Stopped;
use crate::peers::{Reader, Writer};
use crate::shares::{Progress, Report};

/// Where a target was met: a share, and a pair of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct At {
    pub(super) share: u8,
    pub(super) pair: Pair,
}

/// What a process tells the others; or what all have told, put together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Told {
    pub(super) progress: Progress,
    /// Configurations of this level, or round.
    pub(super) n_new: u64,
    pub(super) words: u64,
    pub(super) least: Vec<Option<u32>>,
    pub(super) cut: Option<u32>,
    /// Where a target was met first, if runs are wanted.
    pub(super) hit: Option<At>,
}

impl Told {
    /// What the shares of a process have done.
    pub(super) fn new(shares: &[Share<'_>], stopped: Option<Stopped>) -> Self {
        let told = |share: &Share<'_>| {
            let figures = share.search.figures();
            let at = |pair| At { share: share.number(), pair };
            Self {
                progress: Progress::of(&figures),
                n_new: share.n_new(),
                words: figures.words as u64,
                least: share.search.least.clone(),
                cut: share.search.cut,
                hit: share.search.origins.hit().map(at),
            }
        };
        Progress::of_all(shares.iter().map(told), stopped)
    }

    /// Every target has been met.
    pub(super) fn has_all(&self) -> bool {
        !self.least.is_empty() && self.least.iter().all(Option::is_some)
    }
}

impl Report for Told {
    fn progress(&mut self) -> &mut Progress {
        &mut self.progress
    }

    fn with(self, other: Self) -> Self {
        let least = |n: usize| {
            let both = [&self.least, &other.least].map(|least| least.get(n).copied().flatten());
            both.into_iter().flatten().min()
        };
        Self {
            progress: self.progress.with(other.progress),
            n_new: self.n_new + other.n_new,
            words: self.words.max(other.words),
            least: (0..self.least.len().max(other.least.len())).map(least).collect(),
            cut: self.cut.into_iter().chain(other.cut).min(),
            hit: self.hit.or(other.hit),
        }
    }

    fn write(&self, writer: &mut Writer) {
        self.progress.write(writer);
        [self.n_new, self.words].into_iter().for_each(|n| writer.long(n));
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

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let progress = Progress::read(reader)?;
        let [n_new, words] = reader.longs()?;
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
        Some(Self { progress, n_new, words, least, cut, hit })
    }
}

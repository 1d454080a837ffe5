//! How far a process came in a round.

use crate::peers::{Reader, Writer};
use crate::search::Search;
use crate::trace::At;
use crate::{Figures, Stopped};
use base::StopReason;

/// What a process tells the others after a round; or what all have told, put together in their order.
pub(crate) trait Report: Default {
    /// What every search tells.
    fn progress(&mut self) -> &mut Progress;

    /// Both together.
    fn with(self, other: Self) -> Self;

    fn write(&self, writer: &mut Writer);
    fn read(reader: &mut Reader<'_>) -> Option<Self>;
}

/// What every search in shares tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) stopped: Option<Stopped>,
    pub(crate) states: u64,
    pub(crate) entries: u64,
    pub(crate) bytes: u64,
    /// Letters that were written in this round.
    pub(crate) letters: u64,
    /// Somebody has something left to do, or a letter is on its way.
    pub(crate) is_busy: bool,
}

impl Progress {
    /// What a share has come to.
    pub(crate) fn of(&Figures { states, entries, bytes, .. }: &Figures) -> Self {
        Self { states, entries, bytes, ..Self::default() }
    }

    /// Of all shares of a process together: what each of them tells, and why the process stops.
    pub(crate) fn of_all<R: Report>(shares: impl Iterator<Item = R>, stopped: Option<Stopped>) -> R {
        let mut all = shares.fold(R::default(), R::with);
        all.progress().stopped = stopped;
        all
    }

    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            stopped: self.stopped.or(other.stopped),
            states: self.states + other.states,
            entries: self.entries + other.entries,
            bytes: self.bytes + other.bytes,
            letters: self.letters + other.letters,
            is_busy: self.is_busy || other.is_busy,
        }
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.byte(self.stopped.map_or(0, code));
        [self.states, self.entries, self.bytes, self.letters].into_iter().for_each(|n| writer.long(n));
        writer.byte(u8::from(self.is_busy));
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let stopped = match reader.byte()? {
            0 => None,
            code => Some(stopped(code)?),
        };
        let [states, entries, bytes, letters] = reader.longs()?;
        Some(Self { stopped, states, entries, bytes, letters, is_busy: reader.byte()? != 0 })
    }
}

/// What a process tells of a sequential program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Told {
    pub(super) progress: Progress,
    pub(super) edges: u64,
    pub(super) ends: bool,
    pub(super) blocks: bool,
    /// For each goal where it was found first.
    pub(super) found: Vec<Option<At>>,
}

impl Told {
    /// What the shares of a process have done.
    pub(super) fn new<const W: usize>(shares: &[Search<'_, W>], stopped: Option<Stopped>) -> Self {
        let n_goals = shares.first().map_or(0, |share| share.goals.found.len());
        let mut told = Self { found: vec![None; n_goals], ..Self::default() };
        for share in shares {
            let figures = share.figures();
            told.progress.states += figures.states;
            // The root included.
            told.progress.entries += share.activations.entries.len() as u64;
            told.progress.bytes += figures.bytes;
            told.edges += figures.edges;
            told.ends |= figures.ends;
            told.blocks |= figures.blocks;
            for (known, state) in told.found.iter_mut().zip(&share.goals.found) {
                *known = known.or(state.map(|state| At { share: share.share.number, state }));
            }
        }
        told.progress.stopped = stopped;
        told
    }
}

impl Report for Told {
    fn progress(&mut self) -> &mut Progress {
        &mut self.progress
    }

    fn with(mut self, other: Self) -> Self {
        self.found.resize(other.found.len(), None);
        self.found.iter_mut().zip(other.found).for_each(|(known, found)| *known = known.or(found));
        Self {
            progress: self.progress.with(other.progress),
            edges: self.edges + other.edges,
            ends: self.ends || other.ends,
            blocks: self.blocks || other.blocks,
            found: self.found,
        }
    }

    fn write(&self, writer: &mut Writer) {
        self.progress.write(writer);
        writer.long(self.edges);
        writer.byte(u8::from(self.ends) | u8::from(self.blocks) << 1);
        writer.word(self.found.len() as u32);
        for found in &self.found {
            writer.at(found.unwrap_or(At { share: 0, state: u32::MAX }));
        }
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (progress, edges) = (Progress::read(reader)?, reader.long()?);
        let flags = reader.byte()?;
        let n_found = reader.word()?;
        let found = (0..n_found).map(|_| {
            let at = reader.at()?;
            Some((at.state != u32::MAX).then_some(at))
        });
        let found = found.collect::<Option<Vec<Option<At>>>>()?;
        let (ends, blocks) = (flags & 1 == 1, flags >> 1 & 1 == 1);
        Some(Self { progress, edges, ends, blocks, found })
    }
}

/// The reasons to stop that a process may have, from 1 on.
const REASONS: [Stopped; 9] = [
    Stopped::Memory,
    Stopped::States,
    Stopped::TooLarge,
    Stopped::TooWide,
    Stopped::Untaken,
    Stopped::Requested(StopReason::Time),
    Stopped::Requested(StopReason::Memory),
    Stopped::Requested(StopReason::Interrupt),
    Stopped::Requested(StopReason::Work),
];

pub(crate) fn code(stopped: Stopped) -> u8 {
    let n = REASONS.iter().position(|reason| *reason == stopped);
    n.map_or(REASONS.len(), |n| n + 1) as u8
}

pub(crate) fn stopped(code: u8) -> Option<Stopped> {
    REASONS.get(usize::from(code.checked_sub(1)?)).copied()
}

//! How far a process came in a round.

use crate::Stopped;
use crate::peers::{Reader, Writer};
use crate::search::Search;
use crate::trace::At;
use base::StopReason;

/// What a process tells the others; or what all have told, put together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Report {
    pub(super) stopped: Option<Stopped>,
    pub(super) states: u64,
    /// The root included.
    pub(super) entries: u64,
    pub(super) edges: u64,
    pub(super) bytes: u64,
    /// Letters that were written in this round.
    pub(super) letters: u64,
    /// Some share has states left to look at, or a letter is on its way.
    pub(super) is_busy: bool,
    pub(super) ends: bool,
    pub(super) blocks: bool,
    /// For each goal where it was found first.
    pub(super) found: Vec<Option<At>>,
}

impl Report {
    /// What the shares of a process have done.
    pub(super) fn new<const W: usize>(
        shares: &[Search<'_, W>],
        n_handed_over: u64,
        stopped: Option<Stopped>,
    ) -> Self {
        let n_goals = shares.first().map_or(0, |share| share.goals.found.len());
        let mut report =
            Self { stopped, letters: n_handed_over, found: vec![None; n_goals], ..Self::default() };
        for share in shares {
            let figures = share.figures();
            report.states += figures.states;
            report.entries += share.activations.entries.len() as u64;
            report.edges += figures.edges;
            report.bytes += figures.bytes;
            let n_letters = share.mail.iter().map(|mail| mail.len() as u64).sum::<u64>();
            report.letters += n_letters;
            report.is_busy |= !share.is_idle() || n_letters > 0;
            report.ends |= figures.ends;
            report.blocks |= figures.blocks;
            for (known, state) in report.found.iter_mut().zip(&share.goals.found) {
                *known = known.or(state.map(|state| At { share: share.share.number, state }));
            }
        }
        report
    }

    /// What all have told, in their order.
    pub(super) fn of_all(reports: Vec<Report>) -> Self {
        let mut reports = reports.into_iter();
        let mut all = reports.next().unwrap_or_default();
        for report in reports {
            all.stopped = all.stopped.or(report.stopped);
            all.states += report.states;
            all.entries += report.entries;
            all.edges += report.edges;
            all.bytes += report.bytes;
            all.letters += report.letters;
            all.is_busy |= report.is_busy;
            all.ends |= report.ends;
            all.blocks |= report.blocks;
            all.found.iter_mut().zip(report.found).for_each(|(known, found)| *known = known.or(found));
        }
        all
    }

    /// Nobody has anything left to do.
    pub(super) fn is_over(&self) -> bool {
        !self.is_busy
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.byte(self.stopped.map_or(0, code));
        [self.states, self.entries, self.edges, self.bytes, self.letters]
            .into_iter()
            .for_each(|n| writer.long(n));
        writer.byte(u8::from(self.is_busy) | u8::from(self.ends) << 1 | u8::from(self.blocks) << 2);
        writer.word(self.found.len() as u32);
        for found in &self.found {
            writer.at(found.unwrap_or(At { share: 0, state: u32::MAX }));
        }
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let stopped = match reader.byte()? {
            0 => None,
            code => Some(stopped(code)?),
        };
        let [states, entries, edges, bytes, letters] = reader.longs()?;
        let flags = reader.byte()?;
        let n_found = reader.word()?;
        let found = (0..n_found).map(|_| {
            let at = reader.at()?;
            Some((at.state != u32::MAX).then_some(at))
        });
        let found = found.collect::<Option<Vec<Option<At>>>>()?;
        let has = |bit: u8| flags >> bit & 1 == 1;
        let (is_busy, ends, blocks) = (has(0), has(1), has(2));
        Some(Self { stopped, states, entries, edges, bytes, letters, is_busy, ends, blocks, found })
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

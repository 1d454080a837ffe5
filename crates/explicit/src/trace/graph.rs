//! What a search remembers of how it found its states, wherever they are kept.

use crate::program::Program;
use crate::search::{Entry, Halt, Masks, Search};
use crate::table::{FAIR, NONE, Record};

/// A state of a share of the search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct At {
    pub(crate) share: u8,
    pub(crate) state: u32,
}

/// One move of an activation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Move {
    /// By a block from one state to another.
    Block(At, u32, At),
    /// By a call that returns: from the caller, by way of the exit, to a state.
    Summary(At, At, At),
}

/// How an activation begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entrance {
    pub(crate) module: u32,
    /// Its first state.
    pub(crate) start: At,
    /// Who called it first, and by which block.
    pub(crate) caller: At,
    pub(crate) block: u32,
}

/// The states of a search, and how each was found first.
pub(crate) trait Graph<const W: usize> {
    fn program(&self) -> &Program;
    fn masks(&self) -> &Masks<W>;
    fn record(&self, at: At) -> Result<Record<W>, Halt>;
    /// How a state was found; not at all if its activation starts there.
    fn found_by(&self, at: At) -> Result<Option<Move>, Halt>;
    /// The beginning of the activation that a state belongs to.
    fn entrance(&self, at: At) -> Result<Entrance, Halt>;
}

/// All shares are here.
pub(crate) struct Here<'s, 'p, const W: usize>(pub(crate) &'s [Search<'p, W>]);

impl<const W: usize> Here<'_, '_, W> {
    /// The first state of the activation that a state belongs to.
    pub(crate) fn start(&self, at: At) -> At {
        self.0[usize::from(at.share)].start(at.state)
    }
}

impl<const W: usize> Graph<W> for Here<'_, '_, W> {
    fn program(&self) -> &Program {
        self.0[0].program
    }

    fn masks(&self) -> &Masks<W> {
        &self.0[0].masks
    }

    fn record(&self, at: At) -> Result<Record<W>, Halt> {
        Ok(self.0[usize::from(at.share)].states.records[at.state as usize])
    }

    fn found_by(&self, at: At) -> Result<Option<Move>, Halt> {
        Ok(self.0[usize::from(at.share)].found_by(at.state))
    }

    fn entrance(&self, at: At) -> Result<Entrance, Halt> {
        let start = self.start(at);
        Ok(self.0[usize::from(start.share)].entrance(start.state))
    }
}

impl<const W: usize> Search<'_, W> {
    /// How a state of this share was found.
    pub(crate) fn found_by(&self, state: u32) -> Option<Move> {
        let own = self.share.number;
        let (before, how) = self.states.parents[state as usize];
        let [share, exit_share] = self.states.shares.get(state as usize).copied().unwrap_or([own; 2]);
        let (from, to) = (At { share, state: before }, At { share: own, state });
        (before != NONE).then_some(match how & FAIR {
            0 => Move::Block(from, how, to),
            _ => Move::Summary(from, At { share: exit_share, state: how & !FAIR }, to),
        })
    }

    /// The first state of the activation that a state of this share belongs to.
    pub(crate) fn start(&self, state: u32) -> At {
        self.home(self.states.records[state as usize].entry())
    }

    /// The beginning of the activation that starts in a state of this share.
    pub(crate) fn entrance(&self, state: u32) -> Entrance {
        let entry = self.states.records[state as usize].entry();
        let Entry { start, module, first: (caller, site), .. } = self.activations.entries[entry as usize];
        Entrance {
            module,
            start: At { share: self.share.number, state: start },
            caller: At { share: site.share(), state: caller },
            block: site.block(),
        }
    }
}

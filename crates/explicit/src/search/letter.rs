//! What the shares of a search tell each other.
//!
//! A search may be cut into shares: an entry belongs to one of them, with all its states. A call of an entry of another share, and what
//! an exit leaves to a caller of another share, are letters. Contract: shares that deliver all letters find together what one search
//! finds alone, whatever the order in which letters arrive.

use super::{Halt, Search};
use crate::Limits;
use crate::program::Kind;
use crate::table::{NONE, hash};

/// Which part of the entries a search looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Share {
    pub(crate) number: u8,
    pub(crate) of: u8,
}

impl Share {
    /// All of them.
    pub(crate) const WHOLE: Share = Share { number: 0, of: 1 };
}

/// Where a caller calls: its share and the block, in 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Site(u32);

/// So many blocks of a program have numbers in a [`Site`].
pub(crate) const MOST_BLOCKS: usize = 1 << BLOCK_BITS;

const BLOCK_BITS: u32 = 24;

impl Site {
    /// Nobody calls.
    pub(crate) const NOWHERE: Site = Site(NONE);

    pub(crate) fn new(share: u8, block: u32) -> Self {
        Self(u32::from(share) << BLOCK_BITS | block)
    }

    pub(crate) fn share(self) -> u8 {
        (self.0 >> BLOCK_BITS) as u8
    }

    pub(crate) fn block(self) -> u32 {
        self.0 & ((1 << BLOCK_BITS) - 1)
    }
}

/// A call, or what an exit leaves to a caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Letter<const W: usize> {
    /// The caller: a state of the share that calls.
    pub(crate) from: u32,
    /// Its block.
    pub(crate) block: u32,
    /// The exit, a state of the share that sends the letter; none if it is a call.
    pub(crate) exit: u32,
    /// The call leaves a state at a goal; or the callee has passed one.
    pub(crate) is_fair: bool,
    /// The values with which the callee starts, or ends.
    pub(crate) key: [u64; W],
}

impl<const W: usize> Search<'_, W> {
    /// The share that an entry belongs to. The tables use high bits of a hash, so this is another one.
    #[inline]
    pub(crate) fn owner(&self, module: usize, key: &[u64; W]) -> u8 {
        if self.share.of == 1 {
            return 0;
        }
        let code = hash(!(module as u64), key);
        (((code & 0xFFFF_FFFF) * u64::from(self.share.of)) >> 32) as u8
    }

    /// Tells another share something.
    pub(super) fn send(&mut self, to: u8, letter: Letter<W>) -> Result<(), Halt> {
        self.budget.push(&mut self.letters[usize::from(to)], letter)?;
        Ok(())
    }

    /// The letters that have been written to a share, once.
    pub(crate) fn take_letters(&mut self, to: u8) -> Vec<Letter<W>> {
        let letters = std::mem::take(&mut self.letters[usize::from(to)]);
        self.budget.used -= letters.capacity() * size_of::<Letter<W>>();
        letters
    }

    /// A letter that comes from elsewhere is one that could have been written.
    pub(crate) fn expects(&self, letter: &Letter<W>) -> bool {
        let block = self.program.blocks.get(letter.block as usize);
        let is_call = block.is_some_and(|block| matches!(block.kind, Kind::Call { .. }));
        is_call && (letter.exit == NONE || (letter.from as usize) < self.states.records.len())
    }

    /// A round: reads what each share says, and takes up to so many steps; says how many.
    pub(crate) fn turn(
        &mut self,
        letters: &[Vec<Letter<W>>],
        n_most: u32,
        limits: &Limits<'_>,
    ) -> Result<u32, Halt> {
        for (from, letters) in (0..).zip(letters) {
            self.read(from, letters)?;
        }
        self.slice(n_most, limits)
    }

    /// Reads what another share says.
    pub(crate) fn read(&mut self, from: u8, letters: &[Letter<W>]) -> Result<(), Halt> {
        for letter in letters {
            let Letter { from: state, block, exit, is_fair, key } = *letter;
            if exit != NONE {
                self.go_on(state, block, (from, exit, is_fair), &key, 0)?;
            } else {
                let Kind::Call { callee, .. } = self.program.blocks[block as usize].kind else {
                    unreachable!("a caller calls")
                };
                let site = Site::new(from, block);
                let callee = self.enter(callee as usize, key, 0, (state, site))?;
                if self.log.is_kept {
                    let start = self.activations.entries[callee as usize].start;
                    self.log_edge(from, (state, start, block), is_fair)?;
                }
                self.wait(state, site, callee)?;
            }
            self.schedule()?;
        }
        Ok(())
    }
}

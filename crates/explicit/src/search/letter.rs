//! What the shares of a search tell each other.
//!
//! A search may be cut into shares: an entry belongs to one of them, with all its states, or with those at its start and its exit (see
//! [`super::owner`]). A call of an entry of another share, what an exit leaves to a caller of another share, and a step to a state of another share
//! are letters. Contract: shares that deliver all letters find together what one search finds alone, whatever the order in which letters arrive.

use super::owner::Stray;
use super::{Halt, Origin, Search};
use crate::peers::{Reader, Writer};
use crate::program::Kind;
use crate::shares::{Letters, Part};
use crate::table::{FAIR, NONE};
use crate::{Limits, Stopped};

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

/// What a share tells another one in a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mail<const W: usize> {
    pub(crate) letters: Vec<Letter<W>>,
    pub(crate) strays: Vec<Stray<W>>,
}

impl<const W: usize> Default for Mail<W> {
    fn default() -> Self {
        Self { letters: Vec::new(), strays: Vec::new() }
    }
}

impl<const W: usize> Mail<W> {
    fn bytes(&self) -> usize {
        self.letters.capacity() * size_of::<Letter<W>>() + self.strays.capacity() * size_of::<Stray<W>>()
    }
}

impl<const W: usize> Search<'_, W> {
    /// Tells another share something.
    pub(super) fn send(&mut self, to: u8, letter: Letter<W>) -> Result<(), Halt> {
        Ok(self.budget.push(&mut self.mail[usize::from(to)].letters, letter)?)
    }

    /// Hands a state over to the share that it belongs to.
    pub(super) fn send_away(&mut self, to: u8, stray: Stray<W>) -> Result<(), Halt> {
        Ok(self.budget.push(&mut self.mail[usize::from(to)].strays, stray)?)
    }

    /// Reads what another share says.
    fn read_all(&mut self, from: u8, mail: &Mail<W>) -> Result<(), Halt> {
        self.read_letters(from, &mail.letters)?;
        for stray in &mail.strays {
            self.take_in(from, stray)?;
            self.schedule()?;
        }
        Ok(())
    }

    /// Reads what another share says of calls.
    fn read_letters(&mut self, from: u8, letters: &[Letter<W>]) -> Result<(), Halt> {
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
                    let origin = Origin { before: state, how: block, shares: [from; 2] };
                    self.log_edge(origin, start, is_fair)?;
                }
                self.wait(state, site, callee)?;
            }
            self.schedule()?;
        }
        Ok(())
    }
}

impl<const W: usize> Part for Search<'_, W> {
    type Mail = Mail<W>;

    fn work(&mut self, mail: &[Mail<W>], n_most: u32, limits: &Limits<'_>) -> Result<u32, Stopped> {
        for (from, mail) in (0..).zip(mail) {
            self.read_all(from, mail)?;
        }
        Ok(self.slice(n_most, limits)?)
    }

    fn is_idle(&self) -> bool {
        self.agenda.is_empty()
    }

    fn is_answered(&self) -> bool {
        self.has_answer()
    }

    fn is_about_to_grow(&self, n_steps: u32) -> bool {
        self.is_about_to_grow(n_steps)
    }

    fn grow_early(&mut self) {
        self.grow_early();
    }

    fn bytes(&self) -> u64 {
        self.budget.used as u64
    }

    fn allow(&mut self, bytes: u64) {
        self.budget.allowed = usize::try_from(bytes).unwrap_or(usize::MAX);
    }

    fn take_mail(&mut self, to: u8) -> Mail<W> {
        let mail = std::mem::take(&mut self.mail[usize::from(to)]);
        self.budget.used -= mail.bytes();
        mail
    }

    fn expects(&self, mail: &Mail<W>) -> bool {
        let is_letter = |letter: &Letter<W>| {
            let block = self.program.blocks.get(letter.block as usize);
            let is_call = block.is_some_and(|block| matches!(block.kind, Kind::Call { .. }));
            is_call && (letter.exit == NONE || (letter.from as usize) < self.states.records.len())
        };
        let is_stray = |stray: &Stray<W>| {
            let is_block = stray.how & FAIR != 0 || (stray.how as usize) < self.program.blocks.len();
            let (home, is_point) = (stray.home, (stray.point as usize) < self.program.points.len());
            let is_home =
                home.share != self.share.number || (home.state as usize) < self.states.records.len();
            is_block && is_point && is_home && home.share < self.share.of
        };
        mail.letters.iter().all(is_letter) && mail.strays.iter().all(is_stray)
    }
}

impl<const W: usize> Letters for Mail<W> {
    fn n_letters(&self) -> u64 {
        (self.letters.len() + self.strays.len()) as u64
    }

    fn write(&self, writer: &mut Writer) {
        writer.word(self.letters.len() as u32);
        for Letter { from, block, exit, is_fair, key } in &self.letters {
            [*from, *block, *exit].into_iter().for_each(|n| writer.word(n));
            writer.byte(u8::from(*is_fair));
            key.iter().for_each(|word| writer.long(*word));
        }
        writer.word(self.strays.len() as u32);
        for Stray { home, point, before, how, exit_share, has_passed, is_fair, key } in &self.strays {
            writer.at(*home);
            [*point, *before, *how].into_iter().for_each(|n| writer.word(n));
            [*exit_share, u8::from(*has_passed), u8::from(*is_fair)].into_iter().for_each(|n| writer.byte(n));
            key.iter().for_each(|word| writer.long(*word));
        }
    }

    fn read(reader: &mut Reader<'_>) -> Option<Mail<W>> {
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
}

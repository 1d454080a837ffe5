//! Which share a state belongs to, and activations whose states are in several.
//!
//! Dealt by entry, a share has all states of an entry. Dealt by state, it has those that a hash gives it; the states at the start and at the exit of an
//! entry stay where the entry is at home, so that calls and returns meet there as they do in one search. Elsewhere the entry is a guest: known by
//! the state at its start. Contract: who owns a state depends on what it is, not on who found it, so it is found once.

use super::{Halt, Origin, Search};
use crate::shares::SharedBy;
use crate::table::{Table, hash};
use crate::trace::At;

/// Which part of the states a search looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Share {
    pub(crate) number: u8,
    pub(crate) of: u8,
    pub(crate) by: SharedBy,
}

impl Share {
    /// All of them.
    pub(crate) const WHOLE: Share = Share { number: 0, of: 1, by: SharedBy::Entry };
}

/// A state on its way to the share that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stray<const W: usize> {
    /// The state at the start of its activation.
    pub(crate) home: At,
    pub(crate) point: u32,
    /// The state before it, one of the share that sends it, and how it is reached from there, as in [`Origin`].
    pub(crate) before: u32,
    pub(crate) how: u32,
    /// If it is reached by way of an exit, the share of that.
    pub(crate) exit_share: u8,
    /// The activation has passed a goal; and the step is fair.
    pub(crate) has_passed: bool,
    pub(crate) is_fair: bool,
    pub(crate) key: [u64; W],
}

/// The number of an entry that is at home elsewhere has this bit.
const GUEST: u32 = 1 << 31;

/// Entries that are at home in other shares: where each starts.
pub(crate) struct Guests {
    homes: Vec<At>,
    table: Table,
}

impl Guests {
    pub(super) fn new() -> Self {
        Self { homes: Vec::new(), table: Table::new() }
    }

    pub(super) fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

fn hash_of_home(home: At) -> u64 {
    hash(u64::from(home.share) << 32 | u64::from(home.state), &[])
}

/// The share of so many that a hash gives something to. The tables use high bits of hashes.
fn dealt(of: u8, code: u64) -> u8 {
    (((code & 0xFFFF_FFFF) * u64::from(of)) >> 32) as u8
}

/// The share of so many that an entry belongs to.
#[inline]
pub(crate) fn owner_among<const W: usize>(of: u8, module: usize, key: &[u64; W]) -> u8 {
    if of == 1 { 0 } else { dealt(of, hash(!(module as u64), key)) }
}

impl<const W: usize> Search<'_, W> {
    /// The share that an entry belongs to.
    #[inline]
    pub(crate) fn owner(&self, module: usize, key: &[u64; W]) -> u8 {
        owner_among(self.share.of, module, key)
    }

    /// States belong to shares one by one.
    #[inline(always)]
    pub(super) fn is_dealt_by_state(&self) -> bool {
        self.share.by == SharedBy::State
    }

    /// The share that a state belongs to, with the values that it keeps.
    fn owner_of_state(&self, home: At, point: u32, key: &[u64; W]) -> u8 {
        let module = &self.program.modules[self.program.points[point as usize].module as usize];
        if point == module.start || point == module.exit {
            return home.share;
        }
        let start = hash(u64::from(home.share), &[u64::from(home.state) << 32 | u64::from(point)]);
        dealt(self.share.of, hash(start, key))
    }

    /// The state at the start of an entry.
    pub(crate) fn home(&self, entry: u32) -> At {
        match entry & GUEST {
            0 => At { share: self.share.number, state: self.activations.entries[entry as usize].start },
            _ => self.guests.homes[(entry & !GUEST) as usize],
        }
    }

    /// The steps from the start of the program to the start of an entry, if somebody counts them.
    pub(super) fn distance(&self, entry: u32) -> u32 {
        self.activations.entries.get(entry as usize).map_or(0, |entry| entry.distance)
    }

    /// The entry that starts in a state.
    fn entry_at(&mut self, home: At) -> Result<u32, Halt> {
        if home.share == self.share.number {
            return Ok(self.states.records[home.state as usize].entry());
        }
        let Self { guests: Guests { homes, table }, budget, .. } = self;
        budget.make_room(table, |n| hash_of_home(homes[n as usize]))?;
        let code = hash_of_home(home);
        match table.find(code, |n| homes[n as usize] == home) {
            Ok(known) => Ok(known | GUEST),
            Err(line) => {
                let number = homes.len() as u32;
                budget.push(homes, home)?;
                table.set(line, code, number);
                Ok(number | GUEST)
            }
        }
    }

    /// A state of an entry is reached: here, or in the share that it belongs to.
    #[inline]
    pub(super) fn reach(
        &mut self,
        (entry, point): (u32, u32),
        key: [u64; W],
        has_passed: bool,
        origin: Origin,
        cost: u32,
        is_fair: bool,
    ) -> Result<(), Halt> {
        if self.is_dealt_by_state()
            && self.reach_elsewhere((entry, point), key, has_passed, origin, is_fair)?
        {
            return Ok(());
        }
        let to = self.insert((entry, point), key, has_passed, origin, cost)?;
        self.note(origin, to, is_fair)
    }

    /// Hands a state over, if it belongs to another share.
    fn reach_elsewhere(
        &mut self,
        (entry, point): (u32, u32),
        mut key: [u64; W],
        has_passed: bool,
        Origin { before, how, shares }: Origin,
        is_fair: bool,
    ) -> Result<bool, Halt> {
        let live = self.masks.live_at(point);
        for n in 0..W {
            key[n] &= live[n];
        }
        let home = self.home(entry);
        let owner = self.owner_of_state(home, point, &key);
        if owner == self.share.number {
            return Ok(false);
        }
        let is_fair = self.log.is_kept && self.leaves_fairly(before, is_fair)?;
        let exit_share = shares[1];
        let stray = Stray { home, point, before, how, exit_share, has_passed, is_fair, key };
        self.send_away(owner, stray)?;
        Ok(true)
    }

    /// A state that comes from another share.
    pub(super) fn take_in(&mut self, from: u8, stray: &Stray<W>) -> Result<(), Halt> {
        let Stray { home, point, before, how, exit_share, has_passed, is_fair, key } = *stray;
        let entry = self.entry_at(home)?;
        let origin = Origin { before, how, shares: [from, exit_share] };
        let to = self.insert((entry, point), key, has_passed, origin, 0)?;
        if self.log.is_kept { self.log_edge(origin, to, is_fair) } else { Ok(()) }
    }
}

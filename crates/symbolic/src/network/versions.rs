//! The levels of the network: four versions of every slot, one below the other.
//!
//! So a renaming that keeps bits in their slots keeps the order of levels.

use crate::slots::{SlotIndex, Slots};
use crate::view::StateLevels;
use dd::Level;

/// A version of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Version {
    /// At the entry of the function.
    Entry,
    /// Now.
    Current,
    /// After a step or a call.
    Next,
    /// What a call hands over, and what comes back.
    Across,
}

const N_VERSIONS: Level = 4;

/// The levels of all versions.
pub(super) struct Versions {
    levels: [StateLevels; N_VERSIONS as usize],
}

impl Versions {
    pub fn new(slots: &Slots) -> Self {
        let (mut locals, mut globals) = (vec![0; slots.n_locals as usize], vec![0; slots.n_globals as usize]);
        for (level, slot) in (0..).step_by(N_VERSIONS as usize).zip(&slots.order) {
            match *slot {
                SlotIndex::Local(n) => locals[n as usize] = level,
                SlotIndex::Global(n) => globals[n as usize] = level,
            }
        }
        let version = |n: usize| {
            let later = |levels: &[Level]| levels.iter().map(|level| level + n as Level).collect();
            StateLevels::new(later(&locals), later(&globals))
        };
        Self { levels: std::array::from_fn(version) }
    }

    /// The first level that no version uses.
    pub fn end(slots: &Slots) -> Level {
        slots.order.len() as Level * N_VERSIONS
    }

    pub fn of(&self, version: Version) -> &StateLevels {
        &self.levels[version as usize]
    }
}

/// The slot of a level of the network.
pub fn slot_of_level(slots: &Slots, level: Level) -> SlotIndex {
    slots.order[(level / N_VERSIONS) as usize]
}

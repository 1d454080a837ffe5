//! Templates: the relations by which formulas speak of a program.
//!
//! Input: a recursive state machine, reduced, and goals. Output: the text that declares the sorts and relations a formula
//! file sees ([`Templates::prelude`]), and the rows of these relations for the solver ([`Templates::give`]). This is the only crate
//! that knows both programs and formulas.
//!
//! A state is a module, a program counter, local slots and global slots, all bits. Counter 0 is the entry of a module, where
//! parameters and globals have values and the other locals have none yet; so summaries carry no copies of those.

#![forbid(unsafe_code)]

mod affinity;
mod arrange;
mod copy;
mod give;
mod mentioned;
mod often;
mod points;
mod slots;
mod target;
mod text;
mod threads;
mod vocabulary;

pub use copy::View;
pub use points::{Point, Points};
pub use slots::{ModuleSlots, SlotBits, SlotIndex, Slots};
pub use threads::{Instance, Threads};
pub use vocabulary::{StateColumns, Template, Vocabulary, Word};

use mentioned::Mentioned;
use rsm::{Reduced, Rsm};

/// Everything that is needed to speak of one program.
pub struct Templates<'r> {
    /// The program.
    pub rsm: &'r Rsm,
    /// Its reduced form.
    pub reduced: &'r Reduced,
    /// Where the bits of variables are.
    pub slots: Slots,
    /// The program counters.
    pub points: Points,
    /// The threads of a concurrent program.
    pub threads: Option<Threads<'r>>,
}

impl<'r> Templates<'r> {
    /// Numbers the points and arranges the slots.
    pub fn new(rsm: &'r Rsm, reduced: &'r Reduced) -> Self {
        let points = Points::new(rsm, reduced, false);
        let mentioned = Mentioned::new(rsm, reduced, std::iter::empty());
        let slots = Slots::new(rsm, reduced, &mentioned, None);
        Self { rsm, reduced, slots, points, threads: None }
    }

    /// The same for a concurrent program, of which these threads are looked at.
    pub fn of_threads(threads: Threads<'r>, reduced: &'r Reduced) -> Self {
        let rsm = &threads.program.machine;
        let points = Points::new(rsm, reduced, true);
        let blocks = &threads.program.blocks;
        let mut mentioned = Mentioned::new(rsm, reduced, blocks.iter().flat_map(|block| &block.init));
        blocks.iter().filter_map(|block| block.flag).for_each(|flag| mentioned.keep_global(flag));
        let slots = Slots::new(rsm, reduced, &mentioned, Some(threads.program.n_shared));
        Self { rsm, reduced, slots, points, threads: Some(threads) }
    }
}

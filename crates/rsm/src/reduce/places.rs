//! The variables of a module as positions in a row of bits: globals first, locals from the next full word on.
//!
//! The same global is the same bit in every module, so sets of globals pass between modules word by word.

use super::bits;
use crate::expr::Expr;
use crate::machine::Place;

/// How variables are numbered.
#[derive(Clone, Copy)]
pub(super) struct Places {
    /// How many words the globals take.
    pub(super) global_words: usize,
}

impl Places {
    /// The numbering for so many globals.
    pub(super) fn new(n_globals: usize) -> Self {
        Self { global_words: bits::n_words(n_globals) }
    }

    /// How many words a row takes that has so many locals.
    pub(super) fn n_words(self, n_locals: usize) -> usize {
        self.global_words + bits::n_words(n_locals)
    }

    /// The number of a variable.
    pub(super) fn bit(self, place: Place) -> usize {
        match place {
            Place::Global(n) => n as usize,
            Place::Local(n) => self.global_words * 64 + n as usize,
        }
    }

    /// The variable of a number.
    pub(super) fn place(self, bit: usize) -> Place {
        match bit.checked_sub(self.global_words * 64) {
            Some(local) => Place::Local(local as u32),
            None => Place::Global(bit as u32),
        }
    }

    /// Adds the variables whose old values an expression reads.
    pub(super) fn insert_reads(self, row: &mut [u64], expr: &Expr) {
        for place in expr.reads() {
            bits::insert(row, self.bit(place));
        }
    }
}

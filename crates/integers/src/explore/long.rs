//! Long runs of programs with large arrays: a few that go through all of them several times, before many short ones are tried, none of which comes to the end of a loop.

use crate::explore::Search;
use crate::explore::choices::{Mixed, Random, Steady};
use crate::program::Program;

/// With so many cells that are there from the beginning, or begin with a block, arrays are large.
const LARGE: u64 = 1 << 12;

/// So many instructions for each of these cells, within a limit.
const FOR_A_CELL: u64 = 128;
const MOST: u64 = 1 << 25;

/// What the first input is where all others are 0: all the same, or one that is not like the others.
const FIRST: [i128; 2] = [1, 0];

/// The limit of a long run of the program, if its arrays are large.
pub(super) fn limit(program: &Program) -> Option<u64> {
    let memory = &program.memory;
    let cells = memory.objects.iter().map(|object| {
        let fields = &memory.classes[object.class.index()].fields;
        object.count.saturating_mul(fields.iter().map(|field| field.n_cells()).sum())
    });
    let n_cells = cells.fold(0, u64::saturating_add);
    (n_cells >= LARGE).then(|| n_cells.saturating_mul(FOR_A_CELL).min(MOST))
}

impl Search<'_> {
    /// Runs with random inputs, and with inputs that are nearly all the same. What they take is not counted, since as much is left for short ones then.
    pub(super) fn long_runs(&mut self, limit: u64, tasteful: &[i128]) {
        let program = self.program;
        let before = self.found.n_instructions;
        let random = Random::new(self.budget.seed);
        let mut choices = Mixed { program, tasteful, random, combination: 0, breadth: 1 };
        let report = self.run_for(&mut choices, limit);
        self.tell(report);
        for first in FIRST {
            if self.is_over() {
                break;
            }
            let report = self.run_for(&mut Steady { program, first: Some(first) }, limit);
            self.tell(report);
        }
        self.found.n_instructions = before;
    }
}

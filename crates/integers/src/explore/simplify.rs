//! From a run that shows something to one that is easier to read: fewer and smaller inputs, and no more steps.

use crate::explore::machine::{Choices, Report};
use crate::explore::{Overflow, Run, Search, Sought};
use crate::program::InputId;

/// So many runs are tried at most, and only so many inputs of a run are looked at.
const MOST_RUNS: u64 = 400;
const MOST_INPUTS: usize = 40;

/// So many instructions are spent on it for each that the run took.
const SHARE: u64 = 4_000_000;

/// Numbers one after the other, and 0 when there are no more.
struct Listed<'p> {
    numbers: &'p [i128],
    fits: &'p dyn Fn(InputId, i128) -> bool,
}

impl Choices for Listed<'_> {
    fn choose(&mut self, input: InputId) -> Option<i128> {
        let (number, rest) = self.numbers.split_first().unwrap_or((&0, &[]));
        self.numbers = rest;
        (self.fits)(input, *number).then_some(*number)
    }
}

impl Search<'_> {
    /// A run that shows the same and is as simple as a few attempts make it.
    pub(super) fn simplified(&mut self, sought: Sought, run: Run) -> Run {
        let (n_runs, n_steps, n_instructions) =
            (self.found.n_runs, self.found.n_steps, self.found.n_instructions);
        let mut best = run;
        let mut n_tried = 0;
        let mut at = 0;
        while at < best.inputs.len().min(MOST_INPUTS) && n_tried < MOST_RUNS {
            let number = best.inputs[at];
            let smaller = candidates(number).into_iter().find_map(|candidate| {
                let mut inputs = best.inputs.clone();
                inputs[at] = candidate;
                n_tried += 1;
                self.attempt(&inputs, sought, &best)
            });
            match smaller {
                Some(run) => best = run,
                None => at += 1,
            }
            if self.found.n_instructions - n_instructions > SHARE || self.budget.stop.requested().is_some() {
                break;
            }
        }
        // What was executed for this is no part of the search.
        (self.found.n_runs, self.found.n_steps, self.found.n_instructions) =
            (n_runs, n_steps, n_instructions);
        best
    }

    /// The run with these inputs, if it shows the same and is simpler.
    fn attempt(&mut self, inputs: &[i128], sought: Sought, best: &Run) -> Option<Run> {
        let program = self.program;
        let fits = |input: InputId, number: i128| program.input(input).ty.contains(number);
        let limit = 64 * (best.n_steps + 16);
        let report = self.run(&mut Listed { numbers: inputs, fits: &fits }, limit);
        let is_shown = self.shown(&report) == Some(sought);
        let Report { inputs, overflow, n_steps, .. } = report;
        let overflow = overflow.map(|(ty, function, edge)| Overflow { ty, function, edge });
        let is_good = is_shown
            && (overflow.is_none() || best.overflow.is_some())
            && n_steps <= best.n_steps
            && size(&inputs) < size(&best.inputs);
        is_good.then_some(Run { inputs, overflow, n_steps })
    }
}

/// Numbers that are simpler than this one, the simplest first.
fn candidates(number: i128) -> Vec<i128> {
    let step = number.signum();
    let mut candidates = vec![0, 1, -1, number / 1000, number / 2, number - 10 * step, number - step];
    candidates.retain(|candidate| complexity(*candidate) < complexity(number));
    candidates.dedup();
    candidates
}

/// Small numbers are simpler than large ones, and positive ones than negative ones.
fn complexity(number: i128) -> u128 {
    2_u128.saturating_mul(number.unsigned_abs()) + u128::from(number < 0)
}

fn size(inputs: &[i128]) -> (usize, u128) {
    (inputs.len(), inputs.iter().map(|number| complexity(*number)).fold(0, u128::saturating_add))
}

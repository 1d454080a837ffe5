//! Inputs with which a run may have no end: each place where one is read gets a number, the same each time.

use super::Budget;
use super::choices::{Constant, tasteful};
use super::compile::compile;
use super::machine::{Allowance, Choices, Halt, run};
use crate::evaluate::Undefined;
use crate::program::{Goal, InputId, Program};
use crate::trace::End;

/// Choices of one number a place whose run does not end within so many instructions, or of which it is not known how it goes on; each
/// once, in the order in which they were found. The budget says how many are tried, and how much that may take in all.
pub fn lasting(program: &Program, instructions: u64, budget: &Budget) -> Vec<Vec<(InputId, i128)>> {
    let code = compile(program);
    let tasteful = tasteful(program);
    let mut found: Vec<Vec<(InputId, i128)>> = Vec::new();
    let mut seen: Vec<Vec<(InputId, i128)>> = Vec::new();
    let mut left = budget.instructions;
    for n in 0..budget.runs {
        if left == 0 || budget.stop.requested().is_some() {
            break;
        }
        let breadth = (tasteful.len() as u64).min(4 + n);
        let seed = budget.seed.wrapping_add(n);
        let mut choices = Constant { program, tasteful: &tasteful, seed, breadth };
        let ids = (0..program.inputs.len()).map(InputId::new);
        let chosen: Vec<(InputId, i128)> = ids.filter_map(|id| Some((id, choices.choose(id)?))).collect();
        if seen.contains(&chosen) {
            continue;
        }
        let allowance = Allowance {
            instructions: instructions.min(left),
            cells: budget.cells,
            goal: Goal::Never,
            stop: &budget.stop,
            tell: &|_| {},
        };
        let report = run(&code, &mut choices, allowance);
        left = left.saturating_sub(report.instructions.max(1));
        let lasts = match report.halt {
            Halt::Infinite { .. } => true,
            Halt::End(end) => {
                matches!(end, End::StepLimit | End::Unknown(_) | End::Undefined(Undefined::TooLarge, ..))
            }
        };
        if lasts {
            found.push(chosen.clone());
        }
        seen.push(chosen);
    }
    found
}

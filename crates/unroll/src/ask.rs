//! Questions to a solver about what all runs do.

use crate::machine::Unrolled;
use crate::script::definitions;
use crate::terms::{Bool, NO, Terms, YES};
use base::Stop;
use smt::{Bits, Manner, Why};
use std::fmt::Write;
use std::path::PathBuf;

/// Whoever is asked.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// The solver's program.
    pub path: PathBuf,
    /// What it may use.
    pub manner: Manner,
    /// When to stop.
    pub stop: Stop,
    /// How often it was asked.
    pub n_asked: u64,
    /// How often it gave up on the way.
    pub n_given_up: u64,
}

/// So often it is waited for in vain on the way: conditions grow as runs go on, and who does not know of short runs does not know of longer ones.
const MOST_GIVEN_UP: u64 = 2;

/// What the answer is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    /// No run.
    No,
    /// With these inputs, one after the other.
    Inputs(Vec<i128>),
    /// Nobody knows.
    Unknown(Why),
}

impl Oracle {
    /// It was asked in vain on the way, and is not asked there any more.
    pub fn has_given_up(&self) -> bool {
        self.n_given_up >= MOST_GIVEN_UP
    }

    /// Whether some run satisfies a condition, as far as is found out with so much effort.
    pub fn may_hold(&mut self, terms: &Terms, condition: Bool, effort: u64) -> bool {
        if condition == NO || condition == YES {
            return condition == YES;
        }
        if self.has_given_up() {
            return true;
        }
        let script = format!("{}(assert b{})\n", definitions(terms, &[condition]), condition.0);
        self.n_asked += 1;
        let manner = Manner { effort, ..self.manner };
        let told = smt::decide(&self.path, &script, &[], manner, &self.stop);
        self.n_given_up += u64::from(matches!(told, Bits::Unknown(_)));
        !matches!(told, Bits::Unsat)
    }

    /// A run that satisfies a condition.
    pub fn run(&mut self, unrolled: &Unrolled, condition: Bool, effort: u64) -> Asked {
        if condition == NO {
            return Asked::No;
        }
        let terms = &unrolled.terms;
        let mut roots = vec![condition];
        roots.extend(&unrolled.chosen);
        let mut script = definitions(terms, &roots);
        let _ = writeln!(script, "(assert b{})", condition.0);
        let chosen = unrolled.chosen.iter().map(|guard| format!("(ite b{} #b1 #b0)", guard.0));
        let inputs = (0..terms.inputs().len()).map(|n| format!("i{n}"));
        let asked: Vec<String> = chosen.chain(inputs).collect();
        self.n_asked += 1;
        let manner = Manner { effort, ..self.manner };
        match smt::decide(&self.path, &script, &asked, manner, &self.stop) {
            Bits::Unsat => Asked::No,
            Bits::Unknown(why) => Asked::Unknown(why),
            Bits::Sat(values) => {
                let (chosen, inputs) = values.split_at(unrolled.chosen.len());
                let inputs = inputs.iter().zip(terms.inputs()).zip(chosen);
                let inputs = inputs.filter(|(_, is_chosen)| **is_chosen == 1);
                Asked::Inputs(inputs.map(|((bits, ty), _)| ty.wrap(*bits as i128)).collect())
            }
        }
    }
}

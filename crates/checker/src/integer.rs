//! Questions about integer programs, and what comes out. [`Execution`] answers them.
//!
//! The integers of a question are those of the machine, unless it says otherwise. They are looked at as those of mathematics first, and an answer says which
//! integers it is about: a run no result of which overflows is one of the machine as well; that there is no run counts only if no result overflows in any, or if
//! results that wrap make none either.

mod execution;
mod reasons;
mod target;

pub use execution::Execution;
pub use target::{IntegerGoal, IntegerTarget, default_integer_targets, named_integer_targets};

use crate::outcome::{Finding, Missing, Unknown, Words};
use crate::problem::Question;
use integers::account::Account;
use integers::{EdgeId, FunctionId, Program, Undefined, checked, wrapped};

/// What happens to a result that does not fit its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arithmetic {
    /// Nobody may rely on it: the integers are those of the machine. Runs are those with the integers of mathematics.
    #[default]
    Machine,
    /// It is kept: the integers are those of mathematics.
    Mathematical,
    /// It is an error, which ends the run.
    Checked,
    /// It keeps its low bits.
    Wrapping,
}

impl Arithmetic {
    /// The program whose mathematical integers are these integers.
    pub fn program(self, program: &Program) -> Program {
        match self {
            Arithmetic::Machine | Arithmetic::Mathematical => program.clone(),
            Arithmetic::Checked => checked(program),
            Arithmetic::Wrapping => wrapped(program),
        }
    }
}

/// A question about an integer program.
#[derive(Clone, Copy, Debug)]
pub struct IntegerProblem<'p> {
    /// The program.
    pub program: &'p Program,
    /// What is asked: whether targets can be reached, or whether a run has no end.
    pub question: Question,
    /// What to reach.
    pub targets: &'p [IntegerTarget],
    /// Which integers are meant.
    pub arithmetic: Arithmetic,
    /// A run is to come with the answer.
    pub wants_trace: bool,
}

impl IntegerProblem<'_> {
    /// The program that is asked about: what is an overflow, or wraps, is part of it.
    pub fn executed(&self) -> Program {
        self.arithmetic.program(self.program)
    }
}

/// Which integers an answer is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// Nothing is known.
    Nothing,
    /// Those of mathematics and those of the machine alike: nothing overflows.
    Both,
    /// Those of mathematics only: what this edge computes is undefined on the machine.
    Mathematics(Undefined, FunctionId, EdgeId),
    /// Those of mathematics and those that wrap: a result may overflow, and it does not matter.
    Either,
    /// Those of mathematics, and those of the machine if nothing overflows, which is not known.
    Assumed,
    /// Those that wrap.
    Wrapping,
}

/// What was executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Runs.
    pub n_runs: u64,
    /// Those of which it is not known how they go on, because of something that is not represented.
    pub n_blocked: u64,
    /// Their steps.
    pub n_steps: u64,
    /// The instructions that this took.
    pub n_instructions: u64,
    /// The time, by the clock of the limits.
    pub time: std::time::Duration,
}

impl Figures {
    /// So many runs depend on what is not represented that more of them would tell no more: one in eight.
    pub fn is_blocked(&self) -> bool {
        self.n_blocked > 0 && self.n_blocked >= self.n_runs / 8
    }
}

/// Everything that was found out.
#[derive(Clone, Debug)]
pub struct IntegerOutcome {
    /// The words for it.
    pub words: Words,
    /// Of all targets together.
    pub finding: Finding,
    /// Of each target.
    pub findings: Vec<Finding>,
    /// Which integers it is about.
    pub about: About,
    /// A result that overflows in some run, if one is known, and the edge that computes it.
    pub overflow: Option<(Undefined, FunctionId, EdgeId)>,
    /// A run, told by the concrete semantics.
    pub account: Option<Account>,
    /// What is missing, and why.
    pub unfinished: Vec<(Missing, Unknown)>,
    /// What else a person may want to know.
    pub remarks: Vec<String>,
    /// What was executed.
    pub figures: Figures,
}

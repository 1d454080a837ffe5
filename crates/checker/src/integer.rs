//! What is particular to integer programs: which integers are meant, what may be reached, and what is found out about them.
//!
//! The integers of a question are those of the machine, unless it says otherwise. They are looked at as those of mathematics first, and an answer says which
//! integers it is about: a run no result of which overflows is one of the machine as well; that there is no run counts only if no result overflows in any, or if
//! results that wrap make none either.

mod proved;
mod target;

pub use proved::Proved;
pub use target::{IntegerGoal, default_integer_targets, faults, named_integer_targets};

use crate::problem::Subject;
use integers::account::Account;
use integers::{EdgeId, Fault, FunctionId, Program, Undefined, checked, wrapped};
use std::time::Duration;

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

/// A program and which integers it computes with.
#[derive(Clone, Debug)]
pub struct IntegerProgram {
    /// The program.
    pub program: Program,
    /// Which integers are meant.
    pub arithmetic: Arithmetic,
}

impl Subject for IntegerProgram {
    type Goals = IntegerGoal;
}

impl std::ops::Deref for IntegerProgram {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.program
    }
}

impl IntegerProgram {
    /// The program that is asked about: what is an overflow, or wraps, is part of it.
    pub fn executed(&self) -> Program {
        self.arithmetic.program(&self.program)
    }
}

/// Which integers an answer is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum About {
    /// Nothing is known.
    #[default]
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
    /// Those of mathematics, and those of the machine, since it is assumed that nothing undefined happens.
    Defined,
}

/// What is known of misuses of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Misuses {
    /// Nobody has looked, or nothing was found.
    #[default]
    Open,
    /// There are none: all runs were executed, or it was proved, or the program has no memory.
    None,
    /// There is one.
    Known(Fault),
}

/// What was executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExecutionFigures {
    /// Runs.
    pub n_runs: u64,
    /// Those of which it is not known how they go on, because of something that is not represented.
    pub n_blocked: u64,
    /// Their steps.
    pub n_steps: u64,
    /// The instructions that this took.
    pub n_instructions: u64,
    /// The time, by the clock of the limits.
    pub time: Duration,
}

impl ExecutionFigures {
    /// So many runs depend on what is not represented that more of them would tell no more: one in eight.
    pub fn is_blocked(&self) -> bool {
        self.n_blocked > 0 && self.n_blocked >= self.n_runs / 8
    }
}

/// What was done for proofs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProofFigures {
    /// Abstractions that were asked.
    pub n_rounds: usize,
    /// The predicates of the last one.
    pub n_predicates: usize,
    /// Questions to the solver.
    pub n_queries: u64,
    /// Of the questions about factors those that had been answered before.
    pub n_hits: u64,
    /// And those that had not.
    pub n_misses: u64,
    /// Edges of the last abstraction of which less is known than could be.
    pub n_inexact: usize,
    /// The time that abstractions took.
    pub abstracting: Duration,
    /// That formulas took.
    pub evaluating: Duration,
    /// That the engine for Horn clauses was waited for.
    pub waiting: Duration,
    /// That checks of claims took.
    pub checking: Duration,
}

/// What is found out about an integer program beside a verdict.
#[derive(Clone, Debug, Default)]
pub struct IntegerFindings {
    /// Which integers the verdict is about.
    pub about: About,
    /// A result that overflows in some run, if one is known, and the edge that computes it.
    pub overflow: Option<(Undefined, FunctionId, EdgeId)>,
    /// What goes wrong in the run that is told, if that was asked for.
    pub fault: Option<Fault>,
    /// What is known of misuses of memory in runs.
    pub misuses: Misuses,
    /// A run, told by the concrete semantics.
    pub account: Option<Account>,
    /// The proof that the verdict rests on.
    pub proof: Proved,
}

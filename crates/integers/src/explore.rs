//! Executes a program: with many inputs, and with all of them where there are few.
//!
//! Input: a program in which an edge with inputs is the only one of its node. Output: what the runs show. A run that reaches a
//! target, or in which a state comes back, is an answer by itself. That no run does is an answer only if all runs were
//! executed: a program that reads no input has one.
//!
//! Runs are executed in compact code (`compile`), by mathematical integers; what does not fit its type on the way is noted. The textbook
//! twin is [`crate::trace`]. The same program and budget give the same answer.

mod cells;
mod choices;
mod code;
mod compile;
mod heap;
mod lasting;
mod long;
mod machine;
mod simplify;

pub use choices::Random;
pub use lasting::lasting;

use crate::evaluate::Undefined;
use crate::faults::{Fault, Faults};
use crate::number::Type;
use crate::program::{EdgeId, FunctionId, Goal, Input, InputId, Program, TargetId, UnknownId};
use crate::trace::End;
use base::{Gauge, Stop};
use choices::{Constant, Count, Counting, Habit, Habitual, Mixed, Steadfast, tasteful};
use code::Code;
use compile::compile;
use machine::{Allowance, Choices, Halt, Report, run};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What may be used up.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Instructions, over all runs. A step of the program is a few of them.
    pub instructions: u64,
    /// Runs.
    pub runs: u64,
    /// Cells of memory in a run, of 16 bytes at most.
    pub cells: usize,
    /// Where the random inputs begin.
    pub seed: u64,
    /// A request to stop.
    pub stop: Stop,
    /// Where progress goes.
    pub gauge: Arc<Gauge>,
}

impl Default for Budget {
    fn default() -> Self {
        let (stop, gauge) = (Stop::default(), Arc::default());
        Self { instructions: 1 << 30, runs: 1 << 20, cells: 1 << 24, seed: 0, stop, gauge }
    }
}

/// What to look for; the search ends when it is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quest {
    /// A run to a target.
    Target(Goal),
    /// A run without end.
    Infinite,
    /// A run in which something goes wrong.
    Fault(Faults),
}

/// A result that its type cannot represent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow {
    /// The type.
    pub ty: Type,
    /// The function that computes it.
    pub function: FunctionId,
    /// The edge.
    pub edge: EdgeId,
}

/// A run that is worth showing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// What the environment chooses, one after the other.
    pub inputs: Vec<i128>,
    /// The first result on the way that did not fit: from there on, the machine may do anything.
    pub overflow: Option<Overflow>,
    /// How many steps it has, up to where it is known how it goes on.
    pub n_steps: u64,
}

/// What the runs show.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// A run to a target.
    pub reached: Option<(TargetId, Run)>,
    /// A run in which something goes wrong that was looked for.
    pub fault: Option<(Fault, Run)>,
    /// A run without end: after its inputs, those from this position on are repeated for ever.
    pub infinite: Option<(Run, usize)>,
    /// All runs of the program were executed: each ended, or was found to be infinite, and nothing unknown mattered.
    pub is_complete: bool,
    /// The first result of any run that did not fit.
    pub overflow: Option<Overflow>,
    /// What made it unknown how runs go on, in the order in which it was met.
    pub unknowns: Vec<UnknownId>,
    /// What runs ran into that is undefined.
    pub undefined: Vec<(Undefined, FunctionId, EdgeId)>,
    /// How many runs were executed.
    pub n_runs: u64,
    /// Of how many of them it is not known how they go on, because of something unknown.
    pub n_blocked: u64,
    /// How many steps they had.
    pub n_steps: u64,
    /// How many instructions that took.
    pub n_instructions: u64,
}

/// Executes runs until the quest is over or the budget used up.
pub fn explore(program: &Program, quest: Quest, budget: &Budget) -> Exploration {
    let code = compile(program);
    let mut search =
        Search { program, code: &code, quest, budget, found: Exploration::default(), later: None };
    if !search.only_run() && !search.all_runs() {
        search.random_runs();
    }
    search.conclude();
    search.found
}

/// What a run is shown for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sought {
    Target(TargetId),
    Fault(Fault),
}

/// One run, executed.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Why it is over; for a run without end, [`End::StepLimit`].
    pub end: End,
    /// The run.
    pub run: Run,
    /// A state came back: the inputs from this position on are repeated for ever.
    pub repeats_from: Option<usize>,
    /// What the globals hold at the end, where it is known.
    pub globals: Vec<Option<i128>>,
    /// How many instructions were executed.
    pub n_instructions: u64,
}

/// Executes the run in which the environment chooses as `choose` says.
pub fn execute(
    program: &Program,
    choose: &mut dyn FnMut(&Input) -> Option<i128>,
    goal: Goal,
    budget: &Budget,
) -> Execution {
    let code = compile(program);
    let Budget { instructions, cells, ref stop, ref gauge, .. } = *budget;
    let tell = |n_steps| gauge.execute(1, n_steps);
    let allowance = Allowance { instructions, cells, goal, stop, tell: &tell };
    let report = run(&code, &mut Asked { program, choose }, allowance);
    let (end, repeats_from) = match report.halt {
        Halt::End(end) => (end, None),
        Halt::Infinite { before } => (End::StepLimit, Some(before)),
    };
    let overflow = report.overflow.map(|(ty, function, edge)| Overflow { ty, function, edge });
    let Report { inputs, globals, n_steps, instructions: n_instructions, .. } = report;
    Execution { end, run: Run { inputs, overflow, n_steps }, repeats_from, globals, n_instructions }
}

/// Somebody is asked.
struct Asked<'p> {
    program: &'p Program,
    choose: &'p mut dyn FnMut(&Input) -> Option<i128>,
}

impl Choices for Asked<'_> {
    fn choose(&mut self, input: InputId) -> Option<i128> {
        (self.choose)(self.program.input(input))
    }
}

/// Nothing is chosen.
struct Nothing;

impl Choices for Nothing {
    fn choose(&mut self, _: InputId) -> Option<i128> {
        None
    }
}

/// Small types: all their values can be tried.
const FEW_BITS: u8 = 8;

/// So many runs are tried before the search gives up trying all of them.
const MOST_RUNS: u64 = 20_000;

/// The limit of the first runs, and how many runs there are before it grows.
const FIRST_LIMIT: u64 = 4_000;
const GROWTH: u64 = 3;

/// So many runs of programs with memory have a larger limit, which is this at most.
const LONG_RUNS: u64 = 2;
const LONG: u64 = 1 << 24;
const ROUND: u64 = 200;

/// In one of so many runs, once the shortest lists have been tried, each place chooses mostly what it chose last.
const STEADFAST: u64 = 8;

struct Search<'p> {
    program: &'p Program,
    code: &'p Code,
    quest: Quest,
    budget: &'p Budget,
    found: Exploration,
    /// A run that shows what is sought and overflows before; one that does not would be better.
    later: Option<(Sought, Run)>,
}

impl Search<'_> {
    /// The run that is shown is made simpler.
    fn conclude(&mut self) {
        let reached = self.found.reached.take().map(|(target, run)| (Sought::Target(target), run));
        let fault = self.found.fault.take().map(|(fault, run)| (Sought::Fault(fault), run));
        let Some((sought, run)) = reached.or(fault).or(self.later.take()) else { return };
        let run = self.simplified(sought, run);
        match sought {
            Sought::Target(target) => self.found.reached = Some((target, run)),
            Sought::Fault(fault) => self.found.fault = Some((fault, run)),
        }
    }

    /// What a run shows of what is sought.
    fn shown(&self, report: &Report) -> Option<Sought> {
        match (report.halt, self.quest) {
            (Halt::End(End::Target(target)), _) => Some(Sought::Target(target)),
            (Halt::End(End::Undefined(why, function, edge)), Quest::Fault(faults)) => {
                faults.includes(why).then_some(Sought::Fault(Fault::Undefined(why, function, edge)))
            }
            (Halt::End(End::Returned), Quest::Fault(faults)) => {
                let lost =
                    report.lost.filter(|_| faults.lost).map(|(function, edge)| Fault::Lost(function, edge));
                let unfreed = report.unfreed.filter(|_| faults.unfreed);
                lost.or(unfreed.map(|(function, edge)| Fault::Unfreed(function, edge))).map(Sought::Fault)
            }
            _ => None,
        }
    }

    /// A program that reads no input has one run. Whether that is so.
    fn only_run(&mut self) -> bool {
        let report = self.run(&mut Nothing, self.budget.instructions);
        if let Halt::End(End::NoInput(_)) = report.halt {
            self.found.n_runs = 0;
            return false;
        }
        self.found.is_complete = self.tell(report);
        true
    }

    /// All runs, if inputs have few values. Whether there is nothing more to do.
    fn all_runs(&mut self) -> bool {
        if self.program.inputs.iter().any(|input| input.ty.bits > FEW_BITS) {
            return false;
        }
        let mut count = Count::default();
        let mut is_complete = true;
        for _ in 0..MOST_RUNS.min(self.budget.runs) {
            let mut choices = Counting { program: self.program, count: &mut count };
            let report = self.run(&mut choices, self.budget.instructions / 16);
            is_complete &= self.tell(report);
            if self.is_over() {
                return true;
            }
            if !count.advance() {
                self.found.is_complete = is_complete;
                return true;
            }
        }
        false
    }

    /// Short combinations of tasteful numbers and random ones, in turn, within limits that grow.
    fn random_runs(&mut self) {
        let tasteful = tasteful(self.program);
        if let Some(limit) = long::limit(self.program) {
            self.long_runs(limit, &tasteful);
        }
        let mut limit = FIRST_LIMIT;
        let mut overflowed_at = None;
        for n in 0..self.budget.runs {
            if self.is_over() || self.is_enough(n, &mut overflowed_at) {
                return;
            }
            let breadth = (tasteful.len() as u64).min(12 + n / 100);
            // Large arrays are gone through once before many short runs are.
            let is_long = n < LONG_RUNS && self.code.layouts.is_some();
            let long = limit.max(LONG.min(self.budget.instructions / 8));
            let most = if is_long { long } else { limit };
            let seed = self.budget.seed.wrapping_add(n);
            let report = if self.quest == Quest::Infinite && n % 3 == 0 {
                let mut choices = Constant { program: self.program, tasteful: &tasteful, seed, breadth };
                self.run(&mut choices, most)
            } else if n >= ROUND && n % STEADFAST == STEADFAST - 1 {
                let random = Random::new(seed);
                let last = FxHashMap::default();
                let mut choices =
                    Steadfast { program: self.program, tasteful: &tasteful, random, breadth, last };
                self.run(&mut choices, most)
            } else {
                let mut choices = Mixed {
                    program: self.program,
                    tasteful: &tasteful,
                    random: Random::new(seed),
                    combination: if n % 2 == 0 { n / 2 + 1 } else { 0 },
                    breadth,
                };
                self.run(&mut choices, most)
            };
            self.tell(report);
            if is_long && n == LONG_RUNS - 1 {
                self.habitual_runs(long);
            }
            if n % ROUND == ROUND - 1 {
                limit = limit.saturating_mul(GROWTH);
            }
        }
    }

    /// Large arrays of regular numbers.
    fn habitual_runs(&mut self, limit: u64) {
        for habit in Habit::ALL {
            if self.is_over() {
                return;
            }
            let mut choices = Habitual { program: self.program, habit, last: FxHashMap::default() };
            let report = self.run(&mut choices, limit);
            self.tell(report);
        }
    }

    /// After a run that overflows, a better one is looked for as long again, but no longer.
    fn is_enough(&self, n: u64, overflowed_at: &mut Option<u64>) -> bool {
        if self.later.is_none() {
            return false;
        }
        let at = *overflowed_at.get_or_insert(n);
        n > 2 * at + 1000
    }

    fn run(&mut self, choices: &mut dyn Choices, limit: u64) -> Report {
        let left = self.budget.instructions.saturating_sub(self.found.n_instructions);
        self.run_for(choices, limit.min(left))
    }

    /// A run with a limit, whatever is left.
    fn run_for(&mut self, choices: &mut dyn Choices, limit: u64) -> Report {
        let goal = match self.quest {
            Quest::Target(goal) => goal,
            Quest::Infinite | Quest::Fault(_) => Goal::Never,
        };
        let (n_runs, n_steps) = (self.found.n_runs, self.found.n_steps);
        let tell = |steps| self.budget.gauge.execute(n_runs + 1, n_steps + steps);
        let allowance = Allowance {
            instructions: limit.max(1),
            cells: self.budget.cells,
            goal,
            stop: &self.budget.stop,
            tell: &tell,
        };
        let report = run(self.code, choices, allowance);
        self.found.n_runs += 1;
        self.found.n_steps += report.n_steps;
        self.found.n_instructions += report.instructions;
        self.budget.gauge.execute(self.found.n_runs, self.found.n_steps);
        report
    }

    /// Keeps what a run shows; whether it was executed to its end.
    fn tell(&mut self, report: Report) -> bool {
        let shown = self.shown(&report);
        let Report { halt, inputs, overflow, n_steps, has_rest, .. } = report;
        let overflow = overflow.map(|(ty, function, edge)| Overflow { ty, function, edge });
        self.found.overflow = self.found.overflow.or(overflow);
        let run = Run { inputs, overflow, n_steps };
        match shown {
            Some(sought) if overflow.is_some() => _ = self.later.get_or_insert((sought, run.clone())),
            Some(Sought::Target(target)) => _ = self.found.reached.get_or_insert((target, run.clone())),
            Some(Sought::Fault(fault)) => _ = self.found.fault.get_or_insert((fault, run.clone())),
            None => {}
        }
        let end = match halt {
            Halt::End(end) => end,
            Halt::Infinite { before } => {
                self.found.infinite.get_or_insert((run, before));
                return true;
            }
        };
        match end {
            End::Target(_) | End::Returned | End::Blocked(..) => true,
            // Nobody says what is left there.
            End::Stopped => {
                !matches!(self.quest, Quest::Fault(faults) if faults.lost || faults.unfreed) || !has_rest
            }
            End::Undefined(undefined, function, edge) => {
                let met = (undefined, function, edge);
                if !self.found.undefined.contains(&met) {
                    self.found.undefined.push(met);
                }
                undefined != Undefined::TooLarge
            }
            End::Unknown(unknown) => {
                self.found.n_blocked += 1;
                if !self.found.unknowns.contains(&unknown) {
                    self.found.unknowns.push(unknown);
                }
                false
            }
            End::NoInput(_) | End::StepLimit => false,
        }
    }

    /// Whether there is nothing more to look for, or nothing left to look with.
    fn is_over(&self) -> bool {
        let is_found = match self.quest {
            Quest::Target(_) => self.found.reached.is_some(),
            Quest::Infinite => self.found.infinite.is_some(),
            Quest::Fault(_) => self.found.fault.is_some(),
        };
        is_found
            || self.found.n_instructions >= self.budget.instructions
            || self.budget.stop.requested().is_some()
    }
}

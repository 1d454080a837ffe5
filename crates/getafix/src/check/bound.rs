//! What the options say about bounds, and which algorithms go with them.

use crate::algorithms::names_for;
use crate::formula;
use crate::job::Job;
use crate::options::{BoundOptions, CheckOptions, EngineName};
use crate::program::Program;
use crate::status::Status;
use bp::{Concurrency, ThreadOptions};
use checker::{Bound, Formula, Problem, Programs};
use rsm::{Concurrent, Copies};

/// More threads than this are refused: each of them is a part of the question of its own.
const MOST_THREADS: u64 = 1000;

/// Why there is no bound.
pub enum NoBound {
    /// None was given.
    Missing,
    /// None was given, and rounds would not do.
    MissingSwitches,
    /// The threads are started at run time, which makes an order of all of them impossible.
    NoRounds,
}

impl NoBound {
    /// Says so.
    pub fn report(self, program: &Program, job: &Job) -> Status {
        let note = match self {
            Self::Missing => "a bound is needed: pass `-k 4` for context switches, or `--rounds 2`",
            Self::MissingSwitches => "a bound is needed: pass `-k 4` for context switches",
            Self::NoRounds => {
                "threads that are started at run time have no order for rounds: pass `-k 4` instead of `--rounds`"
            }
        };
        job.record.diagnose(&program.sources, &program.why_concurrent().note(note, None));
        Status::Rejected
    }
}

impl BoundOptions {
    /// Some bound is given.
    pub fn is_given(&self) -> bool {
        self.bound().is_some()
    }

    /// The bound that is given.
    fn bound(&self) -> Option<Bound> {
        let switches = self.switches.or(self.up_to).map(Bound::Switches);
        switches.or(self.rounds.map(Bound::Rounds))
    }
}

/// So many threads may be started in a run that somebody watches: more are looked for in vain.
const WATCHED_SLOTS: usize = 4;

/// How a program with threads is to be read whose infinite runs are asked for, or whom somebody watches.
pub fn watched_options(options: &BoundOptions) -> ThreadOptions {
    ThreadOptions { slots: WATCHED_SLOTS, async_labels: options.async_labels }
}

/// How a program with threads is to be read, if at most so many threads come to run as the bound allows.
pub fn thread_options(options: &BoundOptions) -> ThreadOptions {
    let slots = match options.bound() {
        Some(Bound::Switches(number)) => number as usize,
        // The machine is only shown then, and one thread shows what all of them do.
        _ => 1,
    };
    ThreadOptions { slots, async_labels: options.async_labels }
}

/// The bound for a program of this kind.
pub fn find(options: &BoundOptions, concurrency: Concurrency) -> Result<Bound, NoBound> {
    match options.bound() {
        None if concurrency == Concurrency::RunTime => Err(NoBound::MissingSwitches),
        None => Err(NoBound::Missing),
        Some(Bound::Rounds(_)) if concurrency == Concurrency::RunTime => Err(NoBound::NoRounds),
        Some(bound) => Ok(bound),
    }
}

/// The options are about the formula.
pub fn asks_formula(options: &CheckOptions) -> bool {
    options.formula.algorithm.is_some()
        || options.show.is_some()
        || options.formula.no_explicit
        || !options.formula.params.is_empty()
        || !options.formula.labels.is_empty()
}

/// Whoever is asked can do without a bound: the formulas cannot.
pub fn needs_none(options: &CheckOptions, concurrency: Concurrency) -> bool {
    if options.question.deadlock {
        return true;
    }
    let starts = concurrency == Concurrency::RunTime;
    let without =
        |name: &str| options.without.iter().flat_map(|names| names.split(',')).any(|n| n.trim() == name);
    if starts && (without("native-start") || without("all")) {
        return false;
    }
    match options.engine {
        None | Some(EngineName::Compare | EngineName::Portfolio) => !asks_formula(options),
        Some(EngineName::Explicit) => true,
        Some(EngineName::Twin) => !starts,
        Some(EngineName::Symbolic) => false,
    }
}

/// There are not too many threads.
pub fn few_threads(program: &Concurrent) -> Result<(), String> {
    let number = |copies: Copies| match copies {
        Copies::Number(number) => u64::from(number),
        Copies::Any => 1,
    };
    let n_threads: u64 = program.blocks.iter().map(|block| number(block.copies)).sum();
    if n_threads <= MOST_THREADS {
        return Ok(());
    }
    Err(format!(
        "the program has {n_threads} threads, and at most {MOST_THREADS} can be looked at; `[*]` stands for any number"
    ))
}

/// The formula for a problem; one that is named must go with it.
pub fn formula(
    params: &[(String, u64)],
    named: Option<Formula>,
    problem: &Problem,
) -> Result<Formula, String> {
    let Some(bound) = problem.bound else {
        let formula = named.unwrap_or_else(|| Formula::for_problem(problem));
        return formula::must_be_sequential(&formula).map(|()| formula);
    };
    if params.iter().any(|(name, _)| name == "k") {
        return Err("the parameter `k` is the bound, which `-k` or `--rounds` sets, not `--param`".to_owned());
    }
    let Some(named) = named else { return Ok(Formula::for_problem(problem)) };
    let Some(programs) = named.programs() else { return Ok(named) };
    let is_parameterised = problem.program.is_parameterised();
    let of_rounds = if is_parameterised { Programs::AnyNumber } else { Programs::Rounds };
    let fitting = match bound {
        Bound::Switches(_) | Bound::Every => names_for(Programs::Switches),
        Bound::Rounds(_) => names_for(of_rounds),
    };
    let message = match (programs, bound) {
        (Programs::Switches | Programs::SwitchQuestions, Bound::Switches(_) | Bound::Every) => {
            return Ok(named);
        }
        (programs, Bound::Rounds(_)) if programs == of_rounds => return Ok(named),
        (Programs::AnyNumber, Bound::Rounds(_)) => return Ok(named),
        (Programs::Sequential | Programs::Questions, _) => {
            "is for sequential programs, and this one is concurrent".to_owned()
        }
        (Programs::Abstractions, _) => "is about programs in C, through predicates".to_owned(),
        (Programs::Switches | Programs::SwitchQuestions, Bound::Rounds(_)) => {
            "counts context switches, which `-k` bounds".to_owned()
        }
        (Programs::Rounds | Programs::AnyNumber, Bound::Switches(_) | Bound::Every) => {
            "counts rounds, which `--rounds` bounds".to_owned()
        }
        (Programs::Rounds, Bound::Rounds(_)) => {
            format!(
                "needs the number of threads, and `{}` stands for any number",
                any_number(problem.program)
            )
        }
    };
    Err(format!("`{}` {message}; use {fitting}", named.short_name()))
}

/// The formula lets rounds have any order, although the number of threads is known.
pub fn orders_freely(formula: &Formula, problem: &Problem) -> bool {
    problem.bound.is_some()
        && formula.programs() == Some(Programs::AnyNumber)
        && !problem.program.is_parameterised()
}

/// The first block that stands for any number of threads.
fn any_number(program: &Concurrent) -> String {
    let block = program.blocks.iter().find(|block| block.copies == Copies::Any);
    block.map_or_else(String::new, |block| format!("{}[*]", block.name))
}

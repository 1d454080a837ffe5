//! One question about infinite runs or deadlocks, in this process: what the parent starts for every run.
//!
//! Prints one line of words `key=value`. Time is processor time from the machine and the observer of the formula to the answer, with a run
//! where there is one: Spin writes one, too, and has both compiled into its search.

use crate::clock::Clock;
use crate::programs::inside::{checked, complaint, on_large_stack, verdict};
use base::Sources;
use checker::{
    Asker, Bound, Engine, Explicit, Limits, Problem, Question, Verdict, Wanted, WantedTrace, Watch,
};
use rsm::interleave::Scheduler;
use std::process::ExitCode;

/// The word for a deadlock in place of a formula.
pub const DEADLOCK: &str = "deadlock";

/// The word of a scheduler.
pub fn scheduler_word(scheduler: Scheduler) -> &'static str {
    match scheduler {
        Scheduler::Any => "any",
        Scheduler::Weak => "weak",
        Scheduler::Strong => "strong",
    }
}

/// Answers a question: a file, a scheduler, a formula or [`DEADLOCK`].
pub fn execute(words: &[String]) -> Result<ExitCode, String> {
    let [file, scheduler, formula] = words else {
        return Err("expected a file, a scheduler and a formula".to_owned());
    };
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
    let scheduler = Scheduler::ALL.into_iter().find(|known| scheduler_word(*known) == scheduler);
    let scheduler = scheduler.ok_or("there is no such scheduler")?;
    let formula = formula.clone();
    on_large_stack(move || answer(text, scheduler, &formula))
}

fn answer(text: String, scheduler: Scheduler, formula: &str) -> Result<String, String> {
    let (mut sources, checked) = checked(text)?;
    let threads = bp::ThreadOptions { slots: 0, async_labels: false };
    let program = bp::lower_threads(&checked, threads).map_err(|errors| complaint(&sources, &errors))?;
    let watched = match formula {
        DEADLOCK => None,
        formula => {
            let watched = ltl::violations_of_threads(&mut sources, "formula", formula, &checked, &program);
            Some(watched.map_err(|errors| complaint(&sources, &errors))?)
        }
    };
    let problem = Problem {
        program: &program,
        question: if watched.is_none() { Question::Deadlock } else { Question::Infinite },
        targets: &[],
        bound: Some(Bound::Every),
        wanted: Wanted { trace: WantedTrace::Any, certificate: false },
        watch: Watch { observer: watched.as_ref().map(|watched| &watched.observer), scheduler, claim: None },
    };
    let mut clock = Clock::start();
    let mut asker = Asker { sources: &mut Sources::default(), known: &mut |_, _| {} };
    let outcome = Explicit::default().answer(&problem, &Limits::default(), &mut asker);
    let outcome = outcome.map_err(|failure| format!("{failure:?}"))?;
    let time = clock.lap().as_nanos();
    let is_found = match outcome.finding.verdict {
        Verdict::Yes => true,
        Verdict::No => false,
        Verdict::Unknown(_) => return Ok(format!("verdict=unknown time={time}")),
    };
    let nodes = outcome.figures.search.map_or(0, |search| search.figures.states);
    Ok(format!("{} time={time} nodes={nodes}", verdict(is_found)))
}

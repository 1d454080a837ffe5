//! Deadlocks and infinite runs, beside Spin: mutual exclusion, starvation under each scheduler, deadlock.
//!
//! Spin is asked without fairness (`-a`) and with weak fairness (`-a -f`); it knows no strong one. Both sides show a run where there is
//! one. Times of Spin are those of its search, without its compiler.

pub mod inside;
mod questions;

use super::spin::{Asking, Spin};
use super::{judge, ratio_text};
use crate::child;
use crate::programs::cell::Outcome;
use crate::report::align;
use crate::threads::cell::{Bench, Cell, understand};
use questions::{Asked, What};
use rsm::interleave::Scheduler;

/// Spin takes long enough on a model for the mean to count it.
const LONG: f64 = 0.1;

/// The shell tells times in hundredths of a second: less than two of them make no ratio.
const SHORT: f64 = 0.02;

/// Measures and prints.
pub fn run(bench: &mut Bench) -> Result<(), String> {
    let spin = Spin::find();
    let spin = spin.as_ref();
    let mut heading = vec!["program", "question", "schedule", "found", "s explicit", "states", "MiB"];
    if spin.is_some() {
        heading.extend(["s Spin", "states", "MiB", "Spin/explicit"]);
    }
    let mut lines = vec![heading.into_iter().map(str::to_owned).collect::<Vec<String>>()];
    let mut ratios = Vec::new();
    let only = bench.arguments.only.clone();
    for asked in
        questions::all(bench.arguments.is_quick).into_iter().filter(|asked| asked.name.starts_with(&only))
    {
        for scheduler in asked.what.schedulers() {
            lines.push(line(bench, &asked, *scheduler, spin, &mut ratios)?);
        }
    }
    println!(
        "Deadlocks and infinite runs of every schedule, in seconds of processor time; found: a deadlock, or a violation."
    );
    print!("{}", align(&lines));
    summary(spin, &ratios);
    Ok(())
}

fn summary(spin: Option<&Spin>, ratios: &[(f64, f64)]) {
    if spin.is_none() {
        println!("`spin` or `gcc` is not installed, so Spin is left out");
        return;
    }
    let long: Vec<f64> = ratios.iter().filter(|(spins, _)| *spins >= LONG).map(|(_, ratio)| *ratio).collect();
    let mean = (long.iter().map(|ratio| ratio.ln()).sum::<f64>() / long.len().max(1) as f64).exp();
    let least = ratios.iter().map(|(_, ratio)| *ratio).fold(f64::INFINITY, f64::min);
    println!(
        "Spin/explicit: geometric mean {} over {} questions that take Spin {LONG} s or more; least {} of {}",
        ratio_text((!long.is_empty()).then_some(mean)),
        long.len(),
        ratio_text(least.is_finite().then_some(least)),
        ratios.len()
    );
}

fn line(
    bench: &mut Bench,
    asked: &Asked,
    scheduler: Scheduler,
    spin: Option<&Spin>,
    ratios: &mut Vec<(f64, f64)>,
) -> Result<Vec<String>, String> {
    let (question, formula) = match &asked.what {
        What::Deadlock { .. } => (inside::DEADLOCK, None),
        What::Formula { ours, spins, .. } => (ours.as_str(), Some(spins.as_str())),
    };
    let expected = asked.what.expected(scheduler);
    let ours = measure(bench, asked, scheduler, question)?;
    let mut line = vec![
        asked.name.clone(),
        question.to_owned(),
        inside::scheduler_word(scheduler).to_owned(),
        ours.verdict().to_owned(),
        ours.time(),
        ours.nodes(),
        ours.memory(),
    ];
    let asking = match (formula, scheduler) {
        (None, _) => Some(Asking::Deadlock),
        (Some(formula), Scheduler::Any) => Some(Asking::Formula(formula)),
        (Some(formula), Scheduler::Weak) => Some(Asking::FairFormula(formula)),
        (Some(_), Scheduler::Strong) => None,
    };
    if let Some(spin) = spin {
        let what = format!("{} {question} {}: Spin", asked.name, inside::scheduler_word(scheduler));
        let cell = asking.map(|asking| spin.measure(bench, &what, &asked.promela, asking)).transpose()?;
        if let Some(cell) = &cell {
            judge(bench, &what, cell, expected.then_some(0));
        }
        let of = |text: fn(&Cell) -> String| cell.as_ref().map_or("-".to_owned(), text);
        let is_long = |cell: &&Cell| cell.seconds().is_some_and(|seconds| seconds >= SHORT);
        let is_answered = |cell: &&Cell| matches!(cell.outcome, Outcome::Answered(_));
        let ratio = cell.as_ref().filter(is_long).filter(is_answered).and_then(|cell| cell.over(&ours));
        ratios.extend(cell.as_ref().and_then(Cell::seconds).zip(ratio));
        line.extend([of(Cell::time), of(Cell::nodes), of(Cell::memory), ratio_text(ratio)]);
    }
    Ok(line)
}

/// The fastest of some runs of ours, judged.
fn measure(bench: &mut Bench, asked: &Asked, scheduler: Scheduler, question: &str) -> Result<Cell, String> {
    let path = bench.directory().join("program.bp");
    std::fs::write(&path, &asked.text).map_err(|error| format!("cannot write a program: {error}"))?;
    let word = inside::scheduler_word(scheduler);
    let what = format!("{} {question} {word}", asked.name);
    eprintln!("{what} …");
    let own = std::env::current_exe().map_err(|error| format!("where am I? {error}"))?;
    let command = [&own.display().to_string(), "inside-forever", &path.display().to_string(), word, question]
        .map(str::to_owned);
    let complaints = bench.directory().join("stderr");
    let cell = bench.fastest(|timeout| understand(child::run(&command, &complaints, timeout)));
    let cell = Cell { least: None, ..cell };
    judge(bench, &what, &cell, asked.what.expected(scheduler).then_some(0));
    Ok(cell)
}

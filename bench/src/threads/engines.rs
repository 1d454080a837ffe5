//! Engines beside each other, on families of programs with threads: state by state, by formula, by formula with views beside it, all as `check` asks them, and Spin.
//!
//! Every answer is compared with what the text of the program states. Spin answers a model of the same program, statement by
//! statement; where it is not installed, its columns are left out.

pub mod forever;
pub mod inside;
mod promela;
mod spin;
mod suite;

use super::cell::{Bench, Cell, ratio_text, understand};
use crate::child;
use crate::programs::cell::Outcome;
use crate::report::align;
use checker::Bound;
use spin::{Asking, Spin};
use suite::Program;

/// The context switches within which everybody is asked.
const SWITCHES: u32 = 4;

/// Measures and prints.
pub fn run(bench: &mut Bench) -> Result<(), String> {
    let spin = Spin::find();
    let mut heading = vec![
        "program",
        "bound",
        "ERROR",
        "least",
        "s explicit",
        "states",
        "MiB",
        "s symbolic",
        "MiB",
        "s views",
        "s both",
        "both/better",
    ];
    if spin.is_some() {
        heading.extend(["s Spin", "states", "MiB"]);
    }
    let mut lines = vec![heading.into_iter().map(str::to_owned).collect::<Vec<String>>()];
    let only = bench.arguments.only.clone();
    let is_meant = |program: &Program| program.name.starts_with(&only);
    for program in suite::programs(bench.arguments.is_quick).into_iter().filter(is_meant) {
        for bound in [Bound::Every, Bound::Switches(SWITCHES)] {
            if bound == Bound::Every && program.is_of_any_number {
                continue;
            }
            lines.push(line(bench, &program, bound, spin.as_ref())?);
        }
    }
    println!(
        "Seconds of processor time, for both of the clock; without a bound (every) and within {SWITCHES} context switches."
    );
    print!("{}", align(&lines));
    match spin {
        None => println!("`spin` or `gcc` is not installed, so Spin is left out"),
        Some(_) => println!(
            "Spin: some error, not the one with the fewest switches; without the time to compile its search"
        ),
    }
    println!();
    forever::run(bench)
}

fn line(
    bench: &mut Bench,
    program: &Program,
    bound: Bound,
    spin: Option<&Spin>,
) -> Result<Vec<String>, String> {
    let path = bench.directory().join("program.bp");
    std::fs::write(&path, &program.text).map_err(|error| format!("cannot write a program: {error}"))?;
    let mut ask = |engine: &str| -> Result<Cell, String> {
        let words = [path.display().to_string(), inside::bound_word(bound), engine.to_owned()];
        measure(bench, program, bound, engine, &words)
    };
    let explicit = ask("explicit")?;
    // Without a bound the formulas by themselves would go on to bounds for which they are not made.
    let is_every = bound == Bound::Every;
    let symbolic = if is_every { None } else { Some(ask("symbolic")?) };
    let views = if is_every { None } else { Some(ask("views")?) };
    let both = ask("both")?;
    let better =
        [Some(&explicit), symbolic.as_ref(), views.as_ref()].into_iter().flatten().filter_map(Cell::seconds);
    let better = better.min_by(f64::total_cmp);
    let dash = || "-".to_owned();
    let mut line = vec![
        program.name.clone(),
        if is_every { "every".to_owned() } else { format!("k = {}", bound.number()) },
        both.verdict().to_owned(),
        both.least(),
        explicit.time(),
        explicit.nodes(),
        explicit.memory(),
        symbolic.as_ref().map_or_else(dash, Cell::time),
        symbolic.as_ref().map_or_else(dash, Cell::memory),
        views.as_ref().map_or_else(dash, Cell::time),
        both.time(),
        ratio_text(better.and_then(|better| Some(both.seconds()? / better))),
    ];
    if let Some(spin) = spin {
        let cell = match (&program.promela, bound) {
            (Some(model), Bound::Every) => {
                let what = format!("{} Spin", program.name);
                let cell = spin.measure(bench, &what, model, Asking::Assertion)?;
                judge(bench, &what, &cell, program.least);
                Some(cell)
            }
            _ => None,
        };
        let of = |text: fn(&Cell) -> String| cell.as_ref().map_or_else(dash, text);
        line.extend([of(Cell::time), of(Cell::nodes), of(Cell::memory)]);
    }
    Ok(line)
}

/// The fastest of some runs of an engine of ours, judged.
fn measure(
    bench: &mut Bench,
    program: &Program,
    bound: Bound,
    engine: &str,
    words: &[String],
) -> Result<Cell, String> {
    let what = format!("{} {} {engine}", program.name, words[1]);
    eprintln!("{what} …");
    let own = std::env::current_exe().map_err(|error| format!("where am I? {error}"))?;
    let command: Vec<String> = [own.display().to_string(), "inside-engines".to_owned()]
        .into_iter()
        .chain(words.iter().cloned())
        .collect();
    let complaints = bench.directory().join("stderr");
    let cell = bench.fastest(|timeout| understand(child::run(&command, &complaints, timeout)));
    let expected = program.least.filter(|least| *least <= bound.number());
    judge(bench, &what, &cell, expected);
    Ok(cell)
}

/// Complains about an answer that is wrong.
fn judge(bench: &mut Bench, what: &str, cell: &Cell, expected: Option<u32>) {
    bench.tally.n_asked += 1;
    bench.tally.n_answered += usize::from(matches!(cell.outcome, Outcome::Answered(_)));
    let complaint = match &cell.outcome {
        Outcome::Failed(reason) => Some(reason.clone()),
        Outcome::Answered(found) if *found != expected.is_some() => Some("a wrong verdict".to_owned()),
        Outcome::Answered(_) if cell.least.is_some() && cell.least != expected => {
            Some(format!("expected the least bound {expected:?}, found {:?}", cell.least))
        }
        _ => None,
    };
    bench.tally.complaints.extend(complaint.map(|complaint| format!("{what}: {complaint}")));
}

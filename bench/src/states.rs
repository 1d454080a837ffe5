//! Measurements of the explicit engine: states a second, bytes a state, what infinite runs cost, and the figures of \[VERA05\].
//!
//! Times are processor time of the search, reductions and translation included, parsing not. Rows of one program stand side
//! by side; only their ratios mean something on a machine that others use.

mod side_by_side;

use crate::clock::Clock;
use crate::options;
use base::{Gauge, Sources, Stop};
use explicit::{Answer, Limits, Order, Outcome, Settings};
use rsm::{Goal, ModuleId, NodeId, Rsm};
use std::process::ExitCode;

const HELP: &str = "usage: bench explicit [--quick]

  --quick  smaller programs

Prints states a second and bytes a state of the explicit engine, the cost of infinite runs, and the figures of VERA
with the symbolic engine and both side by side in the same tables.";

/// What is asked of a program.
#[derive(Clone, Copy)]
enum Question {
    Reach,
    Repeat,
    Infinite,
}

/// A row: a program and what is asked.
struct Row {
    name: String,
    rsm: Rsm,
    goals: Vec<Goal>,
}

/// Runs the subcommand.
pub fn execute(arguments: &[String]) -> Result<ExitCode, String> {
    let Some(is_quick) = options::quick(arguments, "explicit", HELP)? else { return Ok(ExitCode::SUCCESS) };
    speed(is_quick)?;
    println!();
    side_by_side::figures(is_quick)?;
    Ok(ExitCode::SUCCESS)
}

/// A walk over a grid: as many states as wanted, of 64 bits each.
fn grid(n: u32) -> String {
    format!(
        "decl x: int<32>, y: int<32>; init x = 0 & y = 0;
         void main()
         begin
           while (x < {n} & y < {n}) do if (*) then x := x + 1; else y := y + 1; fi od
           if (x > y + y + {n}) then ERROR: skip; fi
         end"
    )
}

fn row(name: String, text: String) -> Result<Row, String> {
    let mut sources = Sources::default();
    let failed = |_| format!("{name} is no program");
    let (checked, _) = bp::load(&mut sources, &name, text).map_err(failed)?;
    let rsm = bp::lower(&checked).map_err(failed)?;
    let mut goals = Vec::new();
    for (n, module) in rsm.modules.iter().enumerate() {
        let nodes =
            module.nodes.iter().enumerate().filter(|(_, node)| node.labels.iter().any(|l| l == "ERROR"));
        goals.extend(nodes.map(|(node, _)| Goal::At(ModuleId::new(n), NodeId::new(node))));
    }
    Ok(Row { name, rsm, goals })
}

fn family(name: &str, n: u32, options: &generate::Options) -> Result<Row, String> {
    let text = generate::family(name, n, options).map_err(|error| error.to_string())?;
    row(format!("{name} {n}{}", if options.reachable { " (bug)" } else { "" }), text)
}

impl Row {
    /// Asks, and takes the time.
    fn ask(&self, question: Question, order: Order) -> (Outcome, f64) {
        let (stop, gauge) = (Stop::default(), Gauge::default());
        let limits = Limits {
            max_bytes: 4 << 30,
            max_states: u64::MAX,
            max_steps: 1 << 20,
            stop: &stop,
            gauge: &gauge,
        };
        let settings = Settings { order, ..Settings::default() };
        let mut clock = Clock::start();
        let outcome = match question {
            Question::Reach => explicit::reach(&self.rsm, &self.goals, settings, &limits),
            Question::Repeat => explicit::repeat(&self.rsm, &self.goals, settings, &limits),
            Question::Infinite => explicit::infinite(&self.rsm, settings, &limits),
        };
        (outcome, clock.lap().as_secs_f64())
    }

    fn print(&self, question: &str, (outcome, seconds): &(Outcome, f64), ratio: Option<f64>) {
        let figures = outcome.figures;
        let states = figures.states as f64;
        let ratio = ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"));
        println!(
            "{:<22} {question:<9} {:<9} {:>9} {:>8} {seconds:>8.3} {:>9.2} {:>12.1} {ratio:>12}",
            self.name,
            verdict(&outcome.answer),
            figures.states,
            figures.entries,
            states / seconds / 1e6,
            figures.bytes as f64 / states,
        );
    }
}

fn verdict(answer: &Answer) -> &'static str {
    match answer {
        Answer::Reached(..) => "reached",
        Answer::Infinite(_) => "infinite",
        Answer::No => "no",
        Answer::Stopped(_) => "stopped",
    }
}

/// Full searches: states a second, bytes a state, and infinite runs against reachability.
fn speed(is_quick: bool) -> Result<(), String> {
    let size = |large: u32, small: u32| if is_quick { small } else { large };
    let plain = generate::Options::default();
    let n = size(2000, 300);
    let rows = [
        row(format!("grid {n}"), grid(n))?,
        family("driver", size(1000, 100), &plain)?,
        family("counter", size(14, 10), &plain)?,
        family("terminator", size(6, 4), &plain)?,
        family("t1", size(10_001, 1001), &plain)?,
    ];
    println!(
        "{:<22} {:<9} {:<9} {:>9} {:>8} {:>8} {:>9} {:>12} {:>12}",
        "program", "question", "answer", "states", "entries", "seconds", "M/s", "bytes/state", "over reach"
    );
    for row in &rows {
        let reach = row.ask(Question::Reach, Order::Dfs);
        row.print("reach", &reach, None);
        for (name, question) in [("repeat", Question::Repeat), ("infinite", Question::Infinite)] {
            let asked = row.ask(question, Order::Dfs);
            // Only full searches of the same states can be compared.
            let is_same = asked.0.figures.states == reach.0.figures.states;
            row.print(name, &asked, is_same.then_some(asked.1 / reach.1));
        }
        row.print("bfs", &row.ask(Question::Reach, Order::Bfs), None);
    }
    Ok(())
}

//! The explicit engine, the formula and both side by side on the same programs, next to figures 5 and 6 of \[VERA05\].
//!
//! Times are those of the clock on the wall, since a portfolio has two threads; parsing is left out. `-` is a limit of time.

use base::{Sources, Stop, StopReason};
use checker::{
    Asker, Budget, Engine, Explicit, Formula, Limits, Outcome, Portfolio, Problem, Question, Symbolic,
    Target, Verdict, Wanted, WantedTrace,
};
use rsm::Concurrent;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// So long an engine may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Bytes that an engine may take.
const MEMORY: u64 = 2 << 30;

/// The rows of figure 5: the program, its lines, globals and locals, whether the error is reachable, states that were visited,
/// seconds of VERA and of Moped.
const FIGURE_5: [[&str; 8]; 8] = [
    ["n-mutex1", "439", "3", "13", "yes", "274", "0.06", "0.04"],
    ["p-mutex33", "460", "6", "21", "yes", "702", "0.21", "0.14"],
    ["n-i2o-simple", "347", "2", "3", "yes", "94", "0.08", "0.01"],
    ["n-list-22", "305", "0", "15", "yes", "316", "0.07", "0.02"],
    ["p-mutex34", "466", "6", "21", "no", "14144", "6.17", "0.08"],
    ["p-farray", "306", "0", "8", "no", "1304", "0.18", "0.01"],
    ["p-nbebop-test", "239", "0", "16", "no", "75524", "151.85", "0.04"],
    ["p-srdriver", "1454", "10", "36", "no", "-", "-", "0.29"],
];

/// The rows of figure 6: bits, seconds and states of VERA, seconds of Moped.
const FIGURE_6: [(u32, &str, &str, &str); 6] = [
    (4, "0.08", "95", "0.16"),
    (6, "0.08", "95", "4.01"),
    (8, "0.08", "95", "260.35"),
    (10, "0.10", "95", "-"),
    (16, "", "", ""),
    (32, "0.15", "95", "-"),
];

/// A program with what there is to reach.
struct Asked {
    text: String,
    program: Concurrent,
    targets: Vec<Target>,
}

/// How long an answer took, if there was one.
struct Timed {
    outcome: Outcome,
    time: Duration,
}

impl Asked {
    fn new(text: String) -> Result<Self, String> {
        let failed = |_| "a generated program is wrong".to_owned();
        let (checked, _) = bp::load(&mut Sources::default(), "generated", text.as_str()).map_err(failed)?;
        let program = Concurrent::sequential(bp::lower(&checked).map_err(failed)?);
        let targets = checker::default_targets(&program.machine).map_err(|error| error.to_string())?;
        Ok(Self { text, program, targets })
    }

    fn family(name: &str, n: u32, options: &generate::Options) -> Result<Self, String> {
        Self::new(generate::family(name, n, options).map_err(|error| error.to_string())?)
    }

    fn ask(&self, engine: &dyn Engine, question: Question) -> Result<Timed, String> {
        let targets = if question == Question::Infinite { &[][..] } else { &self.targets };
        let wanted = Wanted { trace: WantedTrace::Any, certificate: false };
        let problem = Problem {
            program: &self.program,
            question,
            targets,
            bound: None,
            wanted,
            watch: Default::default(),
        };
        let limits = Limits { memory: Some(MEMORY), ..Limits::default() };
        let mut asker = Asker { sources: &mut Sources::default(), known: &mut |_, _| {} };
        within(&limits.stop, || {
            let start = Instant::now();
            let outcome =
                engine.answer(&problem, &limits, &mut asker).map_err(|failure| format!("{failure:?}"))?;
            Ok(Timed { outcome, time: start.elapsed() })
        })
    }
}

/// Works for a limited time.
fn within<T>(stop: &Stop, work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (done, wait) = mpsc::channel::<()>();
        scope.spawn(move || {
            if wait.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                stop.request(StopReason::Time);
            }
        });
        let result = work();
        drop(done);
        result
    })
}

impl Timed {
    fn shown(&self) -> String {
        match self.outcome.finding.verdict {
            Verdict::Unknown(_) => "-".to_owned(),
            _ => format!("{:.1}", self.time.as_secs_f64() * 1e3),
        }
    }

    fn answer(&self) -> &'static str {
        match self.outcome.finding.verdict {
            Verdict::Yes => "yes",
            Verdict::No => "no",
            Verdict::Unknown(_) => "?",
        }
    }

    /// The length of the run that is shown.
    fn steps(&self) -> String {
        self.outcome.trace.as_ref().map_or_else(String::new, |trace| trace.n_steps().to_string())
    }

    fn states(&self) -> u64 {
        self.outcome.figures.search.map_or(0, |search| search.figures.states)
    }
}

/// All three, and that they agree.
fn all(asked: &Asked, question: Question) -> Result<[Timed; 3], String> {
    let formula = Symbolic::new(Formula::for_question(question));
    let explicit = Explicit::default();
    let timed = [
        asked.ask(&explicit, question)?,
        asked.ask(&formula, question)?,
        asked.ask(
            &Portfolio { explicit, formula: &formula, first: Budget::default(), localise: true },
            question,
        )?,
    ];
    let known: Vec<&str> = timed.iter().map(Timed::answer).filter(|answer| *answer != "?").collect();
    match known.windows(2).all(|pair| pair[0] == pair[1]) {
        true => Ok(timed),
        false => Err("the engines disagree".to_owned()),
    }
}

/// Diagrams are walked by recursion.
const STACK: usize = 1 << 28;

/// Prints both tables.
pub fn figures(is_quick: bool) -> Result<(), String> {
    let work = move || {
        figure_5(is_quick)?;
        println!();
        figure_6(is_quick)
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    let thread = thread.map_err(|error| format!("there is no thread: {error}"))?;
    thread.join().map_err(|_| "an engine has failed".to_owned())?
}

/// Figure 5: programs with a bug and without, from a family of drivers.
fn figure_5(is_quick: bool) -> Result<(), String> {
    println!(
        "figure 5: is ERROR reachable? Times in ms; below, the paper's programs with its times in seconds"
    );
    println!(
        "{:<24} {:>6} {:>7} {:<6} {:>9} {:>9} {:>9} {:>10}  {:<9} {:>7} {:>7}",
        "program",
        "lines",
        "globals",
        "answer",
        "states",
        "explicit",
        "symbolic",
        "portfolio",
        "by",
        "steps e",
        "steps s"
    );
    let sizes: &[(u32, u32)] = if is_quick {
        &[(10, 0), (30, 6)]
    } else {
        &[(15, 0), (18, 3), (18, 6), (60, 10), (300, 0), (1000, 0)]
    };
    for reachable in [true, false] {
        for (n, globals) in sizes {
            let options = generate::Options { reachable, globals: *globals, ..generate::Options::default() };
            let asked = Asked::family("driver", *n, &options)?;
            row(&format!("driver {n}"), &asked)?;
        }
    }
    for (name, n) in [("counter", 12), ("terminator", 5), ("t1", 1001), ("multiplier", 6)] {
        row(&format!("{name} {n}"), &Asked::family(name, n, &generate::Options::default())?)?;
    }
    println!(
        "{:<24} {:>6} {:>7} {:<6} {:>9} {:>9} {:>9}",
        "in the paper", "lines", "globals", "answer", "states", "VERA", "Moped"
    );
    for [name, lines, globals, _, answer, states, vera, moped] in FIGURE_5 {
        println!("{name:<24} {lines:>6} {globals:>7} {answer:<6} {states:>9} {vera:>9} {moped:>9}");
    }
    Ok(())
}

fn row(name: &str, asked: &Asked) -> Result<(), String> {
    let [explicit, symbolic, portfolio] = all(asked, Question::Reach)?;
    println!(
        "{name:<24} {:>6} {:>7} {:<6} {:>9} {:>9} {:>9} {:>10}  {:<9} {:>7} {:>7}",
        asked.text.lines().count(),
        asked.program.machine.globals.len(),
        portfolio.answer(),
        explicit.states(),
        explicit.shown(),
        symbolic.shown(),
        portfolio.shown(),
        portfolio.outcome.by.as_deref().unwrap_or("-"),
        explicit.steps(),
        symbolic.steps(),
    );
    Ok(())
}

/// Figure 6: the infinite run of a quicksort with a bug, by the number of bits; and an error that a run reaches.
fn figure_6(is_quick: bool) -> Result<(), String> {
    println!("figure 6: a quicksort of N bits. Times in ms, those of the paper in seconds");
    println!(
        "{:>3} | {:>7} {:>9} {:>9} {:>10} | {:>7} {:>9} {:>9} {:>10} | {:>6} {:>7} {:>7}",
        "N",
        "states",
        "explicit",
        "symbolic",
        "portfolio",
        "states",
        "explicit",
        "symbolic",
        "portfolio",
        "states",
        "VERA",
        "Moped"
    );
    println!("{:>3} | {:<38} | {:<38} | in the paper, infinite run", "", "infinite run", "ERROR");
    for (n, vera, states, moped) in FIGURE_6.into_iter().take(if is_quick { 3 } else { 6 }) {
        let asked = Asked::family("quicksort", n, &generate::Options::default())?;
        let mut columns = String::new();
        for question in [Question::Infinite, Question::Reach] {
            let [explicit, symbolic, portfolio] = all(&asked, question)?;
            columns += &format!(
                " {:>7} {:>9} {:>9} {:>10} |",
                explicit.states(),
                explicit.shown(),
                symbolic.shown(),
                portfolio.shown()
            );
        }
        println!("{n:>3} |{columns} {states:>6} {vera:>7} {moped:>7}");
    }
    Ok(())
}

//! What questions about infinite runs cost beside reachability: the formulas that come with the program, and one with a single
//! greatest fixed point over all states, against `summary`, each without and with the run that it shows.

use base::Sources;
use checker::{
    Asker, Engine, Formula, Limits, Problem, Question, Symbolic, Target, Verdict, Wanted, WantedTrace,
};
use rsm::Concurrent;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// "Is there an infinite run" as a newcomer would write it.
const ONE_NU: &str = "
    mu bool Summary(State u, State v)
        (Entry(u) & u = v)
      | (exists State x. Summary(u, x) & ProgramInt(x, v))
      | (exists State x. Summary(u, x) & Over(x, v));
    bool Over(State x, State v)
        ReturnA(x, v) & (exists State y, State z. IntoCall(x, y) & Across(x, v) & Summary(y, z) & Exit(z) & ReturnB(z, v));
    nu bool Forever(State s)
        (exists State v. ProgramInt(s, v) & Forever(v))
      | (exists State v. IntoCall(s, v) & Forever(v))
      | (exists State v. Over(s, v) & Forever(v));
    #exact; #verdict infinite run;
    exists State u. Init(u) & Forever(u);";

/// A question is asked so often, and the least time counts.
const TIMES: u32 = 3;

/// Prints the table.
pub fn execute(arguments: &[String]) -> Result<ExitCode, String> {
    let sizes: &[u32] = match arguments {
        [] => &[400, 1600],
        [quick] if quick == "--quick" => &[100],
        _ => return Err("`questions` takes `--quick` at most".to_owned()),
    };
    println!(
        "seconds of the clock on the wall; in brackets, how many times those of summary, without and with a run"
    );
    println!("{:<14} {:>8} {:>8}  formula", "program", "answer", "and run");
    for family in ["t1", "t2", "driver"] {
        for &n in sizes {
            measure(family, n)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(family: &str, n: u32) -> Result<(), String> {
    let text =
        generate::family(family, n, &generate::Options::default()).map_err(|error| error.to_string())?;
    let failed = |_| "a generated program is wrong".to_owned();
    let (checked, _) = bp::load(&mut Sources::default(), "generated", text).map_err(failed)?;
    let program = Concurrent::sequential(bp::lower(&checked).map_err(failed)?);
    let targets = checker::default_targets(&program.machine).map_err(|error| error.to_string())?;
    let shipped = |name: &str| Formula::shipped(name).expect("an algorithm of the list");
    let one_nu = Formula::own("one nu", ONE_NU, |path| Err(format!("`{path}` is not there")));
    let mut first = None;
    for formula in [shipped("summary"), shipped("non_termination"), shipped("fair_cycle"), one_nu] {
        let name = formula.name.clone();
        let targets = if formula.asks_for_targets() { &targets[..] } else { &[] };
        let [bare, shown] =
            [WantedTrace::None, WantedTrace::Any].map(|trace| ask(&program, targets, &formula, trace));
        let (bare, shown) = (bare?, shown?);
        let (bare_of, shown_of) = *first.get_or_insert((bare.0, shown.0));
        let times = |time: Duration, of: Duration| time.as_secs_f64() / of.as_secs_f64().max(1e-6);
        println!(
            "{:<14} {:>8.3} {:>8.3}  {name}: {} ({:.1}×, {:.1}×)",
            format!("{family} {n}"),
            bare.0.as_secs_f64(),
            shown.0.as_secs_f64(),
            bare.1,
            times(bare.0, bare_of),
            times(shown.0, shown_of)
        );
    }
    Ok(())
}

/// The least time that an answer takes, and the answer.
fn ask(
    program: &Concurrent,
    targets: &[Target],
    formula: &Formula,
    trace: WantedTrace,
) -> Result<(Duration, &'static str), String> {
    let wanted = Wanted { trace, certificate: false };
    let problem = Problem {
        program,
        question: Question::Reach,
        targets,
        bound: None,
        wanted,
        watch: Default::default(),
    };
    let mut best: Option<(Duration, &'static str)> = None;
    for _ in 0..TIMES {
        let mut asker = Asker { sources: &mut Sources::default(), known: &mut |_, _| {} };
        let start = Instant::now();
        let outcome = Symbolic::new(formula.clone()).answer(&problem, &Limits::default(), &mut asker);
        let outcome = outcome.map_err(|failure| format!("{failure:?}"))?;
        let time = start.elapsed();
        let answer = match outcome.finding.verdict {
            Verdict::Yes => "yes",
            Verdict::No => "no",
            Verdict::Unknown(reason) => return Err(format!("{}: {reason:?}", formula.name)),
        };
        if best.is_none_or(|(known, _)| time < known) {
            best = Some((time, answer));
        }
    }
    best.ok_or_else(|| "nothing was asked".to_owned())
}

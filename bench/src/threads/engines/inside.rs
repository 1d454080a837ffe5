//! One program, one engine, in this process: what the parent starts for every run.
//!
//! Prints one line of words `key=value`, as the other measurements of threads do.

use crate::clock::Clock;
use crate::programs::inside::{checked, complaint, on_large_stack, verdict};
use base::Sources;
use checker::{
    Asker, Bound, Budget, Engine, Explicit, Formula, Limits, Localised, Portfolio, Problem, Question,
    Symbolic, Verdict, Wanted,
};
use std::process::ExitCode;
use std::time::Instant;

/// A bound as a word.
pub fn bound_word(bound: Bound) -> String {
    match bound {
        Bound::Every => "every".to_owned(),
        bound => bound.number().to_string(),
    }
}

/// Answers a question: a file, a bound, an engine.
pub fn execute(words: &[String]) -> Result<ExitCode, String> {
    let [file, bound, engine] = words else {
        return Err("expected a file, a bound and an engine".to_owned());
    };
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
    let bound = match bound.as_str() {
        "every" => Bound::Every,
        number => Bound::Switches(number.parse().map_err(|_| format!("`{number}` is no bound"))?),
    };
    let engine = engine.clone();
    on_large_stack(move || answer(text, bound, &engine))
}

fn answer(text: String, bound: Bound, name: &str) -> Result<String, String> {
    let (sources, program) = checked(text)?;
    let threads = bp::ThreadOptions { slots: 0, async_labels: false };
    let program = bp::lower_threads(&program, threads).map_err(|errors| complaint(&sources, &errors))?;
    let targets = [checker::find_thread_target(&program, "ERROR").map_err(|error| error.to_string())?];
    let (question, wanted) = (Question::Reach, Wanted::default());
    let problem = Problem {
        program: &program,
        question,
        targets: &targets,
        bound: Some(bound),
        wanted,
        watch: Default::default(),
    };
    let (mut clock, start) = (Clock::start(), Instant::now());
    let symbolic = Symbolic::new(Formula::for_problem(&problem));
    let explicit = Explicit::default();
    let views = Localised { whole: &symbolic };
    let both = Portfolio { explicit, formula: &views, first: Budget::default(), localise: true };
    let engine: &dyn Engine = match name {
        "explicit" => &explicit,
        "symbolic" => &symbolic,
        "views" => &views,
        "both" => &both,
        other => return Err(format!("there is no engine `{other}`")),
    };
    let mut asker = Asker { sources: &mut Sources::default(), known: &mut |_, _| {} };
    let outcome = engine.answer(&problem, &Limits::default(), &mut asker);
    let outcome = outcome.map_err(|failure| format!("{failure:?}"))?;
    // Two engines side by side take the time of the clock on the wall.
    let time = if name == "both" { start.elapsed() } else { clock.lap() }.as_nanos();
    let is_reachable = match outcome.finding.verdict {
        Verdict::Yes => true,
        Verdict::No => false,
        Verdict::Unknown(_) => return Ok(format!("verdict=unknown time={time}")),
    };
    let states = outcome.figures.search.map(|search| search.n_states);
    let nodes = states.or(outcome.figures.statistics.map(|statistics| statistics.peak_nodes)).unwrap_or(0);
    let least = outcome.finding.least.map_or(String::new(), |least| format!(" least={least}"));
    Ok(format!("{}{least} time={time} nodes={nodes}", verdict(is_reachable)))
}

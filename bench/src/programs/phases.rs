//! Where the time of an algorithm goes: reading, reducing, ordering, checking the formula, giving the templates, solving.

use super::arguments::Arguments;
use super::cell::{self, nanoseconds};
use super::engine::Engine;
use super::suite::{self, Program};
use crate::Scratch;
use crate::child::{self, End};
use crate::report::align;
use std::process::ExitCode;
use std::time::Duration;

/// The phases, in order.
const PHASES: [&str; 6] = ["load", "reduce", "order", "formula", "give", "solve"];

/// Measures and prints.
pub fn run(arguments: &Arguments, directory: &Scratch) -> Result<ExitCode, String> {
    let mut engines = vec![Engine::Formula(arguments.algorithms[0].clone())];
    engines.extend(handwritten::Algorithm::ALL.map(Engine::Handwritten));
    let heading = ["program", "engine"].into_iter().chain(PHASES).chain(["total"]);
    let mut lines = vec![heading.map(str::to_owned).collect()];
    for program in suite::programs(&arguments.programs, arguments.is_quick)? {
        eprintln!("{} …", program.name);
        for engine in &engines {
            let times = measure(arguments, directory, &program, engine)?;
            let total = times.iter().flatten().sum::<Duration>();
            let show = |time: Option<Duration>| {
                time.map_or("-".to_owned(), |t| format!("{:.1}", t.as_secs_f64() * 1e3))
            };
            let mut line = vec![program.name.clone(), engine.name()];
            line.extend(times.into_iter().chain([Some(total)]).map(show));
            lines.push(line);
        }
    }
    println!("Milliseconds of processor time. By hand, giving is part of solving.");
    print!("{}", align(&lines));
    Ok(ExitCode::SUCCESS)
}

/// The shortest time of each phase; none for phases that an engine does not have, or did not get to.
fn measure(
    arguments: &Arguments,
    directory: &Scratch,
    program: &Program,
    engine: &Engine,
) -> Result<[Option<Duration>; PHASES.len()], String> {
    let path = cell::file(directory, program, engine)?;
    let mut command = engine.command(&path, arguments.timeout.as_secs())?;
    command[2] = format!("phases:{}", engine.name());
    let mut fastest = [None; PHASES.len()];
    for _ in 0..arguments.repeat {
        let run = child::run(&command, &directory.0.join("stderr"), arguments.timeout);
        if run.end != End::Finished {
            break;
        }
        for (phase, fastest) in PHASES.iter().zip(&mut fastest) {
            *fastest = [*fastest, nanoseconds(&run.output, phase)].into_iter().flatten().min();
        }
    }
    Ok(fastest)
}

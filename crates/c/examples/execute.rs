//! Executes C programs and prints what the runs show: `cargo run --release -p getafix-c --example execute FILE…`.
//!
//! `--show` prints the integer program, `--clauses` its Horn clauses, `--infinite` looks for a run without end.

#![forbid(unsafe_code)]

use base::{Sources, render};
use c::{Options, Translation};
use integers::explore::{Budget, Quest, explore};
use integers::{Goal, trace};
use std::process::Command;

fn main() {
    let (flags, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let has = |flag: &str| flags.iter().any(|given| given == flag);
    for file in files {
        let Some(Translation { program, .. }) = translate(&file, has("--quiet")) else { continue };
        if has("--front") {
            println!("{} functions", program.functions.len());
        } else if has("--show") {
            print!("{}", integers::show(&program));
        } else if has("--clauses") {
            print!("{}", integers::clauses::clauses(&integers::compose::compose(&program).program));
        } else {
            let quest = if has("--infinite") { Quest::Infinite } else { Quest::Target(Goal::Any) };
            println!("{file}: {}", verdict(&program, quest));
        }
    }
}

/// Reads a file, runs the preprocessor if it has directives, and translates it.
fn translate(file: &str, is_quiet: bool) -> Option<Translation> {
    let mut sources = Sources::default();
    let text = match std::fs::read(file) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            eprintln!("{file}: {error}");
            return None;
        }
    };
    let has_directives = c::has_directives(&text);
    let id = sources.add(file, text);
    let options = Options::default();
    let result = if has_directives {
        let output = Command::new("cc").args(["-E", file]).output().expect("there is a C compiler");
        let preprocessed = String::from_utf8_lossy(&output.stdout);
        c::translate_preprocessed(&mut sources, id, &preprocessed, &options)
    } else {
        c::translate(&sources, id, &options)
    };
    let (translation, diagnostics) = match result {
        Ok(translation) => {
            let warnings = translation.warnings.clone();
            (Some(translation), warnings)
        }
        Err(errors) => (None, errors),
    };
    if !is_quiet || translation.is_none() {
        diagnostics.iter().for_each(|diagnostic| eprint!("{}", render(&sources, diagnostic)));
    }
    translation
}

/// What the runs show, in a line.
fn verdict(program: &integers::Program, quest: Quest) -> String {
    let found = explore(program, quest, &Budget { instructions: 1 << 28, ..Budget::default() });
    let effort = format!("{} runs, {} instructions", found.n_runs, found.n_instructions);
    if let (Quest::Infinite, Some((run, before))) = (quest, &found.infinite) {
        return format!("non-terminating, inputs {:?}, repeated from {before} on ({effort})", run.inputs);
    }
    if let Some((target, run)) = &found.reached {
        let reality = trace::confirm(program, &run.inputs, *target, 1 << 28);
        return format!("reachable, inputs {:?}, {reality:?} ({effort})", run.inputs);
    }
    if found.is_complete {
        let overflow = if found.overflow.is_some() { ", with overflow" } else { "" };
        let answer = if found.infinite.is_some() { "its only run never ends" } else { "all runs end" };
        return format!("{answer}{overflow} ({effort})");
    }
    let unknown = found.unknowns.first().map(|id| program.unknowns[id.index()].construct.clone());
    format!("unknown {} ({effort})", unknown.unwrap_or_default())
}

//! Printing a closed set.

use super::{ClosedSet, Configuration, Count, Kept, Local};
use crate::names::{Names, distinct, escape};
use base::Sources;
use encode::Slot;
use rsm::interleave::ThreadState;
use rsm::{Concurrent, ModuleId, Place};
use std::fmt::Write;

/// The first line of the text.
pub(crate) const VERSION: &str = "getafix certificate of threads 1";

/// The text of a certificate. The sources are only used to remark on which line a thread is.
pub fn write(program: &Concurrent, sources: &Sources, closed: &ClosedSet) -> String {
    let names = Names::new(&program.machine);
    let mut out = format!("{VERSION}\n");
    for target in &closed.targets {
        let _ = writeln!(out, "target {}", escape(target));
    }
    if closed.stops_everywhere {
        out.push_str("stops everywhere\n");
    }
    let shared = (0..).zip(&closed.kept.shared).filter(|(_, kept)| **kept);
    let shared: Vec<u32> = shared.map(|(n, _)| n).collect();
    let words = shared.iter().map(|n| escape(names.global(*n)));
    let _ = writeln!(out, "shared{}", spaced(words));
    write_kept(&mut out, &names, &closed.kept);
    let blocks = block_words(program);
    for group in &closed.groups {
        let copy = group.copy.map_or_else(String::new, |copy| format!("[{copy}]"));
        let _ = writeln!(out, "threads {}{copy}", escape(&blocks[group.block as usize]));
    }
    for (n, values) in closed.shared.iter().enumerate() {
        let values = shared.iter().map(|place| values[*place as usize].to_string());
        let _ = writeln!(out, "s{n} ={}", spaced(values));
    }
    for (n, state) in closed.states.iter().enumerate() {
        let _ = write!(out, "l{n} = {}", escape(&blocks[state.block as usize]));
        write_state(&mut out, program, &names, &closed.kept, state);
        let _ = writeln!(out, "{}", line_of(program, sources, state));
    }
    for configuration in &closed.configurations {
        let _ = writeln!(out, "{}", show(configuration));
    }
    out
}

/// A remark on where a thread is.
pub(crate) fn line_of(program: &Concurrent, sources: &Sources, state: &ThreadState) -> String {
    let span = state.stack.last().map(|top| program.machine.module(top.module).node(top.node).span);
    span.map_or_else(String::new, |span| format!("  # line {}", sources.line_column(span).0))
}

pub(super) fn spaced(words: impl Iterator<Item = String>) -> String {
    words.map(|word| format!(" {word}")).collect()
}

/// A word for each block.
pub(crate) fn block_words(program: &Concurrent) -> Vec<String> {
    distinct(program.blocks.iter().map(|block| block.name.clone()))
}

pub(crate) fn write_kept(out: &mut String, names: &Names, kept: &Kept) {
    let mut write = |word: &str, module: ModuleId, number: usize, places: &[Place]| {
        let own = names.module(module);
        let places = places.iter().map(|place| escape(&own.word(Slot::Place(*place))));
        let _ = writeln!(out, "{word} {} {number}{}", escape(names.function(module)), spaced(places));
    };
    let mut points: Vec<_> = kept.points.iter().filter(|(_, places)| !places.is_empty()).collect();
    points.sort_unstable_by_key(|(at, _)| **at);
    for ((module, node), places) in points {
        write("keep", *module, node.index(), places);
    }
    let mut waits: Vec<_> = kept.waits.iter().filter(|(_, places)| !places.is_empty()).collect();
    waits.sort_unstable_by_key(|(at, _)| **at);
    for ((module, call), places) in waits {
        write("wait", *module, call.index(), places);
    }
}

/// Private values and the stack, only what has a value.
pub(crate) fn write_state(
    out: &mut String,
    program: &Concurrent,
    names: &Names,
    kept: &Kept,
    state: &ThreadState,
) {
    let at = state.stack.last().map(|top| (top.module, top.node));
    for (place, value) in program.blocks[state.block as usize].private.iter().zip(&state.private) {
        if kept.has(program, state.block, at, Place::Global(*place)) {
            let _ = write!(out, " {}={value}", escape(names.global(*place)));
        }
    }
    for frame in &state.stack {
        let own = names.module(frame.module);
        let _ = write!(out, " ; {}", escape(names.function(frame.module)));
        let _ = match frame.call {
            Some(call) => write!(out, " call {}", call.index()),
            None => write!(out, " {}", frame.node.index()),
        };
        for (n, value) in (0..).map(Place::Local).zip(&frame.locals) {
            let has = match frame.call {
                Some(call) => kept.has_waiting(frame.module, call, n),
                None => kept.has(program, state.block, at, n),
            };
            if has {
                let _ = write!(out, " {}={value}", escape(&own.word(Slot::Place(n))));
            }
        }
    }
}

/// A state as it would stand in the text.
pub(crate) fn show_state(program: &Concurrent, kept: &Kept, state: &ThreadState) -> String {
    let mut out = block_words(program)[state.block as usize].clone();
    write_state(&mut out, program, &Names::new(&program.machine), kept, state);
    out
}

/// A configuration as a line of the text.
pub(crate) fn show(configuration: &Configuration) -> String {
    let mut out = format!("c s{}", configuration.shared);
    for (n, states) in configuration.threads.iter().enumerate() {
        if n > 0 {
            out.push_str(" /");
        }
        for (local, count) in states {
            let _ = match local {
                Local::Start => write!(out, " start"),
                Local::Done => write!(out, " done"),
                Local::At(n) => write!(out, " l{n}"),
            };
            let _ = match count {
                Count::Number(1) => Ok(()),
                Count::Number(number) => write!(out, "*{number}"),
                Count::Any => write!(out, "*any"),
            };
        }
    }
    out
}

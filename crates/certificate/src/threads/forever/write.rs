//! Printing a certificate about infinite runs of threads.

use super::super::write::{block_words, line_of, spaced, write_kept, write_state};
use super::{Endless, Standing};
use crate::names::{Names, escape};
use base::Sources;
use rsm::Concurrent;
use rsm::interleave::Scheduler;
use std::fmt::Write;

/// The first line of the text.
pub(super) const VERSION: &str = "getafix certificate of infinite runs of threads 1";

/// The word of a scheduler.
pub(super) fn scheduler_word(scheduler: Scheduler) -> &'static str {
    match scheduler {
        Scheduler::Any => "any",
        Scheduler::Weak => "weak",
        Scheduler::Strong => "strong",
    }
}

/// The text of a certificate. The sources are only used to remark on which line a thread is.
pub fn write(program: &Concurrent, sources: &Sources, endless: &Endless) -> String {
    let names = Names::new(&program.machine);
    let mut out = String::with_capacity(endless.configurations.len() * 5 + 4096);
    let _ = writeln!(out, "{VERSION}\n{}", endless.claim.line());
    let _ = writeln!(out, "scheduler {}", scheduler_word(endless.scheduler));
    if endless.stops_everywhere {
        out.push_str("stops everywhere\n");
    }
    let shared = (0..).zip(&endless.kept.shared).filter(|(_, kept)| **kept);
    let shared: Vec<u32> = shared.map(|(n, _)| n).collect();
    let _ = writeln!(out, "shared{}", spaced(shared.iter().map(|n| escape(names.global(*n)))));
    write_kept(&mut out, &names, &endless.kept);
    let blocks = block_words(program);
    for (block, copies) in &endless.groups {
        let copies = spaced(copies.iter().map(u32::to_string));
        let _ = writeln!(out, "threads {}{copies}", escape(&blocks[*block as usize]));
    }
    for (n, values) in endless.shared.iter().enumerate() {
        let values = shared.iter().map(|place| values[*place as usize].to_string());
        let _ = writeln!(out, "s{n} ={}", spaced(values));
    }
    for (n, (block, standing)) in endless.states.iter().enumerate() {
        let _ = write!(out, "l{n} = {}", escape(&blocks[*block as usize]));
        let _ = match standing {
            Standing::At(state) => {
                write_state(&mut out, program, &names, &endless.kept, state);
                writeln!(out, "{}", line_of(program, sources, state))
            }
            Standing::Done { bits, has_ended: true } => writeln!(out, " ended {bits}"),
            Standing::Done { bits, has_ended: false } => writeln!(out, " done {bits}"),
            Standing::Spin { bits, is_inside: false } => writeln!(out, " spin {bits}"),
            Standing::Spin { bits, is_inside: true } => writeln!(out, " spin inside {bits}"),
        };
    }
    let mut classes: Vec<_> = endless.classes.iter().collect();
    classes.sort_unstable_by_key(|(class, _)| **class);
    for (n, class) in classes {
        if let Some(around) = class.around {
            let _ = writeln!(out, "within {n} {around}");
        }
        for (group, state) in &class.starved {
            let _ = writeln!(out, "starve {n} {group} l{state}");
        }
    }
    let width = endless.width();
    for (numbers, class) in endless.configurations.chunks_exact(width).zip(&endless.class_of) {
        push_configuration(&mut out, numbers);
        push(&mut out, " k", *class);
        out.push('\n');
    }
    out
}

/// A configuration as it stands in the text, but for its class.
pub(super) fn show(numbers: &[u32]) -> String {
    let mut out = String::new();
    push_configuration(&mut out, numbers);
    out
}

fn push_configuration(out: &mut String, numbers: &[u32]) {
    let last = numbers.len() - 1;
    push(out, "c s", numbers[0]);
    numbers[1..last].iter().for_each(|local| push(out, " l", *local));
    push(out, " q", numbers[last]);
}

/// A word and a number; there are very many of them, so that the machinery of formatting would be felt.
fn push(out: &mut String, word: &str, number: u32) {
    out.push_str(word);
    let (mut digits, mut n, mut rest) = ([0; 10], 10, number);
    loop {
        n -= 1;
        digits[n] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend(digits[n..].iter().map(|digit| char::from(*digit)));
}

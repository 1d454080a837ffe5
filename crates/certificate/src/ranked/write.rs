//! Printing a certificate about infinite runs of a sequential program.

use super::Ranked;
use crate::names::{Names, escape};
use base::Sources;
use encode::Slot;
use rsm::{ModuleId, Place, Rsm};
use std::fmt::Write;

/// The first line of the text.
pub(super) const VERSION: &str = "getafix certificate of infinite runs 2";

/// The text of a certificate. The sources are only used to remark on lines.
pub fn write(rsm: &Rsm, sources: &Sources, ranked: &Ranked) -> String {
    let names = Names::new(rsm);
    let mut out = format!("{VERSION}\n{}\n", ranked.claim.line());
    for (n, point) in ranked.points.iter().enumerate() {
        let _ = write!(out, "p{n} = {} {}", escape(names.function(point.module)), point.node.index());
        write_places(&mut out, &names, point.module, &point.places);
        let line = sources.line_column(rsm.module(point.module).node(point.node).span).0;
        let _ = writeln!(out, " # line {line}");
    }
    for (n, function) in ranked.functions.iter().enumerate() {
        let _ = write!(out, "f{n} = {}", escape(names.function(function.module)));
        write_places(&mut out, &names, function.module, &function.places);
        out.push('\n');
    }
    let mut states = ranked.states.iter().peekable();
    for (n, entry) in (0..).zip(&ranked.entries) {
        out.push_str("e f");
        push_number(&mut out, u64::from(entry.function));
        write_values(&mut out, ranked.of_entry(entry));
        while let Some(state) = states.next_if(|state| state.entry == n) {
            out.push('p');
            push_number(&mut out, u64::from(state.point));
            out.push_str(if state.passed { "+ " } else { " " });
            push_number(&mut out, u64::from(state.number));
            write_values(&mut out, ranked.of_state(state));
        }
    }
    out
}

fn write_places(out: &mut String, names: &Names<'_>, module: ModuleId, places: &[Place]) {
    let own = names.module(module);
    for place in places {
        let _ = write!(out, " {}", escape(&own.word(Slot::Place(*place))));
    }
}

fn write_values(out: &mut String, values: &[u64]) {
    for value in values {
        out.push(' ');
        push_number(out, *value);
    }
    out.push('\n');
}

/// There are very many numbers, most of them small.
fn push_number(out: &mut String, number: u64) {
    if number < 10 {
        out.push(char::from(b'0' + number as u8));
        return;
    }
    let mut digits = [0; 20];
    let (mut at, mut rest) = (digits.len(), number);
    while rest > 0 {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    out.extend(digits[at..].iter().map(|digit| char::from(*digit)));
}

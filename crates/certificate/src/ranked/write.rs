//! Printing a certificate about infinite runs of a sequential program.

use super::Ranked;
use crate::names::Names;
use crate::threads::write::{line_of, write_kept, write_state};
use base::Sources;
use rsm::{Concurrent, Rsm};
use std::fmt::Write;

/// The first line of the text.
pub(super) const VERSION: &str = "getafix certificate of infinite runs 1";

/// The text of a certificate. The sources are only used to remark on lines.
pub fn write(rsm: &Rsm, sources: &Sources, ranked: &Ranked) -> String {
    let program = Concurrent::owning(rsm.clone());
    let names = Names::new(rsm);
    let mut out = format!("{VERSION}\n{}\n", ranked.claim.line());
    write_kept(&mut out, &names, &ranked.kept);
    for (n, entry) in ranked.entries.iter().enumerate() {
        let _ = write!(out, "e{n} =");
        write_state(&mut out, &program, &names, &ranked.kept, entry);
        let _ = writeln!(out, "{}", line_of(&program, sources, entry));
    }
    for known in &ranked.states {
        let passed = if known.passed { '+' } else { '-' };
        let _ = write!(out, "v {} {} {passed}", known.entry, known.number);
        write_state(&mut out, &program, &names, &ranked.kept, &known.state);
        out.push('\n');
    }
    out
}

//! Witnesses in the format of the competition on software verification: what `check --witness` writes.

pub mod check;

use super::Loaded;
use crate::job::Job;
use crate::options::CheckOptions;
use c::{DataModel, Property};
use checker::{About, IntegerGoal, Outcome, Target, Verdict, Wanted};
use integers::TargetKind;
use integers::trace::End;
use proof::Statement;
use std::path::Path;
use witness::{Content, Entry, Fact, Map, Metadata, Run, Text};

/// The witness of an answer, if one is wanted.
pub fn write(options: &CheckOptions, loaded: &Loaded, outcome: &Outcome, job: &Job) {
    // A browser asks for none, and need not have what writes them.
    if cfg!(target_family = "wasm") || !options.proof.witness {
        return;
    }
    match entry(loaded, outcome, job) {
        Ok(entry) => job.record.keep(|reply| reply.witness = Some(witness::write(&entry))),
        Err(why) => job.record.note(&format!("no witness is written: {why}")),
    }
}

/// The program and its text, for witnesses.
pub fn map(loaded: &Loaded) -> Map<'_> {
    Map {
        program: &loaded.program,
        sites: &loaded.sites,
        sources: &loaded.sources,
        file: loaded.file,
        model: loaded.data_model,
    }
}

fn entry(loaded: &Loaded, outcome: &Outcome, job: &Job) -> Result<Entry, String> {
    let specification = specification(loaded, outcome)?;
    let map = map(loaded);
    let is_endless = loaded.property == Some(Property::Termination);
    if let About::Mathematics(..) | About::Wrapping = outcome.integers.about {
        return Err("the answer is not about the integers of C".to_owned());
    }
    let content = match outcome.finding.verdict {
        Verdict::Unknown(_) => return Err("there is no answer that it could be about".to_owned()),
        Verdict::No => Content::Correctness(facts(loaded, outcome)),
        Verdict::Yes => {
            let fixed = outcome.integers.proof.claim.as_ref().and_then(|claim| match &claim.statement {
                Statement::Endless(inputs) => Some(Run::Endless(inputs)),
                Statement::Unreachable | Statement::Terminating(_) => None,
            });
            let run = outcome.integers.account.as_ref().map(Run::Told).or(fixed);
            let run = run.ok_or("there is no run that it could tell of")?;
            let segments = witness::violation(&map, &run);
            Content::Violation(segments.ok_or("the run passes no place that has a name in the text")?)
        }
    };
    let needs_new = is_endless && matches!(content, Content::Violation(_))
        || matches!(&content, Content::Correctness(facts) if facts.iter().any(|fact| matches!(fact, Fact::Contract { .. })));
    let file = &loaded.sources.file(loaded.file).name;
    let metadata = Metadata {
        format_version: Text::new(if needs_new { "2.1" } else { "2.0" }),
        creation_time: time(job.outside.dated(Path::new(file))),
        producer: ("getafix".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        files: vec![(Text::new(file.clone()), Some(Text::new(witness::sha256(&loaded.bytes))))],
        specification: Text::new(specification),
        data_model: Text::new(match loaded.data_model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }),
    };
    Ok(Entry { metadata, content })
}

/// What the claim says, if there is one and it is about the program as it stands.
fn facts(loaded: &Loaded, outcome: &Outcome) -> Vec<Fact> {
    match outcome.integers.proof.readable(&loaded.problem(Wanted::default())) {
        Some((claim, subject)) if claim.statement == Statement::Unreachable => {
            witness::invariants(&map(loaded), &claim, &subject)
        }
        _ => Vec::new(),
    }
}

/// The property, in the words of the competition.
fn specification(loaded: &Loaded, outcome: &Outcome) -> Result<String, String> {
    let ltl = |formula: String| format!("CHECK( init(main()), LTL({formula}) )");
    let call = |name: &str| ltl(format!("G ! call({name}())"));
    match &loaded.property {
        Some(Property::Termination) => return Ok(ltl("F end".to_owned())),
        Some(Property::NoOverflow) => return Ok(ltl("G ! overflow".to_owned())),
        Some(Property::UnreachCall(name)) => return Ok(call(name)),
        Some(Property::MemoryCleanup) => return Ok(ltl("G valid-memcleanup".to_owned())),
        Some(Property::MemorySafety) => {
            let parts = ["valid-free", "valid-deref", "valid-memtrack"].map(|name| ltl(format!("G {name}")));
            return Ok(parts.join(" "));
        }
        None => {}
    }
    let known = "the format knows calls of a function, overflows and runs without end";
    let program = &loaded.program;
    if let Some(account) = outcome.integers.account.as_ref().filter(|_| outcome.finding.is_yes()) {
        return match account.end {
            End::Target(target) if program.targets[target.index()].kind == TargetKind::Call => {
                Ok(call(&program.targets[target.index()].name))
            }
            End::Undefined(..) => Ok(ltl("G ! overflow".to_owned())),
            _ => Err(format!("the run reaches something else, and {known}")),
        };
    }
    let is_call = |target: &Target<IntegerGoal>| {
        program.targets.iter().any(|other| other.kind == TargetKind::Call && other.name == target.name)
    };
    match &loaded.targets[..] {
        [target] if is_call(target) => Ok(call(&target.name)),
        [target] if target.name == "overflow" => Ok(ltl("G ! overflow".to_owned())),
        _ => Err(format!("{known}; `--property` or `--target` asks for one of them")),
    }
}

/// Seconds since 1970 as a date of ISO 8601.
fn time(seconds: u64) -> String {
    let (mut days, rest) = (seconds / 86_400, seconds % 86_400);
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) && year < 9999 {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while month < 11 && days >= months[month] {
        days -= months[month];
        month += 1;
    }
    let (day, month) = (days.min(30) + 1, month + 1);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn days_of_leap_years() {
        assert_eq!(time(0), "1970-01-01T00:00:00Z");
        assert_eq!(time(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(time(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(time(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}

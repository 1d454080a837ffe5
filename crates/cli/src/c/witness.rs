//! Witnesses in the format of the competition on software verification: what `check --witness` writes.

pub mod check;

use super::Loaded;
use super::proof::readable;
use crate::args::CheckOptions;
use crate::check::write_file;
use crate::status::Status;
use crate::watch::Job;
use c::{DataModel, Property};
use cegar::Solved;
use checker::{About, IntegerOutcome, IntegerTarget, Verdict};
use integers::TargetKind;
use integers::trace::End;
use proof::Statement;
use std::path::Path;
use std::time::{Duration, SystemTime};
use witness::{Content, Entry, Fact, Map, Metadata, Run, Text};

/// Writes the witness of an answer to the file that the options name.
pub fn write(options: &CheckOptions, loaded: &Loaded, solved: &Solved, job: &Job) -> Status {
    let Some(path) = &options.proof.witness else { return Status::Evaluated };
    let text = match entry(loaded, solved) {
        Ok(entry) => witness::write(&entry),
        Err(why) => {
            job.console.note(&format!("no witness is written: {why}"));
            return Status::Evaluated;
        }
    };
    write_file(path, &text, job)
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

fn entry(loaded: &Loaded, solved: &Solved) -> Result<Entry, String> {
    let outcome = &solved.outcome;
    let specification = specification(loaded, outcome)?;
    let map = map(loaded);
    let is_endless = loaded.property == Some(Property::Termination);
    if let About::Mathematics(..) | About::Wrapping = outcome.about {
        return Err("the answer is not about the integers of C".to_owned());
    }
    let content = match outcome.finding.verdict {
        Verdict::Unknown(_) => return Err("there is no answer that it could be about".to_owned()),
        Verdict::No => Content::Correctness(facts(loaded, solved)),
        Verdict::Yes => {
            let fixed = solved.claim.as_ref().and_then(|claim| match &claim.statement {
                Statement::Endless(inputs) => Some(Run::Endless(inputs)),
                Statement::Unreachable | Statement::Terminating(_) => None,
            });
            let run = outcome.account.as_ref().map(Run::Told).or(fixed);
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
        creation_time: time(creation(Path::new(file))),
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
fn facts(loaded: &Loaded, solved: &Solved) -> Vec<Fact> {
    match readable(loaded, solved) {
        Some((claim, subject)) if claim.statement == Statement::Unreachable => {
            witness::invariants(&map(loaded), &claim, &subject)
        }
        _ => Vec::new(),
    }
}

/// The property, in the words of the competition.
fn specification(loaded: &Loaded, outcome: &IntegerOutcome) -> Result<String, String> {
    let ltl = |formula: String| format!("CHECK( init(main()), LTL({formula}) )");
    let call = |name: &str| ltl(format!("G ! call({name}())"));
    match &loaded.property {
        Some(Property::Termination) => return Ok(ltl("F end".to_owned())),
        Some(Property::NoOverflow) => return Ok(ltl("G ! overflow".to_owned())),
        Some(Property::UnreachCall(name)) => return Ok(call(name)),
        None => {}
    }
    let known = "the format knows calls of a function, overflows and runs without end";
    let program = &loaded.program;
    if let Some(account) = outcome.account.as_ref().filter(|_| outcome.finding.is_yes()) {
        return match account.end {
            End::Target(target) if program.targets[target.index()].kind == TargetKind::Call => {
                Ok(call(&program.targets[target.index()].name))
            }
            End::Undefined(..) => Ok(ltl("G ! overflow".to_owned())),
            _ => Err(format!("the run reaches something else, and {known}")),
        };
    }
    let is_call = |target: &IntegerTarget| {
        program.targets.iter().any(|other| other.kind == TargetKind::Call && other.name == target.name)
    };
    match &loaded.targets[..] {
        [target] if is_call(target) => Ok(call(&target.name)),
        [target] if target.name == "overflow" => Ok(ltl("G ! overflow".to_owned())),
        _ => Err(format!("{known}; `--property` or `--target` asks for one of them")),
    }
}

/// The time of a witness: what the environment says, or when the program was written, so that the same question has the same witness.
fn creation(program: &Path) -> u64 {
    let said = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.trim().parse().ok());
    let written = || std::fs::metadata(program).and_then(|data| data.modified()).ok();
    let since =
        |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    said.unwrap_or_else(|| written().map_or(0, since))
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

//! Parsing a certificate about infinite runs of a sequential program, and finding its names in it.

use super::write::VERSION;
use super::{Ranked, State};
use crate::Claim;
use crate::names::Names;
use crate::text::{ReadError, number, shown, words};
use crate::threads::Problem;
use crate::threads::read::{Reader, Wrong};
use rsm::{Concurrent, Rsm};

/// The text is meant to be a certificate about infinite runs of a sequential program.
pub fn is_of_infinite_runs(text: &str) -> bool {
    let known: Vec<&str> = VERSION.split(' ').collect();
    let first = text.lines().map(words).find(|words| !words.is_empty());
    first.is_some_and(|words| {
        words.len() == known.len() && words[..known.len() - 1] == known[..known.len() - 1]
    })
}

/// What a text claims: the machine that it is about may depend on that.
pub fn claim(text: &str) -> Option<Claim> {
    let claims = text.lines().map(words).find(|words| words.first() == Some(&"claim"));
    claims.and_then(|words| Claim::read(&words[1..]).ok())
}

/// The certificate that a text spells.
pub fn read(rsm: &Rsm, text: &str) -> Result<Ranked, Problem> {
    let program = Concurrent::owning(rsm.clone());
    let names = Names::new(rsm);
    let mut reading = Reading {
        reader: Reader::new(&program, &names),
        has_version: false,
        claim: None,
        entries: Vec::new(),
        states: Vec::new(),
    };
    let mut n_lines = 0;
    for (n, line) in text.lines().enumerate() {
        n_lines = n + 1;
        reading.line(&words(line)).map_err(|wrong| wrong.at(n + 1))?;
    }
    let missing = |message: String| Problem::Malformed(ReadError { line: n_lines.max(1), message });
    if !reading.has_version {
        return Err(missing(format!("expected `{VERSION}`")));
    }
    let no_claim = || missing("expected a line that begins with `claim`".to_owned());
    let claim = reading.claim.ok_or_else(no_claim)?;
    let kept = reading.reader.closed.kept;
    Ok(Ranked { claim, kept, entries: reading.entries, states: reading.states })
}

struct Reading<'r> {
    reader: Reader<'r>,
    has_version: bool,
    claim: Option<Claim>,
    entries: Vec<rsm::interleave::ThreadState>,
    states: Vec<State>,
}

impl Reading<'_> {
    fn line(&mut self, words: &[&str]) -> Result<(), Wrong> {
        match words {
            [] => {}
            _ if !self.has_version => {
                self.has_version = words.join(" ") == VERSION;
                let expected = || Wrong::Text(format!("expected `{VERSION}`"));
                return self.has_version.then_some(()).ok_or_else(expected);
            }
            ["claim", rest @ ..] => self.claim = Some(Claim::read(rest)?),
            ["keep", ..] => self.reader.table(words)?,
            [label, "=", rest @ ..] if label.starts_with('e') => {
                if number::<usize>(&label[1..])? != self.entries.len() {
                    let expected = self.entries.len();
                    return Err(Wrong::Text(format!("expected `e{expected}`, found `{}`", shown(label))));
                }
                self.entries.push(self.reader.thread(0, rest)?);
            }
            ["v", entry, rank, passed @ ("+" | "-"), rest @ ..] => {
                let state = self.reader.thread(0, rest)?;
                let (entry, number) = (number(entry)?, number(rank)?);
                self.states.push(State { entry, state, passed: *passed == "+", number });
            }
            [first, ..] => {
                let found = shown(first);
                let expected = "expected a claim, variables, an entry or a state";
                return Err(Wrong::Text(format!("{expected}, found `{found}`")));
            }
        }
        Ok(())
    }
}

//! Parsing a certificate about infinite runs of a sequential program, and finding its names in it.

use super::write::VERSION;
use super::{Entry, Function, Point, Ranked, State};
use crate::Claim;
use crate::names::Names;
use crate::text::{ReadError, is_of_kind, is_version, name, number, shown, words};
use crate::threads::Problem;
use crate::threads::read::{Wrong, foreign};
use encode::Slot;
use rsm::{ModuleId, NodeId, Place, Rsm};

/// The text is meant to be a certificate about infinite runs of a sequential program.
pub fn is_of_infinite_runs(text: &str) -> bool {
    let first = text.lines().map(words).find(|words| !words.is_empty());
    first.is_some_and(|line| is_of_kind(&line, VERSION) && line.len() == words(VERSION).len())
}

/// What a text claims: the machine that it is about may depend on that.
pub fn claim(text: &str) -> Option<Claim> {
    let claims = text.lines().map(words).find(|words| words.first() == Some(&"claim"));
    claims.and_then(|words| Claim::read(&words[1..]).ok())
}

/// The certificate that a text spells.
pub fn read(rsm: &Rsm, text: &str) -> Result<Ranked, Problem> {
    let names = Names::new(rsm);
    let nothing = Ranked {
        claim: Claim::Nonterm,
        points: Vec::new(),
        functions: Vec::new(),
        entries: Vec::new(),
        states: Vec::new(),
        values: Vec::new(),
    };
    let mut reading = Reading { names: &names, has_version: false, claim: None, ranked: nothing };
    let mut n_lines = 0;
    for (n, line) in (1..).zip(text.lines()) {
        n_lines = n;
        if !reading.plain(line) {
            reading.line(&words(line)).map_err(|wrong| wrong.at(n))?;
        }
    }
    let missing = |message: String| Problem::Malformed(ReadError { line: n_lines.max(1), message });
    if !reading.has_version {
        return Err(missing(format!("expected `{VERSION}`")));
    }
    let no_claim = || missing("expected a line that begins with `claim`".to_owned());
    Ok(Ranked { claim: reading.claim.ok_or_else(no_claim)?, ..reading.ranked })
}

struct Reading<'r> {
    names: &'r Names<'r>,
    has_version: bool,
    claim: Option<Claim>,
    ranked: Ranked,
}

impl Reading<'_> {
    /// Almost all lines are states, `p1+ 5 1 0`, and entries, `e f0 1 0`. Says whether this is one that is as it should be; if it is not,
    /// others say what is wrong.
    fn plain(&mut self, line: &str) -> bool {
        let first = self.ranked.values.len();
        let read = match line.as_bytes() {
            _ if !self.has_version => None,
            [b'p', rest @ ..] => self.plain_state(&mut Numbers(rest), first),
            [b'e', b' ', b'f', rest @ ..] => self.plain_entry(&mut Numbers(rest), first),
            _ => None,
        };
        if read.is_none() {
            self.ranked.values.truncate(first);
        }
        read.is_some()
    }

    fn plain_state(&mut self, numbers: &mut Numbers<'_>, first: usize) -> Option<()> {
        let entry = u32::try_from(self.ranked.entries.len()).ok()?.checked_sub(1)?;
        let point = u32::try_from(numbers.next()?).ok()?;
        let passed = numbers.has(b'+');
        let number = u32::try_from(numbers.behind_space()?).ok()?;
        let n_values = self.ranked.points.get(point as usize)?.places.len();
        let first = self.plain_values(numbers, first, n_values)?;
        self.ranked.states.push(State { entry, point, passed, number, first });
        Some(())
    }

    fn plain_entry(&mut self, numbers: &mut Numbers<'_>, first: usize) -> Option<()> {
        let function = u32::try_from(numbers.next()?).ok()?;
        let n_values = self.ranked.functions.get(function as usize)?.places.len();
        let first = self.plain_values(numbers, first, n_values)?;
        self.ranked.entries.push(Entry { function, first });
        Some(())
    }

    /// So many values up to the end of the line: where they begin.
    fn plain_values(&mut self, numbers: &mut Numbers<'_>, first: usize, n_values: usize) -> Option<u32> {
        for _ in 0..n_values {
            self.ranked.values.push(numbers.behind_space()?);
        }
        numbers.0.is_empty().then_some(())?;
        u32::try_from(first).ok()
    }

    fn line(&mut self, words: &[&str]) -> Result<(), Wrong> {
        match words {
            [] => {}
            _ if !self.has_version => {
                is_version(words, VERSION)?;
                self.has_version = true;
            }
            ["claim", rest @ ..] => self.claim = Some(Claim::read(rest)?),
            [label, "=", function, node, places @ ..] if label.starts_with('p') => {
                is_next(label, self.ranked.points.len())?;
                let module = self.function(function)?;
                let node = NodeId(number(node)?);
                self.ranked.points.push(Point { module, node, places: self.places(module, places)? });
            }
            [label, "=", function, places @ ..] if label.starts_with('f') => {
                is_next(label, self.ranked.functions.len())?;
                let module = self.function(function)?;
                self.ranked.functions.push(Function { module, places: self.places(module, places)? });
            }
            ["e", function, values @ ..] => self.entry(function, values)?,
            [point, number, values @ ..] if point.starts_with('p') => {
                self.any_state(point, number, values)?
            }
            [first, ..] => {
                let found = shown(first);
                let expected = "expected a claim, a point, a function, an entry or a state";
                return Err(Wrong::Text(format!("{expected}, found `{found}`")));
            }
        }
        Ok(())
    }

    fn function(&self, word: &str) -> Result<ModuleId, Wrong> {
        let function = name(word)?;
        match self.names.find_function(&function) {
            Some(module) => Ok(module),
            None => foreign(format!("there is no function `{function}`")),
        }
    }

    fn places(&self, module: ModuleId, words: &[&str]) -> Result<Vec<Place>, Wrong> {
        let own = self.names.module(module);
        let place = |word: &&str| match own.find(&name(word)?) {
            Some(Slot::Place(place)) => Ok(place),
            _ => {
                let function = self.names.function(module);
                foreign(format!("there is no function `{function}` with a variable `{}`", shown(word)))
            }
        };
        words.iter().map(place).collect()
    }

    /// `e f0 1`
    fn entry(&mut self, function: &str, values: &[&str]) -> Result<(), Wrong> {
        let function = position(function, 'f', self.ranked.functions.len())?;
        let n_values = self.ranked.functions[function as usize].places.len();
        let first = self.values(values, n_values)?;
        self.ranked.entries.push(Entry { function, first });
        Ok(())
    }

    /// A state with remarks or with several spaces, or one with a mistake.
    fn any_state(&mut self, point: &str, rank: &str, values: &[&str]) -> Result<(), Wrong> {
        let (point, passed) = point.strip_suffix('+').map_or((point, false), |point| (point, true));
        let point = position(point, 'p', self.ranked.points.len())?;
        let number = number(rank)?;
        let n_values = self.ranked.points[point as usize].places.len();
        let first = self.values(values, n_values)?;
        match (self.ranked.entries.len() as u32).checked_sub(1) {
            Some(entry) => self.ranked.states.push(State { entry, point, passed, number, first }),
            None => return Err(Wrong::Text("expected an entry before the first state".to_owned())),
        }
        Ok(())
    }

    /// So many values: where they begin.
    fn values(&mut self, values: &[&str], n_values: usize) -> Result<u32, Wrong> {
        if values.len() != n_values {
            return Err(Wrong::Text(format!("expected {n_values} values, found {}", values.len())));
        }
        let too_large = |_| Wrong::Text("the certificate is too large".to_owned());
        let first = u32::try_from(self.ranked.values.len()).map_err(too_large)?;
        for value in values {
            self.ranked.values.push(number(value)?);
        }
        Ok(first)
    }
}

/// The label has the number that comes next.
fn is_next(label: &str, next: usize) -> Result<(), Wrong> {
    if number::<usize>(&label[1..])? == next {
        return Ok(());
    }
    let expected = &label[..1];
    Err(Wrong::Text(format!("expected `{expected}{next}`, found `{}`", shown(label))))
}

/// The number of `p3` or `f3`, if so many are defined.
fn position(word: &str, letter: char, n_defined: usize) -> Result<u32, Wrong> {
    let known = word.strip_prefix(letter).and_then(|digits| number::<u32>(digits).ok());
    let known = known.filter(|n| (*n as usize) < n_defined);
    known.ok_or_else(|| Wrong::Text(format!("`{}` is not defined", shown(word))))
}

/// What is left of a line.
struct Numbers<'t>(&'t [u8]);

impl Numbers<'_> {
    fn has(&mut self, byte: u8) -> bool {
        match self.0.split_first() {
            Some((first, rest)) if *first == byte => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    fn behind_space(&mut self) -> Option<u64> {
        if self.has(b' ') { self.next() } else { None }
    }

    fn next(&mut self) -> Option<u64> {
        let mut number: Option<u64> = None;
        while let Some((digit @ b'0'..=b'9', rest)) = self.0.split_first() {
            number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(u64::from(digit - b'0'))?);
            self.0 = rest;
        }
        number
    }
}

//! Parsing a certificate about infinite runs of threads, and finding its names in a program.

use super::super::read::{Problem, Reader, Wrong};
use super::write::{VERSION, scheduler_word};
use super::{Class, Endless, Standing};
use crate::Claim;
use crate::names::Names;
use crate::text::{ReadError, name, number, shown, words};
use rsm::Concurrent;
use rsm::interleave::Scheduler;
use rustc_hash::FxHashMap;

/// The text is meant to be a certificate about infinite runs of threads.
pub fn is_of_infinite_runs(text: &str) -> bool {
    let known: Vec<&str> = VERSION.split(' ').collect();
    let first = text.lines().map(words).find(|words| !words.is_empty());
    first.is_some_and(|words| words.get(..known.len() - 1) == Some(&known[..known.len() - 1]))
}

/// The certificates that a text consists of, each with the number of lines before it.
pub fn parts(text: &str) -> Vec<(usize, &str)> {
    let (mut parts, mut begin): (Vec<(usize, &str)>, (usize, usize)) = (Vec::new(), (0, 0));
    for (at, _) in text.match_indices(VERSION) {
        let is_line = text[..at].is_empty() || text[..at].ends_with('\n');
        let rest = text[at + VERSION.len()..].lines().next().unwrap_or_default();
        let before = &text[begin.1..at];
        if is_line && rest.trim_end().is_empty() && !before.trim().is_empty() {
            parts.push((begin.0, before));
            begin = (begin.0 + before.lines().count(), at);
        }
    }
    parts.push((begin.0, &text[begin.1..]));
    parts
}

/// The certificate that a text spells.
pub fn read(program: &Concurrent, text: &str) -> Result<Endless, Problem> {
    let names = Names::new(&program.machine);
    let mut reading = Reading {
        reader: Reader::new(program, &names),
        has_version: false,
        claim: None,
        scheduler: None,
        groups: Vec::new(),
        width: 2,
        states: Vec::new(),
        numbers: FxHashMap::default(),
        configurations: Vec::new(),
        class_of: Vec::new(),
        classes: FxHashMap::default(),
    };
    let mut n_lines = 0;
    for (n, line) in text.lines().enumerate() {
        n_lines = n + 1;
        reading.line(line).map_err(|wrong| wrong.at(n + 1))?;
    }
    reading.end().map_err(|message| Problem::Malformed(ReadError { line: n_lines.max(1), message }))
}

struct Reading<'r> {
    reader: Reader<'r>,
    has_version: bool,
    claim: Option<Claim>,
    scheduler: Option<Scheduler>,
    groups: Vec<(u32, Vec<u32>)>,
    width: usize,
    states: Vec<(u32, Standing)>,
    /// Positions by the numbers that the text gives.
    numbers: FxHashMap<u64, u32>,
    configurations: Vec<u32>,
    class_of: Vec<u32>,
    classes: FxHashMap<u32, Class>,
}

impl Reading<'_> {
    fn line(&mut self, line: &str) -> Result<(), Wrong> {
        if self.has_version
            && let Some(rest) = line.strip_prefix("c ")
        {
            return self.configuration(rest);
        }
        let words = words(line);
        if words.is_empty() {
            return Ok(());
        }
        if !self.has_version {
            self.has_version = words.join(" ") == VERSION;
            let expected = || Wrong::Text(format!("expected `{VERSION}`"));
            return self.has_version.then_some(()).ok_or_else(expected);
        }
        match &words[..] {
            ["claim", rest @ ..] => self.claim = Some(Claim::read(rest)?),
            ["scheduler", word] => {
                let found = Scheduler::ALL.into_iter().find(|known| scheduler_word(*known) == *word);
                let expected =
                    || Wrong::Text(format!("expected any, weak or strong, found `{}`", shown(word)));
                self.scheduler = Some(found.ok_or_else(expected)?);
            }
            ["threads", block, copies @ ..] => {
                let block = self.reader.block(&name(block)?)?;
                let copies: Vec<u32> = copies.iter().map(|copy| number(copy)).collect::<Result<_, _>>()?;
                self.width += copies.len();
                self.groups.push((block, copies));
            }
            ["starve", class, group, state] => {
                let starved = (number(group)?, self.local(state)?);
                self.classes.entry(number(class)?).or_default().starved.push(starved);
            }
            ["within", class, around] => {
                let class: u32 = number(class)?;
                self.classes.entry(class).or_default().around = Some(number(around)?);
            }
            [label, "=", block, rest @ ..] if label.starts_with('l') => {
                self.state(label, block, rest, &words)?
            }
            _ => self.reader.table(&words)?,
        }
        Ok(())
    }

    /// `l3 = p done 4`, `l5 = p own=1 ; main 3 x=0`
    fn state(&mut self, label: &str, block: &str, rest: &[&str], words: &[&str]) -> Result<(), Wrong> {
        let standing = match rest {
            ["ended", bits] => Standing::Done { bits: number(bits)?, has_ended: true },
            ["done", bits] => Standing::Done { bits: number(bits)?, has_ended: false },
            ["spin", "inside", bits] => Standing::Spin { bits: number(bits)?, is_inside: true },
            ["spin", bits] => Standing::Spin { bits: number(bits)?, is_inside: false },
            _ => {
                self.reader.table(words)?;
                let state = self.reader.closed.states.pop();
                Standing::At(state.ok_or_else(|| Wrong::Text("expected a state".to_owned()))?)
            }
        };
        let block = self.reader.block(&name(block)?)?;
        if self.numbers.insert(number(&label[1..])?, self.states.len() as u32).is_some() {
            return Err(Wrong::Text(format!("`{}` is defined twice", shown(label))));
        }
        self.states.push((block, standing));
        Ok(())
    }

    fn local(&self, word: &str) -> Result<u32, Wrong> {
        let found = word.strip_prefix('l').and_then(parse).and_then(|n| self.numbers.get(&n));
        found.copied().ok_or_else(|| undefined(word))
    }

    /// `s0 l0 l2 q1 k9`
    fn configuration(&mut self, line: &str) -> Result<(), Wrong> {
        let first = self.configurations.len();
        let mut class = None;
        for (n, word) in line.split_ascii_whitespace().enumerate() {
            if word.starts_with('#') {
                break;
            }
            let value = match word.as_bytes()[0] {
                b's' if n == 0 => {
                    let found = parse(&word[1..]).and_then(|n| self.reader.shared.get(&n));
                    *found.ok_or_else(|| undefined(word))?
                }
                b'l' if n > 0 && n + 1 < self.width => self.local(word)?,
                b'q' if n + 1 == self.width => number(&word[1..])?,
                b'k' if n == self.width => {
                    class = Some(number(&word[1..])?);
                    continue;
                }
                _ => return Err(self.not_a_configuration()),
            };
            self.configurations.push(value);
        }
        let Some(class) = class.filter(|_| self.configurations.len() == first + self.width) else {
            return Err(self.not_a_configuration());
        };
        self.class_of.push(class);
        Ok(())
    }

    fn not_a_configuration(&self) -> Wrong {
        let threads = self.width - 2;
        Wrong::Text(format!(
            "expected shared values, {threads} states of threads, a state of the observer and a class"
        ))
    }

    fn end(self) -> Result<Endless, String> {
        if !self.has_version {
            return Err(format!("expected `{VERSION}`"));
        }
        let closed = self.reader.closed;
        let mut endless = Endless {
            claim: self.claim.ok_or("expected a line that begins with `claim`")?,
            scheduler: self.scheduler.ok_or("expected a line that begins with `scheduler`")?,
            stops_everywhere: closed.stops_everywhere,
            kept: closed.kept,
            groups: self.groups,
            shared: closed.shared,
            states: self.states,
            configurations: self.configurations,
            class_of: self.class_of,
            classes: self.classes,
        };
        endless.sort();
        Ok(endless)
    }
}

impl Endless {
    /// Threads of a group are not told apart: their states are in order.
    fn sort(&mut self) {
        let width = self.width();
        for numbers in self.configurations.chunks_exact_mut(width) {
            let mut first = 1;
            for (_, copies) in &self.groups {
                numbers[first..first + copies.len()].sort_unstable();
                first += copies.len();
            }
        }
    }
}

fn parse(digits: &str) -> Option<u64> {
    digits.parse().ok()
}

fn undefined(word: &str) -> Wrong {
    Wrong::Text(format!("`{}` is not defined", shown(word)))
}

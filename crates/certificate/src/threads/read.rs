//! Parsing a closed set and finding its names in a program.

use super::write::{VERSION, block_words};
use super::{ClosedSet, Configuration, Count, Group, Local};
use crate::names::{ModuleNames, Names};
use crate::text::{ReadError, each_line, is_of_kind, name, number, shown, words};
use encode::Slot;
use rsm::interleave::ThreadState;
use rsm::step::Frame;
use rsm::{Concurrent, EdgeId, ModuleId, NodeId, Place};
use rustc_hash::FxHashMap;

/// Why a text is no certificate for a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// It breaks the rules of the text.
    Malformed(ReadError),
    /// It speaks of what the program does not have.
    Foreign(String),
}

/// What is wrong with a line.
pub(crate) enum Wrong {
    Text(String),
    Foreign(String),
}

impl Wrong {
    /// In the line with this number.
    pub(crate) fn at(self, line: usize) -> Problem {
        match self {
            Self::Text(message) => Problem::Malformed(ReadError { line, message }),
            Self::Foreign(message) => Problem::Foreign(message),
        }
    }
}

impl From<String> for Wrong {
    fn from(message: String) -> Self {
        Self::Text(message)
    }
}

pub(crate) fn foreign<T>(message: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong::Foreign(message.into()))
}

/// The text is meant to be a certificate for a program with threads.
pub fn is_of_threads(text: &str) -> bool {
    let words = text.lines().map(words).find(|words| !words.is_empty());
    words.is_some_and(|words| is_of_kind(&words, VERSION))
}

/// The closed set that a text spells.
pub fn read(program: &Concurrent, text: &str) -> Result<ClosedSet, Problem> {
    let names = Names::new(&program.machine);
    let mut reader = Reader::new(program, &names);
    let read = each_line(text, VERSION, |words| reader.line(words));
    read.map_err(|(line, wrong)| wrong.at(line))?;
    Ok(reader.closed)
}

pub(crate) struct Reader<'r> {
    program: &'r Concurrent,
    names: &'r Names<'r>,
    modules: Vec<ModuleNames<'r>>,
    blocks: Vec<String>,
    pub(crate) closed: ClosedSet,
    /// Which shared variables have values, in the order of the text.
    order: Vec<u32>,
    /// Positions by the numbers that the text gives.
    pub(super) shared: FxHashMap<u64, u32>,
    states: FxHashMap<u64, u32>,
}

impl<'r> Reader<'r> {
    /// A reader of a text that has not begun.
    pub(crate) fn new(program: &'r Concurrent, names: &'r Names<'r>) -> Self {
        let modules = (0..program.machine.modules.len()).map(|module| names.module(ModuleId::new(module)));
        let mut closed = ClosedSet::default();
        closed.kept.shared = vec![false; program.n_shared];
        Self {
            program,
            names,
            modules: modules.collect(),
            blocks: block_words(program),
            closed,
            order: Vec::new(),
            shared: FxHashMap::default(),
            states: FxHashMap::default(),
        }
    }
}

impl Reader<'_> {
    fn line(&mut self, words: &[&str]) -> Result<(), Wrong> {
        match words {
            ["target", target] => self.closed.targets.push(name(target)?),
            ["threads", threads] => self.group(threads)?,
            ["c", shared, groups @ ..] => self.configuration(shared, groups)?,
            _ => self.table(words)?,
        }
        Ok(())
    }

    /// A line that says which variables have values, or gives some a number.
    pub(crate) fn table(&mut self, words: &[&str]) -> Result<(), Wrong> {
        match words {
            ["stops", "everywhere"] => self.closed.stops_everywhere = true,
            ["shared", places @ ..] => self.shared(places)?,
            ["keep", function, node, places @ ..] => {
                let module = self.function(function)?;
                let node = NodeId(number(node)?);
                let places = self.places(module, places)?;
                self.closed.kept.points.entry((module, node)).or_default().extend(places);
            }
            ["wait", function, call, places @ ..] => {
                let module = self.function(function)?;
                let call = EdgeId(number(call)?);
                let places = self.places(module, places)?;
                self.closed.kept.waits.entry((module, call)).or_default().extend(places);
            }
            [label, "=", rest @ ..] if label.starts_with('s') => self.values(label, rest)?,
            [label, "=", block, rest @ ..] if label.starts_with('l') => self.state(label, block, rest)?,
            [first, ..] => {
                let expected = "expected a target, variables, threads, values, a state or a configuration";
                return Err(Wrong::Text(format!("{expected}, found `{}`", shown(first))));
            }
            [] => {}
        }
        Ok(())
    }

    fn shared(&mut self, places: &[&str]) -> Result<(), Wrong> {
        for place in places {
            let place = name(place)?;
            match self.names.find_global(&place) {
                Some(n) if (n as usize) < self.program.n_shared => {
                    self.order.push(n);
                    self.closed.kept.shared[n as usize] = true;
                }
                _ => return foreign(format!("there is no shared variable `{place}`")),
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
        words.iter().map(|word| self.place(module, &name(word)?)).collect()
    }

    fn place(&self, module: ModuleId, variable: &str) -> Result<Place, Wrong> {
        match self.modules[module.index()].find(variable) {
            Some(Slot::Place(place)) => Ok(place),
            _ => {
                let function = self.names.function(module);
                foreign(format!("there is no function `{function}` with a variable `{variable}`"))
            }
        }
    }

    /// The block of a word.
    pub(super) fn block(&self, word: &str) -> Result<u32, Wrong> {
        match self.blocks.iter().position(|block| block == word) {
            Some(block) => Ok(block as u32),
            None => foreign(format!("there are no threads `{word}`")),
        }
    }

    /// `worker`, `worker[0]`
    fn group(&mut self, word: &str) -> Result<(), Wrong> {
        let word = name(word)?;
        let parts = word.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
        let group = match parts {
            Some((block, copy)) if !self.blocks.contains(&word) => {
                Group { block: self.block(block)?, copy: Some(number(copy)?) }
            }
            _ => Group { block: self.block(&word)?, copy: None },
        };
        self.closed.groups.push(group);
        Ok(())
    }

    /// `s3 = 1 0`
    fn values(&mut self, label: &str, values: &[&str]) -> Result<(), Wrong> {
        if values.len() != self.order.len() {
            let expected = self.order.len();
            return Err(Wrong::Text(format!("expected {expected} values, found {}", values.len())));
        }
        let mut shared = vec![0; self.program.n_shared];
        for (place, value) in self.order.iter().zip(values) {
            let variable = &self.program.machine.globals[*place as usize];
            let value = number(value)?;
            if value > variable.ty.max() {
                return foreign(format!("`{}` has no value {value}", variable.name));
            }
            shared[*place as usize] = value;
        }
        let known = self.shared.insert(label_number(label)?, self.closed.shared.len() as u32);
        self.closed.shared.push(shared);
        defined_once(label, known)
    }

    /// `l3 = worker g=0 ; main call 5 x=1 ; get 3 y=0`
    fn state(&mut self, label: &str, block: &str, rest: &[&str]) -> Result<(), Wrong> {
        let state = self.thread(self.block(&name(block)?)?, rest)?;
        let known = self.states.insert(label_number(label)?, self.closed.states.len() as u32);
        self.closed.states.push(state);
        defined_once(label, known)
    }

    /// `g=0 ; main call 5 x=1 ; get 3 y=0`
    pub(crate) fn thread(&self, block: u32, words: &[&str]) -> Result<ThreadState, Wrong> {
        let mut parts = words.split(|word| *word == ";");
        let private = &self.program.blocks[block as usize].private;
        let mut values = vec![0; private.len()];
        for word in parts.next().unwrap_or_default() {
            let (variable, value) = assigned(word)?;
            let place = self.names.find_global(&variable).and_then(|n| private.binary_search(&n).ok());
            let Some(place) = place else {
                return foreign(format!("there are no threads with a private variable `{variable}`"));
            };
            values[place] = value;
        }
        let stack: Vec<Frame> = parts.map(|words| self.frame(words)).collect::<Result<_, _>>()?;
        Ok(ThreadState { block, copy: 0, private: values, stack })
    }

    fn frame(&self, words: &[&str]) -> Result<Frame, Wrong> {
        let (function, call, node, values) = match words {
            [function, "call", call, values @ ..] => (function, Some(EdgeId(number(call)?)), None, values),
            [function, node, values @ ..] => (function, None, Some(NodeId(number(node)?)), values),
            _ => return Err(Wrong::Text("expected a function and a node".to_owned())),
        };
        let id = self.function(function)?;
        let module = self.program.machine.module(id);
        let node = match (node, call.and_then(|call| module.edges.get(call.index()))) {
            (Some(node), _) => node,
            (None, Some(call)) => call.from,
            (None, None) => return foreign(format!("`{}` has no such call", module.name)),
        };
        let mut locals = vec![0; module.locals.len()];
        for word in values {
            let (variable, value) = assigned(word)?;
            match self.place(id, &variable)? {
                Place::Local(n) => locals[n as usize] = value,
                Place::Global(_) => {
                    return foreign(format!("`{variable}` is no local of `{}`", module.name));
                }
            }
        }
        Ok(Frame { module: id, node, locals, call })
    }

    /// `c s0 start*2 l0 / done`
    fn configuration(&mut self, shared: &str, groups: &[&str]) -> Result<(), Wrong> {
        let shared = find(&self.shared, 's', shared)?;
        let mut threads = Vec::new();
        for words in groups.split(|word| *word == "/") {
            let mut states: Vec<(Local, Count)> = Vec::with_capacity(words.len());
            for word in words {
                states.push(self.local(word)?);
            }
            states.sort_unstable();
            if states.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                return Err(Wrong::Text("a state occurs twice in a group".to_owned()));
            }
            threads.push(states);
        }
        if threads.len() != self.closed.groups.len() {
            let expected = self.closed.groups.len();
            return Err(Wrong::Text(format!(
                "expected {expected} groups of threads, found {}",
                threads.len()
            )));
        }
        self.closed.configurations.push(Configuration { shared, threads });
        Ok(())
    }

    fn local(&self, word: &str) -> Result<(Local, Count), Wrong> {
        let (word, count) = match word.split_once('*') {
            None => (word, Count::Number(1)),
            Some((word, "any")) => (word, Count::Any),
            Some((word, count)) => (word, Count::Number(number(count)?)),
        };
        if count == Count::Number(0) {
            return Err(Wrong::Text("expected a number of threads, at least 1".to_owned()));
        }
        let local = match word {
            "start" => Local::Start,
            "done" => Local::Done,
            word => Local::At(find(&self.states, 'l', word)?),
        };
        Ok((local, count))
    }
}

/// `x=1`
fn assigned(word: &str) -> Result<(String, u64), Wrong> {
    let Some((variable, value)) = word.rsplit_once('=') else {
        return Err(Wrong::Text(format!("expected a variable and its value, found `{}`", shown(word))));
    };
    Ok((name(variable)?, number(value)?))
}

/// The number of `s3` or `l3`.
fn label_number(label: &str) -> Result<u64, Wrong> {
    Ok(number(&label[1..])?)
}

fn find(known: &FxHashMap<u64, u32>, letter: char, label: &str) -> Result<u32, Wrong> {
    let found =
        label.strip_prefix(letter).and_then(|digits| number(digits).ok()).and_then(|n: u64| known.get(&n));
    found.copied().ok_or_else(|| Wrong::Text(format!("`{}` is not defined", shown(label))))
}

fn defined_once(label: &str, known: Option<u32>) -> Result<(), Wrong> {
    match known {
        None => Ok(()),
        Some(_) => Err(Wrong::Text(format!("`{}` is defined twice", shown(label)))),
    }
}

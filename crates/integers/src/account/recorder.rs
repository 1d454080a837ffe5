//! Keeps what is told of a run: steps with numbers, calls that repeat an earlier one in one line, the middle of long runs left out.
//!
//! A call is determined by what its function is called with and what the globals and the memory hold then, as long as it reads no input.

use crate::account::difference::{Difference, Pending, Stack};
use crate::account::numbering::Numbering;
use crate::account::{Passage, Told, Visit};
use crate::evaluate::Value;
use crate::objects::Touch;
use crate::program::{Action, EdgeId, FunctionId, Program};
use crate::step::Configuration;
use crate::trace::{Event, TraceStep};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// So many passages at the beginning and at the end of a run are told.
const TOLD: usize = 400;

/// So many calls are remembered.
const REMEMBERED: usize = 10_000;

/// Shorter calls are told again.
const SHORTEST: u64 = 3;

/// The state in which a function is entered.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Entry {
    function: FunctionId,
    params: Vec<Value>,
    globals: Vec<Value>,
    /// How often memory had changed.
    version: u64,
}

impl Entry {
    /// That of the function that has just been called.
    pub fn of(program: &Program, configuration: &Configuration) -> Self {
        let frame = configuration.frames.last().expect("somebody is running");
        let n_params = program.function(frame.function).n_params;
        Self {
            function: frame.function,
            params: frame.locals[..n_params].to_vec(),
            globals: configuration.globals.clone(),
            version: configuration.objects.version(),
        }
    }
}

/// A call that has not returned.
struct Open {
    entry: Entry,
    /// The number of its first step.
    first: u64,
    n_inputs: u64,
}

pub struct Recorder<'p> {
    program: &'p Program,
    numbering: Numbering<'p>,
    n_inputs: u64,
    head: Vec<(Passage, Difference)>,
    tail: VecDeque<(Passage, Difference)>,
    /// What is different since the last passage.
    pending: Pending,
    /// What is different by steps that are left out.
    omitted: Difference,
    /// Where functions stand before the tail.
    stack: Stack,
    open: Vec<Open>,
    /// The first and the last step of calls that have returned and read no input.
    done: FxHashMap<Entry, (u64, u64)>,
    /// The edges that were taken.
    visits: FxHashMap<(FunctionId, EdgeId), Visit>,
    /// A call that is not told: how many functions wait for it, and the steps that it repeats.
    again: Option<(usize, u64, u64)>,
}

impl<'p> Recorder<'p> {
    pub fn new(program: &'p Program, start: &Configuration) -> Self {
        let main = Open { entry: Entry::of(program, start), first: 1, n_inputs: 0 };
        Self {
            program,
            numbering: Numbering::new(program),
            n_inputs: 0,
            head: Vec::new(),
            tail: VecDeque::new(),
            pending: Pending::new(start),
            omitted: Difference::default(),
            stack: Stack::new(program),
            open: vec![main],
            done: FxHashMap::default(),
            visits: FxHashMap::default(),
            again: None,
        }
    }

    /// How many steps there were.
    pub fn n_steps(&self) -> u64 {
        self.numbering.n_steps()
    }

    /// Takes a step, and the configuration behind it.
    pub fn tell(&mut self, step: &TraceStep, touched: Vec<Touch>, after: &Configuration) {
        self.pending.tell(step, touched);
        self.n_inputs += step.inputs.len() as u64;
        if let Some(told) = self.numbering.tell(step, after) {
            self.count(&told);
            match step.event {
                Event::Taken(_) => self.keep_unless_again(Passage::Step(told), after),
                Event::Returned => self.back(told, after),
            }
        }
        if let Event::Taken(id) = step.event
            && let Action::Call { .. } = self.program.function(step.function).edge(id).action
        {
            self.call(step.depth, after);
        }
    }

    /// The run is over: the number of its steps.
    pub fn finish(&mut self, last: &Configuration) -> u64 {
        if let Some(told) = self.numbering.finish() {
            self.count(&told);
            self.keep_unless_again(Passage::Step(told), last);
        }
        let rest = self.pending.take(&self.program.memory, last);
        if let Some((_, difference)) = self.tail.back_mut().or(self.head.last_mut()) {
            difference.then(rest);
        }
        self.n_steps()
    }

    /// The edges that were taken.
    pub fn visits(&self) -> Vec<Visit> {
        let mut visits: Vec<Visit> = self.visits.values().copied().collect();
        visits.sort_by_key(|visit| (visit.first, visit.function, visit.edge));
        visits
    }

    /// Everything that is told, and what is different after each part of it.
    pub fn passages(self) -> (Vec<Passage>, Vec<Difference>) {
        let mut passages = self.head;
        let before = passages.last().map_or(0, |(passage, _)| last_number(passage));
        if let Some(next) = self.tail.front().map(|(passage, _)| first_number(passage))
            && next > before + 1
        {
            let omitted = Passage::Omitted { first: before + 1, last: next - 1, stack: self.stack };
            passages.push((omitted, self.omitted));
        }
        passages.extend(self.tail);
        passages.into_iter().unzip()
    }

    fn count(&mut self, told: &Told) {
        let edge = match told.step.event {
            Event::Taken(edge) => Some(edge),
            Event::Returned => told.by,
        };
        let Some(edge) = edge else { return };
        let (function, number) = (told.step.function, told.number);
        let new = Visit { function, edge, first: number, last: number, n_times: 0 };
        let visit = self.visits.entry((function, edge)).or_insert(new);
        visit.last = number;
        visit.n_times += 1;
    }

    fn call(&mut self, depth: usize, after: &Configuration) {
        let entry = Entry::of(self.program, after);
        if let (None, Some(&(first, last))) = (&self.again, self.done.get(&entry)) {
            self.again = Some((depth + 1, first, last));
        }
        self.open.push(Open { entry, first: self.n_steps() + 1, n_inputs: self.n_inputs });
    }

    fn back(&mut self, back: Told, after: &Configuration) {
        let open = self.open.pop().expect("who returns was called");
        if let Some((_, first, last)) = self.again.filter(|(depth, ..)| *depth == back.step.depth) {
            self.again = None;
            self.keep(Passage::Again { first, last, back }, after);
            return;
        }
        let is_long = back.number + 1 >= open.first + SHORTEST;
        let is_told = self.again.is_none();
        if is_long && is_told && open.n_inputs == self.n_inputs && self.done.len() < REMEMBERED {
            self.done.insert(open.entry, (open.first, back.number));
        }
        self.keep_unless_again(Passage::Step(back), after);
    }

    fn keep_unless_again(&mut self, passage: Passage, after: &Configuration) {
        if self.again.is_none() {
            self.keep(passage, after);
        }
    }

    fn keep(&mut self, passage: Passage, after: &Configuration) {
        let difference = self.pending.take(&self.program.memory, after);
        if self.head.len() < TOLD {
            self.follow(&passage);
            self.head.push((passage, difference));
            return;
        }
        if self.tail.len() == TOLD
            && let Some((passage, difference)) = self.tail.pop_front()
        {
            self.follow(&passage);
            self.omitted.then(difference);
        }
        self.tail.push_back((passage, difference));
    }

    fn follow(&mut self, passage: &Passage) {
        if let Passage::Step(told) | Passage::Again { back: told, .. } = passage {
            self.stack.follow(self.program, &told.step);
        }
    }
}

fn last_number(passage: &Passage) -> u64 {
    match passage {
        Passage::Step(told) | Passage::Again { back: told, .. } => told.number,
        Passage::Omitted { last, .. } => *last,
    }
}

fn first_number(passage: &Passage) -> u64 {
    match passage {
        Passage::Step(told) => told.number,
        Passage::Again { first, last, back } => back.number - (last - first),
        Passage::Omitted { first, .. } => *first,
    }
}

//! What shares of a search of threads tell each other: configurations, and what goes with each.
//!
//! Every share has step tables of its own, so the numbers in a configuration mean something to it alone. Before a share uses a number for the first
//! time in a letter to another one, it tells what is meant; who reads keeps a list of the numbers that mean the same here. Contract: the share that
//! a configuration belongs to depends on what its numbers mean, never on the numbers, nor on the order of threads that may change places.

use crate::peers::{Reader, Writer};
use crate::search::Share;
use crate::shares::Letters;
use crate::table::hash;
use rsm::interleave::ThreadState;
use rsm::step::Frame;
use rsm::{Concurrent, EdgeId, ModuleId, NodeId};
use std::ops::Range;

/// A letter: words of 32 bits.
pub(super) type Letter = Vec<u32>;

/// Tables that give numbers to shared values and to the states of threads.
pub(super) trait Numbers {
    /// Smaller numbers of states mean the same everywhere.
    const FIRST: u32;

    /// How many numbers there are for shared values, and for the states of each block.
    fn sizes(&self) -> (usize, impl Iterator<Item = usize> + '_);

    fn shared_values(&self, number: u32) -> &[u64];

    /// The number of shared values; nothing if the program has no such values.
    fn number_shared(&mut self, values: Vec<u64>) -> Option<u32>;

    /// What a number of a state of a block means.
    fn write_state(&self, block: u32, number: u32, out: &mut Letter);

    /// The number of what was written; nothing if the program has no such state.
    fn read_state(&mut self, block: u32, words: &mut Words<'_>) -> Option<u32>;
}

/// The most words that go with a configuration.
const MOST_BESIDE: usize = 4;

/// The outbox of a share, and what it knows of the numbers of others.
pub(super) struct Mail {
    pub(super) share: Share,
    /// The bytes that the share may use.
    pub(super) allowed: u64,
    /// For each thread its block, and the first of those that may change places with it.
    threads: Vec<(u32, u64)>,
    /// So many words go with each configuration.
    n_beside: usize,
    /// What numbers mean, as a hash: of shared values, and of the states of each block.
    shared: Vec<u64>,
    states: Vec<Vec<u64>>,
    /// Of each other share which numbers it has been told.
    told: Vec<Known<bool>>,
    /// Of each other share what its numbers are here.
    heard: Vec<Known<u32>>,
    /// For each share what is to be told: a count, and words.
    out: Vec<Letter>,
}

/// Something about numbers of shared values, and of the states of each block.
#[derive(Clone)]
struct Known<T> {
    shared: Vec<T>,
    states: Vec<Vec<T>>,
}

/// A configuration in a letter.
#[derive(Default)]
pub(super) struct Told {
    pub(super) numbers: Vec<u32>,
    /// What goes with it.
    pub(super) beside: [u32; MOST_BESIDE],
    /// There may be new numbers in it.
    pub(super) has_news: bool,
}

/// What a part of a letter is about.
const SHARED: u32 = 0;
const STATE: u32 = 1;
const CONFIGURATION: u32 = 2;

impl Mail {
    /// An outbox of a share; so many words go with each configuration.
    pub(super) fn new(
        share: Share,
        blocks: impl Iterator<Item = u32>,
        groups: &[Range<usize>],
        n_blocks: usize,
        n_beside: usize,
    ) -> Self {
        let of = usize::from(share.of);
        let threads = blocks.zip(groups).map(|(block, group)| (block, group.start as u64)).collect();
        assert!(n_beside <= MOST_BESIDE, "there is room for them");
        Self {
            share,
            allowed: u64::MAX,
            threads,
            n_beside,
            shared: Vec::new(),
            states: vec![Vec::new(); n_blocks],
            told: vec![Known { shared: Vec::new(), states: vec![Vec::new(); n_blocks] }; of],
            heard: vec![Known { shared: Vec::new(), states: vec![Vec::new(); n_blocks] }; of],
            out: vec![Letter::new(); of],
        }
    }

    /// A hash of what the numbers of a configuration mean.
    pub(super) fn meaning(&mut self, tables: &impl Numbers, numbers: &[u32]) -> u64 {
        self.learn(tables);
        let of_threads =
            (0..).zip(&numbers[1..]).map(|(thread, local)| self.of_thread(tables, thread, *local));
        // Threads that may change places count the same, in whatever order they come.
        of_threads.fold(self.of_shared(numbers[0]), u64::wrapping_add)
    }

    /// The same of a configuration in which one thread has moved, and shared values have changed; all numbers were there when the meaning was asked for.
    pub(super) fn moved(
        &self,
        tables: &impl Numbers,
        meaning: u64,
        thread: usize,
        [(shared, local), (new_shared, new_local)]: [(u32, u32); 2],
    ) -> u64 {
        meaning
            .wrapping_sub(self.of_shared(shared))
            .wrapping_sub(self.of_thread(tables, thread, local))
            .wrapping_add(self.of_shared(new_shared))
            .wrapping_add(self.of_thread(tables, thread, new_local))
    }

    /// The share that a configuration with this meaning belongs to.
    pub(super) fn owner(&self, meaning: u64) -> u8 {
        (((hash(meaning, &[]) >> 32) * u64::from(self.share.of)) >> 32) as u8
    }

    fn of_shared(&self, number: u32) -> u64 {
        self.shared[number as usize]
    }

    fn of_thread<N: Numbers>(&self, _: &N, thread: usize, local: u32) -> u64 {
        let (block, first) = self.threads[thread];
        let state = match local.checked_sub(N::FIRST) {
            Some(n) => self.states[block as usize][n as usize],
            None => u64::from(local),
        };
        hash(first, &[state])
    }

    /// Hashes what has got a number since.
    fn learn<N: Numbers>(&mut self, tables: &N) {
        let (n_shared, n_states) = tables.sizes();
        for n in self.shared.len()..n_shared {
            self.shared.push(hash(1, tables.shared_values(n as u32)));
        }
        for ((block, known), n) in (0..).zip(&mut self.states).zip(n_states) {
            for n in known.len() as u32..n as u32 - N::FIRST {
                let mut words = Letter::new();
                tables.write_state(block, n + N::FIRST, &mut words);
                let words: Vec<u64> = words.into_iter().map(u64::from).collect();
                known.push(hash(2, &words));
            }
        }
    }

    /// Tells another share a configuration, and what goes with it.
    pub(super) fn send<N: Numbers>(&mut self, to: u8, tables: &N, numbers: &[u32], beside: &[u32]) {
        debug_assert_eq!(beside.len(), self.n_beside);
        let (told, out) = (&mut self.told[usize::from(to)], &mut self.out[usize::from(to)]);
        if out.is_empty() {
            out.push(0);
        }
        if is_news(&mut told.shared, numbers[0]) {
            let values = tables.shared_values(numbers[0]);
            out.extend([SHARED, numbers[0]]);
            write_values(values, out);
        }
        for ((block, _), local) in self.threads.iter().zip(&numbers[1..]) {
            if *local >= N::FIRST && is_news(&mut told.states[*block as usize], *local - N::FIRST) {
                out.extend([STATE, *block, *local - N::FIRST]);
                tables.write_state(*block, *local, out);
            }
        }
        out.push(CONFIGURATION);
        out.extend_from_slice(beside);
        out.extend_from_slice(numbers);
        out[0] += 1;
    }

    /// A share may not have read all that it was told.
    pub(super) fn tell_anew(&mut self, to: u8) {
        let told = &mut self.told[usize::from(to)];
        told.shared.clear();
        told.states.iter_mut().for_each(Vec::clear);
    }

    /// What is to be told to a share, once.
    pub(super) fn take(&mut self, to: u8) -> Letter {
        std::mem::take(&mut self.out[usize::from(to)])
    }

    /// Reads the next configuration of a letter, and what comes before it; whether there is one.
    pub(super) fn read<N: Numbers>(
        &mut self,
        from: u8,
        words: &mut Words<'_>,
        tables: &mut N,
        told: &mut Told,
    ) -> Result<bool, Garbled> {
        let heard = self.heard.get_mut(usize::from(from)).ok_or(Garbled)?;
        told.has_news = false;
        while !words.0.is_empty() {
            match words.next()? {
                SHARED => {
                    let number = words.next()?;
                    let own = tables.number_shared(words.values()?).ok_or(Garbled)?;
                    hear(&mut heard.shared, number, own)?;
                    told.has_news = true;
                }
                STATE => {
                    let (block, number) = (words.next()?, words.next()?);
                    let known = heard.states.get_mut(block as usize).ok_or(Garbled)?;
                    hear(known, number, tables.read_state(block, words).ok_or(Garbled)?)?;
                    told.has_news = true;
                }
                CONFIGURATION => {
                    for word in &mut told.beside[..self.n_beside] {
                        *word = words.next()?;
                    }
                    told.numbers.clear();
                    told.numbers.push(known(&heard.shared, words.next()?)?);
                    for (block, _) in &self.threads {
                        let number = words.next()?;
                        told.numbers.push(match number.checked_sub(N::FIRST) {
                            Some(n) => known(&heard.states[*block as usize], n)?,
                            None => number,
                        });
                    }
                    return Ok(true);
                }
                _ => return Err(Garbled),
            }
        }
        Ok(false)
    }

    /// Bytes in use, about.
    pub(super) fn bytes(&self) -> usize {
        let known =
            |known: &Known<u32>| known.shared.len() + known.states.iter().map(Vec::len).sum::<usize>();
        let n_heard: usize = self.heard.iter().map(known).sum();
        let n_own = self.shared.len() + self.states.iter().map(Vec::len).sum::<usize>();
        let n_words: usize = self.out.iter().map(Vec::capacity).sum();
        (n_heard + n_words) * 4 + n_own * (8 + self.told.len())
    }
}

/// What cannot be understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Garbled;

/// The number has not been told; now it is.
fn is_news(told: &mut Vec<bool>, number: u32) -> bool {
    let number = number as usize;
    if told.len() <= number {
        told.resize(number + 1, false);
    }
    !std::mem::replace(&mut told[number], true)
}

/// Numbers that have not been heard of.
const NONE: u32 = u32::MAX;

/// Numbers of others are no higher than this.
const MOST: u32 = 1 << 28;

fn hear(heard: &mut Vec<u32>, number: u32, own: u32) -> Result<(), Garbled> {
    if number >= MOST {
        return Err(Garbled);
    }
    let number = number as usize;
    if heard.len() <= number {
        heard.resize(number + 1, NONE);
    }
    heard[number] = own;
    Ok(())
}

/// What a number of another share is here.
fn known(known: &[u32], number: u32) -> Result<u32, Garbled> {
    known.get(number as usize).copied().filter(|own| *own != NONE).ok_or(Garbled)
}

/// Words that are read.
pub(super) struct Words<'w>(&'w [u32]);

impl<'w> Words<'w> {
    /// Those of a letter; its count comes before them.
    pub(super) fn of(letter: &'w [u32]) -> Self {
        Self(letter.get(1..).unwrap_or_default())
    }

    pub(super) fn next(&mut self) -> Result<u32, Garbled> {
        let (word, rest) = self.0.split_first().ok_or(Garbled)?;
        self.0 = rest;
        Ok(*word)
    }

    fn values(&mut self) -> Result<Vec<u64>, Garbled> {
        let n = self.next()? as usize;
        let (values, rest) = self.0.split_at_checked(2 * n).ok_or(Garbled)?;
        self.0 = rest;
        Ok(values.chunks_exact(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect())
    }
}

fn write_values(values: &[u64], out: &mut Letter) {
    out.push(values.len() as u32);
    out.extend(values.iter().flat_map(|value| [*value as u32, (*value >> 32) as u32]));
}

impl Letters for Letter {
    /// How many configurations it tells.
    fn n_letters(&self) -> u64 {
        self.first().copied().unwrap_or(0).into()
    }

    fn write(&self, writer: &mut Writer) {
        writer.long(self.len() as u64);
        self.iter().for_each(|word| writer.word(*word));
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let n = reader.long()?;
        // What is announced is not believed before it is there.
        (n <= reader.0.len() as u64 / 4).then(|| (0..n).filter_map(|_| reader.word()).collect())
    }
}

pub(super) fn write_thread(state: &ThreadState, out: &mut Letter) {
    out.push(state.copy);
    write_values(&state.private, out);
    out.push(state.stack.len() as u32);
    for Frame { module, node, locals, call } in &state.stack {
        let call = call.map_or(0, |call| call.index() as u32 + 1);
        out.extend([module.index() as u32, node.index() as u32, call]);
        write_values(locals, out);
    }
}

/// A state of a thread, if the program has such a place, and such variables.
pub(super) fn read_thread(program: &Concurrent, block: u32, words: &mut Words<'_>) -> Option<ThreadState> {
    let state = thread_in(words, block).ok()?;
    let block = program.blocks.get(block as usize)?;
    let is_frame = |frame: &Frame| {
        program.machine.modules.get(frame.module.index()).is_some_and(|module| {
            frame.node.index() < module.nodes.len()
                && frame.locals.len() == module.locals.len()
                && frame.call.is_none_or(|call| call.index() < module.edges.len())
        })
    };
    let is_possible = state.private.len() == block.private.len()
        && !state.stack.is_empty()
        && state.stack.iter().all(is_frame);
    is_possible.then_some(state)
}

fn thread_in(words: &mut Words<'_>, block: u32) -> Result<ThreadState, Garbled> {
    let copy = words.next()?;
    let private = words.values()?;
    let n_frames = words.next()?;
    let mut stack = Vec::new();
    for _ in 0..n_frames {
        let (module, node, call) = (words.next()?, words.next()?, words.next()?);
        let call = call.checked_sub(1).map(|call| EdgeId::new(call as usize));
        let (module, node) = (ModuleId::new(module as usize), NodeId::new(node as usize));
        stack.push(Frame { module, node, locals: words.values()?, call });
    }
    Ok(ThreadState { block, copy, private, stack })
}

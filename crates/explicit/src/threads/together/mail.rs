//! What shares of a search of threads tell each other: configurations, and which thread is active in them.
//!
//! Every share has step tables of its own, so the numbers in a configuration mean something to it alone. Before a share uses a number for the first
//! time in a letter to another one, it tells what is meant; who reads keeps a list of the numbers that mean the same here. Contract: the share that
//! a configuration belongs to depends on what its numbers mean, never on the numbers, nor on the order of threads that may change places.

use super::super::levels::NOBODY;
use super::super::origins::{Origin, Pair};
use super::super::steps::{FIRST, Tables};
use crate::search::Share;
use crate::table::hash;
use rsm::interleave::ThreadState;
use rsm::step::Frame;
use rsm::{EdgeId, ModuleId, NodeId};
use std::ops::Range;

/// A letter: words of 32 bits.
pub(in super::super) type Letter = Vec<u32>;

/// The outbox of a share, and what it knows of the numbers of others.
pub(in super::super) struct Mail {
    pub(in super::super) share: Share,
    /// The bytes that the share may use.
    pub(in super::super) allowed: u64,
    /// Whether letters say where moves come from.
    tells_origins: bool,
    /// What numbers mean, as a hash: of shared values, and of the states of each block.
    shared: Vec<u64>,
    states: Vec<Vec<u64>>,
    /// Of each other share which numbers it has been told.
    told: Vec<Known<bool>>,
    /// Of each other share what its numbers are here.
    heard: Vec<Known<u32>>,
    /// For each share what is to be told.
    out: Vec<Letter>,
    n_letters: u64,
}

/// Something about numbers of shared values, and of the states of each block.
#[derive(Clone)]
struct Known<T> {
    shared: Vec<T>,
    states: Vec<Vec<T>>,
}

/// A configuration in a letter.
pub(in super::super) struct Told {
    pub(in super::super) numbers: Vec<u32>,
    pub(in super::super) thread: usize,
    pub(in super::super) from: Origin,
    /// There may be new numbers in it.
    pub(in super::super) has_news: bool,
}

/// What a part of a letter is about.
const SHARED: u32 = 0;
const STATE: u32 = 1;
const CONFIGURATION: u32 = 2;

impl Mail {
    pub(super) fn new(share: Share, n_blocks: usize, tells_origins: bool) -> Self {
        let of = usize::from(share.of);
        Self {
            share,
            allowed: u64::MAX,
            tells_origins,
            shared: Vec::new(),
            states: vec![Vec::new(); n_blocks],
            told: vec![Known { shared: Vec::new(), states: vec![Vec::new(); n_blocks] }; of],
            heard: vec![Known { shared: Vec::new(), states: vec![Vec::new(); n_blocks] }; of],
            out: vec![Letter::new(); of],
            n_letters: 0,
        }
    }

    /// The share that a configuration belongs to.
    pub(in super::super) fn owner(
        &mut self,
        tables: &Tables<'_>,
        roles: &[(u32, u32)],
        groups: &[Range<usize>],
        numbers: &[u32],
    ) -> u8 {
        let sum = self.meaning(roles, groups, numbers).unwrap_or_else(|| {
            self.learn(tables);
            self.meaning(roles, groups, numbers).expect("every number has a meaning")
        });
        (((hash(sum, &[]) >> 32) * u64::from(self.share.of)) >> 32) as u8
    }

    /// A hash of what numbers mean; nothing if some of them are new.
    fn meaning(&self, roles: &[(u32, u32)], groups: &[Range<usize>], numbers: &[u32]) -> Option<u64> {
        let mut sum = *self.shared.get(numbers[0] as usize)?;
        for ((local, (block, _)), group) in numbers[1..].iter().zip(roles).zip(groups) {
            let state = match local.checked_sub(FIRST) {
                Some(n) => *self.states[*block as usize].get(n as usize)?,
                None => u64::from(*local),
            };
            // Threads that may change places count the same, in whatever order they come.
            sum = sum.wrapping_add(hash(group.start as u64, &[state]));
        }
        Some(sum)
    }

    /// Hashes what has got a number since.
    fn learn(&mut self, tables: &Tables<'_>) {
        let (n_shared, n_states) = tables.sizes();
        for n in self.shared.len()..n_shared {
            self.shared.push(hash(1, tables.shared_values(n as u32)));
        }
        for ((block, known), n) in (0..).zip(&mut self.states).zip(n_states) {
            for n in known.len() as u32..n as u32 - FIRST {
                let mut words = Letter::new();
                write_state(tables.thread(block, n + FIRST), &mut words);
                let words: Vec<u64> = words.into_iter().map(u64::from).collect();
                known.push(hash(2, &words));
            }
        }
    }

    /// Tells another share that a move leads to a configuration.
    pub(in super::super) fn send(
        &mut self,
        to: u8,
        tables: &Tables<'_>,
        roles: &[(u32, u32)],
        numbers: &[u32],
        (thread, from): (usize, Origin),
    ) {
        let (told, out) = (&mut self.told[usize::from(to)], &mut self.out[usize::from(to)]);
        if is_news(&mut told.shared, numbers[0]) {
            let values = tables.shared_values(numbers[0]);
            out.extend([SHARED, numbers[0]]);
            write_values(values, out);
        }
        for ((block, _), local) in roles.iter().zip(&numbers[1..]) {
            if *local >= FIRST && is_news(&mut told.states[*block as usize], *local - FIRST) {
                out.extend([STATE, *block, *local - FIRST]);
                write_state(tables.thread(*block, *local), out);
            }
        }
        out.extend([CONFIGURATION, thread as u32]);
        if self.tells_origins {
            let pair = from.pair();
            out.extend([u32::from(from.share), pair.configuration as u32, pair.thread as u32]);
        }
        out.extend_from_slice(numbers);
        self.n_letters += 1;
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

    /// How many configurations were told since this was asked.
    pub(super) fn take_count(&mut self) -> u64 {
        std::mem::take(&mut self.n_letters)
    }

    /// Reads the next configuration of a letter, and what comes before it; nothing at its end.
    pub(super) fn read(
        &mut self,
        from: u8,
        words: &mut Words<'_>,
        tables: &mut Tables<'_>,
        roles: &[(u32, u32)],
    ) -> Result<Option<Told>, Garbled> {
        let heard = self.heard.get_mut(usize::from(from)).ok_or(Garbled)?;
        let mut has_news = false;
        while !words.0.is_empty() {
            match words.next()? {
                SHARED => {
                    let number = words.next()?;
                    let values = words.values()?;
                    if values.len() != tables.matter.shared().len() {
                        return Err(Garbled);
                    }
                    hear(&mut heard.shared, number, tables.number_shared(values))?;
                    has_news = true;
                }
                STATE => {
                    let (block, number) = (words.next()?, words.next()?);
                    let state = read_state(words, block)?;
                    let known = heard.states.get_mut(block as usize).ok_or(Garbled)?;
                    is_possible(&state, tables).then_some(()).ok_or(Garbled)?;
                    hear(known, number, tables.number_thread(state))?;
                    has_news = true;
                }
                CONFIGURATION => {
                    let told = told(heard, words, roles, from, self.tells_origins)?;
                    return Ok(Some(Told { has_news, ..told }));
                }
                _ => return Err(Garbled),
            }
        }
        Ok(None)
    }

    /// Bytes in use, about.
    pub(in super::super) fn bytes(&self) -> usize {
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
pub(in super::super) struct Garbled;

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

/// A configuration, in numbers of this share.
fn told(
    heard: &Known<u32>,
    words: &mut Words<'_>,
    roles: &[(u32, u32)],
    from: u8,
    tells_origins: bool,
) -> Result<Told, Garbled> {
    let known = |known: &[u32], n: u32| {
        known.get(n as usize).copied().filter(|number| *number != NONE).ok_or(Garbled)
    };
    let thread = match words.next()? {
        NONE => NOBODY,
        thread if (thread as usize) < roles.len() => thread as usize,
        _ => return Err(Garbled),
    };
    let mut origin = Origin::new(from, Pair { configuration: 0, thread: 0 });
    if tells_origins {
        let share = u8::try_from(words.next()?).map_err(|_| Garbled)?;
        let (configuration, thread) = (words.next()? as usize, words.next()? as usize);
        origin = Origin::new(share, Pair { configuration, thread });
    }
    let mut numbers = Vec::with_capacity(roles.len() + 1);
    numbers.push(known(&heard.shared, words.next()?)?);
    for (block, _) in roles {
        let number = words.next()?;
        numbers.push(match number.checked_sub(FIRST) {
            Some(n) => known(&heard.states[*block as usize], n)?,
            None => number,
        });
    }
    Ok(Told { numbers, thread, from: origin, has_news: false })
}

/// Words that are read.
pub(in super::super) struct Words<'w>(pub(in super::super) &'w [u32]);

impl Words<'_> {
    fn next(&mut self) -> Result<u32, Garbled> {
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

fn write_state(state: &ThreadState, out: &mut Letter) {
    out.push(state.copy);
    write_values(&state.private, out);
    out.push(state.stack.len() as u32);
    for Frame { module, node, locals, call } in &state.stack {
        let call = call.map_or(0, |call| call.index() as u32 + 1);
        out.extend([module.index() as u32, node.index() as u32, call]);
        write_values(locals, out);
    }
}

fn read_state(words: &mut Words<'_>, block: u32) -> Result<ThreadState, Garbled> {
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

/// The program has such a place, and such variables.
fn is_possible(state: &ThreadState, tables: &Tables<'_>) -> bool {
    let program = tables.program;
    let Some(block) = program.blocks.get(state.block as usize) else { return false };
    let is_frame = |frame: &Frame| {
        program.machine.modules.get(frame.module.index()).is_some_and(|module| {
            frame.node.index() < module.nodes.len()
                && frame.locals.len() == module.locals.len()
                && frame.call.is_none_or(|call| call.index() < module.edges.len())
        })
    };
    state.private.len() == block.private.len() && !state.stack.is_empty() && state.stack.iter().all(is_frame)
}

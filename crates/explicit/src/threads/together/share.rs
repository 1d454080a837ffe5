//! One share of a search of threads: what it does in a round.
//!
//! Contract: between two levels, or turns, all shares have come to their end and no letter is on its way; then the configurations of all shares, and the
//! threads that are active in them, are those that one search has at the same place.

use super::super::Cost;
use super::super::levels::{Halt, NOBODY, Search};
use super::super::mail::{Garbled, Letter, Mail, Told, Words};
use super::super::origins::{Origin, Pair};
use crate::shares::Part;
use crate::{Limits, Stopped};
use std::ops::Range;

/// A search of some of the configurations.
pub(super) struct Share<'p> {
    pub(super) search: Search<'p>,
    has_begun: bool,
    /// Switches: configurations of the level before, in which other threads are to go on now, and who was active there.
    before: Range<usize>,
    first_before: usize,
    was_active: Vec<u64>,
    /// Rounds: whose turn it is, and where it has been.
    turn: Turn,
}

#[derive(Default)]
struct Turn {
    thread: usize,
    /// Configurations that were there before the round.
    old: Range<usize>,
    /// The next one of the round.
    new: usize,
    /// Where the turn of each thread began in the round before; the last is the beginning of this one.
    last: Vec<usize>,
    this: Vec<usize>,
}

impl<'p> Share<'p> {
    pub(super) fn new(search: Search<'p>) -> Self {
        let last = vec![0; search.roles.len() + 1];
        let turn = Turn { new: usize::MAX, last, ..Turn::default() };
        Self { search, has_begun: false, before: 0..0, first_before: 0, was_active: Vec::new(), turn }
    }

    /// Its number among all.
    pub(super) fn number(&self) -> u8 {
        self.mail().share.number
    }

    fn mail(&self) -> &Mail {
        self.search.mail.as_ref().expect("a share has an outbox")
    }

    fn mail_mut(&mut self) -> &mut Mail {
        self.search.mail.as_mut().expect("a share has an outbox")
    }

    fn read(&mut self, letters: &[Letter], limits: &Limits<'_>) -> Result<u32, Halt> {
        let (mut n_read, mut told) = (0, Told::default());
        for (from, letter) in (0..).zip(letters) {
            let mut words = Words::of(letter);
            while self.next(from, &mut words, &mut told)? {
                let (thread, origin) = self.beside(from, &told)?;
                let thread = self.in_order(&mut told.numbers, thread);
                if told.has_news {
                    self.search.fit();
                }
                self.search.arrive_at(&told.numbers, thread, origin, limits)?;
                n_read += 1;
            }
        }
        Ok(n_read)
    }

    /// The next configuration of a letter, if there is one. Who writes what cannot be understood is as good as gone.
    pub(super) fn next(&mut self, from: u8, words: &mut Words<'_>, told: &mut Told) -> Result<bool, Stopped> {
        let Search { mail, tables, .. } = &mut self.search;
        let mail = mail.as_mut().expect("a share has an outbox");
        mail.read(from, words, tables, told).map_err(|Garbled| Stopped::Lost(from))
    }

    /// What goes with a configuration: which thread is active, and where it comes from.
    pub(super) fn beside(&self, from: u8, told: &Told) -> Result<(usize, Origin), Stopped> {
        let [thread, share, configuration, moved] = told.beside.map(|n| n as usize);
        let thread = match told.beside[0] {
            u32::MAX => NOBODY,
            _ if thread < self.search.roles.len() => thread,
            _ => return Err(Stopped::Lost(from)),
        };
        let pair = Pair { configuration, thread: moved };
        let share = u8::try_from(share).map_err(|_| Stopped::Lost(from))?;
        Ok((thread, Origin::new(share, pair)))
    }

    /// Brings threads that may change places into the order of this share; says where the active one is then.
    pub(super) fn in_order(&self, numbers: &mut [u32], thread: usize) -> usize {
        if thread == NOBODY {
            self.search.sort(numbers);
            return NOBODY;
        }
        let (group, local) = (self.search.groups[thread].clone(), numbers[thread + 1]);
        self.search.sort(numbers);
        if group.len() == 1 {
            return thread;
        }
        let n_less = numbers[group.start + 1..group.end + 1].iter().filter(|other| **other < local).count();
        group.start + n_less
    }

    /// Takes steps until there are none, or enough.
    fn slice(&mut self, n_most: u32, limits: &Limits<'_>) -> Result<u32, Halt> {
        if !self.has_begun {
            self.has_begun = true;
            self.begin(limits)?;
        }
        let mut n = 0;
        while n < n_most && !self.search.has_all() {
            if let Some(pair) = self.search.at.queue.pop_front() {
                self.search.expand(pair, limits)?;
            } else if let Some(configuration) = self.before.next() {
                self.leave(configuration, limits)?;
            } else if let Some(configuration) = self.next_of_turn() {
                self.search.expand(Pair { configuration, thread: self.turn.thread }, limits)?;
            } else {
                break;
            }
            n += 1;
        }
        Ok(n)
    }

    fn begin(&mut self, limits: &Limits<'_>) -> Result<(), Halt> {
        self.search.start(limits)?;
        for configuration in 0..self.search.store.len() {
            for thread in self.search.standing(configuration) {
                let pair = Pair { configuration, thread };
                if self.search.cost == Cost::Switches {
                    self.search.activate(pair);
                } else {
                    self.search.meet(pair, limits, true)?;
                }
            }
        }
        Ok(())
    }

    /// Those go on from a configuration of the level before who were not active there.
    fn leave(&mut self, configuration: usize, limits: &Limits<'_>) -> Result<(), Halt> {
        let n_words = self.search.n_words();
        let first = (configuration - self.first_before) * n_words;
        for thread in self.search.standing(configuration) {
            if self.was_active[first + thread / 64] >> (thread % 64) & 1 == 0 {
                self.search.expand(Pair { configuration, thread }, limits)?;
            }
        }
        Ok(())
    }

    fn next_of_turn(&mut self) -> Option<usize> {
        if let Some(configuration) = self.turn.old.next() {
            return Some(configuration);
        }
        let configuration = self.turn.new;
        (configuration < self.search.store.len()).then(|| {
            self.turn.new += 1;
            configuration
        })
    }

    /// The configurations that came in this level.
    pub(super) fn n_new(&self) -> u64 {
        let first = match self.search.cost {
            Cost::Switches => self.search.at.start,
            Cost::Rounds => self.turn.last[self.search.roles.len()],
        };
        (self.search.store.len() - first) as u64
    }

    /// One more switch.
    pub(super) fn next_level(&mut self) {
        let at = &mut self.search.at;
        (self.before, self.first_before) = (at.start..self.search.store.len(), at.start);
        at.number += 1;
        at.start = self.before.end;
        self.was_active = std::mem::take(&mut at.active);
    }

    /// One more round.
    pub(super) fn next_round(&mut self) {
        self.search.at.number += 1;
    }

    /// The turn of a thread begins.
    pub(super) fn begin_turn(&mut self, thread: usize) {
        let turn = &mut self.turn;
        let first = turn.last[turn.last.len() - 1];
        // What initial configurations begin with belongs to the first turn.
        turn.this.push(if thread == 0 { first } else { self.search.store.len() });
        turn.thread = thread;
        turn.old = turn.last[thread + 1]..first;
        turn.new = first;
    }

    /// The turn of the last thread is over.
    pub(super) fn end_round(&mut self) {
        let turn = &mut self.turn;
        turn.this.push(self.search.store.len());
        turn.last = std::mem::take(&mut turn.this);
    }

    /// Tells the first share everything that this one has found.
    pub(super) fn hand_over(&mut self, range: Range<usize>) -> Letter {
        for configuration in range {
            self.tell(0, Pair { configuration, thread: NOBODY });
        }
        self.take_mail(0)
    }

    /// A share may not have read all that it was told: letters of the last round are not read where all has been found.
    pub(super) fn tell_anew(&mut self, to: u8) {
        self.mail_mut().tell_anew(to);
    }

    /// Tells a share about one of the own configurations.
    pub(super) fn tell(&mut self, to: u8, pair: Pair) {
        let mut numbers = Vec::new();
        self.search.store.read(pair.configuration, &mut numbers);
        let n_beside = if self.search.origins.is_wanted() { 4 } else { 1 };
        let Search { mail, tables, .. } = &mut self.search;
        let mail = mail.as_mut().expect("a share has an outbox");
        let beside = [pair.thread as u32, u32::from(mail.share.number), 0, 0];
        mail.send(to, tables, &numbers, &beside[..n_beside]);
    }

    /// A configuration of any share, here.
    pub(super) fn keep(&mut self, from: u8, told: &mut Told) -> Result<Pair, Stopped> {
        let (thread, _) = self.beside(from, told)?;
        let thread = self.in_order(&mut told.numbers, thread);
        self.search.fit();
        let (configuration, _) = self.search.store.insert(&told.numbers);
        Ok(Pair { configuration, thread })
    }
}

impl Part for Share<'_> {
    type Mail = Letter;

    fn work(&mut self, letters: &[Letter], n_most: u32, limits: &Limits<'_>) -> Result<u32, Stopped> {
        let worked = self.read(letters, limits).and_then(|n_read| Ok(n_read + self.slice(n_most, limits)?));
        match worked {
            Ok(n) => Ok(n),
            // Everything that is asked for has been found.
            Err(Halt::End(_)) => Ok(0),
            Err(Halt::Stopped(stopped)) => Err(stopped),
        }
    }

    /// Nothing is left to be done before the next level or turn.
    fn is_idle(&self) -> bool {
        let Turn { old, new, .. } = &self.turn;
        let is_turn_over = old.is_empty() && *new >= self.search.store.len();
        self.has_begun && self.search.at.queue.is_empty() && self.before.is_empty() && is_turn_over
    }

    fn is_answered(&self) -> bool {
        self.search.has_all()
    }

    fn is_about_to_grow(&self, n_steps: u32) -> bool {
        self.search.store.is_about_to_grow(n_steps as usize * self.search.roles.len())
    }

    fn grow_early(&mut self) {
        self.search.store.grow_early();
    }

    fn bytes(&self) -> u64 {
        self.search.figures().bytes
    }

    fn allow(&mut self, bytes: u64) {
        self.mail_mut().allowed = bytes;
    }

    fn take_mail(&mut self, to: u8) -> Letter {
        self.mail_mut().take(to)
    }
}
